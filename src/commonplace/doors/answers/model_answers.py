"""The answers of the verbs of a model that decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.shared.render import counted
from commonplace.doors.shared.verb_answer import VerbAnswer

if TYPE_CHECKING:
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.memory.model_state import ModelState
    from commonplace.ops.review.ask_model import ModelRun

_MOST_PROBLEMS = 5


def model_on(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """A model named, with what it can do."""
    return _answer(memory.model_on(**asked.given), asked.screen)


def model_off(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """No model any more."""
    return _answer(memory.model_off(), asked.screen)


def model_status(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Whether the model can be asked."""
    return _answer(memory.model_status(), asked.screen)


def run_lines(found: ModelRun, screen: Screen) -> list[str]:
    """What came of asking a model, in words."""
    name = screen.safe(found.name)
    if not found.asked:
        told = f"{name} was asked nothing"
        more = [f"{counted(found.left, 'open question')}" * bool(found.left)]
        more.append(f"{found.known:,} were asked before" * bool(found.known))
    else:
        told = f"{name} answered {found.answered:,} of {counted(found.asked, 'question')}"
        more = [f"{found.tokens:,} tokens", f"{found.seconds:.1f} s"]
        more.append(f"{found.left:,} not asked yet: run it again" * bool(found.left))
    lines = [f"{told} ({', '.join(filter(None, more)) or 'there is none'})"]
    for done in found.done:
        lines += [f"  ^{each.id} {each.verdict}: {screen.safe(each.text)}" for each in done.answers]
        lines += [f"  {screen.safe(note)}" for note in done.notes if not note.startswith("retained: ")]
    lines += [f"  not counted: {screen.safe(each)}" for each in found.problems[:_MOST_PROBLEMS]]
    if (more_of_them := len(found.problems) - _MOST_PROBLEMS) > 0:
        lines.append(f"  and {more_of_them:,} more that do not count")
    return lines


def _answer(state: ModelState, screen: Screen) -> VerbAnswer:
    if not state.on:
        text, step = "model: none", "commonplace model on --url http://127.0.0.1:11434 --model NAME"
        return VerbAnswer(text, state._asdict(), next=step)
    lines = [f"model: {screen.safe(state.name)} at {screen.safe(state.url)}"]
    if state.problem:
        lines.append(f"problem: {screen.safe(state.problem)}")
    else:
        lines.append(f"answers: in {state.seconds:.1f} s, {state.tokens_a_second:,.0f} tokens a second")
        lines.append("JSON schema: " + ("kept by the server" if state.takes_schemas else "not known to the server"))
        lines.append("reads at once: " + (f"{state.reads:,} tokens" if state.reads else "its server does not say"))
    lines.append(f"budget of a run: {state.budget:,} tokens")
    lines.append("asked: " + ("after every reflect" if state.decide else "by reflect --decide"))
    return VerbAnswer("\n".join(lines), state._asdict(), next="" if state.problem else "commonplace reflect --decide")
