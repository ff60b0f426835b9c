"""The index of a fleet: answers what the local index answers, over the shared rows of all workspaces of one tenant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import ConnStatus

from commonplace.core.recall.index_rows import DEEPEST
from commonplace.errors import FleetUnusable
from commonplace.store.postgres.dialect import BY_KEYS, PLANS, translated
from commonplace.store.postgres.fleet_text import WHOSE, WORKSPACES, FleetText
from commonplace.store.postgres.line_reading import EXTENTS, KEPT, TEXTS_TOO, UPWARDS
from commonplace.store.postgres.match_query import ANYONE, searching
from commonplace.store.postgres.patient_connection import said
from commonplace.store.postgres.read_ahead import ReadAhead, grouped
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.claim_queries import MOST_CLAIMS
from commonplace.store.sqlite.index_schema import ALL_WRITTEN, DAY, LAST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import TypeVar

    from psycopg.rows import TupleRow

    from commonplace.core.model import Citation, Fact, Opinion, Span, Unread
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.store.sqlite.index_schema import Counts, Neighbours, Surroundings
    from commonplace.store.sqlite.passage_queries import PassageSearch, Vectors

    T = TypeVar("T")
    _Statement = tuple[str, Sequence[Any] | Mapping[str, Any]]

_FEW_BELOW = 8
"""Lines below one that are read whole; of more the texts."""
_MANY = 200
"""Lines of which more are read only to leave most of them out: by a filter."""
_FEW_FOUND = 100
"""Lines that a search finds of which the texts are read at once."""
_BEGIN = (
    ("begin isolation level repeatable read read only", ()),
    (
        f"{BY_KEYS}, pg_catalog.set_config('search_path', 'fleet, pg_temp', true),"
        " pg_catalog.set_config('statement_timeout', '20s', true), pg_catalog.sum(lines)::bigint,"
        " pg_catalog.sum(length)::bigint, pg_catalog.sum(documents)::bigint, exists (select from fleet.chunks),"
        " exists (select from fleet.opinions), (select extnamespace::pg_catalog.regnamespace::text"
        " from pg_catalog.pg_extension where extname operator(pg_catalog.=) 'vector'"
        " and pg_catalog.to_regclass('fleet.vectors') is not null),"
        " pg_catalog.to_regclass(pg_catalog.concat('fleet.vectors_of_', fleet.tenant()))::text,"
        f" {PLANS} from fleet.workspaces",
        (),
    ),
)
"""The first statements of a recall, sent with its first question: one moment for all of it, nobody's temporary table
before ours, and the sizes of the fleet."""


def _statement(sql: str, values: Sequence[Any]) -> _Statement:
    """A statement of the index, as PostgreSQL runs it."""
    text = translated(sql)
    named = "%(p1)s" in text
    return text, {f"p{at}": value for at, value in enumerate(values, 1)} if named else values


class _Records(list[Any]):
    """Records that are read like those of a cursor."""

    def fetchall(self) -> list[Any]:
        return self


class _Snapshot:
    """What was read on one snapshot, and is not read again."""

    def __init__(self, bits: int, sizes: Sequence[Any] = (0, 0, 0, False, False, "", "", None)) -> None:
        *_, lines, length, documents, spliced, judged, schema, part, plans = sizes
        self.sizes = (lines or 0, length or 0, documents or 0)
        """(lines, their terms, documents)."""
        self.spliced = spliced
        """Whether there are large files, parts of which may have been read again."""
        self.judged = judged
        """Whether there are opinions: those of reflect are not pushed."""
        self.vectors = (schema or "", part or "")
        """The schema of pgvector, and the tenant's own part of the vectors; empty if there is none."""
        self.plans: dict[str, str] = plans or {}
        """By name: the digest of each statement whose plan the server has kept."""
        self.answers: dict[tuple[str, str], list[Any]] = {}
        """By statement and values."""
        self.counts: dict[str, int] = {}
        """By term: the number of lines with it."""
        self.known = ReadAhead(bits, judged=judged)


class FleetIndex(Index):
    """Reads the fleet. Its rows are those of the local indexes, with the number of the workspace in the middle.

    A question to the server costs a round trip, so lines are read together with what a recall asks of lines next.
    """

    day_bits = DAY + WHOSE

    def __init__(self, db: psycopg.Connection[TupleRow]) -> None:
        self._fleet = db
        self._snapshot: _Snapshot | None = None
        self._foreseen: dict[tuple[str, str], _Statement] | None = None
        """The statements of what is only tried, to know them."""
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
        return _Records(self.ask([(text, values)])[0])  # a query may add to its own

    @property
    def _read(self) -> _Snapshot:
        """What was read on this snapshot, which begins with the first question."""
        if self._snapshot is None:
            self._send([])
            assert self._snapshot is not None
        return self._snapshot

    def ask(self, statements: Sequence[_Statement]) -> list[list[Any]]:
        """Return the records of statements, waited for once; what was asked before is not asked again."""
        keys = [(text, repr(values)) for text, values in statements]
        known = self._snapshot.answers if self._snapshot is not None else {}
        missing = {key: one for key, one in zip(keys, statements, strict=True) if key not in known}
        if missing and self._foreseen is not None:
            self._foreseen.update(missing)
            return [known.get(key, []) for key in keys]
        if missing:
            found = self._send([*missing.values()])
            known = self._read.answers
            known.update(zip(missing, found, strict=True))
        return [known[key] for key in keys]

    def _send(self, statements: Sequence[_Statement]) -> list[list[Any]]:
        """Send statements, after those that begin the snapshot unless it is there, and wait for their records."""
        before = () if self._snapshot is not None else _BEGIN
        self.waits()
        with self._fleet.pipeline():
            begun = [self._run_one(text, values) for text, values in before]
            sent = [self._run_kept(text, values) for text, values in statements]
            if begun:
                self._snapshot = _Snapshot(self.day_bits, *begun[-1].fetchall())
            return [each.fetchall() for each in sent]

    def _run_kept(self, text: str, values: Any) -> psycopg.Cursor[Any]:
        """Run a statement, by its plan if the server keeps it."""
        kept = KEPT.get(text) if self._snapshot is not None else None
        if kept is not None and self._snapshot is not None:
            if kept.name not in self._snapshot.plans:
                self._run_one(kept.making, None)
                self._snapshot.plans[kept.name] = kept.digest
            if self._snapshot.plans[kept.name] == kept.digest:
                return self._run_one(kept.using(values), None)
        return self._run_one(text, values)

    def _run_one(self, text: str, values: Any) -> psycopg.Cursor[Any]:
        self.statements += 1
        return self._fleet.execute(text.encode(), values)

    def waits(self) -> None:
        """Count a round trip."""
        self.round_trips += 1

    def foresee(self, work: Callable[[], object]) -> None:
        """Ask at once what `work`, which is only tried, asks one by one, as far as it depends on no answer."""
        if self._foreseen is not None:
            return  # it is tried already
        known, self._snapshot = self._snapshot, _Snapshot(self.day_bits)
        self._snapshot.answers = known.answers if known is not None else {}
        self._foreseen = {}
        try:
            work()
            foreseen = [*self._foreseen.values()]
        finally:
            self._foreseen, self._snapshot = None, known
        if foreseen:
            self.ask(foreseen)

    def reading(self, work: Callable[[], T]) -> T:
        """Run `work` on one snapshot."""
        try:
            try:
                return work()
            finally:
                began, self._snapshot = self._snapshot, None
                if began is not None and self._fleet.info.status is ConnStatus.OK:
                    self.waits()
                    self._fleet.execute("rollback")
        except psycopg.Error as error:
            raise FleetUnusable(
                f"the fleet cannot answer: {said(error)}", "ask this folder: commonplace recall"
            ) from error

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
        terms, known = {*terms}, self._read.counts
        if missing := sorted(terms - known.keys()):
            whole, begins = (
                self.listed(each for each in missing if each.endswith("*") is ends) for ends in (False, True)
            )
            sql = (
                "select term, n from fleet.frequency where term = any(%s) union all"
                " select begins || '*', (select sum(n)::bigint from fleet.frequency"
                " where term >= begins and term < begins || %s)"
                ' from (select left(term, -1) collate "C" as begins from unnest(%s::text[]) as t(term)) b'
            )
            found = dict(self._asked(sql, (whole, "\U0010ffff", begins)))
            known.update((term, found.get(term) or 0) for term in missing)
        return {term: known[term] for term in terms}

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
        if statement is None:
            return [[] for _ in searches]
        if limit > _FEW_FOUND:
            records = self._asked(*statement)
        else:
            text, values = statement
            records = self._asked(TEXTS_TOO.format(text), values)
            self._read.known.note_texts((), (record[1:] for record in records))
        for at, row, *_ in records:
            found[at].add(row)
        return [sorted(rows, reverse=True)[:limit] for rows in found]

    def rows_at(self, places: Iterable[Citation]) -> dict[Citation, int]:
        """Return the row that covers each of these lines, where there is one."""
        places = [*places]
        known = {} if self._read.spliced else {place: self._read.known.row_at(place) for place in places}
        missing = [place for place in places if known.get(place) is None]
        sql = (
            "select j.at, (select l.row from fleet.files f join fleet.lines l using (file) where f.path = j.path"
            " and l.line <= j.line and l.line + l.count > j.line order by l.line desc, l.row limit 1)"
            ' from (select at, path collate "C" as path, line'
            " from unnest(%s::varchar[], %s::int[]) with ordinality as given(path, line, at)) j"
        )
        paths, lines = [place.path for place in missing], [place.line for place in missing]
        found = self._asked(sql, (paths, lines)) if missing else ()
        rows = known | {missing[at - 1]: row for at, row in found}
        return {place: row for place in places if (row := rows.get(place)) is not None}

    def texts(self, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """Return row -> (parent row, file, text)."""
        rows, known = [*rows], self._read.known.texts
        self._read_upwards({*rows}.difference(known))
        return {row: found for row in rows if (found := known.get(row)) is not None}

    def ancestors(self, parents: Iterable[int], found: Above | None = None) -> Above:
        """Return `texts` of these rows and of what is above them, as many as a context shows."""
        found = {} if found is None else found
        parents = {*parents} - {0}
        self._read_upwards({row for parent in parents if (row := self._unread_above(parent, found))})
        for parent in parents:
            self._unread_above(parent, found)
        return found

    def _read_upwards(self, rows: Collection[int]) -> None:
        """Read texts, with what is above them."""
        if rows:
            (records,) = self.ask([(UPWARDS, {"beside": sorted(rows)})])
            self._read.known.note_texts(rows, records)

    def _unread_above(self, row: int, found: Above) -> int:
        """Add to `found` what was read of a row and those above it; the first that was not, or 0."""
        known = self._read.known.texts
        for _ in range(DEEPEST):
            text = found.get(row) or known.get(row)
            if text is None:
                return 0 if row in known else row
            found[row] = text
            if not (row := text[0]):
                break
        return 0

    def neighbours(
        self, rows: Iterable[int], known: Above | None = None, *, before: int = 1, after: int = 1
    ) -> dict[int, Neighbours]:
        """Return what is beside rows; a few lines below them are read whole, as they are asked for next."""
        rows = [*rows]
        if 1 < after <= _FEW_BELOW:
            self._read.known.read((row + step for row in rows for step in range(-before, after + 1)), self.ask)
        return super().neighbours(rows, known, before=before, after=after)

    def lines(self, rows: Iterable[int]) -> dict[int, StoredLine]:
        """Return the lines of these rows, without their context, in this order."""
        rows, known = [*rows], self._read.known
        (known.read if len(rows) <= _MANY else known.read_plain)(rows, self.ask)
        return known.lines(rows)

    def _extents(self, rows: Iterable[int]) -> list[tuple[int, int, int, int]]:
        rows, known = [*rows], self._read.known
        self._measure(rows)
        return [found for row in rows if (found := known.extents.get(row)) is not None]

    def said_by_others(self, rows: Iterable[int]) -> set[int]:
        """Return those of these rows that somebody other than the author said."""
        rows = [*rows]
        self._measure(rows)
        return self._read.known.by_others.intersection(rows)

    def _measure(self, rows: Iterable[int]) -> None:
        if missing := sorted({*rows}.difference(self._read.known.extents)):
            (records,) = self.ask([(EXTENTS, {"unmeasured": missing})])
            self._read.known.note_extents(records)

    def _told_of(self, rows: Iterable[int]) -> list[tuple[int, str, str | None]]:
        rows, known = [*rows], self._read.known
        known.read(rows, self.ask)
        return [each for row in rows for each in known.told[row]]

    def _aliases_of(self, keys: Collection[str]) -> list[tuple[str, str, str]]:
        known = self._read.known.aliases
        if missing := {*keys}.difference(known):
            known.update(grouped(missing, super()._aliases_of(sorted(missing))))
        return [each for key in keys for each in known[key]]

    def _relations_to(self, ids: Iterable[str]) -> list[tuple[str, str, int]]:
        ids, known = {*ids}, self._read.known.relations
        if missing := ids.difference(known):
            known.update(grouped(missing, super()._relations_to(sorted(missing))))
        return sorted((each for id in ids for each in known[id]), key=lambda each: -each[2])

    def _claims_of(
        self, rows: Collection[int], slots: Collection[tuple[str, str]], ended: Collection[str], *, among: RowRange
    ) -> Iterable[Sequence[Any]]:
        known = self._read.known
        known.read(rows, self.ask)
        if known.is_cut:
            return super()._claims_of(rows, slots, ended, among=among)
        said = sorted((each for slot in slots for each in known.claims.get(slot, ())), key=lambda each: -each[1])
        over = [each for key in ended for each in known.ended.get(key, ())]
        both = [(0, *each) for each in said if among.has(each[1])][:MOST_CLAIMS]
        return [*both, *((1, *each) for each in over if among.has(each[1]))]

    def _tagged_in(
        self, rows: Iterable[int], keys: Iterable[str], *, among: RowRange
    ) -> Iterable[tuple[str, int, str]]:
        known, rows, keys = self._read.known, sorted(rows, reverse=True), {*keys}
        if not (known.told.keys() >= {*rows} <= known.texts.keys()):
            return super()._tagged_in(rows, keys, among=among)
        return [
            (key, row, text[2])
            for row in rows
            if row in known.ids and among.has(row) and (text := known.texts[row]) is not None
            for _, key, slot in known.told[row]
            if slot is None and key in keys
        ]

    def _related(self, rows: Iterable[int], *, last: int) -> Iterable[tuple[int, int, str]]:
        rows, known = {*rows}, self._read.known
        if not known.relations.keys() >= {known.ids.get(row) for row in rows}:
            return super()._related(rows, last=last)
        return [
            (one, row, relation) for row in rows for _, relation, one in known.relations[known.ids[row]] if one <= last
        ]

    def rows_in(self, path: str, *, limit: int = LAST) -> list[int]:
        """Return rows of a file in order of line; none of a path that says not in which workspace it is."""
        return super().rows_in(path, limit=limit) if isinstance(path, FleetText) else []

    def opinions_at(self, places: Sequence[Citation]) -> tuple[Opinion, ...]:
        """Return the opinions on one of these lines."""
        if not self._read.judged:
            return ()
        known = [self._read.known.opinions_at(place) for place in places]
        if None in known:
            return super().opinions_at(places)
        heads = dict.fromkeys(head for found in known for head in found or ())
        return self._with_evidence(sorted(heads, key=lambda head: (head[3], head[4], head[1])))

    def opinions_on(self, facts: Sequence[Fact]) -> tuple[Opinion, ...]:
        """Return the opinions that one of these facts supports, or that have the text and entities of one."""
        if not self._read.judged:
            return ()
        self.foresee(lambda: super(FleetIndex, self).opinions_on(facts))
        return super().opinions_on(facts)

    def places(self, ids: Iterable[str]) -> dict[str, Citation]:
        """Return the places of the facts with these ids."""
        ids = [*ids]
        return super().places(ids) if ids else {}

    def rows_valid(self, days: Span, *, limit: int) -> list[int]:
        """Return rows of facts valid on one of these days, newest first."""
        self.foresee(lambda: super(FleetIndex, self).rows_valid(days, limit=limit))
        return super().rows_valid(days, limit=limit)

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
