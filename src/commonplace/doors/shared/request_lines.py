"""The lines of standard input, in order; read ahead while one is served, since the next may cancel it."""

from __future__ import annotations

import json
import os
from collections import deque
from select import select
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 2_000_000
"""Of a line: all that its texts may hold, escaped."""
_CHUNK = 1 << 16
_PATIENCE = 2.0
"""Seconds of silence after which it is asked whether the parent is still there."""


class RequestLines:
    """The lines of standard input, ended by line feeds; None for one that is too long.

    A line `{"cancel": ID}` is none of them: it cancels the request with this id that is served or waits, if there is
    one.
    """

    def __init__(self, stdin: BinaryIO) -> None:
        self._stdin = stdin
        self._open = True
        self._parts: list[bytes] = []
        self._size = 0
        """Bytes of the line that has begun."""
        self._waiting: deque[bytes | None] = deque()
        self._held = 0
        """Bytes of the lines that wait."""
        self._served: str | None = None
        """The id of the request that is served, as JSON."""
        self._cancelled: set[str] = set()

    def __iter__(self) -> Iterator[bytes | None]:
        parent = os.getppid()
        while self._open or self._waiting:
            if self._waiting:
                line = self._waiting.popleft()
                self._held -= len(line or b"")
                yield line
            elif _ready(self._stdin, _PATIENCE) is not False:
                self._read()
            elif os.getppid() != parent:
                return

    def serve(self, id: object) -> None:
        """Note which request is served from now on."""
        self._served = _as_text(id)

    def served(self) -> None:
        """Note that it is answered."""
        if self._served is not None:
            self._cancelled.discard(self._served)
        self._served = None

    def cancelled(self) -> bool:
        """Read what has arrived, without waiting; whether it cancels the request that is served."""
        while self._open and self._held < MOST_BYTES and _ready(self._stdin, 0):
            self._read()
        return self._served in self._cancelled

    def _read(self) -> None:
        chunk = getattr(self._stdin, "read1", self._stdin.read)(_CHUNK)
        self._open = bool(chunk)
        first, *rest = chunk.split(b"\n")
        for end, part in enumerate((first, *rest)):
            if end:
                self._arrived()
            self._size += len(part)
            if self._size <= MOST_BYTES:
                self._parts.append(part)
            else:
                self._parts.clear()
        if not self._open and self._size:
            self._arrived()

    def _arrived(self) -> None:
        """Take the line that has ended: as a request, or as the word that cancels one."""
        line = b"".join(self._parts) if self._size <= MOST_BYTES else None
        self._parts, self._size = [], 0
        asked = _object(line) if line is not None and b'"cancel"' in line else {}
        if asked.keys() != {"cancel"}:
            self._waiting.append(line)
            self._held += len(line or b"")
            return
        id = _as_text(asked["cancel"])
        waiting = (_object(each) for each in self._waiting if each is not None)
        if id == self._served or any("id" in each and _as_text(each["id"]) == id for each in waiting):
            self._cancelled.add(id)


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; empty if it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _as_text(id: object) -> str:
    """An id as JSON: 1 and true are not the same."""
    return json.dumps(id)


def _ready(stdin: BinaryIO, patience: float) -> bool | None:
    """Whether there is input, after waiting for so many seconds; None if that cannot be determined."""
    if os.name == "nt":
        return None
    try:
        return bool(select([stdin], [], [], patience)[0])
    except (OSError, ValueError):
        return None
