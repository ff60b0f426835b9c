"""Views of what is believed: the list, and one opinion with its course and its evidence."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.charts.svg_plots import Point, course, spark
from commonplace.doors.page.page_view import ROWS, View
from commonplace.doors.page.statement_row import (
    StatementRow,
    at,
    cited,
    day,
    evidence_told,
    seen,
    statement,
    told_at,
    whole_number,
)
from commonplace.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.doors.page.lanes import PageDesk


_MOST_EVIDENCE = 20


class Row(NamedTuple):
    """An opinion in the list."""

    id: str
    statement: StatementRow
    confidence: float
    disputed: bool
    told: str
    """How much evidence it has."""
    spark: Any


class Weight(NamedTuple):
    """A piece of evidence, with what it did to the confidence."""

    role: str
    """`prior`, `for`, `against` or `hand`."""
    statement: StatementRow | None
    """None where its line is gone."""
    before: float | None
    after: float
    why: str
    """Why the step has this size."""


async def opinions(desk: PageDesk, chosen: str, asked: Mapping[str, str]) -> View:
    """The list of opinions, and one of them with its course and its evidence."""
    now = await desk.today()
    as_of = asked.get("as_of", "").strip()
    snapshot = await desk.snapshot("opinions", history=True, **({"as_of": as_of} if as_of else {}))
    held = snapshot.data["opinions"]
    order, begun, about = asked.get("order", "moved"), whole_number(asked.get("from")), asked.get("about", "").strip()
    named = [each for each in held if not about or about in each["entities"]]
    listed = [each for each in named if order != "disputed" or each["disputed_by"]]
    listed.sort(key=lambda each: each["confidence"] if order == "surest" else each["last_updated"] or "", reverse=True)
    rows = [_row(each, now) for each in listed[begun : begun + ROWS]]
    one = _chosen(held, chosen) if chosen else next(iter(listed[begun:]), None)
    if chosen and one is None:
        raise NotFound(f"there is no opinion {seen(chosen, 60)}", "the list has every opinion that is held")
    context = {
        "rows": rows,
        "order": order,
        "disputed": sum(bool(each["disputed_by"]) for each in named),
        "total": len(listed),
        "older": begun + ROWS if begun + ROWS < len(listed) else 0,
        "as_of": as_of,
        "about": about,
        "snapshots": (snapshot,),
        "chosen": one["id"] if one and chosen else "",
        "one": await _opinion(desk, one, held, now) if one else None,
    }
    return View("opinions.html", one["statement"] if one and chosen else "Opinions", context, "opinions")


def _chosen(held: list[dict[str, Any]], id: str) -> dict[str, Any] | None:
    """The opinion with this id; else the one that began with, or is supported by, the fact with this id."""

    def states(each: Mapping[str, Any]) -> bool:
        supports = (told["id"] for told in each["evidence"] if told["stance"] == "supports")
        return id in ((each.get("begun") or {}).get("id"), *supports)

    return next((each for each in held if each["id"] == id), None) or next(filter(states, held), None)


def _row(held: Mapping[str, Any], now: date) -> Row:
    shown = statement(held, today=now)._replace(when=day(held["last_updated"], now))
    return Row(
        held["id"], shown, held["confidence"], bool(held["disputed_by"]), evidence_told(held), spark(_points(held))
    )


def _points(held: Mapping[str, Any]) -> list[Any]:
    """The course of a confidence, for a chart."""

    def read(text: str | None) -> date | None:
        return date.fromisoformat(text) if text else None

    begun = held.get("begun") or {}
    evidence = cited(held)
    points = [
        Point(
            read(begun.get("day")),
            _first(held),
            "prior",
            at(begun.get("source") or held["source"] or ""),
            "first stated",
        )
    ]
    for step in held["history"]:
        told = [evidence[id] for id in step["evidence"] if id in evidence]
        roles = {each["stance"] for each in told}
        role = "hand" if step["by_hand"] else "against" if "contradicts" in roles else "for"
        href = at(told[0]["source"]) if told else at(held["source"] or "")
        points.append(Point(read(step["day"]), step["confidence"], role, href, role))
    return points


def _first(held: Mapping[str, Any]) -> float:
    """The confidence with which it began."""
    first: float = held["spent"][0]["prior"] if held.get("spent") else held["prior"]
    return first


async def _opinion(
    desk: PageDesk, held: Mapping[str, Any], all_held: list[dict[str, Any]], now: date
) -> dict[str, Any]:
    """What the view of one opinion shows."""
    other = next((each for each in all_held if each["id"] == held["disputed_by"]), None)
    points = _points(held)
    plots = [
        course(
            points,
            today=now,
            width=width,
            css=css,
            other=_points(other) if other else (),
            other_name=seen(other["statement"], 24) if other else "",
        )
        for css, width in (("wide", 684), ("narrow", 358))
    ]
    weights, left = await _weights(desk, held, now)
    counts = {
        stance: sum(each["stance"] == stance for each in cited(held).values()) for stance in ("supports", "contradicts")
    }
    return {
        **held,
        "shown": statement(held, today=now),
        "plots": plots,
        "weights": weights,
        "left": left,
        "since": day(points[0].day.isoformat(), now) if points[0].day else "",
        "sentence": _sentence(held, counts),
        "other": other,
        "other_shown": statement(other, today=now) if other else None,
        "file": at(held["source"]) if (held["source"] or "").startswith("bank/") else "",
    }


async def _weights(desk: PageDesk, held: Mapping[str, Any], now: date) -> tuple[list[Weight], int]:
    """The evidence in the order in which it counted, the first where the opinion began; and how much is left out."""
    begun = held.get("begun") or {}
    first = await told_at(desk, begun.get("source") or held["source"] or "", now) or statement(held, today=now)
    evidence = cited(held)
    steps: list[tuple[str, str, float, float, str]] = []
    before = _first(held)
    for step in held["history"]:
        after = step["confidence"]
        if step["by_hand"]:
            steps.append(("hand", "", before, after, day(step["day"], now)))
        for factor in step["factors"]:
            role = "against" if factor["stance"] == "contradicts" else "for"
            steps.append((role, evidence.get(factor["id"], {}).get("source", ""), before, after, _why(factor)))
        before = after
    shown = [
        Weight(role, await told_at(desk, source, now) if source else None, was, after, why)
        for role, source, was, after, why in steps[-_MOST_EVIDENCE:]
    ]
    return [Weight("prior", first, None, _first(held), ""), *shown], max(0, len(steps) - _MOST_EVIDENCE)


def _why(factor: Mapping[str, Any]) -> str:
    """Why evidence counted as much as it did, in words."""
    times = f", counted {factor['times']:g} times" if factor["times"] not in (0, 1) else ""
    counted = f"weight {factor['weight']:.2f}{times}" if factor["times"] else "counted with another"
    return " · ".join((counted, *factor["why"]))


def _sentence(held: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    """What happened to an opinion, in a sentence."""
    days = {True: "day", False: "days"}
    spoke = [
        f"{count} {days[count == 1]} spoke {word} it"
        for count, word in ((counts["supports"], "for"), (counts["contradicts"], "against"))
        if count
    ]
    doubt = "; in doubt" if 0.4 <= held["confidence"] <= 0.6 and spoke else ""
    was = "" if abs(_first(held) - held["confidence"]) < 0.005 else f"was {_first(held):.2f}. "
    was += "Set by hand since. " if held.get("spent") else ""
    return was + (", ".join(spoke) + doubt + "." if spoke else "Stated once; nothing spoke for or against it since.")
