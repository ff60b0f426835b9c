"""The verb doctor: a workspace and what is connected to it, looked over: what is wrong and what to do, a line each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from commonplace.core.model import Finding, Level
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.memory import Memory

_STYLE = {Level.OK: "green", Level.WARN: "yellow", Level.WRONG: "red", Level.MENDED: "cyan"}


def doctor(call: Call) -> int:
    """Look everything over; exit status 1 when something is wrong."""
    try:
        memory, why = call.memory_as_it_is(), call.place.why
    except UsageError as error:  # a host's configuration names the workspace, and cannot be read
        found = [Finding("workspace", Level.WRONG, f"it cannot be told which: {error.message}", error.hint)]
    else:
        found = examined(memory, fix=call.options.fix, env=dict(call.env), cwd=call.cwd)
        found = [
            each._replace(message=f"{each.message} ({why})")
            if (each.area, each.level) == ("workspace", Level.OK)
            else each
            for each in found
        ]
    call.answer(text(found, call.screen), data(found))
    return 1 if any(each.level is Level.WRONG for each in found) else 0


def examined(memory: Memory, *, fix: bool, env: dict[str, str], cwd: str) -> list[Finding]:
    """What there is to say of a memory, and of the programs that are connected to it."""
    from commonplace.doors.setup.connected import clients, openclaw
    from commonplace.memory.look_over import looked

    return [
        *memory.doctor(fix=fix),
        *looked("clients", lambda: clients(memory.root, env, cwd)),
        *looked("openclaw", lambda: openclaw(memory.root, env, cwd)),
    ]


def text(found: Sequence[Finding], screen: Screen) -> str:
    """One line for each finding, and one that counts them."""
    lines = []
    for each in found:
        told = f"{each.message} → {each.hint}" if each.hint else each.message
        lines.append(f"{screen.paint(_STYLE[each.level], f'{each.level:6}')} {each.area}: {screen.safe(told)}")
    count = _count(found)
    said = [f"{count[Level.WRONG]} wrong", f"{count[Level.WARN]} to know", f"{count[Level.OK]} fine"]
    if count[Level.MENDED]:
        said.insert(0, f"{count[Level.MENDED]} mended")
    fixable = sum(each.fixable for each in found)
    ends = "all is well" if not count[Level.WRONG] and not count[Level.WARN] else ", ".join(said)
    return "\n".join([*lines, ends + (f"; --fix mends {fixable}" if fixable else "")])


def data(found: Sequence[Finding]) -> dict[str, Any]:
    """The same for programs."""
    return {"findings": [each._asdict() for each in found], **_count(found)}


def _count(found: Sequence[Finding]) -> dict[str, int]:
    return {level: sum(each.level is level for each in found) for level in Level}


def here() -> str:
    """The folder that a worker runs in, whose projects' files are looked at."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")
