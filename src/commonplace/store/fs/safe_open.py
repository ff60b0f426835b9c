"""Opens a path step by step, so that no link leads out of the workspace.

Every folder on the way is opened relative to the one before, following no link. A link is resolved once, must stay
inside the workspace, and the resolved path is opened in the same way: a link that is put there meanwhile is refused.
Where the system has no folder descriptors (Windows), the resolved path is checked instead.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from commonplace.core.documents.file_problems import NOT_A_FILE, UNREADABLE
from commonplace.errors import NotAWorkspace, NotFound, OutsideWorkspace, WorkspaceError
from commonplace.store.fs.codec import coded
from commonplace.store.fs.file_names import is_hidden, key_of, names_in, parts_of

_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
READ = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for reading: a FIFO named .md must not block us, and no link is followed."""
WRITE_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | getattr(os, "O_BINARY", 0)


class Link(Exception):
    """A component of the path is a symbolic link."""


class NoFolder(Exception):
    """A folder of the path does not exist."""


class OpenName:
    """A file name in a folder that stays open; a context manager. All steps of a write use the same descriptor."""

    __slots__ = ("_fd", "folder", "name", "path")

    def __init__(self, path: str, folder: str, name: str, fd: int | None) -> None:
        self.path = path
        """The key, for messages."""
        self.folder = folder
        """Absolute path, for messages and for systems without descriptors."""
        self.name = name
        """As spelled on the disk, or to be spelled there."""
        self._fd = fd

    def __enter__(self) -> OpenName:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _at(self, name: str) -> str:
        return name if self._fd is not None else os.path.join(self.folder, name)

    def share(self) -> int | None:
        """Return a duplicate descriptor of the folder, for another name in it."""
        return None if self._fd is None else os.dup(self._fd)

    def full(self, name: str) -> str:
        """Return the absolute path of a name in the folder."""
        return os.path.join(self.folder, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Return a descriptor."""
        return os.open(self._at(name), flags, mode, dir_fd=self._fd)

    def stat(self, name: str) -> os.stat_result:
        """Return the status of the name itself, not of a link's target."""
        return os.stat(self._at(name), dir_fd=self._fd, follow_symlinks=False)

    def unlink(self, name: str) -> None:
        """Remove a name, if it exists."""
        with suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self._fd)

    def rename(self, one: str, other: str) -> None:
        """Rename `one` to `other`, replacing it."""
        os.replace(self._at(one), self._at(other), src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def move_out(self, name: str, target: str) -> None:
        """Move a file to an absolute path."""
        os.replace(self._at(name), target, src_dir_fd=self._fd)

    def link(self, one: str, other: str) -> None:
        """Give a file a second name. Raises FileExistsError if it is taken."""
        follow = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
        os.link(self._at(one), self._at(other), src_dir_fd=self._fd, dst_dir_fd=self._fd, **follow)

    def exchange(self, one: str, other: str) -> bool:
        """Swap two names; False if the file system cannot."""
        from commonplace.store.fs.system import exchange

        return exchange(self._fd, self._at(one), self._at(other))

    def rename_new(self, one: str, other: str) -> bool:
        """Rename unless the name is taken (FileExistsError); False if the file system cannot."""
        from commonplace.store.fs.system import rename_new

        return rename_new(self._fd, self._at(one), target=self._at(other))

    def names(self) -> list[str]:
        """Return every name in the folder."""
        return os.listdir(self.folder if self._fd is None else self._fd)

    def sync(self) -> None:
        """Make the folder's names durable. Windows has no such call; NTFS needs none."""
        if self._fd is not None:
            os.fsync(self._fd)

    def read(self, name: str | None = None) -> bytes | None:
        """Return the content of a regular file, None if there is no file. Raises WorkspaceError for anything else."""
        try:
            fd = self.open(self.name if name is None else name, READ)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unreadable(self.path, error) from None
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise not_a_file(self.path, os.fstat(fd))
            return read_all(fd)
        except OSError as error:
            raise unreadable(self.path, error) from None
        finally:
            os.close(fd)


def read_all(fd: int) -> bytes:
    """Return the content of an open file from its start; read again if it changed meanwhile."""
    content = b""
    before = os.fstat(fd)
    for _ in range(20):
        os.lseek(fd, 0, os.SEEK_SET)
        content = os.read(fd, before.st_size + 1)
        while 0 < len(content) < before.st_size and (more := os.read(fd, before.st_size + 1 - len(content))):
            content += more
        after = os.fstat(fd)
        if len(content) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            break
        before = after
    return content


def not_a_file(path: str, found: os.stat_result) -> WorkspaceError:
    """Return the error for a folder, pipe, socket or device where a file should be."""
    if stat.S_ISDIR(found.st_mode):
        return coded(NOT_A_FILE, f"{path} is a folder, not a file", hint="name a file in it")
    return coded(
        NOT_A_FILE, f"{path} is not a regular file", hint="remove it; only regular files can be read and written"
    )


def not_a_folder(path: str) -> WorkspaceError:
    """Return the error for a file, pipe, socket or device where a folder is needed."""
    message = f"{path} is a file; a folder is needed there"
    return coded("not-a-folder", message, hint=f"give that file another name, such as {path}.md")


def blocked(root: str, path: str) -> str:
    """Return the first part of a path that is a file and not a folder; empty if there is none."""
    parts = path.split("/")
    ways = ("/".join(parts[: count + 1]) for count in range(len(parts)))
    return next((way for way in ways if _is_no_folder(os.path.join(root, way))), "")


def _is_no_folder(full: str) -> bool:
    return os.path.exists(full) and not os.path.isdir(full)


def unreadable(path: str, error: OSError) -> WorkspaceError:
    """Return the error for a file that the system does not let us read."""
    message = f"{path} cannot be read: {error.strerror or error}"
    return coded(UNREADABLE, message, hint="check its permissions and the disk")


def locate(root: str, path: str, *, real: str | None = None, create: bool = False) -> OpenName:
    """Open the folder of the file that a path argument names.

    Args:
        root: absolute path without links.
        path: the argument.
        real: its spelling on the disk, if known from a listing.
        create: make missing folders.

    Raises NotFound (a folder of the path is missing), OutsideWorkspace, NotAWorkspace (the root is gone),
    WorkspaceError (it cannot be read, or a file is where a folder is to be made), and OSError if a folder cannot be
    made.
    """
    parts = real.split("/") if real is not None else parts_of(path)
    try:
        try:
            return _walk(root, path, parts=parts, create=create)
        except Link:
            return _walk(root, path, parts=_resolved(root, path, parts=parts), create=create)
    except Link:
        raise OutsideWorkspace(f"the links in {path} change while it is opened", "try again") from None
    except NoFolder:
        file = blocked(root, "/".join(parts[:-1])) if create else ""
        raise (not_a_folder(file) if file else no_file(path)) from None
    except OSError as error:
        if create:
            raise
        raise unreadable(path, error) from None


def no_file(path: str) -> NotFound:
    """Return the error for a file that does not exist."""
    return NotFound(f"there is no file {path}", "check the spelling; paths start at the workspace")


def _resolved(root: str, path: str, *, parts: list[str]) -> list[str]:
    """Return the target of a path with links, as components below the root."""
    target = os.path.realpath(os.path.join(root, *parts))
    if target == root or not target.startswith(os.path.join(root, "")):
        raise OutsideWorkspace(
            f"{path} is a link that leads out of the workspace",
            "put the file itself there, or name the folder it is in",
        )
    found = target[len(os.path.join(root, "")) :].split(os.sep)
    if any(is_hidden(part) for part in found):
        raise OutsideWorkspace(f"{path} is a link to a hidden file", "put the file itself there")
    return found


def resolved(root: str, path: str, *, real: str | None = None) -> str:
    """Return the path with links followed, existing or not; arguments as for `locate`. Raises OutsideWorkspace."""
    parts = real.split("/") if real is not None else parts_of(path)
    return "/".join(map(key_of, _resolved(root, path, parts=parts)))


def _walk(root: str, path: str, *, parts: list[str], create: bool) -> OpenName:
    if not _DESCRIPTORS:
        return _checked(root, path, parts=parts, create=create)
    folder, fd = root, _open_root(root)
    try:
        for part in parts[:-1]:
            name, deeper = _enter(fd, folder, part=part, create=create)
            os.close(fd)
            fd, folder = deeper, os.path.join(folder, name)
        name = _spelled(fd, parts[-1])
        place = OpenName(path, folder, name, fd)
        try:
            if stat.S_ISLNK(place.stat(name).st_mode):
                raise Link
        except FileNotFoundError:
            pass
    except BaseException:
        os.close(fd)
        raise
    return place


def _open_root(root: str) -> int:
    try:
        return os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise gone(root, error) from None


def gone(root: str, error: OSError) -> NotAWorkspace:
    """Return the error for a root that cannot be entered."""
    if error.errno == errno.ENOENT:
        return NotAWorkspace(
            f"the workspace no longer exists: {root}", "mount or restore the folder, or name another with --workspace"
        )
    if error.errno == errno.ENOTDIR:
        return NotAWorkspace(f"{root} is not a folder", "name a folder with --workspace")
    return NotAWorkspace(f"{root} cannot be entered: {error.strerror}", "fix its permissions")


def _enter(fd: int, folder: str, *, part: str, create: bool) -> tuple[str, int]:
    """Open the subfolder `part` of an open folder; return its name on the disk and a descriptor."""
    name = part
    for _ in range(3):
        try:
            return name, os.open(name, _FOLDER, dir_fd=fd)
        except FileNotFoundError:
            spelled = _spelled(fd, part)
            if spelled != name:
                name = spelled
                continue
            if not create:
                raise NoFolder from None
            try:
                os.mkdir(name, dir_fd=fd)
            except FileExistsError:
                continue
            os.fsync(fd)
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENOTDIR}:
                mode = os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode
                if stat.S_ISLNK(mode):
                    raise Link from None
                raise NoFolder from None
            if error.errno == errno.ENAMETOOLONG:
                raise NoFolder from None
            raise
    raise NoFolder


def _spelled(folder: int | str, part: str) -> str:
    """Return a component as spelled on the disk: as given, else the name with that key (NFD, bytes that are not UTF-8).

    Args:
        folder: a descriptor, or the absolute path where there are none.
        part: the component.
    """
    if part.isascii() and "%" not in part:
        return part
    try:
        if isinstance(folder, int):
            os.stat(part, dir_fd=folder, follow_symlinks=False)
        else:
            os.lstat(os.path.join(folder, part))
    except OSError:
        names = (name for name in names_in(folder) if part.isascii() or not name.isascii())
        return next((name for name in names if key_of(name) == part), part)
    return part


def _checked(root: str, path: str, *, parts: list[str], create: bool) -> OpenName:
    """Do the same as `_walk` by resolved paths, for systems without folder descriptors."""
    if not os.path.isdir(root):
        raise gone(root, OSError(errno.ENOENT, ""))
    full = root
    for part in parts:
        full = os.path.join(full, _spelled(full, part))
    if os.path.realpath(full) != os.path.normpath(full):
        full = os.path.join(root, *_resolved(root, path, parts=parts))
    folder, name = os.path.split(full)
    if not os.path.isdir(folder):
        if not create or blocked(root, "/".join(parts[:-1])):
            raise NoFolder
        os.makedirs(folder, exist_ok=True)
    return OpenName(path, folder, name, None)
