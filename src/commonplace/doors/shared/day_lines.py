"""The days on which something was recorded, as text: one line a day, or one line a month if there are many."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from commonplace.doors.shared.render import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from commonplace.doors.shared.terminal import Screen
    from commonplace.ops.views.lookup import RecordedDay

_MOST_DAYS = 62
"""Shown one by one: two months."""
_MOST_PATHS = 3
"""Of a day."""


def days(found: Sequence[RecordedDay], screen: Screen) -> str:
    """One line each: the day, its lines, facts and files; of many days one line a month."""
    if not found:
        return screen.paint("dim", "nothing was recorded on these days")
    if len(found) <= _MOST_DAYS:
        return "\n".join(_day(each, screen) for each in found)
    hint = "(one line a month: --since 2025-11 --until 2025-11 lists the days of one, --json lists all)"
    return "\n".join([*_months(found, screen), screen.paint("dim", hint.replace("2025-11", f"{found[-1].day:%Y-%m}"))])


def _day(each: RecordedDay, screen: Screen) -> str:
    paths = [screen.place(path) for path in each.files[:_MOST_PATHS]]
    more = len(each.files) - len(paths)
    files = ", ".join(paths) + (f" and {more:,} more" if more else "")
    return f"{screen.paint('bold', str(each.day))}  {_amount(each.lines, each.facts)}  {files}"


def _months(found: Sequence[RecordedDay], screen: Screen) -> Iterator[str]:
    for month, of_month in groupby(found, lambda each: str(each.day)[:7]):
        inside = list(of_month)
        amount = _amount(sum(each.lines for each in inside), sum(each.facts for each in inside))
        yield f"{screen.paint('bold', month)}  {counted(len(inside), 'day'):>7}  {amount}".rstrip()


def _amount(lines: int, facts: int) -> str:
    return f"{counted(lines, 'line'):>11}  {counted(facts, 'fact') if facts else '':>11}"
