"""Builds times that count from today, and the beginning and end of a unit."""

from __future__ import annotations

from commonplace.core.when.grammar.build_days import fiscal, month, month_year, on_every
from commonplace.core.when.grammar.build_parts import festival, season, stepped
from commonplace.core.when.grammar.calendar import RANK, DateFrame, Time, moved, stretch, units, year_time
from commonplace.core.when.grammar.missing_parts import compose, settle
from commonplace.core.when.grammar.nesting import within

# ---------------------------------------------------------------------- relative to today


def relative(frame: DateFrame, value: tuple[str, int]) -> Time | None:
    """`yesterday`, `来週`."""
    return _this_or_past(frame, *value)


def _this_or_past(frame: DateFrame, unit: str, step: int) -> Time | None:
    """The unit so many away; of the past this weekend is the last one while the next has not begun."""
    found = units(frame, unit, step)
    if step == 0 and unit in _ENDS_OF_WEEK and frame.lean == "past" and found is not None:
        return units(frame, unit, -1) if found.start is not None and found.start > frame.today else found
    return found


_ENDS_OF_WEEK = frozenset(("weekend", "workweek"))


def relative_day(frame: DateFrame, value: tuple[str, int], number: int) -> Time | None:
    """`先月の15日`."""
    outer = units(frame, *value) if value[0] == "month" else None
    return within(outer, Time("day", form="day", a=number)) if outer is not None else None


def relative_days(frame: DateFrame, value: tuple[str, int], low: int, high: int) -> Time | None:
    """`先月の3日から9日まで`."""
    first, last = relative_day(frame, value, low), relative_day(frame, value, high)
    return (
        stretch("span", first.start, last.end, relation="between") if first is not None and last is not None else None
    )


def _years_ago(frame: DateFrame, number: int, *, unit: str, inner: Time | None) -> Time | None:
    outer = units(frame, "year", -number) if unit == "year" else None
    return within(outer, inner) if outer is not None and inner is not None else None


def season_ago(frame: DateFrame, number: int, unit: str, which: int) -> Time | None:
    """`2年前の春`: not so long before this spring, but the spring of that year."""
    return _years_ago(frame, number, unit=unit, inner=season(frame, which))


def festival_ago(frame: DateFrame, number: int, unit: str, rule: str) -> Time | None:
    """`3年前のクリスマス`."""
    return _years_ago(frame, number, unit=unit, inner=festival(frame, rule))


def unit_before(frame: DateFrame, unit: str, rule: str) -> Time | None:
    """`the week before Easter`: the seven days that lead up to it."""
    feast = settle(festival(frame, rule), frame)
    if feast is None or feast.start is None:
        return None
    return stretch("span", moved(feast.start, -1, unit=unit), moved(feast.start, -1, unit="day"))


def unit_after(frame: DateFrame, unit: str, rule: str) -> Time | None:
    """`ugen efter påske`."""
    feast = settle(festival(frame, rule), frame)
    if feast is None or feast.end is None:
        return None
    return stretch("span", moved(feast.end, 1, unit="day"), moved(feast.end, 1, unit=unit))


def weekday_before(frame: DateFrame, number: int, time: Time) -> Time | None:
    """`the Thursday before Easter`."""
    settled = settle(time, frame)
    if settled is None or settled.start is None or settled.relation:
        return None
    day = moved(settled.start, -1 - (settled.start.weekday() - number - 1) % 7, unit="day")
    return stretch("day", day, day)


def weekday_after(frame: DateFrame, number: int, time: Time) -> Time | None:
    """`fredagen efter påske`."""
    settled = settle(time, frame)
    if settled is None or settled.end is None or settled.relation:
        return None
    day = moved(settled.end, 1 + (number - settled.end.weekday() - 1) % 7, unit="day")
    return stretch("day", day, day)


def month_ago(frame: DateFrame, number: int, unit: str, which: int) -> Time | None:
    """`2年前の5月`."""
    return _years_ago(frame, number, unit=unit, inner=month(frame, which))


def kal(frame: DateFrame, step: int) -> Time | None:
    """कल, परसों: as many days back or ahead as the tense says."""
    return units(frame, "day", frame.kal * step)


def from_now_on(frame: DateFrame) -> Time:
    """`from now on`."""
    return Time("day", frame.today, None, mark="onward", relation="since")


def which_unit(frame: DateFrame, step: int, unit: str) -> Time | None:
    """`last week`, `next quarter`."""
    return _this_or_past(frame, unit, step)


def which_several(frame: DateFrame, step: int, count: int, unit: str = "day") -> Time | None:
    """`past two weeks` ends today, `next 4 days` starts tomorrow; quarters, decades and the like are whole."""
    if step == 0:
        step = -1
    if not 0 < count < 4000:
        return None
    if (RANK[unit] > RANK["month"] and unit != "year") or unit in {"weekend", "workweek"}:
        near, far = units(frame, unit, step), units(frame, unit, step * count)
        if near is None or far is None:
            return None
        low, high = (far, near) if step < 0 else (near, far)
        found = stretch("span", low.start, high.end)
    else:
        edge = moved(frame.today, step * count, unit=unit)
        tomorrow = moved(frame.today, 1, unit="day")
        if unit == "workday" and step > 0 and tomorrow is not None:
            tomorrow = moved(frame.today, 1, unit="workday")
        found = stretch("span", edge, frame.today) if step < 0 else stretch("span", tomorrow, edge)
    mark = "last" if step < 0 else "next"
    return found._replace(mark=mark, several=count, rule=unit) if found is not None else None


def front_several(frame: DateFrame, count: int, unit: str = "day") -> Time | None:
    """`前10天`: the past ten days, or the first ten of what stands before it."""
    found = which_several(frame, -1, count, unit)
    return found._replace(mark="front") if found is not None else None


def either(frame: DateFrame, one: int, unit: str, two: int, other: str) -> Time | None:
    """`last week or this week`: both together."""
    low, high = units(frame, unit, min(one, two)), units(frame, other, max(one, two))
    return stretch("span", low.start, high.end) if low is not None and high is not None else None


def either_unit(frame: DateFrame, one: int, two: int, unit: str) -> Time | None:
    """`this or next week`."""
    return either(frame, one, unit, two, unit)


def which_month(frame: DateFrame, step: int, number: int) -> Time | None:
    """`this August` is this year's; `last March` the latest one that is over, `next May` the one to come."""
    found = month(frame, number)
    return stepped(frame, step, time=found) if found is not None else None


def this_month(frame: DateFrame, step: int) -> Time | None:
    """`上月`."""
    return units(frame, "month", step)


def this_year(frame: DateFrame, step: int) -> Time | None:
    """`本年`."""
    return units(frame, "year", step)


def fiscal_year(frame: DateFrame, step: int) -> Time | None:
    """`今年度`."""
    today = frame.today
    return fiscal(frame, today.year - (today.month < 4) + step)


def this_month_day(frame: DateFrame, step: int, *values: object) -> Time | None:
    """`इस महीने 21 तारीख`."""
    number = values[-1]
    if len(values) > 1 and values[0] != "month":
        return None
    outer = units(frame, "month", step)
    if outer is None or not isinstance(number, int):
        return None
    return within(outer, Time("day", form="day", a=number))


def this_very_year(_frame: DateFrame, value: tuple[str, int], number: int) -> Time | None:
    """Danish `i år 2018`."""
    return year_time(number) if value == ("year", 0) else None


def which_slash_day(frame: DateFrame, step: int, value: tuple[int, int]) -> Time | None:
    """`next 5/12`."""
    found = on_every(*value)
    return stepped(frame, step, time=found) if found is not None else None


def which_day_month(frame: DateFrame, step: int, day_number: int, number: int) -> Time | None:
    """`अगले 6 अप्रैल`."""
    return which_slash_day(frame, step, (number, day_number))


def which_month_day(frame: DateFrame, step: int, number: int, day_number: int) -> Time | None:
    """`next April 6`."""
    return which_slash_day(frame, step, (number, day_number))


def the_unit(frame: DateFrame, unit: str) -> Time | None:
    """`the week`, `of the year`: this one, if a question means any."""
    found = _this_or_past(frame, unit, 0)
    return found._replace(loose=True) if found is not None else None


def bare_unit(frame: DateFrame, unit: str) -> Time | None:
    """`weekend`."""
    return the_unit(frame, unit) if unit in _ENDS_OF_WEEK else None


def to_date(frame: DateFrame, unit: str) -> Time | None:
    """`the year to date`."""
    whole = units(frame, unit, 0)
    return stretch("span", whole.start, frame.today) if whole is not None else None


def which_to_date(frame: DateFrame, step: int, unit: str) -> Time | None:
    """`this year to date`."""
    return to_date(frame, unit) if step == 0 else None


def until_today(frame: DateFrame) -> Time:
    """`to date`."""
    return Time("day", None, frame.today, relation="until", loose=True)


def edge(_frame: DateFrame, name: str) -> Time:
    """The beginning, middle or end of what stands beside it."""
    return Time("day", form="edge", rule=name, care=True)


def edge_of_month(frame: DateFrame, name: str, number: int) -> Time | None:
    """`mid-May`, `late-January`."""
    outer = month(frame, number)
    return compose(outer, edge(frame, name), frame=frame) if outer is not None else None


def edge_unit(frame: DateFrame, name: str, unit: str) -> Time | None:
    """`the end of the week`."""
    outer = units(frame, unit, 0)
    return compose(outer, edge(frame, name), frame=frame) if outer is not None else None


def edge_of(frame: DateFrame, value: tuple[str, str]) -> Time | None:
    """`年底`, `月末`."""
    return edge_unit(frame, value[1], value[0])


def which_edge_of(frame: DateFrame, step: int, value: tuple[str, str]) -> Time | None:
    """`上个月底`, `本月底`."""
    outer = units(frame, value[0], step)
    return compose(outer, edge(frame, value[1]), frame=frame) if outer is not None else None


def this_edge_of(frame: DateFrame, value: tuple[str, str]) -> Time | None:
    """`年末` with nothing beside it: this year's, or the last one where a question asks for the past."""
    found = edge_of(frame, value)
    if found is not None and found.start is not None and frame.lean == "past" and found.start > frame.today:
        found = which_edge_of(frame, -1, value)
    return found._replace(loose=True) if found is not None else None


def until_this_edge(frame: DateFrame, value: tuple[str, str]) -> Time | None:
    """`年末まで`: up to the end of this year."""
    found = edge_of(frame, value)
    return found._replace(start=None, relation="until", care=False) if found is not None else None


def month_edge(frame: DateFrame, number: int, value: tuple[str, str]) -> Time | None:
    """`3月末`."""
    outer = month(frame, number) if value[0] == "month" else None
    return compose(outer, edge(frame, value[1]), frame=frame) if outer is not None else None


def year_month_edge(frame: DateFrame, year_number: int, number: int, value: tuple[str, str]) -> Time | None:
    """`2024年3月底`."""
    outer = month_year(frame, number, year_number) if value[0] == "month" else None
    return compose(outer, edge(frame, value[1]), frame=frame) if outer is not None else None
