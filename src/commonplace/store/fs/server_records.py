"""Records of running servers: each writes its process and address below `.memory/`.

The existence of a record means nothing (it would survive a kill): its server locks it, and the kernel releases the lock
when the process ends. Records contain no token.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from commonplace.store.fs.file_names import names_in
from commonplace.store.fs.state_dir import private
from commonplace.store.fs.system import is_locked, lock, runs

if TYPE_CHECKING:
    from commonplace.store.fs.state_dir import Own

FOLDER = "servers"
_PATIENCE = 5.0
"""Seconds that a server waits for readers of its record: each takes well below a millisecond."""


class Server(NamedTuple):
    """A server, read from its record."""

    pid: int
    url: str
    running: bool
    """Whether its process still locks the record."""


class Record:
    """The record of this process. `kept` writes it, and again if somebody deleted our folder meanwhile."""

    def __init__(self, own: Own, url: str) -> None:
        self._own, self._url = own, url
        self._fd = -1
        self._path = ""

    def kept(self) -> None:
        """Make sure that the record exists. Raises NotAWorkspace, NotWritable, OSError."""
        if self._fd >= 0 and _is(self._path, self._fd):
            return
        self.close()
        folder = os.path.join(self._own.make(), FOLDER)
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        path = os.path.join(folder, f"{os.getpid()}.json")
        with suppress(FileNotFoundError):
            os.unlink(path)  # left by an earlier process with our process id
        fd = private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            if lock(fd, monotonic() + _PATIENCE) is False:
                raise BlockingIOError(errno.EWOULDBLOCK, "another program uses it", path)
            os.write(fd, json.dumps({"pid": os.getpid(), "url": self._url}).encode())
        except BaseException:
            os.close(fd)
            with suppress(FileNotFoundError):
                os.unlink(path)
            raise
        self._fd, self._path = fd, path

    def close(self) -> None:
        """Remove the record, if it is still ours."""
        if self._fd < 0:
            return
        if _is(self._path, self._fd):
            os.unlink(self._path)
        os.close(self._fd)
        self._fd = -1


def servers(folder: str) -> tuple[Server, ...]:
    """Return the servers recorded below our own folder, sorted by process id, including those that were killed."""
    found = []
    for name in names_in(os.path.join(folder, FOLDER)):
        with suppress(OSError, ValueError, KeyError, TypeError):
            fd = private(os.path.join(folder, FOLDER, name), os.O_RDWR)
            try:
                said = json.loads(os.read(fd, 4096))
                held = is_locked(fd)
            finally:
                os.close(fd)
            pid, url = int(said["pid"]), str(said["url"])
            found.append(Server(pid, url, runs(pid) if held is None else held))
    return tuple(sorted(found))


def forget_dead(folder: str) -> None:
    """Remove the records of servers that no longer run."""
    for each in servers(folder):
        if not each.running:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, FOLDER, f"{each.pid}.json"))


def _is(path: str, fd: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(fd))
    except OSError:
        return False
