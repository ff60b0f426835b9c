"""The answers of the verbs of a fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.shared.render import counted
from commonplace.doors.shared.verb_answer import VerbAnswer
from commonplace.memory.fleet import fleet_verbs

if TYPE_CHECKING:
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.memory.fleet.fleet_state import FleetState


_LEFT = "the database's own files, its log, replicas and backups keep it until they are renewed: docs/fleet.md"
"""What nobody can promise."""


_BY_MEANING = {
    True: "pgvector: found; a push of a workspace where meaning is on sends its vectors, too",
    False: "pgvector: not found, so questions are answered by words; once the server has it, run this again, then push",
}


def fleet_on(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """A fleet named."""
    state = memory.fleet_on(**asked.given)
    text, step = _told(state, asked.screen), "commonplace fleet push --dry-run"
    return VerbAnswer(text, state._asdict(), next=step)


def fleet_off(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """No fleet any more."""
    named = memory.settings.fleet
    text = "fleet: none"
    if named.url:
        text += f"; what {named.name} pushed stays there until fleet drop, for which fleet on is needed again"
    return VerbAnswer(text, memory.fleet_off()._asdict())


def fleet_status(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """How this workspace stands to its fleet."""
    state = memory.fleet_status()
    if not state.on:
        step = "commonplace fleet on --url postgresql://ROLE@HOST/NAME --name NAME"
        return VerbAnswer("fleet: none", state._asdict(), next=step)
    lines = [_told(state, asked.screen)]
    if state.problem:
        lines.append(f"problem: {asked.screen.safe(state.problem)}")
        return VerbAnswer("\n".join(lines), state._asdict())
    lines.append(f"pushed: {state.pushed or 'never'}")
    lines.append(f"waits: {counted(state.waits, 'file')} to send, {state.gone:,} to remove, {state.same:,} as they are")
    lines.append("workspaces: " + (", ".join(map(asked.screen.safe, state.workspaces)) or "none"))
    return VerbAnswer("\n".join(lines), state._asdict(), next="commonplace fleet push" if state.waits else "")


def _told(state: FleetState, screen: Screen) -> str:
    shared = ", ".join(state.share)
    return f"fleet: {screen.safe(state.name)} at {screen.safe(state.url)}\nshares: {shared}"


def fleet_push(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What was sent."""
    given = asked.given
    shows_lines = given.pop("lines", False)
    found = memory.fleet_push(**given)
    did = "would send" if found.dry_run else "sent"
    text = f"{did} {counted(found.sent, 'file')}, {found.removed:,} removed, {found.same:,} as they were"
    if shows_lines:
        text += "".join(f"\n{asked.screen.safe(line)}" for line in found.lines)
    if found.struck:
        text += f"\nforgotten: {counted(found.struck, 'line')} removed"
    if found.withheld:
        text += f"\nwithheld: {counted(found.withheld, 'line')} with a secret"
    if found.vectors:
        text += f"\nsent {counted(found.vectors, 'vector')} for search by meaning"
    return VerbAnswer(text, found._asdict(), next="commonplace fleet push" if found.dry_run and found.sent else "")


def fleet_forget(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What was removed here and there; the exit status is 1 if anything here still contains it."""
    from commonplace.doors.shared import render, wire

    given = asked.given
    done = memory.fleet_forget(given.pop("target"), **given)
    lines = [render.forgotten(done.here, asked.screen)]
    if done.waits:
        lines.append(f"the fleet was not told: {asked.screen.safe(done.waits)}")
        lines.append("forgotten here; the tombstone goes with the next push, and until then the fleet may have it")
    else:
        lines.append(f"in the fleet: {counted(done.struck, 'line')} removed, and kept away by a tombstone")
        lines.append(_LEFT)
    data = {**wire.plain(done.here), "struck": done.struck, "waits": done.waits}
    next_step = "commonplace fleet push" if done.waits else ""
    return VerbAnswer("\n".join(lines), data, 0 if done.here.complete else 1, next=next_step)


def fleet_drop(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """A workspace removed."""
    name = memory.fleet_drop(**asked.given)
    return VerbAnswer(f"removed {asked.screen.safe(name)} from the fleet; {_LEFT}", {"name": name})


def fleet_init(memory: Memory | None, asked: VerbRequest) -> VerbAnswer:
    """Tables made."""
    made = fleet_verbs.fleet_init(**asked.given)
    if made.url:
        text = (
            f"a PostgreSQL of your own runs: {asked.screen.safe(made.url)}\nto stop it: {asked.screen.safe(made.stop)}"
        )
        return VerbAnswer(f"{text}\n{_BY_MEANING[made.vectors]}", made._asdict(), next="commonplace fleet on --local")
    text = (
        f"made the tables of a fleet ({counted(made.migrations, 'migration')})" if made.migrations else "they are there"
    )
    text = f"{text}\n{_BY_MEANING[made.vectors]}"
    return VerbAnswer(text, made._asdict(), next="commonplace fleet tenant NAME --url …")


def fleet_tenant(memory: Memory | None, asked: VerbRequest) -> VerbAnswer:
    """A tenant made."""
    roles = fleet_verbs.fleet_tenant(asked.given["name"], url=asked.given["url"])
    lines = [
        f"tenant {asked.screen.safe(roles.tenant)}",
        f"role that pushes: {roles.pushes}",
        f"role that reads: {roles.reads}",
        f"give each a password: psql … -c '\\password {roles.pushes}'",
    ]
    return VerbAnswer("\n".join(lines), roles._asdict())
