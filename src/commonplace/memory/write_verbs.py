"""Verbs that write facts and files."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from commonplace.core import argument_values
from commonplace.core.model import Trailer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from commonplace.memory import Memory
    from commonplace.ops.write.edit_files import Door, Written
    from commonplace.ops.write.import_notes import Imported
    from commonplace.ops.write.merge_entities import Joined
    from commonplace.ops.write.retain import Retained
    from commonplace.store.workspace import Workspace

T = TypeVar("T")


def init(memory: Memory, *, include: Iterable[str] = ()) -> tuple[str, ...]:
    """Create the missing files of the workspace: their paths. Existing files are not changed.

    Args:
        include: folders, files or globs of further Markdown to read, which are added to the setting `include`.
    """
    from commonplace.store.workspace.workspace_layout import init, make_root, to_include

    globs = [to_include(memory.root, path) for path in include]
    make_root(memory.root)
    settings = os.path.join(memory.root, "commonplace.toml")
    there = os.path.lexists(settings)
    made = init(memory._writes(), memory.today)
    if globs:
        from commonplace.config import read_settings, settings_edit

        settings_edit.include(memory.root, globs)
        memory.reopen(read_settings(memory.root))
    return (os.path.basename(settings), *made) if os.path.lexists(settings) and not there else made


def retain(
    memory: Memory,
    text: str,
    *,
    kind: str | None = None,
    entities: Iterable[str] = (),
    confidence: float | None = None,
    date: str | date | None = None,
    supersedes: Iterable[str] = (),
    contradicts: Iterable[str] = (),
    supports: Iterable[str] = (),
    source: str = "",
    session: str = "",
    allow_secret: bool = False,
) -> Retained:
    """Write a fact into a day's log, unless that log already has it: the fact and whether it is new.

    Args:
        text: the fact in the grammar of docs/format.md, or plain text: then kind and entities are proposed.
        date: the log's day; today when not given.
        supersedes, contradicts, supports: facts or opinions, by id or citation.
        source: who said it when it was not the author, such as `web:example.org`.
        session: in which session of a host the author said it, such as `openclaw:4f1b`. It says where the fact
            is from and takes nothing from it; what the text says in a trailer is left out.
    """
    from commonplace.core.provenance import given_source
    from commonplace.ops.write.compose_fact import compose, understood
    from commonplace.ops.write.retain import retain

    trailer = Trailer(
        supersedes=argument_values.ids(supersedes),
        contradicts=argument_values.ids(contradicts),
        supports=argument_values.ids(supports),
        src=given_source(source),
        other=argument_values.session(session),
    )
    day = argument_values.day(date, memory.today) if date is not None else memory.today

    def work() -> Retained:
        index = memory._access.fresh()
        meant = argument_values.kind(kind) if kind else None
        said, notes = understood(index, text)
        fact = compose(index, said, kind=meant, entities=tuple(entities), confidence=confidence, trailer=trailer)
        done = retain(index, memory._writes(), fact, day=day, allow_secret=allow_secret)
        return done._replace(notes=(*notes, *done.notes))

    return _renewed(memory, work)


def correct(
    memory: Memory, id: str, text: str, *, source: str = "", session: str = "", allow_secret: bool = False
) -> Retained:
    """Write the corrected fact to today's log; it supersedes the old one, whose line stays.

    Args:
        id: of the fact, or its citation.
        text: the fact in the grammar of docs/format.md, or plain text: then kind and entities stay as they were.
        source: who said so when it was not the author; when not given, who said the fact that is corrected.
        session: as of `retain`.
    """
    from commonplace.core.provenance import given_source
    from commonplace.ops.write.retain import correct

    said = Trailer(src=given_source(source), other=argument_values.session(session))

    def work() -> Retained:
        workspace, index = memory._writes(), memory._access.fresh()
        named = id.strip().lstrip("^")
        return correct(index, workspace, named, text, trailer=said, day=memory.today, allow_secret=allow_secret)

    return _renewed(memory, work)


def retract(memory: Memory, id: str, *, reason: str = "", allow_secret: bool = False) -> Retained:
    """Write to today's log that a fact is no longer true; its line stays.

    Args:
        reason: why. What the fact says is said again, unless it looks like a secret.
        allow_secret: write a reason that looks like a secret, too.
    """
    from commonplace.ops.write.retain import retract

    def work() -> Retained:
        workspace, index = memory._writes(), memory._access.fresh()
        named = id.lstrip("^")
        return retract(index, workspace, named, reason=reason, day=memory.today, allow_secret=allow_secret)

    return _renewed(memory, work)


def import_notes(
    memory: Memory,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    form: str | None = None,
    yes: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Import the notes of other programs: facts, copies and aliases; without `yes` only a preview.

    Nothing changes where they lie; the same import twice adds nothing.

    Args:
        paths: folders of notes, or files.
        form: notes, memory, basic-memory or memories; None: as each note looks.
        progress: told (done, of) as it goes.
    """
    from commonplace.ops.write.import_notes import apply, plan
    from commonplace.store.workspace.import_source import MOST_BYTES, Source

    named = (paths,) if isinstance(paths, str | os.PathLike) else tuple(paths)
    most = min(MOST_BYTES, memory.settings.max_file_bytes)
    sources = [Source(os.fspath(path), most=most) for path in named]

    def work() -> Imported:
        workspace = memory._writes() if yes else memory.workspace
        index, told = memory._access.fresh(told=False), memory._tells(progress)
        planned = plan(index, workspace, sources, form=form, today=memory.today, progress=told)
        return apply(memory._access.opened(), workspace, planned, progress=progress) if yes else planned.told

    return _renewed(memory, work) if yes else memory._access.mended(work)


def merge(memory: Memory, into: str, other: str, *, dry_run: bool = False) -> Joined:
    """Merge two entities in Markdown: `other` becomes an alias of `into`. `undo` reverses it."""
    from commonplace.ops.write.merge_entities import join

    def work() -> Joined:
        workspace = memory.workspace if dry_run else memory._writes()
        with nullcontext() if dry_run else workspace.reflecting():
            index = memory._access.fresh()
            done = join(index, workspace, into.lstrip("@"), other.lstrip("@"), dry_run=dry_run)
            memory._access.fresh(told=False)
        return done

    return memory._access.mended(work)


def _renewed(memory: Memory, work: Callable[[], T]) -> T:
    """The result of a write, after the index is brought up to date."""

    def once() -> T:
        done = work()
        memory._access.fresh(told=False)
        return done

    return memory._access.mended(once)


def append(memory: Memory, path: str, text: str, *, digest: str | None = None, allow_secret: bool = False) -> Written:
    """Add whole lines at the end of a file, which is created if it is missing.

    Args:
        path: below the workspace, such as `MEMORY.md` or `bank/entities/Peter.md`.
        digest: of the file as it was seen; ChangedUnderneath when it is another by now.
    """
    from commonplace.ops.write.edit_files import append

    return _written(memory, lambda door: append(door, path, text, digest=digest, allow_secret=allow_secret))


def replace(
    memory: Memory, path: str, old: str, new: str, *, digest: str | None = None, allow_secret: bool = False
) -> Written:
    """Replace a text that occurs once in a file; daily logs only grow.

    Raises TextNotFound and TextNotUnique, which name lines; `digest` as in `append`.
    """
    from commonplace.ops.write.edit_files import replace

    return _written(memory, lambda door: replace(door, path, old, new, digest=digest, allow_secret=allow_secret))


def insert(
    memory: Memory, path: str, text: str, *, after: int, digest: str | None = None, allow_secret: bool = False
) -> Written:
    """Insert whole lines after line `after` of a file (0 is the top); logs only grow; `digest` as in `append`."""
    from commonplace.ops.write.edit_files import insert

    return _written(
        memory, lambda door: insert(door, path, text, after=after, digest=digest, allow_secret=allow_secret)
    )


def memories(
    memory: Memory, command: Mapping[str, Any], *, seen: dict[str, str] | None = None, allow_secret: bool = False
) -> str:
    """The reply to one command of the six-verb memory tool. `MemoryTool` is for conversations.

    What it deletes or renames, `undo` takes back.

    Args:
        command: such as `{"command": "view", "path": "/memories"}`.
        seen: what the agent saw of each file; give the same one each time.

    Raises CommandRefused, and what other verbs raise.
    """
    from commonplace.ops.write.memory_tool_verbs import execute

    workspace = memory.workspace if command.get("command") == "view" else memory._writes()
    return execute(
        _door(memory, workspace), command, {} if seen is None else seen, today=memory.today, allow_secret=allow_secret
    )


def _written(memory: Memory, work: Callable[[Door], Written]) -> Written:
    done = work(_door(memory, memory._writes()))
    memory._access.mended(memory._access.fresh)
    return done


def _door(memory: Memory, workspace: Workspace) -> Door:
    from commonplace.ops.write.edit_files import Door

    ours = workspace.core_path
    return Door(workspace, tuple(name for name in memory.settings.core if name != ours))
