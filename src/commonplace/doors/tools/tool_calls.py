"""Calls of verbs by programs and models: for the MCP server and the worker.

Keys are the names of `Memory`'s parameters, but that `id`, which a worker's requests have, is `target`; what a call
takes is checked once, by `doors.table.tool_fields`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.answers import brief_answers
from commonplace.doors.shared import render, wire
from commonplace.doors.shared.verb_answer import PLAIN, VerbRequest
from commonplace.doors.table import requests, tool_fields
from commonplace.doors.table.fact_verbs import SESSION
from commonplace.doors.table.parser import meant
from commonplace.doors.table.verb_fields import function
from commonplace.doors.table.verb_table import programs
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.doors.shared.verb_answer import VerbAnswer
    from commonplace.doors.table.verb_fields import Verb
    from commonplace.memory import Memory

_MOST_NOTICES = 5
"""That a model is told of."""


def tools(*, agent: bool = False) -> list[Verb]:
    """The verbs for programs, those for models first; only the latter if `agent`."""
    found = [verb for verb in programs().values() if verb.agent or not agent]
    return sorted(found, key=lambda verb: verb.agent or len(found))


def call(
    memory: Memory,
    name: object,
    arguments: object,
    *,
    agent: bool = False,
    session: object = None,
    progress: Callable[[int, int], None] | None = None,
) -> VerbAnswer:
    """Call a verb by name.

    Args:
        arguments: a JSON object, as parsed.
        agent: whether a model calls: it has fewer tools and keys, and its answers are short.
        session: in which session of a host a model calls, as that host says; kept with what is written as a fact.
        progress: told (done, of) by calls that take long, on their thread.

    Raises:
        UsageError: where the tool or its arguments are wrong; nothing was called.
    """
    known = {verb.key: verb for verb in tools(agent=agent)}
    if not isinstance(name, str) or name not in known:
        told = f"verbs: {', '.join(known)}"
        raise UsageError(f"unknown verb {requests.shown(name)}", meant(str(name)[:100], known, otherwise=told))
    verb = known[name]
    given = tool_fields.checked(verb.program_fields(agent=agent), arguments)
    if session is not None and SESSION in verb.fields:
        given |= tool_fields.checked((SESSION,), {"session": session})
    answer: VerbAnswer = function(verb.answer)(memory, VerbRequest(given, agent, progress))
    if notices := memory.notices():
        told_of = notices[:_MOST_NOTICES] if agent else notices
        lines = filter(None, [answer.text, *render.notices(told_of, PLAIN)])
        answer = answer._replace(text="\n".join(lines), data={**answer.data, **wire.notices(told_of)})
    return brief_answers.safe(answer, tagged=name in ("core", "context")) if agent else answer


def schema(verb: Verb, *, agent: bool = True, fleet: bool = False) -> dict[str, Any]:
    """The JSON Schema of a verb's fields."""
    return tool_fields.schema(verb.program_fields(agent=agent, fleet=fleet))


def listing(*, fleet: bool = False) -> list[dict[str, Any]]:
    """The tools for models, in the form of MCP's `tools/list`.

    Args:
        fleet: whether a fleet is on, so that a model is told how to ask it.
    """
    return [_listed(verb, fleet) for verb in tools(agent=True)]


def _listed(verb: Verb, fleet: bool) -> dict[str, Any]:
    hints = {"readOnlyHint": True} if verb.read_only else {"destructiveHint": verb.destructive}
    if verb.idempotent:
        hints["idempotentHint"] = True
    told: dict[str, Any] = {"name": verb.key, "description": verb.tool, "inputSchema": schema(verb, fleet=fleet)}
    if verb.output:
        kinds = {name.rstrip("?"): {"type": kind} for name, kind in verb.output.items()}
        always = [name for name in verb.output if not name.endswith("?")]
        told["outputSchema"] = {"type": "object", "properties": kinds, "required": always}
    return {**told, "annotations": hints}
