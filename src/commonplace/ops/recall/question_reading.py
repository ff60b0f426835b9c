"""Reads a question with the names that the index knows, and with the days of which it has lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.model import Fact, Span
from commonplace.core.recall.query_analysis import read
from commonplace.ops.recall.lines_naming_days import rows_naming

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.recall.query_analysis import Reading
    from commonplace.store.sqlite import Index


_LAST = 8
"""Questions of which it is noted how they are read, the last: a page asks for the words and the hits of one."""
_FACTS = 20
"""Facts valid on some days of which one must begin or end on them."""


def read_question(index: Index, text: str, *, today: date) -> Reading:
    """Return how a question is read; noted, because a page that shows its answer shows that, too."""
    noted, asked = index.noted(), (text, today)
    known: dict[tuple[str, date], Reading] = noted.get("read", {})
    if asked not in known:
        last = list(known.items())[1 - _LAST :]
        noted["read"] = known = {**dict(last), asked: read_with(index, text, today=today)}
    return known[asked]


def read_with(index: Index, text: str, *, today: date) -> Reading:
    """Return how a question is read. Of "on Friday", whose verb does not say which, the one of which there are lines is
    meant, else the nearer."""
    reading = read(text, today, index.tagged)
    if reading.when is None:
        return reading
    other = when.read_otherwise(text, reading.when, today)
    if other is None:
        return reading
    index.foresee(lambda: [_has_lines(index, each.span, today) for each in (reading.when, other) if each])
    has, has_other = (_has_lines(index, each.span, today) for each in (reading.when, other))
    chosen, left = reading.when, other
    if has_other > has or (has is has_other and _distance(other.span, today) < _distance(chosen.span, today)):
        chosen, left = left, chosen
    return reading._replace(when=chosen, or_else=left.span if has is has_other else None)


def _has_lines(index: Index, days: Span, today: date) -> bool:
    """Whether anything was recorded on some days, or names them."""
    among = index.rows_known(None)
    if index.line_rows_in(among.both(index.rows_between(days)), limit=1):
        return True
    rows = [*index.rows_valid(days, limit=_FACTS), *rows_naming(index, days, among=among, today=today)]
    if not rows:
        return False
    from commonplace.core.when.day_search import days_named, is_of  # here, because few questions find such lines

    for line in (each.line for each in index.lines(rows).values()):
        if not isinstance(line, Fact):
            named = days_named(line.content, line.recorded, days) is not None
        else:
            named = line.valid is not None and is_of(line.valid, days)
        if named:
            return True
    return False


def _distance(days: Span, today: date) -> int:
    """Days from today to the nearest of these."""
    start, end = days
    assert start is not None and end is not None
    return (start - today).days if start > today else (today - end).days
