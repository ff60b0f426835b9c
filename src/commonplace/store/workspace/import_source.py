"""Lists and reads a folder or file to import from, and never writes it.

Links are not followed: their targets are imported from their own place.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import TOO_LARGE, UNREADABLE
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Citation, Problem
from commonplace.errors import NotFound
from commonplace.store.fs.codec import coded, decoded
from commonplace.store.fs.file_names import is_hidden, key_of
from commonplace.store.fs.safe_open import READ, not_a_file, read_all, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 8_000_000
"""Maximum bytes of one note: a larger file was not written by hand."""
_TEXT = (".txt", ".text", ".xml")
"""Suffixes that are read besides Markdown."""
_DATA = (".json", ".jsonl")
"""Suffixes of what is text, but says nothing line by line: an export of a chat would be one fact of many megabytes."""


class Source:
    """A path given to an import. Raises NotFound if it does not exist."""

    def __init__(self, path: str, *, most: int) -> None:
        self.root = os.path.realpath(os.path.expanduser(path))
        """Absolute path, links resolved."""
        if not os.path.exists(self.root):
            raise NotFound(f"{path} does not exist", "name a folder of notes or a file")
        self.single = not os.path.isdir(self.root)
        self.name = key_of(os.path.basename(self.root)).lstrip(".") or "root"  # what is hidden would not be recalled
        self.problems: list[Problem] = []
        """Problems of paths that `files` could not include."""
        self.others = 0
        """Number of files that `files` skipped because they are not text: pictures, PDF …"""
        self._most = most
        self._full: dict[str, str] = {}

    def files(self) -> tuple[str, ...]:
        """Return the notes in order, as paths below the root valid on any system; for a single file its name."""
        if self.single:
            self._full[self.name] = self.root
        else:
            self._full.update(self._walk(self.root, ""))
        return tuple(sorted(self._full))

    def full(self, path: str) -> str:
        """Return the path on the disk of one of `files`."""
        return self._full[path]

    def shown(self, path: str) -> str:
        """Return one of `files` as shown to the user: starting with the name of the given folder."""
        return path if self.single else f"{self.name}/{path}"

    def read(self, path: str) -> str:
        """Return the text of one of `files`. Raises WorkspaceError if it is not text, or too large."""
        try:
            fd = os.open(self._full[path], READ)
        except OSError as error:
            raise unreadable(path, error) from None
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                raise not_a_file(path, found)
            if found.st_size > self._most:
                message = f"{path} has {found.st_size:,} bytes, more than the {self._most:,} that are imported"
                raise coded(TOO_LARGE, message, hint="split it, or leave it where it is")
            content = read_all(fd)
        except OSError as error:
            raise unreadable(path, error) from None
        finally:
            os.close(fd)
        if self._full[path].lower().endswith(_DATA):
            raise coded("not-text", f"{path} is data, not text", hint="export it as Markdown or text")
        if b"\0" in content:
            raise coded("not-text", f"{path} is not text", hint="only UTF-8 text is imported: convert it")
        return decoded(path, content)

    def _walk(self, folder: str, prefix: str) -> Iterator[tuple[str, str]]:
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._problem(prefix or ".", UNREADABLE, f"cannot be listed: {error.strerror}", "fix its permissions")
            return
        for entry in found:
            path = prefix + key_of(entry.name)
            if is_hidden(entry.name):
                continue
            if entry.is_symlink():
                self._problem(path, "link", "is a link, which is not followed", "import its target by its own path")
            elif entry.is_dir(follow_symlinks=False):
                yield from self._walk(entry.path, path + "/")
            elif not entry.is_file(follow_symlinks=False) or not (
                is_markdown(entry.name) or entry.name.lower().endswith(_TEXT)
            ):
                self.others += 1
            else:
                yield path, entry.path

    def _problem(self, path: str, code: str, what: str, hint: str) -> None:
        self.problems.append(Problem(Citation(self.shown(path), 0), code, f"{path} {what}", hint))
