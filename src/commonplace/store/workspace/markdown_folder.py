"""The workspace: changes a folder of Markdown that people own, which `markdown_reader` lists and reads.

No other part of the program opens Markdown. Laws: no byte of a file changes unless the operation succeeded; text that
somebody else wrote meanwhile is merged or the operation refused, never overwritten; nothing outside the folder is read
or written.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from commonplace.core.documents.file_problems import NOT_UTF8, TOLD, TOO_LARGE, WAITING
from commonplace.errors import ChangedUnderneath, NotFound, UsageError, WorkspaceError
from commonplace.store.fs.codec import decoded, digest, encoded
from commonplace.store.fs.file_names import leftover, names_in
from commonplace.store.workspace.markdown_reader import MarkdownReader, Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import date

    from commonplace.core.model import Patch, Problem
    from commonplace.store.fs.lock import Lock
    from commonplace.store.fs.server_records import Record
    from commonplace.store.transactions.change_journal import JournalNote
    from commonplace.store.transactions.change_sets import Sets, Undone
    from commonplace.store.transactions.erase import Removal
    from commonplace.store.transactions.locked_writer import Writer
    from commonplace.store.workspace.file_walk import State
    from commonplace.store.workspace.health import Care

T = TypeVar("T")
_PATIENCE = 120.0
"""Seconds that a reflect waits for another; the first one over ten years of logs takes 12."""


class Workspace(MarkdownReader):
    """A folder of Markdown that can be read and changed. Opening it reads and creates nothing."""

    _exchange: bool | None = None
    _reflects: Lock | None = None
    __writer: Writer | None = None
    __sets: Sets | None = None

    # Locks.

    @property
    def exchange(self) -> bool:
        """Whether the file system can exchange two names; if not, a save at the very moment of ours could be lost."""
        if self._exchange is None:
            from commonplace.store.transactions.locked_writer import can_exchange

            self._exchange = self.writable and can_exchange(self.ensure_memory_dir())
        return self._exchange

    @property
    def locks(self) -> bool:
        """Whether the file system supports locks for our writers; if not, only the exchange protects."""
        if self._writer.lock.kernel is None and self.writable:
            with self._writer.lock:
                pass
        return bool(self._writer.lock.kernel)

    def ensure_memory_dir(self) -> str:
        """Create `memory_dir` with its `.gitignore` and CACHEDIR.TAG, mode 0700, if missing; return its path.

        Raises NotAWorkspace if the root is gone, NotWritable.
        """
        return self._own.make()

    def ensure_kept(self, kind: str) -> str:
        """Create the folder `kind` below `.memory/keep` if it is missing, and return its path. Raises NotWritable."""
        return self._own.make(kind)

    def locked(self) -> AbstractContextManager[None]:
        """Return the lock of all writers, for operations of more than one call; re-entrant. Raises Busy."""
        return self._writer.lock

    def at_once(self, work: Callable[[], T]) -> T | None:
        """Return the result of `work` under the lock of all writers; None, without waiting, if another has it."""
        with self._writer.lock.if_free() as free:
            return work() if free else None

    def reflecting(self) -> AbstractContextManager[None]:
        """Return the lock of all reflects: the second waits for the first, while other writes go on. Raises Busy.

        It is taken before the lock of writers, never while that is held.
        """
        if self._reflects is None:
            from commonplace.store.fs.lock import Lock

            own = self._own
            self._reflects = Lock(lambda: os.path.join(own.make(), "reflect.lock"), _PATIENCE, "another reflect")
        return self._reflects

    # Reading.

    def sweep(self) -> dict[str, State]:
        """As `MarkdownReader.sweep`; the next write cleans up the temporary files that it finds."""
        states = super().sweep()
        if self.leftovers and self.__writer is not None:
            self.__writer.noticed(self.leftovers)
        return states

    def clear_leftovers(self) -> None:
        """Clean up those of killed writers, as the next write in their folders would."""
        with self._writer.lock:
            self._writer.noticed(self.leftovers)
            for path in self.leftovers:
                folder, _, name = path.rpartition("/")
                if (left := leftover(name)) is not None:
                    self._writer.tidy(f"{folder}/{left.target}".lstrip("/"))

    def record(self, url: str) -> Record:
        """Return the record of this process as a server; the caller keeps and closes it."""
        from commonplace.store.fs.server_records import Record

        return Record(self._own, url)

    @property
    def care(self) -> Care:
        """What `doctor` examines and repairs."""
        from commonplace.store.workspace.health import Care

        return Care(self)

    def searched(self, undecoded: Callable[[str, bytes], None]) -> Iterator[tuple[str, Page]]:
        """Yield every file that can be read as text, in order; `undecoded` is called with the other readable ones.

        Raises NotWritable for a file or folder that cannot be read.
        """
        from commonplace.store.transactions.erase import unread

        states = self.sweep()
        for problem in self.skipped:
            if problem.code in TOLD:
                raise unread(problem.source.path, problem.message)
        large = {problem.source.path for problem in self.skipped if problem.code == TOO_LARGE}
        for path in sorted({*states, *large}):
            try:
                page = self.read(path)
            except NotFound:
                continue
            except WorkspaceError as error:
                if error.code != NOT_UTF8:
                    raise unread(path, error.message) from None
                undecoded(path, self._writer.content(path) or b"")
            else:
                yield path, page

    # Writing.

    def change(self, path: str, edit: Callable[[str | None], str], *, allow_secret: bool = False) -> Page:
        """Edit a file; return its resulting content.

        `edit` gets the text, None if there is no file, and returns the new one; if it raises, nothing is written. It is
        called again with fresh text if somebody wrote meanwhile, so it must have no memory.

        Raises SecretRefused if the added text looks like a secret, NotWritable, Busy, WorkspaceError `unconfirmed` (it
        is written), and what `read` raises except NotFound.
        """

        def again(content: bytes | None) -> bytes:
            text = None if content is None else decoded(path, content)
            new = edit(text)
            _harmless([(path, content, new)], allow_secret=allow_secret)
            return content if content is not None and new == text else encoded(path, new, like=content)

        return self._update(path, again)

    def write(self, path: str, text: str, *, before: str | None, allow_secret: bool = False) -> Page:
        """Replace a file's text if it still has the digest `before` (None: it must not exist); return its resulting
        content.

        Raises ChangedUnderneath, and what `change` raises.
        """

        def again(content: bytes | None) -> bytes:
            _unchanged([(path, content, before)])
            _harmless([(path, content, text)], allow_secret=allow_secret)
            return encoded(path, text, like=content)

        return self._update(path, again)

    def _update(self, path: str, again: Callable[[bytes | None], bytes]) -> Page:
        with self._writer.lock:
            self.recover()
            content = self._writer.update(path, again)
        return Page(decoded(path, content), digest(content))

    def apply(
        self,
        patches: Sequence[Patch],
        label: str,
        *,
        whole: bool = False,
        day: date | None = None,
        allow_secret: bool = False,
    ) -> tuple[str, ...]:
        """Make all edits or none, so that `undo` can undo them; return the written paths.

        Args:
            whole: `undo` undoes them completely or not at all.
            day: the day of the change, for `done`.
            allow_secret: accept text that looks like a secret.

        Raises ChangedUnderneath if a file is not what its patch assumes, UsageError if two patches are for one file,
        and what `change` raises; nothing was changed then.
        """
        from commonplace.store.transactions.change_journal import FileStep

        if len({patch.path for patch in patches}) < len(patches):
            raise UsageError("two patches for one file", "join them")
        with self._writer.lock:
            self.recover()
            found = [(patch, self._writer.content(patch.path)) for patch in patches]
            _unchanged([(patch.path, content, patch.before) for patch, content in found])
            _harmless([(patch.path, content, patch.after) for patch, content in found], allow_secret=allow_secret)
            steps = [FileStep.of(patch, content) for patch, content in found]
            steps = [step for step in steps if step.before != step.after]
            if steps:
                self._sets.apply(label, tuple(steps), whole=whole, day=day)
        return tuple(step.path for step in steps)

    def tidy(self, path: str, top: str) -> None:
        """Remove the empty folders of a deleted file, from the innermost up to `top`, which stays."""
        folder = os.path.dirname(path)
        with self._writer.lock, suppress(OSError):
            while folder.startswith(f"{top}/"):
                os.rmdir(os.path.join(self.root, folder))
                folder = os.path.dirname(folder)

    def undo(self, id: int | None = None) -> tuple[Undone, ...]:
        """Undo one set, by default the last, except in files that somebody edited since; return an empty tuple if there
        is none.

        Raises NotFound for an id that cannot be undone, and ChangedUnderneath for a `whole` set with such a file, and
        if every file was edited.
        """
        with self._writer.lock:
            self.recover()
            return self._sets.undo(id)

    def done(self) -> list[JournalNote]:
        """Return the sets that can still be undone, oldest first."""
        return self._sets.journal.finished()

    # Repairing what a crash or an editor left.

    def recover(self) -> tuple[Problem, ...]:
        """Finish what a crash interrupted; return what could not be finished. Costs one listing if all is well."""
        if not any(name.startswith("pending-") for name in names_in(self._own.keep("journal"))):
            return ()
        known = len(self._writer.warnings)
        with self._writer.lock:
            self._sets.recover()
        return tuple(self._writer.warnings[known:])

    def late_writes(self, *, seldom: bool = False) -> tuple[Problem, ...]:
        """Merge what editors saved into displaced files, or while a writer died; return a notice for each.

        Args:
            seldom: check at most once a second, for callers with many writes in a row. The first call always checks.
        """
        from commonplace.store.transactions.backups import late

        if seldom and self.__writer is not None and not self.__writer.due:
            return ()
        left = self._left()
        if not left and not any(True for _ in late(self._own)):
            return ()
        known = len(self._writer.warnings)
        with self._writer.lock:
            self._writer.noticed(left)
            for path in left:
                self._writer.tidy(path)
            self._writer.merge_late(wait=True)
        return tuple(self._writer.warnings[known:])

    def waiting(self) -> tuple[Problem, ...]:
        """Return what `late_writes` would merge, without merging."""
        from commonplace.core.model import Citation, Problem
        from commonplace.store.transactions.backups import late

        said = dict.fromkeys(self._left(), "it was saved while a write was interrupted")
        for found in late(self._own):
            said[found.path] = "an editor saved it during a write"
        hint = "run: commonplace index"
        return tuple(
            Problem(Citation(path, 1), WAITING, f"{why}; that version is not merged yet", hint)
            for path, why in said.items()
        )

    def _left(self) -> list[str]:
        """Return the files, by real path, with a save that a dead writer had displaced, as of the last sweep."""
        if not self._listing.leftovers:
            return []
        from commonplace.store.transactions.backups import left_behind

        return left_behind(self.root, self._listing.leftovers)

    def warn(self, path: str, code: str, message: str, hint: str) -> None:
        """Add a notice about a file, or the workspace as a whole ("."), for `notices`."""
        self._writer.warn(path, code, message, hint)

    def notices(self) -> tuple[Problem, ...]:
        """Return and clear the notices of writes since the last call: hard links, late saves, interrupted writes."""
        if self.__writer is None:
            return ()
        told = tuple(self.__writer.warnings)
        self.__writer.warnings.clear()
        return told

    @property
    def removal(self) -> Removal:
        """Removes text for good, including older copies; use it under the lock."""
        from commonplace.store.transactions.erase import Removal

        def leftovers() -> list[str]:
            self.sweep()
            return self._listing.leftovers

        return Removal(self._own, self._writer, self._sets, leftovers)

    @property
    def unfinished(self) -> bool:
        """Whether a removal is recorded and not finished: its process died, or is still running."""
        names = names_in(self._own.keep("journal"))
        return any(name.startswith("forget-") and name.endswith(".json") for name in names)

    # Modules that only writers need are imported by the first write.

    @property
    def _writer(self) -> Writer:
        if self.__writer is None:
            from commonplace.store.transactions.locked_writer import Writer

            self.__writer = Writer(self._own, lambda: self._listing.real)
        return self.__writer

    @property
    def _sets(self) -> Sets:
        if self.__sets is None:
            from commonplace.store.transactions.change_sets import Sets

            self.__sets = Sets(self._writer)
        return self.__sets


def _harmless(written: list[tuple[str, bytes | None, str | None]], *, allow_secret: bool) -> None:
    """Raise SecretRefused if files would gain text that looks like a secret, compared with their content now.

    Every text that a verb writes is checked here; saves of editors and texts restored by undo are not.
    """
    if not allow_secret:
        from commonplace.core.secrets.guard import FileChange, require_harmless

        known = ((path, None if was is None else was.decode(errors="replace"), text) for path, was, text in written)
        require_harmless(FileChange(*each) for each in known)


def _unchanged(found: list[tuple[str, bytes | None, str | None]]) -> None:
    """Raise ChangedUnderneath, naming every path whose content has another digest than assumed."""
    changed = [path for path, content, before in found if (None if content is None else digest(content)) != before]
    if changed:
        raise ChangedUnderneath(
            f"{', '.join(changed)} changed since {'they were' if len(changed) > 1 else 'it was'} read",
            "read the files again and repeat the edit; nothing was written",
        )
