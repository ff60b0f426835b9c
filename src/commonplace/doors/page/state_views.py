"""Views of the state: today, and the health of workspace and index."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.page.page_view import View
from commonplace.doors.page.source_views import pages
from commonplace.doors.page.statement_row import at, day, long_day, proposed, seen
from commonplace.doors.shared.render import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from commonplace.doors.page.lanes import PageDesk


REVIEW: tuple[str, dict[str, Any]] = ("review", {"k": 50})
"""What is asked for to show what waits: in a large folder thousands do, and a view has room for twenty-four."""
_OF_TODAY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("log", {"since": "7d", "k": 30}),
    REVIEW,
    ("check", {}),
    ("days", {}),
)


class Change(NamedTuple):
    """Something that happened to the memory."""

    when: str
    what: str
    text: str
    why: str
    href: str
    """Where it stands; empty where it stands nowhere."""
    paths: tuple[str, ...]


async def today(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """What changed lately, what waits, what is wrong, and the core as an agent sees it."""
    now = await desk.today()
    core = await desk.kept("core")
    log, asks, check, days = (desk.at_hand(*wanted) for wanted in _OF_TODAY)
    return View(
        "today.html",
        "Today",
        {
            "day": long_day(now.isoformat()),
            "changes": _changes(log.data["log"], days.data["days"], now) if log and days else None,
            "waiting": waiting(asks.data) if asks else None,
            "problems": check.data["problems"] if check else (),
            "blocks": [_block(each) for each in core["blocks"]],
            "core": core,
            "subjects": await pages(desk),
            "waits": not (log and asks and check and days),
            "snapshots": [each for each in (log, asks, check, days) if each],
        },
        "today",
    )


def _changes(log: Iterable[Mapping[str, Any]], days: Iterable[Mapping[str, Any]], now: date) -> list[Change]:
    """What the logs got and what became of it in seven days, the newest first."""
    since, today = (now - timedelta(days=6)).isoformat(), now.isoformat()
    told = [(each["day"], _recorded(each, now)) for each in days if since <= each["day"] <= today]
    told += [(each["day"] or "", change(each, now)) for each in log]
    return [row for _, row in sorted(told, key=lambda each: each[0], reverse=True)]


def _recorded(told: Mapping[str, Any], now: date) -> Change:
    """What was written down on a day."""
    what = f"{counted(told['lines'], 'line')} written down"
    return Change(day(told["day"], now), what, "", "", f"day/{told['day']}", tuple(told["files"]))


_MOST_OF_A_BLOCK = 20_000
"""Characters of a file of the core, which all share a budget of tokens."""


def _block(told: Mapping[str, Any]) -> dict[str, Any]:
    """A file of the core as the agent gets it, and how many of its lines that leaves out."""
    lines = told["text"].splitlines()
    given = lines if told["shown"] < 0 else lines[: told["shown"]]
    text = "\n".join(given)
    return {**told, "text": seen(text, _MOST_OF_A_BLOCK), "left": len(lines) - len(given)}


_REVIEW_PAGE = "bank/review.md#"
_ID = re.compile(r"\s*\^[a-z0-9-]{4,16}\b")
_IN_FULL = {"for": "by evidence for it", "against": "by evidence against it"}


def change(told: Mapping[str, Any], now: date) -> Change:
    """A row of the log."""
    source, by, what = told.get("source") or "", told.get("by") or "", told["what"]
    if by and not told["text"]:
        what = f"{by} {what}"
    elif by.startswith("model:"):  # what nobody else is named for, rules or the reader did
        what = f"{what} by {by}"
    why = _without_ids(told["why"])
    if by == "person" and source.startswith(_REVIEW_PAGE):  # which has no day of theirs
        why += "; the day is that of its line"
    return Change(
        day(told["day"], now),
        seen(what, 200),
        seen(proposed(told["text"]), 400),
        seen(why, 400),
        at(source) if "#L" in source else "",
        tuple(told.get("paths") or ()),
    )


def _without_ids(why: str) -> str:
    """A reason as a person reads it: the line is a link beside it, and needs no id."""
    shown = _ID.sub("", why).strip()
    return _IN_FULL.get(shown, shown)


KINDS_OF_QUESTIONS = {
    "judge": "For or against?",
    "replaced": "Replaced?",
    "changes": "Outdated?",
    "names": "Who or what?",
    "same": "The same?",
    "core": "For the core?",
    "inferred": "Worth keeping?",
}
"""Key of the review -> what is asked."""


def waiting(asks: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """What waits for a person: what is asked, how often, and how that reads: `150+` where more follow."""
    counts: dict[str, int] = asks["counts"]
    told = {name: f"{count:,}" for name, count in counts.items()}
    told["inferred"] += "+" if asks.get("more") else ""
    return [(asked, counts[name], told[name]) for name, asked in KINDS_OF_QUESTIONS.items() if counts[name]]


async def health(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """The state of workspace and index, and every problem by its kind."""
    status, check, doctor = await asyncio.gather(
        desk.snapshot("status"), desk.snapshot("check"), desk.snapshot("doctor")
    )
    hints = {each["hint"] for each in check.data["problems"]} - {""}
    # those that sum up the problems are left out
    findings = [each for each in doctor.data["findings"] if each["area"] != "text" and each["hint"] not in hints]
    context = {
        "status": status.data,
        "groups": _by_code(check.data["problems"]),
        "findings": sorted(findings, key=lambda each: each["level"] == "ok"),
        "snapshots": (status, check, doctor),
    }
    return View("health.html", "Health", context, "health")


def _by_code(problems: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for each in problems:
        href = at(each["source"]) if each.get("source") else ""
        groups.setdefault(each["code"], []).append({**each, "href": href, "message": seen(each["message"], 300)})
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))
