"""The answers of verbs that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.shared import render, wire
from commonplace.doors.shared.render import counted
from commonplace.doors.shared.verb_answer import PLAIN, VerbAnswer
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Fact, Patch, Problem
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.ops.write.edit_files import Written
    from commonplace.ops.write.forget import Wiped
    from commonplace.ops.write.import_notes import Imported
    from commonplace.ops.write.retain import Retained

_MOST_SHOWN = 20
"""Facts, problems, files or lines of a kind that are shown; `--json` has all."""
_FIRST_STEPS = "commonplace retain 'W @Peter: Lives in Vienna.', then commonplace recall 'where does Peter live?'"


def init(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What was created."""
    created = memory.init(**asked.given)
    data = {"workspace": memory.root, "created": list(created)}
    return VerbAnswer(render.made(memory.root, created), data, next=_FIRST_STEPS)


def retain(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One fact written."""
    return _retained(memory.retain(**asked.given), asked)


def correct(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One fact written in place of another."""
    return _retained(memory.correct(asked.given.pop("target"), **asked.given), asked)


def retract(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One fact that no longer holds."""
    return _retained(memory.retract(asked.given.pop("target"), **asked.given), asked)


def _retained(done: Retained, asked: VerbRequest) -> VerbAnswer:
    if asked.agent:
        from commonplace.doors.answers import brief_answers

        shown = brief_answers.fact(done.fact)
    else:
        shown = wire.fact(done.fact)
    text = render.retained(done.fact, done.created, done.notes, asked.screen)
    return VerbAnswer(text, {**shown, "created": done.created, "notes": list(done.notes)})


def append(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Lines behind the last."""
    done = memory.append(**asked.given)
    return _written(memory, asked, done=done, verb="made" if done.created else "appended")


def insert(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Lines behind one."""
    return _written(memory, asked, done=memory.insert(**asked.given), verb="inserted")


def replace(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One place changed."""
    same = asked.given["old"] == asked.given["new"]
    return _written(
        memory, asked, done=memory.replace(**asked.given), verb="nothing to change in" if same else "replaced"
    )


def _written(memory: Memory, asked: VerbRequest, *, done: Written, verb: str) -> VerbAnswer:
    if asked.agent:
        did = f"{'created' if done.created else 'written'} {done.source}"
        return VerbAnswer(f"{did} ({counted(done.lines, 'line')}), digest {done.digest}", wire.plain(done))
    text = "" if asked.screen is PLAIN else render.written(verb, done, _lines(memory, done), asked.screen)
    notes = (
        f"{block.path} has {block.size:,} characters, and hosts cut it at {block.limit:,}: "
        "move some of it to pages below bank/"
        for block in memory.core(budget=1).blocks
        if block.path == done.source.path and block.size > block.limit
    )
    return VerbAnswer(text, wire.plain(done), notes=tuple(notes))


def _lines(memory: Memory, done: Written) -> str:
    """The lines that a write wrote; none where somebody wrote the file since."""
    if not done.lines:
        return ""
    first = done.source.line
    try:
        found = memory.get(f"{done.source.path}#L{first}-L{first + done.lines - 1}")
    except CommonplaceError:
        return ""
    return found.text if found.digest == done.digest else ""


def merge(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Two names made one, or the diff that would make them."""
    done = memory.merge(**asked.given)
    if not done.applied:
        return VerbAnswer("\n".join(diffs(memory, done.patches, screen=asked.screen)), wire.plain(done))
    lines = [f"{asked.screen.place(each.path)}: {each.reason}" for each in done.patches]
    lines.append(f"{done.alias} is {done.name} now; the next reflect renews the page")
    return VerbAnswer("\n".join(lines), wire.plain(done))


def diffs(memory: Memory, patches: Sequence[Patch], *, screen: Screen) -> list[str]:
    """What each of these patches would change in its file as it stands now."""
    found = []
    for each in patches:
        before = "" if each.before is None else memory.workspace.read(each.path).text
        found.append(render.diff(each.path, before, after=each.after or "", screen=screen))
    return found


def forget(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """One fact gone; or many, or what those would be. The exit status is 1 when something holds it still."""
    given = asked.given
    if "target" not in given:
        if not given.keys() - {"yes", "again"}:
            raise UsageError("forget needs target: the fact's id", "or source, entity, since, until, during for many")
        given.pop("again", None)
        many = memory.forget_all(**given)
        return VerbAnswer(_wiped(many, asked.screen), wire.plain(many), 0 if many.complete else 1)
    if given.keys() - {"target", "again"}:
        raise UsageError("target names one fact: nothing else narrows it down", "leave out target, or the others")
    done = memory.forget(given.pop("target"), **given)
    return VerbAnswer(render.forgotten(done, asked.screen), wire.plain(done), 0 if done.complete else 1)


def _wiped(done: Wiped, screen: Screen) -> str:
    """What was removed, or would be, and what stays."""
    if not (done.facts or done.copies or done.elsewhere or done.problems):
        return "nothing to forget: no fact matches"
    count = counted(len(done.facts), "fact")
    lines = [f"{screen.paint('green', 'forgotten')}: {count}" if done.applied else f"would be forgotten: {count}"]
    lines += _facts(done.facts, screen)
    lines += _places("copy:", done.copies, screen=screen)
    lines += _places("still at", tuple(map(str, done.elsewhere)), screen=screen)
    lines += _problems(done.problems, screen)
    lines += [f"{screen.paint('yellow', 'note')}: {screen.safe(note)}" for note in done.notes]
    if not done.applied:
        lines.append(screen.paint("yellow", "nothing is removed yet: add --yes"))
    return "\n".join(lines)


def import_notes(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """Notes taken in, or what that would be."""
    if not asked.given["paths"]:
        raise UsageError("paths is empty", "name folders of notes, or files")
    done = memory.import_notes(**asked.given, progress=asked.progress)
    failed = done.unwritten or (done.problems and not done.notes)
    return VerbAnswer(_imported(done, asked.screen), wire.plain(done), 1 if failed else 0)


def _imported(done: Imported, screen: Screen) -> str:
    """What was taken in, or would be, and what was left out."""
    each = ", ".join(f"{number:,} {form}" for form, number in sorted(done.forms.items()))
    forms = f" ({each})" if len(done.forms) > 1 else ""
    logs = counted(len({fact.source.path for fact in done.facts}), "log")
    lines = [
        f"{counted(done.notes, 'note')}{forms}: {counted(len(done.facts), 'fact')} in {logs},"
        f" {done.known:,} known already, {counted(len(done.copies), 'copy', 'copies')} below memory/imported/"
    ]
    lines += _facts(done.facts, screen, by_note=True)
    lines += [f"alias: {screen.place(path)}" for path in done.pages]
    if done.others:
        lines.append(screen.paint("dim", f"({counted(done.others, 'file')} passed over: no text)"))
    lines += _problems(done.problems, screen)
    if done.unwritten:
        what = "nothing was written" if not (done.facts or done.copies or done.pages) else "the rest was written"
        said = f"{counted(done.unwritten, 'part')} could not be written, {what}: mend that and import again"
        lines.append(screen.paint("red", said))
    if not done.applied and (done.facts or done.copies or done.pages):
        lines.append(screen.paint("yellow", "nothing is written yet: add --yes"))
    return "\n".join(lines)


def _facts(found: Iterable[Fact], screen: Screen, *, by_note: bool = False) -> list[str]:
    """The first of these facts, below the logs that they stand in; or below the notes they come from, with days."""
    found = tuple(found)
    lines: list[str] = []
    path = ""
    for fact in found[:_MOST_SHOWN]:
        above = fact.trailer.note if by_note else fact.source.path
        if above != path:
            path = above
            lines.append(screen.place(path))
        day = f" ({fact.recorded})" if by_note else ""
        lines.append(f"  {screen.said(render.fact_line(fact))}{screen.paint('dim', day) if day else ''}")
    return [*lines, *_more(len(found), "", screen=screen)]


def _problems(found: Iterable[Problem], screen: Screen) -> list[str]:
    """What was left out, each with its place and what to do."""
    found = tuple(found)
    lines = []
    for each in found[:_MOST_SHOWN]:
        hint = f" ({each.hint})" if each.hint else ""
        lines.append(f"{screen.place(each.source)}: {each.code}: {screen.safe(each.message + hint)}")
    return [*lines, *_more(len(found), " left out", screen=screen)]


def _places(what: str, places: Sequence[str], *, screen: Screen) -> list[str]:
    return [*(f"{what} {screen.place(each)}" for each in places[:_MOST_SHOWN]), *_more(len(places), "", screen=screen)]


def _more(number: int, how: str, *, screen: Screen) -> list[str]:
    over = number - _MOST_SHOWN
    return [screen.paint("dim", f"(and {over:,} more{how}: --json shows all)")] if over > 0 else []
