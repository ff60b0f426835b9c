"""Term statistics: how rare a term is, and what the lines around a line and its document add to its score.

A question and its answer are often on two lines, and a day with all terms of a question answers it more likely than a
day with one of them. A document is what one file says of one day.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 4
"""Lines before and after a line that count as near it."""


class TermWorth(NamedTuple):
    """What one term of a question is worth."""

    worth: float
    """Among lines: weight × inverse document frequency."""
    weight: float
    days: int
    """The number of days with lines that have it."""


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency, never negative (the `+1` form of BM25)."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


class Spread:
    """What the terms of one question are worth around a line. A term is its position among them.

    Args:
        lines: the number of lines in the workspace.
        documents: the number of documents.
    """

    def __init__(self, lines: int, documents: int, terms: Iterable[TermWorth]) -> None:
        documents = max(1, documents)
        self._average = lines / documents or 1.0
        self._terms = [(term.worth, term.weight * idf(documents, min(documents, term.days))) for term in terms]
        self._documents: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}
        self._k1: float = table("rank")["document_k1"]
        self._b: float = table("rank")["document_b"]

    def near(self, terms: Iterable[int]) -> float:
        """Return the worth of the terms that stand within a few lines of a line."""
        found = 0.0
        for term in terms:
            found += self._terms[term][0]
        return found

    def document(self, lines: int, counts: tuple[tuple[int, int], ...]) -> float:
        """Return how well a document matches the question: BM25 (Robertson & Zaragoza 2009) with lines for words.

        Args:
            lines: the number of its lines.
            counts: (term, number of lines with it).
        """
        known = self._documents.get((lines, counts))
        if known is None:
            k1, b = self._k1, self._b
            norm = k1 * (1 - b + b * lines / self._average)
            known = 0.0
            for term, count in counts:
                known += self._terms[term][1] * count * (k1 + 1) / (count + norm)
            self._documents[lines, counts] = known
        return known
