"""The worker: JSON lines over standard input and output, for hosts that keep one process (docs/tools.md).

One request a line in, one answer a line out, in order. Law: whatever a line holds, the next is served.
"""

from __future__ import annotations

import os
from select import select
from typing import TYPE_CHECKING, Any, BinaryIO

from commonplace.config import to_make
from commonplace.doors.shared import failures, wire
from commonplace.doors.shared.batch_form import decoded
from commonplace.doors.shared.reopening import LivingMemory
from commonplace.doors.table import requests
from commonplace.doors.tools import tool_calls
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.doors.shared.verb_call import Call

MOST_BYTES = 2_000_000
"""Of a line: all that its texts may hold, escaped."""
_CHUNK = 1 << 16
_PATIENCE = 2.0
"""Seconds of silence after which it is asked whether the parent is still there."""


def worker(call: Call) -> int:
    """Serve until standard input closes or the parent exits; the exit status."""
    kept = LivingMemory(call.root, today=call.today)

    def checked(verb: object) -> None:
        if verb == "init":
            to_make(call.place, call.env)

    for line in _lines(call.stdin):
        call.screen.print(_answered(kept, line, trace=call.trace, checked=checked))
    kept.close()
    return 0


def _answered(
    kept: LivingMemory, line: bytes | None, *, trace: Callable[[Exception], None], checked: Callable[[object], None]
) -> str:
    """The answer to one line; None is a line that was too long.

    Args:
        trace: is told of what nobody foresaw.
        checked: is told each verb before it is called, and may refuse it.
    """
    head: dict[str, Any] = {}
    try:
        asked = _request(line)
        head = _head(asked)
        plain = not head and "verb" not in asked
        checked(asked.get("verb"))
        found = _called(kept, asked)
        return wire.line(found if plain else {**head, "result": found})
    except CommonplaceError as told:
        return wire.line({**head, **wire.error(told)})
    except Exception as unforeseen:
        kept.close()  # whatever state it was left in
        trace(unforeseen)
        return wire.line({**head, **wire.error(failures.told(unforeseen))})


def _head(asked: dict[str, Any]) -> dict[str, Any]:
    """The id of a request, removed from it; empty if there is none."""
    head = {"id": asked.pop("id")} if "id" in asked else {}
    try:
        wire.line({**head, "error": {}})
    except RecursionError:
        raise UsageError("the id is nested too deeply", "use a number or a word") from None
    return head


def _request(raw: bytes | None) -> dict[str, Any]:
    """The request of a line: its JSON object, or a question in plain text."""
    if raw is None:
        raise UsageError("the line is too long", f"at most {MOST_BYTES:,} bytes are read")
    line = decoded(raw).strip(" \t\r\n")
    if not line:
        raise UsageError("the line is empty", "write one question or JSON object a line")
    return requests.asked(line, ["query"])


def _called(kept: LivingMemory, asked: dict[str, Any]) -> dict[str, Any]:
    """The answer of a verb; with `"brief": true` the short form for models, `{"text", "data"}`."""
    verb, today, brief = asked.pop("verb", None), asked.pop("today", None), asked.pop("brief", None)
    day = None if today is None else requests.day(today, "today")
    short = brief is not None and requests.switch(brief, "brief")
    session = asked.pop("session", None) if short else None  # the host's word, beside what its model gave
    told = tool_calls.call(kept.memory(day), "recall" if verb is None else verb, asked, agent=short, session=session)
    return {"text": told.text, "data": told.data} if short else told.data


def _lines(stdin: BinaryIO) -> Iterator[bytes | None]:
    """The lines of standard input, ended by line feeds; None for one that is too long."""
    parts: list[bytes] = []
    size = 0
    for chunk in _chunks(stdin):
        first, *rest = chunk.split(b"\n")
        for end, part in enumerate((first, *rest)):
            if end:
                yield b"".join(parts) if size <= MOST_BYTES else None
                parts, size = [], 0
            size += len(part)
            if size <= MOST_BYTES:
                parts.append(part)
            else:
                parts.clear()
    if size:
        yield b"".join(parts) if size <= MOST_BYTES else None


def _chunks(stdin: BinaryIO) -> Iterator[bytes]:
    """Standard input in chunks, until it closes or the parent exits."""
    parent = os.getppid()
    read = getattr(stdin, "read1", stdin.read)
    while True:
        if _ready(stdin):
            chunk = read(_CHUNK)
            if not chunk:
                return
            yield chunk
        elif os.getppid() != parent:
            return


def _ready(stdin: BinaryIO) -> bool:
    """Whether there is input, after waiting for a while; true if that cannot be determined."""
    if os.name == "nt":
        return True
    try:
        return bool(select([stdin], [], [], _PATIENCE)[0])
    except (OSError, ValueError):
        return True
