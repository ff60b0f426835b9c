"""Whether a date without its year, month or week is past or ahead, by the verbs of its statement.

The nearest one is meant as a rule. But "until July" of what is still so is the July to come, what was over on April 30
was the last one, and a report due on Monday is due on the next.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.text.known_languages import ALPHABETIC, DEVANAGARI, HAN, LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.words.date_lexicon import fold, listed, words_of
from commonplace.core.when.words.prefilter import scripts
from commonplace.core.when.words.sentences import sentences

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.model import When
    from commonplace.core.when.grammar.calendar import Time

_ENDS = frozenset(("until", "before"))


def lean(when: When, time: Time, text: str, today: date) -> str:
    """Return the value of `Frame.lean` for what a time of a statement lacks; empty for the nearest.

    Args:
        when: as settled with the nearest.
        time: the same before that.
        text: the statement with its digits and marks in ASCII.
        today: the day from which it counts.
    """
    start, end = when.span
    if when.relation == "since":
        return _lean_of_start(when, time, text=text, today=today)
    is_end, weekday = when.relation in _ENDS, time.form == "weekday"
    edge = end if is_end else start
    ahead, behind = edge is not None and edge > today, end is not None and end < today
    if (
        not (weekday or ahead or behind)
        or time.mark in {"offset", "next"}
        or _FOUR_DIGITS.search(when.phrase) is not None
    ):
        return ""
    low, high = sentence_at(text, when.start)
    sentence, before, after = text[low:high], _tail(text[low : when.start]), text[when.end : high][:_BESIDE]
    if is_end:
        return _lean_of_end(when, sentence, today=today)
    if weekday:
        return _lean_of_weekday(before, after, sentence=sentence)
    if behind:
        return "future" if time.form and _before("coming").search(before) is not None else ""
    return (
        _lean_back(when, time, sentence=sentence, was=_was(before, after), meant=_is_for(before, after))
        if ahead
        else ""
    )


def _lean_back(when: When, time: Time, *, sentence: str, was: bool, meant: bool) -> str:
    """Return the direction for a statement about the past whose nearest day is ahead."""
    if was or (when.relation == "between" and _lasted(sentence)):
        return "past"
    if meant or not told(sentence) or _mentions(sentence, set(words_of(sentence)), key="ahead"):
        return ""
    return "past" if time.mark == "this" and time.grain == "weekend" else "back"


def _lean_of_end(when: When, sentence: str, *, today: date) -> str:
    """Return the direction of an end: ahead if the state goes on, behind if it is over."""
    end = when.span.end
    over = _lasted(sentence) if when.relation == "until" else told(sentence)
    if over:
        return "past" if end is not None and end > today else ""
    return "future" if end is not None and end < today else ""


def _lean_of_start(when: When, time: Time, *, text: str, today: date) -> str:
    """Return the direction if a language has one word for "since" and "from": 12月から, अगले सोमवार से.

    It is to come where the sentence says so; else only where that is far nearer than what was.
    """
    start, phrase = when.span.start, when.phrase
    if time.mark or start is None or start >= today or _FOUR_DIGITS.search(phrase) is not None:
        return ""
    if not _is_one_of(phrase, "since_coming"):
        return ""
    low, high = sentence_at(text, when.start)
    sentence = text[low:high]
    words = set(words_of(sentence))
    if told(sentence) or _mentions(sentence, words, key="ongoing"):
        return ""
    passed = (today - start).days
    if passed <= _WEEK and not any(map(str.isdigit, phrase)) and "月" not in phrase[1:]:
        return "future"
    farther = 1 if phrase[0] < "\u0530" else _FARTHER if _is_one_of(phrase, "since_near") else _YEAR
    nearer = (_YEAR - passed) * farther < passed <= _YEAR
    return "future" if nearer or (passed > QUARTER and _is_due(sentence)) else ""


_WEEK, _YEAR = 7, 366
QUARTER = 91
"""Days after which "from May 1" of what is to come is not the last one."""
_FARTHER = 4
"""Times that a day to come must be nearer than the same a year before to be meant."""


def _is_one_of(phrase: str, key: str) -> bool:
    """Whether a phrase begins or ends with a word of this list."""
    words, folded = tuple(listed(key, *LANGUAGES)), fold(phrase)
    return folded.startswith(words) or folded.endswith(words)


def _lean_of_weekday(before: str, after: str, *, sentence: str) -> str:
    if _was(before, after):
        return "past"
    if told(sentence):
        return "future" if _is_for(before, after) else "past"
    return "future" if _before("coming").search(before) is not None or _is_due(sentence) else ""


_FOUR_DIGITS = lazy_pattern(r"\d{4}")


def sentence_at(text: str, at: int) -> tuple[int, int]:
    """Return the start and the end of the sentence that contains a character."""
    found = sentences(text)
    return found[min(bisect_right([end for _, end in found], at), len(found) - 1)]


# ---------------------------------------------------------------------- the words of a statement


def told(text: str) -> bool:
    """Whether a statement tells what was, by its verbs: then its weekdays are past ones."""
    script = scripts(text)
    words = _spoken(text) if script.latin or script.hindi else set()
    if script.latin and words.isdisjoint(listed("present", *ALPHABETIC)):
        if not words.isdisjoint(listed("told", *ALPHABETIC)):
            return True
        endings, other = tuple(listed("told_endings", *ALPHABETIC)), listed("told_never", *ALPHABETIC)
        if any(len(word) > 4 and word.endswith(endings) for word in words - other):
            return True
    if script.hindi and not words.isdisjoint(listed("past", *DEVANAGARI)):
        return True
    if script.kana:
        return text.rstrip(" .!)。！").endswith("た")
    return script.han and _any_of(text, "told", *HAN) and not _any_of(text, "present", *HAN)


def _lasted(sentence: str) -> bool:
    """Whether it tells of a state that is over: "lived there until July"; not "closed until Monday"."""
    script = scripts(sentence)
    words = _spoken(sentence) if script.latin or script.hindi else set()
    if _mentions(sentence, words, key="ahead"):
        return False
    if script.latin and not words.isdisjoint(listed("lasting", *ALPHABETIC)):
        is_so = not words.isdisjoint(listed("present", *ALPHABETIC))  # "is kept until July"
        return not is_so or not words.isdisjoint(listed("being", *ALPHABETIC))
    return (script.hindi or script.han) and told(sentence)


def _is_due(sentence: str) -> bool:
    """Whether what it names is still to come: due, will, must."""
    words = words_of(sentence)
    if scripts(sentence).hindi and any(word.endswith(tuple(listed("future_endings", *DEVANAGARI))) for word in words):
        return True
    return _mentions(sentence, set(words), key="due")


def _mentions(sentence: str, words: set[str], *, key: str) -> bool:
    """Whether a sentence has a word of this list, in its own script."""
    script = scripts(sentence)
    if script.latin and not words.isdisjoint(listed(key, *ALPHABETIC)):
        return True
    if script.hindi and not words.isdisjoint(listed(key, *DEVANAGARI)):
        return True
    return script.han and (_any_of(sentence, key, "zh") or (script.kana and _any_of(sentence, key, "ja")))


def _was(before: str, after: str) -> bool:
    """Whether a verb of what was stands right beside the day: "was April 30", 4月30日でした."""
    return _before("being").search(before) is not None or _after("being").match(after) is not None


def _is_for(before: str, after: str) -> bool:
    """Whether something is meant for the day, or put off to it: "a table for Friday"."""
    return _before("meant").search(before) is not None or _after("meant").match(after) is not None


_BESIDE = 40
"""Characters before and behind a date in which such words are looked for."""


def _tail(before: str) -> str:
    return f" {fold(before[-_BESIDE:]).rstrip()} "


@cache
def _before(key: str) -> re.Pattern[str]:
    """Match the words of a list, then at most a few that lead to a day."""
    words = "|".join(re.escape(word) for word in sorted(listed(key, *ALPHABETIC), key=len, reverse=True))
    leads = "|".join(re.escape(word) for word in sorted(listed("leads", *ALPHABETIC), key=len, reverse=True))
    return re.compile(rf"\W(?:{words})(?:\W+(?:{leads}))*\W+$")


@cache
def _after(key: str) -> re.Pattern[str]:
    """Match the words of a list that follow the day, in Hindi and Japanese."""
    words = "|".join(re.escape(word) for word in sorted(listed(key, "hi", "ja"), key=len, reverse=True))
    leads = "|".join(re.escape(word) for word in sorted(listed("leads", "hi", "ja"), key=len, reverse=True))
    return re.compile(rf"\s*(?:(?:{leads})\s*)?(?:{words})")


def _spoken(text: str) -> set[str]:
    """Return the words of a text without those that a capital makes a month: "may" of May."""
    months = {word for word in listed("shy", *ALPHABETIC) if word.title() in text and word not in text}
    return set(words_of(text)) - months


def _any_of(text: str, key: str, *languages: str) -> bool:
    return any(word in text for word in listed(key, *languages))
