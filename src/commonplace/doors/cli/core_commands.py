"""The verbs at the command line that read as an agent does: the core, a context, lines by citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.doors.shared.verb_call import Call


def core(call: Call) -> int:
    """Show the core files as blocks."""
    from commonplace.doors.table import requests

    options = call.options
    budget = None if options.budget is None else requests.digits(options.budget, "--budget", requests.MOST_TOKENS)
    found = call.memory().core(budget=budget, numbered=options.numbered)
    for note in found.notes:
        call.screen.note(f"not shown: {note}")
    if not found.blocks and not found.notes:
        call.screen.note("the core is empty; write to it: commonplace append MEMORY.md '- …'")
    elif found.omitted:
        call.screen.note(f"{found.omitted:,} lines are left out: raise --budget to see more")
    _whole(call, found.text, found, call.screen.print)
    return 0


def context(call: Call) -> int:
    """Show the core and what is recalled for a message."""
    from commonplace.doors.table import requests

    options = call.options
    budget = None if options.budget is None else requests.digits(options.budget, "--budget", requests.MOST_TOKENS)
    k = None if options.k is None else requests.digits(options.k, "--k", requests.MOST_HITS)
    found = call.memory().context(requests.text(call.given(options.query, "query"), "query"), k=k, budget=budget)
    if found.bundle.status not in ("ok", "empty"):
        call.screen.note(f"status: {found.bundle.status}; {found.bundle.note}")
    _whole(call, found.text, found, call.screen.print)
    return 0


def get(call: Call) -> int:
    """Show lines of a file; where they stand and the digest go beside them, so that the text alone can be piped."""
    from commonplace.doors.table import requests

    target = requests.text(call.options.citation, "citation")
    try:
        found = call.memory().get(call.path(target))
    except NotFound as failure:
        if set(target) & set("./#"):
            raise
        raise NotFound(
            failure.message, f"give a path such as MEMORY.md; of a fact: commonplace show {target}"
        ) from None
    if not call.options.json:
        first = found.source.line
        span = f"line {first}" if first == found.last else f"lines {first} to {found.last}"
        where = f"{found.source.path}: {span} of {found.total}" if found.total else f"{found.source.path}: empty"
        call.screen.note(f"{where}, digest {found.digest}")
    _whole(call, found.text, found, call.screen.print_exactly)
    return 0


def _whole(call: Call, text: str, found: object, show: Callable[[str], None]) -> None:
    """Answer with a text that ends its own lines."""
    if call.options.json:
        from commonplace.doors.shared import wire

        call.answer("", wire.plain(found))
    elif text:
        show(text.removesuffix("\n"))
