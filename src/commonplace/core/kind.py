"""The kind of a statement that does not say it: a stated guess.

Preference words: opinion; first person: experience; else world.
"""

from __future__ import annotations

from functools import cache

from commonplace.core.fold import fold
from commonplace.core.model import Kind
from commonplace.core.tables import table


def guess_kind(text: str) -> Kind:
    """What a line is most likely about."""
    folded = fold(text[:600])
    for mark in '.,!;:"()。、，！：；*_':
        folded = folded.replace(mark, " ")
    padded = f" {' '.join(folded.split())} "
    if _says_i(text[:600]):
        padded += "i-myself "
    for kind, phrases in _phrases():
        if any(phrase in padded for phrase in phrases):
            return kind
    return Kind.WORLD


_NUMBERED = frozenset(
    ("Part", "Chapter", "Volume", "Book", "Act", "Phase", "Stage", "Type", "Class", "Grade", "War", "Section", "Level")
)
"""Before these a capital I is a number."""


def _says_i(text: str) -> bool:
    """Whether an English I speaks: a capital between spaces, a word after it that does not make it the Danish "in"."""
    words = text.split()
    return any(
        word in ("I", "I'm", "I’m", "I've", "I’ve", "I'd", "I’d", "I'll", "I’ll")
        and (at == 0 or words[at - 1] not in _NUMBERED)
        and words[at + 1][:1].islower()
        and words[at + 1].strip(".,;:!?") not in table("kinds")["danish"]
        for at, word in enumerate(words[:-1])
    )


@cache
def _phrases() -> tuple[tuple[Kind, tuple[str, ...]], ...]:
    found = []
    for kind in (Kind.OPINION, Kind.EXPERIENCE):
        phrases: list[str] = []
        for language, words in table("kinds")[kind.value].items():
            spaced = language in ("en", "da", "hi")
            phrases += [f" {fold(word)} " if spaced else fold(word) for word in words]
        found.append((kind, tuple(phrases)))
    return tuple(found)
