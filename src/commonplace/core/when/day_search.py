"""Searches for lines that may name some days, in any language: their dates in full, or words such as "tomorrow".

A search finds more than that: what a line names is read from its text (`days_named`).
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 31
"""Days of a span of which lines are searched that name some of it."""
_WEEK, _YEAR = 7, 366
_FEW = 2 * _WEEK
"""Days of which each is searched by its number, and in loose shapes."""


@lru_cache(8)
def searches(days: Span, *, within: bool = False) -> tuple[tuple[str, Span | None], ...]:
    """Return the searches for lines of other days that may name one of these; none for days without end or too many.

    Each has the days on which such lines are recorded; None for lines without a day.

    Args:
        within: search the lines of these days, too.
    """
    each = _days(days)
    if not each:
        return ()
    start, end = each[0], each[-1]
    near = _any(_near(each, within=within))
    try:
        eve, morrow = end if within else start - timedelta(1), end + timedelta(1)
        before, after = Span(start - timedelta(_YEAR), eve), Span(morrow, end + timedelta(_YEAR))
        shortly = Span(start - timedelta(2 * len(each) + _WEEK), eve)
    except OverflowError:
        return ()
    full = _any(_in_full(each))
    alone = (_any(_without_month(start)), Span(start - timedelta(LONGEST), eve))
    found = (full, before), (full, after), (full, None), (near, shortly), *((alone,) if len(each) == 1 else ())
    if not within or len(each) <= _FEW:
        return found
    exact = _any(_in_full(each, exact=True))
    return (exact, before), (exact, None), *found


def days_named(text: str, recorded: date | None, asked: Span, *, today: date) -> Span | None:
    """Return the shortest date of a text that is of the asked days (`is_of`), if any.

    Args:
        recorded: None in an undated file, where only what is said with a year counts.
        today: a loose shape names this day or a later one, a weekday or a day without its month only a later one.
    """
    from commonplace.core.when.validity import dates, valid  # here, because few questions find such lines

    told = [] if recorded is None else dates(text, recorded)
    found = [valid(text, None)] if recorded is None else [each.span for each in told]
    named = min((span for span in found if span is not None and is_of(span, asked)), key=_length, default=None)
    if named is not None or recorded is None:
        return named
    from commonplace.core.when.loose_days import loosely_named

    days = _days(asked)
    few = [day for day in days if day >= today] if len(days) <= _FEW else []
    day = loosely_named(text, recorded, few, told, today=today)
    return None if day is None else Span(day, day)


def _days(span: Span) -> list[date]:
    """Return the days of a span; none if it has no end or too many."""
    start, end = span
    if start is None or end is None or not 0 <= (end - start).days < LONGEST:
        return []
    return [start + timedelta(step) for step in range((end - start).days + 1)]


def is_of(span: Span, asked: Span) -> bool:
    """Return whether a span begins or ends on one of the asked days, or is around them and no longer than a month."""
    ends = [Span(day, day).overlaps(asked) for day in span if day is not None]
    return any(ends) or (_length(span).days < LONGEST and span.overlaps(asked))


def is_ahead(span: Span, recorded: date | None, asked: Span) -> bool:
    """Return whether a span that a line names is of the asked days (`is_of`) and was not over when it was written; of a
    line without a day nobody knows."""
    last = span.end or span.start
    return is_of(span, asked) and (recorded is None or (last is not None and last > recorded))


def _length(span: Span) -> timedelta:
    start, end = span
    return end - start if start is not None and end is not None else timedelta.max


def _in_full(days: list[date], *, exact: bool = False) -> Iterator[str]:
    """Yield the searches for the dates of these days with their months; for more than two weeks, of the months alone.

    Args:
        exact: not of the names of the months alone: "may" is also a verb.
    """
    names, digits = table("day_names"), table("day_names")["digits"]
    for first in {(day.year, day.month): day for day in days}.values():
        of_month = [day for day in days if (day.year, day.month) == (first.year, first.month)]
        months = _any(map(_all, dict.fromkeys(_words(names["months"], first.month - 1))))
        numbers = _any(f'"{day.day}{suffix}"' for day in of_month for suffix in ("", _ordinal(day.day)))
        of_days = f"({months} AND {numbers})"
        if len(days) > _FEW:
            yield from (
                of_days if exact else months,
                f'"{first:%Y-%m}"*',
                f'("月"* AND "{first.month}")',
                _all(f"{_han(first.month)}月"),
            )
            continue
        yield of_days
    shapes = [*digits["days"], *(digits["day"] if len(days) == 1 else ())]
    for day in days if len(days) <= _FEW else ():
        parts = {"year": day.year, "month": day.month, "day": day.day}
        yield from (f'"{shape.format(**parts)}"' for shape in shapes)
        said = {"han_month": _han(day.month), "han_day": _han(day.day)}
        yield from (_all(shape.format(**parts, **said)) for shape in digits["han"])
    if len(days) == _WEEK and not days[0].weekday():
        week = _any(map(_all, _words(names["weeks"])))
        yield f'({week} AND "{days[0].isocalendar().week}")'


def _without_month(day: date) -> Iterator[str]:
    """Yield the searches for a day of a month without it."""
    yield from (f'"{day.day}"', f'"{day.day}{_ordinal(day.day)}"')


def _near(days: list[date], *, within: bool) -> Iterator[str]:
    """Yield the searches for words that mean one of these days in a line that was written shortly before, or on one of
    them."""
    names = table("day_names")
    grain = "days" if len(days) == 1 else "weeks" if len(days) <= _WEEK else "months"
    yield from map(_all, (word for words in names["next"][grain].values() for word in words))
    if grain != "months" or within:
        yield from map(_all, _words(names["weekdays"], *sorted({day.weekday() for day in days})))
        yield from map(_all, _words(names["next"]["days"]) if grain != "days" else ())


def _words(languages: dict[str, list[str]], *places: int) -> Iterator[str]:
    """Yield the words at these places of each language's list, or all of them as they are listed."""
    for words in languages.values():
        yield from (word for at in places for word in words[at].split()) if places else words


def _ordinal(day: int) -> str:
    endings: dict[str, str] = table("day_names")["ordinals"]
    return endings.get(str(day), endings["other"])


_NUMERALS = "一二三四五六七八九十"


def _han(number: int) -> str:
    """A number up to 99 in Chinese characters."""
    tens, ones = divmod(number, 10)
    return f"{_NUMERALS[tens - 1] if tens > 1 else ''}{'十' if tens else ''}{_NUMERALS[ones - 1] if ones else ''}"


def _all(text: str) -> str:
    """The search for lines with all terms of a text; the last character of a run of Chinese may go on in a line."""
    terms = [term for term in document_terms(text).split() if term[0] not in "~^"]
    if len(terms) > 1 and terms[-1] >= FAR_EAST and len(terms[-1]) == 1:
        terms = terms[:-1]
    found = " AND ".join(f'"{term}"' for term in dict.fromkeys(terms))
    return f"({found})" if len(terms) > 1 else found


def _any(searches: Iterable[str]) -> str:
    return f"({' OR '.join(dict.fromkeys(searches))})"
