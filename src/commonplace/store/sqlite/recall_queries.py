"""Queries of a recall: candidates as rows, then the lines of the best of them."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.model import Kind, Role
from commonplace.core.recall.breadcrumbs import DEEPEST, chain
from commonplace.core.recall.term_stats import NEAR
from commonplace.store.sqlite.database import listed
from commonplace.store.sqlite.index_schema import (
    DAY,
    FACT,
    LAST,
    OPEN,
    ROLE_NUMBER,
    WRITTEN,
    Neighbours,
    Place,
    first_row,
    last_row,
    stored,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.recall.breadcrumbs import Above
    from commonplace.store.sqlite.database import Database
    from commonplace.store.sqlite.index_schema import Neighbour, Stored


def totals(db: Database) -> tuple[int, int]:
    """(lines, terms in all of them)."""
    found = dict(db.all("select key, value from meta where key in ('lines', 'length')"))
    return found["lines"], found["length"]


def frequencies(db: Database, terms: Iterable[str]) -> dict[str, int]:
    """How many lines hold each term; of `上*`, how many at most hold one that begins so."""
    whole, begins = [], {}
    for term in terms:
        if term.endswith("*"):
            sql = "select sum(count) from frequency where term >= ? and term < ?"
            begins[term] = db.one(sql, (term[:-1], term[:-1] + "\U0010ffff")) or 0
        else:
            whole.append(term)
    sql = "select f.term, f.count from carray(?) j cross join frequency f on f.term = j.value"
    return dict.fromkeys(whole, 0) | dict(db.all(sql, (listed(whole),))) | begins


def named(db: Database, names: list[str]) -> dict[str, tuple[str, ...]]:
    """Of folded names, those that entities go by, with the entities' keys: its own first, then in order."""
    found: dict[str, tuple[str, ...]] = {}
    sql = (
        "select name, key from (select j.value as name, a.key from carray(?1) j join aliases a on a.alias = j.value"
        " union select j.value, j.value from carray(?1) j"
        " where exists (select 1 from mentions m where m.key = j.value)) order by name, key <> name, key"
    )
    for name, key in db.all(sql, (listed(names),)):
        found[name] = (*found.get(name, ()), key)
    return _with_aliases(db, found) if found else found


def _with_aliases(db: Database, found: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The same, an entity that has a page first, and with the aliases under which lines name it and it alone."""
    sql = (
        "select a.key, a.alias, count(distinct b.key), max(b.alias = b.key),"
        " exists (select 1 from mentions m where m.key = a.alias) from aliases a join aliases b on b.alias = a.alias"
        " where a.key in (select value from carray(?)) group by a.key, a.alias"
    )
    paged: set[str] = set()
    also: dict[str, list[str]] = {}
    for key, alias, owners, own, used in db.all(sql, (listed({key for keys in found.values() for key in keys}),)):
        if key == alias:
            paged.add(key)
        elif owners == 1 and not own and used:
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


def match(db: Database, expression: str, *, low: int = WRITTEN, high: int = LAST, limit: int = 1000) -> list[int]:
    """Rows that match an FTS5 expression of `core.text.analyzer`, newest first."""
    sql = "select rowid from terms where terms match ? and rowid between ? and ? order by rowid desc limit ?"
    return [row for (row,) in db.all(sql, (expression, low, high, limit))]


def rows_between(_: Database, start: date | None, end: date | None) -> tuple[int, int]:
    """The first and the last row that these days may have; an open start leaves undated lines out."""
    return first_row(start), last_row(end)


def rows_known(_: Database, day: date | None, *, generated: bool = False) -> tuple[int, int]:
    """The first and the last row of what was recorded up to a day (None: ever), undated lines included.

    Args:
        generated: our own lines included as well.
    """
    return 0 if generated else WRITTEN, last_row(day)


def undated_rows(_: Database) -> tuple[int, int]:
    """The first and the last row of lines without a day that a person or host wrote."""
    return WRITTEN, first_row(None) - 1


def days_of(_: Database, rows: Iterable[int]) -> set[int]:
    """A number for each day of these rows; an undated line stands for itself."""
    undated = WRITTEN >> DAY
    return {day if (day := row >> DAY) > undated else row for row in rows}


def documents(db: Database) -> int:
    """How many documents there are: what a file says of one day."""
    return db.one("select count(*) from blocks") or 0


def placed_in(db: Database, rows: Iterable[int]) -> dict[int, Place]:
    """Where each of these rows stands."""
    sql = (
        "select l.row, b.low, b.high, l.length from carray(?) j cross join lines l on l.row = j.value"
        " cross join blocks b on b.low = (select max(low) from blocks where low <= j.value)"
    )
    return {
        row: Place((row - NEAR, row + NEAR), (low, high), high - low + 1, length)
        for row, low, high, length in db.run(sql, (listed(rows),))
    }


def rows_of(db: Database, keys: Iterable[str], *, facts: bool = True, limit: int = 400) -> list[int]:
    """Rows tagged with or mentioning one of these entities, newest first; none that we generated."""
    # by key, each of which stands in order of row: together, all that name a well-known entity would be sorted
    join = "cross join facts x using (row)" if facts else ""
    sql = f"select m.row from mentions m {join} where m.key = ? and m.row >= ? order by m.row desc limit ?"
    found = {row for key in keys for (row,) in db.run(sql, (key, WRITTEN, limit))}
    return sorted(found, reverse=True)[:limit]


def rows_valid(db: Database, start: date | None, end: date | None, *, limit: int) -> list[int]:
    """Rows of facts whose own text says that they hold on one of these days: first those that begin on them, then all,
    newest first.

    What has no beginning is told of no day before it was recorded or, if sooner, was over (`Fact.told_of`).
    """
    low = start.toordinal() if start else 0
    high = end.toordinal() if end else OPEN
    first, last = first_row(None), last_row(end)
    begun = "select row from facts where start between ? and ? and start > 0 and row >= ? order by row desc limit ?"
    held = (
        "select row from facts where start <= ? and stop >= ? and row >= ?"
        " and (start > 0 or stop <= ? or row between ? and ?) order by row desc limit ?"
    )
    rows = db.all(begun, (low, high, WRITTEN, limit))
    rows += db.all(held, (high, low, WRITTEN, high, first, last, limit))
    return list(dict.fromkeys(row for (row,) in rows))[:limit]


def rows_in(db: Database, path: str, *, limit: int = LAST) -> list[int]:
    """Rows of a file, in order of line, ours included."""
    sql = (
        "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
        " where f.path = ? order by l.line limit ?"
    )
    return [row for (row,) in db.all(sql, (path, limit))]


def fact_rows_in(db: Database, low: int, high: int, *, limit: int = 400) -> list[int]:
    """Rows of facts in a range of rows, newest first."""
    sql = "select row from facts where row between ? and ? order by row desc limit ?"
    return [row for (row,) in db.all(sql, (low, high, limit))]


def rows_of_kind(db: Database, kinds: Sequence[Kind], low: int, high: int) -> list[int]:
    """Rows of facts of these kinds in a range of rows, and of the opinions that people keep there in tables and
    labelled bullets if opinions are among them; newest first."""
    letters = json.dumps([kind.letter for kind in kinds])
    rows = db.all(
        "select row from facts where kind in (select value from json_each(?)) and row between ? and ?",
        (letters, low, high),
    )
    if Kind.OPINION in kinds:
        rows += db.all(
            "select l.row from opinions o join blocks b using (file)"
            " join lines l on l.row between b.low and b.high and l.line = o.line where l.row between ? and ?",
            (max(low, WRITTEN), high),
        )
    return sorted({row for (row,) in rows}, reverse=True)


def line_rows_in(db: Database, low: int, high: int, *, limit: int = 400) -> list[int]:
    """Rows in a range of rows, newest first."""
    sql = "select row from lines where row between ? and ? order by row desc limit ?"
    return [row for (row,) in db.all(sql, (low, high, limit))]


def said_by_others(db: Database, rows: Iterable[int]) -> set[int]:
    """Of these rows those of what somebody else than the author says."""
    sql = (
        "select l.row from carray(?) j cross join lines l on l.row = j.value left join facts x on x.row = l.row"
        " where coalesce(x.outsider, l.outsider, '') <> ''"
    )
    return {row for (row,) in db.run(sql, (listed(rows),))}


def telling_rows(db: Database, low: int, high: int) -> list[tuple[int, int]]:
    """Of a range of rows the lines of prose, lists and tables that are more than a label: each row and its length."""
    roles = ", ".join(str(ROLE_NUMBER[role]) for role in (Role.BULLET, Role.TEXT, Role.ROW))
    sql = f"select row, length from lines where row between ? and ? and length > 2 and role in ({roles})"
    return db.all(f"{sql} order by row desc limit ?", (low, high, _MOST_TELLING))


_MOST_TELLING = 50_000


def day_of(_: Database, row: int) -> date | None:
    """The day of a row; None for an undated line."""
    number = (row >> DAY) - 1
    return date.fromordinal(number) if number > 0 else None


def pages_of(db: Database, key: str) -> list[str]:
    """Paths of the pages of an entity."""
    sql = "select distinct f.path from aliases a join files f using (file) where a.key = ? order by 1"
    return [path for (path,) in db.all(sql, (key,))]


def lines(db: Database, rows: Iterable[int]) -> dict[int, Stored]:
    """The lines of these rows, without their context."""
    wanted = list(rows)
    sql = FACT.replace("from lines l", "from carray(?) j cross join lines l on l.row = j.value")
    return {record[0]: stored(record) for record in db.run(sql, (listed(wanted),))} if wanted else {}


def texts(db: Database, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
    """Row -> (parent row, file, text)."""
    sql = "select l.row, l.parent, l.file, l.text from carray(?) j cross join lines l on l.row = j.value"
    return {row: (parent, file, text) for row, parent, file, text in db.run(sql, (listed(rows),))}


def neighbours(db: Database, rows: Iterable[int], *, before: int = 1, after: int = 1) -> dict[int, Neighbours]:
    """Of rows: at most so many lines of the same file and day before and after each, nearest first.

    Rows of neighbours follow each other, but where lines went from the middle of a large file numbers are missing:
    there the next lines are looked for, which costs a query a row.
    """
    rows = [*rows]
    texts_of = texts(db, {row + step for row in rows for step in range(-before, after + 1)})

    def beside(row: int, others: Iterable[int]) -> tuple[Neighbour, ...]:
        file = texts_of[row][1]
        known = ((other, texts_of[other]) for other in others if other in texts_of)
        return tuple((other, parent, text) for other, (parent, of, text) in known if of == file)

    found = {
        row: Neighbours(beside(row, range(row - 1, row - before - 1, -1)), beside(row, range(row + 1, row + after + 1)))
        for row in rows
        if row in texts_of
    }
    short = [row for row, each in found.items() if len(each.before) < before or len(each.after) < after]
    for row, place in placed_in(db, short).items() if short else ():
        first, last = place.document
        if not texts_of.keys() >= {*range(max(first, row - before), row)}:
            found[row] = found[row]._replace(before=_next_lines(db, first, row - 1, "desc", before))
        if not texts_of.keys() >= {*range(row + 1, min(last, row + after) + 1)}:
            found[row] = found[row]._replace(after=_next_lines(db, row + 1, last, "asc", after))
    return found


def _next_lines(db: Database, first: int, last: int, order: str, most: int) -> tuple[Neighbour, ...]:
    sql = f"select row, parent, text from lines where row between ? and ? order by row {order} limit ?"
    return tuple(db.all(sql, (first, last, most)))


def distinct(db: Database, rows: Iterable[int], *, beside: Iterable[int]) -> int:
    """How many texts these rows have that no row `beside` them has, of plain lines of the author.

    Neither headings, code, struck lines, questions, conflict copies nor facts that speak of others count.
    """
    roles = ", ".join(str(ROLE_NUMBER[role]) for role in (Role.BULLET, Role.TEXT, Role.ROW))
    sql = (
        "select count(distinct l.text) from carray(?) j cross join lines l on l.row = j.value"
        f" cross join files f using (file) where l.role in ({roles}) and not f.conflict and l.outsider is null"
        " and l.text not like '~~%' and rtrim(l.text) not like '%?' and rtrim(l.text) not like '%？'"
        " and not exists (select 1 from relations r where r.row = l.row)"
        " and l.text not in (select b.text from carray(?) k cross join lines b on b.row = k.value)"
    )
    return db.one(sql, (listed(rows), listed(beside))) or 0


def ancestors(db: Database, parents: Iterable[int], found: Above | None = None) -> Above:
    """`texts` of these rows and of those above them: headings and parent bullets, as many as a context shows.

    Args:
        found: what was read of the same moment; the rest is added to it.
    """
    found = {} if found is None else found
    wanted = set(parents) - {0}
    for _ in range(DEEPEST):
        if missing := wanted - found.keys():
            found.update(texts(db, missing))
        wanted = {found[row][0] for row in wanted if row in found} - {0}
        if not wanted:
            break
    return found


def context(db: Database, line: Stored) -> tuple[str, ...]:
    """Headings and parent bullets of a line, outermost first."""
    return chain(line.parent, ancestors(db, (line.parent,)))


COUNTS = (
    "exists (select 1 from facts said where said.row = r.row and"
    " (said.outsider = '' or exists (select 1 from facts x2 where x2.id = r.target and x2.outsider = said.outsider)))"
)
"""Of a row of `relations`, `r`: whether what it says is so. The author's word is, another's only of what is theirs."""


def against(
    db: Database, ids: Iterable[str], relations: tuple[str, ...] = ("supersedes", "retracts")
) -> dict[str, tuple[int, ...]]:
    """Id -> rows of facts whose trailers say one of these of it, newest first; what others say of the author's is not
    so."""
    found: dict[str, tuple[int, ...]] = {}
    sql = (
        "select distinct r.target, r.row from carray(?) j cross join relations r on r.target = j.value"
        f" where r.relation in (select value from carray(?)) and {COUNTS} order by r.row desc"
    )
    for target, row in db.run(sql, (listed(ids), listed(relations))):
        found[target] = (*found.get(target, ()), row)
    return found
