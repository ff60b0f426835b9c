"""Which undated lines of core files have passed because a log says that what they name was removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.changes.change_lexicon import cues
from commonplace.core.changes.removed_things import OFF, named_things, says_of
from commonplace.core.changes.stated_states import subject_of, told
from commonplace.core.quotes.quote_topics import DECISIONS, PREFERENCES
from commonplace.core.recall.index_rows import chain
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.text.normalize import fold
from commonplace.ops.beliefs.outdated_lines import day_of, may_outdate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import AnyLine, Citation
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.recall.index_rows import Above, StoredLine
    from commonplace.store.sqlite import Index

_RULES = (PREFERENCES, DECISIONS)
_MOST = 60
"""Newer lines that are read for each thing."""


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
            rules = undated[older.line.source].topic in _RULES
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
            limit=_MOST,
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
