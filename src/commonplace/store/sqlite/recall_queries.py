"""Queries of a recall: candidates as rows, then the lines of the best of them."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.model import Fact, Kind, Role
from commonplace.core.recall.breadcrumbs import DEEPEST, chain
from commonplace.core.recall.term_stats import NEAR
from commonplace.store.sqlite.database import listed
from commonplace.store.sqlite.index_schema import (
    DAY,
    LAST,
    LINE,
    OPEN,
    ROLE_NUMBER,
    WRITTEN,
    first_row,
    last_row,
    stored,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.recall.breadcrumbs import Above
    from commonplace.store.sqlite.database import Database
    from commonplace.store.sqlite.index_schema import Neighbour, Neighbours, Place, StoredLine


def totals(db: Database) -> tuple[int, int]:
    """Return (number of lines, number of their terms)."""
    found = dict(db.all("select key, value from meta where key in ('lines', 'length')"))
    return found["lines"], found["length"]


def frequencies(db: Database, terms: Iterable[str]) -> dict[str, int]:
    """Return the number of lines with each term; for `上*`, an upper bound of lines with a term that starts so."""
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
    """Return the folded names that entities have, with the entities' keys: its own first, then sorted."""
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
    """Return the same with an entity that has a page first, and with aliases that lines use and that only it has."""
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
    """Return rows that match an FTS5 expression of `core.text.analyzer`, newest first."""
    sql = "select rowid from terms where terms match ? and rowid between ? and ? order by rowid desc limit ?"
    return [row for (row,) in db.all(sql, (expression, low, high, limit))]


def rows_between(_: Database, start: date | None, end: date | None) -> tuple[int, int]:
    """Return the first and last possible row of these days; an open start excludes undated lines."""
    return first_row(start), last_row(end)


def rows_known(_: Database, day: date | None, *, generated: bool = False) -> tuple[int, int]:
    """Return the first and last row of what was recorded up to a day (None: ever), undated lines included.

    Args:
        generated: our own lines included as well.
    """
    return 0 if generated else WRITTEN, last_row(day)


def undated_rows(_: Database) -> tuple[int, int]:
    """The first and the last row of lines without a day that a person or host wrote."""
    return WRITTEN, first_row(None) - 1


def days_of(_: Database, rows: Iterable[int]) -> set[int]:
    """Return one number for each day of these rows; an undated line counts as a day of its own."""
    undated = WRITTEN >> DAY
    return {day if (day := row >> DAY) > undated else row for row in rows}


def documents(db: Database) -> int:
    """Return the number of documents: a document is what a file contains of one day."""
    return db.one("select count(*) from blocks") or 0


def placed_in(db: Database, rows: Iterable[int]) -> dict[int, Place]:
    """Return the document and length of each of these rows."""
    sql = (
        "select l.row, l.row - ?, l.row + ?, b.low, b.high, b.high - b.low + 1, l.length from carray(?) j"
        " cross join lines l on l.row = j.value"
        " cross join blocks b on b.low = (select max(low) from blocks where low <= j.value)"
    )
    return {record[0]: record for record in db.run(sql, (NEAR, NEAR, listed(rows)))}


def rows_of(db: Database, keys: Iterable[str], *, facts: bool = True, limit: int = 400) -> list[int]:
    """Return rows tagged with or mentioning one of these entities, newest first, without generated ones."""
    # by key, because each key's rows are sorted: together, all rows of a well-known entity would have to be sorted
    join = "cross join facts x using (row)" if facts else ""
    sql = f"select m.row from mentions m {join} where m.key = ? and m.row >= ? order by m.row desc limit ?"
    found = {row for key in keys for (row,) in db.run(sql, (key, WRITTEN, limit))}
    return sorted(found, reverse=True)[:limit]


def rows_valid(db: Database, start: date | None, end: date | None, *, limit: int) -> list[int]:
    """Return rows of facts valid, by their own text, on one of these days: first those that begin on them, then all,
    newest first.

    A fact without a start is returned for no day before it was recorded or, if earlier, was over (`Fact.told_of`).
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
    """Return rows of a file in order of line, including generated ones."""
    sql = (
        "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
        " where f.path = ? order by l.line limit ?"
    )
    return [row for (row,) in db.all(sql, (path, limit))]


def fact_rows_in(db: Database, low: int, high: int, *, limit: int = 400) -> list[int]:
    """Return rows of facts in a range of rows, newest first."""
    sql = "select row from facts where row between ? and ? order by row desc limit ?"
    return [row for (row,) in db.all(sql, (low, high, limit))]


def rows_of_kind(db: Database, kinds: Sequence[Kind], low: int, high: int) -> list[int]:
    """Return rows of facts of these kinds in a range of rows, newest first.

    If opinions are among the kinds, also those of the opinions that people keep there in tables and labelled bullets.
    """
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
    """Return rows in a range of rows, newest first."""
    sql = "select row from lines where row between ? and ? order by row desc limit ?"
    return [row for (row,) in db.all(sql, (low, high, limit))]


def said_by_others(db: Database, rows: Iterable[int]) -> set[int]:
    """Return those of these rows that somebody other than the author said."""
    sql = (
        "select l.row from carray(?) j cross join lines l on l.row = j.value left join facts x on x.row = l.row"
        " where coalesce(x.outsider, l.outsider, '') <> ''"
    )
    return {row for (row,) in db.run(sql, (listed(rows),))}


def telling_rows(db: Database, low: int, high: int) -> list[tuple[int, int]]:
    """Return (row, length) of the lines of prose, lists and tables in a range of rows that are more than a label."""
    roles = ", ".join(str(ROLE_NUMBER[role]) for role in (Role.BULLET, Role.TEXT, Role.ROW))
    sql = f"select row, length from lines where row between ? and ? and length > 2 and role in ({roles})"
    return db.all(f"{sql} order by row desc limit ?", (low, high, _MOST_TELLING))


_MOST_TELLING = 50_000


def day_of(_: Database, row: int) -> date | None:
    """Return the day of a row; None for an undated line."""
    number = (row >> DAY) - 1
    return date.fromordinal(number) if number > 0 else None


def pages_of(db: Database, key: str) -> list[str]:
    """Return the paths of the pages of an entity."""
    sql = "select distinct f.path from aliases a join files f using (file) where a.key = ? order by 1"
    return [path for (path,) in db.all(sql, (key,))]


def lines(db: Database, rows: Iterable[int]) -> dict[int, StoredLine]:
    """Return the lines of these rows, without their context."""
    wanted = list(rows)
    sql = LINE.replace("from lines l", "from carray(?) j cross join lines l on l.row = j.value")
    return {record[0]: stored(record) for record in db.run(sql, (listed(wanted),))} if wanted else {}


def facts_at(db: Database, rows: Iterable[int]) -> dict[int, Fact]:
    """Return the facts in these rows, without their context; other lines are left out."""
    return {row: found.line for row, found in lines(db, rows).items() if isinstance(found.line, Fact)}


def texts(db: Database, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
    """Return row -> (parent row, file, text)."""
    sql = "select l.row, l.parent, l.file, l.text from carray(?) j cross join lines l on l.row = j.value"
    return {row: (parent, file, text) for row, parent, file, text in db.run(sql, (listed(rows),))}


def neighbours(
    db: Database, rows: Iterable[int], known: Above | None = None, *, before: int = 1, after: int = 1
) -> dict[int, Neighbours]:
    """Of rows: at most so many lines of the same file and day before and after each, nearest first.

    Rows of neighbours follow each other, but where lines went from the middle of a large file numbers are missing:
    there the next lines are looked for, which costs a query a row.

    Args:
        known: `texts` that were read of the same moment; the rest is added to it.
    """
    known = {} if known is None else known
    rows = [*rows]
    if missing := {row + step for row in rows for step in range(-before, after + 1)} - known.keys():
        known.update(texts(db, missing))
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
            (at, one[0], one[2]) for at in range(row + 1, row + after + 1) if (one := known.get(at)) and one[1] == file
        ]
        found[row] = up, down
        if len(up) < before or len(down) < after:
            short.append(row)
    for row, first, last in db.all(_SPLICED, (listed(short),)) if short else ():
        if not known.keys() >= {*range(max(first, row - before), row)}:
            found[row] = _next_lines(db, first, last=row - 1, order="desc", most=before), found[row][1]
        if not known.keys() >= {*range(row + 1, min(last, row + after) + 1)}:
            found[row] = found[row][0], _next_lines(db, row + 1, last=last, order="asc", most=after)
    return found


_SPLICED = (
    "select j.value, b.low, b.high from carray(?) j"
    " cross join blocks b on b.low = (select max(low) from blocks where low <= j.value)"
    " where exists (select 1 from chunks) and exists (select 1 from chunks c where c.file = b.file)"
)
"""Of rows those of large files, of which a part may have been read again, with the ends of their documents."""


def _next_lines(db: Database, first: int, *, last: int, order: str, most: int) -> list[Neighbour]:
    sql = f"select row, parent, text from lines where row between ? and ? order by row {order} limit ?"
    return db.all(sql, (first, last, most))


def distinct(db: Database, rows: Iterable[int], *, beside: Iterable[int]) -> int:
    """Return the number of distinct texts in plain lines of the author among these rows that no row `beside` them has.

    Headings, code, struck lines, questions, conflict copies and facts whose trailers refer to others do not count.
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
    """Return `texts` of these rows and of those above them: headings and parent bullets, as many as a context shows.

    Args:
        found: earlier results of the same moment; new ones are added to it.
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


def context(db: Database, line: StoredLine) -> tuple[str, ...]:
    """Return the headings and parent bullets of a line, outermost first."""
    return chain(line.parent, ancestors(db, (line.parent,)))


COUNTS = (
    "exists (select 1 from facts said where said.row = r.row and"
    " (said.outsider = '' or exists (select 1 from facts x2 where x2.id = r.target and x2.outsider = said.outsider)))"
)
"""Condition on a row `r` of `relations`: whether it counts. The author's do; another's only about their own facts."""


def against(
    db: Database, ids: Iterable[str], relations: tuple[str, ...] = ("supersedes", "retracts")
) -> dict[str, tuple[int, ...]]:
    """Return id -> rows of facts whose trailers have one of these relations to it, newest first.

    Relations of others to the author's facts do not count.
    """
    found: dict[str, tuple[int, ...]] = {}
    sql = (
        "select distinct r.target, r.row from carray(?) j cross join relations r on r.target = j.value"
        f" where r.relation in (select value from carray(?)) and {COUNTS} order by r.row desc"
    )
    for target, row in db.run(sql, (listed(ids), listed(relations))):
        found[target] = (*found.get(target, ()), row)
    return found
