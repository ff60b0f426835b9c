"""Calendar arithmetic of the grammar: times that may still lack a year, and their completion.

A `Time` is a stretch of whole days, or a description that waits for a larger one to stand in ("March", "the 15th",
"Friday", "first week"): `nesting.within` puts one into another, `missing_parts.settle` completes one alone. Days
outside the years 1 to 9999 do not exist: such times are None, never an exception. Weeks are ISO: Monday to Sunday.
"""

from datetime import MAXYEAR, MINYEAR, date, timedelta
from typing import NamedTuple

RANK = {
    "day": 0,
    "workday": 0,
    "weekend": 1,
    "workweek": 1,
    "week": 2,
    "fortnight": 2,
    "month": 3,
    "season": 4,
    "quarter": 4,
    "half": 5,
    "year": 6,
    "decade": 7,
    "century": 8,
}


class Time(NamedTuple):
    """A stretch of days, or (`form` not empty) a description of one that lacks its year, month or week."""

    grain: str
    """A key of RANK, or `span` for a free stretch."""
    start: date | None = None
    end: date | None = None
    form: str = ""
    """What it lacks a frame for: a key of `_WITHIN`, empty when settled."""
    a: int = 0
    b: int = 0
    rule: str = ""
    """The festival's rule, the edge's name, the unit that is counted or halved."""
    point: date | None = None
    """The day that is meant when this stretch bounds a range: the last of December for "the end of 2008"."""
    mark: str = ""
    """How it was said: `offset` (two weeks from now), `this`, `last`, `next`, `front` (前10天), `weekday`, `number`,
    `festival` (of a year), `season` (since summer), `onward` (from now on), `said` (with a preposition or in
    brackets)."""
    several: int = 1
    """How many units "last two weeks" took."""
    relation: str = ""
    care: bool = False
    """Needs a preposition or another time beside it to count: "May", "2019", "the 15th"."""
    loose: bool = False
    """Only a question may mean it: "the week", "of the year"."""


class DateFrame(NamedTuple):
    """The day that relative words count from, and which way a missing year is looked for."""

    today: date
    lean: str
    """`near`, `back` (a day ahead weighs as eight days back), `past`, `future`."""
    day_first: bool = False
    year_first: bool = False
    kal: int = -1
    """Sign of Hindi's कल and परसों, which tense alone tells apart."""


def day_of(year: int, month: int, day: int) -> date | None:
    """That day, or None where the calendar has none."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def moved(day: date, count: int, *, unit: str) -> date | None:
    """Return the day `count` units later; the last day of a shorter month stands for a missing one."""
    if abs(count) > 4_000_000:
        return None
    try:
        if unit in _DAYS:
            return day + timedelta(days=count * _DAYS[unit])
        if unit == "workday":
            return _workdays(day, count)
        months = day.year * 12 + day.month - 1 + count * _MONTHS[unit]
        year, month = divmod(months, 12)
        if not MINYEAR <= year <= MAXYEAR:
            return None
        return day.replace(year=year, month=month + 1, day=min(day.day, month_length(year, month + 1)))
    except (KeyError, OverflowError, ValueError):
        return None


_DAYS = {"day": 1, "week": 7, "workweek": 7, "weekend": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


def _workdays(day: date, count: int) -> date | None:
    if abs(count) > 3000:
        return None
    step = timedelta(days=1 if count > 0 else -1)
    left = abs(count)
    while left:
        day += step
        if day.weekday() < 5:
            left -= 1
    return day


def month_length(year: int, month: int) -> int:
    """Its days."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def stretch(grain: str, start: date | None, end: date | None, *, mark: str = "", relation: str = "") -> Time | None:
    """Return a settled time, or None where one of its days does not exist or they are in the wrong order."""
    if start is None or end is None or start > end:
        return None
    return Time(grain, start, end, mark=mark, relation=relation)


def unit_at(day: date, unit: str) -> Time | None:  # noqa: PLR0911 — a list of cases, one return each
    """Return the day, week, month … that holds `day`."""
    year = day.year
    if unit in {"day", "workday"}:
        return Time("day", day, day)
    if unit in {"week", "fortnight", "weekend", "workweek"}:
        monday = moved(day, -day.weekday(), unit="day")
        if monday is None:
            return None
        first, last = {"week": (0, 6), "fortnight": (0, 13), "weekend": (5, 6), "workweek": (0, 4)}[unit]
        return stretch(unit, moved(monday, first, unit="day"), moved(monday, last, unit="day"))
    if unit == "month":
        return stretch(unit, date(year, day.month, 1), date(year, day.month, month_length(year, day.month)))
    if unit in {"quarter", "half"}:
        size = 3 if unit == "quarter" else 6
        first = (day.month - 1) // size * size + 1
        return stretch(unit, date(year, first, 1), date(year, first + size - 1, month_length(year, first + size - 1)))
    if unit == "season":
        first = (day.month // 3 - 1) % 4 * 3 + 3
        return months(year, first, 3, "season")
    size = {"year": 1, "decade": 10, "century": 100}[unit]
    first = year // size * size
    return stretch(unit, day_of(max(first, 1), 1, 1), day_of(first + size - 1, 12, 31))


def units(frame: DateFrame, unit: str, step: int) -> Time | None:
    """Return the unit `step` away from today's: `units(frame, "week", -1)` is last week."""
    day: date | None = frame.today
    if unit not in {"day", "workday"} and RANK.get(unit, 0) >= 3 and day is not None:
        day = day.replace(day=1)
    day = moved(day, step, unit=unit) if day is not None else None
    mark = "this" if step == 0 else "last" if step < 0 else "next"
    found = unit_at(day, unit) if day is not None else None
    return found._replace(mark=mark) if found is not None else None


def year_time(number: int) -> Time | None:
    """Return the year of that number."""
    return _year(number) if MINYEAR <= number <= MAXYEAR else None


def _year(number: int) -> Time:
    return Time("year", date(number, 1, 1), date(number, 12, 31), mark="number")


def months(year: int, first: int, count: int, grain: str) -> Time | None:
    """So many months from one of that year (13 is the next January) on; the year 9999 cuts them short."""
    start = day_of(year + (first - 1) // 12, (first - 1) % 12 + 1, 1)
    after = moved(start, count, unit="month") if start is not None else None
    end = moved(after, -1, unit="day") if after is not None else day_of(year, 12, 31)
    return stretch(grain, start, end)
