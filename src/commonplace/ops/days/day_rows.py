"""Which rows of the days asked about are worth reading, the days taking turns, and which are read after them."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.recall.window_order import LaterRows, late_turns
from commonplace.ops.days.window_worth import WindowWorth

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import date

    from commonplace.core.model import Query
    from commonplace.core.recall.window_order import Days
    from commonplace.store.sqlite import Index

MOST_DAYS = 40
"""Maximum days whose lines are read."""
MOST_WEIGHED = 140
"""Maximum lines weighed, the most promising, at .07 ms each; of a day at least twice `LEAST_LINES`."""
MOST_LINES = 70
"""Maximum lines read, at .1 ms each, those worth most; of a day at least `LEAST_LINES`."""
LEAST_LINES = 3
MOST_FACTS = 120
"""Maximum facts of these days that are read whatever their worth."""
FACTS = 100_000
"""Maximum facts that are filtered by kind."""
MOST_VALID = 400
"""Maximum facts looked up that are valid on the days asked about."""
MOST_NAMING = 5000
"""Maximum lines of the entities of the filter."""
MOST_HELD = 60
"""Maximum facts of other days that are read because they are valid on those asked about."""


class DayRows(NamedTuple):
    """Rows that may have something to say about the days asked about."""

    read: list[int]
    left: LaterRows
    """Those that are read next if more are asked for."""
    held: int
    """Number of those read that are valid on these days and recorded on others."""
    cut: bool
    """Whether there are more."""
    worth: WindowWorth


def rows_of(index: Index, query: Query, *, days: Days, keys: Collection[str], also: Callable[[], object]) -> DayRows:
    """Return the rows worth reading.

    Args:
        keys: of the entities of the filter; empty: any.
        also: looks up what is asked for next.
    """
    known = index.rows_known(query.as_of)
    among = known if days.undated else known.both(index.rows_between(days.span))

    def look_up() -> None:
        index.telling_rows(among)
        if not days.undated:
            index.rows_valid(days.span, limit=MOST_VALID)
        index.fact_rows_in(among, limit=FACTS if query.kinds else MOST_FACTS)
        if query.kinds:
            index.rows_of_kind(query.kinds, among)
        WindowWorth(index, facts=(), among=among)
        if keys:
            index.rows_of(keys, facts=False, limit=MOST_NAMING)
        also()

    index.foresee(look_up)
    valid = [] if days.undated else index.rows_valid(days.span, limit=MOST_VALID)
    cut = len(valid) == MOST_VALID
    known_lines = index.telling_rows(among)
    named = set(index.rows_of(keys, facts=False, limit=MOST_NAMING)) if keys else None
    of_kind = index.rows_of_kind(query.kinds, among) if query.kinds else None
    others = set(index.fact_rows_in(among, limit=FACTS)).difference(of_kind) if of_kind is not None else ()
    if named is not None:
        valid = [row for row in valid if row in named]
        of_kind = [row for row in of_kind if row in named] if of_kind is not None else None
    lengths = {row: length for row, length, _ in known_lines if row not in others and (named is None or row in named)}
    lengths.update((row, 0) for row in of_kind or () if row not in lengths)
    held = set(valid[:MOST_HELD])
    newest = index.fact_rows_in(among, limit=MOST_FACTS) if of_kind is None else of_kind
    facts, first_read = held.union(newest), held.union(newest[:MOST_FACTS])
    by_day = _by_day(index, sorted(lengths))
    order = sorted(by_day, key=days.order)
    few = len(lengths) <= MOST_LINES
    first = order if few else order[:MOST_DAYS]
    most = MOST_LINES if few else max(LEAST_LINES, MOST_LINES // len(first))
    weighed = MOST_LINES if few else max(2 * LEAST_LINES, MOST_WEIGHED // len(first))
    also_read = () if keys or not lengths else (row for row in first_read if row in lengths)
    read: dict[int, None] = dict.fromkeys(sorted(held.union(also_read)))
    worth = WindowWorth(index, facts=facts, among=among)
    near = {row: lengths[row] for day in first for row in by_day[day]}
    promising = worth.promising({row: parent for row, _, parent in known_lines if row in near}, near)

    def ranked(day: date | None) -> list[int]:
        return sorted(by_day[day], key=lambda row: (row not in facts, -promising.get(row, 0.0), -lengths[row], row))

    best = list(map(ranked, first))
    scores = worth.weigh(row for rows in best for row in rows[:weighed])
    for rows in best:
        rows[:weighed] = sorted(rows[:weighed], key=lambda row: (row not in facts, -scores[row].score, row))
        read.update(dict.fromkeys(rows[:most]))
    turns = late_turns(chain(best, map(ranked, order[len(first) :])))
    return DayRows(list(read), LaterRows(chain(turns, valid), but=read), len(held), cut, worth)


def _by_day(index: Index, rows: Sequence[int]) -> dict[date | None, Sequence[int]]:
    """Return day -> its rows; all are given in ascending order."""
    found, at = {}, 0
    while at < len(rows):
        after = max(rows[at] >> index.day_bits, 1) + 1 << index.day_bits
        end = bisect_left(rows, after, at)
        found[index.day_of(rows[at])] = rows[at:end]
        at = end
    return found
