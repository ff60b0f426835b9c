"""Finds the plain lines of other days, or of none, that name the days in a question: facts alone have such days in the
index."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.model import Span
    from commonplace.core.recall.index_rows import RowRange
    from commonplace.store.sqlite import Index

MOST_NAMING = 30
"""Lines that are read for each search; most of them name the days."""
FEW_LINES = 10
"""Lines of days that are over, from which they speak for themselves."""


def rows_naming(index: Index, days: Span, *, among: RowRange, today: date, within: bool = False) -> list[int]:
    """Return the rows that may name some of these days; none if these are over and have lines enough of their own.

    Args:
        within: of the lines of these days, too, and whatever these have.
    """
    if not within and days.end is not None and days.end < today:
        own = index.line_rows_in(among.both(index.rows_between(days)), limit=FEW_LINES)
        if len(own) == FEW_LINES:
            return []
    from commonplace.core.when.day_search import LONGEST, searches  # here, because most questions have no days

    wanted = []
    for expression, written in searches(days, within=within):
        of_days = index.undated_rows() if written is None else index.rows_between(written)
        wanted.append((expression, among.both(of_days)))
    most = MOST_NAMING + within * LONGEST  # each of these days may name itself in its title
    found = index.match_each(wanted, limit=most) if wanted else []
    return [*dict.fromkeys(row for rows in found for row in rows)]
