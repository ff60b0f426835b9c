"""What each tool answers: one call on `Memory`, told as text and as data.

A host's data is what `--json` prints. A model's is held short (`doors.tools.brief_answers`), and says what it left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.cli import review_commands
from commonplace.doors.shared import render, wire
from commonplace.doors.table import requests
from commonplace.doors.tools import brief_answers
from commonplace.doors.tools.brief_answers import PLAIN
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.core.model import Problem, Reflection
    from commonplace.memory import Memory
    from commonplace.ops.reflect.review import Answered
    from commonplace.ops.write.edit_files import Written
    from commonplace.ops.write.retain import Retained

_MOST_NOTICES = 5
"""That a model is told of."""


class ToolAnswer(NamedTuple):
    """What came of a call."""

    text: str
    """To be read."""
    data: dict[str, Any]


class ToolCall(NamedTuple):
    """What a tool is asked."""

    given: dict[str, Any]
    """Its arguments, checked."""
    agent: bool = False
    """Whether a model reads the answer."""
    progress: Callable[[int, int], None] | None = None
    """To be told (done, of) by calls that take long."""


def with_notices(answer: ToolAnswer, notices: Sequence[Problem], *, agent: bool) -> ToolAnswer:
    """An answer, and what its call has to say besides: `notices`, a key that is there only when there are any."""
    if not notices:
        return answer
    shown = notices[:_MOST_NOTICES] if agent else notices
    lines = filter(None, [answer.text, *render.notices(shown, PLAIN)])
    return ToolAnswer("\n".join(lines), {**answer.data, **wire.notices(shown)})


def init(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What was created."""
    created = memory.init(**asked.given)
    return ToolAnswer(render.made(memory.root, created), {"workspace": memory.root, "created": list(created)})


def recall(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Facts and lines."""
    given = asked.given
    filters = any(given.get(name) for name in requests.FILTERS)
    found = memory.recall(requests.text(given.pop("query", ""), "query", empty=filters), **given)
    return (
        ToolAnswer(*brief_answers.bundle(found))
        if asked.agent
        else ToolAnswer(render.bundle(found, PLAIN), wire.bundle(found))
    )


def retain(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One fact written."""
    return _retained(memory.retain(**asked.given), asked)


def correct(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One fact written in place of another."""
    return _retained(memory.correct(asked.given.pop("target"), **asked.given), asked)


def retract(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One fact that no longer holds."""
    return _retained(memory.retract(asked.given.pop("target"), **asked.given), asked)


def _retained(done: Retained, asked: ToolCall) -> ToolAnswer:
    shown = brief_answers.fact(done.fact) if asked.agent else wire.fact(done.fact)
    data = {**shown, "created": done.created, "notes": list(done.notes)}
    return ToolAnswer(render.retained(done.fact, done.created, done.notes, PLAIN), data)


def reflect(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Pages renewed, or the diff that would renew them."""
    from commonplace.doors.cli.reflect_command import diffs

    done = memory.reflect(**asked.given)
    diff = "" if done.applied else "\n".join(diffs(memory, done.patches, PLAIN))
    lines = [done.outcome, *(f"{each.path}: {each.reason}" for each in done.patches), *done.notes]
    if done.needs_yes:
        lines.append("nothing is written yet: pages that people made would change; show them the diff, then yes")
    text = "\n".join(filter(None, [*lines, diff]))
    if not asked.agent:
        return ToolAnswer(text, {**wire.plain(done), "outcome": done.outcome})
    return ToolAnswer(brief_answers.cut(text), _reflected(done, diff))


def _reflected(done: Reflection, diff: str) -> dict[str, Any]:
    files = [{"path": each.path, "reason": each.reason} for each in done.patches]
    kept = brief_answers.fitting(files, brief_answers.MOST_TOKENS // 2)
    return {
        "outcome": done.outcome,
        "applied": done.applied,
        "needs_yes": done.needs_yes,
        "files": files[:kept],
        "omitted": len(files) - kept,
        "diff": brief_answers.cut(diff, brief_answers.MOST_TOKENS // 3),
        "notes": list(done.notes[:5]),
    }


def entity(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What is known of one."""
    view = memory.entity(**asked.given)
    return (
        ToolAnswer(*brief_answers.entity(view))
        if asked.agent
        else ToolAnswer(render.entity(view, PLAIN), wire.plain(view))
    )


def merge(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Two names made one."""
    done = memory.merge(**asked.given)
    lines = [f"{each.path}: {each.reason}" for each in done.patches]
    return ToolAnswer("\n".join(lines), wire.plain(done))


def opinions(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What is held."""
    from commonplace.memory import history

    with_history = asked.given.pop("history", False)
    held = memory.opinions(**asked.given)
    if asked.agent:
        shown = [brief_answers.opinion(each) for each in held]
        kept = brief_answers.fitting(shown, brief_answers.MOST_TOKENS - 20)
        left = f"\n({len(held) - kept} more left out: name an entity)" if kept < len(held) else ""
        text = brief_answers.cut(render.opinions(held[:kept], PLAIN)) + left
        return ToolAnswer(text, {"opinions": shown[:kept], "omitted": len(held) - kept})
    if not with_history:
        return ToolAnswer(render.opinions(held, PLAIN), {"opinions": [wire.opinion(each) for each in held]})
    told = [(each, history(each)) for each in held]
    data = [wire.opinion(each) | {"history": wire.steps(steps)} for each, steps in told]
    return ToolAnswer(render.histories(told, PLAIN), {"opinions": data})


def judge(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Evidence that waits, or what came of a verdict."""
    if _answers(asked.given):
        return _answered(memory.answer(**asked.given))
    text, data = review_commands.undecided(memory.review(), PLAIN)
    return _listed(text, data, asked)


def review_(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What waits, or what came of an answer."""
    if _answers(asked.given):
        return _answered(memory.answer(**asked.given, by_model=asked.agent))
    text, data = review_commands.waiting(memory.review(), PLAIN)
    if asked.agent:
        del data["judge"]  # it has its own tool
    return _listed(text, data, asked)


def _answers(given: dict[str, Any]) -> bool:
    """Whether a call answers, and does not list."""
    if bool(given.get("ids")) != ("verdict" in given):
        raise UsageError("ids and verdict go together", "leave both out to list what waits")
    if not given.get("ids") and set(given) - {"ids"}:
        raise UsageError("there is nothing to answer", "give ids and verdict; leave all out to list what waits")
    return "verdict" in given


def _answered(done: Answered) -> ToolAnswer:
    return ToolAnswer(review_commands.told(done, PLAIN), wire.plain(done))


def _listed(text: str, data: dict[str, Any], asked: ToolCall) -> ToolAnswer:
    """Lists of what waits; for a model as much of each as fits."""
    if not asked.agent:
        return ToolAnswer(text, data)
    left, omitted = brief_answers.MOST_TOKENS - 100, 0
    for name, items in data.items():
        slim = items if name == "notes" else [_slim(each) for each in items]
        kept = brief_answers.fitting(slim, left)
        omitted += len(slim) - kept
        data[name] = slim[:kept]
        left -= brief_answers.cost(slim[:kept])
    return ToolAnswer(brief_answers.cut(text), {**data, "omitted": omitted})


def _slim(item: dict[str, Any]) -> dict[str, Any]:
    """A question without what only a program needs."""
    shown = {name: value for name, value in item.items() if name in ("id", "text", "reason", "source", "recorded")}
    if "fact" in item:
        stated, held = item["fact"], item["opinion"]
        shown |= {"fact": stated["content"], "fact_id": stated["id"], "source": stated["source"]}
        shown |= {"opinion": held["statement"], "opinion_id": held["id"]}
    return shown


def hear(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What came of each of many answers."""
    heard = memory.hear(**asked.given)
    data = wire.plain(heard)
    return ToolAnswer(render.fields(data, PLAIN), data)


def packet(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What a model should decide."""
    told = memory.packet(**asked.given)
    return ToolAnswer(told.text, review_commands.packed(told))


def core(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """The core as blocks."""
    found = memory.core(**asked.given)
    if not asked.agent:
        return ToolAnswer(found.text, wire.plain(found))
    notes = [f"not shown: {note}" for note in found.notes]
    empty = "" if notes else "the core is empty: append to MEMORY.md"
    return ToolAnswer("\n".join(filter(None, [found.text or empty, *notes])), brief_answers.core(found))


def context(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """The core and what is recalled for a message."""
    found = memory.context(**asked.given)
    return ToolAnswer(found.text, wire.plain(found))


def append(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Lines behind the last."""
    return _written(memory.append(**asked.given))


def replace(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One place changed."""
    return _written(memory.replace(**asked.given))


def insert(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Lines behind one."""
    return _written(memory.insert(**asked.given))


def _written(done: Written) -> ToolAnswer:
    did = "created" if done.created else "written"
    return ToolAnswer(
        f"{did} {done.source} ({render.counted(done.lines, 'line')}), digest {done.digest}", wire.plain(done)
    )


def get(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Lines, numbered in the text, as they are in the data."""
    whole = memory.get(**asked.given)
    found = brief_answers.lines(whole) if asked.agent else whole
    shown = found.text.removesuffix("\n").split("\n") if found.text else []
    numbered = [f"{number:>5}\t{line}" for number, line in enumerate(shown, found.source.line)]
    head = f"{found.source}-L{found.last} of {found.total}, digest {found.digest}"
    rest = [f"… to line {whole.last}: get {found.source.path}#L{found.last + 1}-L{whole.last}"]
    return ToolAnswer("\n".join([head, *numbered, *(rest if found.last < whole.last else [])]), wire.plain(found))


def show(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One fact in full."""
    found = memory.show(**asked.given)
    return ToolAnswer(render.whole(found, PLAIN), wire.hit(found))


def forget(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """One fact gone; or many, or what those would be."""
    from commonplace.doors.cli.forget_command import shown

    given = asked.given
    if "target" not in given:
        if not given.keys() - {"yes"}:
            raise UsageError("forget needs target: the fact's id", "or source, entity, since, until, during for many")
        many = memory.forget_all(**given)
        return ToolAnswer(shown(many, PLAIN), wire.plain(many))
    if len(given) > 1:
        raise UsageError("target names one fact: nothing else narrows it down", "leave out target, or the others")
    done = memory.forget(given["target"])
    return ToolAnswer(render.forgotten(done, PLAIN), wire.plain(done))


def import_notes(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Notes taken in, or what that would be."""
    from commonplace.doors.cli.import_command import shown

    if not asked.given["paths"]:
        raise UsageError("paths is empty", "name folders of notes, or files")
    done = memory.import_notes(**asked.given, progress=asked.progress)
    return ToolAnswer(shown(done, PLAIN), wire.plain(done))


def explain(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """How a question is read."""
    return _fields(wire.reading(memory.explain(**asked.given)))


def weigh(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """Which way a fact counts; the memory is not asked."""
    import commonplace

    return _fields(wire.plain(commonplace.weigh(**asked.given)))


def index(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """The index brought up to date."""
    report = memory.index(**asked.given, progress=asked.progress)
    return ToolAnswer(render.synced(report), wire.plain(report))


def status(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What there is."""
    data = wire.plain(memory.status(**asked.given))
    return ToolAnswer(render.status(data, PLAIN), data)


def check(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What is wrong."""
    found = memory.check(**asked.given)
    return ToolAnswer(render.problems(found, PLAIN), wire.problems(found))


def doctor(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What is wrong around it, too."""
    import os

    from commonplace.doors.cli import doctor_command

    found = doctor_command.examined(
        memory, fix=asked.given.get("fix", False), env=dict(os.environ), cwd=doctor_command.here()
    )
    return ToolAnswer(doctor_command.text(found, PLAIN), doctor_command.data(found))


def log(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """What changed."""
    told = memory.log(**asked.given)
    return ToolAnswer(render.told(told, PLAIN), wire.plain(told))


def undo(memory: Memory, asked: ToolCall) -> ToolAnswer:
    """The last reflect taken back."""
    rows = dict(memory.undo(**asked.given))
    return ToolAnswer(render.table(rows, PLAIN) or "nothing to undo", {"undone": wire.plain(rows)})


def _fields(data: dict[str, Any]) -> ToolAnswer:
    return ToolAnswer(render.fields(data, PLAIN), data)
