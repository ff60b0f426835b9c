"""Dates in places with a form of their own: headings, paths and arguments."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.when.calendar import Frame, day_of, moved
from commonplace.core.when.hints import scripts
from commonplace.core.when.lexicon import fold, plain, readings
from commonplace.core.when.prose import prose
from commonplace.core.when.reader import expressions, read, spoken

_LANGUAGES = ("en", "da", "zh", "ja", "hi")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W_\d]+(?:'[a-z]+)?|[\u0900-\u0963]+")


@cache
def _neutral() -> frozenset[str]:
    """Words that may stand beside a date in a heading that dates what follows."""
    words = {fold(word) for language in _LANGUAGES for word in table("when-" + language)["heading"]}
    for language in _LANGUAGES:
        words.update(word for word, known in readings(language).items() if known[0][0] in {"weekday", "wdchar"})
    return frozenset(words)


def heading_day(text: str) -> date | None:  # noqa: PLR0911 — a list of cases, one return each
    """The day that a heading gives to what follows it, or None.

    It must name one whole day, with its year, either first ("2026-02-08: the move", "📅 Feb 8, 2026") or after nothing
    but words such as "Daily Notes". "Fix for the 2025-11-02 outage" is about a day and dates nothing.
    """
    if len(text) == 10 and text[4] == "-" == text[7]:
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    if len(text) > 400:
        return None
    line = plain(text).strip().lstrip("#").strip()
    if "年" not in line and not any(char.isdigit() for char in line):
        return None
    line = line.replace("[[", "  ").replace("]]", "  ")
    day: date | None = None
    start = end = 0
    for found in expressions(prose(line), Frame(date(2001, 1, 1), "near")):
        time = found.time
        if time.form or time.grain != "day" or time.relation or time.mark == "offset" or time.start is None:
            continue
        if time.start != time.end or not _has_year(line[found.start : found.end], time.start):
            continue
        if day is not None and day != time.start:
            return None
        if day is None:
            day, start, end = time.start, found.start, found.end
    if day is None:
        return None
    if not _is_neutral(line[:start]):
        return None
    behind = line[end : end + 1]
    if behind.isalnum() and behind.isascii():
        return None
    return day


def _has_year(phrase: str, day: date) -> bool:
    return str(day.year) in phrase or not any(char.isascii() for char in phrase.replace(" ", "")) or "年" in phrase


def _is_neutral(text: str) -> bool:
    known = _neutral()
    for match in _word().finditer(text):
        word = fold(match.group())
        if word in known:
            continue
        if word >= "\u3040" and _covered(word, known):
            continue
        return False
    return True


def _covered(word: str, known: frozenset[str]) -> bool:
    """Whether a run of Chinese or Japanese is made of known words alone."""
    at = 0
    while at < len(word):
        step = next((size for size in range(min(6, len(word) - at), 0, -1) if word[at : at + size] in known), 0)
        if not step:
            return False
        at += step
    return True


@cache
def _stem_day() -> re.Pattern[str]:
    return re.compile(r"(\d{4})([-_.]?)(\d\d)\2(\d\d)(?![\d])")


def path_day(path: str) -> date | None:
    """The day that a path gives: `2025-11-27.md`, `2025-11-27-slug.md`, `2026/02/25/topic.md`, `2026-02/25.md`.

    The file's own name counts before its folders; a day that the calendar lacks is none.
    """
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].removesuffix(".md")
    match = _stem_day().match(name)
    if match is not None:
        return day_of(int(match[1]), int(match[3]), int(match[4]))
    numbers = [part for folder in parts[:-1] for part in folder.split("-")]
    lead = name.split("-", 1)[0].split("_", 1)[0].split(" ", 1)[0]
    for tail in ([*numbers, lead], numbers):
        if len(tail) >= 3:
            year, month, day = tail[-3:]
            if _is_number(year, 4) and _is_number(month, 2) and _is_number(day, 2):
                return day_of(int(year), int(month), int(day))
    for folder in reversed(parts[:-1]):
        match = _stem_day().fullmatch(folder)
        if match is not None:
            return day_of(int(match[1]), int(match[3]), int(match[4]))
    return None


def _is_number(part: str, size: int) -> bool:
    return len(part) == size and part.isascii() and part.isdigit()


_EXAMPLES = "try 30d, 2 weeks, 2025-11, 2025-11-15, last week, since March"


@cache
def _bare_length() -> re.Pattern[str]:
    return re.compile(r"\s*(?:last\s+)?([1-9]\d{0,4})\s*(d|w|mo|m|q|y)\s*", re.IGNORECASE)


_SHORT = {"d": "day", "w": "week", "m": "month", "mo": "month", "q": "quarter", "y": "year"}


def argument(text: str, today: date, role: str) -> Span:
    """The days that a command-line or API date means: `30d`, `2 weeks`, `2025-11`, `last week`, `since March`.

    `role` is `since` (from its first day on), `until` (up to its last day), `during` or `on` (the days themselves). A
    bare length reaches back from today. Raises ValueError, with examples, where no date can be read.
    """
    stripped = plain(text).strip()
    span = _length_span(stripped, today, role) if len(stripped) <= 100 else None
    if span is None:
        when = read(stripped, today) if len(stripped) <= 200 else None
        span = when.span if when is not None else None
    if span is None:
        raise ValueError(f"no date in {text[:60]!r}; {_EXAMPLES}")
    if role == "since":
        if span.start is None:
            raise ValueError(f"{text[:60]!r} has no first day to count from; {_EXAMPLES}")
        return Span(span.start, None)
    if role == "until":
        if span.end is None:
            raise ValueError(f"{text[:60]!r} has no last day to count to; {_EXAMPLES}")
        return Span(None, span.end)
    return span


def _length_span(text: str, today: date, role: str) -> Span | None:
    """A bare length (`30d`, `3 months`, `30天`, `2 uger`) as days back from today."""
    match = _bare_length().fullmatch(text)
    start: date | None = None
    if match is not None:
        start = moved(today, -int(match[1]), _SHORT[match[2].lower()])
    else:
        script = scripts(text)
        behind = " ago"
        if script.han:
            behind = "前"
        elif script.hindi:
            behind = " पहले"
        frame = Frame(today, "back")
        found = expressions(text + behind, frame)
        if len(found) != 1 or found[0].start != 0 or found[0].end != len(text) + len(behind):
            found = [one for one in expressions("for " + text + " siden", frame) if one.start <= 4]
            if len(found) != 1 or found[0].end != len(text) + 10:
                return None
        if found[0].time.relation != "ago":
            return None
        when = spoken(found[0].time, text, frame, 0, len(text))
        start = when.span.start if when is not None else None
    if start is None:
        return None
    return Span(start, start) if role in {"until", "on"} else Span(start, today)
