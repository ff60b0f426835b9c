"""The view that answers a question, and says how it was read; where a fleet is on, across the team's workspaces."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from commonplace.doors.page.page_view import ROWS, View
from commonplace.doors.page.statement_row import days, statement, whole_number
from commonplace.errors import Busy, CommonplaceError, FleetUnusable, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from commonplace.doors.page.lanes import PageDesk

_PATIENCE = 10.0
"""Seconds that a view waits for the fleet, before it answers from this folder alone."""
_LEFT_OUT = "left out: raise k to read more"
"""How a note ends where not all was read: the page has a link for it."""
_TURN = 5.0
"""Seconds that it waits for the worker before, which may be busy with something else."""


async def ask(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """The hits for a question, with why each was found, and how the question was read."""
    query, as_of, of_team = asked.get("q", "").strip(), asked.get("as_of", "").strip(), asked.get("scope") == "fleet"
    context: dict[str, Any] = {"query": query, "as_of": as_of, "hits": [], "found": None, "chips": [], "refusal": None}
    context |= {"team": False, "scope": "workspace", "silent": None}
    if not query:
        context["team"] = (await desk.read_all()).in_fleet
        return View("ask.html", "Ask", context, "ask")
    wanted = min(whole_number(asked.get("k")) or 10, ROWS)
    fields: dict[str, Any] = {"query": query, "k": wanted} | ({"as_of": as_of} if as_of else {})
    here, how = ("recall", fields), ("explain", {"query": query, "no_sync": not of_team})  # recall has just looked
    try:
        read = await desk.read_all(how) if of_team else await desk.read_all(here, how)
        found = None if of_team else read.data[0]
        if of_team and read.in_fleet:
            context["scope"] = "fleet"
            found, context["silent"] = await _of_team(desk, fields)
        if found is None:
            found = await desk.read("recall", **fields)
    except UsageError as error:  # a day that is no day: the form stays, and says it
        context["team"] = (await desk.read_all()).in_fleet
        return View("ask.html", "Ask", context | {"refusal": error}, "ask", 400)
    context["found"], context["chips"], context["team"] = found, _chips(read.data[-1], query, read.today), read.in_fleet
    said = found["note"].split("; ")
    context["note"] = "; ".join(part for part in said if not part.endswith(_LEFT_OUT))
    context["partly"] = partly = context["note"] != found["note"]
    context["more"] = min(wanted * 2, ROWS) if (found["omitted"] or partly) and wanted < ROWS else 0
    context["theirs"] = theirs = context["scope"] == "fleet" and context["silent"] is None
    disputed = _disputed(found["hits"])
    context["hits"] = [
        statement(each, today=read.today, elsewhere=theirs, disputed=disputed.get(each["source"], ""))
        for each in found["hits"]
    ]
    return View("ask.html", query, context, "ask")


def _disputed(hits: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Of two hits that dispute each other recall names the newer at the older; here the older at the newer, too."""
    told_at = {place: each["source"] for each in hits for place in (each["source"], *(each.get("also") or ()))}
    older = ((each["disputed_by"], each["source"]) for each in hits if each.get("disputed_by"))
    return {told_at[newer]: place for newer, place in older if newer in told_at}


async def _of_team(desk: PageDesk, fields: dict[str, Any]) -> tuple[dict[str, Any] | None, CommonplaceError | None]:
    """The fleet's answer, or why there is none."""
    now, begun = asyncio.get_running_loop().time, False
    try:  # in the worker: a server that hangs must not hold up what is asked of this folder
        async with asyncio.timeout(_TURN) as clock:

            def start(_: int) -> None:
                nonlocal begun
                begun = True
                clock.reschedule(now() + _PATIENCE)

            return await desk.work("recall", begun=start, scope="fleet", **fields), None
    except TimeoutError:
        if not begun:
            return None, Busy("this page's worker is busy, so that the fleet was not asked", "ask again in a moment")
        return None, FleetUnusable(f"the fleet has not answered within {_PATIENCE:g} seconds", "ask again later")
    except CommonplaceError as error:
        return None, error


class Chip(NamedTuple):
    """What a question was read as asking for."""

    what: str
    text: str
    without: str
    """The question without it; empty where that is no question."""
    href: str = ""
    """The view of it, if it has one."""


def _chips(read: Mapping[str, Any], query: str, today: date) -> list[Chip]:
    """What the question was read as, each with the question that does without it."""
    found = []
    if when := read["range"]:
        first, last = when["from"] or "..", when["to"] or ".."
        text = when["phrase"] if first == last == ".." else days(f"{first}/{last}", today)
        found.append(
            Chip("time", text, _without(query, when["phrase"]), f"day/{first}" if first == last != ".." else "")
        )
    found += [Chip("about", name, _without(query, name), f"entity/{quote(name, safe='')}") for name in read["entities"]]
    found += [Chip("kind", kind, "") for kind in read["kinds"]]
    return found


def _without(query: str, part: str) -> str:
    start = query.casefold().find(part.casefold())
    return " ".join((query[:start] + query[start + len(part) :]).split()) if part and start >= 0 else ""
