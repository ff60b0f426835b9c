"""The index of a fleet: answers what the local index answers, over the shared rows of all workspaces of one tenant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.pq import ConnStatus

from commonplace.core.model import Fact
from commonplace.core.recall.index_rows import DEEPEST
from commonplace.errors import FleetUnusable
from commonplace.store.postgres.dialect import BY_KEYS, translated
from commonplace.store.postgres.fleet_text import WHOSE, WORKSPACES, FleetText
from commonplace.store.postgres.match_query import ANYONE, searching
from commonplace.store.postgres.patient_connection import PatientConnection
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.claim_queries import ALIASES, TOLD_OF
from commonplace.store.sqlite.index_schema import ALL_WRITTEN, DAY, LAST, stored
from commonplace.store.sqlite.search_queries import COUNTS, LINES_AT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import TypeVar

    from psycopg.rows import TupleRow

    from commonplace.core.model import Citation, Opinion, Unread
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.store.sqlite.index_schema import Counts, Surroundings
    from commonplace.store.sqlite.passage_queries import PassageSearch, Vectors

    T = TypeVar("T")
    _Statement = tuple[str, Sequence[Any] | Mapping[str, Any]]

_SNAPSHOT = (
    "begin isolation level repeatable read read only; set local search_path = fleet, pg_temp;"
    f" set local statement_timeout = '20s'; {BY_KEYS};"
    " select sum(lines)::bigint, sum(length)::bigint, sum(documents)::bigint,"
    " exists (select from chunks), exists (select from opinions), (select extnamespace::regnamespace::text"
    " from pg_extension where extname = 'vector' and to_regclass('fleet.vectors') is not null),"
    " to_regclass('fleet.vectors_of_' || fleet.tenant())::text from workspaces"
).encode()
"""The first statements of a recall: the sizes of the fleet, and before it one moment for all of it, and nobody's
temporary table before ours."""
_UPWARDS = (
    "with recursive up(row, parent, file, text, depth) as (select l.row, l.parent, l.file, l.text, 1"
    " from unnest(%s::bigint[]) j(value) cross join lateral (select * from fleet.lines where row = j.value offset 0) l"
    " union select l.row, l.parent, l.file, l.text, up.depth + 1 from up"
    " cross join lateral (select * from fleet.lines where row = up.parent offset 0) l where up.depth < %s)"
    " select distinct row, parent, file, text from up"
)
"""Lines, and what is above them."""
_ALIASES_IN = translated(ALIASES).replace("aliases", "fleet.aliases") + (
    " where a.alias in (select key from fleet.tagged where row = any(%(rows)s)"
    " union select key from fleet.claims where row = any(%(rows)s))"
)
"""What `ALIASES` says of the entities that lines claim something of or tag."""
_RELATIONS_IN = (
    "select x.id, r.relation, r.row from unnest(%s::bigint[]) j(value)"
    " cross join lateral (select * from fleet.facts where row = j.value offset 0) x"
    " cross join lateral (select * from fleet.relations where target = x.id offset 0) r"
    f" where {COUNTS} order by r.row desc"
)
"""What has a relation to the facts among lines."""


def _statement(sql: str, values: Sequence[Any]) -> _Statement:
    """A statement of the index, as PostgreSQL runs it."""
    text = translated(sql)
    named = "%(p1)s" in text
    return text, {f"p{at}": value for at, value in enumerate(values, 1)} if named else values


def _grouped(keys: Iterable[T], records: Iterable[Any]) -> dict[T, list[Any]]:
    """The records by what they begin with, an empty list where there is none."""
    found: dict[T, list[Any]] = {key: [] for key in keys}
    for record in records:
        found[record[0]].append(record)
    return found


class _TextLoader(Loader):
    def load(self, data: Any) -> FleetText:
        return FleetText.read(bytes(data).decode())


class _TextDumper(Dumper):
    oid = psycopg.adapters.types["varchar"].oid

    def dump(self, obj: FleetText) -> bytes:
        return obj.stored.encode()


def connected(
    url: str, *, patience: float = PatientConnection.patience, within: int = 5
) -> psycopg.Connection[TupleRow]:
    """Open a connection by a URL or `service=…`. Raises FleetUnusable.

    Args:
        patience: seconds to wait for each answer. within: seconds to wait for the connection, of each host named.
    """
    try:
        db = PatientConnection.connect(
            url, connect_timeout=within, tcp_user_timeout=20_000, application_name="commonplace", autocommit=True
        )
    except psycopg.Error as error:
        raise FleetUnusable(
            f"cannot connect: {said(error)}", "check the settings of [fleet]; this folder works without it"
        ) from None
    db.patience = patience
    db.adapters.register_loader("varchar", _TextLoader)
    db.adapters.register_dumper(FleetText, _TextDumper)
    return db


def said(error: psycopg.Error) -> str:
    """The first line of what the server or the library says."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


class _Records(list[Any]):
    """Records that are read like those of a cursor."""

    def fetchall(self) -> list[Any]:
        return self


class _Read:
    """What was read on one snapshot, and is not read again."""

    def __init__(
        self,
        sizes: tuple[int, int, int],
        *,
        spliced: bool = False,
        judged: bool = False,
        vectors: tuple[str, str] = ("", ""),
    ) -> None:
        self.sizes = sizes
        """(lines, their terms, documents)."""
        self.spliced = spliced
        """Whether there are large files, parts of which may have been read again."""
        self.judged = judged
        """Whether there are opinions: those of reflect are not pushed."""
        self.vectors = vectors
        """The schema of pgvector, and the tenant's own part of the vectors; empty if there is none."""
        self.answers: dict[tuple[str, str], _Records] = {}
        """By statement and values."""
        self.texts: dict[int, tuple[int, int, str] | None] = {}
        """By row; None of one that is not there."""
        self.lines: dict[int, StoredLine] = {}
        self.told: dict[int, list[tuple[int, str, str | None]]] = {}
        """By row: its claims and entities."""
        self.aliases: dict[str, list[tuple[str, str, str]]] = {}
        """By a name: the entities that it names, with their other names."""
        self.relations: dict[str, list[tuple[str, str, int]]] = {}
        """By id: what has a relation to it."""


class FleetIndex(Index):
    """Reads the fleet. Its rows are those of the local indexes, with the number of the workspace in the middle.

    A question to the server costs a round trip, so lines are read together with what a recall asks of lines next.
    """

    day_bits = DAY + WHOSE

    def __init__(self, db: psycopg.Connection[TupleRow]) -> None:
        self._fleet = db
        self._read = _Read((0, 0, 0))
        self.run = self._run  # type: ignore[assignment] # what the queries use of a cursor, both have
        self.statements = 0
        """Statements that the server answered."""
        self.round_trips = 0
        """How often it was waited for: those that need nothing of each other are sent together."""

    def close(self) -> None:
        """Close the connection."""
        self._fleet.close()

    # -- statements

    def _run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement of the index."""
        return self._asked(*_statement(sql, values))

    def _asked(self, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> _Records:
        """The records of a statement of PostgreSQL."""
        key = text, repr(values)
        if key not in self._read.answers:
            (records,) = self.ask([(text, values)])
            self._read.answers[key] = _Records(records)
        return _Records(self._read.answers[key])  # a query may add to its own

    def ask(self, statements: Sequence[_Statement]) -> list[list[Any]]:
        """Return the records of statements, waited for once."""
        self.statements += len(statements)
        self.round_trips += 1
        if len(statements) == 1:
            ((text, values),) = statements
            return [self._fleet.execute(text.encode(), values, prepare=False).fetchall()]
        with self._fleet.pipeline():
            sent = [self._fleet.execute(text.encode(), values, prepare=False) for text, values in statements]
            return [each.fetchall() for each in sent]

    def reading(self, work: Callable[[], T]) -> T:
        """Run `work` on one snapshot."""
        try:
            self._begin()
            try:
                return work()
            finally:
                if self._fleet.info.status is ConnStatus.OK:
                    self.round_trips += 1
                    self._fleet.execute("rollback")
        except psycopg.Error as error:
            raise FleetUnusable(
                f"the fleet cannot answer: {said(error)}", "ask this folder: commonplace recall"
            ) from error

    def _begin(self) -> None:
        self.round_trips += 1
        self.statements += 1
        cursor = self._fleet.execute(_SNAPSHOT)
        while cursor.nextset():
            pass
        lines, length, documents, spliced, judged, schema, part = cursor.fetchone() or (0, 0, 0, False, False, "", "")
        sizes = (lines or 0, length or 0, documents or 0)
        self._read = _Read(sizes, spliced=spliced, judged=judged, vectors=(schema or "", part or ""))

    @staticmethod
    def listed(values: Iterable[int] | Iterable[str]) -> object:
        """Return numbers, or texts, as one parameter."""
        return [each.replace("\0", "\ufffd") if type(each) is str else each for each in values]

    @staticmethod
    def paired(values: Iterable[Sequence[Any]]) -> str:
        """Return pairs as one parameter."""
        return json.dumps([[each.stored if isinstance(each, FleetText) else each for each in pair] for pair in values])

    def noted(self) -> dict[Any, Any]:
        """Return what was noted: nothing, for the others may have pushed since."""
        return {}

    # -- what is kept otherwise

    def whose(self, row: int) -> int:
        """Return the number of the workspace of a row."""
        return row >> DAY & (WORKSPACES - 1)

    def totals(self) -> tuple[int, int]:
        """Return (number of lines, number of their terms)."""
        return self._read.sizes[:2]

    def documents(self) -> int:
        """Return the number of documents."""
        return self._read.sizes[2]

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of lines with each term; of `上*` an upper bound."""
        terms = sorted({*terms})
        whole, begins = (self.listed(each for each in terms if each.endswith("*") is ends) for ends in (False, True))
        sql = (
            "select term, sum(n)::bigint from fleet.frequency where term = any(%s) group by term union all"
            " select begins || '*', (select sum(n)::bigint from fleet.frequency"
            " where term >= begins and term < begins || %s)"
            ' from (select left(term, -1) collate "C" as begins from unnest(%s::text[]) as t(term)) b'
        )
        found = self._asked(sql, (whole, "\U0010ffff", begins)) if terms else ()
        return dict.fromkeys(terms, 0) | {term: count or 0 for term, count in found}

    def match(self, expression: str, *, among: RowRange = ALL_WRITTEN, limit: int = 1000) -> list[int]:
        """Return rows that match an expression of `core.text.analyzer`, newest first."""
        return self.match_each([(expression, among)], limit=limit)[0]

    def match_each(
        self, searches: Iterable[tuple[str, RowRange]], *, limit: int = 1000, whose: Sequence[int] | None = None
    ) -> list[list[int]]:
        """Return the rows of each of these searches, with one statement."""
        searches = [*searches]
        found: list[set[int]] = [set() for _ in searches]
        statement = searching(searches, limit=limit, whose=whose or [ANYONE] * len(searches))
        for at, row in self._asked(*statement) if statement else ():
            found[at].add(row)
        return [sorted(rows, reverse=True)[:limit] for rows in found]

    def rows_at(self, places: Iterable[Citation]) -> dict[Citation, int]:
        """Return the row that covers each of these lines, where there is one."""
        places = [*places]
        sql = (
            "select j.at, (select l.row from fleet.files f join fleet.lines l using (file) where f.path = j.path"
            " and l.line <= j.line and l.line + l.count > j.line order by l.line desc, l.row limit 1)"
            ' from (select at, path collate "C" as path, line'
            " from unnest(%s::varchar[], %s::int[]) with ordinality as given(path, line, at)) j"
        )
        paths, lines = [place.path for place in places], [place.line for place in places]
        found = self._asked(sql, (paths, lines)) if places else ()
        return {places[at - 1]: row for at, row in found if row is not None}

    def texts(self, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """Return row -> (parent row, file, text)."""
        rows, known = [*rows], self._read.texts
        if missing := {*rows}.difference(known):
            known.update(dict.fromkeys(missing))
            known.update(super().texts(sorted(missing)))
        return {row: found for row in rows if (found := known[row]) is not None}

    def ancestors(self, parents: Iterable[int], found: Above | None = None) -> Above:
        """Return `texts` of these rows and of what is above them, as many as a context shows."""
        found = {} if found is None else found
        parents = {*parents} - {0}
        if missing := {row for parent in parents if (row := self._unread_above(parent, found))}:
            (records,) = self.ask([(_UPWARDS, (sorted(missing), DEEPEST))])
            self._note_texts(missing, records)
            for parent in parents:
                self._unread_above(parent, found)
        return found

    def _note_texts(self, rows: Iterable[int], records: Iterable[Any]) -> None:
        for row in rows:
            self._read.texts.setdefault(row, None)
        for row, parent, file, text in records:
            self._read.texts[row] = parent, file, text

    def _unread_above(self, row: int, found: Above) -> int:
        """Add to `found` what was read of a row and those above it; the first that was not, or 0."""
        for _ in range(DEEPEST):
            text = found.get(row) or self._read.texts.get(row)
            if text is None:
                return 0 if row in self._read.texts else row
            found[row] = text
            if not (row := text[0]):
                break
        return 0

    def lines(self, rows: Iterable[int]) -> dict[int, StoredLine]:
        """Return the lines of these rows, without their context, in this order."""
        rows, known = [*rows], self._read.lines
        if missing := sorted({*rows}.difference(known)):
            self._read_ahead(missing)
        return {row: known[row] for row in rows if row in known}

    def _read_ahead(self, rows: Sequence[int]) -> None:
        """Read lines with what is beside and above them, what they claim, and what has a relation to them."""
        read, given = self._read, (self.listed(rows),)
        beside = sorted({row + step for row in rows for step in (-1, 0, 1)})
        lines, texts, told, aliases, relations = self.ask(
            [
                _statement(LINES_AT, given),
                (_UPWARDS, (beside, DEEPEST)),
                _statement(TOLD_OF, given),
                (_ALIASES_IN, {"rows": rows}),
                (_RELATIONS_IN, (rows,)),
            ]
        )
        found = {record[0]: stored(record, self.day_bits) for record in lines}
        read.lines.update(found)
        self._note_texts(beside, texts)
        read.told.update(_grouped(rows, told))
        read.aliases.update(_grouped({key for _, key, _ in told}, aliases))
        ids = {line.line.id for line in found.values() if isinstance(line.line, Fact)}
        read.relations.update(_grouped(ids, relations))

    def _told_of(self, rows: Iterable[int]) -> list[tuple[int, str, str | None]]:
        rows = [*rows]
        if missing := {*rows}.difference(self._read.told):
            self._read.told.update(_grouped(missing, super()._told_of(sorted(missing))))
        return [each for row in rows for each in self._read.told[row]]

    def _aliases_of(self, keys: Collection[str]) -> list[tuple[str, str, str]]:
        if missing := {*keys}.difference(self._read.aliases):
            self._read.aliases.update(_grouped(missing, super()._aliases_of(sorted(missing))))
        return [each for key in keys for each in self._read.aliases[key]]

    def _relations_to(self, ids: Iterable[str]) -> list[tuple[str, str, int]]:
        ids, known = {*ids}, self._read.relations
        if missing := ids.difference(known):
            known.update(_grouped(missing, super()._relations_to(sorted(missing))))
        return sorted((each for id in ids for each in known[id]), key=lambda each: -each[2])

    def rows_in(self, path: str, *, limit: int = LAST) -> list[int]:
        """Return rows of a file in order of line; none of a path that says not in which workspace it is."""
        return super().rows_in(path, limit=limit) if isinstance(path, FleetText) else []

    def opinions_at(self, places: Sequence[Citation]) -> tuple[Opinion, ...]:
        """Return the opinions on one of these lines."""
        return super().opinions_at(places) if self._read.judged else ()

    def opinions_on(self, facts: Sequence[Fact]) -> tuple[Opinion, ...]:
        """Return the opinions that one of these facts supports, or that have the text and entities of one."""
        return super().opinions_on(facts) if self._read.judged else ()

    def nearest_rows(
        self, search: PassageSearch, query: Vectors, most: int, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the rows nearest to a question, and those and the given rows, each with how near."""
        from commonplace.store.postgres.fleet_vectors import nearest

        return nearest(self.ask, query, most, of=self._read.vectors, name=search.name, among=among, rows=rows)

    def _spliced(self, rows: Sequence[int]) -> Sequence[tuple[int, int, int]]:
        return super()._spliced(rows) if self._read.spliced else ()

    def surroundings(
        self, rows: Iterable[int], terms: Sequence[tuple[Sequence[int], float]], *, reach: int
    ) -> tuple[dict[int, Surroundings], dict[int, Counts]]:
        """Return what is around each of these rows, in this order, and the counts of each document."""
        rows = [*rows]
        found, documents = super().surroundings(rows, terms, reach=reach)
        return {row: found[row] for row in rows if row in found}, documents

    def unread(self) -> tuple[Unread, ...]:
        """Nothing: what a workspace could not read, it did not push."""
        return ()
