"""Runs one verb at the command line: words and flags to its answer function, and the answer printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.table import requests
from commonplace.doors.table.common_fields import TODAY
from commonplace.doors.table.verb_fields import Opens, function
from commonplace.doors.table.verb_table import VERBS
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from commonplace.doors.shared.verb_answer import VerbAnswer
    from commonplace.doors.shared.verb_call import Call
    from commonplace.doors.table.verb_fields import Field, Verb
    from commonplace.memory import Memory


def serve(call: Call, verb: Verb) -> int:
    """Serve a verb; the exit status."""
    if verb.run:
        status: int = function(verb.run)(call)
        return status
    return from_words(call, verb)


def from_words(call: Call, verb: Verb) -> int:
    """Give the words and flags of the command line to a verb's answer function; the exit status."""
    words = [getattr(call.options, word.name) for word in verb.words]
    if verb.batch and words[0] in ("-", ["-"]) and not any(words[1:]):
        return _batch(call, verb)
    return answered(call, verb.name, fields=given(call, verb))


def _batch(call: Call, verb: Verb) -> int:
    """Serve each line of standard input as a request; an error ends only its own line."""
    from commonplace.doors.shared import batch_form, wire
    from commonplace.doors.shared.failures import in_words, told
    from commonplace.doors.table import tool_fields

    keys = VERBS[verb.batch].program_fields() + (() if verb.opens is Opens.NOTHING else (TODAY,))
    own = {field.name for field in verb.fields}
    words = [word.name for word in verb.words]
    flags = given(call, verb._replace(fields=verb.flags))
    _memory(call, verb)  # a missing workspace is reported once, not on every line

    def reply(line: str) -> str:
        fields = tool_fields.checked(keys, requests.asked(line, words))
        memory = _memory(call, verb, today=fields.pop("today", None))
        asked = {name: value for name, value in fields.items() if name in own}
        try:
            found = answer(call, verb.name, fields={**flags, **asked}, memory=memory)
        except OSError as failure:
            raise told(failure) from failure
        return wire.line(found.data) if call.options.json else found.text

    def failed(failure: CommonplaceError) -> None:
        if call.options.json:
            call.screen.print(wire.line(wire.error(failure)))
        else:
            call.screen.note(in_words(failure))

    batch_form.serve(call.stdin, call.screen.print, answer=reply, failed=failed)
    return 0


def _memory(call: Call, verb: Verb, *, today: date | None = None) -> Memory | None:
    """The workspace that a verb opens; None if it needs none."""
    if verb.opens is Opens.NOTHING:
        return None
    return call.memory_if_any(today) if verb.opens is Opens.IF_ANY else call.memory(today)


def answered(call: Call, name: str, *, fields: dict[str, Any], memory: Memory | None = None) -> int:
    """Call a verb with these fields and print its answer; the exit status."""
    return show(call, answer(call, name, fields=fields, memory=memory))


def answer(call: Call, name: str, *, fields: dict[str, Any], memory: Memory | None = None) -> VerbAnswer:
    """The answer of a verb to these fields, from this memory or else the one that the command line names."""
    from commonplace.doors.shared.verb_answer import PLAIN, VerbRequest

    verb = VERBS[name]
    step, close = call.screen.progress(name)
    asked = VerbRequest(fields, progress=step, screen=PLAIN if call.options.json else call.screen)
    opened = memory or _memory(call, verb)
    if opened is not None:
        opened.progress = step
    try:
        found: VerbAnswer = function(verb.answer)(opened, asked)
    finally:
        close()
        if opened is not None:
            opened.progress = None
    return found


def show(call: Call, found: VerbAnswer) -> int:
    """Print an answer with its notes; the exit status."""
    for note in found.notes:
        call.screen.note(note)
    if call.options.json:
        for row in found.rows or filter(None, [found.data]):
            call.answer("", row)
    elif not found.whole:
        call.answer(found.text, found.data)
    elif found.text:
        call.screen.print(found.text.removesuffix("\n"))
    if found.next:
        call.screen.next(found.next)
    return found.status


def given(call: Call, verb: Verb) -> dict[str, Any]:
    """The fields given on the command line, as the answer function takes them. Raises UsageError."""
    found = {}
    for field in verb.fields:
        value = getattr(call.options, field.name) if field.shell else None
        if value not in (None, False, []):
            found[field.name] = _READ[field.type](call, field, value) if field.type in _READ else value
        elif field.required:
            hint = f"see: commonplace {verb.name} --help"
            raise UsageError(f"{verb.name} needs {field.spelled}: {field.help}", hint)
    return found


def _name(call: Call, field: Field, value: Any) -> str:
    if field.is_flag and field.metavar in ("DIGEST", "WHO"):
        return str(value)
    text = " ".join(value) if isinstance(value, list) else value
    return requests.text(text, field.name if field.is_flag or field.many else field.spelled.lower())


def _line(call: Call, field: Field, value: str) -> int:
    short = value.isdecimal() and len(value) < 20
    return requests.number(int(value) if short else value, field.spelled)


def _exact(call: Call, field: Field, value: Any) -> str:
    return call.given(value if isinstance(value, list) else [value], field.name)


_READ: dict[str, Callable[[Call, Field, Any], Any]] = {
    "question": lambda call, field, value: requests.text(call.given(value, field.name), field.name, empty=True),
    "text": lambda call, field, value: requests.text(
        call.given([value] if isinstance(value, str) else value, field.name), field.name
    ),
    "written": lambda call, field, value: (
        value if field.is_flag else requests.written(_exact(call, field, value), field.name)
    ),
    "exact": _exact,
    "name": _name,
    "entity": lambda call, field, value: _name(call, field, value).removeprefix("@"),
    "path": lambda call, field, value: call.path(value),
    "choice": lambda call, field, value: requests.choice(value, field.name, known=field.choices),
    "count": lambda call, field, value: requests.digits(value, field.spelled, most=field.most),
    "line": _line,
    "share": lambda call, field, value: requests.share(value, field.spelled),
    "entities": lambda call, field, value: requests.entities(value),
    "kinds": lambda call, field, value: requests.kinds(value),
    "ids": lambda call, field, value: tuple(each.strip().removeprefix("^") for each in value),
}
"""By the type of a field: how a flag or a word is read."""
