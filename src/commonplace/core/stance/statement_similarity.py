"""How much two statements are about the same thing, whatever they say of it: to find candidate opinions."""

from __future__ import annotations

from commonplace.core.stance.stance_lexicon import lexicon
from commonplace.core.stance.statement_reader import Statement, prepare

_OPPOSITE = 0.8
"""Weight of an opposite: nearly the same subject (short replies, long replies)."""
_PREFERENCE = 0.1


def similarity(a: str, b: str) -> float:
    """Return a number from 0 (nothing in common) to 1 (the same content); denial, preference words and numbers do not
    count.
    """
    return similarity_prepared(prepare(a), prepare(b))


def similarity_prepared(a: Statement, b: Statement) -> float:
    """As `similarity`, for parsed statements."""
    smaller, larger = sorted((len(a.content), len(b.content)))
    if not smaller:
        return 0.0
    shared = float(len(a.content & b.content))
    if shared < smaller and a.language == b.language:
        opposites = lexicon(a.language).opposites
        rest = b.content - a.content
        shared += _OPPOSITE * sum(
            1 for word in a.content - b.content if not rest.isdisjoint(opposites.get(word, frozenset()))
        )
    alike = (shared / smaller + shared / larger) / 2
    return min(1.0, alike + _PREFERENCE) if shared and a.likes and b.likes else min(1.0, alike)
