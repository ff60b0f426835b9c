"""Sync: the files that changed, and only those, into the index. A rebuild is a sync from nothing.

Law: after any sequence of edits the index says what a rebuild would say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import opinions
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
        digests = index.digests()
        suspects = [path for path in _suspects(states, known, looked)]
        gone = [path for path in digests if path not in states]
        for path in gone:
            index.remove(path)
        added = changed = 0

        def documents() -> Iterator[tuple[Document, str, tuple[Opinion, ...]]]:
            nonlocal added, changed
            for done, path in enumerate(suspects):
                if progress is not None and done % 32 == 0:
                    progress(done, len(suspects))
                try:
                    document, digest, held = read(workspace, path, digests.get(path))
                except NotFound:  # gone since the sweep: the next one will see it
                    states.pop(path, None)
                    continue
                if document is None:
                    continue
                if path in digests:
                    index.remove(path)
                    changed += 1
                else:
                    added += 1
                yield document, digest, held

        # removals inside `documents` happen before the writer asks for a free row, file by file
        index.put(documents())
        index.keep_states(states, now)
        if progress is not None:
            progress(len(suspects), len(suspects))
        return _report(index, added, changed, len(gone))

    return index.transaction(work)


def _suspects(states: dict[str, State], known: dict[str, tuple[int, int, int, int]], looked: int) -> list[str]:
    """Paths whose state is new, changed, or too young at the last look to be trusted; in order."""
    horizon = looked - RACY
    return sorted(
        path for path, state in states.items() if known.get(path) != state or state[1] >= horizon or state[2] >= horizon
    )


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
    held = opinions.read(path, page.text) if path.startswith("bank/") and not document.conflict else ()
    return document, page.digest, held


def _report(index: Index, added: int, changed: int, removed: int) -> SyncReport:
    lines, _ = index.totals()
    files, facts, problems = index.sizes()
    return SyncReport(added, changed, removed, files, lines, facts, problems)
