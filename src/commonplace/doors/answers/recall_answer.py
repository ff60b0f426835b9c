"""The answer of recall, in its own module: an agent starts it anew each turn, so it imports only what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.shared.verb_answer import PLAIN, VerbAnswer
from commonplace.doors.table import requests

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory


def fleet_recall(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The hits of the workspaces of a team."""
    return recall(memory, asked._replace(given={**asked.given, "scope": "fleet"}))


def recall(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The hits for a question."""
    given = asked.given
    form, sync = given.pop("format", ""), not given.pop("no_sync", False)
    filters = any(given.get(name) for name in requests.FILTERS)
    found = memory.recall(requests.text(given.pop("query", ""), "query", empty=filters), **given, sync=sync)
    if not sync and given.get("scope") != "fleet" and found.status in ("ok", "empty") and memory.changed():
        why = "files have changed since the last sync; without --no-sync they are read"
        found = found._replace(status="stale", note="; ".join(filter(None, (why, found.note))))
    if asked.agent:
        from commonplace.doors.answers import brief_answers

        return VerbAnswer(*brief_answers.bundle(found))
    if asked.screen is PLAIN:  # a program reads the data alone, and a person the text alone
        from commonplace.doors.shared import wire

        return VerbAnswer("", wire.bundle(found), whole=True)
    from commonplace.doors.shared import render

    text = render.bundle_markdown(found) if form == "md" else render.bundle(found, asked.screen)
    at_home = not found.hits and given.get("scope") != "fleet"
    step = "commonplace status (which Markdown files here are read, and which are not)" if at_home else ""
    return VerbAnswer(text, {}, whole=True, next=step)
