"""Opens the index file: private to its owner, one writer, many readers."""

from __future__ import annotations

import json
import os
from array import array
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING, Any, Self, TypeVar

import apsw

from commonplace.errors import Busy, IndexUnusable
from commonplace.store.sqlite.index_schema import APPLICATION, DAY, SCHEMA, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

_PAGE_BYTES = 8192
"""Bytes of a page of a new file: twice SQLite's default, so that half as many are written."""
CACHE_KIB = 16_000
"""KiB of pages that are kept in memory."""
_PATIENCE = 5000
"""ms that a statement waits for another program."""
_NAP = 0.02
"""s between attempts of a call that SQLite does not retry itself."""


class Database:
    """One SQLite file with the tables of the schema. Not shared between threads."""

    damaged = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
    """Errors of a damaged or foreign file: move it aside and rebuild. UnicodeDecodeError means bytes in a text column,
    and we write none that are not UTF-8.
    """
    refused = (
        apsw.FullError,
        apsw.IOError,
        apsw.CantOpenError,
        apsw.ReadOnlyError,
        apsw.PermissionsError,
        apsw.BusyError,
        apsw.ProtocolError,
    )
    """Errors of a full, read-only or busy disk, or one without locks: answer without the index."""
    day_bits = DAY
    """Bits of a row number below the day."""

    def __init__(self, path: str, *, anew: bool = False) -> None:
        """Open or create the file; the tables are created if it has an older schema, or none.

        Args:
            path: the file; `:memory:` for none.
            anew: also replace the tables of a newer program.

        Raises IndexUnusable if the file cannot be opened, or is a newer program's; Busy if another program uses it; and
        the errors in `damaged` and `refused`.
        """
        self.path = path
        self._db = _connection(path)
        self._file = _file(path)
        try:
            self._db.set_busy_timeout(_PATIENCE)
            self._db.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)  # a cloned workspace may bring a file of its own
            # otherwise every statement with a range or limit is prepared again for each new value: 10 to 25 µs
            self._db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self.run = self._db.cursor().execute
            ours = self._made() == (APPLICATION, SCHEMA)
            if not ours and not anew:
                self._refuse_newer()
            self.run(f"pragma page_size = {_PAGE_BYTES}")
            if path != ":memory:":
                self._write_ahead()
            self.run(f"pragma cache_size = -{CACHE_KIB}")
            if not ours:
                self._create()
            self._noted: tuple[object, dict[Any, Any]] = (None, {})
            self.fresh = not self.one("select exists (select 1 from meta where key = 'states')")
            """Whether no sync was ever completed in this file."""
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- statements

    def one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Return the value of the only record, or None.

        Reads to the end: an unfinished statement keeps a transaction open.
        """
        found = self.run(sql, values).fetchall()
        return found[0][0] if found else None

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all records."""
        return self.run(sql, values).fetchall()

    def numbers(self, sql: str, values: Sequence[Any] = ()) -> list[int]:
        """Return the numbers that are the records."""
        return [number for (number,) in self.all(sql, values)]

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run the statement once for each row."""
        self._db.cursor().executemany(sql, rows)

    @staticmethod
    def listed(values: Iterable[int] | Iterable[str]) -> object:
        """Return numbers, or texts, as one parameter for `carray(?)`: half the cost of JSON.

        It does not accept NUL: a text with one is replaced by another, which is not found.
        """
        held = [*values]
        if not held:
            return None
        if not isinstance(held[0], str):
            return apsw.carray(array("q", held))
        return apsw.carray(tuple(storable(text).replace("\0", "\ufffd") for text in held))

    @staticmethod
    def paired(values: Iterable[Sequence[Any]]) -> str:
        """Return pairs as one parameter for `json_each(?)`."""
        return json.dumps(list(values))

    @property
    def embeds(self) -> bool:
        """Whether the passages of all lines are noted."""
        return bool(self.one("select value from meta where key = 'embeds'"))

    def noted(self) -> dict[Any, Any]:
        """Return what the caller noted in it while the index was as it is now, for a process that is asked again.

        To be asked for in each reading anew; within a write that may be undone, nothing must be noted.
        """
        state = self.one("pragma data_version"), self._db.total_changes()
        if state != self._noted[0]:
            self._noted = state, {}
        return self._noted[1]

    # -- transactions

    def transaction(self, work: Callable[[], T]) -> T:
        """Run `work` in a write transaction and return its result; on error all is rolled back. Raises Busy."""
        try:
            self.run("begin immediate")
        except apsw.BusyError as error:
            raise Busy("another program is writing the index", "try again in a moment") from error
        return self._ended(work)

    def reading(self, work: Callable[[], T]) -> T:
        """Run `work` in a read transaction and return its result: a rebuild meanwhile would renumber every row."""
        self.run("begin")
        return self._ended(work)

    def _ended(self, work: Callable[[], T]) -> T:
        try:
            value = work()
            self.run("commit")
        except BaseException:
            if not self._db.get_autocommit():
                self.run("rollback")
            raise
        return value

    # -- the file

    def current(self) -> bool:
        """Whether the file at the path is still the one opened, with the tables of this schema.

        It may be deleted, or recreated by a program of another version, meanwhile.
        """
        return self._file == _file(self.path) and self._made() == (APPLICATION, SCHEMA)

    def _made(self) -> tuple[int, int]:
        return self.one("pragma application_id"), self.one("pragma user_version")

    def _refuse_newer(self) -> None:
        """Refuse a newer program's index: two versions in use would keep rebuilding it for each other."""
        application, schema = self._made()
        if application == APPLICATION and schema > SCHEMA:
            raise IndexUnusable(
                f"a newer commonplace made it: it has schema {schema}, this version has {SCHEMA}",
                "install the newer version; to keep this one, run: commonplace index --rebuild",
            )

    def _write_ahead(self) -> None:
        """Use a write-ahead log, so that readers and the writer do not wait for each other.

        If the file system has no shared memory, SQLite keeps its rollback journal: everything works, but with waiting.
        """
        for left in reversed(range(_PATIENCE // int(1000 * _NAP))):
            try:
                self.run("pragma journal_mode = wal").fetchall()
                break
            except apsw.ReadOnlyError:
                break
            except apsw.BusyError as error:  # SQLite does not wait to change the mode
                if not left:
                    raise Busy("another program uses the index", "try again in a moment") from error
                sleep(_NAP)
        self.run("pragma synchronous = normal")

    def _create(self) -> None:
        """Create empty tables of this schema, dropping all others."""

        def work() -> None:
            if self._made() == (APPLICATION, SCHEMA):
                return  # another program was faster
            made = "select type, name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
            try:
                for kind, name in self.all(f"{made} order by sql like 'create virtual%' desc"):
                    self.run(f'drop {kind} if exists "{name.replace(chr(34), chr(34) * 2)}"')
            except apsw.SQLError as error:
                raise apsw.NotADBError(f"not an index: {error}") from error
            self.run(TABLES).fetchall()

        self.transaction(work)

    # -- maintenance

    def shrink(self) -> None:
        """Leave no trace of deleted rows in the file. Raises Busy if another program is in the way."""
        self.run("pragma secure_delete = on").fetchall()
        try:
            self.run("delete from cache")  # derived from them
            self.run("insert into terms(terms) values ('optimize')")  # otherwise deleted words stay until a merge
            self.run("vacuum")
            busy = self.one("pragma wal_checkpoint(truncate)")
        except apsw.BusyError:
            busy = True
        if busy:
            raise Busy(
                "another program uses the index, and its file may still contain the removed text",
                "end that program, delete .memory/index.sqlite* and run: commonplace index",
            )

    def verify(self) -> str | None:
        """Return what SQLite and FTS5 find wrong with the file, or None. Costs .2 to .8 s at 91,000 lines."""
        return wrong(self._db)


def wrong(db: apsw.Connection) -> str | None:
    """Return what SQLite and FTS5 find wrong with an open file, or None.

    A finding counts if it is found twice: FTS5 takes what another connection is writing at that moment for damage.
    """
    return _finding(db) and _finding(db)


def _finding(db: apsw.Connection) -> str | None:
    try:
        [[said]] = db.execute("pragma integrity_check(1)").fetchall()
        db.execute("insert into terms(terms, rank) values ('integrity-check', 0)")
    except (*Database.damaged, apsw.SQLError) as error:  # SQLError: a table of the schema, or of FTS5's, is damaged
        return str(error) or type(error).__name__
    return None if said == "ok" else str(said)


def storable(text: str) -> str:
    """Return a text that SQLite accepts: a lone surrogate, which no file of ours contains, becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _file(path: str) -> tuple[int, int] | None:
    """Return device and inode of the file at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connection(path: str) -> apsw.Connection:
    """Open the file, readable by its owner only; a link in its place is not followed."""
    # a memory allows one thread at a time, so SQLite need not lock for every value that it returns: 5 % of a recall
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOFOLLOW | apsw.SQLITE_OPEN_NOMUTEX
    if path == ":memory:":
        return apsw.Connection(path, flags)
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    with suppress(OSError):  # it exists, or SQLite reports why it cannot
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        return apsw.Connection(path, flags)
    except apsw.CantOpenError as error:
        raise IndexUnusable(f"cannot open {path}", "check the folder's permissions") from error
