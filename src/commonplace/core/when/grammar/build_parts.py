"""Builds weekdays, weeks, quarters, halves, seasons, festivals, and the n-th of them."""

from __future__ import annotations

from datetime import date

from commonplace.core.when.grammar.calendar import DateFrame, Time, moved, stretch, unit_at, units, year_time
from commonplace.core.when.grammar.nesting import within


def weekday(_frame: DateFrame, number: int) -> Time:
    """The nearest such day."""
    return Time("day", form="weekday", a=number)


def last_weekday(frame: DateFrame, number: int) -> Time | None:
    """Danish `i fredags`: the latest one before today."""
    return _recent(frame, number)


def _recent(frame: DateFrame, number: int) -> Time | None:
    back = (frame.today.weekday() - number - 1) % 7 + 1
    found = moved(frame.today, -back, unit="day")
    return stretch("day", found, found)


def lately_weekday(frame: DateFrame, _step: int, number: int) -> Time | None:
    """`past Wednesday`: the latest one before today."""
    found = _recent(frame, number)
    return found._replace(mark="weekday") if found is not None else None


def nearing_weekday(frame: DateFrame, _step: int, number: int) -> Time | None:
    """`coming Thursday`: the next one after today."""
    found = moved(frame.today, (number - frame.today.weekday() - 1) % 7 + 1, unit="day")
    coming = stretch("day", found, found)
    return coming._replace(mark="weekday") if coming is not None else None


def upon_weekday(frame: DateFrame, _step: int, number: int) -> Time | None:
    """Danish `på fredag`: the coming one, unless the question is about the past."""
    return weekday(frame, number) if frame.lean == "past" else nearing_weekday(frame, 1, number)


def which_weekday(frame: DateFrame, step: int, number: int) -> Time | None:
    """`previous Friday` is last week's, as `上周五` is."""
    week = units(frame, "week", step)
    found = within(week, Time("day", form="weekday", a=number)) if week is not None else None
    return found._replace(mark="weekday") if found is not None else None


def bygone_weekday(frame: DateFrame, step: int, number: int) -> Time | None:
    """`last Tuesday` is last week's; said at a weekend it is of the week that ends, unless it was yesterday."""
    today = frame.today.weekday()
    if today >= _SATURDAY and number < today - 1:
        return lately_weekday(frame, step, number)
    return which_weekday(frame, step, number)


_SATURDAY = 5


def unit_number(_frame: DateFrame, unit: str, number: int) -> Time | None:
    """`week 31`, `kvartal 3`."""
    if unit == "week" and 1 <= number <= 53:
        return Time("week", form="week", a=number)
    if unit == "quarter" and 1 <= number <= 4:
        return Time("quarter", form="quarter", a=number)
    return None


def quarter(_frame: DateFrame, _letter: int, number: int) -> Time | None:
    """`Q3`."""
    return Time("quarter", form="quarter", a=number, care=True) if 1 <= number <= 4 else None


def half_letter(_frame: DateFrame, _letter: int, number: int) -> Time | None:
    """`H2`."""
    return Time("half", form="half", a=number, care=True) if 1 <= number <= 2 else None


def year_half(_frame: DateFrame, year_number: int, _letter: int, number: int) -> Time | None:
    """`2019-H2`."""
    outer = year_time(year_number)
    return within(outer, Time("half", form="half", a=number)) if outer is not None else None


def half_year(frame: DateFrame, letter: int, number: int, year_number: int) -> Time | None:
    """`H2 2019`."""
    return year_half(frame, year_number, letter, number)


def year_week(_frame: DateFrame, year_number: int, number: int) -> Time | None:
    """`2025-W12`."""
    outer = year_time(year_number)
    return within(outer, Time("week", form="week", a=number)) if outer is not None else None


def nth(frame: DateFrame, number: int, unit: str) -> Time | None:
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


def nth_several(_frame: DateFrame, _number: int, count: int, unit: str) -> Time | None:
    """`first two weeks`; of other ordinals nobody counts several."""
    return Time(unit, form="nth", a=1, b=count, rule=unit, care=True) if _number == 1 and count > 0 else None


def first_several(_frame: DateFrame, count: int, unit: str = "day") -> Time | None:
    """`前10天`, `最初の3日`."""
    return Time(unit, form="nth", a=1, b=count, rule=unit, care=True) if count > 0 else None


def first_one(_frame: DateFrame, unit: str) -> Time:
    """`最初の週`."""
    return Time(unit, form="nth", a=1, b=1, rule=unit, care=True)


def last_several(_frame: DateFrame, count: int, unit: str = "day") -> Time | None:
    """`最後3週`."""
    return Time(unit, form="nth", a=-count, b=count, rule=unit, care=True) if count > 0 else None


def last_one(_frame: DateFrame, unit: str) -> Time:
    """`最後の週`."""
    return Time(unit, form="nth", a=-1, b=1, rule=unit, care=True)


def half(_frame: DateFrame, number: int) -> Time | None:
    """`first half`."""
    return Time("half", form="half", a=number, rule="any", care=True) if number in {1, 2} else None


def half_of(_frame: DateFrame, value: tuple[str, int]) -> Time:
    """`上半年`, `下半周`."""
    return Time("half", form="half", a=value[1], rule=value[0], care=value[0] == "any")


def season(_frame: DateFrame, number: int) -> Time:
    """Meteorological seasons of the north."""
    return Time("season", form="season", a=number)


def which_season(frame: DateFrame, step: int, number: int) -> Time | None:
    """`last summer`."""
    return stepped(frame, step, time=season(frame, number))


def festival(_frame: DateFrame, rule: str) -> Time:
    """A day of fixed date, or of a rule."""
    return Time("day", form="festival", rule=rule)


def which_festival(frame: DateFrame, step: int, rule: str) -> Time | None:
    """`last Easter` is the latest one before today."""
    return stepped(frame, step, time=festival(frame, rule))


def nth_feast(_frame: DateFrame, number: int, rule: str) -> Time | None:
    """Danish `2. juledag`: so many days from the feast on."""
    if number > 3:
        return None
    head, day = ("12-", 24 + number) if rule == "12-25" else ("easter+", int(rule[len("easter") :] or 0) + number - 1)
    return Time("day", form="festival", rule=f"{head}{day}")


def nth_weekday(_frame: DateFrame, number: int, weekday_number: int) -> Time | None:
    """`the second Monday`, `第4木曜日`: of what stands beside it."""
    return Time("day", form="nthday", a=number, b=weekday_number, care=True) if 1 <= number <= 5 else None


def final_weekday(_frame: DateFrame, weekday_number: int) -> Time:
    """`the last Friday of`."""
    return Time("day", form="nthday", a=-1, b=weekday_number, care=True)


def stepped(frame: DateFrame, step: int, *, time: Time) -> Time | None:
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
