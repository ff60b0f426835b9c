"""Which known name a word was meant to be that no line has: one letter more, less, other, or two swapped.

Damerau (1964) found four of five misspelt words to be one such edit away. The first letter is seldom wrong. Doubled
letters count once in a longer name: names of other scripts have many spellings in Latin letters (Faheem, Fahim).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST = 4
"""Letters of a name; of shorter ones, too many are one edit apart."""
_SHORTEST_SINGLED = 5
"""The same without doubled letters: Anna is no Ada."""
_ALIKE = tuple(map(frozenset, ("aeiouy", "ckq", "sxz", "fvw")))
"""Letters in which a name may differ beside a doubled one, as its spellings do: Platte is no Plane."""


def meant(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the words of these folded names that are one edit from a word, capitalised as it is."""
    typed = fold(word)
    if len(typed) < _SHORTEST or not typed.isalpha() or typed[0] >= FAR_EAST:
        return ()
    parts = {part for name in names if typed[0] in name for part in name.split() if part[0] == typed[0]}
    near = {part for part in parts if _may_be(typed, part) and not is_ordinary(part)}
    return tuple(sorted(part.capitalize() if word[0].isupper() else part for part in near))


def _may_be(typed: str, part: str) -> bool:
    if typed == part or is_one_edit(typed, part):
        return typed != part
    one, other = _singled(typed), _singled(part)
    if len(one) != len(other) or len(one) < _SHORTEST_SINGLED:
        return False  # a letter more makes another name: Gabriella is no Gabriel
    others = {letter for pair in zip(one, other, strict=True) if pair[0] != pair[1] for letter in pair}
    return not others or (any(others <= alike for alike in _ALIKE) and is_one_edit(one, other))


def _singled(word: str) -> str:
    """The word without doubled letters."""
    return "".join(letter for letter, before in zip(word, f" {word}", strict=False) if letter != before)


def is_one_edit(one: str, other: str) -> bool:
    """Return whether two words with the same first letter differ by one letter, or by two neighbours swapped."""
    return one[:1] == other[:1] and edit(one, other) is not None


def edit(one: str, other: str) -> tuple[str, int] | None:
    """Return by what two words differ, if by one edit alone, and where: `more`, `other` or `swap`."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    at = next((at for at, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    rest, others = longer[at + 1 :], shorter[at + 1 :]
    if len(longer) > len(shorter):
        return ("more", at) if rest == shorter[at:] else None
    if at < len(longer) and rest == others:
        return "other", at
    swapped = longer[at : at + 2] == shorter[at : at + 2][::-1] and rest[1:] == others[1:]
    return ("swap", at) if swapped and longer != shorter else None
