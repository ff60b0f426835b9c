"""Removes facts, and finishes a removal that a crash interrupted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.core import argument_values
from commonplace.errors import ChangedUnderneath, CommonplaceError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from typing import Any

    from commonplace.access import Access
    from commonplace.memory import Memory
    from commonplace.ops.write.forget import Forgotten, Removed, Wiped
    from commonplace.ops.write.forget_task import Task
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_MOST_NAMES = 20
"""Facts and copies that a notice names."""
FLEET_HAS_IT = "if it was pushed, the fleet has it until the next push: commonplace fleet push"
_TRIES = 3
"""Looks for what is to go, where files change meanwhile."""


def finish(index: Access, workspace: Workspace, *, asked: bool) -> list[Removed]:
    """The interrupted removals that were finished; none while another program is at it.

    Args:
        asked: wait for that program, try also what was tried before and failed, and raise what is in the way.
    """

    from commonplace.ops.write.forget_task import read_noted

    def work() -> list[Removed]:
        done = []
        for note, said in workspace.removal.noted():
            task = read_noted(said)
            if task is None:
                _give_up(workspace, note, said=said)
            elif asked or not said.get("told"):
                done.append(_remove(index, workspace, task=task, note=note))
        return done

    if asked:
        with workspace.locked():
            return work()
    try:
        done = workspace.at_once(work) or []
    except CommonplaceError as error:
        what = f"an interrupted forget cannot be finished: {error.message}"
        workspace.warn(".", "interrupted-forget", what, error.hint)
        return []
    for each in done:
        names = [*(f"^{fact.id}" for fact in each.task.facts), *each.task.copies]
        more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
        named = ", ".join(names[:_MOST_NAMES]) + more
        left = "; ".join((*(problem.message for problem in each.problems), *filter(None, (each.why,))))
        what = f"the interrupted forget of {named} " + (f"could not be finished: {left}" if left else "was finished")
        workspace.warn(".", "interrupted-forget", what, "forget it again to see what remains")
    return done


def _give_up(workspace: Workspace, note: str, *, said: Mapping[str, Any]) -> None:
    """Report a record that cannot be read; a newer program's is kept, a damaged one is deleted."""
    from commonplace.ops.write.forget_task import is_newer

    if is_newer(said):
        what, hint = "by a newer commonplace was interrupted", "run that version to finish it"
    else:
        what, hint = "was interrupted, and its record is damaged", "forget it again"
        workspace.removal.discard(note)
    workspace.warn(".", "interrupted-forget", f"a forget {what}", hint)


def removed(index: Access, workspace: Workspace, *, find: Callable[[Index], Task], task: Task | None = None) -> Removed:
    """The result of a removal, tried again if files change meanwhile.

    Args:
        find: what is to go, by an index that is up to date.
        task: what was found a moment ago.
    """
    for left in reversed(range(_TRIES)):
        task = task or index.mended(lambda: find(index.fresh()))
        try:
            return _remove(index, workspace, task=task)
        except ChangedUnderneath:
            if not left:
                raise
            task = None
    raise AssertionError


def _remove(index: Access, workspace: Workspace, *, task: Task, note: str = "") -> Removed:
    """The result of a removal, which leaves tombstones first if the folder has to do with a fleet."""
    from commonplace.ops.write.forget import remove

    kept = os.path.join(workspace.memory_dir, "keep", "fleet")
    if not os.path.isdir(kept):
        return remove(index.opened(), workspace, task=task, clean=index.clean, note=note)
    from commonplace.ops.fleet.tombstones import tombstones_of
    from commonplace.store.postgres.waiting_tombstones import WaitingTombstones

    waiting = WaitingTombstones(kept)
    salt = waiting.salt()
    left = waiting.leave(salt, tombstones_of((*task.facts, *(bullet.fact for bullet in task.bullets)), salt))
    try:
        return remove(index.opened(), workspace, task=task, clean=index.clean, note=note)
    except CommonplaceError:
        if not note:  # nothing was changed
            waiting.take_back(left)
        raise


def _fleet_notes(memory: Memory) -> tuple[str, ...]:
    """What a forget says where there is a fleet. It connects to none."""
    return (FLEET_HAS_IT,) if memory.settings.fleet.url else ()


def forget(memory: Memory, id: str, *, again: bool = False) -> Forgotten:
    """Delete a fact permanently: from the Markdown, our copies of it, and the index.

    One that a crash interrupted is finished, and told as done here. Asked twice, it removes no other fact.

    Args:
        again: remove also another fact that has the id of one that was forgotten.
    """
    from commonplace.ops.write.forget import forgotten, forgotten_before
    from commonplace.ops.write.forget_task import task_of
    from commonplace.store.git import inside

    id = id.lstrip("^")
    workspace = memory._writes()
    if memory.settings.fleet.url:
        workspace.ensure_kept("fleet")
    with workspace.reflecting():
        memory._finish(asked=True)
        done = next((each for each in memory._finished if id in (fact.id for fact in each.task.facts)), None)
        if done is None and not again and workspace.removal.removed(id):
            return forgotten_before(id, memory._access.reads(lambda index: index.fact(id)))
        try:
            done = done or removed(memory._access, workspace, find=lambda index: task_of(index, id))
        except NotFound as error:
            from commonplace.memory.fleet.fleet_access import not_here

            raise not_here(memory, id, verb="fleet forget") or error from None
        memory._finished.clear()
    (fact,) = (fact for fact in done.task.facts if fact.id == id)
    told = forgotten(done, fact, in_git=inside(memory.root))
    return told._replace(notes=(*told.notes, *_fleet_notes(memory)))


def forget_all(
    memory: Memory,
    *,
    source: str | None = None,
    entity: str | None = None,
    since: str | date | None = None,
    until: str | date | None = None,
    during: str | date | None = None,
    yes: bool = False,
) -> Wiped:
    """Delete all facts that match every filter; without `yes` only return them.

    Args:
        source: what their trailer says of where they came from, or the path of their file; or a folder above.
        entity: whom they are tagged with.
        since, until, during: when they were recorded.
    """
    from commonplace.ops.write.forget import shown, wiped
    from commonplace.ops.write.forget_task import choice, chosen_by, matching
    from commonplace.store.git import inside

    days = argument_values.between(since, until, during=during, today=memory.today)
    chosen = chosen_by(source, entity, days)
    workspace = memory._writes() if yes else memory.workspace
    if yes and memory.settings.fleet.url:
        workspace.ensure_kept("fleet")
    if not yes:
        return shown(memory._access.reads(lambda index: choice(index, workspace, chosen=chosen)))
    with workspace.reflecting():
        memory._finish(asked=True)
        found = memory._access.reads(lambda index: choice(index, workspace, chosen=chosen))
        index = memory._access.opened()
        done = [each for each in memory._finished if any(matching(index, each.task.facts, chosen=chosen))]
        if found.task.facts or found.task.copies:
            again = removed(
                memory._access,
                workspace,
                find=lambda index: choice(index, workspace, chosen=chosen).task,
                task=found.task,
            )
            done.append(again)
        memory._finished.clear()
    told = wiped(found, done, in_git=inside(memory.root))
    return told._replace(notes=(*told.notes, *(_fleet_notes(memory) if told.facts else ())))
