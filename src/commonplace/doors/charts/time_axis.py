"""Days from left to right: where a day is, which days are named, and how they are written in English."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from commonplace.doors.charts.drawing import is_free, text, wide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from commonplace.doors.charts.drawing import Box

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_LAST = date.max.toordinal()

Tick = tuple[float, str]
"""A day as an ordinal, and its name."""


class Axis(NamedTuple):
    """From one day to another, as ordinals, between two pixels."""

    first: float
    last: float
    left: float
    right: float

    def x(self, day: float) -> float:
        """The pixel of a day; a day outside is at the edge."""
        share = (day - self.first) / max(self.last - self.first, 1e-9)
        return self.left + min(1.0, max(0.0, share)) * (self.right - self.left)


class TimeStep(NamedTuple):
    """Some days, or months where there are any."""

    days: float
    months: int = 0

    def number(self, day: date) -> int:
        """The number of the step that has this day; weeks begin on Monday, as 1 January of the year 1 was one."""
        if self.months:
            return (day.year * 12 + day.month - 1) // self.months
        return (day.toordinal() - 1) // int(self.days)

    def begin(self, number: int) -> int:
        """The first day of the step with this number, within the calendar."""
        if not self.months:
            return min(_LAST, number * int(self.days) + 1)
        year, month = divmod(number * self.months, 12)
        return 1 if year < 1 else _LAST if year > date.max.year else date(year, month + 1, 1).toordinal()


STEPS = (
    *(TimeStep(days) for days in (1, 2, 7, 14)),
    *(TimeStep(months * 30.44, months) for months in (1, 3, 6)),
    *(TimeStep(years * 365.25, years * 12) for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
)


def ticks(axis: Axis, *, room: float, year: int) -> list[Tick]:
    """Return at most eight days of the axis, `room` pixels apart, with their names, and the year where it changes."""
    most = max(2, min(8, int((axis.right - axis.left) / room)))
    step = next((each for each in STEPS if (axis.last - axis.first) / each.days < most), STEPS[-1])
    numbers = range(step.number(day_of(axis.first)), step.number(day_of(axis.last)) + 1)
    named: list[Tick] = []
    for begun in (step.begin(number) for number in numbers):
        if axis.first <= begun <= axis.last:
            day = date.fromordinal(begun)
            other = day.year != year
            if step.months >= 12 or (step.months and day.month == 1):
                words = str(day.year)
            else:
                words = MONTHS[day.month - 1][:3] + f" {day.year}" * other if step.months else short_day(day, year)
            named.append((begun, words))
            year = day.year
    return named


def tick_names(named: Iterable[Tick], axis: Axis, *, y: float, width: float) -> list[Markup]:
    """Return the names of ticks, without those that would touch an earlier one of the list."""
    taken: list[Box] = []
    drawn = []
    for day, words in named:
        half = wide(words, 11) / 2
        x = min(max(axis.x(day), half), width - half)
        box = (x - half - 6, 0.0, x + half + 6, 1.0)
        if is_free(box, taken):
            taken.append(box)
            drawn.append(text("tick", x, y, words=words, anchor="middle"))
    return drawn


def day_of(number: float) -> date:
    """Return the day of an ordinal, within the calendar."""
    return date.fromordinal(min(_LAST, max(1, int(number))))


def short_day(day: date, year: int) -> str:
    """Return `26 Nov`, with its year where that is another one."""
    return f"{day.day} {MONTHS[day.month - 1][:3]}" + (f" {day.year}" if day.year != year else "")


def short_days(first: date, last: date) -> str:
    """Return `26 Nov 2025`, `3 to 9 Nov 2025`, or for whole months and years `Nov 2025` and `2025`."""
    begin, end = short_day(first, last.year), short_day(last, 0)
    if first.day == 1 and day_of(last.toordinal() + 1).day == 1 and first.year == last.year and first != last:
        if first.month == last.month:
            return f"{MONTHS[first.month - 1][:3]} {first.year}"
        if (first.month, last.month) == (1, 12):
            return str(first.year)
        return f"{MONTHS[first.month - 1][:3]} to {MONTHS[last.month - 1][:3]} {last.year}"
    if (first.year, first.month) == (last.year, last.month):
        begin = str(first.day)
    return end if first == last else f"{begin} to {end}"


def long_days(first: date, last: date) -> str:
    """Return `on 20 October 2025`, or `from 20 October to 1 December 2025`."""
    begin, end = (f"{day.day} {MONTHS[day.month - 1]}" for day in (first, last))
    if first == last:
        return f"on {begin} {first.year}"
    return f"from {begin}{f' {first.year}' if first.year != last.year else ''} to {end} {last.year}"
