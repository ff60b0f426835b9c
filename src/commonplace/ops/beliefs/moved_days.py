"""Which plain lines tell a day of something that a newer line moves or cancels, found by search when a line is shown.

A newer line that does not name the old day counts only if no other line tells another day of the same thing: nobody
knows which of two dentists is meant.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.changes.day_changes import changing_terms, day_changes, telling_terms, told_day
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.when.words.prefilter import may_hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from commonplace.core.changes.day_changes import DayChange, ToldDay
    from commonplace.core.model import AnyLine
    from commonplace.core.recall.index_rows import RowRange, StoredLine
    from commonplace.core.text.key_search import KeySearch
    from commonplace.store.sqlite import Index

_MOST = 60
"""Newer lines that are compared, and lines that have a word by which they are searched."""
_RAREST = 4
"""Words of a line by which newer ones are searched."""


class MovedDays:
    """Finds the lines that move or cancel the day which others tell.

    Args:
        follows: whether a line is surely later than another and may outdate it.
    """

    def __init__(self, index: Index, *, follows: Callable[[StoredLine, StoredLine], bool]) -> None:
        self._index, self._follows = index, follows
        self._changing_terms: dict[int, frozenset[str]] = {}
        """Row -> terms of what it may tell to have another day."""

    def terms(self, olders: Iterable[StoredLine]) -> set[str]:
        """Return the terms whose frequency tells by which of them newer lines are searched."""
        telling = [telling_terms(each.line.content) for each in olders if _may_tell_a_day(each.line.content)]
        return {form for each in telling for term in each for form in _forms(term)}

    def searches(
        self, olders: Iterable[StoredLine], counts: Mapping[str, int], *, as_of: date | None
    ) -> Iterator[tuple[StoredLine, KeySearch, RowRange]]:
        """Yield lines that may tell a day, each with the search for those after it that have one of its rarest words.

        Args:
            counts: how often there are their `terms`.
        """
        known = self._index.rows_known(as_of)
        for older in olders:
            if not _may_tell_a_day(older.line.content):
                continue
            often = {term: sum(counts[form] for form in _forms(term)) for term in telling_terms(older.line.content)}
            told_again = [term for term, count in often.items() if 1 < count <= _MOST]
            if rare := sorted(told_again, key=lambda term: (often[term], term))[:_RAREST]:
                search = any_of_keys([(form,) for term in rare for form in _forms(term)])
                yield older, search, known._replace(first=max(known.first, older.row + 1))

    def read(self, texts: Mapping[int, str]) -> None:
        """Read what lines tell to have another day.

        Args:
            texts: by their rows.
        """
        self._changing_terms.update((row, changing_terms(text)) for row, text in texts.items())

    def of(self, found: Iterable[tuple[StoredLine, Iterable[int]]], *, as_of: date | None) -> dict[int, AnyLine]:
        """Return row -> the newest line that changed the day which it tells, for those of these lines.

        Args:
            found: each with the rows that its search found, which were `read`.
        """
        newest: dict[int, AnyLine] = {}
        for older, rows in found:
            terms = telling_terms(older.line.content)
            changing = [row for row in rows if self._changing_terms.get(row, frozenset()) & terms]
            if not changing or older.line.recorded is None:
                continue
            if (told := told_day(older.line.content, older.line.recorded)) is None:
                continue
            lines = [each for each in self._index.lines(changing).values() if self._follows(each, older)]
            for newer in sorted(lines, key=lambda each: (each.line.recorded or date.min, each.row), reverse=True):
                change = self._change(newer, older, told)
                if change is not None and not self._is_told_again(change, newer, told, as_of=as_of):
                    newest[older.row] = newer.line
                    break
        return newest

    def _change(self, newer: StoredLine, older: StoredLine, told: ToldDay) -> DayChange | None:
        """Return what a line says by which the day that an older one tells is no longer that of its thing."""
        recorded = newer.line.recorded or date.min
        for change in day_changes(newer.line.content, recorded):
            if change.is_of(told, recorded) and (change.old or self._is_alone(change, newer, older, told)):
                return change
        return None

    def _is_alone(self, change: DayChange, newer: StoredLine, older: StoredLine, told: ToldDay) -> bool:
        """Return whether no other line before a change tells another day to come of the same thing."""
        recorded = newer.line.recorded or date.min
        moved = bool(older.line.recorded and day_changes(older.line.content, older.line.recorded))
        return not any(
            other.day.end is not None and other.day.end >= recorded and other.day not in (told.day, *change.new)
            for each, other in self._telling(change, newer, among=self._index.rows_known(recorded))
            if each.row > older.row or (each.row != older.row and not moved)  # a move tells what was told before it
        )

    def _is_told_again(self, change: DayChange, newer: StoredLine, told: ToldDay, *, as_of: date | None) -> bool:
        """Return whether a line behind a change tells the old day of the thing: it is on again."""
        later = self._index.rows_known(as_of)._replace(first=newer.row + 1)
        return any(
            other.day == told.day and self._follows(each, newer)
            for each, other in self._telling(change, newer, among=later)
        )

    def _telling(
        self, change: DayChange, newer: StoredLine, *, among: RowRange
    ) -> Iterator[tuple[StoredLine, ToldDay]]:
        """Yield the lines that tell a day to come of the thing of a change, but that of the change."""
        search = any_of_keys([(form,) for word in change.thing for term in in_order(word) for form in _forms(term)])
        (rows,) = self._index.match_each([(search, among)], limit=_MOST, whose=[self._index.whose(newer.row)])
        for each in self._index.lines({*rows} - {newer.row}).values():
            if each.line.recorded is not None:
                told = told_day(each.line.content, each.line.recorded)
                if told is not None and change.names(told):
                    yield each, told


def _forms(term: str) -> tuple[str, str]:
    """Return a term as the index has it: alone, and of another form of its word."""
    return term, f"~{term}"


def _may_tell_a_day(text: str) -> bool:
    return may_hold(text) or any(map(str.isdigit, text))
