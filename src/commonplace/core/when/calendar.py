"""Calendar arithmetic of the grammar: times that may still lack a year, and how they are completed.

A `Time` is a stretch of whole days, or a description that waits for a larger one to stand in ("March", "the 15th",
"Friday", "first week"). `within` puts one into another, `settle` completes what stands alone. Days outside the
years 1 to 9999 do not exist: such times are None, never an exception. Weeks are ISO weeks, Monday to Sunday.
"""

from __future__ import annotations

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
    """How it was said: `offset` (two weeks from now), `this`, `last`, `next`, `front` (前10天), `weekday`, `number`."""
    several: int = 1
    """How many units "last two weeks" took."""
    relation: str = ""
    care: bool = False
    """Needs a preposition or another time beside it to count: "May", "2019", "the 15th"."""
    loose: bool = False
    """Only a question may mean it: "the week", "of the year"."""


class Frame(NamedTuple):
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


def moved(day: date, count: int, unit: str) -> date | None:
    """The day `count` units later; the last day of a shorter month stands for a missing one."""
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
        return day.replace(year=year, month=month + 1, day=min(day.day, _length(year, month + 1)))
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


def _length(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def stretch(grain: str, start: date | None, end: date | None, *, mark: str = "") -> Time | None:
    """A settled time, or None where one of its days does not exist or they are in the wrong order."""
    if start is None or end is None or start > end:
        return None
    return Time(grain, start, end, mark=mark)


def unit_at(day: date, unit: str) -> Time | None:  # noqa: PLR0911 — a list of cases, one return each
    """The day, week, month … that holds `day`."""
    year = day.year
    if unit in {"day", "workday"}:
        return Time("day", day, day)
    if unit in {"week", "fortnight", "weekend", "workweek"}:
        monday = moved(day, -day.weekday(), "day")
        if monday is None:
            return None
        first, last = {"week": (0, 6), "fortnight": (0, 13), "weekend": (5, 6), "workweek": (0, 4)}[unit]
        return stretch(unit, moved(monday, first, "day"), moved(monday, last, "day"))
    if unit == "month":
        return stretch(unit, date(year, day.month, 1), date(year, day.month, _length(year, day.month)))
    if unit in {"quarter", "half"}:
        size = 3 if unit == "quarter" else 6
        first = (day.month - 1) // size * size + 1
        return stretch(unit, date(year, first, 1), date(year, first + size - 1, _length(year, first + size - 1)))
    if unit == "season":
        return within(_year(year), Time("season", form="season", a=(day.month // 3 - 1) % 4))
    size = {"year": 1, "decade": 10, "century": 100}[unit]
    first = year // size * size
    return stretch(unit, day_of(max(first, 1), 1, 1), day_of(first + size - 1, 12, 31))


def units(frame: Frame, unit: str, step: int) -> Time | None:
    """The unit `step` away from today's: `units(frame, "week", -1)` is last week."""
    day: date | None = frame.today
    if unit not in {"day", "workday"} and RANK.get(unit, 0) >= 3 and day is not None:
        day = day.replace(day=1)
    day = moved(day, step, unit) if day is not None else None
    mark = "this" if step == 0 else "last" if step < 0 else "next"
    found = unit_at(day, unit) if day is not None else None
    return found._replace(mark=mark) if found is not None else None


def year_time(number: int) -> Time | None:
    """The year of that number."""
    return _year(number) if MINYEAR <= number <= MAXYEAR else None


def _year(number: int) -> Time:
    return Time("year", date(number, 1, 1), date(number, 12, 31), mark="number")


def within(outer: Time, inner: Time) -> Time | None:
    """The `inner` of `outer`: March of 2019, the Friday of last week, the end of March; None if that makes no sense."""
    start, end = outer.start, outer.end
    if start is None or end is None:
        return None
    rule = _WITHIN.get(inner.form)
    return rule(outer, inner, start, end) if rule is not None else None


def _month(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    return _months(start.year, inner.a, 1, "month") if outer.grain == "year" else None


def _months(year: int, first: int, count: int, grain: str) -> Time | None:
    start = day_of(year, first, 1)
    after = moved(start, count, "month") if start is not None else None
    end = moved(after, -1, "day") if after is not None else day_of(year, 12, 31)
    return stretch(grain, start, end)


def _monthday(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    day = day_of(start.year, inner.a, inner.b)
    return stretch("day", day, day)


def _day(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "month":
        return None
    day = day_of(start.year, start.month, inner.a)
    return stretch("day", day, day)


def _weekday(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain == "day":
        if outer.mark != "offset":
            return outer
    elif outer.grain not in {"week", "workweek"}:
        return None
    monday = moved(start, -start.weekday(), "day")
    day = moved(monday, inner.a, "day") if monday is not None else None
    return stretch("day", day, day)


def _quarter(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year" or not 1 <= inner.a <= 4:
        return None
    return _months(start.year, inner.a * 3 - 2, 3, "quarter")


def _half(outer: Time, inner: Time, start: date, end: date) -> Time | None:
    if not 1 <= inner.a <= 2 or inner.rule not in {"", "any", outer.grain}:
        return None
    if outer.grain == "year":
        return _months(start.year, 1 if inner.a == 1 else 7, 6, "half")
    first, second = _halves(outer, start, end)
    return stretch("span", *(first if inner.a == 1 else second))


def _halves(outer: Time, start: date, end: date) -> tuple[tuple[date, date], tuple[date, date]]:
    if outer.grain == "year":
        cut = date(start.year, 7, 1)
    elif outer.grain == "month":
        cut = start.replace(day=16)
    else:
        cut = start + timedelta(days=((end - start).days + 1) // 2)
    return (start, max(start, cut - timedelta(days=1)) if cut > start else start), (min(cut, end), end)


def _season(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    return _months(start.year, 3 + 3 * inner.a, 3, "season")


def _week(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    try:
        monday = date.fromisocalendar(start.year, inner.a, 1)
    except (ValueError, OverflowError):
        return None
    return stretch("week", monday, moved(monday, 6, "day"))


def _festival(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    day = feast(inner.rule, start.year)
    return stretch("day", day, day)


def feast(rule: str, year: int) -> date | None:
    """A festival's day: `12-25`, `9/1/0` (first Monday of September; −1 is the last), `easter-2`, `thanksgiving+1`."""
    if rule[0].isdigit() and "-" in rule:
        month, day = rule.split("-")
        return day_of(year, int(month), int(day))
    if rule[0].isdigit():
        month_number, nth, weekday = (int(part) for part in rule.split("/"))
        return _nth_weekday(year, month_number, nth, weekday)
    name = rule.rstrip("+-0123456789")
    base = _easter(year) if name == "easter" else _nth_weekday(year, 11, 4, 3)
    return moved(base, int(rule[len(name) :] or 0), "day") if base is not None else None


def _nth_weekday(year: int, month: int, nth: int, weekday: int) -> date | None:
    first = day_of(year, month, 1 if nth > 0 else _length(year, month))
    if first is None:
        return None
    if nth > 0:
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return first - timedelta(days=(first.weekday() - weekday) % 7)


def _easter(year: int) -> date | None:
    """Gregorian Easter Sunday (Meeus, Jones and Butcher)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    h = (19 * a + b - d - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return day_of(year, month, day + 1)


def _edge(outer: Time, inner: Time, start: date, end: date) -> Time | None:
    if outer.grain not in RANK or RANK[outer.grain] < 2:
        return None
    name = inner.rule
    size = (end - start).days + 1
    point = start if name in {"start", "early", "dec1"} else end
    if name in {"mid", "dec2"}:
        point = start + timedelta(days=size // 2)
        if outer.grain == "year":
            point = date(start.year, 7, 2)
    if name in {"dec1", "dec2", "dec3"} and outer.grain == "month":
        pair = {
            "dec1": (start, start.replace(day=10)),
            "dec2": (start.replace(day=11), start.replace(day=20)),
            "dec3": (start.replace(day=21), end),
        }[name]
    elif outer.grain == "year" and outer.mark == "number" and name in {"start", "mid", "end"}:
        first = {"start": 1, "mid": 5, "end": 9}[name]
        pair = (date(start.year, first, 1), date(start.year, first + 3, 30 if first == 1 else 31))
    elif name in {"mid", "dec2"}:
        pair = (start + timedelta(days=size // 3), end - timedelta(days=size // 3))
        if outer.grain == "year":
            pair = (date(start.year, 4, 1), date(start.year, 9, 30))
    else:
        first_half, second_half = _halves(outer, start, end)
        pair = first_half if name in {"start", "early", "dec1", "sofar"} else second_half
    found = stretch("span", *pair)
    return found._replace(point=point) if found is not None else None


def _nth(outer: Time, inner: Time, start: date, end: date) -> Time | None:
    """The n-th unit of `outer`, or from its end for a negative n; a week belongs to where its Thursday is."""
    unit, n, count = inner.rule, inner.a, inner.b
    if outer.grain not in RANK or RANK[outer.grain] <= RANK[unit] or n == 0 or not 0 < count < 400 or abs(n) > 400:
        return None
    if unit in {"week", "workweek", "weekend"}:
        first = _week_by_thursday(start if n > 0 else end, forward=n > 0)
    elif n > 0:
        first = start
    else:
        held = unit_at(end, unit)
        first = held.start if held is not None else None
    if first is None:
        return None
    opening = moved(first, n - 1 if n > 0 else n + 1, unit)
    closing = moved(opening, count - 1, unit) if opening is not None else None
    low = unit_at(opening, unit) if opening is not None else None
    high = unit_at(closing, unit) if closing is not None else None
    if low is None or high is None or low.start is None or high.end is None or low.start > end or high.end < start:
        return None
    return stretch(unit if count == 1 else "span", low.start, high.end)


def _week_by_thursday(edge: date, *, forward: bool) -> date | None:
    away = (3 - edge.weekday()) % 7 if forward else -((edge.weekday() - 3) % 7)
    thursday = moved(edge, away, "day")
    return moved(thursday, -3, "day") if thursday is not None else None


_WITHIN = {
    "month": _month,
    "monthday": _monthday,
    "day": _day,
    "weekday": _weekday,
    "quarter": _quarter,
    "half": _half,
    "season": _season,
    "week": _week,
    "festival": _festival,
    "edge": _edge,
    "nth": _nth,
}


def _candidates(time: Time, frame: Frame) -> list[Time]:
    today = frame.today
    if time.form == "weekday":
        days = (moved(today, time.a - today.weekday() + 7 * week, "day") for week in (-1, 0, 1))
        return [Time("day", day, day) for day in days if day is not None]
    if time.form == "day":
        firsts = (moved(today.replace(day=1), month, "month") for month in (-2, -1, 0, 1, 2))
        outers = [unit_at(first, "month") for first in firsts if first is not None]
    elif time.form == "half" and time.rule in {"month", "week"}:
        outers = [unit_at(today, time.rule)]
    elif time.form in {"edge", "nth"} and (time.form == "edge" or time.rule not in {"quarter", "half", "week"}):
        return []
    else:
        reach = 8 if time.form == "monthday" and (time.a, time.b) == (2, 29) else 1
        outers = [year_time(today.year + step) for step in range(-reach, reach + 1)]
    found = (within(outer, time) for outer in outers if outer is not None)
    return [candidate for candidate in found if candidate is not None]


def settle(time: Time, frame: Frame) -> Time | None:
    """The time with its missing year, month or week filled in: the occurrence that `frame.lean` prefers."""
    if not time.form:
        return time
    best: Time | None = None
    least = 0
    for candidate in _candidates(time, frame):
        cost = distance(candidate, frame)
        if best is None or cost < least:
            best, least = candidate, cost
    if best is None:
        return None
    return best._replace(care=time.care, loose=time.loose, relation=time.relation)


def distance(time: Time, frame: Frame) -> int:
    """Days between the frame's day and a settled time, weighed by the frame's lean."""
    start, end, today = time.start, time.end, frame.today
    if start is not None and start > today:
        return (start - today).days * {"near": 1, "back": 8, "past": 1000, "future": 1}[frame.lean]
    if end is not None and end < today:
        return (today - end).days * (1000 if frame.lean == "future" else 1)
    return 0


def compose(one: Time, two: Time, frame: Frame) -> Time | None:
    """Two neighbouring times read as one: `Friday 2018-07-06`, `last week` + `Wednesday`, `2017` + `April`."""
    for outer, inner in ((one, two), (two, one)):
        found = _into(outer, inner, frame)
        if found is not None:
            return found._replace(loose=one.loose and two.loose)
    return None


def _into(outer: Time, inner: Time, frame: Frame) -> Time | None:  # noqa: PLR0911 — a list of cases, one return each
    if inner.form == "weekday" and outer.form in {"monthday", "day"}:
        dated = settle(outer, frame)
        if outer.form == "day":
            days = [one for one in _candidates(outer, frame) if one.start and one.start.weekday() == inner.a]
            dated = min(days, key=lambda one: distance(one, frame), default=dated)
        return dated._replace(care=False) if dated is not None else None
    if inner.form == "monthday" and not outer.form and outer.grain == "day" and outer.mark == "weekday":
        found = settle(inner, frame._replace(lean="near"))
        return found._replace(care=False) if found is not None else None
    if not inner.form:
        return _counted(outer, inner, frame)
    if outer.form:
        if RANK.get(outer.grain, 0) <= RANK.get(inner.grain, 0):
            return None
        settled = settle(outer, frame)
        if settled is None:
            return None
        outer = settled
    found = within(outer, inner)
    if found is not None and outer.mark == "this" and inner.rule in {"ahead", "rest", "sofar"}:
        start = frame.today if inner.rule != "sofar" else outer.start
        end = moved(frame.today, -1, "day") if inner.rule == "sofar" else outer.end
        return stretch("span", start, end) or found
    return found


def _counted(outer: Time, inner: Time, frame: Frame) -> Time | None:
    """`last two weeks` before `of 2019` counts from the end of 2019, not from today."""
    if inner.mark not in {"last", "front"} or (inner.grain not in RANK and not inner.rule):
        return None
    unit = inner.rule or inner.grain
    if RANK.get(outer.grain, -1) <= RANK.get(unit, 99):
        return None
    settled = settle(outer, frame)
    if settled is None:
        return None
    first = 1 if inner.mark == "front" else -inner.several
    return within(settled, Time(unit, form="nth", a=first, b=inner.several, rule=unit))
