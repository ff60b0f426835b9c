"""A workspace looked over, and put right where that is safe: nothing of a person's is touched."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from commonplace.config import missing, today
from commonplace.core.model import Finding
from commonplace.errors import CommonplaceError, UsageError
from commonplace.memory.opened import FORMAT
from commonplace.ops import doctor
from commonplace.ops.check import check
from commonplace.ops.doctor import MENDED, OK, WRONG, troubles
from commonplace.ops.sync import sync
from commonplace.store.git import tracked
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.examining import Examined, examined, library
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.core.model import Problem
    from commonplace.memory import Memory
    from commonplace.store.workspace.care import Care, Mount

__all__ = ["examination"]


def examination(memory: Memory, *, fix: bool) -> tuple[Finding, ...]:
    """What there is to say of a memory; with `fix`, after what is safe was mended."""
    before = tuple(_findings(memory))
    if not fix or not any(each.fixable for each in before):
        return before
    failed = _mend(memory, before)
    after = tuple(_findings(memory))
    still = {(each.area, each.message) for each in after}
    mended = (
        each._replace(level=MENDED, hint="", fixable=False)
        for each in before
        if each.fixable and (each.area, each.message) not in still
    )
    return (*mended, *failed, *after)


def _findings(memory: Memory) -> Iterator[Finding]:
    root = memory.root
    if not os.path.isdir(root):
        yield Finding("workspace", WRONG, *missing(root, os.environ))
        return
    try:
        settings = memory.settings
    except UsageError as error:
        yield Finding("settings", WRONG, error.message, error.hint)
        return
    workspace = _workspace(memory)
    if not workspace.begun:
        hint = f"make it one: commonplace init {root}; or name another with --workspace"
        yield Finding("workspace", WRONG, f"{root} is no workspace: it holds no Markdown that would be read", hint)
        return
    states = workspace.sweep()
    care, file = workspace.care, examined(workspace.index_path)
    mount, day = care.mount(), today(settings)
    yield Finding("workspace", OK, f"{root}: {len(states):,} file{'' if len(states) == 1 else 's'}")
    if settings.format > FORMAT:
        said = f"the workspace has format {settings.format}, this program writes format {FORMAT}: it only reads here"
        yield Finding("settings", WRONG, said, "install a newer commonplace")
    problems = cache(lambda: _problems(memory, workspace, file))
    looks: dict[str, Callable[[], Iterator[Finding]]] = {
        "permissions": lambda: doctor.permissions(care, mount),
        "text": lambda: doctor.text(problems()),
        "index": lambda: doctor.index(file, library(), workspace.index_path),
        "leftovers": lambda: doctor.own(care, care.interrupted(), care.litter(), tracked=tracked(root, ".memory")),
        "locks": lambda: _locks(workspace, care, mount),
        "disk": lambda: doctor.disk(care.room(), _size(workspace.index_path)),
        "clock": lambda: doctor.clock(states, memory.today, day.zone, day.note, time.time_ns()),
        "secrets": lambda: doctor.secrets(problems()),
        "servers": lambda: doctor.running(care),
    }
    for area, look in looks.items():
        try:
            yield from look()
        except (CommonplaceError, OSError) as error:  # the rest can be looked at all the same
            said = error.message if isinstance(error, CommonplaceError) else str(error)
            hint = (isinstance(error, CommonplaceError) and error.hint) or "mend its permissions, and look again"
            yield Finding(area, WRONG, f"it could not be looked at: {said}", hint)


def _locks(workspace: Workspace, care: Care, mount: Mount) -> Iterator[Finding]:
    there = os.path.isdir(workspace.memory_dir) and workspace.writable
    kernel = not there or care.holder() is not None or workspace.locks
    return doctor.locks(care, mount, kernel=kernel, exchange=not there or workspace.exchange)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _workspace(memory: Memory) -> Workspace:
    """The files, opened without finishing what a crash interrupted: that is told first."""
    settings = memory.settings
    return Workspace(memory.root, include=settings.include, core=settings.core, max_file_bytes=settings.max_file_bytes)


def _problems(memory: Memory, workspace: Workspace, file: Examined) -> tuple[Problem, ...]:
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
    """Do what is safe; what could not be done."""
    areas = {each.area for each in troubles(found) if each.fixable}
    workspace = _workspace(memory)
    workspace.sweep()

    def swept() -> None:
        workspace.care.sweep()
        workspace.late_writes()

    def anew() -> None:
        _make_index(memory, workspace)

    steps = {"folder": workspace.care.mend, "leftovers": swept, "servers": workspace.care.sweep, "index": anew}
    failed = []
    for area, step in steps.items():
        if area in areas:
            try:
                step()
            except (CommonplaceError, OSError) as error:
                said = error.message if isinstance(error, CommonplaceError) else str(error)
                hint = error.hint if isinstance(error, CommonplaceError) else "mend its permissions, and try again"
                failed.append(Finding(area, WRONG, f"--fix could not mend it: {said}", hint))
    return failed


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
