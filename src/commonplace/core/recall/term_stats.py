"""Term statistics: how rare a term is, and how far the surroundings and the document of a line add to it.

A question and its answer often stand on two lines, and a day that speaks of all a question asks for answers it more
likely than one that has a single word of it. A document here is what a file says of one day.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import log
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 4
"""Lines before and after a line that belong to what is being talked about."""


class TermRows(NamedTuple):
    """One term: the rows found to hold it, and what it is worth."""

    rows: tuple[int, ...]
    """In order."""
    worth: float
    """Among lines: weight × inverse document frequency."""
    weight: float
    days: int
    """On which those rows stand."""


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency, never negative (the `+1` form of BM25)."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


class Spread:
    """The rows of each term of one question.

    Args:
        lines: how many lines the workspace has.
        documents: how many documents.
    """

    def __init__(self, lines: int, documents: int, terms: Iterable[TermRows]) -> None:
        documents = max(1, documents)
        self._average = lines / documents or 1.0
        self._terms = [
            (term.rows, term.worth, term.weight * idf(documents, min(documents, term.days))) for term in terms
        ]
        self._said: dict[tuple[int, int], float] = {}
        self._k1: float = table("rank")["document_k1"]
        self._b: float = table("rank")["document_b"]

    def near(self, row: int, first: int, last: int) -> float:
        """The worth of the terms that stand from row `first` to row `last`, within a few lines of a row."""
        found = 0.0
        for rows, in_lines, _ in self._terms:
            at = bisect_left(rows, first)
            count = bisect_right(rows, last, at) - at
            if count > 1 or (count and rows[at] != row):
                found += in_lines
        return found

    def document(self, low: int, high: int, size: int) -> float:
        """How much the lines from row `low` to row `high`, so many, together say of the question.

        BM25 (Robertson & Zaragoza 2009) with lines for words: a term counts by the lines that hold it.
        """
        known = self._said.get((low, high))
        if known is not None:
            return known
        k1, b = self._k1, self._b
        norm = k1 * (1 - b + b * size / self._average)
        found = 0.0
        for rows, _, in_documents in self._terms:
            count = bisect_right(rows, high) - bisect_left(rows, low)
            if count:
                found += in_documents * count * (k1 + 1) / (count + norm)
        self._said[low, high] = found
        return found
