"""The verb entity at the command line: what is known of one, and two names made one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call


def entity(call: Call) -> int:
    """Show an entity, or merge two; the exit status."""
    from commonplace.doors.shared import render, wire
    from commonplace.doors.table import requests

    words = call.options.name
    if words[0] == "merge" and len(words) > 1:
        return _merge(call, [requests.text(word, "entity") for word in words[1:]])
    if call.options.dry_run:
        raise UsageError("--dry-run belongs to a merge", "commonplace entity merge NAME OTHER --dry-run")
    view = call.memory().entity(requests.text(" ".join(words), "entity").removeprefix("@"))
    call.answer(render.entity(view, call.screen), wire.plain(view))
    return 0


def _merge(call: Call, names: list[str]) -> int:
    from commonplace.doors.cli.reflect_command import diffs
    from commonplace.doors.shared import wire

    if len(names) != 2:
        raise UsageError("a merge takes two names", "quote a name of several words: entity merge Peter 'Peter Hansen'")
    memory = call.memory()
    done = memory.merge(*names, dry_run=call.options.dry_run)
    if done.applied:
        lines = [f"{call.screen.place(each.path)}: {each.reason}" for each in done.patches]
        lines.append(f"{done.alias} is {done.name} now; the next reflect renews the page")
    else:
        lines = diffs(memory, done.patches, call.screen)
    call.answer("\n".join(lines), wire.plain(done))
    return 0
