"""Keeps the terms of our own lines that stay in their row when a page is renewed.

Computing and writing the terms of a line is most of the cost of indexing, and a reflect changes a few lines of a page
of thousands. So a change in the middle moves only the lines above it or those below it, whichever are fewer: there is
free room before and after each page. Law: our lines of a page are in consecutive rows in their order, as a rebuild
numbers them, and far from those of any other page; only their first row has no meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from commonplace.store.sqlite.index_schema import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.store.sqlite.database import Database

    Said = tuple[str, str | None]
    """The input of a line's terms: its text and, for a fact, its entities as JSON."""

_ROOM = 1_000
"""Free rows before a page, so that it and the page before it can grow."""
_APART = 8
"""Minimum rows between two pages: a recall looks at the rows around a line."""


class Ours:
    """Assigns rows to our lines, document by document; the rows are written later, all at once."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._given: list[tuple[int, int]] = []
        """First row, and the row after the last, of each document that got rows."""
        self._behind = 0
        """The row after all of them."""
        self._stood: dict[int, tuple[Said, int]] = {}
        self._next = 0

    def replace(self, stood: Mapping[int, tuple[Said, int]]) -> None:
        """Start a document whose old lines were in these rows, each with its number of terms."""
        self._stood = dict(stood)
        self._next = 0

    def row(self, said: Sequence[Said]) -> int:
        """Return the row of the document's next line.

        Args:
            said: the term inputs of all its lines, in order.
        """
        if not self._next:
            self._next = self._first(said)
            self._given.append((self._next, self._next + len(said)))
            self._behind = max(self._behind, self._next + len(said))
        self._next += 1
        return self._next - 1

    def kept(self, row: int, said: Said) -> int | None:
        """Return the number of terms stored for the row if they are those of this line, else None."""
        if self._stood.get(row, (None, 0))[0] != said:
            return None
        return self._stood.pop(row)[1]

    def settle(self) -> None:
        """Delete the terms of lines that did not stay."""
        if self._stood:
            self._db.run(
                "delete from terms where rowid in (select value from carray(?))", (self._db.listed(self._stood),)
            )

    def _first(self, said: Sequence[Said]) -> int:
        """Return the first row such that most lines stay, aligned at the first or last old row; else one after all
        pages.
        """
        stood = {row: was for row, (was, _) in self._stood.items()}
        starts = {min(stood), max(stood) + 1 - len(said)} if stood else set()
        same = {
            start: sum(stood.get(row) == each for row, each in enumerate(said, start))
            for start in starts
            if self._free(start, start + len(said))
        }
        if any(same.values()):
            return max(same, key=lambda start: (same[start], start))
        highest = self._db.one("select max(high) from blocks where low < ?", (WRITTEN,)) or 0
        start = max(highest + 1, self._behind) + _ROOM
        if start + len(said) > WRITTEN:
            raise apsw.CorruptError("the rows of our lines are used up")  # a rebuild frees them
        return start

    def _free(self, start: int, stop: int) -> bool:
        """Whether no row of another page is near these rows."""
        low, high = start - _APART, stop + _APART
        if low < 0 or high > WRITTEN or any(low < other and first < high for first, other in self._given):
            return False
        return not self._db.one("select exists (select 1 from blocks where low < ? and high >= ?)", (high, low))
