"""The verb reflect at the command line: what it says and with which exit status, for people and for schedulers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import Patch
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.memory import Memory

_MOST_EVENTS = 30
_STATUS = {"changed": 0, "nothing new": 3, "waiting": 4}
"""Exit statuses of `--exit-code`; 1 and 2 are those of errors."""
_HINDERED = 1
"""With and without `--exit-code`: a file that is there could not be read, or a page was moved from its one place."""


def reflect(call: Call) -> int:
    """Reflect, take the last one back, or tell what changed; the exit status."""
    options = call.options
    if options.log:
        return _log(call)
    if options.packet:
        from commonplace.doors.cli.review_commands import packet

        return packet(call)
    if options.budget is not None:
        raise UsageError("--budget goes with --packet", "commonplace reflect --packet --budget 2000")
    if options.name or options.k is not None:
        raise UsageError("a name and --k go with --log", "commonplace reflect --log Peter --k 10")
    if options.undo:
        return _undo(call)
    memory = call.memory()
    commit = True if options.commit else None  # None: as the settings say
    done = memory.reflect(since=options.since, dry_run=options.dry_run, yes=options.yes, commit=commit)
    hindered = bool(done.unread or done.held_back)
    status = _HINDERED if hindered else _STATUS[done.outcome] if options.exit_code else 0
    if options.quiet and done.outcome != "changed" and not done.needs_yes and not hindered:
        return status
    from commonplace.doors.shared import wire

    if done.applied:
        lines = [f"{call.screen.place(each.path)}: {each.reason}" for each in done.patches]
    elif options.quiet:
        lines = [f"{each.path}: {each.reason}" for each in done.patches]
    else:
        lines = diffs(memory, done.patches, call.screen)
    lines = lines or ["nothing new"]
    lines += [call.screen.safe(note) for note in done.notes]
    if done.needs_yes:
        lines.append(call.screen.paint("yellow", "nothing is written yet: add --yes"))
    call.answer("\n".join(lines), {**wire.plain(done), "outcome": done.outcome})
    if done.applied and any(each.path == "bank/review.md" for each in done.patches):
        call.screen.next("commonplace review lists what waits for your word")
    return status


def _undo(call: Call) -> int:
    from commonplace.doors.shared import render, wire

    if call.options.dry_run or call.options.since is not None:
        raise UsageError("--undo takes back the whole last reflect", "leave --since and --dry-run out")
    rows = dict(call.memory().undo())
    call.answer(render.table(rows, call.screen) or "nothing to undo", {"undone": wire.plain(rows)})
    return 0


def _log(call: Call) -> int:
    from commonplace.doors.shared import render, wire
    from commonplace.doors.table import requests

    options = call.options
    if options.undo or options.dry_run or options.yes or options.commit:
        raise UsageError("--log only tells", "leave --undo, --dry-run, --yes and --commit out")
    name = requests.text(" ".join(options.name), "entity").removeprefix("@") if options.name else None
    most = _MOST_EVENTS if options.k is None else requests.digits(options.k, "--k", requests.MOST_HITS)
    told = call.memory().log(name, since=options.since, k=most)
    call.answer(render.told(told, call.screen), wire.plain(told))
    return 0


def diffs(memory: Memory, patches: Sequence[Patch], screen: Screen) -> list[str]:
    """What each of these patches would change in its file as it stands now."""
    from commonplace.doors.shared import render

    found = []
    for each in patches:
        before = "" if each.before is None else memory.workspace.read(each.path).text
        found.append(render.diff(each.path, before, each.after or "", screen))
    return found
