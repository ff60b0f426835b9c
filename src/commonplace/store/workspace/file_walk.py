"""Lists the files of the memory in one walk over the folder, with those that cannot be read."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import (
    LINK_BROKEN,
    LINK_OUTSIDE,
    NOT_A_FILE,
    NOT_DOWNLOADED,
    SAME_NAME,
    THERE,
    TOO_LARGE,
    UNREADABLE,
)
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Citation, Problem
from commonplace.store.fs.file_names import is_hidden, key_of, leftover
from commonplace.store.fs.safe_open import blocked, gone, not_a_folder

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_OWN = ("memory", "bank")
"""Folders of a workspace that are read recursively."""
_SIGNS = ("memory", "bank", "commonplace.toml")
"""Names that mark a workspace. `.memory/` is not one of them: it is created in any folder that is opened, and must not
change what is read there.
"""
_INDEXES, _VAULT = ("MEMORY.md", "memory.md"), ".obsidian"
"""Files that mark one as well, unless Obsidian keeps its settings there: then such a file is only the index of notes in
folders of any name."""


_BROKEN = {errno.ELOOP: "is a link in a circle", errno.ENOENT: "is a link to nothing"}
State = tuple[int, int, int, int]
"""State of a file without opening it: bytes, mtime and ctime in ns, inode.

Equal states mean equal bytes, unless clocks were changed.
"""


def is_laid_out(folder: str) -> bool:
    """Whether a folder is laid out as a workspace; in any other folder every Markdown file is read."""

    def there(name: str) -> bool:
        return os.path.lexists(os.path.join(folder, name))

    return any(map(there, _SIGNS)) or (any(map(there, _INDEXES)) and not there(_VAULT))


class Listing:
    """The files found by one sweep.

    A folder has two names: as spelled on the disk, and its key; both end in `/`, and both are empty for the root.
    """

    def __init__(self, root: str, most_bytes: int) -> None:
        self._root = root
        self._most = most_bytes
        self._links: list[tuple[str, str, str | None]] = []
        self._twins: dict[tuple[int, int], list[str]] = {}
        self.states: dict[str, State] = {}
        self.real: dict[str, str] = {}
        """Paths whose spelling on the disk differs from their key: key to spelling."""
        self.problems: list[Problem] = []
        self.leftovers: list[str] = []
        """Our temporary files, as spelled on the disk."""
        self.folders: list[str] = []
        """Every folder that was listed, as spelled on the disk, with a `/` at its end."""
        self.above: set[str] = set()
        """Parent folders of fixed paths, existing or not: a file created in them may be listed next time."""
        self.elsewhere = False
        """Whether any listed file has a second name (link), so that it may change without an event in these folders."""

    def sweep(self, include: tuple[str, ...], core: tuple[str, ...]) -> None:
        """List all files; raises NotAWorkspace if the root is gone.

        Args:
            include: globs of further files.
            core: files that are always included.
        """
        if is_laid_out(self._root):
            self._walk("", "", None, deep=False)
            for name in _OWN:
                self._enter(name, None)
        else:
            self._walk("", "", None, deep=True)
        for pattern in include:
            folder = _fixed(pattern)
            if folder:
                self._enter(folder, pattern)
            else:
                self._walk("", "", pattern, deep=True)
        for path in core:
            if path not in self.states and "/" in path:
                self._enter(path, path)
        self._follow()
        self._count_once()

    def _walk(self, folder: str, prefix: str, pattern: str | None, *, deep: bool) -> None:
        """List a folder, and with `deep` its subfolders."""
        todo = [(folder, prefix)]
        while todo:
            folder, prefix = todo.pop()
            self.folders.append(folder)
            try:
                with _entries(os.path.join(self._root, folder)) as entries:
                    for entry in self._other(entries, folder, prefix=prefix) if pattern is None else entries:
                        name, key = entry.name, key_of(entry.name)
                        if name[0] == ".":
                            self._pass_over(folder + name, prefix + key)
                        elif entry.is_file(follow_symlinks=False):
                            if _is_wanted(name, prefix + key, pattern=pattern):
                                self._take(folder + name, prefix + key, entry.stat(follow_symlinks=False))
                        elif entry.is_symlink():
                            if deep or is_markdown(name):
                                self._links.append((folder + name, prefix + key, pattern))
                        elif entry.is_dir(follow_symlinks=False):
                            if deep and not is_hidden(name):
                                todo.append((folder + name + "/", prefix + key + "/"))
                        elif is_markdown(name):
                            self._problem(prefix + key, NOT_A_FILE, "is a pipe, a socket or a device", "remove it")
            except OSError as error:
                if not folder:
                    raise gone(self._root, error) from None
                self._refused(prefix.rstrip("/"), error)

    def _other(self, entries: Iterable[os.DirEntry[str]], folder: str, *, prefix: str) -> Iterator[os.DirEntry[str]]:
        """Add plainly named regular files (a cold recall waits for this loop); yield the other entries."""
        states, most, plain = self.states, self._most, folder == prefix
        for entry in entries:
            name = entry.name
            if (
                plain
                and name.endswith(".md")
                and name.isascii()
                and name.isprintable()
                and "\\" not in name
                and name[0] != "."
                and entry.is_file(follow_symlinks=False)
            ):
                found = entry.stat(follow_symlinks=False)
                path = prefix + name
                if found.st_nlink == 1 and found.st_size <= most and path not in states:
                    states[path] = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
                    continue
            yield entry

    def _enter(self, path: str, pattern: str | None) -> None:
        """List the file or folder at a fixed path, if there is one."""
        self.above.update(path[: at + 1] for at, character in enumerate(path) if character == "/")
        try:
            found = os.lstat(os.path.join(self._root, path))
        except OSError as error:
            self._refused(path, error)
            return
        if stat.S_ISLNK(found.st_mode):
            self._links.append((path, path, pattern))
        elif stat.S_ISDIR(found.st_mode):
            self._walk(path + "/", path + "/", pattern, deep=True)
        elif stat.S_ISREG(found.st_mode) and _is_wanted(path, path, pattern=pattern):
            self._take(path, path, found)

    def _take(self, real: str, path: str, found: os.stat_result) -> None:
        states = self.states
        if path in states:
            known = self.real.get(path, path)
            if known == real:
                return
            self._problem(
                path, SAME_NAME, "is the name of two files that differ only in Unicode form", "rename one of them"
            )
            if real != path and known < real:
                return
        if found.st_size > self._most:
            self._problem(
                path,
                TOO_LARGE,
                f"has {found.st_size:,} bytes, more than the {self._most:,} that are read",
                "split it, or raise max_file_bytes in commonplace.toml",
            )
            return
        if found.st_nlink > 1:
            self._twins.setdefault((found.st_dev, found.st_ino), []).append(path)
        if real != path:
            self.real[path] = real
        else:
            self.real.pop(path, None)
        states[path] = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

    def _pass_over(self, real: str, path: str) -> None:
        """Note a hidden name of interest: a temporary file of ours, or a file that is only in the cloud."""
        name = real.rpartition("/")[2]
        if name.endswith(".tmp"):
            if leftover(name) is not None:
                self.leftovers.append(real)
        elif name.endswith(".icloud") and is_markdown(name[:-7]):
            self._problem(
                path[: -len(name)] + name[1:-7],
                NOT_DOWNLOADED,
                "is in the cloud and not on this disk",
                "open it once in the file manager",
            )

    def _follow(self) -> None:
        """Add the targets of links that are inside the workspace and not listed under their own path."""
        top = os.path.join(self._root, "")
        taken: set[str] = set()
        self.elsewhere = bool(self._links or self._twins)
        self._links.sort(reverse=True)
        while self._links:
            real, path, pattern = self._links.pop()
            full = os.path.join(self._root, real)
            target = os.path.realpath(full)
            try:
                found = os.stat(target)
            except OSError as error:
                what = _BROKEN.get(error.errno or 0, f"is a link that cannot be followed: {error.strerror}")
                self._problem(path, LINK_BROKEN, what, "fix or remove the link")
                continue
            inside = target[len(top) :].split(os.sep) if target.startswith(top) else []
            if not inside and target != self._root:
                self._problem(
                    path, LINK_OUTSIDE, "is a link that leads out of the workspace", "put the file itself there"
                )
                continue
            if target in taken or any(map(is_hidden, inside)):
                continue
            if stat.S_ISDIR(found.st_mode):
                if not self._met(target, full):
                    taken.add(target)
                    self._walk(real + "/", path + "/", pattern, deep=True)
                    self._links.sort(reverse=True)
            elif not stat.S_ISREG(found.st_mode):
                self._problem(path, NOT_A_FILE, "is a link to a pipe, a socket or a device", "remove it")
            elif "/".join(map(key_of, inside)) not in self.states and _is_wanted(real, path, pattern=pattern):
                taken.add(target)
                self._take(real, path, found)

    def _met(self, target: str, link: str) -> bool:
        """Whether files of this folder are already listed, or the link is inside it (a loop)."""
        if (link + os.sep).startswith(os.path.join(target, "")):
            return True
        prefix = "".join(key_of(part) + "/" for part in os.path.relpath(target, self._root).split(os.sep))
        return any(path.startswith(prefix) for path in self.states)

    def _count_once(self) -> None:
        """Of several hard links to one file keep the first by path: `MEMORY.md` before `memory.md`."""
        for paths in self._twins.values():
            for path in sorted(paths)[1:]:
                self.states.pop(path, None)
                self.real.pop(path, None)

    def hindrance(self, path: str) -> Problem | None:
        """Return why a file listed earlier is not listed now although something is there; None if it is gone."""
        for problem in self.problems:
            if problem.code in THERE and (path == problem.source.path or path.startswith(f"{problem.source.path}/")):
                return problem
        try:
            mode = os.lstat(os.path.join(self._root, self.real.get(path, path))).st_mode
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            file = blocked(self._root, path) or path
            told = not_a_folder(file)
            return Problem(Citation(file, 1), UNREADABLE, told.message, told.hint)
        except OSError as error:
            what = "cannot be reached: " + (error.strerror or str(error))
            return Problem(Citation(path, 1), UNREADABLE, f"{path} {what}", "restore the folder that it was in")
        if stat.S_ISREG(mode) or stat.S_ISLNK(mode):  # it is listed under another name, or excluded by the settings
            return None
        what = "is a folder" if stat.S_ISDIR(mode) else "is a pipe, a socket or a device"
        return Problem(Citation(path, 1), NOT_A_FILE, f"{path} {what}, and was a file", "restore the file")

    def _refused(self, path: str, error: OSError) -> None:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            return  # removed since its name was read, or never there
        self._problem(
            path, UNREADABLE, f"cannot be listed: {error.strerror}", "fix its permissions; all other files were read"
        )

    def _problem(self, path: str, code: str, what: str, hint: str) -> None:
        self.problems.append(Problem(Citation(path, 1), code, f"{path} {what}", hint))


@contextmanager
def _entries(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """Yield the entries of a folder; through a descriptor, where supported, each `stat` costs a fifth less."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield entries
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(fd) as entries:
            yield entries
    finally:
        os.close(fd)


def _fixed(pattern: str) -> str:
    """Return the leading part of a glob that contains no wildcard."""
    parts = pattern.split("/")
    count = next((n for n, part in enumerate(parts) if any(c in part for c in "*?[")), len(parts))
    return "/".join(parts[:count])


def _is_wanted(name: str, path: str, *, pattern: str | None) -> bool:
    """Whether a file is read: by its name, or because a glob matches its path.

    In a glob `*` stays within a folder and `**` does not; it matches other files than Markdown only by their suffix.
    """
    if pattern is None:
        return is_markdown(name)
    if not is_markdown(path) and "." not in pattern.rpartition("/")[2]:
        return False
    return _expression(pattern).fullmatch(path) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    import re

    parts = pattern.split("/")
    out = []
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            out.append(".*" if last else "(?:[^/]+/)*")
        else:
            out.append("".join({"*": "[^/]*", "?": "[^/]"}.get(c, re.escape(c)) for c in part) + ("" if last else "/"))
    whole = "".join(out)
    if not any(c in pattern for c in "*?"):
        whole += "(?:/.*)?"  # the name of a folder matches everything in it
    return re.compile(whole, re.DOTALL)
