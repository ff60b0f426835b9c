"""Builds lengths of time ("three weeks"), and the days that they lead to ("for three weeks", "three weeks ago")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.when.grammar.build_days import decade
from commonplace.core.when.grammar.build_parts import century
from commonplace.core.when.grammar.calendar import DateFrame, Time, moved, stretch
from commonplace.core.when.grammar.missing_parts import settle

if TYPE_CHECKING:
    from datetime import date

Length = tuple[tuple[int, str], ...]
"""How long: pairs of a number and a unit."""


def counted(_frame: DateFrame, number: int, unit: str) -> Length | None:
    """`three weeks`."""
    return ((number, unit),) if 0 < number < 100000 else None


def numbered(frame: DateFrame, number: int, unit: str) -> Time | None:
    """`21世纪`, `90年代`: a number that names a century or a decade."""
    if unit == "century" and number > 9:
        return century(number)
    return decade(frame, number) if unit == "decade" and number >= 10 else None


def length(_frame: DateFrame, number: int, unit: str) -> Length:
    """`a few days`."""
    return ((number, unit),)


_HALF = {
    "century": (50, "year"),
    "decade": (5, "year"),
    "year": (6, "month"),
    "month": (15, "day"),
    "week": (3, "day"),
    "day": (0, "day"),
}


def half_more(_frame: DateFrame, number: int, unit: str, *_one: int) -> Length | None:
    """`halvandet år`, `一年半`, `a year and a half`, `to og et halvt år`."""
    half = _HALF.get(unit)
    return ((number, unit), half) if half is not None and 0 < number < 100000 else None


def and_half(frame: DateFrame, number: int, _one: int, unit: str) -> Length | None:
    """`two and a half years`."""
    return half_more(frame, number, unit)


def half_of(_frame: DateFrame, unit: str) -> Length | None:
    """`half a year`, `et halvt århundrede`, `半个月`."""
    half = _HALF.get(unit)
    return (half,) if half is not None else None


def month_and_half(frame: DateFrame, number: int) -> Length | None:
    """`两个半月`."""
    return half_more(frame, number, "month")


def half_month(frame: DateFrame) -> Length | None:
    """`半月`."""
    return half_of(frame, "month")


def longer(_frame: DateFrame, *lengths: Length) -> Length:
    """`2 years 1 month 21 days`."""
    return tuple(pair for one in lengths for pair in one)


def _shift(day: date | None, size: Length, *, sign: int) -> date | None:
    for number, unit in size:
        if day is not None:
            day = moved(day, sign * number, unit=unit)
    return day


def _offset(day: date | None, size: Length, *, sign: int) -> Time | None:
    found = _shift(day, size, sign=sign)
    settled = stretch("day", found, found)
    return settled._replace(mark="offset") if settled is not None else None


def ago(frame: DateFrame, size: Length) -> Time | None:
    """`three weeks ago`: that day."""
    found = _offset(frame.today, size, sign=-1)
    return found._replace(relation="ago", rule=size[-1][1]) if found is not None else None


def later(frame: DateFrame, size: Length) -> Time | None:
    """`in two weeks`: that day."""
    return _offset(frame.today, size, sign=1)


def some_days(_frame: DateFrame, number: int) -> Length:
    """`3日` before 前 or 後: a length."""
    return ((number, "day"),)


def half_ago(frame: DateFrame, unit: str) -> Time | None:
    """`半年前`."""
    return ago(frame, ((1, unit),)) if unit == "half" else None


def half_later(frame: DateFrame, unit: str) -> Time | None:
    """`半年後`."""
    return later(frame, ((1, unit),)) if unit == "half" else None


def one_ago(frame: DateFrame, unit: str) -> Time | None:
    """`неделю назад`."""
    return ago(frame, ((1, unit),))


def one_later(frame: DateFrame, unit: str) -> Time | None:
    """`через месяц`."""
    return later(frame, ((1, unit),))


def before(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`two days before yesterday`."""
    settled = settle(time, frame)
    return _offset(settled.start, size, sign=-1) if settled is not None else None


def after(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`3 weeks after Christmas`."""
    settled = settle(time, frame)
    return _offset(settled.start, size, sign=1) if settled is not None else None


def more_before(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`more than two days before yesterday`: any day up to the one before that."""
    found = before(frame, size, time)
    if found is None or found.start is None:
        return None
    return Time("span", None, moved(found.start, -1, unit="day"), relation="before")


def more_after(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`more than two weeks after today`."""
    found = after(frame, size, time)
    return Time("span", found.start, None, relation="after") if found is not None else None


def less_before(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`less than two days before Friday`."""
    found, settled = before(frame, size, time), settle(time, frame)
    return stretch("span", found.start, settled.start) if found is not None and settled is not None else None


def less_after(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`less than three days after tomorrow`."""
    found, settled = after(frame, size, time), settle(time, frame)
    return stretch("span", settled.start, found.start) if found is not None and settled is not None else None


def lasting(frame: DateFrame, size: Length, time: Time) -> Time | None:
    """`for 3 days starting next Monday`."""
    settled = settle(time, frame)
    if settled is None or settled.start is None:
        return None
    end = _shift(settled.start, size, sign=1)
    return stretch("span", settled.start, moved(end, -1, unit="day") if end is not None else None)


def lasting_from(frame: DateFrame, time: Time, size: Length) -> Time | None:
    """`from Monday for 3 days`."""
    return lasting(frame, size, time) if time.grain == "day" else None
