"""Keeps the terms of our own lines that stay in their row when a page is renewed.

Finding and writing the terms of a line is most of what indexing costs, and a reflect changes a few lines of a page of
thousands. So what changed in the middle moves only the lines above it or those below it, whichever are fewer: there is
room before and behind each page. Law: our lines of a page stand row by row in their order, as a rebuild numbers them,
and far from those of any other page; only where they begin is of no meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from commonplace.store.sqlite.database import listed
from commonplace.store.sqlite.index_schema import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.store.sqlite.database import Database

    Said = tuple[str, str | None]
    """What the terms of a line are found in: its text and, of a fact, its entities as JSON."""

_ROOM = 1_000
"""Free rows before a page, for it and for the page before it to grow."""
_APART = 8
"""Rows between two pages at least: a recall looks at the rows around a line."""


class Ours:
    """The rows that our lines get, document by document; what is written of them comes later, all at once."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._given: list[tuple[int, int]] = []
        """First row and the one behind the last of each document that got rows."""
        self._behind = 0
        """The row behind all of them."""
        self._stood: dict[int, tuple[Said, int]] = {}
        self._next = 0

    def replace(self, stood: Mapping[int, tuple[Said, int]]) -> None:
        """Go on to a document whose lines stood in these rows, each with the number of its terms."""
        self._stood = dict(stood)
        self._next = 0

    def row(self, said: Sequence[Said]) -> int:
        """The row of the document's next line.

        Args:
            said: what all of its lines say, the first one first.
        """
        if not self._next:
            self._next = self._first(said)
            self._given.append((self._next, self._next + len(said)))
            self._behind = max(self._behind, self._next + len(said))
        self._next += 1
        return self._next - 1

    def kept(self, row: int, said: Said) -> int | None:
        """How many terms the row has, which are those of this line; None when it has not."""
        if self._stood.get(row, (None, 0))[0] != said:
            return None
        return self._stood.pop(row)[1]

    def settle(self) -> None:
        """Forget the terms of lines that did not stay."""
        self._db.run("delete from terms where rowid in (select value from carray(?))", (listed(self._stood),))

    def _first(self, said: Sequence[Said]) -> int:
        """Where most of the lines stand already, the first or the last of them in its row; else behind all pages."""
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
            raise apsw.CorruptError("the rows of our lines are used up")  # a rebuild gives them back
        return start

    def _free(self, start: int, stop: int) -> bool:
        """Whether these rows are near none of another page."""
        low, high = start - _APART, stop + _APART
        if low < 0 or high > WRITTEN or any(low < other and first < high for first, other in self._given):
            return False
        return not self._db.one("select exists (select 1 from blocks where low < ? and high >= ?)", (high, low))
