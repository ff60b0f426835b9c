"""Finds dates in the prose of a text, and the days that a question means."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Span, When
from commonplace.core.text.known_languages import (
    ALPHABETIC,
    CYRILLIC,
    DEVANAGARI,
    HAN,
    LANGUAGES,
    LATIN,
    SPELLED,
    identify,
)
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.grammar.calendar import DateFrame, Time
from commonplace.core.when.grammar.missing_parts import settle
from commonplace.core.when.open_ranges import opened, origin_behind, rate_before
from commonplace.core.when.tense import lean
from commonplace.core.when.words.date_lexicon import lexicon, listed, plain, words_of
from commonplace.core.when.words.disambiguation import is_the_end, qualifies
from commonplace.core.when.words.lexer import Lexer
from commonplace.core.when.words.numerals import joined
from commonplace.core.when.words.prefilter import LONGEST, may_hold, scripts
from commonplace.core.when.words.prose_spans import prose

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from datetime import date

    from commonplace.core.when.words.numerals import Item


class DateMatch(NamedTuple):
    """An expression before it is settled."""

    time: Time
    start: int
    end: int


# ---------------------------------------------------------------------- the expressions of a text


def expressions(text: str, frame: DateFrame, *, asked: bool = False) -> list[DateMatch]:
    """Return every time expression of a text in order, relations applied; some are unsettled or need a neighbour.

    Only in a question (`asked`) are `<` and `=` before a year words.
    """
    parsed, script = _grammar(), scripts(text)
    latin = hindi = han = None
    day_first = False
    if script.latin:
        code = identify(text, "latin", "cyrillic").code
        day_first = LANGUAGES[code].day_first
        codes = (*dict.fromkeys((*CYRILLIC, code)),) if script.cyrillic else (code,)
        latin = lexicon(*codes) if LATIN[0] in codes else lexicon(*codes, LATIN[0])
    if script.hindi:
        hindi = lexicon(*DEVANAGARI)
    if script.han:
        code = identify(text, "han").code
        han = lexicon(*sorted(HAN, key=lambda other: other != code))
    if day_first != frame.day_first:
        frame = frame._replace(day_first=day_first)
    found: list[DateMatch] = []
    for run in Lexer(text, year_first=script.han, day_first=day_first, asked=asked).read(latin, hindi, han):
        for at in range(0, len(run), _LONG_RUN):
            found.extend([DateMatch(*one) for one in parsed(joined(run[at : at + _LONG_RUN]), frame)])
    return found


_LONG_RUN = 400


@cache
def _grammar() -> Callable[[list[Item], DateFrame], list[tuple[Time, int, int]]]:
    """Return the parser of runs. Its import costs 2 ms, and many a process reads no date."""
    from commonplace.core.when.grammar.engine import parsed

    return parsed


def spoken(time: Time, text: str, *, frame: DateFrame, start: int, end: int) -> When | None:
    """Return the expression as a When, settled; None if it has no days."""
    settled = settle(time, frame)
    if settled is None or (settled.start is None and settled.end is None):
        return None
    if settled.start is not None and settled.end is not None and settled.start > settled.end:
        return None
    return When(Span(settled.start, settled.end), text[start:end], settled.relation or "during", start, end)


# ---------------------------------------------------------------------- a text and a question


def find(text: str, today: date) -> tuple[When, ...]:
    """Return every date expression of a text, in order, not overlapping; a missing year is the nearest, or as verbs
    say.
    """
    return tuple(when for when, _, _ in found_in(text, today))


def found_in(text: str, today: date) -> list[tuple[When, Time, str]]:
    """Return the expressions, each with its time before it was settled, and the text that the grammar read."""
    if len(text) > LONGEST:
        text = text[:LONGEST]
    simple = prose(plain(text))
    if not may_hold(simple):
        return []
    frame = DateFrame(today, "near", kal=_kal(simple))
    found: list[tuple[When, Time, str]] = []
    for expression in expressions(simple, frame):
        time = expression.time
        if time.mark == "offset" and (rate := rate_before(simple, expression.start, end=expression.end)) is not None:
            return found_in(f"{text[: rate[0]]}{' ' * (rate[1] - rate[0])}{text[rate[1] :]}", today)
        begun = opened(time, simple, start=expression.start, end=expression.end, frame=frame)
        if begun is not None and not (found and _counts_from(found[-1], simple, start=begun[1])):
            time, start = begun
            when = spoken(time, text, frame=frame, start=start, end=expression.end)
            if when is not None:
                found.append((when, time, simple))
            continue
        if time.care or time.loose or _is_an_end(expression, simple, asked=False):
            continue
        when = spoken(time, text, frame=frame, start=expression.start, end=expression.end)
        if when is None:
            continue
        if when.relation == "since" and (word := origin_behind(when.phrase, simple, end=when.end)):
            day = found_in(when.phrase.removesuffix(word), today)
            found.extend((one._replace(start=when.start, end=when.end), its, simple) for one, its, _ in day[:1])
            continue
        if way := lean(when, time, simple, today):
            led = frame._replace(lean=way)
            time = _again(when, time, simple=simple, led=led)
            when = spoken(time, text, frame=led, start=when.start, end=when.end) or when
        found.append((when, time, simple))
    return found


def _again(when: When, time: Time, *, simple: str, led: DateFrame) -> Time:
    """Return the time for another lean, if what it lacked was filled in when its relation was applied."""
    if time.form:
        return time
    return next((one.time for one in expressions(simple, led) if (one.start, one.end) == (when.start, when.end)), time)


def read(text: str, today: date) -> When | None:
    """Return the range that a question asks for, its relation applied; None if it names none.

    An expression that is surely one comes before one that only may be ("May", a bare year), and that before "the week".
    """
    text = text[:LONGEST]
    simple = _asked(text)
    way, kal = _tense(simple)
    return _read(text, simple, frame=DateFrame(today, way, kal=kal))


def read_otherwise(text: str, read_as: When, today: date, *, due: bool = False) -> When | None:
    """Return the other days that a question may ask for, next Friday for the last one; None if it names them, or if its
    verbs say which.

    Args:
        read_as: what `read` makes of it.
        due: it asks what is due: also by another day.
    """
    text = text[:LONGEST]
    simple = _asked(text)
    (start, end), (way, kal) = read_as.span, _tense(simple)
    known = read_as.relation == "during" and start is not None and end is not None
    if way != "back" or not (known or due) or end is None or (start or end) <= today <= end:
        return None
    other = _read(text, simple, frame=DateFrame(today, "future" if end < today else "past", kal=kal))
    if other is None or other.span == read_as.span or (other.start, other.end) != (read_as.start, read_as.end):
        return None
    return other


def asks_for_plans(text: str) -> bool:
    """Return whether a question asks what somebody has to do, "am I free on Friday?", not what was done or what is kept
    of it, "do I have notes from Friday?"."""
    return _has_any("planning", text) and not _has_any("kept", text)


def _has_any(key: str, text: str) -> bool:
    said = f" {' '.join(words_of(text[:LONGEST]))} "
    spaced = any(f" {phrase} " in said for phrase in listed(key, *SPELLED))
    return spaced or any(mark in text for mark in listed(key, *HAN))


def _asked(text: str) -> str:
    simple = _with_slashes(plain(text))
    return simple if _bare_date(simple) else prose(simple)


_MONTHS = 12
_DOTTED = lazy_pattern(r"(?<![\w.,:/-])(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(?![\w.,])")


def _with_slashes(text: str) -> str:
    """Return a question, as long as it is, with `19.4.` behind "on" as 19/4: who writes a dot behind the month, too,
    writes the day first. Elsewhere it may be a section."""

    def slashed(found: re.Match[str]) -> str:
        is_day = not before.isdisjoint(words_of(text[: found.start()])[-1:])
        return f"{found[1]}/{found[2]} " if is_day and (day_first or int(found[1]) > _MONTHS) else found[0]

    if _DOTTED.search(text) is None:
        return text
    before = listed("before_dotted", *SPELLED)
    day_first = LANGUAGES[identify(text, "latin", "cyrillic").code].day_first
    return _DOTTED.sub(slashed, text)


def _read(text: str, simple: str, *, frame: DateFrame) -> When | None:
    best: When | None = None
    rank = 3
    for expression in expressions(simple, frame, asked=True):
        time = expression.time
        level = 2 if time.loose else 1 if time.care else 0
        if time.mark == "onward":
            continue  # "what do we use from now on?" asks for what holds
        if level >= rank or (level == 1 and not _sensible(time)) or _is_an_end(expression, simple, asked=True):
            continue
        when = spoken(time, text, frame=frame, start=expression.start, end=expression.end)
        if when is not None and not (level == 2 and qualifies(simple, when.start, end=when.end)):
            best, rank = when, level
    return best


def _counts_from(one: tuple[When, Time, str], text: str, *, start: int) -> bool:
    """Whether a "from" is of the length right before it: "in two days from today"."""
    return one[1].mark == "offset" and not text[one[0].end : start].strip()


def _is_an_end(found: DateMatch, text: str, *, asked: bool) -> bool:
    time = found.time
    if time.mark != "last" or time.relation:
        return False
    return is_the_end(text[found.start : found.end], text[: found.start], grain=time.grain, asked=asked)


def _bare_date(text: str) -> bool:
    stripped = text.strip(" ?.!")
    return len(stripped) <= 10 and not any(char.isalpha() for char in stripped)


def _sensible(time: Time) -> bool:
    """Whether a question may say it without a preposition: a month, a plausible year, a day in digits."""
    if time.form == "day":
        return time.mark == "digits"
    if time.grain == "year" and time.start is not None:
        return 1800 <= time.start.year <= 2200
    if time.grain == "day" and time.mark == "this":
        return False  # "now"
    return time.form not in {"edge", "nth", "half", "season"} or (
        time.form == "nth" and time.rule in {"week", "quarter"}
    )


def _tense(text: str) -> tuple[str, int]:
    """Return the lean of a question, and whether कल is tomorrow (1) or yesterday (−1) in it."""
    words = words_of(text)
    codes = SPELLED if scripts(text).hindi else ALPHABETIC if scripts(text).cyrillic else LATIN
    endings = tuple(listed("future_endings", *codes))
    participle = any(word.endswith(endings) for word in words if "\u0900" < word < "\u0980")
    ahead = participle or not listed("future", *codes).isdisjoint(words)
    back = not listed("past", *codes).isdisjoint(words)
    if not text.isascii() and scripts(text).han:
        back = back or any(mark in text for mark in listed("past", *HAN))
        ahead = ahead or any(mark in text for mark in listed("future", *HAN))
    if participle:
        back = False  # Hindi builds its future on participles: "किया जाएगा"
    lean = "past" if back and not ahead else "future" if ahead and not back else "back"
    return lean, 1 if ahead and not back else -1


def _kal(text: str) -> int:
    """Whether कल is tomorrow (1) or yesterday (−1) in this text."""
    if text.isascii() or not scripts(text).hindi:
        return -1
    return _tense(text)[1]
