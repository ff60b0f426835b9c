"""Parse what callers give in words: days, ranges of days, kinds, ids. Raises UsageError for what cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.model import KIND_OF_LETTER, Kind, Span
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date


def day(given: str | date, today: date) -> date:
    """Return the day that a date or words mean; for a range, its last day."""
    span = _span(given, today, role="on")
    found = span.end or span.start
    assert found is not None
    return found


def first_day(given: str | date, today: date) -> date | None:
    """Return the first day of a date or range; None if it has no beginning."""
    return _span(given, today, role="since").start


def between(
    since: str | date | None, until: str | date | None, *, during: str | date | None, today: date
) -> Span | None:
    """Return the intersection of the three; None if it has no bounds. Raises UsageError if it is empty."""
    start = end = None
    if during is not None:
        start, end = _span(during, today, role="during")
    if since is not None:
        first = first_day(since, today)
        start = max(start, first) if start and first else first or start
    if until is not None:
        last = _span(until, today, role="until").end
        end = min(end, last) if end and last else last or end
    if start is None and end is None:
        return None
    if start and end and start > end:
        raise UsageError(f"the range ends before it starts: {start} to {end}", "check --since, --until and --during")
    return Span(start, end)


def kind(given: str) -> Kind:
    """Return a kind by its name or letter."""
    try:
        return KIND_OF_LETTER.get(given) or Kind(given.casefold())
    except (ValueError, AttributeError):
        raise UsageError(f"unknown kind {given!r}", f"kinds: {', '.join(Kind)}") from None


def ids(given: Iterable[str]) -> tuple[str, ...]:
    """Return the ids without `^`, each once."""
    return tuple(dict.fromkeys(id.strip().lstrip("^") for id in given if id.strip()))


def session(given: str) -> tuple[tuple[str, str], ...]:
    """Return the trailer's key for the host's session in which the author said it; no key if empty."""
    from commonplace.core.provenance import SESSION, given_word

    word = given_word(given, SESSION)
    return ((SESSION, word),) if word else ()


def _span(given: str | date, today: date, *, role: str) -> Span:
    if not isinstance(given, str):
        return Span(given, given)
    try:
        return when.argument(given, today, role)
    except ValueError as error:
        raise UsageError(f"cannot read the date {given!r}", str(error)) from None
