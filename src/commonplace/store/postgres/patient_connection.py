"""A connection that gives up: a server may accept, confirm every byte, and never answer.

TCP notices a cable that was cut, not a server that hangs, and the server's own `statement_timeout` needs a server. So
the wait for each answer ends here, on this side, and the connection with it; the server then rolls back.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.generators import fetch_many
from psycopg.pq import TransactionStatus

from commonplace.errors import FleetUnusable
from commonplace.store.postgres.fleet_text import FleetText

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import TypeVar

    from psycopg.abc import PQGen
    from psycopg.rows import TupleRow

    T = TypeVar("T")


_SAFE_PATH = "set local search_path = pg_catalog, pg_temp"


class PatientConnection(psycopg.Connection[Any]):
    """Waits so long for each answer, and no longer; a bare name means what PostgreSQL itself brings, and nothing else.

    Where a schema `public` is writable to all, as in databases from before PostgreSQL 15, somebody could make an
    operator or a function there that fits better than the real one, and would run with the rights of whoever uses it. A
    setting of the session is no help, because a pool may give each transaction another one.
    """

    patience = 25.0
    """Seconds."""

    _leaves = False
    """Whether the end of a transaction was sent, and its answer not read."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._process = os.getpid()
        """A fork has the same socket: what two write to it is mixed up, and what one closes is closed for both."""

    def __del__(self, *args: Any) -> None:
        if self._is_ours():
            super().__del__(*args)

    def _is_ours(self) -> bool:
        """Whether this process opened it."""
        return self._process == os.getpid()

    def close(self) -> None:
        """Close it; that of the process which this one was forked from stays open."""
        if self._is_ours():
            super().close()

    def leave(self, then: bytes = b"") -> None:
        """Roll back, then run a statement, and wait for no answer: whoever asks next reads them, if anybody does."""
        self.pgconn.send_query(b"rollback;" + then)
        self.pgconn.flush()
        self._leaves = True

    def _return(self) -> None:
        if self._leaves:
            self._leaves = False
            self.wait(fetch_many(self.pgconn))

    @contextmanager
    def pipeline(self) -> Iterator[psycopg.Pipeline]:
        """Send what follows together."""
        self._return()
        with super().pipeline() as begun:
            yield begun

    def execute(self, query: Any, params: Any = None, **named: Any) -> psycopg.Cursor[Any]:
        """Run a statement; outside of a transaction in one of its own, as one message that is waited for once."""
        self._return()
        if self.info.transaction_status is not TransactionStatus.IDLE or query[:5] in ("begin", b"begin"):
            return super().execute(query, params, **named)
        text = query.encode() if isinstance(query, str) else query
        found = psycopg.ClientCursor(self).execute(_SAFE_PATH.encode() + b";" + text, params, **named)
        found.nextset()
        return found

    @contextmanager
    def transaction(self, *args: Any, **named: Any) -> Iterator[psycopg.Transaction]:
        """Begin a transaction, or a part of one."""
        self._return()
        is_outer = self.info.transaction_status is TransactionStatus.IDLE
        with super().transaction(*args, **named) as begun:
            if is_outer:
                super().execute(_SAFE_PATH)
            yield begun

    @contextmanager
    def writing(self, first: str) -> Iterator[list[list[Any]]]:
        """A transaction, and the records of the statements that it begins with, in one message with them."""
        self._return()
        try:
            yield self._told(["begin", _SAFE_PATH, first])
        except BaseException:
            if not self.closed:
                self.rollback()
            raise
        self.commit()

    def ask_all(self, statements: Iterable[tuple[str, Any]]) -> list[list[Any]]:
        """The records of each of these that has some; all are sent together, and are one transaction.

        Within one, which may write, values are no part of the texts: a server logs the text of a statement that fails.
        """
        self._return()
        if self.info.transaction_status is TransactionStatus.IDLE:
            cursor = psycopg.ClientCursor(self)
            return self._told([_SAFE_PATH, *(cursor.mogrify(sql, values or None) for sql, values in statements)])
        with self.pipeline():
            asked = [self.execute(sql, values or None) for sql, values in statements]
        return [each.fetchall() for each in asked if each.description]

    def _told(self, texts: Iterable[str]) -> list[list[Any]]:
        """The records of each of these statements that has some; they are one message, and waited for once."""
        cursor, found = psycopg.ClientCursor(self), list[list[Any]]()
        cursor.execute(";".join(texts).encode())
        while True:
            if cursor.description:
                found.append(cursor.fetchall())
            if not cursor.nextset():
                return found

    def wait(self, gen: PQGen[T], *args: Any, **named: Any) -> T:
        """Run what psycopg waits for. Raises OperationalError when there was no answer in time."""
        if not self._is_ours():
            raise psycopg.OperationalError("another process opened this connection")
        self._return()
        return super().wait(self._bounded(gen), *args, **named)

    def _bounded(self, waits: PQGen[T]) -> Generator[Any, Any, T]:
        # psycopg resumes it several times a second, whether anything has come or not
        until = monotonic() + self.patience
        try:
            wanted = next(waits)
            while True:
                ready = yield wanted
                if monotonic() > until:
                    self.pgconn.finish()  # or the end of a transaction would wait again
                    raise psycopg.OperationalError(f"no answer within {self.patience:g} seconds")
                wanted = waits.send(ready)
        except StopIteration as done:
            answer: T = done.value
            return answer


class _TextLoader(Loader):
    def load(self, data: Any) -> FleetText:
        return FleetText.read(bytes(data).decode())


class _TextDumper(Dumper):
    oid = psycopg.adapters.types["varchar"].oid

    def dump(self, obj: FleetText) -> bytes:
        return obj.stored.encode()


def connected(url: str, *, patience: float = PatientConnection.patience, within: int = 5) -> PatientConnection:
    """Open a connection by a URL or `service=…`. Raises FleetUnusable.

    Args:
        patience: seconds to wait for each answer. within: seconds to wait for the connection, of each host named.
    """
    try:
        db = PatientConnection.connect(
            url,
            connect_timeout=within,
            tcp_user_timeout=20_000,
            application_name="commonplace",
            client_encoding="utf8",  # statements have texts in them, whatever the database is in
            autocommit=True,
            prepare_threshold=None,  # a pool lends us another server, without what psycopg prepared
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


def has_table(db: psycopg.Connection[TupleRow], table: str) -> bool:
    """Return whether there is a table of the fleet."""
    found = db.execute("select to_regclass('fleet.' || %s) is not null", (table,)).fetchone()
    return bool(found and found[0])


def schema_of_pgvector(db: psycopg.Connection[TupleRow]) -> str:
    """Return the schema in which pgvector is; empty if it is nowhere."""
    found = db.execute("select extnamespace::regnamespace::text from pg_extension where extname = 'vector'").fetchone()
    return str(found[0]) if found else ""
