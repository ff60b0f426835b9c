"""A cache of results beside the index; it can be deleted.

A value is returned only to the same version of the program that stored it, because another may compute another answer.
Losing it costs only time.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from marshal import dumps, loads
from typing import TYPE_CHECKING, Any

from commonplace.errors import Busy
from commonplace.store.sqlite.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class CacheQueries(Database):
    """Stores results by name."""

    def cached(self, name: str) -> Any:
        """Return the value that this version of the program stored under a name, or None."""
        blob = self.one("select value from cache where name = ? and program = ?", (name, program()))
        try:
            return None if blob is None else loads(blob)
        except (EOFError, TypeError, ValueError):
            return None

    def cache(self, name: str, value: Any) -> None:
        """Store a value that `marshal` can write, in place of the previous one; a failure loses nothing."""
        record = (name, program(), dumps(value))
        with suppress(Busy, *self.refused):
            self.transaction(lambda: self.run("insert or replace into cache values (?, ?, ?)", record))


@cache
def program() -> str:
    """Return a digest that changes with the program: of the paths, sizes and times of its files. Costs 1 ms."""
    from hashlib import blake2b  # imported here because a recall needs no cache

    found = sorted(_files(_PACKAGE))
    archive = None if found else _state(os.stat(os.path.dirname(_PACKAGE)))
    return blake2b(repr((sys.hexversion, found, archive)).encode(), digest_size=12).hexdigest()


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, size and mtime of code and tables below a folder; nothing if the program is in an archive."""
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".json")):
                yield (entry.path, *_state(entry.stat()))
            elif entry.is_dir() and not entry.name.startswith("__"):
                yield from _files(entry.path)


def _state(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns
