"""Records of running servers: each writes its process and address below `.memory/`.

A record says nothing by itself (it would outlive a kill): its server holds the kernel's lock on it, and the lock ends
with the process. No record holds a token.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from commonplace.store.fs.state_dir import private
from commonplace.store.fs.system import is_locked, lock

if TYPE_CHECKING:
    from commonplace.store.fs.state_dir import Own

FOLDER = "servers"
_PATIENCE = 5.0
"""Seconds that a server waits for those who look at its record: each takes well below a millisecond."""


class Server(NamedTuple):
    """A server as its record says."""

    pid: int
    url: str
    running: bool
    """Whether its process still holds the record."""


class Record:
    """The record of this process; `kept` writes it, also again when somebody deleted our folder meanwhile."""

    def __init__(self, own: Own, url: str) -> None:
        self._own, self._url = own, url
        self._fd = -1
        self._path = ""

    def kept(self) -> None:
        """Make sure that the record is there. Raises NotAWorkspace, NotWritable, OSError."""
        if self._fd >= 0 and _is(self._path, self._fd):
            return
        self.close()
        folder = os.path.join(self._own.make(), FOLDER)
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        path = os.path.join(folder, f"{os.getpid()}.json")
        with suppress(FileNotFoundError):
            os.unlink(path)  # of a process that had our number before
        fd = private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            if lock(fd, monotonic() + _PATIENCE) is False:
                raise BlockingIOError(errno.EWOULDBLOCK, "somebody else holds it", path)
            os.write(fd, json.dumps({"pid": os.getpid(), "url": self._url}).encode())
        except BaseException:
            os.close(fd)
            with suppress(FileNotFoundError):
                os.unlink(path)
            raise
        self._fd, self._path = fd, path

    def close(self) -> None:
        """Take it back."""
        if self._fd < 0:
            return
        if _is(self._path, self._fd):
            os.unlink(self._path)
        os.close(self._fd)
        self._fd = -1


def servers(folder: str) -> tuple[Server, ...]:
    """The servers recorded below our own folder, in order of their processes, those that were killed included."""
    found = []
    for name in _names(folder):
        with suppress(OSError, ValueError, KeyError, TypeError):
            fd = private(os.path.join(folder, FOLDER, name), os.O_RDWR)
            try:
                said = json.loads(os.read(fd, 4096))
                held = is_locked(fd)
            finally:
                os.close(fd)
            pid, url = int(said["pid"]), str(said["url"])
            found.append(Server(pid, url, _alive(pid) if held is None else held))
    return tuple(sorted(found))


def forget_dead(folder: str) -> None:
    """Remove the records of servers that no longer run."""
    for each in servers(folder):
        if not each.running:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, FOLDER, f"{each.pid}.json"))


def _names(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(os.path.join(folder, FOLDER)) if name.endswith(".json")]
    except OSError:
        return []


def _is(path: str, fd: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(fd))
    except OSError:
        return False


def _alive(pid: int) -> bool:
    """Whether a process runs, where its lock cannot tell."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
