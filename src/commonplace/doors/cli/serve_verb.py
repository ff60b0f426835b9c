"""Runs one verb at the command line: flags to its answer function, and the answer printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.table import requests
from commonplace.doors.table.verb_fields import function
from commonplace.doors.table.verb_table import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.doors.shared.verb_answer import VerbAnswer
    from commonplace.doors.shared.verb_call import Call
    from commonplace.doors.table.verb_fields import Field, Verb
    from commonplace.memory import Memory


def serve(call: Call, verb: Verb) -> int:
    """Serve a verb; the exit status."""
    if verb.run:
        status: int = function(verb.run)(call)
        return status
    return answered(call, verb.name, fields=given(call, verb))


def answered(call: Call, name: str, *, fields: dict[str, Any], memory: Memory | None = None) -> int:
    """Show what a verb answers to these fields; the exit status."""
    return show(call, answer(call, name, fields, memory))


def answer(call: Call, name: str, fields: dict[str, Any], memory: Memory | None = None) -> VerbAnswer:
    """What a verb answers to these fields, of this memory or of the one that was asked for."""
    from commonplace.doors.shared.verb_answer import PLAIN, VerbRequest

    verb = VERBS[name]
    step, close = call.screen.progress(f"{name.removesuffix('e')}ing")
    asked = VerbRequest(fields, progress=step, screen=PLAIN if call.options.json else call.screen)
    try:
        found: VerbAnswer = function(verb.answer)(memory or call.memory(), asked)
    finally:
        close()
    return found


def show(call: Call, found: VerbAnswer) -> int:
    """Print an answer, and what goes beside it; the exit status."""
    for note in found.notes:
        call.screen.note(note)
    if call.options.json:
        if found.data:
            call.answer("", found.data)
    elif not found.whole:
        call.answer(found.text, found.data)
    elif found.text:
        call.screen.print(found.text.removesuffix("\n"))
    if found.next:
        call.screen.next(found.next)
    return found.status


def given(call: Call, verb: Verb) -> dict[str, Any]:
    """The fields of a verb that the command line was given, as its answer function takes them. Raises UsageError."""
    found = {}
    for field in verb.fields:
        value = getattr(call.options, field.name) if field.shell else None
        if value not in (None, False, []):
            found[field.name] = _READ.get(field.type, _as_it_is)(call, field, value)
    return found


def _as_it_is(call: Call, field: Field, value: Any) -> Any:
    return value


def _name(call: Call, field: Field, value: Any) -> str:
    """A date in words is read by `Memory`, which has an example of each; what names something is judged here."""
    if field.is_flag and field.metavar in ("WHEN", "DIGEST", "WHO"):
        return str(value)
    text = " ".join(value) if isinstance(value, list) else value
    return requests.text(text, field.name if field.is_flag or field.many else field.spelled.lower())


def _line(call: Call, field: Field, value: str) -> int:
    short = value.isdecimal() and len(value) < 20
    return requests.number(int(value) if short else value, field.spelled)


def _exact(call: Call, field: Field, value: Any) -> str:
    return call.given(value if isinstance(value, list) else [value], field.name)


_READ: dict[str, Callable[[Call, Field, Any], Any]] = {
    "question": lambda call, field, value: requests.text(call.given(value, field.name), field.name),
    "text": lambda call, field, value: requests.text(call.given(value, field.name), field.name),
    "written": lambda call, field, value: (
        value if field.is_flag else requests.written(_exact(call, field, value), field.name)
    ),
    "exact": _exact,
    "name": _name,
    "entity": lambda call, field, value: _name(call, field, value).removeprefix("@"),
    "path": lambda call, field, value: call.path(value),
    "choice": lambda call, field, value: requests.choice(value, field.name, known=field.choices),
    "count": lambda call, field, value: requests.digits(value, field.spelled, field.most),
    "line": _line,
    "share": lambda call, field, value: requests.share(value, field.spelled),
    "entities": lambda call, field, value: requests.entities(value),
    "kinds": lambda call, field, value: requests.kinds(value),
    "ids": lambda call, field, value: tuple(each.strip().removeprefix("^") for each in value),
}
"""By the type of a field: how a flag or a word is read."""
