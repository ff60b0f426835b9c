"""The view that answers a question, and says how it was read; where a fleet is on, across the team's workspaces."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.page.page_view import ROWS, View
from commonplace.doors.page.statement_row import statement, whole_number
from commonplace.errors import CommonplaceError, FleetUnusable, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.doors.page.lanes import PageDesk

_PATIENCE = 10.0
"""Seconds that a view waits for the fleet, before it answers from this folder alone."""


async def ask(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """The hits for a question, with why each was found, and how the question was read."""
    now = await desk.today()
    query, as_of = asked.get("q", "").strip(), asked.get("as_of", "").strip()
    team = await desk.in_fleet()
    scope = "fleet" if team and asked.get("scope") == "fleet" else "workspace"
    context: dict[str, Any] = {"query": query, "as_of": as_of, "hits": [], "found": None, "chips": [], "refusal": None}
    context |= {"team": team, "scope": scope, "silent": None}
    if not query:
        return View("ask.html", "Ask", context, "ask")
    wanted = min(whole_number(asked.get("k")) or 10, ROWS)
    fields: dict[str, Any] = {"query": query, "k": wanted} | ({"as_of": as_of} if as_of else {})
    try:
        found, context["silent"] = await _found(desk, fields, scope)
        context["chips"] = _chips(await desk.read("explain", query=query), query)
    except UsageError as error:  # a day that is no day: the form stays, and says it
        return View("ask.html", "Ask", context | {"refusal": error}, "ask", 400)
    context["found"] = found
    context["more"] = min(wanted * 2, ROWS) if found["omitted"] and wanted < ROWS else 0
    context["theirs"] = theirs = scope == "fleet" and context["silent"] is None
    context["hits"] = [statement(each, today=now, elsewhere=theirs) for each in found["hits"]]
    return View("ask.html", query, context, "ask")


async def _found(desk: PageDesk, fields: dict[str, Any], scope: str) -> tuple[dict[str, Any], CommonplaceError | None]:
    """The answer, and why it is not the fleet's if that was asked: then it is this folder's."""
    silent: CommonplaceError | None = None
    if scope == "fleet":
        try:  # in the worker: a server that hangs must not hold up what is asked of this folder
            return await asyncio.wait_for(desk.work("recall", scope=scope, **fields), _PATIENCE), None
        except TimeoutError:
            silent = FleetUnusable(f"the fleet has not answered within {_PATIENCE:g} seconds", "ask again later")
        except CommonplaceError as error:
            silent = error
    return await desk.read("recall", **fields), silent


class Chip(NamedTuple):
    """What a question was read as asking for."""

    what: str
    text: str
    without: str
    """The question without it; empty where that is no question."""


def _chips(read: Mapping[str, Any], query: str) -> list[Chip]:
    """What the question was read as, each with the question that does without it."""
    found = []
    if when := read["range"]:
        span = f"{when['from'] or '..'}/{when['to'] or '..'}"
        text = when["phrase"] if span.startswith("..") and span.endswith("..") else span
        found.append(Chip("time", text, _without(query, when["phrase"])))
    found += [Chip("about", name, _without(query, name)) for name in read["entities"]]
    found += [Chip("kind", kind, "") for kind in read["kinds"]]
    return found


def _without(query: str, part: str) -> str:
    start = query.casefold().find(part.casefold())
    return " ".join((query[:start] + query[start + len(part) :]).split()) if part and start >= 0 else ""
