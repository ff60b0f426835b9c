"""The verb import at the command line: what would be taken in, or was, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.shared.render import counted, fact_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Fact, Problem
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.ops.write.import_notes import Imported

_MOST_FACTS = _MOST_PROBLEMS = 20
"""Shown of each; `--json` has all."""


def import_(call: Call) -> int:
    """Show what an import would write, or write it; the exit status."""
    from commonplace.doors.shared import wire
    from commonplace.doors.table.parser import meant
    from commonplace.doors.table.verb_table import FORMS
    from commonplace.errors import UsageError

    options = call.options
    form = getattr(options, "from")
    if form is not None and form not in FORMS:
        raise UsageError(f"there is no form {form!r}", meant(form, FORMS, f"forms: {', '.join(FORMS)}"))
    step, close = call.screen.progress("importing")
    try:
        done = call.memory().import_notes(options.path, form=form, yes=options.yes, progress=step)
    finally:
        close()
    call.answer(shown(done, call.screen), wire.plain(done))
    return 1 if done.unwritten or (done.problems and not done.notes) else 0


def shown(done: Imported, screen: Screen) -> str:
    """What was taken in, or would be, and what was left out."""
    each = ", ".join(f"{number:,} {form}" for form, number in sorted(done.forms.items()))
    forms = f" ({each})" if len(done.forms) > 1 else ""
    logs = counted(len({fact.source.path for fact in done.facts}), "log")
    lines = [
        f"{counted(done.notes, 'note')}{forms}: {counted(len(done.facts), 'fact')} in {logs},"
        f" {done.known:,} known already, {counted(len(done.copies), 'copy', 'copies')} below memory/imported/"
    ]
    lines += facts(done.facts, screen, by_note=True)
    lines += [f"alias: {screen.place(path)}" for path in done.pages]
    if done.others:
        lines.append(screen.paint("dim", f"({counted(done.others, 'file')} passed over: no text)"))
    lines += problems(done.problems, screen)
    if done.unwritten:
        what = "nothing was written" if not (done.facts or done.copies or done.pages) else "the rest was written"
        said = f"{counted(done.unwritten, 'part')} could not be written, {what}: mend that and import again"
        lines.append(screen.paint("red", said))
    if not done.applied and (done.facts or done.copies or done.pages):
        lines.append(screen.paint("yellow", "nothing is written yet: add --yes"))
    return "\n".join(lines)


def facts(found: Iterable[Fact], screen: Screen, *, by_note: bool = False) -> list[str]:
    """The first of these facts, below the logs that they stand in; or below the notes they come from, with days."""
    found = tuple(found)
    lines: list[str] = []
    path = ""
    for fact in found[:_MOST_FACTS]:
        above = fact.trailer.note if by_note else fact.source.path
        if above != path:
            path = above
            lines.append(screen.place(path))
        day = f" ({fact.recorded})" if by_note else ""
        lines.append(f"  {screen.said(fact_line(fact))}{screen.paint('dim', day) if day else ''}")
    if len(found) > _MOST_FACTS:
        lines.append(screen.paint("dim", f"(and {len(found) - _MOST_FACTS:,} more: --json shows all)"))
    return lines


def problems(found: Iterable[Problem], screen: Screen) -> list[str]:
    """What was left out, each with its place and what to do."""
    found = tuple(found)
    lines = []
    for each in found[:_MOST_PROBLEMS]:
        place = screen.place(each.source)
        hint = f" ({each.hint})" if each.hint else ""
        lines.append(f"{place}: {each.code}: {screen.safe(each.message + hint)}")
    if len(found) > _MOST_PROBLEMS:
        lines.append(screen.paint("dim", f"(and {len(found) - _MOST_PROBLEMS:,} more left out: --json shows all)"))
    return lines
