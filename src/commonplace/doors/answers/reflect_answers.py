"""The answers of reflect, its history and its undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.answers.write_answers import diffs
from commonplace.doors.shared import render, wire
from commonplace.doors.shared.verb_answer import PLAIN, VerbAnswer
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from commonplace.core.model import Reflection
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory

_STATUS = {"changed": 0, "nothing new": 3, "waiting": 4}
"""Exit statuses of `--exit-code`; 1 and 2 are those of errors."""
_HINDERED = 1
"""With and without `--exit-code`: a file that is there could not be read, or a page was moved from its one place."""


def reflect(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The renewed pages, or the diff that would renew them."""
    given = asked.given
    quiet, by_status = given.pop("quiet", False), given.pop("exit_code", False)
    decide = given.pop("decide", False) or memory.settings.model.decide
    done = memory.reflect(**given)
    told, refused = None, ""
    if decide and not (given.get("dry_run") or done.needs_yes):
        if asked.screen.terminal:  # a first answer can take a minute, in which no bar moves
            asked.screen.note(f"asking {memory.settings.model.model}; Ctrl-C stops, and what was answered stands")
        try:
            told = memory.decide()
        except CommonplaceError as error:  # the reflect is done, whatever a model can do
            refused = f"no question was asked: {error}"
    if asked.agent:
        return _brief(memory, done)
    screen = asked.screen
    hindered = bool(done.unread or done.held_back or refused)
    status = _HINDERED if hindered else _STATUS[done.outcome] if by_status else 0
    data = {**wire.plain(done), "outcome": done.outcome} | ({"decided": wire.plain(told)} if told else {})
    if quiet and not (told and told.asked) and done.outcome != "changed" and not done.needs_yes and not hindered:
        return VerbAnswer("", {}, status)
    if done.applied:
        lines = [f"{screen.place(each.path)}: {each.reason}" for each in done.patches]
    elif quiet:
        lines = [f"{each.path}: {each.reason}" for each in done.patches]
    else:
        lines = diffs(memory, done.patches, screen=screen)
    lines = lines or ["nothing new" if told is None else "nothing new by the rules"]
    lines += [screen.safe(note) for note in (*done.notes, refused) if note]
    if told is not None:
        from commonplace.doors.answers.model_answers import run_lines

        lines += run_lines(told, screen)
    if done.needs_yes:
        lines.append(screen.paint("yellow", "nothing written yet: add --yes"))
    asks = done.applied and any(each.path == "bank/review.md" for each in done.patches)
    step = "commonplace review lists the proposals" if asks else ""
    return VerbAnswer("\n".join(lines), data, status, next=step)


def _brief(memory: Memory, done: Reflection) -> VerbAnswer:
    """The answer for a model: the outcome first, and as much of the diff as fits."""
    from commonplace.doors.answers import brief_answers

    diff = "" if done.applied else "\n".join(diffs(memory, done.patches, screen=PLAIN))
    lines = [done.outcome, *(f"{each.path}: {each.reason}" for each in done.patches), *done.notes]
    if done.needs_yes:
        lines.append("nothing written yet: pages that people made would change; show them the diff, then call with yes")
    files = [{"path": each.path, "reason": each.reason} for each in done.patches]
    kept = brief_answers.fitting(files, brief_answers.MOST_TOKENS // 2)
    data: dict[str, Any] = {
        "outcome": done.outcome,
        "applied": done.applied,
        "needs_yes": done.needs_yes,
        "files": files[:kept],
        "omitted": len(files) - kept,
        "diff": brief_answers.cut(diff, brief_answers.MOST_TOKENS // 3),
        "notes": list(done.notes[:5]),
    }
    return VerbAnswer(brief_answers.cut("\n".join(filter(None, [*lines, diff]))), data)


def log(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Past changes of beliefs and pages."""
    told = memory.log(**asked.given)
    return VerbAnswer(render.told(told, asked.screen), wire.plain(told))


def changes(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What can be undone."""
    found = memory.changes(**asked.given)
    lines = [
        "  ".join((each.id, each.day.isoformat() if each.day else " " * 10, each.what, ", ".join(each.paths)))
        for each in found
    ]
    shown = "\n".join(map(asked.screen.safe, lines)) or "nothing to undo"
    return VerbAnswer(shown, {"changes": wire.plain(found)})


def undo(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What became of each file of the change."""
    rows = dict(memory.undo(**asked.given))
    return VerbAnswer(render.table(rows, asked.screen) or "nothing to undo", {"undone": wire.plain(rows)})
