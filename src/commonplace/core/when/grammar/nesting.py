"""Nests one time in another: March of 2019, the Friday of last week, Easter of a year."""

from __future__ import annotations

from datetime import date, timedelta

from commonplace.core.when.grammar.calendar import RANK, Time, day_of, month_length, months, moved, stretch, unit_at


def within(outer: Time, inner: Time) -> Time | None:
    """Return the `inner` of `outer`: March of 2019, the Friday of last week, the end of March; None if that makes no
    sense.
    """
    start, end = outer.start, outer.end
    if start is None or end is None:
        return None
    rule = _WITHIN.get(inner.form)
    return rule(outer, inner, start, end) if rule is not None else None


def _month(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    return months(start.year, inner.a, 1, "month") if outer.grain == "year" else None


def _monthday(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    day = day_of(start.year, inner.a, inner.b)
    return stretch("day", day, day)


def _monthdays(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    return stretch("span", day_of(start.year, inner.a, inner.b), day_of(start.year, inner.a, inner.b + 1))


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
    monday = moved(start, -start.weekday(), unit="day")
    day = moved(monday, inner.a, unit="day") if monday is not None else None
    return stretch("day", day, day)


def _quarter(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year" or not 1 <= inner.a <= 4:
        return None
    return months(start.year, start.month + inner.a * 3 - 3, 3, "quarter")


def _half(outer: Time, inner: Time, start: date, end: date) -> Time | None:
    if not 1 <= inner.a <= 2 or inner.rule not in {"", "any", outer.grain}:
        return None
    if outer.grain == "year":
        return months(start.year, start.month + inner.a * 6 - 6, 6, "half")
    first, second = _halves(outer, start, end=end)
    return stretch("span", *(first if inner.a == 1 else second))


def _halves(outer: Time, start: date, *, end: date) -> tuple[tuple[date, date], tuple[date, date]]:
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
    return months(start.year, 3 + 3 * inner.a, 3, "season")


def _week(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    try:
        monday = date.fromisocalendar(start.year, inner.a, 1)
    except (ValueError, OverflowError):
        return None
    return stretch("week", monday, moved(monday, 6, unit="day"))


def _festival(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "year":
        return None
    first, _, last = inner.rule.partition("..")
    found = stretch("day", feast(first, start.year), feast(last or first, start.year))
    return found._replace(mark="festival") if found is not None else None


def feast(rule: str, year: int) -> date | None:
    """Return a festival's day: `12-25`, `9/1/0` (first Monday of September; −1 is the last), `easter-2`,
    `thanksgiving+1`.
    """
    if "/" in rule:
        month_number, nth, weekday = (int(part) for part in rule.split("/"))
        return _nth_weekday(year, month_number, nth=nth, weekday=weekday)
    if rule[0].isdigit():
        month, day = rule.split("-")
        return day_of(year, int(month), int(day))
    name = rule.rstrip("+-0123456789")
    base = _easter(year) if name == "easter" else _nth_weekday(year, 11, nth=4, weekday=3)
    return moved(base, int(rule[len(name) :] or 0), unit="day") if base is not None else None


def _nth_weekday(year: int, month: int, *, nth: int, weekday: int) -> date | None:
    first = day_of(year, month, 1 if nth > 0 else month_length(year, month))
    if first is None:
        return None
    if nth > 0:
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return first - timedelta(days=(first.weekday() - weekday) % 7)


def _nthday(outer: Time, inner: Time, start: date, _end: date) -> Time | None:
    if outer.grain != "month":
        return None
    day = _nth_weekday(start.year, start.month, nth=inner.a, weekday=inner.b)
    return stretch("day", day, day) if day is not None and day.month == start.month else None


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
    point = start if name in {"start", "early", "dec1", "first"} else end
    if name in {"mid", "dec2"}:
        point = start + timedelta(days=size // 2)
        if outer.grain == "year":
            point = date(start.year, 7, 2)
    if name in {"first", "last"}:
        pair = (point, point)
    elif name in {"dec1", "dec2", "dec3"} and outer.grain == "month":
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
        first_half, second_half = _halves(outer, start, end=end)
        pair = first_half if name in {"start", "early", "dec1", "sofar"} else second_half
    found = stretch("span", *pair)
    return found._replace(point=point) if found is not None else None


def _nth(outer: Time, inner: Time, start: date, end: date) -> Time | None:
    """Return the n-th unit of `outer`, or from its end for a negative n; a week belongs to where its Thursday is."""
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
    opening = moved(first, n - 1 if n > 0 else n + 1, unit=unit)
    closing = moved(opening, count - 1, unit=unit) if opening is not None else None
    low = unit_at(opening, unit) if opening is not None else None
    high = unit_at(closing, unit) if closing is not None else None
    if low is None or high is None or low.start is None or high.end is None or low.start > end or high.end < start:
        return None
    return stretch(unit if count == 1 else "span", low.start, high.end)


def _week_by_thursday(edge: date, *, forward: bool) -> date | None:
    away = (3 - edge.weekday()) % 7 if forward else -((edge.weekday() - 3) % 7)
    thursday = moved(edge, away, unit="day")
    return moved(thursday, -3, unit="day") if thursday is not None else None


_WITHIN = {
    "month": _month,
    "monthday": _monthday,
    "monthdays": _monthdays,
    "day": _day,
    "weekday": _weekday,
    "quarter": _quarter,
    "half": _half,
    "season": _season,
    "week": _week,
    "festival": _festival,
    "nthday": _nthday,
    "edge": _edge,
    "nth": _nth,
}
