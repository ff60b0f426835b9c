"""Doctor's checks of a workspace, and its safe repairs.

Looking brings the index up to date, as any read does, and may make our own lock.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from commonplace.config import FORMAT, missing, today
from commonplace.core.model import Finding, Level
from commonplace.errors import CommonplaceError, NotWritable, UsageError, WorkspaceError
from commonplace.memory.forget_facts import finish
from commonplace.ops.index.sync_index import sync
from commonplace.ops.views import diagnose
from commonplace.ops.views.check_problems import check
from commonplace.ops.views.diagnose import troubles
from commonplace.store.git import tracked
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.inspection import Examined, examined, library
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.core.model import Problem
    from commonplace.memory import Memory
    from commonplace.store.workspace.health import Care, Mount

__all__ = ["examination", "looked"]


def examination(memory: Memory, *, fix: bool) -> tuple[Finding, ...]:
    """The findings about a memory; with `fix`, after repairing what is safe."""
    before = tuple(_findings(memory))
    if not fix or not any(each.fixable for each in before):
        return before
    failed = _mend(memory, before)
    after = tuple(_findings(memory))
    still = {(each.area, each.message) for each in after}
    mended = (
        each._replace(level=Level.MENDED, hint="", fixable=False)
        for each in before
        if each.fixable and (each.area, each.message) not in still
    )
    return (*mended, *failed, *after)


def _findings(memory: Memory) -> Iterator[Finding]:
    root = memory.root
    if not os.path.isdir(root):
        yield Finding("workspace", Level.WRONG, *missing(root, os.environ))
        return
    try:
        settings = memory.settings
    except UsageError as error:
        yield Finding("settings", Level.WRONG, error.message, error.hint)
        return
    workspace = _workspace(memory)
    if not workspace.begun:
        hint = f"to create one: commonplace init {root}; to use another: --workspace DIR"
        yield Finding("workspace", Level.WRONG, f"{root} is not a workspace: it contains no Markdown to read", hint)
        return
    states = workspace.sweep()
    care, file = workspace.care, examined(workspace.index_path)
    mount, day = care.mount(), today(settings)
    yield Finding("workspace", Level.OK, f"{root}: {len(states):,} file{'' if len(states) == 1 else 's'}")
    if settings.format > FORMAT:
        said = f"the workspace has format {settings.format}, this program writes format {FORMAT}: it can only read here"
        yield Finding("settings", Level.WRONG, said, "install a newer commonplace")
    problems = cache(lambda: _problems(workspace, file=file))
    looks: dict[str, Callable[[], Iterator[Finding]]] = {
        "permissions": lambda: diagnose.permissions(care, mount),
        "text": lambda: diagnose.text(problems()),
        "index": lambda: diagnose.index(file, library(), workspace.index_path),
        "folder": lambda: diagnose.folder(care, tracked=tracked(root, ".memory")),
        "leftovers": lambda: diagnose.leftovers(care),
        "locks": lambda: _locks(workspace, care, mount=mount),
        "disk": lambda: diagnose.disk(care.room(), _size(workspace.index_path)),
        "clock": lambda: diagnose.clock(states, memory.today, zone=day.zone, note=day.note, now=time.time_ns()),
        "secrets": lambda: diagnose.secrets(problems()),
        "servers": lambda: diagnose.running(care),
        "meaning": lambda: _meaning(memory, file),
        "fleet": lambda: _fleet(memory),
    }
    for area, look in looks.items():
        yield from looked(area, look)


def _meaning(memory: Memory, file: Examined) -> Iterator[Finding]:
    """Check whether recall can search by meaning, if it is on."""
    if not memory.embeds or file.state not in ("sound", "none", "older"):
        return
    from commonplace.memory.semantic_verbs import semantic_state

    state = semantic_state(memory)
    if state.problem:
        hint = "commonplace semantic status says more; commonplace semantic off turns meaning off"
        yield Finding("meaning", Level.WARN, f"recall answers by words alone: {state.problem}", hint)
    else:
        left = f"; the other {state.left:,}: commonplace embed" if state.left else ""
        yield Finding("meaning", Level.OK, f"{state.told}{left}")


def _fleet(memory: Memory) -> Iterator[Finding]:
    """Check the fleet, if one is on."""
    if memory.settings.fleet.url:
        from commonplace.memory.fleet.fleet_look import fleet_findings

        yield from fleet_findings(memory)


def looked(area: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of one check; if it fails, a finding that says so."""
    try:
        yield from look()
    except Exception as error:  # files of ours and of others may hold anything
        said, hint = _told(error, "run doctor again")
        yield Finding(area, Level.WRONG, f"it could not be checked: {said}", hint)


def _told(error: Exception, again: str) -> tuple[str, str]:
    """Message and hint of an error."""
    if isinstance(error, CommonplaceError):
        return error.message, error.hint or f"fix that, and {again}"
    if isinstance(error, OSError):
        return str(error), f"fix its permissions, and {again}"
    return f"a bug in commonplace: {type(error).__name__}: {error}", "report it; everything else was checked"


def _locks(workspace: Workspace, care: Care, *, mount: Mount) -> Iterator[Finding]:
    there = os.path.isdir(workspace.memory_dir) and workspace.writable
    kernel = not there or care.holder() is not None or workspace.locks
    return diagnose.locks(care, mount, kernel=kernel, exchange=not there or workspace.exchange)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _workspace(memory: Memory) -> Workspace:
    """The files, opened without finishing interrupted changes, which are findings."""
    settings = memory.settings
    return Workspace(memory.root, include=settings.include, core=settings.core, max_file_bytes=settings.max_file_bytes)


def _problems(workspace: Workspace, *, file: Examined) -> tuple[Problem, ...]:
    """The problems that `check` lists; from an index in memory if the index file is not sound, to leave it
    unchanged."""
    if file.state == "sound":
        with suppress(CommonplaceError, *Index.refused, *Index.damaged), Index(workspace.index_path) as index:
            sync(index, workspace, now=time.time_ns())
            return check(index, workspace)
    with Index(":memory:") as index:
        sync(index, workspace, now=time.time_ns())
        return check(index, workspace)


def _mend(memory: Memory, found: tuple[Finding, ...]) -> list[Finding]:
    """Repair what is safe, area by area; the findings of failed repairs."""
    areas = {each.area for each in troubles(found) if each.fixable}
    workspace = _workspace(memory)
    workspace.sweep()
    steps: dict[str, Callable[[], None]] = {
        "folder": workspace.care.mend,
        "index": lambda: _make_index(memory, workspace),
        "leftovers": lambda: _clear(memory, workspace),  # takes the index
        "servers": workspace.care.forget_dead,
    }
    failed = []
    for area, step in steps.items():
        if area in areas:
            try:
                step()
            except Exception as error:  # the rest can be mended all the same
                said, hint = _told(error, "try again")
                failed.append(Finding(area, Level.WRONG, f"--fix failed: {said}", hint))
    return failed


def _clear(memory: Memory, workspace: Workspace) -> None:
    """Finish interrupted changes, merge late saves, remove useless files. Raises CommonplaceError, OSError."""
    workspace.care.clear()
    workspace.late_writes()
    for done in finish(memory._access, memory.workspace, asked=True):
        if not done.complete:
            said, hint = done.problems[0][2:4] if done.problems else (done.why, "")
            raise NotWritable(f"an interrupted forget is not finished: {said}", hint)
    if workspace.removal.noted():
        hint = "finish it with that version: commonplace doctor --fix"
        raise WorkspaceError("another version of commonplace began a forget", hint)


def _make_index(memory: Memory, workspace: Workspace) -> None:
    """Replace the index by a new one; everything in it is derived."""
    memory.close()
    path = workspace.index_path
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)
    if os.path.isdir(path) and not os.path.islink(path):
        os.rename(path, f"{path}.{time.time_ns()}.not-an-index")
    else:
        with suppress(FileNotFoundError):
            os.unlink(path)
    memory.index(rebuild=True)
