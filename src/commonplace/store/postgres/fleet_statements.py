"""Sends the statements of an index to the server, those that need nothing of each other together, on one snapshot."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import ConnStatus

from commonplace.errors import FleetUnusable
from commonplace.store.postgres.dialect import BY_KEYS, MAKES, PLANS, KeptPlan, translated, written
from commonplace.store.postgres.fleet_text import WHOSE, FleetText
from commonplace.store.postgres.line_reading import KEPT, READ_LINES
from commonplace.store.postgres.patient_connection import PatientConnection, said
from commonplace.store.postgres.read_ahead import ReadAhead
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.index_schema import DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    T = TypeVar("T")
    _Statement = tuple[str, Sequence[Any] | Mapping[str, Any]]
    _Answer = tuple[list[Any], tuple[int, ...] | None]
    _Plans = dict[str, tuple[float, str | None]]
    """By name: when each plan was made, 0 if that is not known yet, and the digest of its statement."""

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


_ROOM = b"select pg_catalog.length(pg_catalog.repeat('x', 4000000))"
"""What makes a server keep some memory between questions: glibc gives what is freed back to the system, and takes it
anew with up to a thousand page faults a recall (2 ms of 12), until a piece of this size was freed once."""
_STAYS = 2
"""Questions after which a connection is taken for one that is asked again: a command asks one."""
_MOST_PLANS = 64
"""Plans that a connection of the server keeps; those of a recall take it some megabytes."""
_MOST_MET = 512
"""Statements of which it is known that they were asked; some are of one question, and never come again."""


def statement(sql: str, values: Sequence[Any]) -> _Statement:
    """A statement of the index, as PostgreSQL runs it."""
    text = translated(sql)
    named = "%(p1)s" in text
    return text, {f"p{at}": value for at, value in enumerate(values, 1)} if named else values


class Small(str):
    """A statement whose records are numbers and texts alone: those that are sent together become one."""

    __slots__ = ()


_PLAIN = frozenset({16, 20, 21, 23, 25, 701})
"""Types of PostgreSQL that JSON keeps: numbers, texts, and whether or not."""
_NAMED = 1043
"""`varchar`: a path or an id, which says of which workspace it is."""


def _named_columns(cursor: psycopg.Cursor[Any]) -> tuple[int, ...] | None:
    """The columns of an answer with paths and ids; None if it has others that JSON would not keep."""
    types = [column.type_code for column in cursor.description or ()]
    if _PLAIN.union((_NAMED,)).issuperset(types):
        return tuple(at for at, each in enumerate(types) if each == _NAMED)
    return None


_PLACE = re.compile(r"%(?:\((\w+)\))?s")
"""The place of a value."""


def _as_one(statements: Sequence[_Statement]) -> tuple[str, dict[str, Any]]:
    """One statement whose record has the records of each of these as JSON."""
    parts, given = [], dict[str, Any]()
    for at, (text, values) in enumerate(statements):
        parted = _PLACE.split(text)
        names = [name or str(number) for number, name in enumerate(parted[1::2])]
        named = (
            "".join(f"{before}%({name}_{at})s" for before, name in zip(parted[::2], names, strict=False)) + parted[-1]
        )
        parts.append(f"(select json_agg(s)::text from ({named}) s)")
        told = values.items() if isinstance(values, Mapping) else zip(names, values, strict=True)
        given.update((f"{name}_{at}", value) for name, value in told)
    return f"select * from (select {', '.join(parts)}) s", given


def _records(told: str | None, named: Sequence[int]) -> list[tuple[Any, ...]]:
    """The records in such JSON: the values of each, whatever their names.

    Args:
        named: columns with paths and ids.
    """

    def record(pairs: list[tuple[str, Any]]) -> tuple[Any, ...]:
        values = [value for _, value in pairs]
        for column in named:
            values[column] = None if values[column] is None else FleetText.read(values[column])
        return tuple(values)

    return json.loads(told, object_pairs_hook=record) if told else []


def _has_records(cursor: psycopg.Cursor[Any]) -> bool:
    return cursor.pgresult is not None and cursor.pgresult.nfields > 0


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
        self.plans: _Plans = {name: (made, digest) for name, (made, digest) in (plans or {}).items()}
        """Those that the server has kept."""
        self.answers: dict[tuple[str, str], list[Any]] = {}
        """By statement and values."""
        self.coming: dict[tuple[str, str], _Statement] = {}
        """What is asked with the next question."""
        self.counts: dict[str, int] = {}
        """By term: the number of lines with it."""
        self.known = ReadAhead(bits, judged=judged)


class FleetStatements(Index):
    """An index whose statements PostgreSQL answers."""

    day_bits = DAY + WHOSE

    def __init__(self, db: PatientConnection) -> None:
        self._fleet = db
        self._snapshot: _Snapshot | None = None
        self._foreseen: dict[tuple[str, str], _Statement] | None = None
        """The statements of what is only tried, to know them."""
        self._met: dict[str, tuple[int, ...] | None] = {}
        """Statements that were asked -> their columns with paths and ids; None of those that cannot become one with
        others."""
        self._plans: dict[str, KeptPlan] = {}
        """Those that were asked again."""
        self._hopes = True
        """Whether the server's connection may be the same next time: then it has these plans."""
        self._hoped: _Plans = {}
        self._readings = 0
        """Questions so far."""
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
        return self._asked(*statement(sql, values))

    def _asked(self, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> _Records:
        """The records of a statement of PostgreSQL."""
        return _Records(self.ask([(text, values)])[0])  # a query may add to its own

    def numbers(self, sql: str, values: Sequence[Any] = ()) -> list[int]:
        """Return the numbers that are the records."""
        text, given = statement(sql, values)
        return [number for (number,) in self._asked(Small(text), given)]

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
            if self._snapshot is not None:
                missing |= self._snapshot.coming
                self._snapshot.coming = {}
            found = self._send([*missing.values()])
            known = self._read.answers
            known.update(zip(missing, found, strict=True))
        return [known[key] for key in keys]

    def _send(self, statements: Sequence[_Statement]) -> list[list[Any]]:
        """Send statements, after those that begin the snapshot unless it is there, and wait for their records."""
        if self._snapshot is not None:
            return self._answers(statements, self._snapshot.plans)[1]
        hoped = {**self._hoped} or None
        try:
            begun, found = self._answers(statements, hoped, _BEGIN)
        except (psycopg.ProgrammingError, psycopg.DataError):  # as of a plan that is not there, or is another one
            if not self._hoped or self._fleet.info.status is not ConnStatus.OK:
                raise
            begun = None
        if begun is None or not self._has_hoped(begun.plans):
            self._hopes, self._hoped, hoped = False, {}, None  # a pool lent another connection, and will do so again
            self._fleet.leave()
            begun, found = self._answers(statements, hoped, _BEGIN)
        assert begun is not None
        begun.plans = {**(hoped or {}), **begun.plans}
        self._snapshot = begun
        return found

    def _has_hoped(self, plans: _Plans) -> bool:
        """Whether these are the plans that were hoped for, and perhaps others; notes the digests that are known."""
        for name, (made, digest) in plans.items():
            if digest is None:  # one that is as old as it is known to be is the same
                plans[name] = made, self._hoped[name][1] if self._hoped.get(name, (0,))[0] == made else ""
        return all(plans.get(name, (0, ""))[1] == digest for name, (_, digest) in self._hoped.items())

    def _answers(
        self, statements: Sequence[_Statement], plans: _Plans | None, before: Sequence[_Statement] = ()
    ) -> tuple[_Snapshot | None, list[list[Any]]]:
        """The snapshot, if these statements begin it, and the records of each; those that are small become one.

        Args:
            plans: those that the server has; None if that is not known.
        """
        named = [self._joined(text) for text, _ in statements]
        small = [one for one, columns in zip(statements, named, strict=True) if columns is not None]
        if len(small) < 2:  # one has nothing to become one with
            small, named = [], [None for _ in statements]
        alone = [one for one, columns in zip(statements, named, strict=True) if columns is None]
        since = max((made for made, _ in self._hoped.values()), default=0)
        texts = [written(text, {"since": since}) for text, _ in before]
        for one in (*alone, _as_one(small)) if small else alone:
            texts += self._texts(*one, plans)
        found = iter(self._sent(texts))
        snapshot = _Snapshot(self.day_bits, *next(found)[0]) if before else None
        others = []
        for text, _ in alone:
            records, columns = next(found)
            others.append(records)
            self._meet(text, columns)
        told, left = iter(next(found)[0][0] if small else ()), iter(others)
        return snapshot, [next(left) if columns is None else _records(next(told), columns) for columns in named]

    def _joined(self, text: str) -> tuple[int, ...] | None:
        """The columns with paths and ids of a statement that may become one with others; None of another one."""
        return () if isinstance(text, Small) else self._met.get(text)

    def _meet(self, text: str, columns: tuple[int, ...] | None) -> None:
        """Know a statement again; lines are read with a plan that is not made for each of what may be beside them."""
        if len(self._met) > _MOST_MET:
            self._met.clear()
        self._met[text] = None if text == READ_LINES else columns

    def _texts(self, text: str, values: Any, plans: _Plans | None) -> list[str]:
        """What is sent of a statement: a use of its plan if the server keeps it, and what makes that if it is new."""
        kept = self._plan(text)
        if kept is None or plans is None or plans.get(kept.name, (0, kept.digest))[1] != kept.digest:
            return [written(text, values)]
        using = [kept.using(values)]
        if kept.name not in plans:
            plans[kept.name] = 0, kept.digest
            using.insert(0, kept.making)
        return using

    def _sent(self, texts: Sequence[str]) -> list[_Answer]:
        """The records of each of these that has some, and the columns of them that have paths and ids.

        They are one message. In a pipeline each is one of its own, and after all answers another one is waited for; but
        the server keeps with a plan the text of the message that made it, by which the plan is known again.
        """
        self.waits()
        self.statements += len(texts)
        if any(text.startswith(MAKES) for text in texts):
            with self._fleet.pipeline():
                made = [self._fleet.execute(text.encode()) for text in texts]
            return [(each.fetchall(), _named_columns(each)) for each in made if _has_records(each)]
        cursor, found = self._fleet.execute(";".join(texts).encode()), list["_Answer"]()
        while True:
            if _has_records(cursor):
                found.append((cursor.fetchall(), _named_columns(cursor)))
            if not cursor.nextset():
                return found

    def _plan(self, text: str) -> KeptPlan | None:
        """The plan of a statement that is asked several times a recall, or was asked before on this connection."""
        kept = KEPT.get(text) or self._plans.get(text)
        if kept is None and text in self._met and len(self._plans) < _MOST_PLANS:
            kept = self._plans[text] = KeptPlan(text)
        elif kept is None:
            self._meet(text, None)
        return kept

    def waits(self) -> None:
        """Count a round trip."""
        self.round_trips += 1

    def foresee(self, work: Callable[[], object], *, later: bool = False) -> None:
        """Ask at once what `work`, which is only tried, asks one by one, as far as it depends on no answer.

        Args:
            later: with the next question, if there is one; for work that reads no lines.
        """
        if self._foreseen is not None:
            return  # it is tried already
        known, self._snapshot, self._foreseen = self._snapshot, _Snapshot(self.day_bits), {}
        if known is not None:
            self._snapshot.answers = known.answers
            self._snapshot.counts = {**known.counts}
        tried = self._snapshot.known = (known or self._snapshot).known.trying()
        try:
            work()
            foreseen = [*self._foreseen.values()]
        finally:
            self._foreseen, self._snapshot = None, known
        if later and self._snapshot is not None:
            self._snapshot.coming.update(((text, repr(values)), (text, values)) for text, values in foreseen)
            return
        reads = self._read.known if tried.wanted or tried.many else tried
        reads.names_too = reads.names_too or tried.names_too
        rows, many = reads.unread(tried.wanted), reads.unread_of_many(tried.many - tried.wanted)
        readings = [*([reads.reading(rows)] if rows else ()), *([reads.reading_many(many)] if many else ())]
        if foreseen or readings:
            found = self.ask([*foreseen, *readings])[len(foreseen) :]
            if many:
                reads.note_many(many, found.pop())
            if rows:
                reads.note(rows, found.pop())

    def reading(self, work: Callable[[], T]) -> T:
        """Run `work` on one snapshot."""
        try:
            try:
                return work()
            finally:
                began, self._snapshot = self._snapshot, None
                self._hoped = began.plans if began is not None and self._hopes else {}
                if began is not None and self._fleet.info.status is ConnStatus.OK:
                    self.statements += 1
                    self._readings += 1
                    self._fleet.leave(_ROOM if self._readings == _STAYS else b"")
        except psycopg.Error as error:
            raise FleetUnusable(
                f"the fleet cannot answer: {said(error)}", "ask this folder: commonplace recall"
            ) from error
