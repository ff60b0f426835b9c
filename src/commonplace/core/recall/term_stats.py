"""Term statistics: how rare a term is, and what the lines around a line and its document add to its score.

A question and its answer are often on two lines, and a day with all terms of a question answers it more likely than a
day with one of them. A document is what one file says of one day.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 4
"""Lines before and after a line that count as near it."""


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency, never negative (the `+1` form of BM25)."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


class Spread:
    """How well documents match the terms of one question.

    Args:
        lines: the number of lines in the workspace.
        documents: the number of documents.
        terms: the weight of each term of the question, and the number of days with lines that have it.
    """

    def __init__(self, lines: int, documents: int, terms: Iterable[tuple[float, int]]) -> None:
        documents = max(1, documents)
        self._average = lines / documents or 1.0
        self._terms = [weight * idf(documents, min(documents, days)) for weight, days in terms]
        self._k1: float = table("rank")["document_k1"]
        self._b: float = table("rank")["document_b"]

    def document(self, lines: int, counts: Iterable[tuple[int, int]]) -> float:
        """Return how well a document matches: BM25 (Robertson & Zaragoza 2009) with lines for words.

        Args:
            lines: the number of its lines.
            counts: (position of a term, number of lines with it).
        """
        k1, b = self._k1, self._b
        norm = k1 * (1 - b + b * lines / self._average)
        found = 0.0
        for term, count in counts:
            found += self._terms[term] * count * (k1 + 1) / (count + norm)
        return found
