"""Examines the index file for doctor, and changes nothing."""

from __future__ import annotations

import os
from typing import NamedTuple

import apsw

from commonplace.store.sqlite.database import Database, wrong
from commonplace.store.sqlite.index_schema import APPLICATION, SCHEMA

FIXED = (3, 51, 3)
"""The first SQLite without the bug that damages a file when its log is reset while it is read."""


class Library(NamedTuple):
    """The SQLite library in use."""

    version: str
    fts5: bool
    fixed: bool


class Examined(NamedTuple):
    """The state of the file at the path of the index."""

    state: str
    """`none`, `sound`, `older` (rebuilt by the next read), `newer`, `damaged`, `busy` (another program writes it), or
    `refused` (it cannot be opened).
    """
    said: str = ""
    """The error message of SQLite or the system."""


def library() -> Library:
    """Return the SQLite library in use."""
    version = apsw.sqlite_lib_version()
    return Library(version, "ENABLE_FTS5" in apsw.compile_options, tuple(map(int, version.split("."))) >= FIXED)


def examined(path: str) -> Examined:
    """Check every page of the file with SQLite and FTS5."""
    if not os.path.lexists(path):
        return Examined("none")
    folder, name = os.path.split(path)
    try:
        db = apsw.Connection(os.path.join(os.path.realpath(folder), name), _FLAGS)
    except (apsw.Error, OSError) as error:
        return Examined("refused", str(error))
    try:
        return _examined(db)
    except (*Database.damaged, apsw.SQLError) as error:  # SQLError: a table of the schema is missing
        return Examined("damaged", str(error))
    except apsw.BusyError:
        return Examined("busy")
    except apsw.Error as error:
        return Examined("refused", str(error))
    finally:
        db.close()


def _examined(db: apsw.Connection) -> Examined:
    db.set_busy_timeout(_PATIENCE)
    [[application]], [[schema]] = (
        db.execute(f"pragma {name}").fetchall() for name in ("application_id", "user_version")
    )
    if application == APPLICATION and schema != SCHEMA:
        return Examined("newer" if int(schema) > SCHEMA else "older")  # type: ignore[arg-type] # SQLite keeps it a number
    if application != APPLICATION:
        return Examined("older")
    try:
        said = wrong(db)
    except apsw.ReadOnlyError:
        return Examined("sound")  # the check of FTS5 needs to write; SQLite's own check has passed by then
    return Examined("damaged", said) if said else Examined("sound")


_PATIENCE = 2_000
"""ms to wait for another program that writes it."""
_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
