"""Whether "from Monday" opens a range: "closed from Monday" does, "the letter from Monday" does not.

English and Danish say both with one word, so the words before it decide; Japanese says the second with a の behind it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.tables import table
from commonplace.core.text.known_languages import BREAKS, HAN, LATIN
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.tense import QUARTER, sentence_at, told
from commonplace.core.when.words.date_lexicon import fold, listed, readings

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.when.grammar.calendar import DateFrame, Time

_WORD_BREAKS = {ord(char): " " for char in BREAKS if char not in "'.,%"}
_LATIN = "\u0250"
_SURE_YEARS = range(1900, 2200)


def opened(time: Time, text: str, *, start: int, end: int, frame: DateFrame) -> tuple[Time, int] | None:
    """Return the time as the start of an open range, and where its "from" is; None if it starts none.

    Args:
        time: as the grammar made it, without a relation.
        text: the statement with its digits and marks in ASCII.
        start: where the expression starts.
        end: and where it ends.
        frame: of the statement.
    """
    if time.relation or time.loose or text[start] >= _LATIN:
        return None
    found = _from().search(text, max(0, start - _REACH), start)
    if found is None or (time.care and not _is_sure(time)):
        return None
    low, high = sentence_at(text, start)
    sentence, before, behind = text[low:high], text[low : found.start()], text[end:high]
    numbered = any(map(str.isdigit, text[start:end]))
    if not (
        _begins(time, behind, numbered=numbered)
        if _is_first(before)
        else _opens(time, sentence, before=before, behind=behind)
    ):
        return None
    from commonplace.core.when.grammar.build_ranges import as_of  # with the grammar, where a text has a date

    settled = as_of(frame, time)
    way = _lean(time, settled, sentence=sentence, today=frame.today)
    if way:
        settled = as_of(frame._replace(lean=way), time)
    if settled is None or settled.start is None or (settled.start <= frame.today and _compares(before)):
        return None
    return settled._replace(mark=settled.mark or "said"), found.start()


_REACH = 12
"""Characters before a date in which its "from" stands: "from the ", "fra den "."""


@cache
def _from() -> re.Pattern[str]:
    words = (word for language in LATIN for word, known in readings(language).items() if ("from", None) in known)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})\s+(?:(?:the|den|d\.)\s+)?$", re.IGNORECASE)


def _is_sure(time: Time) -> bool:
    """Whether "from" makes it a date: a plausible year, a month, a feast; not "the first"."""
    if time.grain == "year" and time.start is not None:
        return time.start.year in _SURE_YEARS
    return time.form in {"month", "festival"}


def _is_first(before: str) -> bool:
    """Whether nothing stands before it in its sentence but a label: "Shop: from Monday the yard is closed"."""
    return before.rstrip(" *_\"'(")[-1:] in {"", ":", ";"}


def _begins(time: Time, behind: str, *, numbered: bool) -> bool:
    """Whether "From May 1" leads a sentence that says what holds then."""
    if _ends().match(behind) is not None:
        return False
    if numbered:
        return True
    return time.mark != "last" and ":" not in behind and (behind[:1] == "," or bool(_holding(_words(behind))))


def _opens(time: Time, sentence: str, *, before: str, behind: str) -> bool:
    """Whether what stands before "from May 1" is a state, a price, a rule or a change of one."""
    words = _words(_CLAUSE.split(before)[-1])
    if not words or _ends().match(behind) is not None:
        return False
    last = words[-1].strip(".,")
    if last in _listed("from_other") or _is_origin(words) or _is_length(words) or words[0] in _listed("pointing"):
        return False
    if time.mark == "last":  # "5 % up from last year", "data from yesterday"; but "closed from yesterday"
        return last in _listed("states")
    if behind.lstrip()[:1] in {":", "="} and last in _listed("priced"):
        return True
    if _holding(words):
        return True
    return time.mark != "number" and _is_counted(words) and not _told(sentence)


def _is_length(words: list[str]) -> bool:
    """Whether a length stands there: "is a month from May 1"."""
    english = table("when", "en")
    return words[-2:-1] != [] and words[-2] in english["rates"] and words[-1] in english["words"]["unit"]


_CLAUSE = lazy_pattern(r"\s-+\s|[;(|]")
"""What a clause begins behind, within a sentence: "No calls today - the last reports are from May 1"."""


def _is_counted(words: list[str]) -> bool:
    """Whether a number stands right before the day: a price."""
    return any(map(str.isdigit, " ".join(words[-2:])))


def _compares(before: str) -> bool:
    """Whether it is what an amount is held against: "sales are 5 higher from 2019"."""
    words = _words(before)
    return _is_counted(words[-2:] + words[-3:-2]) and not _listed("compared").isdisjoint(words)


@cache
def _ends() -> re.Pattern[str]:
    """Match what follows a date that starts nothing: "from Monday's", "from 2019-era"; or an unparsed range."""
    words = "|".join(sorted(_listed("from_ends")))
    return re.compile(rf"'s?\b|-\w|\s*(?:[-~]|(?:{words})\b)", re.IGNORECASE)


def _holding(words: list[str]) -> set[str]:
    """Return the words of a state, a rule or a change; one behind an article is a noun: "the work"."""
    if words[:1] and words[0] in _listed("ruling"):
        return {words[0]}
    states, holds, articles = _listed("states"), _listed("holds"), _listed("articles")
    bare = [word.strip(".,") for word in words]
    return {
        word
        for at, word in enumerate(bare)
        if word in states or (word in holds and (not at or bare[at - 1] not in articles))
    }


def _is_origin(words: list[str]) -> bool:
    """Whether what comes "from Monday" was made or happened then: "the letter"; not in "closed to cars"."""
    word, nouns = words[-1].strip(".,"), _listed("origins")
    if nouns.isdisjoint((word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")):
        return False
    beside = words[-2] if len(words) > 1 else ""
    if beside in _listed("roles") or words[0] in _listed("never"):
        return False
    return beside in _listed("articles") or _listed("states").isdisjoint(words)


def _told(sentence: str) -> bool:
    """Whether it tells what was; "closed" and "allowed" alone do not."""
    states = _listed("states")
    return told(" ".join(word for word in _words(sentence) if word not in states))


def _lean(time: Time, settled: Time | None, *, sentence: str, today: date) -> str:
    """Return the direction in which a weekday or a missing year is searched; empty for the nearest."""
    if not time.form or settled is None or settled.start is None:
        return ""
    if _told(sentence):
        return "past" if time.form == "weekday" else "back"
    if time.form == "weekday":
        return "future"
    passed = (today - settled.start).days
    coming = passed > QUARTER and not (_listed("turns") | _listed("due")).isdisjoint(_words(sentence))
    return "future" if coming else ""


def rate_before(text: str, start: int, *, end: int) -> tuple[int, int] | None:
    """Return where "a month" is in a price with a day: "39 euros [a month from 1 December]"."""
    found = _rate().match(text, start, end)
    if found is None:
        return None
    word = text[:start].rstrip()[-20:].split(" ")[-1]
    word = fold(word).strip(".")
    known = word in listed("counted", "en") or word in listed("rated", "en")
    if found[1]:  # "5 days a week from May 1"
        return found.start(1), found.end(2)
    return found.span(2) if known or word[-1:].isdigit() or word[-1:] in _SIGNS else None


_SIGNS = frozenset("€$£¥₹%")


@cache
def _rate() -> re.Pattern[str]:
    words = "|".join(table("when", "en")["rates"])
    return re.compile(rf"(\d+\s+\w+\s+)?((?:{words})\s+\w+)\s+(?:{'|'.join(table('when', 'en')['words']['from'])})\s")


# ---------------------------------------------------------------------- the other languages


def origin_behind(phrase: str, text: str, *, end: int) -> str:
    """Return the "from" at the end of a Japanese phrase that only qualifies a noun: 月曜からの手紙; else empty."""
    if text[end : end + 1] != "の" or not text.startswith(tuple(listed("from_things", *HAN)), end + 1):
        return ""
    return next((word for word in table("when", "ja")["since_coming"] if phrase.endswith(word)), "")


def _words(text: str) -> list[str]:
    return fold(text).translate(_WORD_BREAKS).split()


def _listed(key: str) -> frozenset[str]:
    return listed(key, *LATIN)
