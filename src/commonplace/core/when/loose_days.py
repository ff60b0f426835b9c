"""Whether a line of a log names a day in a shape that is too loose to date it by, but answers who asks for that day:
`Vet 13/5`, `parcel comes Wednesday`, `the 13th: dentist`, 5月13日前.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from commonplace.core.model import When

_YEAR, _MONTH, _WEEK = 366, 31, 7
_MONTHS = 12
_SHORT = 3
"""Letters of a weekday that is cut short: `Wed`."""
_UNIT = r"\s?(?:[€$£%¥₽₹元円]|[kK][gmr]\b|[mMgG][bB]\b|(?:usd|eur|dkk|руб)\b)"
"""What makes figures an amount: `13.05 €`."""
_TO = r"\s?[-–]\s?[0-9]{2}\.(?:00|1[3-9]|[2-5][0-9])"
"""What makes figures the time of a day: `12.05-12.45`."""
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BEFORE = r"(?<![^\W_\u3040-\U0010ffff])(?<![\d][.,:/-])(?<![$€£¥#+-])"
"""Not behind a letter of a script with spaces, or a figure."""
_NO_LETTER = r"(?![^\W_\u3040-\U0010ffff])"


def loosely_named(text: str, recorded: date, days: Sequence[date], told: Sequence[When], *, today: date) -> date | None:
    """Return the first of these days that a line names, if it is after its own.

    Args:
        told: the dates that it names plainly.
        today: a weekday, or a day without its month, names a day after this one.
    """
    plain = {(span.start.month, span.start.day) for span, *_ in told if span.start is not None}
    ahead = {day: (day - recorded).days for day in days if (day.month, day.day) not in plain}
    to_come = [day for day, far in ahead.items() if 0 < far < _YEAR]
    if not to_come:
        return None
    years, written = _YEARS.findall(text), frozenset(_with_month(text))
    for day in to_come:
        if (day.month, day.day) in written and (not years or str(day.year) in years):
            return day
    if years or not all(_is_a_last_weekday(each, recorded) for each in told):
        return None
    numbers = frozenset(_without_month(text)).difference(number for _, number in plain)
    weekdays = frozenset(_weekdays(text))
    for day in (day for day in to_come if day > today):
        if (ahead[day] < _WEEK and day.weekday() in weekdays) or (ahead[day] <= _MONTH and day.day in numbers):
            from commonplace.core.when.tense import told as is_told  # here, because few lines come so far

            return None if is_told(text) else day
    return None


def _is_a_last_weekday(each: When, recorded: date) -> bool:
    """Whether a date is a weekday alone, read as the last one, which may be one to come."""
    span, last_days = each.span, Span(recorded - timedelta(_WEEK - 1), recorded)
    return span.start == span.end and span.overlaps(last_days) and not any(map(str.isdigit, each.phrase))


def _with_month(text: str) -> Iterator[tuple[int, int]]:
    """Yield the month and day of each date without a year in a text; a score such as 5/5 is none."""
    months, east, clock = _numbers("months"), max(text, default="") >= FAR_EAST, tuple(table("day_names")["clock"])
    for found in _number_first().finditer(text):
        number = int(found["number"])
        if found["name"]:
            yield months.get(found["name"].casefold(), 0), number
        elif found["han"]:
            yield number, int(found["han"])
        elif found["dotted"] and not (east or text[: found.start()].casefold().endswith(clock)):
            yield int(found["dotted"]), number
        elif found["slashed"] and number != (other := int(found["slashed"])):
            yield (number, other) if east or other > _MONTHS else (other, number)
    for found in _name_first().finditer(text):
        yield months.get(found["name"].casefold(), 0), int(found["number"])


@lru_cache(2)
def _numbers(kind: str) -> dict[str, int]:
    """Return the number of the month or weekday that each name means, from 1 on."""
    languages = table("day_names")[kind].values()
    return {name: number for each in languages for number, names in enumerate(each, 1) for name in names.split()}


def _names(*, but: str = "") -> str:
    """Return what matches the names of months.

    Args:
        but: the language whose names are left out.
    """
    languages = table("day_names")["months"].items()
    return "|".join(sorted(" ".join(name for code, each in languages if code != but for name in each).split()))


def _endings() -> str:
    return "|".join(sorted({*table("day_names")["ordinals"].values()}))


@cache
def _number_first() -> re.Pattern[str]:
    """Match a date that begins with a number."""
    shapes = (
        rf"(?:{_endings()}|\.)? (?:of )?(?P<name>{_names()})(?!\w| [0-9]{{2}}(?![:.0-9]))",
        rf"(?<=[0-9]{{2}})\.(?P<dotted>0?[1-9](?=\.(?!\d))|1[0-2](?=\.(?!\d))|(?:0[1-9]|1[0-2])(?![.\d]|{_UNIT}|{_TO}))",
        rf"/(?P<slashed>[0-9]{{1,2}})(?![/\d]|{_UNIT})",
        r"月0?(?P<han>[0-9]{1,2})(?!\d)",
    )
    return re.compile(rf"(?i){_BEFORE}0?(?P<number>[0-9]{{1,2}})(?:{'|'.join(shapes)})")


@cache
def _name_first() -> re.Pattern[str]:
    """Match a date that begins with the name of its month."""
    return re.compile(
        rf"(?i){_BEFORE}(?P<name>{_names(but='hi')})\.? (?P<number>[0-9]{{1,2}})(?:{_endings()})?{_NO_LETTER}(?![\d:])"
    )


def _without_month(text: str) -> Iterator[int]:
    """Yield the days of a month that a text has without it."""
    for found in _alone().finditer(text):
        yield int("".join(filter(str.isdigit, found[0])))


@cache
def _alone() -> re.Pattern[str]:
    names = table("day_names")
    spans, words = "|".join(names["spans"]), "|".join(table("language", "en")["function"].split())
    ordinal = rf"(?:{_endings()})(?![-/]| (?!(?:{words})\b)(?-i:[a-z]))"  # not the 13th attempt
    shapes = []
    for each in names["of_month"].values():
        for shape in each:
            said = re.escape(shape).replace(r"\{day\}", "[0-9]{1,2}").replace(r"\{ordinal\}", ordinal)
            shapes.append(rf"{said}(?!\w)" if shape[-1] < FAR_EAST else rf"(?<![第月]){said}(?!{spans})")
    return re.compile(rf"(?i){_BEFORE}(?:{'|'.join(shapes)})")


def _weekdays(text: str) -> Iterator[int]:
    """Yield the weekdays that a text has and does not say to be over, Monday as 0."""
    yield from (_numbers("weekdays").get(found[0].casefold(), 0) - 1 for found in _weekday().finditer(text))


@cache
def _weekday() -> re.Pattern[str]:
    names, shapes = table("day_names"), []
    for language, days in names["weekdays"].items():
        over = "".join(rf"(?<!{re.escape(word)})" for word in names["over"][language])
        said = "|".join(map(_as_a_day, " ".join(days).split()))
        shapes.append(f"{over}(?:{said})" + ("(?!次)" if said[0] >= FAR_EAST else r"(?!\w)"))
    return re.compile(rf"(?i){_BEFORE}(?:{'|'.join(shapes)})")


def _as_a_day(name: str) -> str:
    """Return what matches the name of a weekday; one cut short only with a capital: Danish *fri* is off work."""
    return f"(?-i:{name.title()}|{name.upper()})" if name.isascii() and len(name) == _SHORT else re.escape(name)
