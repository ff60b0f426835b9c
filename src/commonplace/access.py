"""Access to the index of a memory: opened, kept up to date, replaced by one in memory if unusable, rebuilt if
damaged."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from commonplace.errors import Busy, CommonplaceError
from commonplace.store.fs.state_dir import read_private
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.store.fs.inotify import Ears
    from commonplace.store.workspace import Workspace

T = TypeVar("T")
VECTORS = "vectors"
"""Name of the folder with vectors, in `.memory`."""
CORRUPT = ".corrupt"
"""Ends the name of a damaged index that was moved aside."""
_SWEEPS = 3
"""Looks at every file after which a process is one that stays, and asks the kernel to note changes instead …"""
_MANY = 200
"""… where there are at least so many files."""
_NEVER = 10**9
_SELDOM = 30.0
"""Seconds after which every file is looked at all the same: some ways to write leave no note at once."""


def noted(*notes: str) -> str:
    """The non-empty notes, joined."""
    return "; ".join(note for note in notes if note)


class Access:
    """The index of a workspace, kept open.

    Args:
        workspace: gives the files; asked when they are needed, so that making one of these costs nothing.
        embeds: whether meaning is on, so that passages to embed are noted.
    """

    def __init__(self, workspace: Callable[[], Workspace], embeds: Callable[[], bool] = bool) -> None:
        self._workspace = workspace
        self._embeds = embeds
        self._index: Index | None = None
        self.degraded = ""
        """Why there is no index file; empty when there is one."""
        self.remedy = ""
        """What would help then."""
        self.stale = False
        """Whether the index could not be brought up to date."""
        self._unbegun = False
        """Whether there was no memory yet, so that nothing was made on the disk."""
        self._sound = False
        """Whether SQLite looked the index over and found no damage."""
        self._ears: Ears | None = None
        self._heard_by = 0
        """The process that listens."""
        self._sweeps = 0
        self._quiet: tuple[int, Workspace] | None = None
        """By what an index and its files are known that say the same unless the kernel noted a change; None when they
        may not."""
        self._swept = 0.0
        """When every file was looked at last; monotonic seconds."""
        self.progress: Callable[[int, int], None] | None = None
        """Told (done, of) by a read that must first read many files; what it raises ends that read."""

    def close(self) -> None:
        """Close the index file."""
        self._quiet, self._sweeps, self._sound = None, 0, False
        if self._ears is not None:
            self._ears.close()
            self._ears = None
        if self._index is not None:
            self._index.close()
            self._index = None

    def opened(self, *, anew: bool = False, begin: bool = False) -> Index:
        """The open index; one in memory if the file cannot be used, which `status` and bundles report.

        Args:
            anew: replace what a newer program made of it.
            begin: make one even where there is no memory yet.
        """
        if self._index is not None and (anew or not self._index.current()):
            self.close()
        if self._unbegun and (begin or self._workspace().begun):
            self.close()
        if self._index is None:
            workspace = self._workspace()
            self.degraded = ""
            self._unbegun = not begin and not workspace.begun
            if self._unbegun:
                self._index = Index(":memory:")
                return self._index
            try:
                workspace.ensure_memory_dir()
                self._index = _open(workspace.index_path, anew=anew)
            except (OSError, CommonplaceError, *Index.refused) as error:
                said, self.remedy = (error.message, error.hint) if isinstance(error, CommonplaceError) else (error, "")
                self.degraded = f"the index cannot be used ({said})"
                self._index = Index(":memory:")
        return self._index

    def fresh(self, *, sync: bool = True, told: bool = True) -> Index:
        """The index, brought up to date with the files.

        Args:
            told: tell `progress` (files done, files to do); what it raises ends the verb, so not after a write.
        """
        from commonplace.ops.index.sync_index import sync as bring_up_to_date

        index, progress = self.opened(), self.progress if told else None
        if sync and (self._unchanged(index) or self._vouched(index)):
            return index
        if sync or index.fresh:
            try:
                bring_up_to_date(index, self._workspace(), now=time.time_ns(), embeds=self._embeds(), progress=progress)
                index.fresh = False
                self._listen(index)
            except Index.refused as error:
                self._scan(f"the index cannot be written ({error})")
            except Busy as error:
                if index.fresh:  # it holds nothing yet: another program is filling it
                    self._scan(error.message)
                self.stale = True
        # What was just read answers, even if somebody deleted its file meanwhile: a new one would be empty.
        return self._index or self.opened()

    def _unchanged(self, index: Index) -> bool:
        """Whether the kernel reported no change since the last sync, so that no file needs to be checked."""
        if self._ears is None or self._heard_by != os.getpid():  # a fork shares the notes, and must not take them
            return False
        quiet, self._quiet = self._quiet, None
        if self._ears.changed() or quiet != (index.looked(), self._workspace()):
            return False
        if time.monotonic() - self._swept > _SELDOM:
            return False
        self._quiet = quiet
        return True

    def _listen(self, index: Index) -> None:
        """Use the kernel's change notices from now on, if checking every file again and again would cost more."""
        self._sweeps += 1
        self._swept = time.monotonic()
        if self._sweeps < _SWEEPS or self.degraded or index.sizes()[0] < _MANY:
            return
        workspace = self._workspace()
        try:
            if self._ears is None:
                from commonplace.store.fs.inotify import Ears

                self._ears, self._heard_by = Ears(), os.getpid()
            if self._heard_by != os.getpid():
                return
            new = self._ears.attend(workspace.root, workspace.folders, elsewhere=workspace.elsewhere)
        except (OSError, ImportError, AttributeError):  # not this kernel, or no more of it
            self._sweeps = -_NEVER
            return
        looked = index.looked()
        if self._ears.reliable and not new and looked and not index.unread():
            self._quiet = looked, workspace

    def _vouched(self, index: Index) -> bool:
        """Whether a running watcher confirms that this index is up to date, so that no file needs to be checked."""
        if index.fresh or self.degraded or not self._workspace().watched:
            return False
        from commonplace.store.workspace.freshness import vouched

        looked = index.looked()  # the kernel need not note that what could not be read can be
        return looked > 0 and not index.unread() and vouched(self._workspace(), looked)

    def _scan(self, why: str) -> None:
        """Answer from an index in memory from now on."""
        from commonplace.ops.index.sync_index import sync as bring_up_to_date

        self.close()
        self.degraded, self.remedy = why, ""
        self._index = Index(":memory:")
        bring_up_to_date(self._index, self._workspace(), now=time.time_ns())

    @property
    def scanned(self) -> str:
        """Why every file was read for the answer; empty if the index file was used."""
        return noted(self.degraded, "every file was read for this answer", self.remedy) if self.degraded else ""

    def mended(self, work: Callable[[], T]) -> T:
        """The result of `work`, repeated with a new index if this one cannot be read or is damaged.

        Damage is what SQLite calls so, or what it finds when it is asked because our own code stumbled over a value.
        Anything else is a bug: it is raised as it is, and the index stays.
        """
        try:
            return work()
        except (CommonplaceError, OSError):
            raise
        except Index.refused as error:
            self._scan(f"the index cannot be read ({error})")
        except Index.damaged:
            if self.degraded:
                raise
            self.make_anew()
        except Exception:
            if self.degraded or not self._is_damaged():
                raise
            self.make_anew()
        return work()

    def _is_damaged(self) -> bool:
        """Whether SQLite finds damage in the index; checked once, because a bug would repeat the check at each call."""
        if self._sound or self._index is None:
            return False
        with suppress(*Index.refused):
            self._sound = self._index.verify() is None
            return not self._sound
        return False

    def make_anew(self) -> None:
        """Move the index aside, unless another version has made its own; the next to open it makes a new one."""
        ours = True
        with suppress(*Index.damaged, *Index.refused):
            ours = self._index is None or self._index.current()
        self.close()
        if ours:
            _set_aside(self._workspace().index_path)

    def clean(self, texts: Sequence[str]) -> str:
        """Leave no trace in the index of what is gone from the files; why that failed, in words, or nothing.

        An index that cannot be cleaned is deleted: all of it is derived.

        Args:
            texts: of which no byte may be left.
        """
        path = self._workspace().index_path
        try:
            self.stale = False
            if self.degraded:
                self.opened(anew=True)  # a newer program's holds it, too
            index = self.fresh(told=False)
            if self.stale:
                return "another program is writing the index, which may still contain the removed text"
            if not self.degraded:
                index.shrink()
                self._clean_vectors(index)
                if not _hold(path, texts):
                    return ""
        except Busy as busy:
            return f"{busy.message}: {busy.hint}"
        except (OSError, CommonplaceError, *Index.refused, *Index.damaged):
            pass
        self.close()
        try:
            for suffix in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
        except OSError as error:
            return f"{path} may still contain the removed text and cannot be deleted ({error.strerror})"
        return ""

    def _clean_vectors(self, index: Index) -> None:
        """Remove the vectors of lines that are gone. Raises CommonplaceError."""
        memory_dir = self._workspace().memory_dir
        if not os.path.isdir(os.path.join(memory_dir, VECTORS)):
            return
        try:
            from commonplace.store.vectors.vector_set import keep_only

            keep_only(memory_dir, [key for key, _ in index.all_passages()])
        except ImportError:  # the extra is no longer installed
            import shutil

            shutil.rmtree(os.path.join(memory_dir, VECTORS))

    def changed(self) -> bool:
        """Whether files have changed since the index last looked at them."""
        index = self.opened()
        if self._unchanged(index) or self._vouched(index):
            return False
        return index.states()[0] != self._workspace().sweep()

    def reads(self, work: Callable[[Index], T], *, sync: bool = True) -> T:
        """The result of `work` on the index, in one read transaction."""

        def once() -> T:
            index = self.fresh(sync=sync)
            return index.reading(lambda: work(index))

        return self.mended(once)


def _open(path: str, *, anew: bool) -> Index:
    """The index at a path; a damaged file is moved aside first."""
    try:
        return Index(path, anew=anew)
    except Index.damaged:
        _set_aside(path)
        return Index(path)


def _hold(path: str, texts: Sequence[str]) -> bool:
    """Whether an index file contains any of these texts."""
    for name in (path, path + "-wal"):
        if os.path.exists(name):
            content = read_private(name)
            if any(text.encode() in content for text in texts):
                return True
    return False


def _set_aside(path: str) -> None:
    """Rename a damaged index and delete its log files; nothing is lost, all of it is derived."""
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    if os.path.exists(path):
        os.replace(path, path + CORRUPT)
