"""What the patterns of the grammar mean: from the values of a match to a time, or None where it makes no sense."""

from __future__ import annotations

from datetime import date

from commonplace.core.when.calendar import (
    RANK,
    Frame,
    Time,
    compose,
    day_of,
    distance,
    moved,
    settle,
    stretch,
    unit_at,
    units,
    within,
    year_time,
)

Length = tuple[tuple[int, str], ...]
"""How long: pairs of a number and a unit."""


def nothing(_frame: Frame, *_values: object) -> bool:
    """A match that means no date and uses its words up."""
    return True


def first(_frame: Frame, time: Time, *_values: object) -> Time:
    """The first of them says it all."""
    return time


# ---------------------------------------------------------------------- numeric dates


def _on(year: int, month: int, day: int) -> Time | None:
    found = day_of(year, month, day)
    return stretch("day", found, found)


def ymd(_frame: Frame, value: tuple[int, int, int]) -> Time | None:
    """A whole day in digits."""
    return _on(*value)


def short_ymd(_frame: Frame, value: tuple[int, int, int]) -> Time | None:
    """`5/12/20`, `12-11-10`: a day with a year of two digits."""
    found = _on(*value)
    return found._replace(care=True) if found is not None else None


def ym(_frame: Frame, value: tuple[int, int]) -> Time | None:
    """`2025-11`."""
    return unit_at(start, "month") if (start := day_of(*value, 1)) is not None else None


def years(_frame: Frame, value: tuple[int, int]) -> Time | None:
    """`1995-1997`."""
    found = stretch("span", day_of(value[0], 1, 1), day_of(value[1], 12, 31))
    return found._replace(relation="between", care=not 1800 <= value[0] <= 2100) if found is not None else None


def slash_day(_frame: Frame, value: tuple[int, int]) -> Time | None:
    """`5/12`: a day, where the neighbours agree."""
    return _month_day(*value, care=True)


def slash_numbers(frame: Frame, one: int, two: int) -> Time | None:
    """`11 / 7`."""
    month, day = (two, one) if frame.day_first or one > 12 else (one, two)
    return _month_day(month, day, care=True)


def slash_day_year(_frame: Frame, value: tuple[int, int], year: int) -> Time | None:
    """`5/7, 2020`."""
    return _on(year, *value)


def dotted_day(frame: Frame, _weekday: int, value: tuple[int, int]) -> Time | None:
    """`Friday 7.6`: the order of the language."""
    month, day = (value[1], value[0]) if frame.day_first else value
    return _month_day(month, day)


def dotted_which_day(frame: Frame, _step: int, weekday: int, value: tuple[int, int]) -> Time | None:
    """`this Friday 7.6`."""
    return dotted_day(frame, weekday, value)


def month_yd(_frame: Frame, number: int, value: tuple[int, int]) -> Time | None:
    """`September-2020-23`."""
    return _on(value[0], number, value[1])


def dy_month(_frame: Frame, value: tuple[int, int], number: int) -> Time | None:
    """`23-2020-September`."""
    return _on(value[1], number, value[0])


def dotted_day_year(_frame: Frame, value: tuple[int, int], year: int) -> Time | None:
    """`24.12. 2025`."""
    return _on(year, value[1], value[0])


def days_of_unit(frame: Frame, value: tuple[int, int], step: int, unit: str) -> Time | None:
    """`4-23 in next month`."""
    month = units(frame, unit, step)
    if unit != "month" or month is None or month.start is None:
        return None
    found = stretch("span", day_of(month.start.year, month.start.month, value[0]), _day_in(month.start, value[1]))
    return found._replace(relation="between") if found is not None else None


def _day_in(month: date, day: int) -> date | None:
    return day_of(month.year, month.month, day)


# ---------------------------------------------------------------------- years


def year(_frame: Frame, number: int) -> Time | None:
    """A bare number that can be a year."""
    found = year_time(number)
    return found._replace(care=True) if found is not None else None


def sure_year(_frame: Frame, number: int) -> Time | None:
    """A number that says it is a year."""
    return year_time(number)


def until_year(_frame: Frame, number: int) -> Time | None:
    """`<= 2019`."""
    found = year_time(number)
    return found._replace(start=None, relation="until") if found is not None else None


def _full(year: int, frame: Frame) -> int:
    """A year of two digits is the one no more than twenty years ahead."""
    if year >= 100:
        return year
    year += frame.today.year // 100 * 100
    return year if year <= frame.today.year + 20 else year - 100


def short_year(frame: Frame, number: int) -> Time | None:
    """`cy18`, `07年`."""
    return year_time(_full(number, frame))


def unit_year(_frame: Frame, unit: str, number: int) -> Time | None:
    """`year 2008`."""
    return year_time(number) if unit == "year" else None


def year_unit(frame: Frame, number: int, unit: str) -> Time | None:
    """`2008 वर्ष`, `1990年代`."""
    if unit == "decade":
        return decade(frame, number)
    return year_time(number) if unit == "year" else None


def decade(frame: Frame, number: int) -> Time | None:
    """`1990s`, `90s`."""
    if number % 10 or 0 < number < 10:
        return None
    number = _full(number, frame) if number < 100 else number
    start = day_of(number, 1, 1)
    return unit_at(start, "decade") if start is not None else None


def era(frame: Frame, base: int, *numbers: int) -> Time | None:
    """`令和7年11月`, `民国三年`; the era's first year is base + 1."""
    year_number, *rest = numbers or (1,)
    return _dated(base + year_number, *rest)


def era_first(_frame: Frame, base: int, *rest: int) -> Time | None:
    """`令和元年5月`."""
    return _dated(base + 1, *rest)


def _dated(year_number: int, month_number: int = 0, day_number: int = 0) -> Time | None:
    if day_number:
        return _on(year_number, month_number, day_number)
    if month_number:
        start = day_of(year_number, month_number, 1)
        return unit_at(start, "month") if start is not None else None
    return year_time(year_number)


# ---------------------------------------------------------------------- months and days


def _month_day(month_number: int, day_number: int, *, care: bool = False) -> Time | None:
    if day_of(2000, month_number, day_number) is None:
        return None
    return Time("day", form="monthday", a=month_number, b=day_number, care=care)


def month(_frame: Frame, number: int) -> Time | None:
    """A month of some year."""
    return Time("month", form="month", a=number) if 1 <= number <= 12 else None


def month_year(frame: Frame, number: int, year_number: int) -> Time | None:
    """`March 2019`, `April of 87`."""
    return _dated(_full(year_number, frame), number) if 1 <= number <= 12 else None


def year_month(frame: Frame, year_number: int, number: int) -> Time | None:
    """`2018年10月`."""
    return month_year(frame, number, year_number)


def month_day(frame: Frame, number: int, day_number: int, year_number: int = 0) -> Time | None:
    """`Nov 27`, `Nov 27, 2025`."""
    return _on(_full(year_number, frame), number, day_number) if year_number else _month_day(number, day_number)


def day_month(frame: Frame, day_number: int, number: int, year_number: int = 0) -> Time | None:
    """`27 November`."""
    return month_day(frame, number, day_number, year_number)


def day_unit_month(_frame: Frame, day_number: int, unit: str, number: int) -> Time | None:
    """`the 15th day of March`."""
    if unit == "day":
        return _month_day(number, day_number)
    return None


def year_month_day(frame: Frame, year_number: int, number: int, day_number: int) -> Time | None:
    """`2019-aug-01`, `2025年11月27日`."""
    return _on(_full(year_number, frame), number, day_number)


def day(_frame: Frame, number: int) -> Time | None:
    """`the 15th`, `15日`."""
    return Time("day", form="day", a=number, care=True) if 1 <= number <= 31 else None


def weekday_day(frame: Frame, number: int, day_number: int) -> Time | None:
    """`Monday 21`, `Wednesday the thirty-first`."""
    if not 1 <= day_number <= 31:
        return None
    return compose(Time("day", form="weekday", a=number), Time("day", form="day", a=day_number), frame)


def day_weekday(frame: Frame, day_number: int, number: int) -> Time | None:
    """`21 सोमवार`."""
    return weekday_day(frame, number, day_number)


def month_days(frame: Frame, number: int, *rest: object) -> Time | None:
    """`Nov 27-30, 2025`."""
    return _days(frame, number, rest)


def days_month(frame: Frame, *values: object) -> Time | None:
    """`27-30 November 2025`."""
    at = 1 if isinstance(values[0], tuple) else 2
    number = values[at]
    return _days(frame, number, values[:at] + values[at + 1 :]) if isinstance(number, int) else None


def _days(frame: Frame, number: int, values: tuple[object, ...]) -> Time | None:
    if isinstance(values[0], tuple):
        values = values[0] + values[1:]
    low, high, *rest = (value for value in values if isinstance(value, int))
    start: Time | None
    if rest:
        start = _on(rest[0], number, low)
    else:
        start = _month_day(number, low)
        start = settle(start, frame) if start is not None else None
    if start is None or start.start is None:
        return None
    found = stretch("span", start.start, _day_in(start.start, high))
    return found._replace(relation="between") if found is not None else None


# ---------------------------------------------------------------------- weekdays, weeks, quarters, halves


def weekday(_frame: Frame, number: int) -> Time:
    """The nearest such day."""
    return Time("day", form="weekday", a=number)


def last_weekday(frame: Frame, number: int) -> Time | None:
    """Danish `i fredags`: the latest one before today."""
    return _recent(frame, number)


def _recent(frame: Frame, number: int) -> Time | None:
    back = (frame.today.weekday() - number - 1) % 7 + 1
    found = moved(frame.today, -back, "day")
    return stretch("day", found, found)


def lately_weekday(frame: Frame, _step: int, number: int) -> Time | None:
    """`past Wednesday`: the latest one before today."""
    found = _recent(frame, number)
    return found._replace(mark="weekday") if found is not None else None


def nearing_weekday(frame: Frame, _step: int, number: int) -> Time | None:
    """`coming Thursday`: the next one after today."""
    found = moved(frame.today, (number - frame.today.weekday() - 1) % 7 + 1, "day")
    coming = stretch("day", found, found)
    return coming._replace(mark="weekday") if coming is not None else None


def upon_weekday(frame: Frame, _step: int, number: int) -> Time | None:
    """Danish `på fredag`: the coming one, unless the question is about the past."""
    return weekday(frame, number) if frame.lean == "past" else nearing_weekday(frame, 1, number)


def which_weekday(frame: Frame, step: int, number: int) -> Time | None:
    """`last Friday` is last week's, as `上周五` is."""
    week = units(frame, "week", step)
    found = within(week, Time("day", form="weekday", a=number)) if week is not None else None
    return found._replace(mark="weekday") if found is not None else None


def unit_number(_frame: Frame, unit: str, number: int) -> Time | None:
    """`week 31`, `kvartal 3`."""
    if unit == "week" and 1 <= number <= 53:
        return Time("week", form="week", a=number)
    if unit == "quarter" and 1 <= number <= 4:
        return Time("quarter", form="quarter", a=number)
    return None


def quarter(_frame: Frame, _letter: int, number: int) -> Time | None:
    """`Q3`."""
    return Time("quarter", form="quarter", a=number, care=True) if 1 <= number <= 4 else None


def year_quarter(frame: Frame, year_number: int, letter: int, number: int) -> Time | None:
    """`2017 q1`."""
    outer, inner = year_time(year_number), quarter(frame, letter, number)
    return within(outer, inner) if outer is not None and inner is not None else None


def half_letter(_frame: Frame, _letter: int, number: int) -> Time | None:
    """`H2`."""
    return Time("half", form="half", a=number, care=True) if 1 <= number <= 2 else None


def year_half(_frame: Frame, year_number: int, _letter: int, number: int) -> Time | None:
    """`2019-H2`."""
    outer = year_time(year_number)
    return within(outer, Time("half", form="half", a=number)) if outer is not None else None


def half_year(frame: Frame, letter: int, number: int, year_number: int) -> Time | None:
    """`H2 2019`."""
    return year_half(frame, year_number, letter, number)


def year_week(_frame: Frame, year_number: int, number: int) -> Time | None:
    """`2025-W12`."""
    outer = year_time(year_number)
    return within(outer, Time("week", form="week", a=number)) if outer is not None else None


def nth(frame: Frame, number: int, unit: str) -> Time | None:
    """`first week`, `第2周`, `thirty-first day`: of what stands beside it."""
    if unit == "century":
        return century(number)
    if number < 1 or number > 400:
        return None
    return Time("day" if unit == "workday" else unit, form="nth", a=number, b=1, rule=unit, care=unit != "quarter")


def century(number: int) -> Time | None:
    """The 21st century counts from 2000, as people say it."""
    if not 1 <= number <= 99:
        return None
    return unit_at(date(max(1, (number - 1) * 100), 1, 1), "century")


def nth_several(_frame: Frame, _number: int, count: int, unit: str) -> Time | None:
    """`first two weeks`; of other ordinals nobody counts several."""
    return Time(unit, form="nth", a=1, b=count, rule=unit, care=True) if _number == 1 and count > 0 else None


def first_several(_frame: Frame, count: int, unit: str = "day") -> Time | None:
    """`前10天`, `最初の3日`."""
    return Time(unit, form="nth", a=1, b=count, rule=unit, care=True) if count > 0 else None


def first_one(_frame: Frame, unit: str) -> Time:
    """`最初の週`."""
    return Time(unit, form="nth", a=1, b=1, rule=unit, care=True)


def last_several(_frame: Frame, count: int, unit: str = "day") -> Time | None:
    """`最後3週`."""
    return Time(unit, form="nth", a=-count, b=count, rule=unit, care=True) if count > 0 else None


def last_one(_frame: Frame, unit: str) -> Time:
    """`最後の週`."""
    return Time(unit, form="nth", a=-1, b=1, rule=unit, care=True)


def half(_frame: Frame, number: int) -> Time | None:
    """`first half`."""
    return Time("half", form="half", a=number, rule="any", care=True) if number in {1, 2} else None


def half_of(_frame: Frame, value: tuple[str, int]) -> Time:
    """`上半年`, `下半周`."""
    return Time("half", form="half", a=value[1], rule=value[0], care=value[0] == "any")


def season(_frame: Frame, number: int) -> Time:
    """Meteorological seasons of the north."""
    return Time("season", form="season", a=number)


def which_season(frame: Frame, step: int, number: int) -> Time | None:
    """`last summer`."""
    return _stepped(frame, step, season(frame, number))


def festival(_frame: Frame, rule: str) -> Time:
    """A day of fixed date, or of a rule."""
    return Time("day", form="festival", rule=rule)


def which_festival(frame: Frame, step: int, rule: str) -> Time | None:
    """`last Easter` is the latest one before today."""
    return _stepped(frame, step, festival(frame, rule))


def _stepped(frame: Frame, step: int, time: Time) -> Time | None:
    """The latest one that is over (step −1), this year's (0), the next to come (1)."""
    best: Time | None = None
    for year_number in range(frame.today.year - 2, frame.today.year + 3):
        outer = year_time(year_number)
        found = within(outer, time) if outer is not None else None
        if found is None or found.start is None or found.end is None:
            continue
        if step == 0 and year_number == frame.today.year:
            return found
        if step < 0 and found.end < frame.today:
            best = found
        if step > 0 and found.start > frame.today:
            return found
    return best


# ---------------------------------------------------------------------- relative to today


def relative(frame: Frame, value: tuple[str, int]) -> Time | None:
    """`yesterday`, `来週`."""
    return units(frame, *value)


def kal(frame: Frame, step: int) -> Time | None:
    """कल, परसों: as many days back or ahead as the tense says."""
    return units(frame, "day", frame.kal * step)


def which_unit(frame: Frame, step: int, unit: str) -> Time | None:
    """`last week`, `next quarter`."""
    return units(frame, unit, step)


def which_several(frame: Frame, step: int, count: int, unit: str = "day") -> Time | None:
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
        edge = moved(frame.today, step * count, unit)
        tomorrow = moved(frame.today, 1, "day")
        if unit == "workday" and step > 0 and tomorrow is not None:
            tomorrow = moved(frame.today, 1, "workday")
        found = stretch("span", edge, frame.today) if step < 0 else stretch("span", tomorrow, edge)
    mark = "last" if step < 0 else "next"
    return found._replace(mark=mark, several=count, rule=unit) if found is not None else None


def front_several(frame: Frame, count: int, unit: str = "day") -> Time | None:
    """`前10天`: the past ten days, or the first ten of what stands before it."""
    found = which_several(frame, -1, count, unit)
    return found._replace(mark="front") if found is not None else None


def several_which(frame: Frame, count: int, step: int, unit: str) -> Time | None:
    """`the 3 next weeks`."""
    return which_several(frame, step, count, unit)


def either(frame: Frame, one: int, unit: str, two: int, other: str) -> Time | None:
    """`last week or this week`: both together."""
    low, high = units(frame, unit, min(one, two)), units(frame, other, max(one, two))
    return stretch("span", low.start, high.end) if low is not None and high is not None else None


def either_unit(frame: Frame, one: int, two: int, unit: str) -> Time | None:
    """`this or next week`."""
    return either(frame, one, unit, two, unit)


def which_month(frame: Frame, step: int, number: int) -> Time | None:
    """`this August` is this year's; `last March` the latest one that is over, `next May` the one to come."""
    found = month(frame, number)
    return _stepped(frame, step, found) if found is not None else None


def this_month(frame: Frame, step: int) -> Time | None:
    """`上月`."""
    return units(frame, "month", step)


def this_year(frame: Frame, step: int) -> Time | None:
    """`本年`."""
    return units(frame, "year", step)


def this_month_day(frame: Frame, step: int, *values: object) -> Time | None:
    """`इस महीने 21 तारीख`."""
    number = values[-1]
    if len(values) > 1 and values[0] != "month":
        return None
    outer = units(frame, "month", step)
    if outer is None or not isinstance(number, int):
        return None
    return within(outer, Time("day", form="day", a=number))


def which_slash_day(frame: Frame, step: int, value: tuple[int, int]) -> Time | None:
    """`next 5/12`."""
    found = _month_day(*value)
    return _stepped(frame, step, found) if found is not None else None


def which_day_month(frame: Frame, step: int, day_number: int, number: int) -> Time | None:
    """`अगले 6 अप्रैल`."""
    return which_slash_day(frame, step, (number, day_number))


def which_month_day(frame: Frame, step: int, number: int, day_number: int) -> Time | None:
    """`next April 6`."""
    return which_slash_day(frame, step, (number, day_number))


def the_unit(frame: Frame, unit: str) -> Time | None:
    """`the week`, `of the year`: this one, if a question means any."""
    found = units(frame, unit, 0)
    return found._replace(loose=True) if found is not None else None


def bare_unit(frame: Frame, unit: str) -> Time | None:
    """`weekend`."""
    if unit not in {"weekend", "workweek"}:
        return None
    this = the_unit(frame, unit)
    if this is not None and this.start is not None and frame.lean == "past" and this.start > frame.today:
        return units(frame, unit, -1)
    return this


def to_date(frame: Frame, unit: str) -> Time | None:
    """`the year to date`."""
    whole = units(frame, unit, 0)
    return stretch("span", whole.start, frame.today) if whole is not None else None


def which_to_date(frame: Frame, step: int, unit: str) -> Time | None:
    """`this year to date`."""
    return to_date(frame, unit) if step == 0 else None


def until_today(frame: Frame) -> Time:
    """`to date`."""
    return Time("day", None, frame.today, relation="until", loose=True)


def edge(_frame: Frame, name: str) -> Time:
    """The beginning, middle or end of what stands beside it."""
    return Time("day", form="edge", rule=name, care=True)


def edge_unit(frame: Frame, name: str, unit: str) -> Time | None:
    """`the end of the week`."""
    outer = units(frame, unit, 0)
    return compose(outer, edge(frame, name), frame) if outer is not None else None


def unit_edge(frame: Frame, unit: str, name: str) -> Time | None:
    """`साल के अंत`."""
    return edge_unit(frame, name, unit)


def edge_of(frame: Frame, value: tuple[str, str]) -> Time | None:
    """`年底`, `月末`."""
    return edge_unit(frame, value[1], value[0])


# ---------------------------------------------------------------------- lengths and offsets


def counted(_frame: Frame, number: int, unit: str) -> Length | None:
    """`three weeks`."""
    return ((number, unit),) if 0 < number < 100000 else None


def numbered(frame: Frame, number: int, unit: str) -> Time | None:
    """`21世纪`, `90年代`: a number that names a century or a decade."""
    if unit == "century" and number > 9:
        return century(number)
    return decade(frame, number) if unit == "decade" and number >= 10 else None


def length(_frame: Frame, number: int, unit: str) -> Length:
    """`a few days`."""
    return ((number, unit),)


def longer(_frame: Frame, *lengths: Length) -> Length:
    """`2 years 1 month 21 days`."""
    return tuple(pair for one in lengths for pair in one)


def _shift(day: date | None, size: Length, sign: int) -> date | None:
    for number, unit in size:
        if day is not None:
            day = moved(day, sign * number, unit)
    return day


def _offset(day: date | None, size: Length, sign: int) -> Time | None:
    found = _shift(day, size, sign)
    settled = stretch("day", found, found)
    return settled._replace(mark="offset") if settled is not None else None


def ago(frame: Frame, size: Length) -> Time | None:
    """`three weeks ago`: that day."""
    found = _offset(frame.today, size, -1)
    return found._replace(relation="ago") if found is not None else None


def later(frame: Frame, size: Length) -> Time | None:
    """`in two weeks`: that day."""
    return _offset(frame.today, size, 1)


def some_days(_frame: Frame, number: int) -> Length:
    """`3日` before 前 or 後: a length."""
    return ((number, "day"),)


def half_ago(frame: Frame, unit: str) -> Time | None:
    """`半年前`."""
    return ago(frame, ((1, unit),)) if unit == "half" else None


def half_later(frame: Frame, unit: str) -> Time | None:
    """`半年後`."""
    return later(frame, ((1, unit),)) if unit == "half" else None


def before(frame: Frame, size: Length, time: Time) -> Time | None:
    """`two days before yesterday`."""
    settled = settle(time, frame)
    return _offset(settled.start, size, -1) if settled is not None else None


def after(frame: Frame, size: Length, time: Time) -> Time | None:
    """`3 weeks after Christmas`."""
    settled = settle(time, frame)
    return _offset(settled.start, size, 1) if settled is not None else None


def back_from(frame: Frame, time: Time, size: Length) -> Time | None:
    """`कल से दो दिन पहले`, `春节前三天`."""
    return before(frame, size, time)


def on_from(frame: Frame, time: Time, size: Length) -> Time | None:
    """`आज के दो दिन बाद`."""
    return after(frame, size, time)


def more_before(frame: Frame, size: Length, time: Time) -> Time | None:
    """`more than two days before yesterday`: any day up to the one before that."""
    found = before(frame, size, time)
    if found is None or found.start is None:
        return None
    return Time("span", None, moved(found.start, -1, "day"), relation="before")


def more_after(frame: Frame, size: Length, time: Time) -> Time | None:
    """`more than two weeks after today`."""
    found = after(frame, size, time)
    return Time("span", found.start, None, relation="after") if found is not None else None


def less_before(frame: Frame, size: Length, time: Time) -> Time | None:
    """`less than two days before Friday`."""
    found, settled = before(frame, size, time), settle(time, frame)
    return stretch("span", found.start, settled.start) if found is not None and settled is not None else None


def less_after(frame: Frame, size: Length, time: Time) -> Time | None:
    """`less than three days after tomorrow`."""
    found, settled = after(frame, size, time), settle(time, frame)
    return stretch("span", settled.start, found.start) if found is not None and settled is not None else None


def within_from(frame: Frame, time: Time, size: Length) -> Time | None:
    """`कल के बाद 3 दिन से कम`."""
    return less_after(frame, size, time)


def lasting(frame: Frame, size: Length, time: Time) -> Time | None:
    """`for 3 days starting next Monday`."""
    settled = settle(time, frame)
    if settled is None or settled.start is None:
        return None
    end = _shift(settled.start, size, 1)
    return stretch("span", settled.start, moved(end, -1, "day") if end is not None else None)


def lasting_from(frame: Frame, time: Time, size: Length) -> Time | None:
    """`from Monday for 3 days`."""
    return lasting(frame, size, time) if time.grain == "day" else None


# ---------------------------------------------------------------------- together


def composed(frame: Frame, one: Time, two: Time) -> Time | None:
    """Two neighbours read as one."""
    if one.relation not in {"", "ago"} or two.relation not in {"", "ago"}:
        return None
    return compose(one, two, frame)


def composed_in(frame: Frame, one: Time, two: Time) -> Time | None:
    """`26 June in 2019`; but what "will end in 2150" is no end of 2150."""
    return None if one.form == "edge" and one.rule not in {"early", "late"} else composed(frame, one, two)


def _low(time: Time) -> date | None:
    return time.point or time.start


def _high(time: Time) -> date | None:
    return time.point or time.end


def ranged(frame: Frame, one: Time, two: Time) -> Time | None:
    """From the first to the second; a year that one of them lacks comes from the other."""
    if one.relation not in {"", "ago"} or two.relation not in {"", "ago"}:
        return None
    if one.mark == "weekday" and two.form == "monthday":
        return compose(one, two, frame)
    if one.form and two.form and frame.lean == "future" and one.form != "weekday":
        two = settle(two, frame) or two
    if one.form and two.form == "" and two.start is not None:
        low: Time | None = _beside(one, frame, two, after=False)
        high: Time | None = two
    else:
        low = settle(one, frame)
        high = _beside(two, frame, low, after=True) if low is not None and two.form else two
    if low is None or high is None or _low(low) is None or _high(high) is None:
        return None
    found = stretch("span", _low(low), _high(high))
    return found._replace(relation="between") if found is not None else None


def _beside(time: Time, frame: Frame, other: Time | None, *, after: bool) -> Time | None:
    """The occurrence of `time` that is nearest to `other` on its right side."""
    if other is None or other.start is None or other.end is None:
        return None
    near = frame._replace(today=other.start if after else other.end, lean="future" if after else "past")
    if time.form == "day":
        inside = unit_at(other.start if after else other.end, "month")
        return within(inside, time) if inside is not None else None
    found = settle(time, near)
    if found is None or found.start is None or found.end is None:
        return None
    if distance(found, near) >= 1000:
        return None
    return found


def sure(_frame: Frame, time: Time) -> Time | None:
    """A preposition or brackets make it a date."""
    if time.form in {"edge", "nth"} and time.care:
        return time
    return time._replace(care=time.form == "day" and time.care, loose=time.loose)


def _plain(frame: Frame, time: Time) -> Time | None:
    if time.relation not in {"", "ago"}:
        return None
    return settle(time, frame)


def since(frame: Frame, time: Time) -> Time | None:
    """From its first day on."""
    if time.relation == "between":
        return time
    settled = _plain(frame if frame.lean == "future" else frame._replace(lean="past"), time)
    if settled is None or _low(settled) is None:
        return None
    return settled._replace(start=_low(settled), end=None, relation="since", care=False)


def until(frame: Frame, time: Time) -> Time | None:
    """Up to its last day, included."""
    if time.relation == "between":
        return time
    settled = _plain(frame, time)
    if settled is None or _high(settled) is None:
        return None
    return settled._replace(start=None, end=_high(settled), relation="until", care=False)


def before_it(frame: Frame, time: Time) -> Time | None:
    """Up to the day before it."""
    settled = _plain(frame, time)
    if settled is None or settled.start is None:
        return None
    end = settled.point or moved(settled.start, -1, "day")
    return settled._replace(start=None, end=end, relation="before", care=False) if end is not None else None


def after_it(frame: Frame, time: Time) -> Time | None:
    """From the day after it."""
    settled = _plain(frame, time)
    if settled is None or settled.end is None:
        return None
    start = moved(_high(settled) or settled.end, 1, "day")
    return settled._replace(start=start, end=None, relation="after", care=False) if start is not None else None


def around(frame: Frame, time: Time) -> Time | None:
    """The time itself; how far around it reaches is for the reader to say."""
    settled = _plain(frame, time)
    return settled._replace(relation="around", care=False) if settled is not None else None
