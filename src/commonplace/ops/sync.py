"""Sync: the files that changed, and only those, into the index. A rebuild is a sync from nothing.

Law: after any sequence of edits the index says what a rebuild would say.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.core import copies, opinions
from commonplace.core.model import Citation, Problem, SyncReport
from commonplace.core.parse import Document, parse
from commonplace.errors import NotFound, WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.core.model import Opinion
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import State, Workspace

RACY = 2_000_000_000
"""ns: a file changed this shortly before the last look is hashed again, for a later change may carry the same time
stamp. Two seconds is the coarsest time stamp in use (FAT)."""


def sync(
    index: Index,
    workspace: Workspace,
    *,
    now: int,
    rebuild: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> SyncReport:
    """Bring the index up to date with the files; what was found, in files.

    Args:
        now: nanoseconds since the epoch, taken before the call.
        progress: told (files done, files to do) as it goes.
    """
    states = workspace.sweep()
    known, looked = ({}, 0) if rebuild else index.states()
    if not rebuild and not _suspects(states, known, looked) and len(states) == len(known):
        return _report(index, 0, 0, 0)

    def work() -> SyncReport:
        known, looked = index.states()
        if rebuild:
            index.clear()
            known = {}
        change = _Change(index, workspace, states, progress or (lambda *_: None))
        # removals inside `documents` happen before the writer asks for a free row, file by file
        index.put(change.documents(_suspects(states, known, looked)))
        index.keep_states(states, now)
        return _report(index, change.added, change.changed, len(change.gone))

    return index.transaction(work)


def _suspects(states: dict[str, State], known: dict[str, tuple[int, int, int, int]], looked: int) -> list[str]:
    """Paths whose state is new, changed, or too young at the last look to be trusted; in order."""
    horizon = looked - RACY
    return sorted(
        path for path, state in states.items() if known.get(path) != state or state[1] >= horizon or state[2] >= horizon
    )


class _Change:
    """What one sync does to the index: files that are gone leave it, those that changed are read again.

    Whether a file is a conflict copy depends on those beside it too: when one of them changes, it is looked at again.
    """

    def __init__(
        self, index: Index, workspace: Workspace, states: dict[str, State], progress: Callable[[int, int], None]
    ) -> None:
        self._index = index
        self._workspace = workspace
        self._states = states
        """What stays in it is remembered as read."""
        self._progress = progress
        self._digests = index.digests()
        self.gone = [path for path in self._digests if path not in states]
        self.added = self.changed = 0
        self._beside = copies.neighbours([*states, *self.gone])
        self._originals = {other for others in self._beside.values() for other in others}
        self._read: dict[str, Document] = {}
        """Those of them that this sync has read."""

    def documents(self, suspects: list[str]) -> Iterator[tuple[Document, str, tuple[Opinion, ...]]]:
        """Each document that the index shall hold, with its digest and opinions; what it held of it is removed."""
        index, copied = self._index, self._index.copies()
        for path in self.gone:
            index.remove(path)
        looked_at, touched = {*suspects, *self.gone}, set(self.gone)
        beside = [path for path, others in self._beside.items() if not looked_at.isdisjoint(others)]
        todo = sorted({*suspects, *beside} & self._states.keys(), key=copies.stem)  # a file before its copies
        for done, path in enumerate(todo):
            if done % 32 == 0:
                self._progress(done, len(todo))
            before = self._digests.get(path)
            again = not touched.isdisjoint(self._beside.get(path, ()))
            if not again and path not in looked_at:
                continue
            try:
                document, digest, held = read(self._workspace, path, None if again else before)
            except NotFound:  # gone since the sweep: the next one will see it
                self._states.pop(path, None)
                continue
            if document is None:
                continue
            if path in self._originals:
                self._read[path] = document
            if digest != before:
                touched.add(path)
            document = self._marked(document)
            if digest and digest == before and document.copy_of == copied.get(path, ""):
                continue
            if before is None:
                self.added += 1
            else:
                index.remove(path)
                self.changed += 1
            yield document, digest, () if document.conflict else held
        self._progress(len(todo), len(todo))

    def _marked(self, document: Document) -> Document:
        """The document, marked where it is a conflict copy."""
        there = [other for other in self._beside.get(document.path, ()) if other in self._states]
        source = copies.original(document, [self._document(other) for other in there])
        return document if source is None else copies.marked(document, source)

    def _document(self, path: str) -> Document:
        found = self._read.get(path)
        if found is None:
            with suppress(NotFound):
                found, _, _ = read(self._workspace, path, None)
            self._read[path] = found = found or parse(path, "")
        return found


def read(workspace: Workspace, path: str, digest: str | None) -> tuple[Document | None, str, tuple[Opinion, ...]]:
    """One file as a document, with its digest and opinions; None in its place when its digest is the one given."""
    try:
        page = workspace.read(path)
    except NotFound:
        raise
    except WorkspaceError as error:
        problem = Problem(Citation(path, 1), error.code, error.message, error.hint)
        return Document(path, None, (), (problem,), "", (), conflict=False), "", ()
    if page.digest == digest:
        return None, digest, ()
    document = parse(path, page.text)
    held = path.startswith("bank/") or opinions.may_hold(document)
    return document, page.digest, opinions.read(path, page.text) if held else ()


def _report(index: Index, added: int, changed: int, removed: int) -> SyncReport:
    lines, _ = index.totals()
    files, facts, problems = index.sizes()
    return SyncReport(added, changed, removed, files, lines, facts, problems)
