"""Lists and reads a folder of Markdown that people own, and writes nothing in it."""

import os
from typing import NamedTuple

from commonplace.core.documents.file_problems import THERE
from commonplace.core.model import Citation, Problem
from commonplace.store.fs.codec import decoded, digest, shown
from commonplace.store.fs.file_names import names_in
from commonplace.store.fs.safe_open import locate, no_file, resolved
from commonplace.store.fs.state_dir import WATCHER, Own
from commonplace.store.workspace.file_walk import Listing, State, is_laid_out

DEFAULT_CORE = ("MEMORY.md", "memory.md", "SOUL.md", "USER.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md")
MOST_FILE_BYTES = 64_000_000


class Page(NamedTuple):
    """A file as read."""

    text: str
    """With its own line ends, without byte order mark; a write keeps the mark if there was one."""
    digest: str
    """The first 16 hex digits of the SHA-256 of the file's bytes."""


class ShownPage(NamedTuple):
    """A file for reading alone: a few of its bytes may not be UTF-8."""

    text: str
    digest: str
    problem: Problem | None
    """That some bytes are not UTF-8, at the first line with one: the text must not be written."""


class MarkdownReader:
    """A folder of Markdown as it can be read. Opening it reads and creates nothing."""

    def __init__(
        self,
        root: str,
        *,
        include: tuple[str, ...] = (),
        core: tuple[str, ...] = DEFAULT_CORE,
        max_file_bytes: int = MOST_FILE_BYTES,
    ) -> None:
        self.root = os.path.realpath(root)
        """Absolute path, links resolved."""
        self.include = include
        self.core = core
        self._most = max_file_bytes
        self._own = Own(self.root)
        self._listing = Listing(self.root, max_file_bytes)
        """What the last sweep found."""

    @property
    def writable(self) -> bool:
        """Whether the folder can be written, by permissions and mount."""
        return os.access(self.root, os.W_OK)

    @property
    def begun(self) -> bool:
        """Whether this is a workspace, or contains Markdown that is read. If not, a read creates no `.memory` in it."""
        return is_laid_out(self.root) or os.path.isdir(self.memory_dir) or bool(self.sweep())

    @property
    def memory_dir(self) -> str:
        """Path of `.memory` below the root, or of a folder in the user's cache if it cannot be written there."""
        return self._own.path

    @property
    def index_path(self) -> str:
        """Path of the index; its folder exists after `ensure_memory_dir`."""
        return os.path.join(self.memory_dir, "index.sqlite")

    @property
    def core_path(self) -> str:
        """The core file that is written: MEMORY.md, or memory.md if only that exists.

        By the spelling on the disk: on a case-insensitive file system each name would find the other's file.
        """
        names = names_in(self.root)
        return "memory.md" if "memory.md" in names and "MEMORY.md" not in names else "MEMORY.md"

    def read_only(self, path: str) -> bool:
        """Whether a file's permissions forbid writing; a write would replace it all the same."""
        try:
            return not os.stat(os.path.join(self.root, path)).st_mode & 0o222
        except OSError:
            return False

    def resolved(self, path: str) -> str:
        """Return the path with links followed, existing or not. Raises OutsideWorkspace."""
        return resolved(self.root, path, real=self._listing.real.get(path))

    def through_link(self, path: str) -> bool:
        """Whether a folder of a path is a link."""
        folder = os.path.normpath(os.path.join(self.root, os.path.dirname(path)))
        return os.path.realpath(folder) != folder

    def open_in_editor(self, path: str) -> bool:
        """Whether an editor has the file open with unsaved changes, by its lock file (vim, Emacs, LibreOffice)."""
        folder, _, name = path.rpartition("/")
        here = os.path.join(self.root, folder)
        signs = (f".{name}.swp", f".#{name}", f".~lock.{name}#")
        return any(os.path.lexists(os.path.join(here, sign)) for sign in signs)

    def sweep(self) -> dict[str, State]:
        """Return every file of the memory by path, without opening one. Raises NotAWorkspace if the root is gone."""
        listing = Listing(self.root, self._most)
        listing.sweep(self.include, self.core)
        self._listing = listing
        return listing.states

    @property
    def skipped(self) -> tuple[Problem, ...]:
        """Problems of files that the last sweep could not include."""
        return tuple(self._listing.problems)

    @property
    def unlisted(self) -> tuple[Problem, ...]:
        """Problems of what the last sweep found and could not read: those of `skipped` that may hide memory."""
        return tuple(each for each in self.skipped if each.code in THERE)

    @property
    def leftovers(self) -> list[str]:
        """Our temporary files found by the last sweep, by real path; some may belong to a running write."""
        return self._listing.leftovers

    def hindrance(self, path: str) -> Problem | None:
        """Return why the last sweep lacks a file although something is there; None if the file is gone."""
        return self._listing.hindrance(path)

    @property
    def folders(self) -> list[str]:
        """Absolute paths of the folders in which a change can change the result of the last sweep, parents first."""
        names = {"", *self._listing.folders, *self._listing.above}
        return sorted(os.path.join(self.root, name) for name in names)

    @property
    def elsewhere(self) -> bool:
        """Whether the last sweep found links: their targets may change without an event in `folders`."""
        return self._listing.elsewhere

    @property
    def watched(self) -> bool:
        """Whether the socket of a watcher exists; the watcher may be dead."""
        return os.path.exists(os.path.join(self._own.path, WATCHER))

    @property
    def claim(self) -> bytes:
        """What two programs that sweep the same files have in common; for `freshness`. Raises OSError outside Linux."""
        found = os.stat(self.root)
        names = os.readlink("/proc/self/ns/mnt")
        return repr((self.root, found.st_dev, found.st_ino, names, self.include, self.core, self._most)).encode()

    def read(self, path: str) -> Page:
        """Return a file's text. Raises NotFound, OutsideWorkspace, NotAWorkspace, WorkspaceError (also `not-utf8`)."""
        content = self._content(path)
        return Page(decoded(path, content), digest(content))

    def shown(self, path: str) -> ShownPage:
        """Return a file's text for readers, also if a few bytes are not UTF-8. Raises what `read` raises."""
        content = self._content(path)
        text, wrong = shown(path, content)
        problem = None if wrong is None else Problem(Citation(path, wrong.line), wrong.code, wrong.message, wrong.hint)
        return ShownPage(text, digest(content), problem)

    def _content(self, path: str) -> bytes:
        with locate(self.root, path, real=self._listing.real.get(path)) as place:
            content = place.read()
        if content is None:
            raise no_file(path)
        return content
