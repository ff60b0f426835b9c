"""Writes the end of a host's session to the daily log, once."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from commonplace.core.extract.session_note import Transcript, entered, read, read_transcript, sentence
from commonplace.core.markdown.text_edits import without_controls
from commonplace.core.model import Citation
from commonplace.errors import NotFound, UsageError
from commonplace.store.host_transcript import tail

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.memory import Memory


def capture(memory: Memory, said: str, *, step: Callable[[str], None]) -> Citation | None:
    """The citation of the log entry of a host's session; None if there was nothing new to write.

    A session whose transcript holds no request and no written file is not noted, nor one that has its entry for the
    same event, in this day's log or the day's before. Raises UsageError for what no host says, and what a write raises.

    Args:
        step: is told what is begun, for who gives up waiting.
    """
    session = read(said)
    if session is None:
        raise UsageError("this is not the JSON of a host's session", "docs/hooks.md describes the format")
    told, whole = Transcript(), True
    if session.transcript:
        step("reading the transcript")
        try:
            text, whole = tail(session.transcript)
        except (OSError, ValueError):  # it was never written, or belongs to somebody else
            pass
        else:
            told = read_transcript(text)
    if told.empty and whole and not session.request:
        return None
    step("waiting for the workspace, which another program may be writing")
    with memory.lock:
        workspace, day = memory._writes(), memory.today
        path, before = (f"memory/{each.isoformat()}.md" for each in (day, day - timedelta(days=1)))
        try:
            if session.mark in workspace.read(before).text:
                return None
        except NotFound:
            pass
        line = without_controls(sentence(session, told, home=os.path.expanduser("~"), whole=whole))
        old: list[str | None] = []

        def grown(text: str | None) -> str:
            old[:] = [text]
            return entered(text, path, line=line, mark=session.mark, day=day)

        page = workspace.change(path, grown)
    if page.text == old[0]:
        return None
    number = next((at for at, each in enumerate(page.text.split("\n"), 1) if session.mark in each), 1)
    return Citation(path, number)
