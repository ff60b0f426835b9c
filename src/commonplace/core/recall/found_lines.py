"""What a search finds for a question: rows of the index, and lines that are read from them.

These are in a module of their own because typing compiles each annotation that is a text, and the first one costs 1 ms.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from commonplace.core.recall.index_rows import RowRange, StoredLine
from commonplace.core.recall.scored_lines import Candidate, Signal
from commonplace.core.recall.term_stats import Spread

Around = tuple[float, float, int]
"""Of a row: the share of the question within a few lines, in [0, 1]; how well its document matches the question,
see `Batch.most`; and the number of terms in the line."""


class Found(NamedTuple):
    """The rows that channels found."""

    bounds: RowRange
    """The rows that may be found at all."""
    spread: Spread
    """How well documents match the terms of the question."""
    term_rows: tuple[tuple[tuple[int, ...], float], ...] = ()
    """For each term in `spread` the rows that have it, in ascending order, and its weight × idf."""
    terms: tuple[str, ...] = ()
    """These terms, as typed."""
    rows: Mapping[int, float] = {}
    """Row -> its worth, the first estimate of its score; best first after the last channel."""
    top: float = 1.0
    """The highest worth of a row by its terms alone."""
    said: Mapping[int, float] = {}
    """Row -> sum of weight × idf of the terms of the question that it has."""
    weak: float = 0.0
    """The sum for all terms that alone are no reason to find a line."""
    signals: Mapping[int, tuple[Signal, ...]] = {}
    """Row -> what channels add to its score."""
    trust: float = 1.0
    """How much it counts that a document matches the question, in [0, 1]."""
    placed: frozenset[int] = frozenset()
    """Rows of facts that claim where an entity is, if the question asks where."""
    naming: frozenset[int] = frozenset()
    """Rows that may name the days in the question."""
    in_notes: frozenset[int] = frozenset()
    """Undated rows that introduce the one asked about or tell what is asked of them: they are read first, however many
    lines name that one, with what stands below them."""
    pages: Mapping[str, str] = {}
    """Path of a page of an entity of the question -> the entity's key."""
    framing: frozenset[int] = frozenset()
    """Rows of such a page that tell nothing of the entity: texts that a host gives to every workspace."""

    def terms_in(self, row: int) -> set[str]:
        """Return the terms of the question that a row has, as typed."""
        return {term for term, (rows, _) in zip(self.terms, self.term_rows, strict=True) if _has(rows, row)}

    def plus(self, rows: Iterable[int], share: float, *, signals: Mapping[int, Signal] | None = None) -> Self:
        """Return these with this share of the top worth added to each of the rows.

        Args:
            signals: row -> what the channel adds to its score, and the reason.
        """
        found, worth = dict(self.rows), share * self.top
        for row in rows:
            found[row] = found.get(row, 0.0) + worth
        if not signals:
            return self._replace(rows=found)
        added = {row: (*self.signals.get(row, ()), signal) for row, signal in signals.items()}
        return self._replace(rows=found, signals={**self.signals, **added})


def _has(rows: Sequence[int], row: int) -> bool:
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] == row


class ReadLine(NamedTuple):
    """A line that passes the filters, and what scoring needs of it."""

    stored: StoredLine
    candidate: Candidate
    """Without its context and its neighbours."""


class Batch(NamedTuple):
    """Lines that are read together."""

    lines: dict[int, ReadLine]
    """Those that pass the filters."""
    read: Collection[int]
    """The rows that were read for it, with those that do not pass."""
    around: Mapping[int, Around]
    """For these rows and those that may be read next."""
    most: float
    """How well the best document matches the question."""
    trust: float
    """How much that counts, in [0, 1]."""

    def document(self, said: float) -> float:
        """Return how well a document matches, as a share of the best one; in [0, 1]."""
        return self.trust * said / self.most if self.most else 0.0
