"""The index of a fleet: answers what the local index answers, over the shared rows of all workspaces of one tenant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper, Loader

from commonplace.core.recall.index_rows import DEEPEST
from commonplace.errors import FleetUnusable
from commonplace.store.postgres.dialect import translated
from commonplace.store.postgres.fleet_text import FleetText
from commonplace.store.postgres.match_query import rows_matching
from commonplace.store.postgres.patient_connection import PatientConnection
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.index_schema import ALL_WRITTEN, DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from psycopg.rows import TupleRow

    from commonplace.core.model import Unread
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.store.sqlite.index_schema import Counts, Surroundings

    T = TypeVar("T")

WHOSE = 15
"""Bits of a row number between day and line: which workspace."""
WORKSPACES = 1 << WHOSE
"""Workspaces of one tenant, at most."""


_SNAPSHOT = (
    b"set transaction isolation level repeatable read, read only; set local search_path = fleet, pg_temp;"
    b"set local statement_timeout = '20s'; set local jit = off; set local join_collapse_limit = 1"
)
"""Before the first statement of a recall: one moment for all of it, nobody's temporary table before ours, and tables
joined in the order in which the statements name them, as SQLite's `cross join` has it."""


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


class FleetIndex(Index):
    """Reads the fleet. Its rows are those of the local indexes, with the number of the workspace in the middle."""

    day_bits = DAY + WHOSE

    def __init__(self, db: psycopg.Connection[TupleRow]) -> None:
        self._fleet = db
        self._answers: dict[tuple[str, str], _Records] = {}
        """What was asked on this snapshot: it is not asked again."""
        self.run = self._run  # type: ignore[assignment] # what the queries use of a cursor, both have
        self.statements = 0
        """Statements that the server answered."""

    def close(self) -> None:
        """Close the connection."""
        self._fleet.close()

    # -- statements

    def _run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement of the index."""
        text = translated(sql)
        named = "%(p1)s" in text
        return self._asked(text, {f"p{at}": value for at, value in enumerate(values, 1)} if named else values)

    def _asked(self, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> _Records:
        """The records of a statement of PostgreSQL, on one snapshot the same."""
        key = text, repr(values)
        if key not in self._answers:
            self.statements += 1
            self._answers[key] = _Records(self._ask(text, values))
        return _Records(self._answers[key])  # a query may add to its own

    def _ask(self, text: str, values: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        return self._fleet.execute(text.encode(), values, prepare=False).fetchall()

    def reading(self, work: Callable[[], T]) -> T:
        """Run `work` on one snapshot."""
        self._answers.clear()
        try:
            with self._fleet.transaction():
                self._fleet.execute(_SNAPSHOT)
                return work()
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

    # -- what is kept otherwise

    def whose(self, row: int) -> int:
        """Return the number of the workspace of a row."""
        return row >> DAY & (WORKSPACES - 1)

    def totals(self) -> tuple[int, int]:
        """Return (number of lines, number of their terms)."""
        sql = "select coalesce(sum(lines), 0)::bigint, coalesce(sum(length), 0)::bigint from fleet.workspaces"
        ((lines, length),) = self._asked(sql)
        return lines, length

    def documents(self) -> int:
        """Return the number of documents."""
        found: int = self.one("select coalesce(sum(documents), 0) from workspaces")
        return int(found)

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of lines with each term; of `上*` an upper bound."""
        terms = [*terms]
        whole, begins = [term for term in terms if not term.endswith("*")], {}
        for term in terms:
            if term.endswith("*"):
                sql = "select coalesce(sum(n), 0)::bigint from fleet.frequency where term >= %s and term < %s"
                ((begins[term],),) = self._asked(sql, (term[:-1], term[:-1] + "\U0010ffff"))
        sql = "select term, sum(n)::bigint from fleet.frequency where term = any(%s) group by term"
        return dict.fromkeys(whole, 0) | dict(self._asked(sql, (whole,)) if whole else ()) | begins

    def match(self, expression: str, *, among: RowRange = ALL_WRITTEN, limit: int = 1000) -> list[int]:
        """Return rows that match an expression of `core.text.analyzer`, newest first."""
        sql, values = rows_matching(expression, among=among, limit=limit)
        return [row for (row,) in self._asked(sql, values)]

    def row_at(self, path: str, line: int) -> int | None:
        """Return the row that covers a line of a file."""
        sql = (
            "select l.row from fleet.files f join fleet.lines l using (file) where f.path = %s and l.line <= %s"
            " and l.line + l.count > %s order by l.line desc, l.row limit 1"
        )
        return next((row for (row,) in self._asked(sql, (path, line, line))), None)

    def lines(self, rows: Iterable[int]) -> dict[int, StoredLine]:
        """Return the lines of these rows, without their context, in this order."""
        rows = [*rows]
        found = super().lines(rows)
        return {row: found[row] for row in rows if row in found}

    def ancestors(self, parents: Iterable[int], found: Above | None = None) -> Above:
        """Return `texts` of these rows and of what is above them, as many as a context shows, in one statement."""
        found = {} if found is None else found
        missing = set()
        for row in {*parents} - {0}:
            at = row
            for _ in range(DEEPEST):
                if at not in found:
                    missing.add(at)
                    break
                at = found[at][0]
                if not at:
                    break
        if missing:
            sql = (
                "with recursive up(row, parent, file, text, depth) as (select l.row, l.parent, l.file, l.text, 1"
                " from unnest(%s::bigint[]) j(value) join fleet.lines l on l.row = j.value"
                " union all select l.row, l.parent, l.file, l.text, up.depth + 1"
                " from up join fleet.lines l on l.row = up.parent where up.depth < %s)"
                " select distinct row, parent, file, text from up"
            )
            for row, parent, file, text in self._asked(sql, (sorted(missing), DEEPEST)):
                found[row] = (parent, file, text)
        return found

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
