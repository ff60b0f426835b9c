"""Completes a time without its year, month or week, from the reference day or from the time beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.when.grammar.calendar import RANK, DateFrame, Time, day_of, moved, stretch, unit_at, year_time
from commonplace.core.when.grammar.nesting import within

if TYPE_CHECKING:
    from datetime import date


def _candidates(time: Time, frame: DateFrame) -> list[Time]:
    today = frame.today
    if time.form == "weekday":
        days = (moved(today, time.a - today.weekday() + 7 * week, unit="day") for week in (-1, 0, 1))
        return [Time("day", day, day) for day in days if day is not None]
    if time.form == "day":
        firsts = (moved(today.replace(day=1), month, unit="month") for month in (-2, -1, 0, 1, 2))
        outers = [unit_at(first, "month") for first in firsts if first is not None]
    elif time.form == "half" and time.rule in {"month", "week"}:
        outers = [unit_at(today, time.rule)]
    elif time.form in {"edge", "nth"} and (time.form == "edge" or time.rule not in {"quarter", "half", "week"}):
        return []
    else:
        reach = 8 if (time.form, time.a, time.b) in {("monthday", 2, 29), ("monthdays", 2, 28)} else 1
        outers = [year_time(today.year + step) for step in range(-reach, reach + 1)]
    found = (within(outer, time) for outer in outers if outer is not None)
    return [candidate for candidate in found if candidate is not None]


def settle(time: Time, frame: DateFrame) -> Time | None:
    """Return the time with its missing year, month or week filled in: the occurrence that `frame.lean` prefers."""
    if not time.form:
        return time
    if time.form == "monthday" and time.b < 29:
        return _nearest_day(time, frame)
    best: Time | None = None
    least = 0
    for candidate in _candidates(time, frame):
        cost = distance(candidate, frame)
        if best is None or cost < least:
            best, least = candidate, cost
    if best is None:
        return None
    return best._replace(care=time.care, loose=time.loose, relation=time.relation)


def _nearest_day(time: Time, frame: DateFrame) -> Time | None:
    """Return what `settle` makes of a day and month that every year has."""
    year, ahead, back = frame.today.year, _AHEAD[frame.lean], 1000 if frame.lean == "future" else 1
    best: date | None = None
    least = 0
    for number in (year - 1, year, year + 1):
        day = day_of(number, time.a, time.b)
        if day is None:
            continue
        away = (day - frame.today).days
        cost = away * ahead if away > 0 else -away * back
        if best is None or cost < least:
            best, least = day, cost
    if best is None:
        return None
    return Time("day", best, best, relation=time.relation, care=time.care, loose=time.loose)


_AHEAD = {"near": 1, "back": 8, "past": 1000, "future": 1}


def distance(time: Time, frame: DateFrame) -> int:
    """Days between the frame's day and a settled time, weighed by the frame's lean."""
    start, end, today = time.start, time.end, frame.today
    if start is not None and start > today:
        return (start - today).days * _AHEAD[frame.lean]
    if end is not None and end < today:
        return (today - end).days * (1000 if frame.lean == "future" else 1)
    return 0


def compose(one: Time, two: Time, *, frame: DateFrame) -> Time | None:
    """Two neighbouring times read as one: `Friday 2018-07-06`, `last week` + `Wednesday`, `2017` + `April`."""
    for outer, inner in ((one, two), (two, one)):
        found = _into(outer, inner, frame=frame)
        if found is not None:
            return found._replace(loose=one.loose and two.loose)
    return None


def _into(outer: Time, inner: Time, *, frame: DateFrame) -> Time | None:  # noqa: PLR0911 — a list of cases, one return each
    if inner.form == "weekday" and outer.form in {"monthday", "monthdays", "day"}:
        dated = settle(outer, frame)
        if outer.form == "day":
            days = [one for one in _candidates(outer, frame) if one.start and one.start.weekday() == inner.a]
            dated = min(days, key=lambda one: distance(one, frame), default=dated)
        return dated._replace(care=False) if dated is not None else None
    if inner.form == "monthday" and not outer.form and outer.grain == "day" and outer.mark == "weekday":
        found = settle(inner, frame._replace(lean="near"))
        return found._replace(care=False) if found is not None else None
    if not inner.form:
        return _counted(outer, inner, frame=frame)
    if outer.relation == "ago" and outer.rule in {"year", "month"} and outer.start is not None:
        outer = unit_at(outer.start, outer.rule) or outer  # "two years ago in May"
    elif outer.form:
        halved = inner.form == "half" and inner.rule in {"any", outer.grain}
        if RANK.get(outer.grain, 0) <= RANK.get(inner.grain, 0) and not halved:
            return None
        settled = settle(outer, frame)
        if settled is None:
            return None
        outer = settled
    found = within(outer, inner)
    if found is not None and outer.mark == "this" and inner.rule in {"ahead", "rest", "sofar"}:
        start = frame.today if inner.rule != "sofar" else outer.start
        end = moved(frame.today, -1, unit="day") if inner.rule == "sofar" else outer.end
        return stretch("span", start, end) or found
    return found


def _counted(outer: Time, inner: Time, *, frame: DateFrame) -> Time | None:
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
