"""Change notices of the Linux kernel (inotify), and where they can be relied on.

The kernel queues an event before the call that made the change returns to its caller. So an empty queue means that
nothing was written, renamed, linked, truncated or removed in these folders since it was last empty. No library that
reads the queue on its own thread, waits for more events, or drops the overflow event can guarantee that.

No event is queued at once for a file written through a memory map (the event comes when it is closed), through a hard
link in another folder (`Workspace.elsewhere`), or on another machine (`local`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from contextlib import suppress
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_HEAD = struct.Struct("iIII")
_MOST = 1 << 16
"""Bytes per read: some hundred events."""
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8  # linux/inotify.h
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED = 0x2000, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW, _ISDIR = 0x1000000, 0x2000000, 0x40000000
_ANY = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_TREE = _ISDIR | _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW | _IGNORED

MOUNTS = "/proc/self/mountinfo"
LOCAL = frozenset(
    "ext2 ext3 ext4 xfs btrfs tmpfs ramfs zfs f2fs bcachefs jfs reiserfs overlay".split()  # noqa: SIM905 — a table
)
"""File systems that only this kernel writes."""


class Noted(IntEnum):
    """What kind of events the queue contained."""

    NOTHING = 0
    FILES = 1
    TREE = 2
    """Folders were created, removed or moved, or events were lost: all folders must be watched again."""


class Notices:
    """The inotify events of a set of folders. Raises OSError where the kernel has no inotify."""

    def __init__(self) -> None:
        self._library = _library()
        self.fd = self._called("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
        self._watched: set[str] = set()

    def close(self) -> None:
        """Stop watching."""
        os.close(self.fd)

    def watch(self, folder: str) -> bool:
        """Watch a folder, not the folders below it. Return True if it is newly watched.

        A folder that does not exist is skipped. Raises OSError if there are too many folders, or one cannot be read.
        """
        if folder in self._watched:
            return False
        try:
            self._called("inotify_add_watch", self.fd, os.fsencode(folder), _ANY | _ONLYDIR | _DONT_FOLLOW)
        except (FileNotFoundError, NotADirectoryError):
            return False
        self._watched.add(folder)
        return True

    def drain(self) -> Noted:
        """Empty the queue: all changes since the last call that were complete when this call began."""
        found = Noted.NOTHING
        while True:
            try:
                notes = os.read(self.fd, _MOST)
            except BlockingIOError:
                return found
            at = 0
            while at < len(notes):
                _, mask, _, length = _HEAD.unpack_from(notes, at)
                at += _HEAD.size + length
                found = max(found, Noted.TREE if mask & _TREE else Noted.FILES)

    def _called(self, name: str, *arguments: object) -> int:
        done: int = getattr(self._library, name)(*arguments)
        if done < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return done


class Ears:
    """Detects changes of a workspace by inotify events and mounts. Raises OSError where neither is available."""

    def __init__(self) -> None:
        import select  # here, because an error about a read-only mount asks this module when no library can be read

        self._mounts: TextIO = open(MOUNTS, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115 — kept open
        self._moved = select.poll()
        self._moved.register(self._mounts, select.POLLPRI | select.POLLERR)
        self._folders: list[str] = []
        self.why_not = ""
        """Why a missing event does not prove that nothing changed; empty if it does."""
        try:
            self._notices = Notices()
        except BaseException:
            self._mounts.close()
            raise

    def close(self) -> None:
        """Stop watching, and close the files."""
        if not self._mounts.closed:
            self._notices.close()
            self._mounts.close()

    def __del__(self) -> None:
        with suppress(AttributeError):  # `__init__` failed
            self.close()

    @property
    def reliable(self) -> bool:
        """Whether a missing event proves that nothing changed."""
        return not self.why_not

    def changed(self) -> bool:
        """Whether anything changed, by any call that had returned before this one began."""
        noted = self._notices.drain()
        if noted is Noted.TREE:
            self._notices.close()
            self._notices = Notices()
            self._watch()
        if self._moved.poll(0):
            self.why_not = "file systems were mounted"  # until the next `attend`
            return True
        return noted is not Noted.NOTHING

    def attend(self, root: str, folders: list[str], *, elsewhere: bool) -> bool:
        """Watch the folders of a sweep. Return True if some are newly watched: it may have missed changes there.

        Args:
            elsewhere: whether the sweep found files with a second name (hard links).
        """
        self._folders = folders
        self.why_not = "some files have several names (hard links)" if elsewhere else ""
        self._mounts.seek(0)
        if not local(root, self._mounts.read()):
            self.why_not = "not all of it is on one local disk"
        return self._watch()

    def _watch(self) -> bool:
        new = False
        try:
            for folder in self._folders:
                new = self._notices.watch(folder) or new
        except OSError as error:
            self.why_not = f"not every folder can be watched ({error.strerror})"
        return new


@cache
def _library() -> Any:
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "inotify_init1"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    library.inotify_init1.argtypes = [ctypes.c_int]
    library.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
    return library


def local(root: str, mounts: str) -> bool:
    """Whether everything below a folder is on one file system that only this kernel writes.

    Args:
        mounts: the text of `MOUNTS`; proc(5) describes its fields.
    """
    below = any(point.startswith(root + "/") for point, _, _ in _mounts(mounts))
    return not below and mounted(root, mounts).kind in LOCAL


class MountPoint(NamedTuple):
    """A mounted file system."""

    path: str
    """Empty if unknown."""
    kind: str
    options: tuple[str, ...]
    """Of the mount and of the file system."""


def mounted(root: str, mounts: str) -> MountPoint:
    """Return the mounted file system that contains a folder."""
    best = MountPoint("", "", ("",))
    for each in _mounts(mounts):
        inside = each.path.rstrip("/") + "/"
        if (root + "/").startswith(inside) and len(each.path) >= len(best.path):
            best = each
    return best


def _mounts(mounts: str) -> Iterator[MountPoint]:
    """Yield every mounted file system."""
    for line in mounts.splitlines():
        head, _, tail = line.partition(" - ")
        fields, more = head.split(" "), tail.split(" ")
        yield MountPoint(_unescaped(fields[4]), more[0], (*fields[5].split(","), *more[-1].split(",")))


def _unescaped(path: str) -> str:
    for code in ("\\040", "\\011", "\\012", "\\134"):
        path = path.replace(code, chr(int(code[1:], 8)))
    return path
