"""Views of the files: a line with those around it, and a day."""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from datetime import date
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.charts.svg_plots import DayCount, year
from commonplace.doors.page.page_view import View
from commonplace.doors.page.statement_row import (
    LONGEST,
    StatementRow,
    at,
    day_in,
    is_day,
    linked,
    long_day,
    seen,
    statement,
    whole_number,
)
from commonplace.errors import CommonplaceError, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.doors.page.lanes import PageDesk


_AROUND = 5
"""Lines shown before and after the one that was asked for."""
_MARKS = re.compile(r"[\W_]+")
_MOST_READ = 20_000
"""Characters of the line that was asked for."""
_ROOM = 54_000
"""Bytes that the year and the lines of a day share, so that with all else its view has 60 kB at most, …"""
_ROW, _PIECE, _FILE = 280, 60, 700
"""… and what a line takes beside its words, a link or a note in it, and a file beside its lines."""
_MOST_FILES = 20
"""Of a day."""
_BY_SUBJECT = ("bank/decisions.md", "bank/preferences.md", "bank/world.md", "bank/experience.md")
"""The pages that are of no entity (docs/format.md)."""


class SourceLine(NamedTuple):
    """A line of a file, as it is written."""

    number: int
    text: str
    here: bool
    """Whether it is the one that was asked for."""
    left: int
    """Characters of it that are not shown."""


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
    context["lost"] = bool(wanted) and not number
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
    """The line of a file that has these words, or most of them; 0 where none has half of them.

    A page may tell a line with its heading (`Boats: sold`), and a row of a table with its columns (`Boat: Ida; Sold:
    May`): of such parts only what follows the last colon is expected in the line.
    """
    texts = [_letters(text) for text in (await desk.kept("get", target=path))["text"].split("\n")]
    parts = [_letters(part.rpartition(": ")[2]) for part in wanted.split("; ")]
    held = [sum(len(part) for part in parts if part in text) for text in texts]
    most, whole = max(held), _threes(_letters(wanted))
    shared = {at: len(whole & _threes(text)) for at, text in enumerate(texts) if held[at] == most}
    best = max(shared, key=shared.__getitem__)
    found = 2 * most >= sum(map(len, parts)) > 0 or 2 * shared[best] >= len(whole) > 0
    return best + 1 if found else 0


def _letters(text: str) -> str:
    """A text without its marks, spaces and cases."""
    return _MARKS.sub("", text[:_MOST_READ]).casefold()


def _threes(letters: str) -> set[str]:
    """What a text consists of in any language, three letters at a time."""
    return {letters[at : at + 3] for at in range(len(letters) - 2)}


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
    lines = [_source_line(at, text.rstrip("\r"), here=number <= at <= last) for at, text in enumerate(texts, first)]
    return SourceText(path, tuple(lines[:2_000]), got["total"])


def _source_line(number: int, text: str, *, here: bool) -> SourceLine:
    most = _MOST_READ if here else LONGEST
    return SourceLine(number, seen(text, most), here, max(0, len(text) - most))


async def pages(desk: PageDesk) -> list[tuple[str, str]]:
    """Path and title of each page by subject that a reflect has made."""
    found = []
    for path in _BY_SUBJECT:
        with suppress(CommonplaceError):
            text = (await desk.kept("get", target=path))["text"]
            titles = (each.removeprefix("# ") for each in text.split("\n") if each.startswith("# "))
            found.append((path, next(titles, path)))
    return found


async def one_day(desk: PageDesk, wanted: str, asked: Mapping[str, str]) -> View:
    """A year of days by how much they hold, and one day's files in order."""
    now = await desk.today()
    counts = [(date.fromisoformat(each["day"]), each) for each in (await desk.snapshot("days")).data["days"]]
    if wanted and not is_day(wanted):
        raise NotFound(f"{wanted} is no day", "a day reads 2025-11-27")
    told = {day_of: each for day_of, each in counts}
    wanted = wanted or next((day for day in (asked.get("day", ""),) if is_day(day)), "")
    chosen = date.fromisoformat(wanted) if wanted else max((each for each in told if each <= now), default=now)
    shown_year = whole_number((asked.get("year") or "")[:4]) or chosen.year
    cells = [DayCount(day_of, each["lines"]) for day_of, each in counts]
    plot = year(cells, shown_year, chosen=chosen, address=lambda each: f"day/{each}", today=now)
    paths = told[chosen]["files"] if chosen in told else []
    paths = sorted(paths, key=lambda path: (not path.endswith(f"/{chosen}.md"), day_in(path) != chosen.isoformat()))
    whole = {"during": chosen.isoformat(), "k": 1_000, "budget": 1_000_000}
    facts = await desk.snapshot("recall", query=chosen.isoformat(), **whole)
    by_place = {each["source"]: each for each in facts.data["hits"] if each["origin"] == "retained"}
    lines = _lines_of(facts.data["hits"], chosen.isoformat())
    known = sorted(told)
    before = [each for each in known if each < chosen]
    after = [each for each in known if chosen < each and (each <= now or now <= chosen)]
    files = [await _day_file(desk, path, by_place, now, lines.get(path, ())) for path in paths[:_MOST_FILES]]
    context = {
        "chosen": chosen.isoformat(),
        "title": long_day(chosen.isoformat()),
        "plot": plot,
        "year": shown_year,
        "years": sorted({each.year for each in known}),
        "files": _within(files, _ROOM - len(plot.encode())),
        "left": paths[_MOST_FILES:],
        "before": before[-1].isoformat() if before else "",
        "after": after[0].isoformat() if after else "",
    }
    return View("day.html", long_day(chosen.isoformat()), context, "days")


def _lines_of(hits: list[dict[str, Any]], day: str) -> dict[str, list[int]]:
    """The numbers of the lines that were recorded on a day, of each file that is of no day or of another."""
    found: dict[str, list[int]] = {}
    for each in hits:
        for place in (each["source"], *each["also"]) if each["recorded"] == day else ():
            path, _, number = place.rpartition("#L")
            if day_in(path) != day:
                found.setdefault(path, []).append(whole_number(number.partition("-")[0]))
    return found


async def _day_file(
    desk: PageDesk, path: str, facts: Mapping[str, Any], now: date, part: Sequence[int]
) -> dict[str, Any]:
    """A file of a day: its lines, with the facts among them; of a file that holds more the part with these."""
    try:
        shown = await source_text(desk, path, 0, whole=True)
    except CommonplaceError as error:
        return {"path": path, "rows": (), "error": error.message, "left": 0, "part": ""}
    within, told, total = shown.lines, "", shown.total
    if part:
        above = [each.number for each in within if each.number <= min(part) and each.text.startswith("#")]
        first, last = max(above, default=min(part)), max(part)
        within, told = within[first - 1 : last], f"lines {first}–{last} of {total}"
        total = last - first + 1
    rows = [(each, _fact_at(facts, path, each.number, now)) for each in within]
    return {"path": path, "rows": rows, "error": "", "left": total - len(rows), "part": told}


def _within(files: list[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    """The files, each with as many of its first lines as have room beside the others."""
    needs = [[*accumulate(_bytes(line, fact, file["path"]) for line, fact in file["rows"])] for file in files]
    room -= sum(_FILE + 3 * len(at(file["path"])) for file in files)
    sharing = len(files)
    for file, taken in sorted(zip(files, needs, strict=True), key=lambda each: each[1][-1:]):
        shown = bisect_right(taken, room // sharing)
        room -= taken[shown - 1] if shown else 0
        sharing -= 1
        file["left"] += len(file["rows"][shown:])
        file["rows"] = file["rows"][:shown]
    return files


def _bytes(line: SourceLine, fact: StatementRow | None, path: str) -> int:
    """About what a line takes."""
    if not line.text.strip():
        return 0  # it is not shown
    beside = [href for _, href in linked(line.text, path) if href]
    beside += [at(path)] * (2 if line.left else 1)
    beside += [each for each in (fact.gone, fact.disputed, *fact.notes) if each] if fact else []
    return _ROW + len(escape(line.text).encode()) + sum(_PIECE + len(each) for each in beside)


def _fact_at(facts: Mapping[str, Any], path: str, number: int, now: date) -> StatementRow | None:
    told = facts.get(f"{path}#L{number}")
    return statement(told, today=now) if told else None
