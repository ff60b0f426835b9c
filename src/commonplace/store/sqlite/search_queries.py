"""Queries that find rows by words, entities, days and kinds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from commonplace.core.model import Citation, Kind
from commonplace.core.recall.index_rows import RowRange
from commonplace.store.sqlite.index_schema import (
    ALL_WRITTEN,
    LAST,
    OPEN,
    WRITTEN,
    first_row,
    last_row,
)
from commonplace.store.sqlite.line_queries import TOLD_ROLES, LineQueries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from commonplace.core.model import Span
    from commonplace.store.sqlite.index_schema import Counts, Surroundings


MOST_TELLING = 50_000
"""Lines of a range that may tell of its days."""


NAMES = (
    "select name, key from (select j.value as name, a.key from carray(?1) j join aliases a on a.alias = j.value"
    " union select j.value, j.value from carray(?1) j"
    " where exists (select 1 from mentions m where m.key = j.value) and exists (select 1 from {})) n"
    " order by name, key <> name, key"
)
"""Query of the entities that names mean, if they are known as it says."""
ALSO = (
    "select a.key, a.alias, count(distinct b.key), max(case when b.alias = b.key then 1 else 0 end),"
    " exists (select 1 from tagged m where m.key = a.alias) from aliases a join aliases b on b.alias = a.alias"
)
"""Query of (key, another name of it, how many have this name, whether one is called so, whether lines use it)."""
_NAMING = "where m.key = ? and m.row >= ? order by m.row desc limit ?"
FACTS_NAMING = f"select m.row from tagged m cross join facts x using (row) {_NAMING}"
LINES_NAMING = f"select m.row from named m {_NAMING}"
"""Queries of the newest facts about an entity, and of the newest lines that name it."""
TELLING = (
    f"select row, length, parent from lines where row between ? and ? and length > 2 and role in ({TOLD_ROLES})"
    " order by row desc limit ?"
)
"""Query of the newest lines of prose, lists and tables in a range."""
KEPT_OPINIONS = (
    "select l.row from (select distinct file from opinions) h"
    " cross join blocks b on b.file = h.file cross join lines l on l.row between b.low and b.high"
    " where b.low <= ?2 and b.high >= ?1"
    " and (l.row between ?1 and ?2 and (b.file, l.line) in (select file, line from opinions)) is true"
)
"""Query of the opinions that people keep in a range: the files with any come first, because they have few of the lines.

Without `is true`, SQLite or PostgreSQL reads all lines of the range for each of these files, or all opinions for each
line.
"""
BEGUN = "select row from facts where start between ? and ? and start > 0 and row >= ? order by row desc limit ?"
HELD = (
    "select row from facts where start <= ? and stop >= ? and row >= ?"
    " and (start > 0 or stop <= ? or row between ? and ?) order by row desc limit ?"
)
"""Queries of the facts that begin on some days, or are valid on one."""


class SearchQueries(LineQueries):
    """Finds rows by words, entities, days and kinds."""

    def totals(self) -> tuple[int, int]:
        """Return (number of lines, number of their terms)."""
        found = dict(self.all("select key, value from meta where key in ('lines', 'length')"))
        return found["lines"], found["length"]

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of lines with each term; for `上*`, an upper bound of lines with a term that starts so."""
        whole, begins = [], {}
        for term in terms:
            if term.endswith("*"):
                sql = "select sum(count) from frequency where term >= ? and term < ?"
                begins[term] = self.one(sql, (term[:-1], term[:-1] + "\U0010ffff")) or 0
            else:
                whole.append(term)
        sql = "select f.term, f.count from carray(?) j cross join frequency f on f.term = j.value"
        return dict.fromkeys(whole, 0) | dict(self.all(sql, (self.listed(whole),))) | begins

    def named(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        """Return the folded names that entities have, with the entities' keys: its own first, then sorted."""
        return self._having(names, "known k where k.key = j.value")

    def known_names(self) -> list[str]:
        """Return the keys of all known names, aliases among them."""
        return [key for (key,) in self.run("select key from known")]

    def tagged(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        """Return the same for names that are tagged, have a page or speak in a conversation."""
        return self._having(names, "known k where k.key = j.value and k.tagged <> 0")

    def _having(self, names: list[str], where: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name, key in self._names_of(names, where):
            found[name] = (*found.get(name, ()), key)
        return self._with_aliases(found) if found else found

    def _names_of(self, names: list[str], where: str) -> Sequence[tuple[str, str]]:
        """Return (name, key of an entity that it names), by name, its own key first."""
        return self.all(NAMES.format(where), (self.listed(names),))

    def _aliases_with(self, keys: Iterable[str]) -> Iterable[tuple[str, str, int, int, int]]:
        """Return the records of `ALSO` for these keys."""
        sql = f"{ALSO} where a.key in (select value from carray(?)) group by a.key, a.alias"
        return self.all(sql, (self.listed(keys),))

    def _with_aliases(self, found: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Return the same, first an entity with a page, and with the aliases that only it has and that lines use."""
        paged: set[str] = set()
        also: dict[str, list[str]] = {}
        for key, alias, owners, called, used in self._aliases_with({key for keys in found.values() for key in keys}):
            if key == alias:
                paged.add(key)
            elif owners == 1 and not called and used:
                also.setdefault(key, []).append(alias)
        told: dict[str, tuple[str, ...]] = {}
        for name, keys in found.items():
            first = [key for key in keys if key in paged]
            if name not in paged and len(first) != 1:
                told[name] = keys
            else:
                own = name if name in paged else first[0]
                told[name] = tuple(dict.fromkeys((own, *keys, *also.get(own, ()))))
        return told

    def match(self, expression: str, *, among: RowRange = ALL_WRITTEN, limit: int = 1000) -> list[int]:
        """Return rows that match an FTS5 expression of `core.text.analyzer`, newest first."""
        sql = "select rowid from terms where terms match ? and rowid between ? and ? order by rowid {} limit ?"
        if among.last < first_row(
            None, self.day_bits
        ):  # the first rows of all, which FTS5 reaches last when it reads backwards
            oldest = self.all(sql.format("asc"), (expression, *among, limit + 1))
            if len(oldest) <= limit:
                return [row for (row,) in reversed(oldest)]
        return self.numbers(sql.format("desc"), (expression, *among, limit))

    def match_each(
        self, searches: Iterable[tuple[str, RowRange]], *, limit: int = 1000, whose: Sequence[int] | None = None
    ) -> list[list[int]]:
        """Return the rows of each of these searches, as `match` does.

        Args:
            whose: for each the number of the workspace whose rows are searched; None: of any.
        """
        return [self.match(expression, among=among, limit=limit) for expression, among in searches]

    def rows_between(self, days: Span) -> RowRange:
        """Return the range of rows of these days; an open start excludes undated lines."""
        return RowRange(first_row(days.start, self.day_bits), last_row(days.end, self.day_bits))

    def rows_known(self, day: date | None, *, generated: bool = False) -> RowRange:
        """Return the range of rows recorded up to a day (None: ever), undated lines included.

        Args:
            generated: include lines that we generated.
        """
        return RowRange(0 if generated else WRITTEN, last_row(day, self.day_bits))

    def undated_rows(self) -> RowRange:
        """Return the range of rows of undated lines that a person or host wrote."""
        return RowRange(WRITTEN, first_row(None, self.day_bits) - 1)

    def count_days(self, rows: Iterable[int]) -> int:
        """Return the number of days of these rows; an undated line counts as a day of its own."""
        bits = self.day_bits
        return len({day if (day := row >> bits) > 1 else row for row in rows})

    def whose(self, row: int) -> int:
        """Return the number of the workspace of a row: 0, but in a fleet."""
        return 0

    def documents(self) -> int:
        """Return the number of documents: a document is what a file contains of one day."""
        return self.one("select count(*) from blocks") or 0

    def surroundings(
        self, rows: Iterable[int], terms: Sequence[tuple[Sequence[int], float]], *, reach: int
    ) -> tuple[dict[int, Surroundings], dict[int, Counts]]:
        """Return what is around each of these rows, and the counts of each document.

        Args:
            terms: for each term the rows that have it, in ascending order, and its weight.
            reach: lines before and after a row that are near it. Lines removed from the middle of a file count.
        """
        documents: dict[int, Counts] = {}
        found: dict[int, Surroundings] = {}
        for row, low, high, length in self._extents(rows):
            if low not in documents:
                counts = []
                for at, (having, _) in enumerate(terms):
                    start = bisect_left(having, low)
                    if start < len(having) and having[start] <= high:
                        counts.append((at, bisect_right(having, high, start) - start))
                documents[low] = high - low + 1, tuple(counts)
            near, first, last = 0.0, row - reach, row + reach
            for having, weight in terms:
                start = bisect_left(having, first)
                if start == len(having) or having[start] > last:
                    continue  # as for most
                if having[start] != row or (start + 1 < len(having) and having[start + 1] <= last):
                    near += weight
            found[row] = length, near, low
        return found, documents

    def _extents(self, rows: Iterable[int]) -> Iterable[tuple[int, int, int, int]]:
        """Return (row, first and last row of its document, number of its terms)."""
        sql = (
            "select l.row, b.low, b.high, l.length from carray(?) j cross join lines l on l.row = j.value"
            " cross join blocks b on b.low = (select max(low) from blocks where low <= j.value)"
        )
        return self.all(sql, (self.listed(rows),))

    def rows_of(self, keys: Iterable[str], *, facts: bool = True, limit: int = 400) -> list[int]:
        """Return rows of facts about one of these entities, or of all lines that name it, newest first, without
        generated ones.
        """
        # by key, because each key's rows are sorted: together, all rows of a well-known entity would have to be sorted
        sql = FACTS_NAMING if facts else LINES_NAMING
        found = {row for key in keys for (row,) in self.run(sql, (key, WRITTEN, limit))}
        return sorted(found, reverse=True)[:limit]

    def places_naming(self, key: str, *, limit: int) -> list[Citation]:
        """Return the places of the newest lines that people wrote and that have a name, known or not."""
        sql = (
            "select f.path, l.line from mentions m join lines l using (row) join files f using (file)"
            " where m.key = ? and m.row >= ? order by m.row desc limit ?"
        )
        return [Citation(path, line) for path, line in self.run(sql, (key, WRITTEN, limit))]

    def names_in(self, rows: Iterable[int], keys: Iterable[str]) -> dict[int, str]:
        """Return row -> name of one of these entities, for those of the rows that name one."""
        sql = (
            "select m.row, m.name from carray(?) j cross join named m on m.row = j.value"
            " where m.key in (select value from carray(?))"
        )
        return dict(self.all(sql, (self.listed(rows), self.listed(keys))))

    def rows_valid(self, days: Span, *, limit: int) -> list[int]:
        """Return rows of facts valid on one of these days, newest first: first those that begin on them, then all.

        A fact without a start is returned for no day before it was recorded or, if earlier, was over (`Fact.told_of`).
        """
        low = days.start.toordinal() if days.start else 0
        high = days.end.toordinal() if days.end else OPEN
        first, last = first_row(None, self.day_bits), last_row(days.end, self.day_bits)
        rows = self._valid((low, high, WRITTEN, limit), (high, low, WRITTEN, high, first, last, limit))
        return list(dict.fromkeys(row for (row,) in rows))[:limit]

    def _valid(self, begun: tuple[int, ...], held: tuple[int, ...]) -> Sequence[tuple[int]]:
        """Return the rows of `BEGUN`, then those of `HELD`, with these values."""
        return [*self.all(BEGUN, begun), *self.all(HELD, held)]

    def rows_in(self, path: str, *, limit: int = LAST) -> list[int]:
        """Return rows of a file in order of line, including generated ones."""
        sql = (
            "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
            " where f.path = ? order by l.line limit ?"
        )
        return self.numbers(sql, (path, limit))

    def texts_in(self, path: str) -> list[str]:
        """Return the texts of a file in order of line, including generated ones."""
        return [text for _, _, text in self.texts(self.rows_in(path)).values()]

    def fact_rows_in(self, among: RowRange, *, limit: int = 400) -> list[int]:
        """Return rows of facts in a range of rows, newest first."""
        sql = "select row from facts where row between ? and ? order by row desc limit ?"
        return self.numbers(sql, (*among, limit))

    def rows_of_kind(self, kinds: Sequence[Kind], among: RowRange) -> list[int]:
        """Return rows of facts of these kinds in a range of rows, newest first.

        With opinions among the kinds, also rows of the opinions that people keep in tables and labelled bullets.
        """
        rows = self.numbers(
            "select row from facts where kind in (select value from carray(?)) and row between ? and ?",
            (self.listed(kind.letter for kind in kinds), *among),
        )
        if Kind.OPINION in kinds:
            rows += self.numbers(KEPT_OPINIONS, among.both(ALL_WRITTEN))
        return sorted({*rows}, reverse=True)

    def line_rows_in(self, among: RowRange, *, limit: int = 400) -> list[int]:
        """Return rows in a range of rows, newest first."""
        sql = "select row from lines where row between ? and ? order by row desc limit ?"
        return self.numbers(sql, (*among, limit))

    def said_by_others(self, rows: Iterable[int]) -> set[int]:
        """Return those of these rows that somebody other than the author said."""
        sql = (
            "select l.row from carray(?) j cross join lines l on l.row = j.value left join facts x on x.row = l.row"
            " where coalesce(x.outsider, l.outsider, '') <> ''"
        )
        return {row for (row,) in self.run(sql, (self.listed(rows),))}

    def telling_rows(self, among: RowRange) -> list[tuple[int, int, int]]:
        """Return (row, length, parent row) of the lines of prose, lists and tables in a range, without mere labels."""
        return self.all(TELLING, (*among, MOST_TELLING))

    def naming_paths(self, keys: Iterable[str], paths: Iterable[str], *, others: Iterable[str] = ()) -> list[str]:
        """Return those of these paths whose undated files have a line that names one of these entities.

        Args:
            others: paths of which the rows in the same workspace may be asked for next.
        """
        sql = (
            "select path from files where path in (select value from carray(?)) and file in (select l.file"
            " from mentions m join lines l using (row) where m.key in (select value from carray(?)) and m.row < ?)"
            " order by 1"
        )
        values = self.listed(paths), self.listed(keys), first_row(None, self.day_bits)
        return [path for (path,) in self.all(sql, values)]

    def beside(self, path: str, others: Iterable[str]) -> list[str]:
        """Return these paths in the workspace of a path, which is the only one."""
        return [*others]

    def pages_of(self, key: str) -> list[str]:
        """Return the paths of the pages of an entity."""
        sql = "select distinct f.path from aliases a join files f using (file) where a.key = ? order by 1"
        return [path for (path,) in self.all(sql, (key,))]
