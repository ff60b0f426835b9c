"""Builds days, months and years from digits and names, and ranges of days of one month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.when.grammar.calendar import DateFrame, Time, day_of, months, stretch, unit_at, units, year_time
from commonplace.core.when.grammar.missing_parts import compose, settle

if TYPE_CHECKING:
    from datetime import date

# ---------------------------------------------------------------------- numeric dates


def _on(year: int, month: int, day: int) -> Time | None:
    found = day_of(year, month, day)
    return stretch("day", found, found)


def ymd(_frame: DateFrame, value: tuple[int, int, int]) -> Time | None:
    """A whole day in digits."""
    return _on(*value)


def short_ymd(_frame: DateFrame, value: tuple[int, int, int]) -> Time | None:
    """`5/12/20`, `12-11-10`: a day with a year of two digits."""
    found = _on(*value)
    return found._replace(care=True) if found is not None else None


def ym(_frame: DateFrame, value: tuple[int, int]) -> Time | None:
    """`2025-11`."""
    return unit_at(start, "month") if (start := day_of(*value, 1)) is not None else None


def years(_frame: DateFrame, value: tuple[int, int]) -> Time | None:
    """`1995-1997`."""
    found = stretch("span", day_of(value[0], 1, 1), day_of(value[1], 12, 31))
    return found._replace(relation="between", care=not 1800 <= value[0] <= 2100) if found is not None else None


def slash_day(_frame: DateFrame, value: tuple[int, int]) -> Time | None:
    """`5/12`: a day, where the neighbours agree."""
    return on_every(*value, care=True)


def slash_numbers(frame: DateFrame, one: int, two: int) -> Time | None:
    """`11 / 7`."""
    month, day = (two, one) if frame.day_first or one > 12 else (one, two)
    return on_every(month, day, care=True)


def dotted_day(frame: DateFrame, _weekday: int, value: tuple[int, int]) -> Time | None:
    """`Friday 7.6`: the order of the language."""
    month, day = (value[1], value[0]) if frame.day_first else value
    return on_every(month, day)


def dotted_which_day(frame: DateFrame, _step: int, weekday: int, value: tuple[int, int]) -> Time | None:
    """`this Friday 7.6`."""
    return dotted_day(frame, weekday, value)


def month_yd(_frame: DateFrame, number: int, value: tuple[int, int]) -> Time | None:
    """`September-2020-23`."""
    return _on(value[0], number, value[1])


def dy_month(_frame: DateFrame, value: tuple[int, int], number: int) -> Time | None:
    """`23-2020-September`."""
    return _on(value[1], number, value[0])


def dotted_day_year(_frame: DateFrame, value: tuple[int, int], year: int) -> Time | None:
    """`24.12. 2025`."""
    return _on(year, value[1], value[0])


def days_of_unit(frame: DateFrame, value: tuple[int, int], step: int, unit: str) -> Time | None:
    """`4-23 in next month`."""
    month = units(frame, unit, step)
    if unit != "month" or month is None or month.start is None:
        return None
    found = stretch("span", day_of(month.start.year, month.start.month, value[0]), _day_in(month.start, value[1]))
    return found._replace(relation="between") if found is not None else None


def _day_in(month: date, day: int) -> date | None:
    return day_of(month.year, month.month, day)


# ---------------------------------------------------------------------- years


def year(_frame: DateFrame, number: int) -> Time | None:
    """A bare number that can be a year."""
    found = year_time(number)
    return found._replace(care=True) if found is not None else None


def sure_year(_frame: DateFrame, number: int) -> Time | None:
    """A number that says it is a year."""
    return year_time(number)


def until_year(_frame: DateFrame, number: int) -> Time | None:
    """`<= 2019`."""
    found = year_time(number)
    return found._replace(start=None, relation="until") if found is not None else None


def _full(year: int, frame: DateFrame) -> int:
    """A year of two digits is the one no more than twenty years ahead."""
    if year >= 100:
        return year
    year += frame.today.year // 100 * 100
    return year if year <= frame.today.year + 20 else year - 100


def short_year(frame: DateFrame, number: int) -> Time | None:
    """`cy18`, `07年`."""
    return year_time(_full(number, frame))


def unit_year(_frame: DateFrame, unit: str, number: int) -> Time | None:
    """`year 2008`."""
    return year_time(number) if unit == "year" else None


def year_unit(frame: DateFrame, number: int, unit: str) -> Time | None:
    """`2008 वर्ष`, `1990年代`."""
    if unit == "decade":
        return decade(frame, number)
    return year_time(number) if unit == "year" else None


def decade(frame: DateFrame, number: int) -> Time | None:
    """`1990s`, `90s`: of two digits the latest that has begun."""
    if number % 10 or 0 < number < 10:
        return None
    if number < 100:
        number = _full(number, frame)
        number -= 100 if number > frame.today.year else 0
    start = day_of(number, 1, 1)
    return unit_at(start, "decade") if start is not None else None


def decade_of_two_digits(frame: DateFrame, number: int, unit: str) -> Time | None:
    """`90 के दशक`."""
    return decade(frame, number) if unit == "decade" and 0 < number < 100 else None


def era(frame: DateFrame, base: int, *numbers: int) -> Time | None:
    """`令和7年11月`, `民国三年`; the era's first year is base + 1."""
    year_number, *rest = numbers or (1,)
    return _dated(base + year_number, *rest)


def era_first(_frame: DateFrame, base: int, *rest: int) -> Time | None:
    """`令和元年5月`."""
    return _dated(base + 1, *rest)


def fiscal(_frame: DateFrame, number: int) -> Time | None:
    """`2024年度`: in Japan from April to March; its quarters and halves are counted from April."""
    return months(number, 4, 12, "year")


def era_fiscal(frame: DateFrame, base: int, number: int = 1) -> Time | None:
    """`令和5年度`."""
    return fiscal(frame, base + number)


def hundred(_frame: DateFrame, number: int) -> Time | None:
    """Danish `1800-tallet`."""
    start = day_of(number, 1, 1)
    return unit_at(start, "century") if start is not None and number % 100 == 0 else None


def _dated(year_number: int, month_number: int = 0, day_number: int = 0) -> Time | None:
    if day_number:
        return _on(year_number, month_number, day_number)
    if month_number:
        start = day_of(year_number, month_number, 1)
        return unit_at(start, "month") if start is not None else None
    return year_time(year_number)


# ---------------------------------------------------------------------- months and days


def on_every(month_number: int, day_number: int, *, care: bool = False) -> Time | None:
    """That day of some year, or None where no year has it."""
    if day_of(2000, month_number, day_number) is None:
        return None
    return Time("day", form="monthday", a=month_number, b=day_number, care=care)


def month(_frame: DateFrame, number: int) -> Time | None:
    """A month of some year."""
    return Time("month", form="month", a=number) if 1 <= number <= 12 else None


def month_year(frame: DateFrame, number: int, year_number: int) -> Time | None:
    """`March 2019`, `April of 87`."""
    return _dated(_full(year_number, frame), number) if 1 <= number <= 12 else None


def month_day(frame: DateFrame, number: int, day_number: int, year_number: int = 0) -> Time | None:
    """`Nov 27`, `Nov 27, 2025`."""
    return _on(_full(year_number, frame), number, day_number) if year_number else on_every(number, day_number)


def day_unit_month(_frame: DateFrame, day_number: int, unit: str, number: int) -> Time | None:
    """`the 15th day of March`."""
    if unit == "day":
        return on_every(number, day_number)
    return None


def year_month_day(frame: DateFrame, year_number: int, number: int, day_number: int) -> Time | None:
    """`2019-aug-01`, `2025年11月27日`."""
    return _on(_full(year_number, frame), number, day_number)


def day(_frame: DateFrame, number: int) -> Time | None:
    """`the 15th`, `15日`."""
    return Time("day", form="day", a=number, care=True) if 1 <= number <= 31 else None


def the_day(_frame: DateFrame, number: int) -> Time | None:
    """`the 15th`, with its digits: a day of a month after "on" in a text, and alone in a question."""
    found = day(_frame, number)
    return found._replace(mark="digits") if found is not None else None


def weekday_day(frame: DateFrame, number: int, day_number: int) -> Time | None:
    """`Monday 21`, `Wednesday the thirty-first`; not `Saturday, 9 PM` (`Lexer`)."""
    if not 1 <= day_number <= 31:
        return None
    return compose(Time("day", form="weekday", a=number), Time("day", form="day", a=day_number), frame=frame)


def month_days(frame: DateFrame, number: int, *rest: object) -> Time | None:
    """`Nov 27-30, 2025`."""
    return _days(frame, number, values=rest)


def year_month_days(frame: DateFrame, year_number: int, number: int, *days: object) -> Time | None:
    """`2025年3月10日から20日`, `2025年3月10-20日`."""
    return _days(frame, number, values=(*days, year_number))


def days_month(frame: DateFrame, *values: object) -> Time | None:
    """`27-30 November 2025`."""
    at = 1 if isinstance(values[0], tuple) else 2
    number = values[at]
    return _days(frame, number, values=values[:at] + values[at + 1 :]) if isinstance(number, int) else None


def two_days(frame: DateFrame, number: int, first: int, second: int, *year: int) -> Time | None:
    """`May 14 and 15`: two days that follow each other."""
    if second != first + 1 or on_every(number, second) is None:
        return None
    time = Time("day", form="monthdays", a=number, b=first)
    outer = year_time(_full(year[0], frame)) if year else None
    return compose(outer, time, frame=frame) if outer is not None else time


def two_days_month(frame: DateFrame, first: int, second: int, number: int, *year: int) -> Time | None:
    """`14 and 15 May`."""
    return two_days(frame, number, first, second, *year)


def year_two_days(frame: DateFrame, year_number: int, number: int, first: int, second: int) -> Time | None:
    """`2024年5月14日和15日`."""
    return two_days(frame, number, first, second, year_number)


def days_alone(frame: DateFrame, low: int, high: int) -> Time | None:
    """`3日から9日まで`: of the month that is nearest."""
    first = settle(Time("day", form="day", a=low), frame)
    if first is None or first.start is None:
        return None
    return stretch("span", first.start, _day_in(first.start, high), relation="between")


def _days(frame: DateFrame, number: int, *, values: tuple[object, ...]) -> Time | None:
    if isinstance(values[0], tuple):
        values = values[0] + values[1:]
    low, high, *rest = (value for value in values if isinstance(value, int))
    start: Time | None
    if rest:
        start = _on(rest[0], number, low)
    else:
        start = on_every(number, low)
        start = settle(start, frame) if start is not None else None
    if start is None or start.start is None:
        return None
    return stretch("span", start.start, _day_in(start.start, high), relation="between")
