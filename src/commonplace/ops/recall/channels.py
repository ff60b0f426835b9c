"""Channels: candidate rows for a question, by words, names, pages and days.

Each channel brings rows with a rough worth; what they are really worth is said when they are read
(core/recall/scoring.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.recall.coverage import names_year
from commonplace.core.recall.scoring import WHOLE
from commonplace.core.recall.term_stats import Spread
from commonplace.ops.recall.term_rows import rows_by_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.store.sqlite import Index

FEW_DAYS, FEW_ROWS, MOST_OF_DAYS = 8, 5, 60
"""Days asked about of which so many lines may answer in other words than the question's, when few have those."""


class Found(NamedTuple):
    """The rows that channels brought."""

    bounds: tuple[int, int]
    """The first and the last row that can be asked for at all."""
    spread: Spread
    """Where the terms stand, of the rows found."""
    rows: Mapping[int, float] = {}
    """Each with its rough worth; best first when every channel was asked."""
    top: float = 1.0
    """The most that a row is worth by its terms alone."""
    said: Mapping[int, float] = {}
    """Of rows that hold terms of the question: the sum of weight × idf of those."""
    weak: float = 0.0
    """The same of all terms that alone are no reason to bring a line."""
    placed: frozenset[int] = frozenset()
    """Rows of facts that claim where an entity is that is asked for with where."""
    pages: Mapping[str, str] = {}
    """Path of a page of an entity that is asked about -> the entity's key."""

    def plus(self, rows: Iterable[int], share: float) -> Found:
        """With this share of the top worth added for each of these rows."""
        found, worth = dict(self.rows), share * self.top
        for row in rows:
            found[row] = found.get(row, 0.0) + worth
        return self._replace(rows=found)


def retrieve(index: Index, question: AnalyzedQuestion, *, generated: bool = False) -> Found:
    """The rows that may be worth reading by every channel, best first. They are the same whatever k is.

    Args:
        generated: our own lines as well.
    """
    bounds = index.rows_known(question.query.as_of, generated=generated)
    found = Found(bounds, Spread(1, 1, ()))
    for channel in CHANNELS:
        found = channel(index, question, found)
    rows = found.rows
    ranked = sorted(sorted(rows, reverse=True), key=rows.__getitem__, reverse=True)  # of equals, the newest
    return found._replace(rows={row: rows[row] for row in ranked})


def by_terms(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Lines with the rarest terms of the question."""
    said, terms, weak = rows_by_terms(index, question, bounds=found.bounds)
    spread = Spread(question.lines, index.documents(), terms)
    return found._replace(rows=said, said=said, weak=weak, spread=spread, top=max(said.values(), default=1.0))


def by_entity(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Facts that are tagged with, or mention, an entity of the question."""
    keys = question.reading.keys
    return found.plus(index.rows_of(keys, limit=200), 0.5) if keys else found


def by_place(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Facts that claim where an entity is, when a place is asked for."""
    keys = question.reading.keys
    if not (keys and question.reading.asks & {"where", "lives"}):
        return found
    placed = frozenset(index.placed(keys, high=found.bounds[1]))
    return found.plus(placed, 1.0)._replace(placed=placed)


def by_page(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Lines of the pages of an entity of the question."""
    keys = question.reading.keys
    pages = [(path, key) for key in keys for path in index.pages_of(key)]
    if not pages:
        return found
    rows = [row for path, _ in pages for row in index.rows_in(path, limit=400) if row >= found.bounds[0]]
    return found.plus(rows, 1.0 if question.reading.asks & WHOLE else 0.3)._replace(pages=dict(pages))


def by_days(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Facts that hold, or were recorded, on the days that the question names."""
    if question.reading.when is None:
        return found
    start, end = question.reading.when.span
    found = found.plus(index.rows_valid(start, end, limit=200), 0.5)
    return found.plus(index.fact_rows_in(*index.rows_between(start, end), limit=200), 0.5)


def by_few_days(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """The longest lines of a week or less, when few lines of it have words of the question."""
    if question.reading.when is None:
        return found
    start, end = question.reading.when.span
    if start is None or end is None or (end - start).days >= FEW_DAYS:
        return found
    low, high = index.rows_between(start, end)
    if sum(low <= row <= high for row in found.rows) >= FEW_ROWS:
        return found
    longest = sorted(index.telling_rows(low, high), key=lambda pair: pair[1], reverse=True)
    return found.plus([row for row, _ in longest[:MOST_OF_DAYS] if row not in found.rows], 0.1)


def by_days_alone(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Any line of the days that the question names, or that names them, when it names nothing else that is there."""
    if question.reading.when is None or not question.only_days:
        return found
    low, high = index.rows_between(*question.reading.when.span)
    return found.plus(
        (*index.line_rows_in(low, high, limit=100), *naming_days(index, question, bounds=found.bounds)), 0.2
    )


def by_range(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Facts of the days that are asked for beside a question that names nothing."""
    asked = question.query.range
    if asked is None or question.reading.terms or found.rows:
        return found
    return found.plus(index.fact_rows_in(*index.rows_between(asked.start, asked.end), limit=200), 1.0)


CHANNELS: tuple[Callable[[Index, AnalyzedQuestion, Found], Found], ...] = (
    by_terms,
    by_entity,
    by_place,
    by_page,
    by_days,
    by_few_days,
    by_days_alone,
    by_range,
)
"""Asked in this order, each with what those before it found, of which it loses nothing. A new one is a function like
these and a line here; `by_terms` says what the worth of the others is a share of."""


def naming_days(index: Index, question: AnalyzedQuestion, *, bounds: tuple[int, int]) -> list[int]:
    """Rows whose text has the question's date phrase with its year."""
    if not names_year(question.reading):
        return []
    together = " AND ".join(f"({term.match})" for term in question.reading.date_terms)
    return index.match(together, low=bounds[0], high=bounds[1], limit=100)
