"""Which lines have passed because a later one, on any page, says that what they name was given up or removed: rules and
decisions of a day, and undated lines of core files."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from commonplace.core.changes.change_lexicon import cues
from commonplace.core.changes.removed_things import OFF, named_things, says_of
from commonplace.core.changes.stated_states import subject_of, told
from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.quotes.quote_endings import Endings, read_endings
from commonplace.core.quotes.quote_topics import DECISIONS, PREFERENCES
from commonplace.core.recall.index_rows import chain
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.outdated_lines import day_of, may_outdate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from commonplace.core.model import AnyLine, Citation, Line
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.recall.index_rows import Above, StoredLine
    from commonplace.ops.beliefs.weighed_lines import WeighedLine
    from commonplace.store.sqlite import Index

_HOLD = (PREFERENCES, DECISIONS)
_NAME = lazy_pattern(
    r"(?<![A-Za-zÀ-ɏЀ-ӿ0-9.])[A-ZÀ-ÞА-ЯЁ][A-Za-zÀ-ɏЀ-ӿ0-9.+-]*[A-Za-zÀ-ɏЀ-ӿ0-9]"
    r"(?:\s[A-ZÀ-ÞА-ЯЁ][A-Za-zÀ-ɏЀ-ӿ0-9.+-]*[A-Za-zÀ-ɏЀ-ӿ0-9])*"
)
"""What is written as a name in a script with capitals."""
_MOST_NAMES = 3
"""Known names in a rule or decision; one of more does not pass with one of them."""
_MOST_READ = 60
"""Newer lines that are read for each thing that may have been removed."""


class WhatEnded:
    """The lines which say that something, but nobody, was given up or replaced.

    Args:
        lines: those of the logs by their worth.
        read: returns row -> the quote of each line that may be repeated.
    """

    def __init__(
        self, lines: Iterable[WeighedLine], read: Callable[[Iterable[WeighedLine]], Mapping[int, Quote]]
    ) -> None:
        self._read = read
        self._telling = [each for each in lines if each.ending]
        self._found: list[tuple[int, Line, Endings]] | None = None

    def of(self, quotes: Iterable[Quote], known: Mapping[Citation, Sequence[str]]) -> dict[Citation, AnyLine]:
        """Return, by the source of each rule or decision that has passed, the newest line that says so.

        Args:
            known: by the source of a line, the folded known names in it.
        """
        found: dict[Citation, AnyLine] = {}
        for each in quotes:
            holds = each.line.recorded and (each.topic in _HOLD or each.fault == "over")
            names = _names(each, known) if holds else []
            if not names or len(known.get(each.line.source, ())) > _MOST_NAMES:
                continue
            day = ordinal(each.line.recorded)
            for when, line, endings in self._lines():
                if when <= day:
                    break
                if any(map(endings.of, names)):
                    found[each.line.source] = line
                    break
        return found

    def _lines(self) -> list[tuple[int, Line, Endings]]:
        """Return those lines, each after its day as an ordinal, the newest first, and of a day the last."""
        if self._found is None:
            read = self._read(self._telling)
            lines = [(ordinal(each.line.recorded), each.line) for each in read.values() if each.fault != "open"]
            lines = sorted(lines, key=itemgetter(0))[::-1]
            self._found = [(day, line, read_endings(line.content)) for day, line in lines]
        return self._found


class WhatWasRemoved:
    """Finds the lines which say that things were removed; an undated line may be newer, so that nothing else counts."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._above: Above = {}

    def of(self, quotes: Iterable[Quote]) -> dict[Citation, AnyLine]:
        """Return, by the source of each line of which all things were removed, the newest line that says so."""
        undated = {each.line.source: each for each in quotes if each.core and each.line.recorded is None}
        stored = self._index.lines(self._index.rows_at(undated).values()).values()
        self._index.ancestors((each.parent for each in stored), self._above)
        found = {}
        for older in stored:
            rules = undated[older.line.source].topic in _HOLD
            if (newer := self._removed(older, rules=rules)) is not None:
                found[older.line.source] = newer
        return found

    def _removed(self, older: StoredLine, *, rules: bool) -> AnyLine | None:
        """Return the newest line that says of the last of its things that it was removed, if all were.

        Args:
            rules: whether the line is a rule: it may hold without the file that it names.
        """
        beside = {term for text in chain(older.parent, self._above)[-1:] for term in subject_of(fold(text))}
        named = named_things(older.line.content)
        for things in (named.items, () if rules else named.files):
            removing = [self._removing(thing, beside, older) for thing in things]
            lines = [line for line in removing if line is not None]
            if lines and len(lines) == len(removing):
                return max(lines, key=day_of)
        return None

    def _removing(self, thing: frozenset[str], beside: set[str], older: StoredLine) -> AnyLine | None:
        """Return the newest dated line about a thing, if that says that it was removed."""
        rows = self._index.match(
            any_of_keys([tuple(sorted(term for term in thing if len(term) > 1))]),
            among=self._index.rows_known(None),
            limit=_MOST_READ,
        )
        stored = self._index.lines(rows)
        if not any(OFF in cues(each.line.content) for each in stored.values()):
            return None
        self._index.ancestors((each.parent for each in stored.values()), self._above)
        lines = [each for each in stored.values() if each.line.recorded is not None and may_outdate(each, older)]
        for each in sorted(lines, key=lambda each: (day_of(each.line), str(each.line.source)), reverse=True):
            said = told(each.line.content, each.role, chain(each.parent, self._above)[-1:])
            removed = says_of(said, thing, beside)
            if removed is not None:
                return each.line if removed else None
        return None


def _names(quoted: Quote, known: Mapping[Citation, Sequence[str]]) -> list[str]:
    """Return the names in a line, but for those of persons, as keys."""
    said = f"{quoted.line.content}\n{quoted.below}"
    found = [*_NAME.findall(said), *known.get(quoted.line.source, ())]
    return [*dict.fromkeys(entity_key(name) for name in found if kind_of((name,), ()) != PERSON)]
