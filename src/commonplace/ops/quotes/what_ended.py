"""Which rules and decisions have passed because a later line, on any page, says that what they name was given up."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.quotes.quote_endings import Endings, read_endings
from commonplace.core.quotes.quote_topics import DECISIONS, PREFERENCES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import AnyLine, Citation, Line
    from commonplace.core.quotes.lines_by_entity import WeighedLine
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.ops.quotes.quote_reader import QuoteReader

_HOLD = (PREFERENCES, DECISIONS)
_NAME = lazy_pattern(
    r"(?<![A-Za-zÀ-ɏЀ-ӿ0-9.])[A-ZÀ-ÞА-ЯЁ][A-Za-zÀ-ɏЀ-ӿ0-9.+-]*[A-Za-zÀ-ɏЀ-ӿ0-9]"
    r"(?:\s[A-ZÀ-ÞА-ЯЁ][A-Za-zÀ-ɏЀ-ӿ0-9.+-]*[A-Za-zÀ-ɏЀ-ӿ0-9])*"
)
"""What is written as a name in a script with capitals."""
_MOST_NAMES = 3
"""Known names in a rule or decision; one of more does not pass with one of them."""


class WhatEnded:
    """The lines which say that something, but nobody, was given up or replaced.

    Args:
        lines: those of the logs by their worth.
    """

    def __init__(self, lines: Iterable[WeighedLine], reader: QuoteReader) -> None:
        self._reader = reader
        self._telling = [each for each in lines if each.ending]
        self._found: list[tuple[int, Line, Endings]] | None = None

    def of(self, quotes: Iterable[Quote]) -> dict[Citation, AnyLine]:
        """Return, by the source of each rule or decision that has passed, the newest line that says so."""
        found: dict[Citation, AnyLine] = {}
        for each in quotes:
            holds = each.line.recorded and (each.topic in _HOLD or each.fault == "over")
            known = self._reader.names(each.line.source)
            names, above = (_names(each, known), _names_above(each)) if holds else ([], [])
            if not (names or above) or len(known) > _MOST_NAMES:
                continue
            day = ordinal(each.line.recorded)
            for when, line, endings in self._lines():
                if when <= day:
                    break
                said = (entity_key(name) for name in above if _is_a_name(name, line.content))
                if any(map(endings.of, (*names, *said))):
                    found[each.line.source] = line
                    break
        return found

    def _lines(self) -> list[tuple[int, Line, Endings]]:
        """Return those lines, each after its day as an ordinal, the newest first, and of a day the last."""
        if self._found is None:
            read = self._reader.of(self._telling)
            lines = [(ordinal(each.line.recorded), each.line) for each in read.values() if each.fault != "open"]
            lines = sorted(lines, key=itemgetter(0))[::-1]
            self._found = [(day, line, read_endings(line.content)) for day, line in lines]
        return self._found


def _names(quoted: Quote, known: Iterable[str]) -> list[str]:
    """Return the names in a line, but for those of persons, as keys.

    Args:
        known: folded known names in it.
    """
    said = f"{quoted.line.content}\n{quoted.below}"
    return [*dict.fromkeys(map(entity_key, _of_things((*_NAME.findall(said), *known))))]


def _names_above(quoted: Quote) -> list[str]:
    """Return the names in the heading above a line, but for those of persons, and of what each is one: of `City Harbour
    Fund` also `Fund`."""
    found = [name for heading in quoted.line.context[-1:] for name in _NAME.findall(heading)]
    return _of_things(part for name in _of_things(found) for part in (name, name.rpartition(" ")[2]))


def _of_things(names: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(name for name in names if kind_of((name,), ()) != PERSON)]


def _is_a_name(word: str, text: str) -> bool:
    """Whether a text has a word with its capital after a word in small letters, which no beginning of a sentence is."""
    return f" {word}" in text and re.search(rf"[a-zà-ÿа-яё] {re.escape(word)}(?!\w)", text) is not None
