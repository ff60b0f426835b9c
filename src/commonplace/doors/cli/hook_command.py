"""The hook at the end of a host's session; it never fails or delays the host."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call

LONGEST = 0.8
"""Seconds after which the process ends whatever it does; a write is whole or not at all. Python's start is extra."""
FAILED = 1
"""The exit status of any failure. Hosts show it to the user and go on; 2 is a veto, by which they would stop."""
WAITING = "waiting for the host's JSON"
_MOST = 4_000_000
"""Bytes of a host's JSON: it may hold the last answer."""


def hook(call: Call) -> int:
    """Write the session described on standard input, or by the word, to the log; the exit status."""
    from commonplace.doors.shared.failures import told

    doing = ["starting"]
    timer = Timer(LONGEST, _end, [doing])
    timer.daemon = True
    if call.stdin is sys.stdin.buffer:  # this process is ours alone
        timer.start()
    try:
        from commonplace.memory.capture_session import capture

        memory = call.memory()
        doing.append(WAITING)
        done = capture(memory, call.options.input or _said(call.stdin), step=doing.append)
    except Exception as failure:
        error = told(failure)
        if error is not failure:  # an error of ours says all there is to say
            call.trace(failure)
        call.screen.note(f"commonplace hook: no entry written: {error.message}\n  {error.hint}".rstrip())
        return FAILED
    finally:
        timer.cancel()
    call.tell(f"entry written at {done}" if done else "nothing new to note")
    return 0


def _said(stdin: BinaryIO) -> str:
    """The host's JSON object. Some hosts never close the pipe, so its end is not waited for."""
    import json

    said = b""
    while len(said) < _MOST and (more := stdin.read1(1 << 16)):  # type: ignore[attr-defined]
        said += more
        if said.rstrip().endswith(b"}"):
            with suppress(ValueError, RecursionError):
                json.loads(said)
                break
    return said.decode(errors="replace").removeprefix("\ufeff")


def _end(doing: list[str]) -> None:
    """Exit now, without waiting for the workspace, the disk or the other end of a pipe."""
    try:
        if select.select([], [2], [], 0)[1]:
            os.write(2, f"commonplace hook: timed out after {LONGEST:g} seconds while {doing[-1]}\n".encode())
    finally:
        os._exit(FAILED)
