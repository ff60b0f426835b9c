"""One writer at a time: a kernel lock on a permanent file, `.memory/lock`.

The existence of the file means nothing (it would survive a crash); the kernel releases the lock when its holder ends.
Editors take no locks, so this orders only our own processes; the exchange in `publish` protects against all others.
"""

from __future__ import annotations

import os
from _thread import RLock
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from commonplace.errors import Busy, NotWritable
from commonplace.store.fs.system import lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 30.0
"""Seconds that a writer waits for another; a reflect over thousands of pages takes less."""


class Lock:
    """A context manager that locks: re-entrant within its thread, exclusive between threads and processes."""

    def __init__(self, path: Callable[[], str], patience: float = PATIENCE, who: str = "another writer") -> None:
        self._path = path
        """Returns the path of the lock file, and makes its folder; called on each acquisition."""
        self._patience = patience
        self._who = who
        self._threads = RLock()
        self._depth = 0
        self._fd = -1
        self.kernel: bool | None = None
        """Whether the file system supports locks; None before the first try."""

    def __enter__(self) -> None:
        self._enter(self._patience)

    def __exit__(self, *_: object) -> None:
        self._leave()

    @contextmanager
    def if_free(self) -> Iterator[bool]:
        """Try the lock without waiting; yield whether it was taken. False if another has it or it fails."""
        try:
            self._enter(0.0)
        except (Busy, NotWritable):
            free = False
        else:
            free = True
        try:
            yield free
        finally:
            if free:
                self._leave()

    def _enter(self, patience: float) -> None:
        if not self._threads.acquire(timeout=patience):
            raise self._busy(patience)
        try:
            if self._depth == 0:
                self._take(patience)
            self._depth += 1
        except BaseException:
            self._threads.release()
            raise

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            os.close(self._fd)  # this releases the lock
            self._fd = -1
        self._threads.release()

    def _take(self, patience: float) -> None:
        deadline = monotonic() + patience
        while self._fd < 0:
            path = self._path()
            fd = -1
            try:
                fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
                taken = lock(fd, deadline)
                if taken is False:
                    raise self._busy(patience)
                self.kernel = taken is not None
                if self._stands(path, fd):
                    self._fd, fd = fd, -1
            except FileNotFoundError as error:  # its folder was deleted after `_path` made it
                if monotonic() >= deadline:
                    raise _unlockable(path, error) from None
            except OSError as error:
                raise _unlockable(path, error) from None
            finally:
                if fd >= 0:
                    os.close(fd)

    @staticmethod
    def _stands(path: str, fd: int) -> bool:
        """Whether the file that we locked is still the one at the path: `.memory/` may be deleted at any time."""
        try:
            return os.path.samestat(os.stat(path), os.fstat(fd))
        except FileNotFoundError:
            return False

    def _busy(self, patience: float) -> Busy:
        return Busy(f"{self._who} has locked the workspace for {patience:g} seconds", "try again when it has finished")


def _unlockable(path: str, error: OSError) -> NotWritable:
    return NotWritable(
        f"the lock {path} cannot be opened: {error.strerror or error}",
        "check the permissions and the disk, or delete that file, which is empty; nothing was changed",
    )
