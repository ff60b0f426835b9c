"""The worker: JSON lines over standard input and output, for hosts that keep one process (docs/tools.md).

One request a line in, one answer a line out, in order; before it, if asked for, lines that say how far it is. Law:
whatever a line holds, the next is served.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from commonplace.config import to_make
from commonplace.doors.shared import failures, wire
from commonplace.doors.shared.batch_form import decoded
from commonplace.doors.shared.reopening import LivingMemory
from commonplace.doors.shared.request_lines import MOST_BYTES, RequestLines
from commonplace.doors.table import requests
from commonplace.doors.tools import tool_calls
from commonplace.errors import Cancelled, CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.doors.shared.verb_call import Call

_EVERY = 0.1
"""Seconds between two words about progress, and between two looks whether the request is cancelled."""


class _Stopped(BaseException):
    """Ends a verb whose request is cancelled; no `Exception`, which would be taken for damage."""


class _AtWork:
    """One request at work.

    Args:
        say: prints how far it is, given (done, of); None if the host did not ask for it.
    """

    def __init__(self, lines: RequestLines, say: Callable[[int, int], None] | None) -> None:
        self._lines, self._say = lines, say
        self._due = time.monotonic() + _EVERY
        self.stop_if_cancelled()

    def step(self, done: int, of: int) -> None:
        """Say how far it is, and stop if it is cancelled. Raises _Stopped."""
        if time.monotonic() >= self._due:
            self.stop_if_cancelled()
            self.tell(done, of)

    def tell(self, done: int, of: int) -> None:
        """Say how far it is; for what can no longer be cancelled, since it has begun to write."""
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _EVERY
            if self._say is not None:
                self._say(done, of)

    def stop_if_cancelled(self) -> None:
        """Raises _Stopped."""
        if self._lines.cancelled():
            raise _Stopped


def worker(call: Call) -> int:
    """Serve until standard input closes or the parent exits; the exit status."""
    kept = LivingMemory(call.root, today=call.today)

    def checked(verb: object) -> None:
        if verb == "init":
            to_make(call.place, call.env)

    lines = RequestLines(call.stdin)
    for line in lines:
        call.screen.print(_answered(kept, lines, line, call=call, checked=checked))
        lines.served()
    kept.close()
    return 0


def _answered(
    kept: LivingMemory, lines: RequestLines, line: bytes | None, *, call: Call, checked: Callable[[object], None]
) -> str:
    """The answer to one line; None is a line that was too long.

    Args:
        lines: says whether the request is cancelled.
        call: prints how far it is, and is told of what nobody foresaw.
        checked: is told each verb before it is called, and may refuse it.
    """
    head: dict[str, Any] = {}
    try:
        asked = _request(line)
        head = _head(asked)
        if head:
            lines.serve(head["id"])
        plain = not head and "verb" not in asked
        checked(asked.get("verb"))
        wanted = False if plain else requests.switch(asked.pop("progress", False), "progress")
        verb = str(asked.get("verb", "recall"))

        def say(done: int, of: int) -> None:
            call.screen.print(wire.line({**head, "progress": {"done": done, "total": of, "what": verb}}))

        found = _called(kept, asked, _AtWork(lines, say if wanted else None))
        return wire.line(found if plain else {**head, "result": found})
    except _Stopped:
        return wire.line({**head, **wire.error(Cancelled("the request was cancelled", "nothing was changed"))})
    except CommonplaceError as told:
        return wire.line({**head, **wire.error(told)})
    except Exception as unforeseen:
        kept.close()  # whatever state it was left in
        call.trace(unforeseen)
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


def _called(kept: LivingMemory, asked: dict[str, Any], at_work: _AtWork) -> dict[str, Any]:
    """The answer of a verb; with `"brief": true` the short form for models, `{"text", "data"}`."""
    verb, today, brief = asked.pop("verb", None), asked.pop("today", None), asked.pop("brief", None)
    day = None if today is None else requests.day(today, "today")
    short = brief is not None and requests.switch(brief, "brief")
    session = asked.pop("session", None) if short else None  # the host's word, beside what its model gave
    memory = kept.memory(day)
    memory.progress = at_work.step
    try:
        name = "recall" if verb is None else verb
        told = tool_calls.call(memory, name, asked, agent=short, session=session, progress=at_work.tell)
    finally:
        memory.progress = None
    return {"text": told.text, "data": told.data} if short else told.data
