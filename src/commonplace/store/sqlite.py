"""The index: everything derived, in one SQLite file that may be deleted at any moment. All SQL is here.

Rows are numbered by day: `row = day << 22 | slot`, the day being its proleptic ordinal and 0 for undated lines, so that
a range of days is a range of rows, the newest rows are the last ones, and a line's neighbours stand beside it.
The FTS5 table is contentless and holds the terms of `core.terms`; the text itself stands in `lines`.
Another schema number means rebuild: there are no migrations (docs/decisions/0003).
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from marshal import dumps, loads
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import apsw

from commonplace.core.entity import entity_key
from commonplace.core.fact import read_trailer, write_trailer
from commonplace.core.model import Citation, Evidence, Fact, Kind, Opinion, Origin, Problem, Span, Stance, Trailer
from commonplace.core.parse import Role, mentions
from commonplace.core.rank import chain
from commonplace.core.terms import TOKENIZER, document_terms
from commonplace.errors import Busy, IndexUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from commonplace.core.parse import Document, Line

T = TypeVar("T")

SCHEMA = 1
DAY = 22
"""Bits of a row number below the day: four million lines a day, or undated."""

_TABLES = f"""
create table meta(key text primary key, value) without rowid;
create table files(file integer primary key, path text unique, digest text, page text, title text, conflict integer);
create table blocks(low integer primary key, high integer, file integer);
create index blocks_file on blocks(file);
create table lines(row integer primary key, file integer, line integer, count integer, parent integer, role integer,
                   length integer, speaker text, text text);
create table facts(row integer primary key, id text, base text, kind text, confidence real, start integer, stop integer,
                   origin text, entities text, trailer text, block integer);
create index facts_id on facts(id);
create index facts_base on facts(base);
create index facts_start on facts(start) where start is not null;
create table relations(row integer, relation text, target text, primary key(target, relation, row)) without rowid;
create index relations_row on relations(row);
create table mentions(key text, row integer, name text, primary key(key, row)) without rowid;
create index mentions_row on mentions(row);
create table aliases(alias text, key text, name text, file integer, primary key(alias, key, file)) without rowid;
create index aliases_file on aliases(file);
create table opinions(id text, file integer, line integer, statement text, entities text, prior real, confidence real,
                      updated integer, disputed text);
create index opinions_file on opinions(file);
create table evidence(opinion text, file integer, fact text, stance text, day integer, path text, line integer,
                      confidence real, src text);
create index evidence_file on evidence(file);
create index evidence_fact on evidence(fact);
create table problems(file integer, line integer, code text, message text, hint text);
create index problems_file on problems(file);
create table frequency(term text primary key, count integer) without rowid;
create virtual table terms using fts5(t, content='', contentless_delete=1, tokenize="{TOKENIZER}");
insert into meta values ('lines', 0), ('length', 0);
"""
_ROLES = tuple(Role)
_ROLE_NUMBER = {role: number for number, role in enumerate(_ROLES)}
_BULK_HASH = 1 << 25
"""Bytes of terms that FTS5 gathers in memory before it writes them, while everything is indexed; then 1 MB, its default."""
_GENERATED = 8  # added to a role's number: a line of ours, as we left it
_FACT = (
    "select l.row, l.file, f.path, l.line, l.count, l.parent, l.role, l.speaker, l.text, x.id, x.kind, x.confidence,"
    " x.start, x.stop, x.origin, x.entities, x.trailer, x.block, f.conflict, l.length"
    " from lines l join files f using (file) left join facts x using (row) "
)


class Stored(NamedTuple):
    """A line as the index holds it."""

    row: int
    fact: Fact
    parent: int
    """Row of the heading, bullet or table header above; 0 at the top."""
    role: Role
    is_fact: bool
    conflict: bool
    length: int
    """Terms in it."""
    file: int


class Entity(NamedTuple):
    """A named thing, as far as the workspace speaks of it."""

    key: str
    name: str
    page: str | None
    aliases: tuple[str, ...]
    facts: int
    last: date | None


class Index:
    """The index of one workspace. Not shared between threads."""

    damaged = (apsw.CorruptError, apsw.NotADBError)
    """What a damaged file raises: move it aside and rebuild."""
    refused = (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.BusyError)
    """What a full, read-only or busy disk raises: answer without it."""

    def __init__(self, path: str) -> None:
        """Open or create; the tables are made when another schema, or none, is found."""
        self.path = path
        try:
            self._db = apsw.Connection(path)
        except apsw.CantOpenError as error:
            raise IndexUnusable(f"cannot open {path}", "check the folder's permissions") from error
        self._db.set_busy_timeout(5000)
        self._run = self._db.cursor().execute
        self.fresh = False
        version = self._one("pragma user_version")
        if path != ":memory:":
            self._all("pragma journal_mode = wal")
            self._all("pragma synchronous = normal")
        self._all("pragma cache_size = -16000")
        if version != SCHEMA or not self._one("select count(*) from sqlite_master"):
            self._create()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- plumbing

    def _one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        found = self._run(sql, values).fetchone()
        return found[0] if found else None

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._run(sql, values).fetchall()

    def transaction(self, work: Callable[[], T]) -> T:
        """What `work` returns, all of it kept or none."""
        try:
            self._run("begin immediate")
        except apsw.BusyError as error:
            raise Busy("another program is writing the index", "try again in a moment") from error
        try:
            value = work()
            self._run("commit")
        except BaseException:
            if not self._db.get_autocommit():
                self._run("rollback")
            raise
        return value

    def _create(self) -> None:
        """Empty tables of this schema, whatever stood there before."""

        def work() -> None:
            for (name,) in self._all(
                "select name from sqlite_master where type = 'table' and sql like 'create virtual%'"
            ):
                self._run(f'drop table "{name}"')
            rows = self._all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
            for (name,) in rows:
                self._run(f'drop table if exists "{name}"')
            self._run(_TABLES).fetchall()
            self._run(f"pragma user_version = {SCHEMA}")

        self.transaction(work)
        self.fresh = True

    # -- writing

    def clear(self) -> None:
        """Forget everything; inside a transaction readers keep the old snapshot until it ends."""
        for table in ("files", "blocks", "lines", "facts", "relations", "mentions", "aliases", "opinions", "evidence",
                      "problems", "frequency"):  # fmt: skip
            self._run(f"delete from {table}")
        self._run("drop table terms")
        self._run(_TABLES[_TABLES.index("create virtual") : _TABLES.index("insert into meta")])
        self._run("update meta set value = 0 where key in ('lines', 'length')")

    def states(self) -> tuple[dict[str, tuple[int, int, int, int]], int]:
        """The file states of the last sync and when it looked, in ns."""
        blob = self._one("select value from meta where key = 'states'")
        if not blob:
            return {}, 0
        states, looked = loads(blob)
        return states, looked

    def keep_states(self, states: Mapping[str, tuple[int, int, int, int]], looked: int) -> None:
        """Remember what the sync saw. One marshalled blob is read faster than 3,651 rows."""
        plain = {path: tuple(state) for path, state in states.items()}
        self._run("insert or replace into meta values ('states', ?)", (dumps((plain, looked)),))

    def digests(self) -> dict[str, str]:
        """Digest of each file's text as indexed."""
        return dict(self._all("select path, digest from files"))

    def remove(self, path: str) -> None:
        """Forget one file."""
        file = self._one("select file from files where path = ?", (path,))
        if file is None:
            return
        lost: Counter[str] = Counter()
        lines = length = 0
        bases: set[str] = set()
        for low, high in self._all("select low, high from blocks where file = ?", (file,)):
            for row, text, size in self._all(
                "select row, text, length from lines where row between ? and ?", (low, high)
            ):
                entities = self._one("select entities from facts where row = ?", (row,))
                lost.update(set(document_terms(_searchable(text, json.loads(entities) if entities else ())).split()))
                lines, length = lines + 1, length + size
                self._run("delete from terms where rowid = ?", (row,))
            within = (low, high)
            bases.update(base for (base,) in self._all("select base from facts where row between ? and ?", within))
            for (row,) in self._all("select row from facts where row between ? and ?", within):
                self._run("delete from relations where row = ?", (row,))
            for (row,) in self._all("select distinct row from mentions where row between ? and ?", within):
                self._run("delete from mentions where row = ?", (row,))
            self._run("delete from facts where row between ? and ?", within)
            self._run("delete from lines where row between ? and ?", within)
        for table in ("blocks", "aliases", "opinions", "evidence", "problems", "files"):
            self._run(f"delete from {table} where file = ?", (file,))
        self._count({term: -count for term, count in lost.items()}, -lines, -length)
        self._number_twins(bases)

    def put(self, documents: Iterable[tuple[Document, str, tuple[Opinion, ...]]]) -> None:
        """Index documents that are not in the index, each with its digest and the opinions its page holds."""
        bulk = not self._one("select exists (select 1 from files)")
        writer = _Writer(self._next_row, (self._one("select max(file) from files") or 0) + 1, count=not bulk)
        if bulk:
            self._run("insert into terms(terms, rank) values ('hashsize', ?)", (_BULK_HASH,))
        for document, digest, opinions in documents:
            writer.add(document, digest, opinions)
            if len(writer.lines) > 4000:
                self._flush(writer)
        self._flush(writer)
        if bulk:  # one pass of FTS5's own vocabulary is six times faster than counting as we go
            self._run("create virtual table temp.vocabulary using fts5vocab(main, terms, row)")
            self._run("insert into frequency select term, doc from temp.vocabulary")
            self._run("drop table temp.vocabulary")
            self._run("insert into terms(terms, rank) values ('hashsize', ?)", (1 << 20,))
        self._count(writer.frequency, writer.total_lines, writer.total_length)
        self._number_twins(writer.twins | self._known_bases(writer.bases))

    def _next_row(self, day: int) -> int:
        return max(self._one("select max(row) from lines where row < ?", (day + 1 << DAY,)) or 0, (day << DAY)) + 1

    def _flush(self, writer: _Writer) -> None:
        many = self._db.cursor().executemany
        for table, rows in writer.rows().items():
            if rows:
                many(f"insert or ignore into {table} values ({','.join('?' * len(rows[0]))})", rows)
        many("insert into terms(rowid, t) values (?, ?)", writer.terms)
        writer.reset()

    def _count(self, change: dict[str, int], lines: int, length: int) -> None:
        self._db.cursor().executemany(
            "insert into frequency values (?, ?) on conflict do update set count = count + excluded.count",
            change.items(),
        )
        if lines < 0:
            self._run("delete from frequency where count <= 0")
        self._run("update meta set value = value + ? where key = 'lines'", (lines,))
        self._run("update meta set value = value + ? where key = 'length'", (length,))

    def _known_bases(self, bases: set[str]) -> set[str]:
        """Of these base ids, those that more than one fact has."""
        sql = "select base from facts where base in (select value from json_each(?)) group by base having count(*) > 1"
        return {base for (base,) in self._all(sql, (json.dumps(sorted(bases)),))}

    def _number_twins(self, bases: Iterable[str]) -> None:
        """Facts that say the same on one day are told apart by an ordinal, in order of path and line."""
        for base in bases:
            rows = self._all(
                "select x.row from facts x join lines l using (row) join files f using (file) where x.base = ?"
                " and x.origin <> 'generated' order by f.path, l.line",
                (base,),
            )
            for ordinal, (row,) in enumerate(rows, 1):
                name = base if ordinal == 1 else f"{base}-{ordinal}"
                self._run("update facts set id = ? where row = ?", (name, row))

    # -- reading: search

    def totals(self) -> tuple[int, int]:
        """(lines, terms in all of them)."""
        found = dict(self._all("select key, value from meta where key in ('lines', 'length')"))
        return found["lines"], found["length"]

    def frequency(self, term: str) -> int:
        """How many lines hold a term; of `上*`, how many at most hold one that begins so."""
        if term.endswith("*"):
            sql = "select sum(count) from frequency where term >= ? and term < ?"
            return self._one(sql, (term[:-1], term[:-1] + "\U0010ffff")) or 0
        return self._one("select count from frequency where term = ?", (term,)) or 0

    def match(self, expression: str, *, low: int = 0, high: int = 1 << 62, limit: int = 1000) -> list[int]:
        """Rows that match an FTS5 expression of `core.terms`, newest first."""
        sql = "select rowid from terms where terms match ? and rowid between ? and ? order by rowid desc limit ?"
        return [row for (row,) in self._all(sql, (expression, low, high, limit))]

    def rows_between(self, start: date | None, end: date | None) -> tuple[int, int]:
        """The rows recorded on these days; an open start leaves undated lines out."""
        low = (start.toordinal() if start else 1) << DAY
        high = ((end.toordinal() + 1) << DAY) - 1 if end else 1 << 62
        return low, high

    def rows_of(self, keys: Iterable[str], *, facts: bool = True, limit: int = 400) -> list[int]:
        """Rows tagged with or mentioning one of these entities, newest first."""
        join = "join facts using (row)" if facts else ""
        sql = f"select distinct row from mentions {join} where key in (select value from json_each(?)) order by row desc limit ?"
        return [row for (row,) in self._all(sql, (json.dumps(list(keys)), limit))]

    def rows_valid(self, start: date | None, end: date | None, *, limit: int = 400) -> list[int]:
        """Rows of facts whose own text says that they hold on one of these days, newest first."""
        low = start.toordinal() if start else 0
        high = end.toordinal() if end else 1 << 30
        sql = "select row from facts where start <= ? and stop >= ? order by row desc limit ?"
        return [row for (row,) in self._all(sql, (high, low, limit))]

    def fact_rows_in(self, low: int, high: int, *, limit: int = 400) -> list[int]:
        """Rows of facts in a range of rows, newest first."""
        sql = "select row from facts where row between ? and ? order by row desc limit ?"
        return [row for (row,) in self._all(sql, (low, high, limit))]

    def line_rows_in(self, low: int, high: int, *, limit: int = 400) -> list[int]:
        """Rows in a range of rows, newest first."""
        sql = "select row from lines where row between ? and ? order by row desc limit ?"
        return [row for (row,) in self._all(sql, (low, high, limit))]

    def lines(self, rows: Iterable[int]) -> dict[int, Stored]:
        """The lines of these rows, without their context."""
        sql = _FACT.replace("from lines l", "from json_each(?) j cross join lines l on l.row = j.value")
        return {record[0]: _stored(record) for record in self._run(sql, (json.dumps(list(rows)),))}

    def texts(self, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """Row -> (parent row, file, text)."""
        sql = "select l.row, l.parent, l.file, l.text from json_each(?) j cross join lines l on l.row = j.value"
        return {row: (parent, file, text) for row, parent, file, text in self._run(sql, (json.dumps(list(rows)),))}

    def ancestors(self, parents: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """`texts` of these rows and of every row above them: headings and parent bullets."""
        found: dict[int, tuple[int, int, str]] = {}
        wanted = set(parents) - {0}
        while wanted:
            level = self.texts(wanted)
            found.update(level)
            wanted = {parent for parent, _, _ in level.values()} - found.keys() - {0}
        return found

    def context(self, stored: Stored) -> tuple[str, ...]:
        """Headings and parent bullets of a line, outermost first."""
        return chain(stored.parent, self.ancestors((stored.parent,)))

    def against(
        self, ids: Iterable[str], relations: tuple[str, ...] = ("supersedes", "retracts")
    ) -> dict[str, tuple[int, ...]]:
        """Id -> rows of facts whose trailers say one of these of it, newest first."""
        found: dict[str, tuple[int, ...]] = {}
        sql = (
            "select r.target, r.row from json_each(?) j cross join relations r on r.target = j.value"
            " where r.relation in (select value from json_each(?)) order by r.row desc"
        )
        for target, row in self._run(sql, (json.dumps(list(ids)), json.dumps(relations))):
            found[target] = (*found.get(target, ()), row)
        return found

    # -- reading: whole facts

    def row_of(self, id: str) -> int | None:
        """The row of a fact; what a person wrote before what was generated."""
        sql = "select row from facts where id = ? order by origin = 'generated', row limit 1"
        found: int | None = self._one(sql, (id.lstrip("^"),))
        return found

    def row_at(self, path: str, line: int) -> int | None:
        """The row that covers a line of a file."""
        sql = (
            "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
            " where f.path = ? and l.line <= ? and l.line + l.count > ? order by l.line desc limit 1"
        )
        found: int | None = self._one(sql, (path, line, line))
        return found

    def fact(self, id: str) -> Fact | None:
        """The fact of an id, with its context."""
        row = self.row_of(id)
        if row is None:
            return None
        stored = self.lines((row,))[row]
        return stored.fact._replace(context=self.context(stored))

    def facts(
        self, *, since: date | None = None, origins: Sequence[str] = (Origin.RETAINED, Origin.INFERRED)
    ) -> list[Fact]:
        """Facts that can be evidence, in order of day, path and line; no conflict copies."""
        sql = (
            _FACT
            + "where x.id is not null and f.conflict = 0 and x.row >= ? and x.origin in (select value from json_each(?))"
            " order by l.row >> ?, f.path, l.line"
        )
        low = since.toordinal() << DAY if since else 0
        return [_stored(record).fact for record in self._run(sql, (low, json.dumps(list(origins)), DAY))]

    def facts_of(
        self, names: Iterable[str], *, origins: Sequence[str] = (Origin.RETAINED, Origin.INFERRED)
    ) -> list[Fact]:
        """Facts tagged with or mentioning one of these entities, in order of day, path and line."""
        keys = json.dumps([entity_key(name) for name in names])
        sql = (
            _FACT + "where l.row in (select row from mentions where key in (select value from json_each(?)))"
            " and x.id is not null and f.conflict = 0 and x.origin in (select value from json_each(?))"
            " order by l.row >> ?, f.path, l.line"
        )
        return [_stored(record).fact for record in self._run(sql, (keys, json.dumps(list(origins)), DAY))]

    def facts_on(self, day: date) -> list[Fact]:
        """Facts recorded on a day that are not generated, in order of path and line."""
        low = day.toordinal() << DAY
        sql = _FACT + "where l.row between ? and ? and x.origin <> 'generated' order by f.path, l.line"
        return [_stored(record).fact for record in self._run(sql, (low, low + (1 << DAY) - 1))]

    def log_lines(self, *, since: date | None = None) -> Iterator[Fact]:
        """Every line of a dated log that is no fact, no heading and no code, in order, with its context."""
        sql = (
            _FACT + "where x.id is null and f.conflict = 0 and l.row >= ? and l.role in (?, ?, ?)"
            " order by l.row >> ?, f.path, l.line"
        )
        low = since.toordinal() << DAY if since else 1 << DAY
        roles = tuple(_ROLE_NUMBER[role] for role in (Role.BULLET, Role.TEXT, Role.ROW))
        for record in self._all(sql, (low, *roles, DAY)):
            stored = _stored(record)
            yield stored.fact._replace(context=self.context(stored))

    def pages_of(self, key: str) -> list[str]:
        """Paths of the pages of an entity."""
        sql = "select distinct f.path from aliases a join files f using (file) where a.key = ? order by 1"
        return [path for (path,) in self._all(sql, (key,))]

    def rows_in(self, path: str, *, limit: int = 1 << 30) -> list[int]:
        """Rows of a file, in order of line."""
        sql = (
            "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
            " where f.path = ? order by l.line limit ?"
        )
        return [row for (row,) in self._all(sql, (path, limit))]

    # -- reading: entities, opinions, the rest

    def named(self, names: list[str]) -> dict[str, tuple[str, ...]]:
        """Of folded names, those that entities go by, with the entities' keys."""
        found: dict[str, tuple[str, ...]] = {}
        sql = (
            "select j.value, a.key from json_each(?1) j join aliases a on a.alias = j.value"
            " union select j.value, j.value from json_each(?1) j"
            " where exists (select 1 from mentions m where m.key = j.value) order by 1, 2"
        )
        for name, key in self._all(sql, (json.dumps(names),)):
            found[name] = (*found.get(name, ()), key)
        return found

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Folded alias -> keys of the entities that it may name; names of entities are their own aliases."""
        found: dict[str, tuple[str, ...]] = {}
        sql = "select alias, key from aliases union select key, key from mentions order by 1, 2"
        for alias, key in self._all(sql):
            found[alias] = (*found.get(alias, ()), key)
        return found

    def entities(self) -> tuple[Entity, ...]:
        """Every entity, by name."""
        spelled: dict[str, tuple[int, str]] = {}
        counts: dict[str, int] = {}
        last: dict[str, int] = {}
        sql = (
            "select m.key, m.name, count(*), count(x.row), max(case when x.row is not null then m.row end)"
            " from mentions m left join facts x on x.row = m.row and x.origin <> 'generated' group by m.key, m.name order by m.key, m.name"
        )
        for key, name, uses, facts, newest in self._all(sql):
            if key not in spelled or uses > spelled[key][0]:
                spelled[key] = (uses, name)
            counts[key] = counts.get(key, 0) + facts
            last[key] = max(last.get(key, 0), newest or 0)
        pages: dict[str, tuple[str, str]] = {}
        names: dict[str, list[str]] = {}
        sql = "select a.key, a.name, f.path, a.alias = a.key from aliases a join files f using (file) order by a.key, f.path, a.name"
        for key, name, path, own in self._all(sql):
            if own and key not in pages:
                pages[key] = (name, path)
            elif not own:
                names.setdefault(key, []).append(name)
        found = []
        for key in sorted({*spelled, *pages}):
            name, page = pages.get(key, (spelled.get(key, (0, key))[1], None))
            day = last.get(key, 0) >> DAY
            found.append(
                Entity(
                    key,
                    name,
                    page,
                    tuple(dict.fromkeys(names.get(key, ()))),
                    counts.get(key, 0),
                    date.fromordinal(day) if day else None,
                )
            )
        return tuple(found)

    def opinions(self) -> tuple[Opinion, ...]:
        """The opinions that bank pages hold, in order of path and line."""
        by_opinion: dict[tuple[int, str], list[Evidence]] = {}
        sql = "select file, opinion, fact, stance, day, path, line, confidence, src from evidence order by rowid"
        for file, opinion, fact, stance, day, path, line, confidence, src in self._all(sql):
            by_opinion.setdefault((file, opinion), []).append(
                Evidence(
                    fact, Stance(stance), date.fromordinal(day) if day else None, Citation(path, line), confidence, src
                )
            )
        sql = (
            "select o.id, o.file, f.path, o.line, o.statement, o.entities, o.prior, o.confidence, o.updated, o.disputed"
            " from opinions o join files f using (file) order by f.path, o.line"
        )
        return tuple(
            Opinion(id, statement, tuple(json.loads(entities)), prior, tuple(by_opinion.get((file, id), ())), confidence,
                    date.fromordinal(updated) if updated else None, Citation(path, line), disputed)
            for id, file, path, line, statement, entities, prior, confidence, updated, disputed in self._all(sql)
        )  # fmt: skip

    def problems(self) -> list[Problem]:
        """Every problem, in order of path and line, ids that stand twice included."""
        sql = "select f.path, p.line, p.code, p.message, p.hint from problems p join files f using (file) order by 1, 2"
        found = [
            Problem(Citation(path, line), code, message, hint) for path, line, code, message, hint in self._all(sql)
        ]
        sql = (
            "select f.path, l.line, x.base from facts x join lines l using (row) join files f using (file)"
            " where x.block and x.origin <> 'generated' and x.id <> x.base order by 1, 2"
        )
        found += [
            Problem(
                Citation(path, line),
                "duplicate-id",
                f"^{base} also stands elsewhere",
                "give one of the two another block id, or none",
            )
            for path, line, base in self._all(sql)
        ]
        return sorted(found)

    def dangling(self) -> list[tuple[Citation, str, str]]:
        """Trailers that name a fact or opinion that is not there: (place, relation, id)."""
        sql = (
            "select f.path, l.line, r.relation, r.target from relations r join lines l using (row) join files f using (file)"
            " where not exists (select 1 from facts x where x.id = r.target)"
            " and not exists (select 1 from opinions o where o.id = r.target) order by 1, 2"
        )
        return [(Citation(path, line), relation, target) for path, line, relation, target in self._all(sql)]

    def counts(self) -> dict[str, int]:
        """How much the index holds."""
        return {
            "files": self._one("select count(*) from files"),
            "lines": self.totals()[0],
            "facts": self._one("select count(*) from facts where origin <> 'generated'"),
            "entities": self._one("select count(*) from (select key from mentions union select key from aliases)"),
            "opinions": self._one("select count(*) from opinions"),
            "problems": len(self.problems()),
        }

    def sizes(self) -> tuple[int, int, int]:
        """(files, facts that are not generated, problems)."""
        return (
            self._one("select count(*) from files"),
            self._one("select count(*) from facts where origin <> 'generated'"),
            self._one("select count(*) from problems"),
        )

    def dump(self) -> list[str]:
        """Everything the index says, without row numbers: two indexes of the same Markdown dump alike."""
        rows = []
        for stored in (_stored(record) for record in self._all(_FACT)):
            fact = stored.fact._replace(context=self.context(stored))
            rows.append(repr((str(fact.source), stored.role, stored.is_fact, stored.conflict, stored.length, fact)))
        rows += map(repr, self.entities())
        rows += map(repr, sorted(self.aliases().items()))
        rows += map(repr, self.opinions())
        rows += map(repr, self.problems())
        rows += map(repr, self._all("select path, digest, page, title, conflict from files"))
        rows += map(repr, self._all("select term, count from frequency"))
        rows += map(repr, self._all("select key, value from meta where key in ('lines', 'length')"))
        rows += map(repr, self._all("select relation, target, count(*) from relations group by 1, 2"))
        return sorted(rows)

    def citing(self, id: str, content: str) -> list[Citation]:
        """Lines that cite an id, as evidence or in a trailer, or that hold a text."""
        sql = (
            "select path, line from evidence where fact = ?1 union"
            " select f.path, l.line from relations r join lines l using (row) join files f using (file) where r.target = ?1 union"
            " select f.path, l.line from lines l join files f using (file) where instr(l.text, ?2) order by 1, 2"
        )
        return [Citation(path, line) for path, line in self._all(sql, (id, content))]

    def shrink(self) -> None:
        """Leave no trace of deleted rows in the file."""
        self._all("pragma secure_delete = on")
        self._run("vacuum")
        self._all("pragma wal_checkpoint(truncate)")

    def verify(self) -> str | None:
        """What SQLite and FTS5 say is wrong with the file, or None. Costs .2 to .8 s at 91,000 lines."""
        try:
            said: str = self._one("pragma integrity_check")
            self._run("insert into terms(terms, rank) values ('integrity-check', 0)")
        except self.damaged as error:
            return str(error)
        return None if said == "ok" else said


class _Writer:
    """Rows of documents on their way into the tables."""

    def __init__(self, next_row: Callable[[int], int], file: int, *, count: bool) -> None:
        self._next_row = next_row
        self._counts = count
        self._slots: dict[int, int] = {}
        self.file = file
        self.frequency: Counter[str] = Counter()
        self.total_lines = self.total_length = 0
        self.bases: set[str] = set()
        self.twins: set[str] = set()
        self.reset()

    def reset(self) -> None:
        """Forget what was flushed."""
        self.files: list[tuple[Any, ...]] = []
        self.blocks: list[tuple[Any, ...]] = []
        self.lines: list[tuple[Any, ...]] = []
        self.facts: list[tuple[Any, ...]] = []
        self.relations: list[tuple[Any, ...]] = []
        self.mentions: list[tuple[Any, ...]] = []
        self.aliases: list[tuple[Any, ...]] = []
        self.opinions: list[tuple[Any, ...]] = []
        self.evidence: list[tuple[Any, ...]] = []
        self.problems: list[tuple[Any, ...]] = []
        self.terms: list[tuple[int, str]] = []

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Table -> rows, for every table but the search terms."""
        names = (
            "files",
            "blocks",
            "lines",
            "facts",
            "relations",
            "mentions",
            "aliases",
            "opinions",
            "evidence",
            "problems",
        )
        return {name: getattr(self, name) for name in names}

    def _slot(self, day: int) -> int:
        row = self._slots.get(day)
        if row is None:
            row = self._next_row(day)
        self._slots[day] = row + 1
        return row

    def add(self, document: Document, digest: str, opinions: tuple[Opinion, ...]) -> None:
        """One document's rows."""
        file = self.file
        self.file += 1
        page = _page_name(document.path)
        self.files.append((file, document.path, digest, page, document.title, document.conflict))
        rows: list[int] = []
        low = last = 0
        ordinal, day_before = 0, None
        for line in document.lines:
            if line.day is not day_before:
                ordinal, day_before = (line.day.toordinal() if line.day else 0), line.day
            row = self._slot(ordinal)
            if row != last + 1 or not low:
                if low:
                    self.blocks.append((low, last, file))
                low = row
            last = row
            rows.append(row)
            self._line(file, row, line, rows[line.parent] if line.parent >= 0 else 0)
        if low:
            self.blocks.append((low, last, file))
        self.total_lines += len(rows)
        if page:
            self._names(file, page, document)
        for problem in document.problems:
            self.problems.append((file, problem.source.line, problem.code, problem.message, problem.hint))
        for opinion in opinions:
            self._opinion(file, opinion)

    def _line(self, file: int, row: int, line: Line, parent: int) -> None:
        fact, text = line.fact, line.text
        terms = document_terms(_searchable(text, fact.entities) if fact else text)
        length = 0
        if terms:
            length = terms.count(" ") + 1
            self.terms.append((row, terms))
            if self._counts:
                self.frequency.update(set(terms.split()))
        self.total_length += length
        role = _ROLE_NUMBER[line.role] + (_GENERATED if line.generated else 0)
        self.lines.append((row, file, line.number, line.height, parent, role, length, line.speaker or None, text))
        if fact is not None:
            self._fact(row, fact)
        elif line.speaker:
            self.mentions.append((entity_key(line.speaker), row, line.speaker))
        elif "@" in text or "[[" in text:
            for name in mentions(text):
                self.mentions.append((entity_key(name), row, name))

    def _fact(self, row: int, fact: Fact) -> None:
        span, trailer = fact.valid, fact.trailer
        start = stop = None
        if span is not None:
            start = span.start.toordinal() if span.start else 0
            stop = span.end.toordinal() if span.end else 1 << 30
        entities = json.dumps(fact.entities, ensure_ascii=False) if fact.entities else "[]"
        self.facts.append((row, fact.id, fact.id, fact.kind.letter, fact.confidence, start, stop, fact.origin.value, entities,
                           write_trailer(trailer)[8:-4], fact.block_id))  # fmt: skip
        if fact.origin is not Origin.GENERATED:
            if fact.id in self.bases:
                self.twins.add(fact.id)
            self.bases.add(fact.id)
            for relation in ("supersedes", "supports", "contradicts", "retracts"):
                for target in getattr(trailer, relation):
                    self.relations.append((row, relation, target))
        for name in (*fact.entities, *fact.mentions):
            self.mentions.append((entity_key(name), row, name))

    def _names(self, file: int, page: str, document: Document) -> None:
        key = entity_key(page)
        self.aliases.append((key, key, page, file))
        for name in (*document.aliases, document.title):
            if name and (alias := entity_key(name)) != key:
                self.aliases.append((alias, key, name, file))

    def _opinion(self, file: int, opinion: Opinion) -> None:
        line = opinion.source.line if opinion.source else 0
        updated = opinion.last_updated.toordinal() if opinion.last_updated else None
        entities = json.dumps(opinion.entities, ensure_ascii=False)
        self.opinions.append((opinion.id, file, line, opinion.statement, entities, opinion.prior, opinion.confidence, updated,
                              opinion.disputed_by))  # fmt: skip
        for item in opinion.evidence:
            day = item.recorded.toordinal() if item.recorded else None
            self.evidence.append((opinion.id, file, item.fact_id, item.stance.value, day, item.source.path, item.source.line,
                                  item.confidence, item.origin))  # fmt: skip


def _page_name(path: str) -> str | None:
    """The entity that a page under bank/entities/ is about, or None."""
    if not path.startswith("bank/entities/"):
        return None
    return path.rpartition("/")[2].rpartition(".")[0].replace("-", " ")


def _searchable(text: str, entities: Sequence[str]) -> str:
    """What a fact can be found by: its text and the entities it is tagged with."""
    return f"{' '.join(entities).replace('-', ' ')} {text}" if entities else text


def _stored(record: Sequence[Any]) -> Stored:
    """A record of `_FACT` as a value."""
    (
        row,
        file,
        path,
        line,
        count,
        parent,
        role,
        speaker,
        text,
        id,
        kind,
        confidence,
        start,
        stop,
        origin,
        entities,
        trailer,
        block,
        conflict,
        length,
    ) = record
    day = row >> DAY
    recorded = date.fromordinal(day) if day else None
    generated = role >= _GENERATED
    found = mentions(text)
    if id is None:
        fact = Fact("", Kind.WORLD, text, found, Citation(path, line), recorded, None, None,
                    Origin.GENERATED if generated else Origin.LOG, count, (), found, speaker or "")  # fmt: skip
    else:
        valid = None
        if start is not None:
            valid = Span(date.fromordinal(start) if start else None, date.fromordinal(stop) if stop < 1 << 30 else None)
        fact = Fact(id, _KINDS[kind], text, tuple(json.loads(entities)), Citation(path, line), recorded, valid, confidence,
                    Origin(origin), count, (), found, speaker or "", read_trailer(trailer) if trailer else _NONE, bool(block))  # fmt: skip
    return Stored(row, fact, parent, _ROLES[role % _GENERATED], id is not None, bool(conflict), length, file)


_KINDS = {kind.letter: kind for kind in Kind}
_NONE = Trailer()
