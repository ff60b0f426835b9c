"""Dates with a fixed form: in headings, paths and arguments."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.date_reader import expressions, read, spoken
from commonplace.core.when.grammar.calendar import DateFrame, Time, day_of, moved
from commonplace.core.when.grammar.missing_parts import settle
from commonplace.core.when.words.date_lexicon import fold, plain, readings
from commonplace.core.when.words.numerals import NUMERALS
from commonplace.core.when.words.prefilter import scripts
from commonplace.core.when.words.prose_spans import prose

_WORD = lazy_pattern(r"[\u0900-\u0963]+|[^\W_\d]+(?:'[a-z]+)?")


@cache
def _neutral() -> frozenset[str]:
    """Return words that may stand beside a date in a heading that dates what follows."""
    words = {fold(word) for language in LANGUAGES for word in table("when", language)["heading"]}
    for language in LANGUAGES:
        words.update(word for word, known in readings(language).items() if known[0][0] in {"weekday", "wdchar"})
    return frozenset(words)


@cache
def _months() -> frozenset[str]:
    return frozenset(
        word for language in LANGUAGES for word, known in readings(language).items() if known[0][0] == "month"
    )


@cache
def _neutral_or_month() -> frozenset[str]:
    return _neutral() | _months() | NUMERALS | {"st", "nd", "rd", "th", "月", "日", "号", "號", "年"}


def heading_day(text: str, near: date | None = None) -> date | None:  # noqa: PLR0911 — a list of cases, one return each
    """Return the day that a heading gives to the text below it, or None.

    It must name one whole day, either first ("2026-02-08: the move", "📅 Feb 8, 2026") or after nothing but words such
    as "Daily Notes". "Fix for the 2025-11-02 outage" is about a day and dates nothing.

    Args:
        near: completes a day without a year ("Feb 12", "12. februar", 2月12日) that nothing but a mark or such words
            follow: it is the one nearest to this day. Without it such a heading dates nothing.
    """
    if len(text) == 10 and text[4] == "-" == text[7]:
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    if len(text) > 400:
        return None
    line = plain(text).strip().lstrip("#").strip()
    if "年" not in line and "月" not in line and not any(char.isdigit() for char in line):
        return None
    line = line.replace("[[", "  ").replace("]]", "  ")
    day: date | None = None
    start = end = 0
    for found in expressions(prose(line), DateFrame(near or date(2001, 1, 1), "near")):
        named = _named_day(found.time, line, start=found.start, end=found.end, near=near)
        if named is None:
            continue
        if day is not None and day != named:
            return None
        if day is None:
            day, start, end = named, found.start, found.end
    if day is None or not _is_neutral(line[:start], _neutral()):
        return None
    behind = line[end : end + 1]
    if behind.isalnum() and behind.isascii():
        return None
    return day


def says_only_when(heading: str) -> bool:
    """Return whether a heading says nothing but when something was written: `2026-02-08 Daily Log`, `Session 14:30`."""
    return _is_neutral(plain(heading), _neutral_or_month())


_CLOSING = re.compile(r"[(（](?:[^\W\d]{1,16} )?([^()（）]{8,30})[)）][\W_]*")


def closing_day(text: str) -> date | None:
    """Return the day in parentheses with which a heading ends, or None: `New supplier (2026-02-08)`, `(since Feb 8,
    2026)`. It must have its year and be nothing else but a word."""
    at = max(text.rfind("("), text.rfind("（"))
    found = _CLOSING.fullmatch(text, at) if at > 0 else None
    return heading_day(found[1]) if found else None


def _named_day(  # noqa: PLR0911 — a list of cases, one return each
    time: Time, line: str, *, start: int, end: int, near: date | None
) -> date | None:
    """Return the whole day that an expression in a heading names; a missing year is that of `near`."""
    if time.relation or time.mark == "offset" or time.grain != "day":
        return None
    phrase = line[start:end]
    if not time.form:
        if time.start is None or time.start != time.end:
            return None
        if _has_year(phrase, time.start):
            return time.start
    if near is None or time.care or time.form not in {"", "monthday"} or not _is_neutral(phrase, _neutral_or_month()):
        return None
    if "月" not in phrase and _months().isdisjoint(map(fold, _WORD.findall(phrase))):
        return None
    if not _is_neutral(_clause(line[end:]), _neutral()):
        return None
    settled = settle(time, DateFrame(near, "near"))
    return settled.start if settled is not None else None


def _clause(text: str) -> str:
    """Return the text up to its first mark: in "Feb 12: the move" and "2月12日 - 引っ越し" only the day."""
    return re.split(r"[^\w\s]", text, maxsplit=1)[0] if text else ""


_YEAR = lazy_pattern(r"(?<!\d)((?:19|20)\d\d)(?!\d)年?")


def heading_year(text: str) -> date | None:
    """Return the middle of the year of a heading ("2026", "February 2026"), which completes the days below it."""
    parts = _YEAR.split(plain(text)) if len(text) <= 100 else []
    if len(parts) != 3 or not _is_neutral(f"{parts[0]} {parts[2]}", _neutral_or_month()):
        return None
    return date(int(parts[1]), 7, 2)


def _has_year(phrase: str, day: date) -> bool:
    return str(day.year) in phrase or "年" in phrase


def _is_neutral(text: str, known: frozenset[str]) -> bool:
    """Whether a text holds no other words than the known ones; numbers and marks are no words."""
    for match in _WORD.finditer(text):
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


_STEM_DAY = lazy_pattern(r"(\d{4})([-_.]?)(\d\d)\2(\d\d)(?![\d])")
_DAY_WITHIN = lazy_pattern(r"(?<!\d)(20\d\d)([-_.])(\d\d)\2(\d\d)(?!\d)")
_NOTES = "memory/"


def path_day(path: str) -> date | None:
    """Return the day that a path gives: `2025-11-27.md`, `2025-11-27-slug.md`, `2026/02/25/topic.md`, `2026-02/25.md`.

    The file's own name counts before its folders; a day that the calendar lacks is none.
    """
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].removesuffix(".md")
    match = _STEM_DAY.match(name)
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
        match = _STEM_DAY.match(folder)
        if match is not None:
            return day_of(int(match[1]), int(match[3]), int(match[4]))
    return None


def note_day(path: str) -> date | None:
    """Return the day of a note: that of its path, or in its name `15.06.2026.md`, `March 5, 2026.md`, or `March 5.md`
    in a folder of the year; below `memory/` also one within its name: `memory/report-2025-11-27.md`.

    Only what `path_day` knows is a log, which grows and is never edited.
    """
    day = path_day(path)
    if day is not None:
        return day
    *folders, name = path.removesuffix(".md").split("/")
    match = _DAY_WITHIN.search(name)
    if match is not None:
        return day_of(int(match[1]), int(match[3]), int(match[4])) if path.startswith(_NOTES) else None
    match = _DAY_FIRST.match(name)
    if match is not None:
        return day_of(int(match[3]), int(match[2]), int(match[1]))
    if folders[:1] == ["bank"] or name.isdigit() or not any(map(str.isdigit, name)):
        return None
    years = [int(folder) for folder in folders if _is_number(folder, 4) and folder[:2] in _CENTURIES]
    return heading_day(name, date(years[-1], 7, 2) if years else None)  # amid the year, which all its days are nearest


_DAY_FIRST = lazy_pattern(r"(\d\d?)\.(\d\d?)\.(20\d\d)(?!\d)")
_CENTURIES = ("19", "20")


def _is_number(part: str, size: int) -> bool:
    return len(part) == size and part.isascii() and part.isdigit()


_EXAMPLES = "try 30d, 2 weeks, 2025-11, 2025-11-15, last week, since March"
_BARE_LENGTH = lazy_pattern(r"\s*(?:last\s+)?([1-9]\d{0,4})\s*(d|w|mo|m|q|y)\s*", re.IGNORECASE)
_SHORT = {"d": "day", "w": "week", "m": "month", "mo": "month", "q": "quarter", "y": "year"}


def argument(text: str, today: date, role: str) -> Span:
    """Return the days that a command-line or API date means: `30d`, `2 weeks`, `2025-11`, `last week`, `since March`.

    `role` is `since` (from its first day on), `until` (up to its last day), `during` or `on` (the days themselves). A
    bare length reaches back from today. Raises ValueError, with examples, where no date can be read.
    """
    stripped = plain(text).strip()
    span = _length_span(stripped, today, role=role) if len(stripped) <= 100 else None
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


def _length_span(text: str, today: date, *, role: str) -> Span | None:
    """Return a bare length (`30d`, `3 months`, `30天`, `2 uger`) as days back from today."""
    match = _BARE_LENGTH.fullmatch(text)
    start: date | None = None
    if match is not None:
        start = moved(today, -int(match[1]), unit=_SHORT[match[2].lower()])
    else:
        script = scripts(text)
        behind = " ago"
        if script.han:
            behind = "前"
        elif script.hindi:
            behind = " पहले"
        frame = DateFrame(today, "back")
        found = expressions(text + behind, frame)
        if len(found) != 1 or found[0].start != 0 or found[0].end != len(text) + len(behind):
            found = [one for one in expressions("for " + text + " siden", frame) if one.start <= 4]
            if len(found) != 1 or found[0].end != len(text) + 10:
                return None
        if found[0].time.relation != "ago":
            return None
        when = spoken(found[0].time, text, frame=frame, start=0, end=len(text))
        start = when.span.start if when is not None else None
    if start is None:
        return None
    return Span(start, start) if role in {"until", "on"} else Span(start, today)
