"""The answers of the verbs of meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.shared.verb_answer import VerbAnswer

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.memory.semantic_state import SemanticState


def semantic_on(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Meaning turned on, with what it costs."""
    given = {name: value for name, value in asked.given.items() if name != "later"}
    return _answer(memory.semantic_on(**given))


def semantic_off(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Meaning turned off."""
    return _answer(memory.semantic_off())


def semantic_status(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The state of meaning."""
    return _answer(memory.semantic_status())


def embed(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What was embedded."""
    done = memory.embed(progress=asked.progress)
    left = f", {done.left:,} left" if done.left else ""
    return VerbAnswer(f"embedded {done.added:,} of {done.passages:,} passages{left}", done._asdict())


def _answer(state: SemanticState) -> VerbAnswer:
    data = _data(state)
    return VerbAnswer("\n".join(_lines(state)), data, next=_next(state))


def _data(state: SemanticState) -> dict[str, Any]:
    data = state._asdict()
    data["left"] = state.left
    data["servers"] = [{**each._asdict(), "models": list(each.models)} for each in state.servers]
    return data


def _lines(state: SemanticState) -> list[str]:
    """The state in words, a line for each part of it."""
    lines = [f"meaning: {'on' if state.on else 'off, recall searches by words'}"]
    if state.on:
        lines.append(f"embedder: {state.embedder}")
        if state.problem:
            lines.append(f"problem: {state.problem}")
        left = f", {state.left:,} left" if state.left else ""
        if state.seconds:
            left += f" (about {_duration(state.seconds)})"
        lines.append(f"passages: {state.passages:,}, {state.embedded:,} embedded{left}")
    if state.vectors or state.bytes:
        lines.append(f"vectors: {state.vectors:,}, {state.bytes / 1e6:.1f} MB in .memory/vectors")
    if state.search:
        lines.append(f"search: {state.search}")
    for server in state.servers:
        lines.append(f"found: {server.kind} at {server.url}, models {', '.join(server.models) or 'that embed: none'}")
    return lines


def _next(state: SemanticState) -> str:
    if not state.on:
        return "turn it on: commonplace semantic on"
    return "embed what is left: commonplace embed" if state.left and not state.problem else ""


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
