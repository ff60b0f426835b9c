"""Sync: indexes the files that changed. A rebuild is a sync from nothing.

Laws: after any sequence of edits the index equals that of a rebuild; a file that exists and cannot be read keeps its
earlier content in the index until it can be read again or is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import SyncReport

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import State, Workspace

RACY = 2_000_000_000
"""ns: a file changed this shortly before the last sync is hashed again, because a later change may have the same time
stamp. Two seconds is the coarsest time stamp in use (FAT).
"""


def sync(
    index: Index,
    workspace: Workspace,
    *,
    now: int,
    rebuild: bool = False,
    embeds: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, int, int]:
    """Bring the index up to date with the files; return how many were added, changed and removed.

    Args:
        now: nanoseconds since the epoch, taken before the call.
        embeds: whether the passages to embed are noted; an index without them is rebuilt.
        progress: called with (files done, files to do).
    """
    rebuild = rebuild or (embeds and not index.embeds)
    known, looked = ({}, 0) if rebuild else index.states()  # first: what is known and not seen then is gone
    states = workspace.sweep()
    if not rebuild and not _suspects(states, known, looked=looked) and len(states) == len(known):
        unlisted = {(each.source.path, each.code) for each in workspace.unlisted}
        if unlisted == {(each.path, each.code) for each in index.unread() if each.path not in states}:
            return 0, 0, 0

    # here, because usually nothing changed, and the parsers are not needed
    from commonplace.ops.index.reindex import Reindexing

    def work() -> tuple[int, int, int]:
        there = states
        current = index.states()
        if current != (known, looked):  # indexed meanwhile, perhaps with files that this sweep was too early to see
            there = workspace.sweep()
        if rebuild:
            index.writer.clear(embeds=embeds)
            current = {}, 0
        suspects = _suspects(there, current[0], looked=current[1])
        change = Reindexing(index, workspace, states=there, known=current[0], suspects=suspects)
        index.writer.put(change.documents(progress or (lambda *_: None)))
        index.writer.keep_states(there, now, change.unread.values(), anew=rebuild or change.anew)
        return change.added, change.changed, len(change.gone)

    return index.transaction(work)


def _suspects(states: dict[str, State], known: dict[str, State], *, looked: int) -> list[str]:
    """Return the sorted paths with a new or changed state, or one too recent at the last sync to be trusted."""
    horizon = looked - RACY
    return sorted(
        path for path, state in states.items() if known.get(path) != state or state[1] >= horizon or state[2] >= horizon
    )


def report(index: Index, changes: tuple[int, int, int]) -> SyncReport:
    """Return what an index holds after a sync that made these changes; a recall does not ask."""
    lines, _ = index.totals()
    files, facts, problems = index.sizes()
    return SyncReport(*changes, files, lines, facts, problems + len(index.unread()))
