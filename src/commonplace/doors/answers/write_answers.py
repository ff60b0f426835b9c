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
    """The created files, and the folders whose Markdown is not read."""
    created = memory.init(**asked.given)
    unread = [each for each in memory.left_out() if each.hint]
    folders = {each.path: each.files for each in unread}
    included = list(memory.settings.include)
    data = {"workspace": memory.root, "created": list(created), "include": included, "not_read": folders}
    step = f"{unread[0].hint} (its Markdown is read, too)" if unread else _FIRST_STEPS
    text = render.made(memory.root, created, asked.screen, included=included, unread=[*folders.items()])
    return VerbAnswer(text, data, next=step)


def retain(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The retained fact."""
    return _retained(memory.retain(**asked.given), asked)


def correct(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The fact that replaces another."""
    return _retained(memory.correct(asked.given.pop("target"), **asked.given), asked)


def retract(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The retraction."""
    return _retained(memory.retract(asked.given.pop("target"), **asked.given), asked)


def _retained(done: Retained, asked: VerbRequest) -> VerbAnswer:
    if asked.agent:
        from commonplace.doors.answers import brief_answers

        shown = brief_answers.fact(done.fact)
    else:
        shown = wire.fact(done.fact)
    text = render.retained(done.fact, asked.screen, created=done.created, notes=done.notes)
    return VerbAnswer(text, {**shown, "created": done.created, "notes": list(done.notes)})


def append(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The appended lines."""
    done = memory.append(**asked.given)
    return _written(memory, asked, done=done, verb="made" if done.created else "appended")


def insert(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The inserted lines."""
    return _written(memory, asked, done=memory.insert(**asked.given), verb="inserted")


def replace(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The changed lines."""
    same = asked.given["old"] == asked.given["new"]
    return _written(memory, asked, done=memory.replace(**asked.given), verb="no change in" if same else "replaced")


def _written(memory: Memory, asked: VerbRequest, *, done: Written, verb: str) -> VerbAnswer:
    if asked.agent:
        did = f"{'created' if done.created else 'written'} {done.source}"
        return VerbAnswer(f"{did} ({counted(done.lines, 'line')}), digest {done.digest}", wire.plain(done))
    text = "" if asked.screen is PLAIN else render.written(verb, done, text=_lines(memory, done), screen=asked.screen)
    notes = (
        f"{block.path} has {block.size:,} characters; hosts cut it at {block.limit:,}: "
        "move parts of it to pages in bank/"
        for block in memory.core(budget=1).blocks
        if block.path == done.source.path and block.size > block.limit
    )
    return VerbAnswer(text, wire.plain(done), notes=tuple(notes))


def _lines(memory: Memory, done: Written) -> str:
    """The lines that a write wrote; empty if the file has changed since."""
    if not done.lines:
        return ""
    first = done.source.line
    try:
        found = memory.get(f"{done.source.path}#L{first}-L{first + done.lines - 1}")
    except CommonplaceError:
        return ""
    return found.text if found.digest == done.digest else ""


def merge(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The merged entity, or the diff of the merge."""
    done = memory.merge(**asked.given)
    if not done.applied:
        return VerbAnswer("\n".join(diffs(memory, done.patches, screen=asked.screen)), wire.plain(done))
    lines = [f"{asked.screen.place(each.path)}: {each.reason}" for each in done.patches]
    lines.append(f"{done.alias} is {done.name} now; the next reflect updates the page")
    return VerbAnswer("\n".join(lines), wire.plain(done))


def diffs(memory: Memory, patches: Sequence[Patch], *, screen: Screen) -> list[str]:
    """The diff of each patch against the current text of its file."""
    found = []
    for each in patches:
        before = "" if each.before is None else memory.workspace.read(each.path).text
        found.append(render.diff(each.path, before, after=each.after or "", screen=screen))
    return found


def forget(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What was removed, or would be; the exit status is 1 if anything still contains it."""
    given = asked.given
    if "target" not in given:
        if not given.keys() - {"yes", "again"}:
            raise UsageError("forget needs target: the fact's id", "or source, entity, since, until, during for many")
        given.pop("again", None)
        many = memory.forget_all(**given)
        return VerbAnswer(_wiped(many, asked.screen), wire.plain(many), 0 if many.complete else 1)
    if given.keys() - {"target", "again"}:
        raise UsageError(
            "target names one fact and cannot be combined with filters", "leave out target, or the filters"
        )
    done = memory.forget(given.pop("target"), **given)
    return VerbAnswer(render.forgotten(done, asked.screen), wire.plain(done), 0 if done.complete else 1)


def _wiped(done: Wiped, screen: Screen) -> str:
    """The facts and copies that were removed, or would be, and where else the text is."""
    if not (done.facts or done.copies or done.elsewhere or done.problems):
        return "nothing to forget: no fact matches"
    count = counted(len(done.facts), "fact")
    lines = [f"{screen.paint('green', 'forgotten')}: {count}" if done.applied else f"would forget {count}"]
    lines += _facts(done.facts, screen)
    lines += _places("copy:", done.copies, screen=screen)
    lines += _places("also at", tuple(map(str, done.elsewhere)), screen=screen)
    lines += _problems(done.problems, screen)
    lines += [f"{screen.paint('yellow', 'note')}: {screen.safe(note)}" for note in done.notes]
    if not done.applied:
        lines.append(screen.paint("yellow", "nothing removed yet: add --yes"))
    return "\n".join(lines)


def import_notes(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The imported notes, or a preview."""
    if not asked.given["paths"]:
        raise UsageError("no paths given", "name folders of notes, or files")
    done = memory.import_notes(**asked.given, progress=asked.progress)
    failed = done.unwritten or (done.problems and not done.notes)
    return VerbAnswer(_imported(done, asked.screen), wire.plain(done), 1 if failed else 0)


def _imported(done: Imported, screen: Screen) -> str:
    """The counts of imported notes, facts and copies, then what was left out."""
    each = ", ".join(f"{number:,} {form}" for form, number in sorted(done.forms.items()))
    forms = f" ({each})" if len(done.forms) > 1 else ""
    logs = counted(len({fact.source.path for fact in done.facts}), "log")
    lines = [
        f"{counted(done.notes, 'note')}{forms}: {counted(len(done.facts), 'fact')} in {logs},"
        f" {done.known:,} known already, {counted(len(done.copies), 'copy', 'copies')} in memory/imported/"
    ]
    lines += _facts(done.facts, screen, by_note=True)
    lines += [f"alias: {screen.place(path)}" for path in done.pages]
    if done.others:
        lines.append(screen.paint("dim", f"({counted(done.others, 'file')} skipped: no text)"))
    lines += _problems(done.problems, screen)
    if done.unwritten:
        what = "nothing was written" if not (done.facts or done.copies or done.pages) else "the rest was written"
        said = f"{counted(done.unwritten, 'part')} could not be written, {what}: fix this and import again"
        lines.append(screen.paint("red", said))
    if not done.applied and (done.facts or done.copies or done.pages):
        lines.append(screen.paint("yellow", "nothing written yet: add --yes"))
    return "\n".join(lines)


def _facts(found: Iterable[Fact], screen: Screen, *, by_note: bool = False) -> list[str]:
    """The first of these facts, grouped by log; with days and grouped by note if `by_note`."""
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
