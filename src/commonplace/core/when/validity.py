"""The days on which a statement is valid, by dates in it that can mean nothing else.

A question that is read too widely costs a little; a fact that is dated wrongly is not found on its own day. So where a
question may mean "in summer" or "Friday", a statement needs more: "last summer", "on Friday".
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.text.known_languages import ALPHABETIC, DEVANAGARI, HAN
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.date_reader import found_in
from commonplace.core.when.tense import told
from commonplace.core.when.words.date_lexicon import listed, words_of
from commonplace.core.when.words.disambiguation import qualifies
from commonplace.core.when.words.prefilter import scripts
from commonplace.core.when.words.sentences import is_short, sentences

if TYPE_CHECKING:
    from commonplace.core.model import Span, When
    from commonplace.core.when.grammar.calendar import Time

_NAMED = frozenset({"weekday", "festival"})
_BEFORE_A_NAME = frozenset('是叫名「『“"《')
_JAPANESE_TIME = frozenset("に、,(")
_CYRILLIC, _ALPHABETIC = "\u0400", "\u0530"
"""The first letter of Cyrillic, and the first character beyond the alphabets that are read."""
_LONG_AGO, _ANY_YEAR = date(4, 1, 1), 1000
"""A day to count from that leaves no doubt whether a year was said; it has a leap year's days."""
_OPEN = frozenset({"between", "since", "until", "before", "after"})


def valid(text: str, recorded: date | None) -> Span | None:
    """Return the validity that a text states: its first range, else its first time; None if it names none.

    Args:
        recorded: None in an undated file, where only what is said with a year counts.
    """
    if recorded is None:
        span = valid(text, _LONG_AGO)
        return None if span is not None and any(day is not None and day.year < _ANY_YEAR for day in span) else span
    first: Span | None = None
    sentence = 0
    ends: list[int] | None = None
    found = found_in(text, recorded)
    for when, time, simple in found:
        if (first is not None and when.relation not in _OPEN) or not _states(time, when, simple, recorded):
            continue
        if len(found) == 1 and when.span.start is not None:
            return when.span
        ends = [end for _, end in sentences(text)] if ends is None else ends
        at = bisect_right(ends, when.start)
        if first is not None and at > sentence:
            break
        if at and when.span.start is None and not is_short(text[ends[at - 1] : when.end]):
            continue  # "Works at Acme. The flat is hers until May.": an end of one thing ends not the other
        first, sentence = when.span, at
        if when.relation in _OPEN:
            break
    return first


def dates(text: str, recorded: date) -> list[When]:
    """Return the dates of a statement that can mean nothing else, in order."""
    return [when for when, time, simple in found_in(text, recorded) if _states(time, when, simple, recorded)]


def _states(time: Time, when: When, text: str, recorded: date) -> bool:
    """Whether an expression dates the statement in which it stands.

    Args:
        time: as the grammar made it, before what it lacks was filled in.
        when: the same, settled.
        text: the statement with its digits and marks in ASCII.
        recorded: the day from which relative words count.
    """
    latin = when.phrase[0] < _ALPHABETIC
    if (
        _counts(time, when, text=text)
        or _recurs(when, text)
        or "season" in {time.form, time.mark}
        or _is_narrative(when.phrase)
    ):
        found = False
    elif time.mark == "offset" and when.relation == "during" and when.span.start and when.span.start > recorded:
        found = not told(text)  # "built it in two days"
    elif time.form == "month" and when.phrase[0] >= "\u3000":
        found = _is_han_month(when, text)
    elif time.form == "month":
        found = time.mark == "said" and not (
            latin and words_of(when.phrase)[0] in listed("never_in_months", *ALPHABETIC)
        )
    elif not latin or time.mark == "said":
        found = True
    elif time.form in _NAMED:
        found = when.phrase[0] < _CYRILLIC and not qualifies(text, when.start, end=when.end)
    else:
        found = not _is_a_title(time, when, text=text)
    return found


def _counts(time: Time, when: When, *, text: str) -> bool:
    """Whether its digits count something else: tests (9/9), a pain of 4/10, 约1400, week 4 of a plan, 农历六月十五."""
    if not text.isascii() and text[: when.start].rstrip(" ：:").endswith(_LUNAR):
        return True
    phrase = when.phrase.lower()
    if time.form == "week":
        return phrase.split()[-2:-1] == ["week"]  # Danish `uge 31` is the calendar's
    fraction = _FRACTION.fullmatch(phrase) if "/" in phrase else None
    if fraction is not None:
        part, whole = int(fraction[1]), int(fraction[2])
        return part == whole or (whole in _OUT_OF and part < whole and max(text) < "\u3040")
    if time.grain == "year" and _BARE_NUMBER.search(phrase) is not None:
        start = when.span.start or when.span.end
        return start is not None and not _FIRST_BARE_YEAR <= start.year <= _LAST_BARE_YEAR
    return False


_FRACTION = lazy_pattern(r"[^\d/]*(\d{1,2})/(\d{1,2})\)?")
_BARE_NUMBER = lazy_pattern(r"^[^\d]*\d{4}\)?$")
_LUNAR = ("农历", "農曆", "阴历", "陰曆", "旧历", "舊曆", "旧暦", "旧暦の", "旧暦で")
_OUT_OF = frozenset({5, 10})
_FIRST_BARE_YEAR = 1700
"""A year before it is said with more than four digits: AD 1066, 1066年."""
_LAST_BARE_YEAR = 2199
"""What a price rises to is no year: "stiger til 2320"."""


def _recurs(when: When, text: str) -> bool:
    """Whether it is a week's working days, which come again: "Mon-Fri at 8:15"; what is told was once."""
    start, end = when.span
    if when.relation != "between" or start is None or end is None or any(map(str.isdigit, when.phrase)):
        return False
    return start.weekday() == 0 and (end - start).days in _WORKING and not told(text)


_WORKING = frozenset({4, 5, 6})
"""Days after Monday that end a working week: Friday, Saturday, Sunday."""


def _is_narrative(phrase: str) -> bool:
    """Whether it counts from a day of the story: "the next day", 翌年."""
    if phrase[0] >= "\u3000":
        return any(word in phrase for word in listed("narrative", *HAN))
    words = words_of(phrase)
    firsts, phrases = _narrative(*ALPHABETIC) if phrase[0] < _ALPHABETIC else _narrative(*DEVANAGARI)
    if firsts.isdisjoint(words):
        return False
    spaced = f" {' '.join(words)} "
    return any(f" {each} " in spaced for each in phrases)


@cache
def _narrative(*languages: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the first words of the expressions that count from a day of the story, and the expressions."""
    phrases = listed("narrative", *languages)
    return frozenset(phrase.split(" ", 1)[0] for phrase in phrases), phrases


def _is_han_month(when: When, text: str) -> bool:
    """Whether 三月 is a month and no name; 3月, 三月份 and 在三月 always are."""
    phrase, before, behind = when.phrase, text[when.start - 1 : when.start], text[when.end : when.end + 1]
    if phrase[-1] != "月" or not set(phrase[:-1]) <= _NUMERALS:
        return True
    if scripts(text).kana:
        return not behind or behind in _JAPANESE_TIME
    return before not in _BEFORE_A_NAME and (not behind or behind not in listed("never_after_month", *HAN))


_NUMERALS = frozenset("一二三四五六七八九十")


def _is_a_title(time: Time, when: When, *, text: str) -> bool:
    """Whether a lone word has a capital for another reason than that a sentence begins: plays Yesterday on guitar."""
    if time.mark not in {"this", "last", "next"} or not when.phrase[0].isupper() or " " in when.phrase:
        return False
    before = text[: when.start].rstrip(" \"'(*")
    return bool(before) and before[-1] not in ".!?:;-|>"
