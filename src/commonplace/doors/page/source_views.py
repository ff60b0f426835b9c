"""Views of the files: a line with those around it, and a day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.charts.svg_plots import DayCount, year
from commonplace.doors.page.page_view import View
from commonplace.doors.page.statement_row import StatementRow, day_in, is_day, long_day, seen, statement, whole_number
from commonplace.errors import CommonplaceError, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.doors.page.lanes import PageDesk


_AROUND = 5
"""Lines shown before and after the one that was asked for."""


class SourceLine(NamedTuple):
    """A line of a file, as it is written."""

    number: int
    text: str
    here: bool
    """Whether it is the one that was asked for."""


class SourceText(NamedTuple):
    """Some lines of a file."""

    path: str
    lines: tuple[SourceLine, ...]
    total: int
    """Lines that the file has."""


async def line(desk: PageDesk, path: str, asked: Mapping[str, str]) -> View:
    """A line with those around it, or the whole file."""
    whole = asked.get("all") == "1"
    number, last = whole_number(asked.get("line")), whole_number(asked.get("last"))
    wanted = asked.get("find", "")
    if wanted and not number:
        number = await _found(desk, path, wanted)
    shown = await source_text(desk, path, number, last, whole=whole or not number)
    context = {"source": shown, "number": number, "last": last, "whole": whole or not number, "day_of": day_in(path)}
    context["told"] = await _told(desk, f"{path}#L{number}") if number and not last else {}
    return View("line.html", path, context)


async def _told(desk: PageDesk, citation: str) -> dict[str, Any]:
    """The fact or line that begins there; empty where none does."""
    try:
        return await desk.kept("show", target=citation)
    except CommonplaceError:
        return {}


async def place_of(desk: PageDesk, path: str, wanted: str) -> str:
    """The citation of the line of a file that holds these words; the path alone where none does."""
    try:
        number = await _found(desk, path, wanted)
    except CommonplaceError:
        number = 0
    return f"{path}#L{number}" if number else path


async def _found(desk: PageDesk, path: str, wanted: str) -> int:
    """The line of a file that has these words, or most of them; 0 where none has half of them."""
    texts = (await desk.kept("get", target=path))["text"].split("\n")
    whole = next((number for number, text in enumerate(texts, 1) if wanted.casefold() in text.casefold()), 0)
    if whole:
        return whole
    words = set(wanted.casefold().split())
    shared = [len(words & set(text.casefold().split())) for text in texts]
    best = max(range(len(texts)), key=shared.__getitem__)
    return best + 1 if words and 2 * shared[best] >= len(words) else 0


async def source_text(desk: PageDesk, path: str, number: int, last: int = 0, *, whole: bool = False) -> SourceText:
    """Lines of a file, as they are written. Raises what `get` raises."""
    last = max(number, last)
    first = 1 if whole else max(1, number - _AROUND)
    target = path if whole else f"{path}#L{first}-L{last + _AROUND}"
    try:
        got = await desk.kept("get", target=target)
    except NotFound:
        if whole:
            raise
        got = await desk.kept("get", target=path)  # shorter than it was when it was cited
        first = 1
    texts = got["text"].removesuffix("\n").split("\n")
    lines = [SourceLine(at, seen(text.rstrip("\r")), number <= at <= last) for at, text in enumerate(texts, first)]
    return SourceText(path, tuple(lines[:2_000]), got["total"])


async def one_day(desk: PageDesk, wanted: str, asked: Mapping[str, str]) -> View:
    """A year of days by how much they hold, and one day's files in order."""
    now = await desk.today()
    counts = [(date.fromisoformat(each["day"]), each) for each in (await desk.snapshot("days")).data["days"]]
    if wanted and not is_day(wanted):
        raise NotFound(f"{wanted} is no day", "a day reads 2025-11-27")
    told = {day_of: each for day_of, each in counts}
    chosen = date.fromisoformat(wanted) if wanted else max((each for each in told if each <= now), default=now)
    shown_year = whole_number((asked.get("year") or "")[:4]) or chosen.year
    cells = [DayCount(day_of, each["lines"]) for day_of, each in counts]
    plot = year(cells, shown_year, chosen=chosen, address=lambda each: f"day/{each}", today=now)
    paths = told[chosen]["files"] if chosen in told else ()
    whole = {"during": chosen.isoformat(), "k": 1_000, "budget": 1_000_000}
    facts = await desk.snapshot("recall", query=chosen.isoformat(), **whole)
    by_place = {each["source"]: each for each in facts.data["hits"] if each["origin"] == "retained"}
    known = sorted(told)
    before = [each for each in known if each < chosen]
    after = [each for each in known if each > chosen]
    context = {
        "chosen": chosen.isoformat(),
        "title": long_day(chosen.isoformat()),
        "plot": plot,
        "year": shown_year,
        "years": sorted({each.year for each in known}),
        "files": [await _day_file(desk, path, by_place, now) for path in paths[:20]],
        "left": paths[20:],
        "before": before[-1].isoformat() if before else "",
        "after": after[0].isoformat() if after else "",
    }
    return View("day.html", long_day(chosen.isoformat()), context, "days")


async def _day_file(desk: PageDesk, path: str, facts: Mapping[str, Any], now: date) -> dict[str, Any]:
    """A file of a day: its lines, with the facts among them."""
    try:
        shown = await source_text(desk, path, 0, whole=True)
    except CommonplaceError as error:
        return {"path": path, "rows": (), "error": error.message, "left": 0}
    rows = [(each, _fact_at(facts, path, each.number, now)) for each in shown.lines[:300]]
    return {"path": path, "rows": rows, "error": "", "left": max(0, shown.total - 300)}


def _fact_at(facts: Mapping[str, Any], path: str, number: int, now: date) -> StatementRow | None:
    told = facts.get(f"{path}#L{number}")
    return statement(told, today=now) if told else None
