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
    for kind, phrases in _phrases():
        if any(phrase in padded for phrase in phrases):
            return kind
    return Kind.WORLD


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
