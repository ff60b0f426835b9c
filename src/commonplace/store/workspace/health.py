"""What `doctor` examines and repairs in the folder; it never touches a person's text.

Examining changes no file of a person's; at most an empty record in our journal is deleted. Only doctor imports this.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from commonplace.store.fs.file_names import leftover
from commonplace.store.fs.inotify import MOUNTS, mounted
from commonplace.store.fs.server_records import FOLDER as SERVERS
from commonplace.store.fs.server_records import forget_dead, servers
from commonplace.store.fs.state_dir import NAME, TEXTS, WATCHER, Own, private, write_private
from commonplace.store.fs.system import is_locked, lock
from commonplace.store.transactions.change_journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.store.fs.server_records import Server
    from commonplace.store.workspace.markdown_folder import Workspace

_SETTLED = 600.0
"""Seconds after which a temporary file in our own folder is considered abandoned."""
_LOCKS = "/proc/locks"


class Mount(NamedTuple):
    """The file system of a folder."""

    kind: str
    """`ext4`, `nfs4` …; empty if unknown."""
    read_only: bool


class Room(NamedTuple):
    """Free space on a disk."""

    bytes: int
    files: int | None
    """Free file entries; None if this file system does not count them."""


class HealthFault(NamedTuple):
    """A fault of our own folder."""

    message: str
    fixable: bool
    """Whether `mend` repairs it."""


class Care:
    """Examines and repairs one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.root = workspace.root
        self.own = workspace.memory_dir

    # -- the system

    def mount(self) -> Mount:
        """Return the file system of the workspace."""
        with suppress(OSError), open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            found = mounted(self.root, file.read())
            return Mount(found.kind, "ro" in found.options)
        return Mount("", False)

    def room(self) -> Room | None:
        """Return the free space on the disk of our own folder; None if unknown."""
        if not hasattr(os, "statvfs"):
            import shutil

            return Room(shutil.disk_usage(self.root).free, None)
        try:
            found = os.statvfs(self.own if os.path.isdir(self.own) else self.root)
        except OSError:
            return None
        return Room(found.f_bavail * found.f_frsize, found.f_favail if found.f_files else None)

    def closed(self) -> list[str]:
        """Return the folders that we write to without permission; `.` is the root."""
        return [name for name in self.unwritable() if name != self._workspace.core_path]

    def unwritable(self) -> list[str]:
        """Return the workspace, core file and folders that we write to without permission; `.` is the root."""
        found = []
        for name in (".", self._workspace.core_path, "memory", "bank", "bank/entities"):
            path = os.path.join(self.root, name)
            if os.path.lexists(path) and not os.access(path, os.W_OK):
                found.append(name)
        return found

    # -- our own folder

    def faults(self) -> list[HealthFault]:
        """Return the faults of our own folder; an empty list if there is none yet."""
        inside = os.path.join(self.root, NAME)
        if os.path.lexists(inside) and self.own != inside and os.access(self.root, os.W_OK):
            why = "is not yours to write" if os.path.isdir(inside) else "is no folder"
            why = "is a link, which is not followed" if os.path.islink(inside) else why
            return [HealthFault(f".memory {why}: the index is in your cache", False)]
        if not os.path.isdir(self.own):
            return []
        found = [f"{name} is missing in it" for name in TEXTS if not os.path.lexists(os.path.join(self.own, name))]
        if os.name == "posix" and stat.S_IMODE(os.stat(self.own).st_mode) & 0o077:
            found.append("other users of this machine can read it")
        return [HealthFault(f".memory: {each}", True) for each in found]

    def mend(self) -> None:
        """Repair our own folder."""
        if os.path.isdir(self.own) and not os.path.islink(os.path.join(self.root, NAME)):
            for name, text in TEXTS.items():
                if not os.path.lexists(os.path.join(self.own, name)):
                    write_private(os.path.join(self.own, name), text.encode())
            if os.name == "posix":
                os.chmod(self.own, 0o700)

    # -- what killed processes left

    def interrupted(self) -> list[str]:
        """Return the labels of interrupted changes; empty while another process writes: its change looks alike."""
        with self._lock_looked_at() as holder:
            if holder is not None:
                return []
            labels = [note.label for note in Journal(Own(self.root)).pending()]
            return labels + ["forget" for _ in self._workspace.removal.noted()]

    def litter(self) -> list[str]:
        """Return the temporary files of killed writers, relative to the workspace."""
        return [os.path.relpath(path, self.root) for path in (*self._left_in_workspace(), *self._left_in_own())]

    def set_aside(self) -> list[str]:
        """Return the damaged indexes that were set aside, relative to the workspace."""
        return [os.path.relpath(path, self.root) for path in self._files() if path.endswith(".corrupt")]

    def clear(self) -> None:
        """Finish interrupted changes, and remove temporary files and damaged indexes.

        Text of others among the temporary files is merged first, as any write does. An interrupted forget is finished
        by the memory, because that needs its index.
        """
        with self._workspace.locked():
            self._workspace.recover()
            self._workspace.clear_leftovers()
            aside = (os.path.join(self.root, path) for path in self.set_aside())
            for path in [*self._left_in_own(), *aside]:
                with suppress(FileNotFoundError):
                    os.unlink(path)

    def _left_in_workspace(self) -> Iterator[str]:
        for path in self._workspace.leftovers:
            left = leftover(path.rpartition("/")[2])
            if left is not None and left.abandoned:
                yield os.path.join(self.root, path)

    def _left_in_own(self) -> Iterator[str]:
        for path in self._files():
            if path.endswith(".tmp") and _abandoned(path):
                yield path

    def _files(self) -> Iterator[str]:
        """Yield the files of our own folder, except the records of servers."""
        for folder, below, names in os.walk(self.own):
            if folder == self.own:
                below[:] = [name for name in below if name != SERVERS]
            for name in names:
                yield os.path.join(folder, name)

    # -- running processes

    def holder(self) -> int | None:
        """Return the id of the process that writes now, 0 if unknown which; None if nobody writes."""
        with self._lock_looked_at() as holder:
            return holder

    @contextmanager
    def _lock_looked_at(self) -> Iterator[int | None]:
        """Yield `holder`; if it is None, no writer starts within the `with`."""
        try:
            fd = os.open(os.path.join(self.own, "lock"), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:  # there is no lock file yet
            yield None
            return
        try:
            yield _holder(os.fstat(fd)) if is_locked(fd) else None
        finally:
            os.close(fd)

    def servers(self) -> tuple[Server, ...]:
        """Return the recorded servers, running or not."""
        return servers(self.own)

    def watcher(self) -> bool | None:
        """Whether a watcher runs; False if a dead one left its socket; None if there is none, or it is unknown."""
        if not os.path.lexists(os.path.join(self.own, WATCHER)):
            return None
        try:
            fd = os.open(self._watch_lock, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return False
        try:
            return is_locked(fd)
        finally:
            os.close(fd)

    @property
    def _watch_lock(self) -> str:
        return os.path.join(self.own, "watch.lock")

    def forget_dead(self) -> None:
        """Remove the records and sockets of killed servers and watchers."""
        forget_dead(self.own)
        if self.watcher() is not False:
            return
        fd = private(self._watch_lock, os.O_RDWR | os.O_CREAT)
        try:
            if lock(fd, time.monotonic()):  # no watcher can start meanwhile
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.own, WATCHER))
        finally:
            os.close(fd)


def _abandoned(path: str) -> bool:
    left = leftover(os.path.basename(path))
    if left is not None:
        return left.abandoned
    with suppress(OSError):
        return time.time() - os.lstat(path).st_mtime > _SETTLED
    return False


def _holder(found: os.stat_result) -> int:
    """Return the process id that has the lock of a file, 0 if unknown; proc(5) describes the fields of the list."""
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    with suppress(OSError), open(_LOCKS, encoding="ascii") as file:
        for line in file:
            fields = line.split()
            if len(fields) > 5 and fields[1] == "FLOCK" and fields[5] == place:
                return max(0, int(fields[4]))
    return 0
