"""Views of what a person decides: the review, a reflect before and after, a merge."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.page.page_view import View
from commonplace.doors.page.source_views import place_of, source_text
from commonplace.doors.page.state_views import KINDS_OF_QUESTIONS, REVIEW, change, waiting
from commonplace.doors.page.statement_row import StatementRow, seen, statement, told_at
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from commonplace.doors.page.jobs import Job
    from commonplace.doors.page.lanes import PageDesk


_OUR_MARKS = ("<!-- commonplace", "<!-- /commonplace")
"""How the lines begin between which we write: no words for a reader."""
_MOST_QUESTIONS = 24
"""That are shown at once: three of each kind at least, within 60 kB."""
_MOST_DIFF = 300
"""Lines of a difference that are shown of one file."""


class Question(NamedTuple):
    """One thing that waits for a person."""

    id: str
    kind: str
    asked: str
    """What is asked, where the statement does not say it: `Same as Pete?`"""
    statement: StatementRow
    beside: StatementRow | None
    """The opinion, the older fact or line that it concerns."""
    lines: Any
    """The line in question with those around it; None where it has none."""
    verdicts: tuple[tuple[str, str, str], ...]
    """Word, label and key of each answer."""
    text: str
    """What may be edited."""


ANSWERS = {
    "names": ("A name", "No name"),
    "same": ("The same", "Two"),
    "changes": ("The older is outdated", "Both hold"),
    "replaced": ("Replaced", "Mine holds"),
    "core": ("Add", "Leave out"),
    "inferred": ("Keep", "Drop"),
}
"""By kind of question: how to accept, and how to reject."""
_HINTS = {
    "names": "a name gets a page, and recall knows it",
    "inferred": "what is kept becomes a fact in its log",
    "core": "what is added is before the agent in every turn",
}
_STANCES = (("for", "For", "f"), ("against", "Against", "c"), ("neither", "Neither", "n"))


async def review(desk: PageDesk, asked: Mapping[str, str]) -> View:
    """Everything that waits for a person, each with its line and what it would move."""
    now = await desk.today()
    snapshot = await desk.snapshot(REVIEW[0], **REVIEW[1])
    waits = snapshot.data
    groups = []
    for kind, count in _shares({kind: len(waits.get(kind) or ()) for kind in KINDS_OF_QUESTIONS}).items():
        questions = [await _question(desk, kind, each, now) for each in (waits.get(kind) or ())[:count]]
        groups.append((KINDS_OF_QUESTIONS[kind], kind, questions))
    context = {
        "groups": groups,
        "hints": _HINTS,
        "waits": waiting(waits),
        "omitted": sum(count for _, count, _ in waiting(waits)) - sum(len(questions) for *_, questions in groups),
        "notes": waits["notes"],
        "undecided": asked.get("none") == "1",
        "snapshots": (snapshot,),
    }
    return View("review.html", "Review", context, "review")


def _shares(counts: Mapping[str, int]) -> dict[str, int]:
    """How many questions of each kind are shown at once, none of the kinds without one: the fewest first, in full."""
    left, shares = _MOST_QUESTIONS, {}
    there = sorted((kind for kind in counts if counts[kind]), key=counts.__getitem__)
    for place, kind in enumerate(there):
        shares[kind] = min(counts[kind], left // (len(there) - place))
        left -= shares[kind]
    return {kind: shares[kind] for kind in counts if kind in shares}


async def _question(desk: PageDesk, kind: str, told: Mapping[str, Any], now: date) -> Question:
    """One question as the page asks it."""
    fact, beside, said = told, None, ""
    if kind == "judge":
        fact, beside = told["fact"], statement(told["opinion"], today=now)
        said = told["reason"]
    elif kind in ("replaced", "changes"):
        fact, beside = told["newer"], statement(told["older"], today=now)
        said = f"{told['how']} yours" if kind == "replaced" else ""
    elif kind == "inferred":
        said = f"added by {told['by']}" if told["by"] else ""
    elif kind == "same":
        said = told["reason"]
    elif kind == "names":
        said = f"on {told['days']} days"
        place = await place_of(desk, told["path"], told["name"])
        fact = {**told, "source": place}
        beside = await told_at(desk, place, now) if "#L" in place else None
    shown = statement(fact, today=now)
    lines = None
    path, _, number = shown.source.partition("#L")
    if number.isdecimal():
        try:
            lines = await source_text(desk, path, int(number))
        except CommonplaceError:
            lines = None
    return Question(
        told["id"],
        kind,
        seen(said, 200),
        shown,
        beside,
        lines,
        _verdicts(kind),
        seen(told.get("text") or "") if kind == "inferred" else "",
    )


def _verdicts(kind: str) -> tuple[tuple[str, str, str], ...]:
    if kind == "judge":
        return _STANCES
    yes, no = ANSWERS[kind]
    return ("accept", yes, "a"), ("reject", no, "x")


class FileDifference(NamedTuple):
    """What a reflect would do to a file."""

    path: str
    reason: str
    is_new: bool
    rows: tuple[tuple[str, str], ...]
    """`+`, `-`, ` ` or `@`, and the line."""
    left: int
    """Rows that are not shown."""


async def reflect(desk: PageDesk, asked: Mapping[str, str], *, job: Job | None) -> View:
    """What a reflect would change, or is doing, or did; and what happened before."""
    now = await desk.today()
    context: dict[str, Any] = {"job": job, "plan": None, "files": [], "log": [], "snapshots": ()}
    if job is None or job.ended:
        plan = await desk.snapshot("reflect", dry_run=True)
        log = await desk.snapshot("log", k=50)
        context |= {"plan": plan.data, "snapshots": (plan, log), "log": [change(each, now) for each in log.data["log"]]}
        context["files"] = [await file_change(desk, each) for each in plan.data["patches"][:40]]
    return View("reflect.html", "Reflect", context, "reflect")


async def file_change(desk: PageDesk, patch: Mapping[str, Any]) -> FileDifference:
    """A patch as the rows of a difference."""
    try:
        before = (await desk.kept("get", target=patch["path"]))["text"] if patch["before"] is not None else ""
    except CommonplaceError:
        before = ""
    lines = [*difflib.unified_diff(before.splitlines(), (patch["after"] or "").splitlines(), lineterm="", n=1)]
    below = next((at for at, line in enumerate(lines) if line.startswith("@@")), 0)  # a head, of two lines, is above
    rows = [(line[:1], seen(line[1:], 600)) for line in lines[below:]]
    shown = tuple(row for row in rows if not row[1].startswith(_OUR_MARKS))
    return FileDifference(
        patch["path"],
        seen(patch["reason"], 200),
        patch["before"] is None,
        shown[:_MOST_DIFF],
        max(0, len(shown) - _MOST_DIFF),
    )


async def merge(desk: PageDesk, into: str, other: str) -> View:
    """What a merge of two entities would change."""
    if not other.strip():
        raise UsageError("the other name is empty", "give the name that is the same person or thing")
    plan = await desk.work("merge", into=into, other=other, dry_run=True)
    files = [await file_change(desk, each) for each in plan["patches"]]
    return View("merge.html", f"{into} and {other}", {"into": into, "other": other, "files": files}, "entities")
