"""The verb forget at the command line: one fact by its id, or many, shown first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.ops.write.forget import Wiped


def forget(call: Call) -> int:
    """Forget; the exit status is 1 when something that we could not remove holds it still."""
    from commonplace.doors.shared import render, wire
    from commonplace.doors.table import requests

    options = call.options
    filters = [options.source, options.entity, options.since, options.until, options.during]
    if options.id is not None:
        if any(each is not None for each in filters):
            raise UsageError("an id names one fact: no flag narrows it down", "leave out the id, or the flags")
        one = call.memory().forget(options.id.strip(), again=options.again)
        call.answer(render.forgotten(one, call.screen), wire.plain(one))
        return 0 if one.complete else 1
    if all(each is None for each in filters):
        raise UsageError(
            "forget needs ID: the fact's id; or --source, --entity, --since …", "see: commonplace forget --help"
        )
    done = call.memory().forget_all(
        source=requests.text(options.source, "source") if options.source is not None else None,
        entity=requests.text(options.entity, "entity") if options.entity is not None else None,
        since=options.since,
        until=options.until,
        during=options.during,
        yes=options.yes,
    )
    call.answer(shown(done, call.screen), wire.plain(done))
    return 0 if done.complete else 1


_MOST_PLACES = 20
"""Files and lines shown of a kind; `--json` has all."""


def _places(what: str, places: Sequence[str], screen: Screen) -> list[str]:
    lines = [f"{what} {screen.place(place)}" for place in places[:_MOST_PLACES]]
    if len(places) > _MOST_PLACES:
        lines.append(screen.paint("dim", f"(and {len(places) - _MOST_PLACES:,} more: --json shows all)"))
    return lines


def shown(done: Wiped, screen: Screen) -> str:
    """What was removed, or would be, and what stays."""
    from commonplace.doors.cli.import_command import facts, problems
    from commonplace.doors.shared.render import counted

    if not (done.facts or done.copies or done.elsewhere or done.problems):
        return "nothing to forget: no fact matches"
    count = counted(len(done.facts), "fact")
    lines = [f"{screen.paint('green', 'forgotten')}: {count}" if done.applied else f"would be forgotten: {count}"]
    lines += facts(done.facts, screen)
    lines += _places("copy:", done.copies, screen)
    lines += _places("still at", tuple(map(str, done.elsewhere)), screen)
    lines += problems(done.problems, screen)
    lines += [f"{screen.paint('yellow', 'note')}: {screen.safe(note)}" for note in done.notes]
    if not done.applied:
        lines.append(screen.paint("yellow", "nothing is removed yet: add --yes"))
    return "\n".join(lines)
