"""Queries that read lines by row, with what is around, above and against them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.model import Fact, Role
from commonplace.core.recall.index_rows import DEEPEST, chain
from commonplace.store.sqlite.database import Database
from commonplace.store.sqlite.index_schema import LINE, ROLE_NUMBER, stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.recall.index_rows import Above, StoredLine
    from commonplace.store.sqlite.index_schema import Neighbour, Neighbours

_SPLICED = (
    "select j.value, b.low, b.high from carray(?) j"
    " cross join blocks b on b.low = (select max(low) from blocks where low <= j.value)"
    " where exists (select 1 from chunks) and exists (select 1 from chunks c where c.file = b.file)"
)
"""Of rows those of large files, of which a part may have been read again, with the ends of their documents."""
COUNTS = (
    "exists (select 1 from facts said where said.row = r.row and"
    " (said.outsider = '' or exists (select 1 from facts x2 where x2.id = r.target and x2.outsider = said.outsider)))"
)
"""Condition on a row `r` of `relations`: whether it counts. The author's do; another's only about their own facts."""
LINES_AT = LINE.replace("from lines l", "from carray(?) j cross join lines l on l.row = j.value")
"""Query of the records of a list of rows."""
TOLD_ROLES = ", ".join(str(ROLE_NUMBER[role]) for role in (Role.BULLET, Role.TEXT, Role.ROW))
"""Numbers of the roles of prose, lists and tables, in SQL."""
DISTINCT = (
    "select count(distinct l.text) from carray(?) j cross join lines l on l.row = j.value"
    f" cross join files f using (file) where l.role in ({TOLD_ROLES}) and f.conflict = 0 and l.outsider is null"
    " and l.text not like '~~%' and rtrim(l.text) not like '%?' and rtrim(l.text) not like '%？'"
    " and not exists (select 1 from relations r where r.row = l.row)"
    " and l.text not in (select b.text from carray(?) k cross join lines b on b.row = k.value)"
)
"""Number of the distinct texts of lines that no other of some lines has."""


class LineQueries(Database):
    """Reads lines by row."""

    def day_of(self, row: int) -> date | None:
        """Return the day of a row; None for an undated line."""
        number = (row >> self.day_bits) - 1
        return date.fromordinal(number) if number > 0 else None

    def lines(self, rows: Iterable[int], *, named: bool = False, whole: bool = True) -> dict[int, StoredLine]:
        """Return the lines of these rows, without their context.

        Args:
            named: the known names in them, or the regions of their files, are asked for next.
            whole: so is what they claim and what is beside them; if not, most may be left out first.
        """
        wanted = list(rows)
        records = self.run(LINES_AT, (self.listed(wanted),)) if wanted else ()
        return {record[0]: stored(record, self.day_bits) for record in records}

    def facts_at(self, rows: Iterable[int]) -> dict[int, Fact]:
        """Return the facts in these rows, without their context; other lines are left out."""
        return {row: found.line for row, found in self.lines(rows).items() if isinstance(found.line, Fact)}

    def texts(self, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """Return row -> (parent row, file, text)."""
        sql = "select l.row, l.parent, l.file, l.text from carray(?) j cross join lines l on l.row = j.value"
        return {row: (parent, file, text) for row, parent, file, text in self.run(sql, (self.listed(rows),))}

    def neighbours(
        self, rows: Iterable[int], known: Above | None = None, *, before: int = 1, after: int = 1
    ) -> dict[int, Neighbours]:
        """Of rows: at most so many lines of the same file and day before and after each, nearest first.

        Rows of neighbours follow each other, but where lines went from the middle of a large file numbers are missing:
        there the next lines are looked for, which costs a query a row.

        Args:
            known: `texts` that were read of the same moment; the rest is added to it.
        """
        known = {} if known is None else known
        rows = [*rows]
        if missing := {row + step for row in rows for step in range(-before, after + 1)}.difference(known):
            known.update(self.texts(missing))
        found: dict[int, Neighbours] = {}
        short = []
        for row in rows:
            if row not in known:
                continue
            file = known[row][1]
            up = [
                (at, one[0], one[2])
                for at in range(row - 1, row - before - 1, -1)
                if (one := known.get(at)) and one[1] == file
            ]
            down = [
                (at, one[0], one[2])
                for at in range(row + 1, row + after + 1)
                if (one := known.get(at)) and one[1] == file
            ]
            found[row] = up, down
            if len(up) < before or len(down) < after:
                short.append(row)
        for row, first, last in self._spliced(short):
            if not known.keys() >= {*range(max(first, row - before), row)}:
                found[row] = self._next_lines(first, last=row - 1, order="desc", most=before), found[row][1]
            if not known.keys() >= {*range(row + 1, min(last, row + after) + 1)}:
                found[row] = found[row][0], self._next_lines(row + 1, last=last, order="asc", most=after)
        return found

    def _spliced(self, rows: Sequence[int]) -> Sequence[tuple[int, int, int]]:
        """Return (row, first and last row of its document) of those of large files."""
        return self.all(_SPLICED, (self.listed(rows),)) if rows else ()

    def _next_lines(self, first: int, *, last: int, order: str, most: int) -> list[Neighbour]:
        sql = f"select row, parent, text from lines where row between ? and ? order by row {order} limit ?"
        return self.all(sql, (first, last, most))

    def distinct(self, rows: Iterable[int], *, beside: Iterable[int]) -> int:
        """Return the number of distinct texts of the author's plain lines in these rows that no row `beside` has.

        Headings, code, struck lines, questions, conflict copies and facts whose trailers refer to others do not count.
        """
        return self.one(DISTINCT, (self.listed(rows), self.listed(beside))) or 0

    def ancestors(self, parents: Iterable[int], found: Above | None = None) -> Above:
        """Return `texts` of these rows and of the headings and parent bullets above them, as many as a context shows.

        Args:
            found: earlier results of the same moment; new ones are added to it.
        """
        found = {} if found is None else found
        wanted = set(parents) - {0}
        for _ in range(DEEPEST):
            if missing := wanted.difference(found):  # less `found.keys()` would cost a step for each that is found
                found.update(self.texts(missing))
            wanted = {found[row][0] for row in wanted if row in found} - {0}
            if not wanted:
                break
        return found

    def context(self, line: StoredLine) -> tuple[str, ...]:
        """Return the headings and parent bullets of a line, outermost first."""
        return chain(line.parent, self.ancestors((line.parent,)))

    def against(
        self, ids: Iterable[str], relations: tuple[str, ...] = ("supersedes", "retracts")
    ) -> dict[str, tuple[int, ...]]:
        """Return id -> rows of facts whose trailers have one of these relations to it, newest first.

        Relations of others to the author's facts do not count.
        """
        found: dict[str, tuple[int, ...]] = {}
        for target, relation, row in self._relations_to(ids):
            if relation in relations and row not in found.get(target, ()):
                found[target] = (*found.get(target, ()), row)
        return found

    def _relations_to(self, ids: Iterable[str]) -> Iterable[tuple[str, str, int]]:
        """Return (id, relation, row that has this relation to it), the newest rows first."""
        sql = (
            "select r.target, r.relation, r.row from carray(?) j cross join relations r on r.target = j.value"
            f" where {COUNTS} order by r.row desc"
        )
        return self.all(sql, (self.listed(ids),))
