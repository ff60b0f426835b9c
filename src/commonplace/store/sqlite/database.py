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
from commonplace.store.sqlite.index_schema import APPLICATION, SCHEMA, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

_PATIENCE = 5000
"""ms that a statement waits for another program."""
_NAP = 0.02
"""s between attempts at what SQLite does not wait for by itself."""


class Database:
    """One SQLite file with the tables of the schema. Not shared between threads."""

    damaged = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
    """What a damaged file, or one that is not ours, raises: move it aside and rebuild. The last: it gave bytes for a
    text, and we put none in that are not UTF-8."""
    refused = (
        apsw.FullError,
        apsw.IOError,
        apsw.CantOpenError,
        apsw.ReadOnlyError,
        apsw.PermissionsError,
        apsw.BusyError,
        apsw.ProtocolError,
    )
    """What a full, read-only or busy disk raises, or one that cannot lock: answer without it."""

    def __init__(self, path: str, *, anew: bool = False) -> None:
        """Open or create; the tables are made when an older schema, or none, is found.

        Args:
            path: the file; `:memory:` for none.
            anew: make them also where a newer program made its own.

        Raises IndexUnusable when there can be no file, or it is a newer program's; Busy when another program keeps it;
        and what `damaged` and `refused` list.
        """
        self.path = path
        self._db = _connection(path)
        self._file = _file(path)
        try:
            self._db.set_busy_timeout(_PATIENCE)
            self._db.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)  # a cloned workspace may bring a file of its own
            # else every statement with a range or a limit is prepared anew for each new value: 10 to 25 µs
            self._db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self.run = self._db.cursor().execute
            ours = self._made() == (APPLICATION, SCHEMA)
            if not ours and not anew:
                self._refuse_newer()
            if path != ":memory:":
                self._write_ahead()
            self.run("pragma cache_size = -16000")
            if not ours:
                self._create()
            self.fresh = not self.one("select exists (select 1 from meta where key = 'states')")
            """Whether no sync ever came to its end in this file."""
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- statements

    def one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The value of the only record, or None; a statement not read to its end would keep a transaction open."""
        found = self.run(sql, values).fetchall()
        return found[0][0] if found else None

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Every record."""
        return self.run(sql, values).fetchall()

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run it once for each."""
        self._db.cursor().executemany(sql, rows)

    # -- transactions

    def transaction(self, work: Callable[[], T]) -> T:
        """What `work` returns, all that it wrote kept or none of it. Raises Busy when another program is writing."""
        try:
            self.run("begin immediate")
        except apsw.BusyError as error:
            raise Busy("another program is writing the index", "try again in a moment") from error
        return self._ended(work)

    def reading(self, work: Callable[[], T]) -> T:
        """What `work` returns, all that it read being of one moment: a rebuild meanwhile renumbers every row."""
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
        """Whether the file still stands where it stood, with the tables of this schema.

        Somebody may delete it, and a program of another version may make it anew meanwhile.
        """
        return self._file == _file(self.path) and self._made() == (APPLICATION, SCHEMA)

    def _made(self) -> tuple[int, int]:
        return self.one("pragma application_id"), self.one("pragma user_version")

    def _refuse_newer(self) -> None:
        """Leave a newer program's index alone: two versions in use would rebuild it for each other at every start."""
        application, schema = self._made()
        if application == APPLICATION and schema > SCHEMA:
            raise IndexUnusable(
                f"a newer commonplace made it: it has schema {schema}, this one knows {SCHEMA}",
                "install the newer one; to keep this one, run: commonplace index --rebuild",
            )

    def _write_ahead(self) -> None:
        """Log ahead, so that nobody waits for a reader nor a reader for anybody.

        Where the file system has no shared memory SQLite keeps its rollback journal: all is well but the waiting.
        """
        for left in reversed(range(_PATIENCE // int(1000 * _NAP))):
            try:
                self.run("pragma journal_mode = wal").fetchall()
                break
            except apsw.ReadOnlyError:
                break
            except apsw.BusyError as error:  # to change the mode SQLite does not wait
                if not left:
                    raise Busy("another program keeps the index", "try again in a moment") from error
                sleep(_NAP)
        self.run("pragma synchronous = normal")

    def _create(self) -> None:
        """Empty tables of this schema, whatever stood there before."""

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

    # -- care

    def shrink(self) -> None:
        """Leave no trace of deleted rows in the file. Raises Busy when another program is in the way."""
        self.run("pragma secure_delete = on").fetchall()
        try:
            self.run("delete from cache")  # what was worked out from them
            self.run("insert into terms(terms) values ('optimize')")  # else the words of deleted lines wait for a merge
            self.run("vacuum")
            busy = self.one("pragma wal_checkpoint(truncate)")
        except apsw.BusyError:
            busy = True
        if busy:
            raise Busy(
                "another program uses the index, whose file may still hold what was removed",
                "end that program, delete .memory/index.sqlite* and run: commonplace index",
            )

    def verify(self) -> str | None:
        """What SQLite and FTS5 say is wrong with the file, or None. Costs .2 to .8 s at 91,000 lines."""
        return wrong(self._db)


def wrong(db: apsw.Connection) -> str | None:
    """What SQLite and FTS5 say is wrong with an open file, or None."""
    try:
        [[said]] = db.execute("pragma integrity_check(1)").fetchall()
        db.execute("insert into terms(terms, rank) values ('integrity-check', 0)")
    except (*Database.damaged, apsw.SQLError) as error:  # the last: a table of the schema, or of FTS5's, is spoilt
        return str(error)
    return None if said == "ok" else str(said)


def storable(text: str) -> str:
    """A text as SQLite takes it: half a character, which no file of ours holds, becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def listed(values: Iterable[int] | Iterable[str]) -> object:
    """Numbers, or texts, as one parameter, for `carray(?)`: half the cost of JSON.

    It takes no NUL: a text with one is looked up as another, and not found.
    """
    held = [*values]
    if not held:
        return None
    if not isinstance(held[0], str):
        return apsw.carray(array("q", held))
    return apsw.carray(tuple(storable(text).replace("\0", "\ufffd") for text in held))


def paired(values: Iterable[Sequence[Any]]) -> str:
    """Pairs as one parameter, for `json_each(?)`."""
    return json.dumps(list(values))


def _file(path: str) -> tuple[int, int] | None:
    """What stands at a path, by device and inode; None for nothing."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connection(path: str) -> apsw.Connection:
    """The open file, made readable to its owner alone; a link in its place is not followed."""
    # a memory lets in one thread at a time, so SQLite need not lock for every value that it hands out: 5 % of a recall
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOFOLLOW | apsw.SQLITE_OPEN_NOMUTEX
    if path == ":memory:":
        return apsw.Connection(path, flags)
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    with suppress(OSError):  # it is there, or SQLite will say why it cannot be
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        return apsw.Connection(path, flags)
    except apsw.CantOpenError as error:
        raise IndexUnusable(f"cannot open {path}", "check the folder's permissions") from error
