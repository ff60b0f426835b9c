"""The answer of doctor: problems of a workspace and of connected programs, each with a next step."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.core.model import Finding, Level
from commonplace.doors.shared.verb_answer import VerbAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory

_STYLE = {Level.OK: "green", Level.WARN: "yellow", Level.WRONG: "red", Level.MENDED: "cyan"}


def doctor(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The findings about a memory and the programs connected to it.

    The command line gives also the `env` and `cwd` of its caller, and `why` it took this workspace.
    """
    from commonplace.config import here
    from commonplace.doors.setup.connected import clients, openclaw
    from commonplace.memory.look_over import looked

    given = asked.given
    env, cwd = given.get("env", dict(os.environ)), given.get("cwd") or here()
    found = [
        *memory.doctor(fix=given.get("fix", False)),
        *looked("clients", lambda: clients(memory.root, env, cwd=cwd)),
        *looked("openclaw", lambda: openclaw(memory.root, env, cwd=cwd)),
    ]
    if why := given.get("why"):
        found = [
            each._replace(message=f"{each.message} ({why})")
            if (each.area, each.level) == ("workspace", Level.OK)
            else each
            for each in found
        ]
    return found_out(found, asked.screen)


def found_out(found: Sequence[Finding], screen: Screen) -> VerbAnswer:
    """The findings as an answer; the exit status is 1 if anything is wrong."""
    data = {"findings": [each._asdict() for each in found], **_count(found)}
    return VerbAnswer(_text(found, screen), data, 1 if any(each.level is Level.WRONG for each in found) else 0)


def _text(found: Sequence[Finding], screen: Screen) -> str:
    lines = []
    for each in found:
        told = f"{each.message} → {each.hint}" if each.hint else each.message
        lines.append(f"{screen.paint(_STYLE[each.level], f'{each.level:6}')} {each.area}: {screen.safe(told)}")
    count = _count(found)
    said = [f"{count[Level.WRONG]} wrong", f"{count[Level.WARN]} warn", f"{count[Level.OK]} ok"]
    if count[Level.MENDED]:
        said.insert(0, f"{count[Level.MENDED]} repaired")
    fixable = sum(each.fixable for each in found)
    ends = "no problems found" if not count[Level.WRONG] and not count[Level.WARN] else ", ".join(said)
    return "\n".join([*lines, ends + (f"; --fix repairs {fixable}" if fixable else "")])


def _count(found: Sequence[Finding]) -> dict[str, int]:
    return {level: sum(each.level is level for each in found) for level in Level}
