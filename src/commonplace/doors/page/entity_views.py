"""Views of who and what there is: the list, and one entity."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from commonplace.doors.charts.svg_plots import FactMark, life
from commonplace.doors.page.page_view import ROWS, WIDTHS, View
from commonplace.doors.page.source_views import pages
from commonplace.doors.page.statement_row import (
    StatementRow,
    at,
    day,
    day_in,
    days,
    evidence_told,
    file_of,
    is_day,
    plain,
    seen,
    statement,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from commonplace.doors.page.lanes import PageDesk


_MOST_LINES = 80
"""Lines of a page that are shown, the newest first: within 60 kB."""
_MOST_TOLD = 20
"""Lines that are shown of what nobody has stated a fact about."""


async def entities(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """Who and what is known."""
    now = await desk.today()
    known = (await desk.snapshot("entities")).data["entities"]
    kind, begun = asked.get("kind", ""), whole_number(asked.get("from"))
    kinds = sorted({each["kind"] for each in known if each["kind"]})
    listed = [each for each in known if not kind or (each["kind"] or "") == kind]
    rows = [{**each, "span": _span(each, now)} for each in listed[begun : begun + ROWS]]
    older = begun + ROWS if begun + ROWS < len(listed) else 0
    context = {"rows": rows, "kinds": kinds, "kind": kind, "total": len(listed), "older": older, "from": begun}
    context["subjects"] = await pages(desk)
    return View("entities.html", "Entities", context, "entities")


def _span(known: Mapping[str, Any], now: date) -> str:
    return days(f"{known['first']}/{known['last']}", now) if known["first"] else ""


async def entity(desk: PageDesk, name: str, asked: Mapping[str, str]) -> View:
    """One entity: what is so now, what was, its opinions, what is said beside it."""
    now = await desk.today()
    found = await desk.kept("entity", name=name)
    facts = {each["id"]: each for each in found["facts"]}
    apart = {each["id"] for each in found["opinions"]}  # they stand beside, with their evidence
    sections = [
        (section["title"], lines)
        for section in found["content"]["sections"]
        if section["title"] not in ("", "Related", "Open questions")
        and (lines := [_page_line(line, facts, found, now) for line in section["lines"] if line["id"] not in apart])
    ]
    shown = list(_first(sections, _MOST_LINES))
    fresh, left = _unquoted(found, sections)
    told = [] if sections or facts else (await desk.read("recall", query=found["name"], k=_MOST_TOLD))["hits"]
    known = desk.at_hand("entities", {})
    everyone = known.data["entities"] if known else []
    by_confidence = sorted(found["opinions"], key=lambda each: -each["confidence"])
    held = [{**each, "statement": statement(each, today=now), "told": evidence_told(each)} for each in by_confidence]
    marks = [mark for each in found["facts"] if (mark := _mark(each, found["superseded"])) is not None]
    kinds = list(dict.fromkeys(str(each["kind"]) for each in reversed(found["facts"])))
    plots = [life(marks, kinds, today=now, width=width, css=css) for css, width in WIDTHS] if marks else []
    questions = [
        line["text"]
        for each in found["content"]["sections"]
        if each["title"] == "Open questions"
        for line in each["lines"]
    ]
    recorded = sorted(each["recorded"] for each in found["facts"] if each["recorded"])
    context = {
        "entity": found,
        "words": seen(found["content"]["words"], 4_000),
        "shown": shown,
        "lines": (there := sum(len(lines) for _, lines in sections)),
        "left": max(0, there - _MOST_LINES),
        "fresh": [statement(each, today=now) for each in fresh[:ROWS]],
        "others": [_stated(each, found, now) for each in left[: _room(shown)]],
        "more": len(fresh[ROWS:]) + len(left[_room(shown) :]),
        "told": [statement(each, today=now) for each in told],
        "names": [each["name"] for each in everyone[:50]],
        "named": _named(next((each for each in everyone if each["name"] == found["name"]), None), now),
        "opinions": held,
        "questions": questions,
        "plots": plots,
        "first": day(recorded[0], now) if recorded else "",
        "merge": asked.get("merge", ""),
    }
    return View("entity.html", found["name"], context, "entities")


def _first(sections: Iterable[tuple[str, list[StatementRow]]], most: int) -> Iterator[tuple[str, list[StatementRow]]]:
    """Sections up to so many lines in all."""
    for title, lines in sections:
        if most > 0:
            yield title, lines[:most]
        most -= len(lines)


def _mark(fact: Mapping[str, Any], superseded: Mapping[str, str]) -> Any:
    """A fact on the chart; None where it has no day."""
    first, _, last = (fact["valid"] or fact["recorded"] or "").partition("/")
    try:
        begins = date.fromisoformat(first)
        ends = date.fromisoformat(last) if last not in ("", "..") else begins
    except ValueError:
        return None
    return FactMark(
        fact["kind"], begins, ends, fact["id"] in superseded, at(fact["source"]), seen(fact["content"], 160)
    )


def _unquoted(
    found: Mapping[str, Any], sections: Iterable[tuple[str, list[StatementRow]]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The facts that its page does not show: those as new as the newest on it, and those that it leaves out."""
    lines = [line for _, lines in sections for line in lines]
    quoted, words = {line.id for line in lines}, {line.text for line in lines}
    apart = [each for each in found["facts"] if each["id"] not in quoted]
    if not lines:
        return [], apart
    newest = max(line.day for line in lines)
    apart = [each for each in apart if each["kind"] != "opinion"]
    fresh = [each for each in apart if (each["recorded"] or "") >= newest and plain(each["content"]) not in words]
    told = {each["id"] for each in fresh}
    return fresh, [each for each in apart if each["id"] not in told]


def _room(shown: Iterable[tuple[str, list[StatementRow]]]) -> int:
    """How many facts besides may be shown."""
    return min(ROWS, _MOST_LINES - sum(len(lines) for _, lines in shown))


def _named(known: Mapping[str, Any] | None, now: date) -> dict[str, Any]:
    """Since when and on how many days logs have named it; nothing where that is unknown."""
    return (
        {"day": known["first"], "first": day(known["first"], now), "days": known["days"]}
        if known and known["first"]
        else {}
    )


def _stated(fact: Mapping[str, Any], found: Mapping[str, Any], now: date) -> StatementRow:
    """A fact with what became of it."""
    gone, disputed = (found[which].get(fact["id"], "") for which in ("superseded", "disputed"))
    return statement(fact, today=now, gone=gone, disputed=disputed)


def _page_line(line: Mapping[str, Any], facts: Mapping[str, Any], found: Mapping[str, Any], now: date) -> StatementRow:
    """A line of a page, with its fact where it is one."""
    if fact := facts.get(line["id"]):
        return _stated(fact, found, now)
    shown = statement({"content": line["text"], "source": line["path"]}, today=now)
    href, path = f"{shown.href}?find={quote(line['text'][-80:])}#here", line["path"]
    if not path:
        href, path = (f"{at(line['linked'])}?all=1", line["linked"]) if line["linked"] else ("", "")
    newer = at(line["linked"]) if line["path"] and line["linked"] else ""
    notes = (line["note"],) if line["note"] and not newer else ()
    place = ("log" if day_in(path) else file_of(path)) if href else ""
    recorded = line["lead"][:10] if is_day(line["lead"][:10]) and day_in(line["path"]) else ""
    return shown._replace(when=_lead(line["lead"], now), day=recorded, href=href, place=place, notes=notes, gone=newer)


def _lead(lead: str, now: date) -> str:
    first, to, last = lead.partition(" to ")
    if to and len(first) == 10:
        return days(f"{first}/{first[: 10 - len(last)]}{last}", now)
    return day(lead, now)
