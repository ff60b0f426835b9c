"""`semantic on` at the command line: what it will use and cost is printed before the embedding begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.cli.serve_verb import answer, given, show
from commonplace.doors.table.verb_table import VERBS

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call


def semantic_on(call: Call) -> int:
    """Turn meaning on, then embed unless told not to; the exit status."""
    fields = given(call, VERBS["semantic on"])
    found = answer(call, "semantic on", fields=fields)
    if call.options.later or found.data["problem"] or not found.data["left"]:
        return show(call, found)
    call.screen.note(found.text)
    call.screen.note("Ctrl-C stops the embedding, and `commonplace embed` goes on from there")
    return show(call, answer(call, "embed", fields={}))
