"""Reads one file, and writes one without loss: after a crash it is the old file or the new one, never a part.

New content is staged beside the file, complete and durable, then exchanged with it in one step. The displaced content
is checked: if it is not the content that the edit was based on, somebody else wrote in between, and both are merged
and published again until nobody wrote in between. So no save is lost, although no editor knows our lock.
Where the file system cannot exchange, the old content gets a second name and is then replaced: a save between these
two steps would be overwritten. `Workspace.exchange` reports which of the two applies.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING

from commonplace.errors import Busy, CommonplaceError, NotWritable
from commonplace.store.fs.codec import UNCONFIRMED, coded, digest, merged, united
from commonplace.store.fs.file_names import ready_name, temporary_name
from commonplace.store.fs.safe_open import READ, WRITE_NEW, OpenName, read_all

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ROUNDS = 50
"""Maximum attempts of a write when somebody else keeps writing in between."""
_SETTLE = 0.01
"""Seconds between two reads of a file that somebody may be writing."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def refusal(path: str, folder: str, *, error: OSError, needed: int) -> NotWritable:
    """Return the error for a failing disk or missing permission, with the next step; for a full disk with sizes."""
    try:
        mount = _mount(folder)
        free = f", {_free(folder):,} free"
    except OSError:
        mount, free = folder, ""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        limit = " or raise the limit on file size" if error.errno == errno.EFBIG else ""
        return NotWritable(
            f"{path} cannot be written: {reason} on {mount} ({needed:,} bytes needed{free})",
            f"free space there{limit} and try again; nothing was changed",
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        hint = f"fix the permissions of {folder}; nothing was changed"
        return NotWritable(f"{path} cannot be written: {reason}", hint)
    if error.errno == errno.EROFS:
        hint = f"mount {mount} for writing, or work on a copy; nothing was changed"
    elif error.errno == errno.ENOENT:
        hint = f"{mount} does not accept this name: choose another folder; nothing was changed"
    else:
        hint = f"check the disk of {mount}; nothing was changed"
    return NotWritable(f"{path} cannot be written: {reason} on {mount}", hint)


def read_only(path: str, folder: str) -> NotWritable | None:
    """Return the error for a file in a folder that is mounted read-only; None if it is not."""
    if sys.platform == "win32" or not os.statvfs(folder).f_flag & os.ST_RDONLY:
        return None
    return refusal(path, folder, error=OSError(errno.EROFS, os.strerror(errno.EROFS)), needed=0)


def _mount(folder: str) -> str:
    """Return the mount point of a folder; `ismount` does not see one of a folder on the same disk (`mount --bind`)."""
    from commonplace.store.fs.inotify import MOUNTS, mounted

    folder = os.path.realpath(folder)
    with suppress(OSError), open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
        if point := mounted(folder, file.read()).path:
            return point
    while not os.path.ismount(folder):
        folder = os.path.dirname(folder)
    return folder


def _free(folder: str) -> int:
    if sys.platform == "win32":
        import shutil

        return shutil.disk_usage(folder).free
    space = os.statvfs(folder)
    return space.f_bavail * space.f_frsize


def stage(place: OpenName, content: bytes, *, before: str) -> str:
    """Write content beside its file, durable and read back; return the name of the temporary file.

    Args:
        place: the file.
        content: the new content.
        before: digest of the content it replaces; `new` if there is none.

    Raises NotWritable; the temporary file is removed then.
    """
    name = temporary_name(place.name)
    ready = ready_name(name, before, after=digest(content))
    try:
        fd = place.open(name, WRITE_NEW, 0o666 if before == "new" else 0o600)
        try:
            _write_all(fd, content)
            if before != "new":
                _copy_metadata(place, fd)
            os.fsync(fd)
            if read_all(fd) != content:
                raise OSError(errno.EIO, "the disk does not contain what was written to it")
        finally:
            os.close(fd)
        place.rename(name, ready)
    except BaseException as error:
        _forget(place, name)
        if isinstance(error, OSError):
            raise refusal(place.path, place.folder, error=error, needed=len(content)) from None
        raise
    return ready


def _forget(place: OpenName, name: str) -> None:
    with suppress(OSError):  # it is swept later; the original error matters more
        place.unlink(name)


def _write_all(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def _copy_metadata(place: OpenName, fd: int) -> None:
    """Copy mode, owner and extended attributes (including access control lists) of the file to be replaced."""
    try:
        source = place.open(place.name, READ)
    except FileNotFoundError:
        return
    try:
        old, new = os.fstat(source), os.fstat(fd)
        if sys.platform == "win32":
            return
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
            for owner, group in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
                try:
                    os.fchown(fd, owner, group)
                    break
                except OSError:
                    continue  # only root may change the owner; the group may still be allowed
        os.fchmod(fd, old.st_mode & 0o7777)
        if sys.platform == "linux":
            _copy_attributes(source, fd)
    finally:
        os.close(source)


def _copy_attributes(source: int, fd: int) -> None:
    if sys.platform != "linux":
        return
    try:
        names = os.listxattr(source)
    except OSError:
        return
    for name in names:
        try:
            os.setxattr(fd, name, os.getxattr(source, name))
        except OSError:
            continue  # `security.*` is reserved for the system


def put(place: OpenName, staged: str) -> None:
    """Exchange a staged file with the file; the old content then has the temporary name.

    Raises FileNotFoundError if there is no file to replace.
    """
    if place.exchange(staged, place.name):
        return
    old = temporary_name(place.name)
    try:
        place.link(place.name, old)
    except FileNotFoundError:
        raise
    except OSError:  # no hard links: copy the old content
        content = place.read()
        if content is None:
            raise FileNotFoundError(errno.ENOENT, "gone", place.name) from None
        fd = place.open(old, WRITE_NEW)
        try:
            _write_all(fd, content)
        finally:
            os.close(fd)
    place.rename(staged, place.name)
    place.rename(old, staged)


def put_new(place: OpenName, staged: str) -> None:
    """Rename a staged file to its final name. Raises FileExistsError if the name is taken."""
    if place.rename_new(staged, place.name):
        return
    try:
        place.link(staged, place.name)
    except FileExistsError:
        raise
    except OSError:  # no hard links: check, then rename
        if place.read() is not None:
            raise FileExistsError(errno.EEXIST, "taken", place.name) from None
        place.rename(staged, place.name)
        return
    place.unlink(staged)


def publish(
    place: OpenName,
    base: bytes | None,
    *,
    wanted: bytes,
    again: Callable[[bytes | None], bytes],
    keep: Callable[[OpenName, str, bytes], None],
    staged: str = "",
    sync: bool = True,
) -> bytes:
    """Write `wanted` to the file although others may write too; return the content that the file has in the end.

    Args:
        place: the file.
        base: content that the edit was made from; None if there was no file.
        wanted: result of the edit.
        again: repeats the edit on other content. If it raises, their text stays and the error is raised.
        keep: takes over a temporary file with displaced content, and that content.
        staged: a file that `stage` made from `wanted`; if empty, it is staged here.
        sync: make the name durable now; False for a caller who does so once for many files.

    Raises NotWritable (nothing changed), WorkspaceError `unconfirmed` (it is written), Busy (others keep writing).
    """
    publication = _Publication(place, base, wanted=wanted, again=again, keep=keep)
    try:
        for _ in range(_MOST_ROUNDS):
            if publication.round(staged) and publication.settled(sync=sync):
                return publication.wanted
            staged = ""
    finally:
        publication.hand_over()
    raise Busy(f"another program keeps writing {place.path}", "try again in a moment; nothing was lost")


class _Publication:
    """One write in progress. Law: displaced text is owed until a text with its lines is in the file."""

    def __init__(
        self,
        place: OpenName,
        base: bytes | None,
        *,
        wanted: bytes,
        again: Callable[[bytes | None], bytes],
        keep: Callable[[OpenName, str, bytes], None],
    ) -> None:
        self._place = place
        self._base = base
        """Content that we expect in the file, to be replaced by `wanted`."""
        self.wanted = wanted
        self._again = again
        self._keep = keep
        self._edit: tuple[bytes, bytes] | None = None
        """The edit's base and result, set once the result was in the file and displaced somebody else's text."""
        self._held: list[tuple[str, bytes]] = []
        """Displaced files: temporary name and the content read from it."""
        self._owes = False
        """Whether the last of them is somebody's text that is not in the file now."""
        self._failure: CommonplaceError | None = None
        """Error of the edit on their text; raised once their text is back in the file."""

    def round(self, staged: str) -> bool:
        """Publish once; return whether the displaced content was the expected one."""
        place, base, wanted = self._place, self._base, self.wanted
        try:
            staged = staged or stage(place, wanted, before="new" if base is None else digest(base))
            theirs = _put(place, staged, new=base is None)
            if theirs is not None and base and base.endswith(b"\n") and not theirs.endswith(b"\n"):
                theirs = _at_rest(place, staged, seen=theirs)  # probably cut off: a save in progress
        except _Raced as race:
            if self._edit is None:
                self.wanted = self._again(race.fresh)
            elif race.fresh is not None:
                self.wanted = united(place.path, wanted, theirs=race.fresh)
            self._base = race.fresh
            return False
        except CommonplaceError:
            self._give_back()
            raise
        if base is None or theirs is None:
            return True
        self._held.append((staged, theirs))
        self._owes = theirs != base
        if self._owes:
            self._base = wanted
            self._take_in(base, theirs)
        return not self._owes

    def _take_in(self, base: bytes, theirs: bytes) -> None:
        """Set `wanted` to a text with both their lines and our edit."""
        try:
            if self._edit is None:
                self._edit = (base, self.wanted)
                self.wanted = self._again(theirs)
            elif self._failure is not None:
                self.wanted = merged(self._place.path, base, self.wanted, theirs)
            else:
                self.wanted = self._with_edit(theirs)
        except CommonplaceError as error:
            self.wanted, self._failure = theirs, self._failure or error

    def _with_edit(self, theirs: bytes) -> bytes:
        """Return their lines and all that we wanted.

        Only our edit removes lines: a line that their text lacks may be one that they never saw.
        """
        assert self._edit is not None
        path = self._place.path
        return united(path, self.wanted, theirs=merged(path, *self._edit, theirs))

    def settled(self, *, sync: bool) -> bool:
        """Make it durable and read it again; return whether the file has our text, or one whose writer had read ours.

        An editor that read the file before our exchange and saved right after it did not know our lines.
        """
        stands = _confirmed(self._place, self.wanted, sync=sync)
        if self._failure is not None:
            raise self._failure
        if stands is not None:
            base = self._base or b""
            after = (
                merged(self._place.path, base, self.wanted, stands) if self._edit is None else self._with_edit(stands)
            )
            if after != stands:
                self._edit = self._edit or (base, self.wanted)
                self._base, self.wanted = stands, after
                return False
            self.wanted = stands
        return True

    def _give_back(self) -> None:
        """Put their text back in place: it must not stay beside the file because the disk is full."""
        if self._owes:
            name, _ = self._held.pop()
            with suppress(OSError):  # else it stays beside the file, and is merged when this process has ended
                put(self._place, name)
                self._held.append((name, self._base or b""))

    def hand_over(self) -> None:
        """Pass the displaced files to `keep`."""
        while self._held:
            self._keep(self._place, *self._held.pop(0))


class _Raced(Exception):
    """The file was created or removed between our read and our write."""

    def __init__(self, fresh: bytes | None) -> None:
        super().__init__()
        self.fresh = fresh
        """Its content now; None if there is no file."""


def _put(place: OpenName, staged: str, *, new: bool) -> bytes | None:
    """Put the staged file in place; return the displaced content, None if there was none."""
    try:
        if new:
            put_new(place, staged)
            return None
        put(place, staged)
    except (FileExistsError, FileNotFoundError):
        _forget(place, staged)
        raise _Raced(place.read()) from None
    except OSError as error:
        _forget(place, staged)
        raise refusal(place.path, place.folder, error=error, needed=0) from None
    except CommonplaceError:  # without exchange or hard links `put` must read, and it is not a regular file
        _forget(place, staged)
        raise
    try:
        return place.read(staged)
    except CommonplaceError:  # somebody put a link or a folder there: restore its name
        put(place, staged)
        _forget(place, staged)
        raise


def confirm(place: OpenName) -> None:
    """Make the names of a folder durable. Never retried: a second fsync could report success falsely.

    Raises WorkspaceError (`unconfirmed`).
    """
    try:
        place.sync()
    except OSError as error:
        raise coded(
            UNCONFIRMED,
            f"{place.path} is written, but the disk did not confirm it: {error.strerror}",
            hint="check the disk, then read the file again",
        ) from None


def _confirmed(place: OpenName, wanted: bytes, *, sync: bool) -> bytes | None:
    """Make the name durable and read again: None if the content is ours, else the content somebody wrote since."""
    if sync:
        confirm(place)
    stands = place.read()
    return None if stands in (None, wanted) else _at_rest(place, place.name, seen=stands)


def _at_rest(place: OpenName, name: str, *, seen: bytes | None) -> bytes | None:
    """Return the content of a file once two reads agree: an editor may be in the middle of a save."""
    for _ in range(_MOST_ROUNDS):
        sleep(_SETTLE)
        later = place.read(name)
        if later == seen:
            break
        seen = later
    return seen


def withdraw(place: OpenName, expected: bytes, *, keep: Callable[[OpenName, str, bytes], None]) -> bool:
    """Remove a file if it still has the expected content; return whether it had. Raises NotWritable."""
    held = ready_name(temporary_name(place.name), "new", after=digest(expected))
    try:
        place.rename(place.name, held)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise refusal(place.path, place.folder, error=error, needed=0) from None
    if place.read(held) == expected:
        keep(place, held, expected)
        return True
    put_new(place, held)
    return False
