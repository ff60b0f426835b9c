"""The answers of verbs that read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from commonplace.doors.shared import opinion_lines, render, wire
from commonplace.doors.shared.verb_answer import PLAIN, VerbAnswer
from commonplace.doors.table import requests

if TYPE_CHECKING:
    from typing import Any

    from commonplace.core.model import Opinion
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.ops.write.edit_files import Lines


def explain(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """How a question is parsed, also without a workspace."""
    import commonplace

    query, sync = requests.text(asked.given.get("query", ""), "query"), not asked.given.get("no_sync", False)
    here = os.path.isdir(memory.root)
    found = memory.explain(query, sync=sync) if here else commonplace.explain(query, today=memory.today)
    data = wire.reading(found)
    if here and memory.embeds:
        state = memory.semantic_state()
        data["meaning"] = {"embedder": state.embedder, "passages": state.passages, "embedded": state.embedded}
    return _fields(data, asked)


def weigh(memory: Memory | None, asked: VerbRequest) -> VerbAnswer:
    """Whether a fact supports or contradicts an opinion; the memory is not used."""
    import commonplace

    return _fields(wire.plain(commonplace.weigh(**asked.given)), asked)


def _fields(data: dict[str, Any], asked: VerbRequest) -> VerbAnswer:
    return VerbAnswer(render.fields(data, asked.screen), data)


def show(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One fact in full."""
    found = memory.show(**asked.given)
    return VerbAnswer(render.whole(found, asked.screen), wire.hit(found))


def entity(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What is known about an entity."""
    view = memory.entity(**asked.given)
    if asked.agent:
        from commonplace.doors.answers import brief_answers

        return VerbAnswer(*brief_answers.entity(view))
    return VerbAnswer(render.entity(view, asked.screen), wire.plain(view))


def entities(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Who and what is known."""
    found = memory.entities()
    return VerbAnswer(render.entities(found, asked.screen), {"entities": [wire.plain(each) for each in found]})


def days(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The days on which something was recorded."""
    from commonplace.doors.shared import day_lines

    found = memory.days(**asked.given)
    return VerbAnswer(day_lines.days(found, asked.screen), {"days": [wire.plain(each) for each in found]})


def opinions(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The opinions, each with its history if asked for."""
    with_history = asked.given.pop("history", False)
    held = memory.opinions(**asked.given)
    if asked.agent:
        return _brief_opinions(held)
    if not with_history:
        return VerbAnswer(
            opinion_lines.opinions(held, asked.screen), {"opinions": [wire.opinion(each) for each in held]}
        )
    from commonplace.memory import history

    told = [(each, history(each)) for each in held]
    data = [wire.opinion(each) | wire.history(each, steps) for each, steps in told]
    return VerbAnswer(opinion_lines.histories(told, asked.screen), {"opinions": data})


def _brief_opinions(held: tuple[Opinion, ...]) -> VerbAnswer:
    from commonplace.doors.answers import brief_answers

    shown = [brief_answers.opinion(each) for each in held]
    kept = brief_answers.fitting(shown, brief_answers.MOST_TOKENS - 20)
    left = f"\n({len(held) - kept} more left out: name an entity)" if kept < len(held) else ""
    text = brief_answers.cut(opinion_lines.opinions(held[:kept], PLAIN)) + left
    return VerbAnswer(text, {"opinions": shown[:kept], "omitted": len(held) - kept})


def core(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The core files as blocks."""
    found = memory.core(**asked.given)
    notes = [f"not shown: {note}" for note in found.notes]
    if asked.agent:
        from commonplace.doors.answers import brief_answers

        empty = "" if notes else "the core is empty: append to MEMORY.md"
        return VerbAnswer("\n".join(filter(None, [found.text or empty, *notes])), brief_answers.core(found))
    if not found.blocks and not notes:
        notes = ["the core is empty; write to it: commonplace append MEMORY.md '- …'"]
    elif found.omitted:
        notes.append(f"{found.omitted:,} lines are left out: raise --budget to see more")
    return VerbAnswer(found.text, wire.plain(found), notes=tuple(notes), whole=True)


def context(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The core and the hits for a message."""
    found = memory.context(**asked.given)
    sound = found.bundle.status in ("ok", "empty")
    notes = () if sound else (f"status: {found.bundle.status}; {found.bundle.note}",)
    return VerbAnswer(found.text, wire.plain(found), notes=notes, whole=True)


def get(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Lines of a file: numbered for a model; else the text alone, with its place and digest as a note."""
    whole = memory.get(**asked.given)
    if asked.agent:
        return _brief_lines(whole)
    first = whole.source.line
    span = f"line {first}" if first == whole.last else f"lines {first} to {whole.last}"
    where = f"{whole.source.path}: {span} of {whole.total}" if whole.total else f"{whole.source.path}: empty"
    return VerbAnswer(whole.text, wire.plain(whole), notes=(f"{where}, digest {whole.digest}",), whole=True)


def _brief_lines(whole: Lines) -> VerbAnswer:
    from commonplace.doors.answers import brief_answers

    found = brief_answers.lines(whole)
    shown = found.text.removesuffix("\n").split("\n") if found.text else []
    numbered = [f"{number:>5}\t{line}" for number, line in enumerate(shown, found.source.line)]
    head = f"{found.source}-L{found.last} of {found.total}, digest {found.digest}"
    rest = [f"… to line {whole.last}: get {found.source.path}#L{found.last + 1}-L{whole.last}"]
    text = "\n".join([head, *numbered, *(rest if found.last < whole.last else [])])
    return VerbAnswer(text, wire.plain(found))


def index(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The result of a sync or a rebuild."""
    report = memory.index(**asked.given, progress=asked.progress)
    return VerbAnswer(render.synced(report), wire.plain(report))


def status(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The state of the workspace and its index."""
    data = wire.plain(memory.status(**asked.given))
    return VerbAnswer(render.status(data, asked.screen), data)


def check(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The problems in the Markdown; the exit status is 1 if there are any."""
    found = memory.check(**asked.given)
    return VerbAnswer(render.problems(found, asked.screen), wire.problems(found), 1 if found else 0)
