"""Verbs of the index: sync, state, problems."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.config import today
from commonplace.errors import CommonplaceError, IndexUnusable
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.core.model import Finding, Problem, SyncReport
    from commonplace.memory import Memory
    from commonplace.memory.status_report import Status
    from commonplace.store.workspace.unread_files import LeftOut


def index(memory: Memory, *, rebuild: bool = False, progress: Callable[[int, int], None] | None = None) -> SyncReport:
    """Bring the index up to date, or rebuild it; the result. Late saves that `check` lists are merged.

    Raises IndexUnusable when its file cannot be written; the Markdown is untouched.
    """
    from commonplace.ops.index.sync_index import report, sync

    told = memory._tells(progress)

    def work() -> SyncReport:
        index = memory._access.opened(anew=rebuild, begin=True)
        if memory._access.degraded:
            remedy = memory._access.remedy or "check the disk and its permissions; recall still works"
            raise IndexUnusable(memory._access.degraded, remedy)
        try:
            changes = sync(
                index, memory.workspace, now=time.time_ns(), rebuild=rebuild, embeds=memory.embeds, progress=told
            )
            if memory._known_format and _merged(memory):
                changes = sync(index, memory.workspace, now=time.time_ns(), embeds=memory.embeds, progress=progress)
        except Index.refused as error:
            raise IndexUnusable(
                f"the index cannot be written: {error}", "free some space, or delete .memory"
            ) from error
        index.fresh = False
        return report(index, changes)

    return memory._access.mended(work)


def _merged(memory: Memory) -> bool:
    """Merge late saves, as far as possible now; whether there were any."""
    try:
        return bool(memory.workspace.late_writes())
    except CommonplaceError:  # it goes on waiting, and the index is good without it
        return False


def left_out(memory: Memory) -> tuple[LeftOut, ...]:
    """The folders and files that are not read, and why, as `status` has them; the index is not needed for it."""
    from commonplace.store.workspace.unread_files import left_out

    return left_out(memory.root, memory.workspace.sweep().keys(), problems=())


def status(memory: Memory) -> Status:
    """The state of the workspace and its index."""

    def work() -> Status:
        from commonplace.core.documents.file_problems import UNREAD
        from commonplace.memory.fleet.fleet_look import fleet_told
        from commonplace.memory.semantic_verbs import semantic_state
        from commonplace.memory.status_report import Status
        from commonplace.ops.beliefs.unreadable import unread as missed
        from commonplace.ops.views.check_problems import check
        from commonplace.store.fs.server_records import servers
        from commonplace.store.workspace.unread_files import left_out, read_in

        fresh = not memory._access.changed()
        index = memory._access.fresh()
        path = memory.workspace.index_path
        day = today(memory.settings)
        waits = (f"{each.source.path}: {each.message}; {each.hint}" for each in memory.workspace.waiting())
        lacks = (f"{each.message}; {each.hint}" for each in missed(index))
        notes = tuple(note for note in (memory._access.scanned, day.note, *waits, *lacks) if note)
        problems = check(index, memory.workspace)
        missing = {(each.path, each.code) for each in index.unread()}
        missing |= {(each.source.path, each.code) for each in memory.workspace.skipped}
        unread = [each for each in problems if each.code in UNREAD and (each.source.path, each.code) in missing]
        paths = memory.workspace.sweep().keys() - {each.source.path for each in unread}
        return Status(
            root=memory.root,
            index_path=path,
            index_bytes=os.path.getsize(path) if os.path.exists(path) else 0,
            fresh=fresh,
            writable=memory.workspace.writable and not memory.workspace.care.closed(),
            exchange=memory.workspace.begun and memory.workspace.exchange,  # else it takes a file of ours to find out
            **{**index.counts(), "files": len(paths)},
            problems=len(problems),
            read=read_in(paths),
            left_out=left_out(memory.root, paths, problems=unread),
            servers=tuple(each for each in servers(memory.workspace.memory_dir) if each.running),
            meaning=semantic_state(memory).told,
            fleet=fleet_told(memory, index),
            today=memory.today,
            zone=day.zone,
            notes=notes,
        )

    return memory._access.mended(work)


def check(memory: Memory) -> tuple[Problem, ...]:
    """All problems in the Markdown and of its files, ordered by path and line.

    The index is looked over as well, and made anew if there is damage in it.
    """

    def work() -> tuple[Problem, ...]:
        from commonplace.ops.views.check_problems import check

        with suppress(*Index.refused):
            if memory._access.opened().verify() is not None:
                memory._access.make_anew()
        return check(memory._access.fresh(), memory.workspace)

    return memory._access.mended(work)


def doctor(memory: Memory, *, fix: bool = False) -> tuple[Finding, ...]:
    """Problems of the workspace, its index and the system, each with the next step.

    Args:
        fix: mend what is safe: the index, our own folder, what killed writers left, or had begun. No other text of
            a person's changes.
    """
    from commonplace.memory.look_over import examination

    return examination(memory, fix=fix)
