"""Orders the lines of a range of days: the best line of each day, then the second of each, and so on.

A question with days and no search terms ("What happened last week?", `--since 7d`) cannot score lines by terms. So a
line is scored by its worth (`core/extract/line_worth.py`); labels, rules and counters are left out.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.questions.ask_phrases import Ask, answers
from commonplace.core.tables import table
from commonplace.core.text.analyzer import query_terms
from commonplace.core.text.normalize import columns, fold
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from commonplace.core.model import AnyLine, Span


@cache
def decision_terms() -> str:
    """Return an FTS5 expression for lines with a word of a decision, in any language."""
    words = {word for each in table("answers")[Ask.DECISION].values() for word in each if " " not in word}
    return " OR ".join(dict.fromkeys(term.match for word in sorted(words) for term in query_terms(word)))


@lru_cache(maxsize=4096)
def _decides(text: str) -> bool:
    return bool(answers(text, (Ask.DECISION,)))


def decided(path: str, text: str, *, context: Sequence[str]) -> bool:
    """Return whether a line states a decision: by its words, its headings and parents, or the name of its file."""
    name = path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")
    return bool(answers(text, (Ask.DECISION,))) or any(map(_decides, (*context, name)))


def oldest_first(text: str) -> bool:
    """Return whether a question asks for the first day first."""
    return _says(text, "oldest")


def asks_what_held(text: str) -> bool:
    """Return whether a question asks what was so on some days, and not only what happened on them."""
    return _says(text, "held")


def _says(text: str, key: str) -> bool:
    folded = fold(text)
    return any(fold(words) in folded for each in table("window")[key].values() for words in each)


# ---------------------------------------------------------------------- a line


_FEWEST = 12
"""Columns below which a line is a label; a Chinese or Japanese character has two."""
_REASONS = {
    "a decision": ("decided", "label decided"),
    "a cause": ("cause", "label cause"),
    "a lesson": ("lesson", "label lesson"),
    "a preference": ("prefers",),
    "a rule": ("rule",),
    "a change": ("act",),
    "under a decision": ("below decided",),
    "under a cause": ("below cause",),
    "under a lesson": ("below lesson",),
}
"""What a line says or stands under -> the signs of that, as of `line_worth`."""
_MOST_REASONS = 2


def reasons(signs: AbstractSet[str]) -> tuple[str, ...]:
    """Return the most important that a line tells, in words."""
    found = (why for why, shown_by in _REASONS.items() if not signs.isdisjoint(shown_by))
    return tuple(islice(found, _MOST_REASONS))


def in_logs(path: str) -> bool:
    """Return whether a file tells what happened: a log, a note beside it, MEMORY.md; no instructions."""
    return path.startswith("memory/") or path.casefold() == "memory.md" or path_day(path) is not None


def tells(text: str) -> bool:
    """Return whether a line that is no fact has content: it is no label, rule, counter, code or path."""
    bare = _bare(text)
    return columns(bare) >= _FEWEST and not _says_nothing(bare)


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
    label, *values = _label_colon().split(bare, maxsplit=1)
    if not values or len(label) > _LONGEST_LABEL or not any(map(str.isalpha, label)):
        return False  # what follows a day or an hour is what happened then
    value = values[0].strip()
    return not any(map(str.isalpha, value)) or _counter().fullmatch(value) is not None


@cache
def _label_colon() -> re.Pattern[str]:
    """Return what matches a colon, but for that of an hour: `MOT at 8:30`."""
    return re.compile(r"(?<!\d)[:：]|[:：](?!\d)")


_LONGEST_LABEL = 30


@cache
def _path() -> re.Pattern[str]:
    return re.compile(r"[\w./\\~@:-]+", re.ASCII)  # a sentence in Chinese has no spaces either


@cache
def _counter() -> re.Pattern[str]:
    """A value that is a number with its unit, a time, a path or one word: without spaces, three characters."""
    spaced = r"[^\W\d_\u0e00-\u0eff\u2e80-\U0003ffff]"
    word, unit = (rf"(?:{spaced}{{1,{most}}}|[^\W\d_]{{1,3}})" for most in (14, 12))
    clock = r"[\d:.-]+(?:\s*[-–~]\s*[\d:.-]+)?\s*(?:am|pm|utc|cet|[A-Z]{2,4})?"
    return re.compile(
        rf"\W*(?:[\d.,:/%+-]+\s*{unit}?|{word}|[A-Za-z0-9_./\\~@:-]+|{clock})\W*",
        re.IGNORECASE,
    )


# ---------------------------------------------------------------------- the days


class Days(NamedTuple):
    """The days asked about, and their order."""

    span: Span
    """Both ends may be open."""
    undated: bool
    """Whether undated lines are included."""
    oldest: bool
    around: date | None
    """The approximate day."""

    def order(self, day: date | None) -> int:
        """Return the sort key of a day; undated lines come last."""
        if day is None:
            return 1 << 30
        if self.around is not None:
            return 2 * abs((day - self.around).days) + (day > self.around)
        return day.toordinal() if self.oldest else -day.toordinal()

    def of(self, line: AnyLine) -> date | None:
        """Return the day to which a line belongs: its recorded day, or the first of its valid days, if asked about."""
        start, end = self.span
        day = line.recorded
        if day is not None and (start is None or start <= day) and (end is None or day <= end):
            return day
        if line.valid is not None and line.valid.start is not None:
            return max(line.valid.start, start) if start is not None else line.valid.start
        return start if start == end else None if start or end else day


def in_turn(days: Sequence[Sequence[int | None]]) -> list[int]:
    """Return the rows of days in turn: the first of each day, then the second of each, and so on."""
    return [row for turn in zip_longest(*days) for row in turn if row is not None]


def late_turns(days: Iterable[Sequence[int]]) -> Iterator[int]:
    """Yield the same of days with rows; a day is asked for when its first turn comes."""
    met = []
    for rows in days:
        met.append(rows)
        yield rows[0]
    yield from in_turn([rows[1:] for rows in met])


class LaterRows:
    """Rows in order, each once, of which no more are worked out than are asked for.

    Args:
        but: rows that are left out.
    """

    def __init__(self, rows: Iterable[int], *, but: Iterable[int]) -> None:
        self._rows = iter(rows)
        self._but = {*but}
        self._ahead: list[int] = []

    def __bool__(self) -> bool:
        return bool(self.next(1))

    def next(self, most: int) -> list[int]:
        """Return the next rows, which go on waiting."""
        while len(self._ahead) < most and (row := next(self._rows, None)) is not None:
            if row not in self._but:
                self._but.add(row)
                self._ahead.append(row)
        return self._ahead[:most]

    def take(self, most: int) -> list[int]:
        """Return the next rows."""
        taken = self.next(most)
        del self._ahead[:most]
        return taken

    def leave_out(self, rows: Collection[int]) -> None:
        """Leave out these rows, too."""
        self._but.update(rows)
        self._ahead = [row for row in self._ahead if row not in rows]
