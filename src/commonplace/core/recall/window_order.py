"""Orders the lines of a range of days: the best line of each day, then the second of each, and so on.

A question with days and no search terms ("What happened last week?", `--since 7d`) cannot score lines by terms. So a
line is scored by its content: a decision, a change, a cause, a fix, people, numbers; labels and counters score 0.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.recall.query_analysis import Ask, answers
from commonplace.core.tables import table
from commonplace.core.text.analyzer import query_terms
from commonplace.core.text.known_languages import UNSPACED
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Sequence


@cache
def decision_terms() -> str:
    """Return an FTS5 expression for lines with a word of a decision, in any language."""
    words = {word for each in table("answers")[Ask.DECISION].values() for word in each if " " not in word}
    return " OR ".join(dict.fromkeys(term.match for word in sorted(words) for term in query_terms(word)))


@lru_cache(maxsize=4096)
def _decides(text: str) -> bool:
    return Ask.DECISION in answers(text)


def decided(path: str, text: str, *, context: Sequence[str]) -> bool:
    """Return whether a line states a decision: by its words, its headings and parents, or the name of its file."""
    name = path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")
    return Ask.DECISION in answers(text) or any(map(_decides, (*context, name)))


def oldest_first(text: str) -> bool:
    """Return whether a question asks for the first day first."""
    folded = fold(text)
    return any(fold(words) in folded for each in table("window")["oldest"].values() for words in each)


# ---------------------------------------------------------------------- a line


class DayLine(NamedTuple):
    """The worth of a line, with its reasons."""

    worth: float
    why: tuple[str, ...]


_NOTHING = DayLine(0.0, ())
LEAST = 0.2
"""Minimum worth of a line with content."""
_SAID = {Ask.DECISION: "a decision", Ask.CAUSE: "a cause", Ask.FIX: "a fix", "change": "a change"}
_FEWEST = 12
"""Columns below which a line is a label; a Chinese or Japanese character has two."""
_SHORT, _LONG = 30, 60
_TOO_LONG = 400


def tells(text: str) -> bool:
    """Return whether a line that is no fact has content: it is no label, rule, counter, code or path."""
    bare = _bare(text)
    return _columns(bare) >= _FEWEST and not _says_nothing(bare)


def told(text: str, context: Sequence[str] = (), *, is_fact: bool = False) -> DayLine:
    """Return the worth of a line; 0 for a label, a rule, a counter, code or a path."""
    bare = _bare(text)
    columns = _columns(bare)
    if not is_fact and (columns < _FEWEST or _says_nothing(bare)):
        return _NOTHING
    weights = table("window")["weights"]
    found = answers(bare)
    why: list[str] = [ask for ask in (Ask.DECISION, Ask.CAUSE, Ask.FIX) if ask in found]
    folded = f" {fold(bare)} "
    if Ask.FIX not in found and _changes(folded):
        why.append("change")
    signs = [*why]
    if not why and context and (under := answers(context[-1]) & {Ask.DECISION, Ask.CAUSE, Ask.FIX}):
        signs.append("under a decision" if Ask.DECISION in under else "under")
        why.extend(f"under a {ask}" for ask in sorted(under))
    if is_fact:
        signs.append("fact")
    if _name().search(bare):
        signs.append("name")
    if _figure().search(bare):
        signs.append("figure")
    if columns >= _LONG:
        signs.append("long")
    elif columns < _SHORT:
        signs.append("short")
    if columns > _TOO_LONG or text.startswith("|"):
        signs.append("unwieldy")
    if bare.endswith(("?", "？")) or text.lstrip().startswith(("[ ]", "- [ ]")):
        signs.append("request")
    worth = 3.0 + sum(weights[sign] for sign in signs)
    return DayLine(max(worth, LEAST), tuple(_SAID.get(each, each) for each in why))


def _columns(bare: str) -> int:
    return len(bare) if bare.isascii() else len(bare) + sum(character >= FAR_EAST for character in bare)


def _bare(text: str) -> str:
    return _marks().sub("", text.replace("|", " ")).strip(" -–—=#>\t")


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"[*_`~]{1,3}|^\s*(?:\[[ xX]\]|\d{1,3}[.)])\s+|<!--.*?-->")


def _says_nothing(bare: str) -> bool:
    if bare.endswith((":", "：")) or not any(map(str.isalpha, bare)):
        return True
    if bare[0] in '{[<"' or "://" in bare[:10] or _path().fullmatch(bare):
        return True
    label, colon, value = bare.replace("：", ":", 1).partition(":")
    if not colon or len(label) > _LONGEST_LABEL:
        return False
    value = value.strip()
    return not any(map(str.isalpha, value)) or _counter().fullmatch(value) is not None


_LONGEST_LABEL = 30


@cache
def _path() -> re.Pattern[str]:
    return re.compile(r"[\w./\\~@:-]+")


@cache
def _counter() -> re.Pattern[str]:
    """A value that is a number with its unit, a time, one word or a path."""
    return re.compile(
        r"\W*(?:[\d.,:/%+-]+\s*[^\W\d_]{0,12}|[^\W\d_]{1,14}|[\w./\\~@:-]+|[\d:.-]+(?:\s*[-–~]\s*[\d:.-]+)?\s*(?:am|pm|utc|cet|[A-Z]{2,4})?)\W*",
        re.IGNORECASE,
    )


@cache
def _name() -> re.Pattern[str]:
    """A name inside a sentence: a capital after a lower-case word, an @, a title after the name."""
    titles = table("window")["titles"]
    spaced = "|".join(rf"{re.escape(title)}\b" for title in titles["hi"])
    runs = "|".join(re.escape(title) for language in ("ja", "zh") for title in titles[language])
    return re.compile(rf"(?<=[a-zæøå,а-я] )[A-ZÆØÅА-Я][a-zæøåа-я]{{2,}}|@\w|\[\[|{runs}|{spaced}")


@cache
def _figure() -> re.Pattern[str]:
    return re.compile(r"\d")


def _changes(folded: str) -> bool:
    spaced, runs = _change_words()
    if not folded.isascii() and runs.search(folded) is not None:
        return True
    return not spaced.isdisjoint(folded.translate(_BREAKS).split())


_BREAKS = {ord(mark): " " for mark in ".,;:!?()\"'/—–-"}


@cache
def _change_words() -> tuple[frozenset[str], re.Pattern[str]]:
    words = table("window")["change"]
    spaced = frozenset(fold(word) for language in words if language not in UNSPACED for word in words[language])
    runs = {fold(word) for language in UNSPACED for word in words[language]}
    return spaced, re.compile("|".join(map(re.escape, sorted(runs))))


def pattern(text: str) -> str:
    """Return the start of a line with its numbers as 0: lines of one pattern on many days are routine."""
    return _digits().sub("0", fold(text[:_PATTERN]))


_PATTERN = 60


@cache
def _digits() -> re.Pattern[str]:
    return re.compile(r"\d+")


# ---------------------------------------------------------------------- the days


def in_turn(days: Sequence[Sequence[int]]) -> list[int]:
    """Return the rows of days in turn: the first of each day, then the second of each, and so on."""
    return [row for turn in zip_longest(*days) for row in turn if row is not None]
