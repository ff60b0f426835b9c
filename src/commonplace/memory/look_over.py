"""Doctor's examination of a workspace, and the safe repairs.

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
    """What there is to say of a memory; with `fix`, after what is safe was mended."""
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
        hint = f"make it one: commonplace init {root}; or name another with --workspace"
        yield Finding(
            "workspace", Level.WRONG, f"{root} is no workspace: it holds no Markdown that would be read", hint
        )
        return
    states = workspace.sweep()
    care, file = workspace.care, examined(workspace.index_path)
    mount, day = care.mount(), today(settings)
    yield Finding("workspace", Level.OK, f"{root}: {len(states):,} file{'' if len(states) == 1 else 's'}")
    if settings.format > FORMAT:
        said = f"the workspace has format {settings.format}, this program writes format {FORMAT}: it only reads here"
        yield Finding("settings", Level.WRONG, said, "install a newer commonplace")
    problems = cache(lambda: _problems(memory, workspace, file=file))
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
    }
    for area, look in looks.items():
        yield from looked(area, look)


def looked(area: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What a look finds; where it fails, that: the rest can be looked at all the same."""
    try:
        yield from look()
    except Exception as error:  # files of ours and of others may hold anything
        said, hint = _told(error, "look again")
        yield Finding(area, Level.WRONG, f"it could not be looked at: {said}", hint)


def _told(error: Exception, again: str) -> tuple[str, str]:
    """What went wrong, and what to do about it."""
    if isinstance(error, CommonplaceError):
        return error.message, error.hint or f"mend that, and {again}"
    if isinstance(error, OSError):
        return str(error), f"mend its permissions, and {again}"
    return f"a bug of commonplace: {type(error).__name__}: {error}", "report it; all else was looked at"


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
    """The files, opened without finishing what a crash interrupted: that is told first."""
    settings = memory.settings
    return Workspace(memory.root, include=settings.include, core=settings.core, max_file_bytes=settings.max_file_bytes)


def _problems(memory: Memory, workspace: Workspace, *, file: Examined) -> tuple[Problem, ...]:
    """What `check` lists; by an index in memory where the file is none to go by, so that it stays as it is."""
    core = memory.settings.core
    if file.state == "sound":
        with suppress(CommonplaceError, *Index.refused, *Index.damaged), Index(workspace.index_path) as index:
            sync(index, workspace, now=time.time_ns())
            return check(index, workspace, core)
    with Index(":memory:") as index:
        sync(index, workspace, now=time.time_ns())
        return check(index, workspace, core)


def _mend(memory: Memory, found: tuple[Finding, ...]) -> list[Finding]:
    """Do what is safe, a step an area; what could not be done."""
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
                failed.append(Finding(area, Level.WRONG, f"--fix could not mend it: {said}", hint))
    return failed


def _clear(memory: Memory, workspace: Workspace) -> None:
    """Finish what was cut short, merge what waits, remove what is of no use. Raises CommonplaceError, OSError."""
    workspace.care.clear()
    workspace.late_writes()
    for done in finish(memory._access, memory.workspace, asked=True):
        if not done.complete:
            said, hint = done.problems[0][2:4] if done.problems else (done.why, "")
            raise NotWritable(f"what is to be forgotten is not all gone: {said}", hint)
    if workspace.removal.noted():
        hint = "finish it with that version: commonplace doctor --fix"
        raise WorkspaceError("another version of commonplace noted what is to be forgotten", hint)


def _make_index(memory: Memory, workspace: Workspace) -> None:
    """A new index; what is in its place is derived, or nothing that we know."""
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
