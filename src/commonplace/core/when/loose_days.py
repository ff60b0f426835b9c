"""Whether a line of a log names a day in a shape that is too loose to date it by, but answers who asks for that day:
`Vet 13/5`, `parcel comes Wednesday`, `the 13th: dentist`, 5月13日前.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
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
_UNIT = r"\s?(?:[€$£%¥₽₹元円]|[kK][gmr]\b|[mMgG][bB]\b|(?:usd|eur|dkk|руб)\b)"
"""What makes figures an amount: `13.05 €`."""
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def names_loosely(text: str, recorded: date, day: date, told: Sequence[When], *, ahead: bool) -> bool:
    """Return whether a line names a day after its own.

    Args:
        told: the dates that it names plainly.
        ahead: whether a weekday, or a day without its month, counts.
    """
    days = (day - recorded).days
    if not 0 < days < _YEAR or any((day.month, day.day) == _of_year(each.span.start) for each in told):
        return False
    years = _YEARS.findall(text)
    if (not years or str(day.year) in years) and _written(day).search(text) is not None:
        return True
    if not ahead or days > _MONTH or not all(_is_a_last_weekday(each, recorded) for each in told):
        return False
    alone = _alone(day) if days >= _WEEK else _alone_or_weekday(day)  # on Saturday, "Saturday" is today
    if alone.search(text) is None:
        return False
    from commonplace.core.when.tense import told as is_told  # here, because few lines come so far

    return not is_told(text)


def _is_a_last_weekday(each: When, recorded: date) -> bool:
    """Whether a date is a weekday alone, read as the last one, which may be one to come."""
    span, last_days = each.span, Span(recorded - timedelta(_WEEK - 1), recorded)
    return span.start == span.end and span.overlaps(last_days) and not any(map(str.isdigit, each.phrase))


def _of_year(day: date | None) -> tuple[int, int] | None:
    return None if day is None else (day.month, day.day)


@lru_cache(64)
def _written(day: date) -> re.Pattern[str]:
    """Return what matches a day with its month."""
    return _any(_with_month(day))


def _with_month(day: date) -> Iterator[str]:
    names = table("day_names")
    end = rf"(?:{_ordinal(day)}|\.)?"
    for language, months in names["months"].items():
        said = "|".join(map(re.escape, months[day.month - 1].split()))
        before = "" if language == "hi" else rf"|(?:{said})\.? {day.day}{end}(?![\d:])"
        yield rf"{day.day}{end} (?:of )?(?:{said})(?!\w| [0-9]{{2}}(?![:.0-9])){before}"
    yield rf"{day.day}\.0?{day.month}\.(?!\d)|{day.day:02}\.{day.month:02}(?![.\d]|{_UNIT})"
    yield rf"0?{day.day}/0?{day.month}(?![/\d]|{_UNIT})"
    yield rf"0?{day.month}月0?{day.day}(?!\d)"
    if day.day > _MONTHS:
        yield rf"0?{day.month}/0?{day.day}(?![/\d]|{_UNIT})"


@lru_cache(64)
def _alone(day: date) -> re.Pattern[str]:
    """Return what matches a day of a month without it."""
    return _any(_without_month(day))


@lru_cache(64)
def _alone_or_weekday(day: date) -> re.Pattern[str]:
    """Return what matches a day of a month without it, or a weekday that is not said to be over."""
    return _any((*_without_month(day), *_weekdays(day)))


def _without_month(day: date) -> Iterator[str]:
    for shapes in table("day_names")["of_month"].values():
        for shape in shapes:
            said = re.escape(shape.format(day=day.day, ordinal=_ordinal(day)))
            yield rf"{said}(?!\w)" if said[-1] < FAR_EAST else rf"(?<![第月]){said}(?!間|间)"


def _weekdays(day: date) -> Iterator[str]:
    names = table("day_names")
    for language, days in names["weekdays"].items():
        said = "|".join(map(re.escape, days[day.weekday()].split()))
        over = "".join(rf"(?<!{re.escape(word)})" for word in names["over"][language])
        yield rf"{over}(?:{said})" + ("" if said[0] >= FAR_EAST else r"(?!\w)")


def _ordinal(day: date) -> str:
    endings: dict[str, str] = table("day_names")["ordinals"]
    return endings.get(str(day.day), endings["other"])


def _any(shapes: Iterator[str] | tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches one of these shapes in any case, not behind a letter of a script with spaces, or a figure."""
    return re.compile(rf"(?i)(?<![^\W_\u3040-\U0010ffff])(?<![\d][.,:/-])(?<![$€£¥#+-])(?:{'|'.join(shapes)})")
