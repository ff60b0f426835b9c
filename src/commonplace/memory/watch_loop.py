"""A watcher: keeps the index up to date, and confirms to readers that nothing has changed.

Law: it vouches for an index only while no note of a change has come since before the sync that left that index as it
is. Everything else, its own death included, means that the reader looks for itself.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from commonplace.config import SETTINGS_FILE
from commonplace.errors import Busy, ExtensionMissing
from commonplace.memory.background_embedding import BackgroundEmbedding
from commonplace.ops.index.sync_index import report, sync
from commonplace.store.fs.inotify import Ears

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.core.model import SyncReport
    from commonplace.memory import Memory
    from commonplace.store.workspace.freshness import Watcher

QUIET = 0.05
"""Seconds without a change before a sync: an editor saves in several steps."""
LATEST = 0.5
"""Seconds after which a sync starts although changes go on."""
REST = 4
"""A sync is not followed by another until so many times its own length has passed."""
SELDOM = 30.0
"""Seconds between syncs that no note has asked for: some ways to write leave none at once."""
AGAIN = 1.0
"""Seconds before what failed is tried again."""
NOTED = sys.platform == "linux"
"""Whether the kernel keeps notes of changes in order, and before the change's own call returns."""


class CaughtUp(NamedTuple):
    """A sync by a watcher."""

    report: SyncReport
    looked: int
    """What the index is known by; 0 where another program wrote it meanwhile."""
    folders: list[str]
    elsewhere: bool


def caught_up(memory: Memory, *, progress: Callable[[int, int], None]) -> CaughtUp:
    """The result of a sync, with the mark by which a reader's index is recognised as this one."""
    with memory.lock:
        index, workspace = memory._access.opened(), memory.workspace
        if memory._access.degraded:
            raise Busy(memory._access.degraded, memory._access.remedy)
        before, now = index.looked(), time.time_ns()
        changes = sync(index, workspace, now=now, progress=progress)
        index.fresh = False
        after = index.looked()
        return CaughtUp(
            report(index, changes), after if after in (before, now) else 0, workspace.folders, workspace.elsewhere
        )


class Watch:
    """One run of a watcher.

    Args:
        opened: gives the memory; asked again when its index or its settings were replaced.
        tell: is told in a line what was done. warn: what keeps it from working.
    """

    def __init__(
        self, opened: Callable[[], Memory], *, tell: Callable[[str], None], warn: Callable[[str], None]
    ) -> None:
        self._opened, self._tell, self._warn = opened, tell, warn
        self._memory = opened()
        self._given = self._settings()
        self._stopping = False
        self._awake, self._wake = os.pipe()
        self._thread: threading.Thread | None = None
        self._result: CaughtUp | Exception | None = None
        self._clean = 0
        """What the index is known by that nothing has changed since; 0 when something may have."""
        self._changes = 0
        """How often there was word of changes."""
        self._began_at = 0
        """`_changes` when the last sync began."""
        self._first = self._last = 0.0
        """When the first and the last change came that no sync began after; monotonic seconds, 0 for none."""
        self._not_before = self._ended = 0.0
        self._reopen = False
        self._warned = ""
        self._embedding = BackgroundEmbedding()

    def stop(self) -> None:
        """Make `run` end; for signal handlers and other threads."""
        self._stopping = True
        os.write(self._wake, b".")

    def run(self) -> None:
        """Watch until stopped. Raises Busy where another watcher runs, ExtensionMissing, NotAWorkspace, NotWritable."""
        try:
            if NOTED:
                with _Ears(self._memory) as ears:
                    self._tell(f"watching {self._memory.root}")
                    self._heed(ears)
            else:
                self._follow()
        finally:
            if self._thread is not None:
                self._thread.join()
            self._embedding.close()
            self._memory.close()
            os.close(self._wake)
            os.close(self._awake)
            self._tell("no longer watching")

    # -- with the kernel's notes: readers may ask

    def _heed(self, ears: _Ears) -> None:
        self._changed()
        while not self._stopping:
            if ears.wait(self._awake, self._pause()):
                os.read(self._awake, 1 << 10)
            self._listen(ears)
            if self._thread is not None and self._result is not None:
                self._thread.join()
                self._thread = None
                self._took(ears)
            ears.answer(lambda looked: self._vouches(ears, looked))
            if self._thread is None and self._due() <= time.monotonic():
                if not ears.stand():
                    ears.open(self._memory)
                    self._changed()
                self._start()

    def _listen(self, ears: _Ears) -> None:
        if ears.changed():
            self._changed()

    def _vouches(self, ears: _Ears, looked: int) -> bool:
        """Whether an index with the mark `looked` contains the current content of the files."""
        self._listen(ears)
        if self._clean and looked != self._clean:  # not ours: it was deleted, or another program brought it up to date
            self._reopen = True
            self._changed()
        return bool(self._clean) and ears.reliable

    def _changed(self) -> None:
        self._clean = 0
        self._changes += 1
        self._last = time.monotonic()
        self._first = self._first or self._last

    def _due(self) -> float:
        if not self._first:
            return self._ended + SELDOM
        return max(min(self._last + QUIET, self._first + LATEST), self._not_before)

    def _pause(self) -> float:
        return SELDOM if self._thread is not None else max(0.0, self._due() - time.monotonic())

    def _start(self) -> None:
        self._first, self._began_at = 0.0, self._changes
        self._result = None
        self._thread = threading.Thread(target=self._sync, name="commonplace-watch")
        self._thread.start()

    def _sync(self) -> None:
        began = time.monotonic()
        try:
            if self._reopen or self._settings() != self._given:
                self._memory.close()
                self._memory = self._opened()
                self._given, self._reopen = self._settings(), False
            self._result = caught_up(self._memory, progress=self._on)
        except Exception as error:  # told by `_took`
            self._result = error
        self._ended = time.monotonic()
        self._not_before = self._ended + REST * (self._ended - began)
        os.write(self._wake, b".")

    def _on(self, _done: int, _of: int) -> None:
        if self._stopping:
            raise Busy("the watcher is stopping")

    def _took(self, ears: _Ears) -> None:
        """Handle the result of a sync; confirm it from now on if nothing happened since it started."""
        done = self._result
        if not isinstance(done, CaughtUp):
            self._failed(done)
            return
        self._warned = ""
        self._told(done)
        if ears.heed(self._memory, done):
            self._changed()  # something may have happened in a folder before it was watched
        elif not done.looked:
            self._first = self._first or time.monotonic()
        elif self._changes == self._began_at:
            self._clean = done.looked
        if ears.why_not != self._warned and ears.why_not:
            self._warned = ears.why_not
            self._tell(f"recalls check all files themselves: {ears.why_not}")

    def _failed(self, error: Exception | None) -> None:
        """Report an error once, and schedule another try."""
        self._clean, self._reopen = 0, True
        self._first = self._first or time.monotonic()
        self._not_before = time.monotonic() + AGAIN
        if str(error) != self._warned and not self._stopping:
            self._warned = str(error)
            self._warn(f"commonplace: {error}; trying again")

    def _told(self, done: CaughtUp) -> None:
        self._embedding.tick(self._memory)
        report = done.report
        if report.added or report.changed or report.removed:
            self._tell(
                f"{report.added} files added, {report.changed} changed, {report.removed} removed; {report.files} in all"
            )

    def _settings(self) -> tuple[object, ...]:
        """The identity of the index file and the settings file."""
        found: list[object] = []
        for path in (self._memory.workspace.index_path, os.path.join(self._memory.root, SETTINGS_FILE)):
            try:
                state = os.stat(path)
            except OSError:
                found.append(None)
            else:
                found += [state.st_dev, state.st_ino, *((state.st_mtime_ns,) if path.endswith(".toml") else ())]
        return tuple(found)

    # -- without them: the index is kept warm, and readers look for themselves

    def _follow(self) -> None:
        try:
            from watchfiles import watch
        except ImportError:
            raise ExtensionMissing("watching needs watchfiles on this system", "watch") from None
        self._tell(f"watching {self._memory.root}; recalls check all files themselves")
        self._first = time.monotonic()
        for changes in watch(
            self._memory.workspace.root,
            watch_filter=lambda _, path: f"{os.sep}.memory" not in path,
            rust_timeout=int(1000 * AGAIN),
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            if self._stopping:
                return
            if changes:
                self._changed()
            if self._due() <= time.monotonic():
                self._start()
                assert self._thread is not None
                self._thread.join()
                if isinstance(self._result, CaughtUp):
                    self._told(self._result)
                else:
                    self._failed(self._result)


class _Ears(Ears):
    """The change notices of the kernel, and the requests of readers."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._watcher: Watcher | None = None
        try:
            self.open(memory)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> _Ears:
        return self

    def __exit__(self, *_: object) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self.close()

    def open(self, memory: Memory) -> None:
        """Open the socket for readers. Raises Busy if another watcher runs."""
        from commonplace.store.workspace.freshness import Watcher

        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None
        self._watcher = Watcher(memory.workspace)
        if not self._watcher.alone:
            raise Busy("another watcher runs for this workspace", "stop it first; one is enough")

    def wait(self, awake: int, seconds: float) -> bool:
        """Wait for an event; whether `awake` is readable."""
        heard = select.poll()
        heard.register(awake, select.POLLIN)
        heard.register(self._notices.fd, select.POLLIN)
        if self._watcher is not None:
            heard.register(self._watcher.fd, select.POLLIN)
        return any(fd == awake for fd, _ in heard.poll(1000 * seconds))

    def heed(self, memory: Memory, done: CaughtUp) -> bool:
        """Watch the folders of a sync; whether some are new."""
        if self._watcher is not None:
            self._watcher.claim = memory.workspace.claim
        return self.attend(memory.workspace.root, done.folders, elsewhere=done.elsewhere)

    def stand(self) -> bool:
        """Whether readers can find this watcher."""
        return self._watcher is not None and self._watcher.stands()

    def answer(self, vouches: Callable[[int], bool]) -> None:
        """Answer the requests of readers."""
        if self._watcher is not None:
            self._watcher.answer(vouches)
