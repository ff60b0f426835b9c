"""What `doctor` asks of the folder and of the system below it, and what it may put right: never a person's text.

Looking changes nothing. It is imported by doctor alone.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from commonplace.store.workspace.journal import Journal
from commonplace.store.workspace.names import leftover
from commonplace.store.workspace.notices import MOUNTS, mounted
from commonplace.store.workspace.own import NAME, TEXTS, WATCHER, write_private
from commonplace.store.workspace.servers import forget_dead, servers
from commonplace.store.workspace.system import is_locked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.store.workspace.folder import Workspace
    from commonplace.store.workspace.servers import Server

_SETTLED = 600.0
"""Seconds after which a temporary file in our own folder belongs to no running write."""
_LOCKS = "/proc/locks"


class Mount(NamedTuple):
    """The file system that a folder lies on."""

    kind: str
    """`ext4`, `nfs4` …; empty where the system does not tell."""
    read_only: bool


class Room(NamedTuple):
    """What is free on a disk."""

    bytes: int
    files: int | None
    """None: this file system does not count them."""


class Care:
    """One workspace, looked at from outside."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.root = workspace.root
        self.own = workspace.memory_dir

    # -- the system

    def mount(self) -> Mount:
        """The file system of the workspace."""
        with suppress(OSError), open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            kind, options = mounted(self.root, file.read())
            return Mount(kind, "ro" in options)
        return Mount("", False)

    def room(self) -> Room | None:
        """What is free where our own folder lies, or will lie; None where the system does not tell."""
        if not hasattr(os, "statvfs"):
            import shutil

            return Room(shutil.disk_usage(self.root).free, None)
        try:
            found = os.statvfs(self.own if os.path.isdir(self.own) else self.root)
        except OSError:
            return None
        return Room(found.f_bavail * found.f_frsize, found.f_favail if found.f_files else None)

    def unwritable(self) -> list[str]:
        """The workspace, its core file, or folders that we write to, where permissions refuse; `.` is the root."""
        found = []
        for name in (".", self._workspace.core_path, "memory", "bank", "bank/entities"):
            path = os.path.join(self.root, name)
            if os.path.lexists(path) and not os.access(path, os.W_OK):
                found.append(name)
        return found

    # -- our own folder

    def faults(self) -> list[str]:
        """What is not as it should be with our own folder, in words; nothing where there is none yet."""
        inside = os.path.join(self.root, NAME)
        if os.path.islink(inside):
            return [".memory is a link, which is not followed: the index lies in your cache"]
        if not os.path.isdir(self.own):
            return []
        found = [f"{name} is missing in it" for name in TEXTS if not os.path.lexists(os.path.join(self.own, name))]
        if os.name == "posix" and stat.S_IMODE(os.stat(self.own).st_mode) & 0o077:
            found.append("others on this machine may look into it")
        return found

    def mend(self) -> None:
        """Put our own folder right."""
        if os.path.isdir(self.own) and not os.path.islink(os.path.join(self.root, NAME)):
            for name, text in TEXTS.items():
                if not os.path.lexists(os.path.join(self.own, name)):
                    write_private(os.path.join(self.own, name), text.encode())
            if os.name == "posix":
                os.chmod(self.own, 0o700)

    # -- what killed processes left

    def interrupted(self) -> list[str]:
        """The changes of several files that were cut short, by what they were."""
        folder = os.path.join(self.own, "keep", "journal")
        return [note.label for note in Journal(lambda: folder).pending(folder)]

    def litter(self) -> list[str]:
        """Temporary files of killed writers, and damaged indexes that were set aside; relative to the workspace."""
        return [os.path.relpath(path, self.root) for path in (*self._left_in_workspace(), *self._left_in_own())]

    def sweep(self) -> None:
        """Remove that litter; a save in it that is no text of ours is merged first, as any write does."""
        with self._workspace.locked():
            self._workspace.recover()
            self._workspace.clear_leftovers()
            for path in [*self._left_in_own()]:
                with suppress(OSError):
                    os.unlink(path)
            forget_dead(self.own)
            if self.watcher() is False:
                os.unlink(os.path.join(self.own, WATCHER))

    def _left_in_workspace(self) -> Iterator[str]:
        for path in self._workspace.leftovers:
            left = leftover(path.rpartition("/")[2])
            if left is not None and left.abandoned:
                yield os.path.join(self.root, path)

    def _left_in_own(self) -> Iterator[str]:
        for folder, below, names in os.walk(self.own):
            if folder == self.own:
                below[:] = [name for name in below if name != "servers"]
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".corrupt") or (name.endswith(".tmp") and _abandoned(path, name)):
                    yield path

    # -- who is at work

    def holder(self) -> int | None:
        """The process that writes right now, 0 where it cannot be told which; None: nobody does."""
        try:
            fd = os.open(os.path.join(self.own, "lock"), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return None
        try:
            return _holder(os.fstat(fd)) if is_locked(fd) else None
        finally:
            os.close(fd)

    def servers(self) -> tuple[Server, ...]:
        """The servers that were recorded, running or not."""
        return servers(self.own)

    def watcher(self) -> bool | None:
        """Whether a watcher runs; False: one left its socket behind; None: there is none."""
        path = os.path.join(self.own, WATCHER)
        if not os.path.lexists(path):
            return None
        try:
            fd = os.open(os.path.join(self.own, "watch.lock"), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return False
        try:
            return is_locked(fd)
        finally:
            os.close(fd)


def _abandoned(path: str, name: str) -> bool:
    left = leftover(name)
    if left is not None:
        return left.abandoned
    with suppress(OSError):
        return time.time() - os.lstat(path).st_mtime > _SETTLED
    return False


def _holder(found: os.stat_result) -> int:
    """The process that holds the lock of a file, as Linux lists them: proc(5) tells the fields."""
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    with suppress(OSError), open(_LOCKS, encoding="ascii") as file:
        for line in file:
            fields = line.split()
            if len(fields) > 5 and fields[1] == "FLOCK" and fields[5] == place:
                return max(0, int(fields[4]))
    return 0
