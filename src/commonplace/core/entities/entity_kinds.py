"""What kind of thing an entity is, told by its name and by the words beside it: "Lea said", "via Lea", "the Lea repo".

Each sign counts for one kind (`core/data/entity_kinds.json`). A kind is told only if clearly more speaks for it than
for any other; else it is unknown: no kind is better than a wrong one.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import log1p
from typing import TYPE_CHECKING

from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Words = Mapping[str, str]
    """Word or phrase -> kind."""

PERSON, PROJECT, ORGANISATION, SERVICE = "person", "project", "organisation", "service"
"""Kinds that more than words tell."""
KINDS = (PERSON, PROJECT, "product", "place", ORGANISATION, SERVICE)
_LEAST = 1.0
"""Minimum weight of the signs of a kind."""
_CLEARLY = 1.3
"""How much more must speak for a kind than for the next one."""
_NAME = 2.0
"""What a sign in the name itself counts beside one word of a line."""
_REACH = 24
"""Characters before and after a name that are read."""
_LONGEST = 7
"""Signs of the longest phrase in scripts without spaces, and one."""
_WORD = lazy_pattern(r"[\w.]+")
_FIGURES = lazy_pattern(r"\(\d{5,6}\)")
_HYPHENED = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)+|[\w.-]+/[\w.-]+")
_DOMAIN = lazy_pattern(r"[a-z0-9-]+\.(?:com|org|net|io|ai|dev|app|tech|cn|jp|de|dk|ru|in)")


def kind_of(names: Iterable[str], lines: Iterable[str]) -> str | None:
    """Return the kind of an entity; None if it is unclear.

    Args:
        names: its name and other names.
        lines: texts that name it.
    """
    ranked = sorted(_weights(names, lines).items(), key=lambda each: (-each[1], each[0]))
    if not ranked or ranked[0][1] < _LEAST:
        return None
    if len(ranked) > 1 and ranked[0][1] < _CLEARLY * ranked[1][1]:
        return None
    return ranked[0][0]


def is_surely_somebody(name: str, lines: Iterable[str]) -> bool:
    """Return whether a name is a person's and no line that names it has a sign of anything else."""
    weights = _weights((name,), lines)
    return weights.keys() == {PERSON} and weights[PERSON] >= _LEAST


def _weights(names: Iterable[str], lines: Iterable[str]) -> dict[str, float]:
    """Return kind -> weight of its signs."""
    weights: dict[str, float] = {}
    spelled = sorted({*names}, key=len, reverse=True)
    for name in spelled:
        for kind in _in_name(name):
            weights[kind] = _NAME
    folded = [fold(name) for name in spelled]
    beside = Counter(kind for line in lines for kind in _beside(fold(line), folded))
    for kind, count in beside.items():
        weights[kind] = weights.get(kind, 0.0) + log1p(count)
    return weights


def _in_name(name: str) -> Iterator[str]:
    folded = fold(name)
    words = folded.split()
    endings = _endings()
    if words and words[-1] in endings and (len(words) > 1 or len(words[-1]) > 3):
        yield endings[words[-1]]
    ends = (folded[-size:] for size in range(1, min(_LONGEST, len(folded))))
    yield from {endings[end] for end in ends if _solid(end) and end in endings}
    if words and is_given(words[0]):
        yield PERSON
    if _DOMAIN.fullmatch(folded):
        yield SERVICE
    elif _HYPHENED.fullmatch(name):
        yield PROJECT


def _beside(line: str, names: list[str]) -> Iterator[str]:
    """Yield the kinds of the words before and after a name in a folded line."""
    before, after = _words("before"), _words("after")
    for name in names:
        at = line.find(name)
        if at < 0:
            continue
        start, end = line[max(0, at - _REACH) : at], line[at + len(name) : at + len(name) + _REACH]
        if _FIGURES.match(end):
            yield ORGANISATION
        words = _WORD.findall(start)[-2:]
        for phrase in {" ".join(words), *words[-1:]}:
            if kind := before.get(phrase):
                yield kind
        words = _WORD.findall(end.removeprefix("'s").removeprefix("’s"))[:2]
        for phrase in {" ".join(words), *words[:1]}:
            if kind := after.get(phrase):
                yield kind
        if not line.isascii():
            start, end = start.rstrip(), end.lstrip()
            yield from {before[each] for size in range(1, _LONGEST) if _solid(each := start[-size:]) and each in before}
            yield from {after[each] for size in range(1, _LONGEST) if _solid(each := end[:size]) and each in after}
        return


def _solid(text: str) -> bool:
    """Whether a text begins in a script whose words have no spaces between them."""
    return text[:1] >= FAR_EAST


@cache
def _endings() -> Words:
    return {
        fold(word): kind for kind, listed in table("entity_kinds")["endings"].items() for word in listed.split(", ")
    }


@cache
def _words(part: str) -> Words:
    """Return the words before or after a name that are signs of one kind alone."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for kind, listed in table("entity_kinds")[part].get(language, {}).items():
            for word in listed.split(", "):
                found.setdefault(fold(word), set()).add(kind)
    return {word: next(iter(kinds)) for word, kinds in found.items() if len(kinds) == 1}
