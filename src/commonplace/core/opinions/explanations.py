"""Explains in words why a person's verdict did not change a confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.opinion_entry import AGAINST, FOR, PRIOR, SET
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.opinions.opinion_entry import Entry, Mark

_SHOWN = 0.005
"""Half of the last shown decimal."""


def unmoved(fact_id: str, before: Entry | None, *, after: Entry | None, alive: bool) -> str:
    """Return why a verdict on a fact did not change an opinion's confidence; empty if it did.

    Args:
        before, after: the opinion without and with the verdict; None if it is not held.
        alive: whether the fact counts: it exists, and was neither retracted nor superseded.
    """
    if not alive:
        return f"^{fact_id} no longer counts: it was deleted, retracted or superseded"
    if after is None:
        return "the opinion no longer exists"
    was, now = _mark_of(before, fact_id), _mark_of(after, fact_id)
    if before is not None and _moved(before, after, was=was, now=now):
        return ""
    if was is not None and now is not None and was.role == now.role:
        return _same(now)
    return _uncounted(before or after, was) if now is None else _uncounted(after, now)


def _moved(before: Entry, after: Entry, *, was: Mark | None, now: Mark | None) -> bool:
    """Whether this mark alone changes the shown confidence, whatever else was answered at the same time."""
    others = tuple(mark for mark in after.marks if mark is not now)
    without = after._replace(marks=(*others, was) if was is not None else others)
    value = confidence(after.start, after.evidence())
    if was is not None and was.role == PRIOR:
        return abs(value - confidence(before.start, before.evidence())) >= _SHOWN
    return abs(value - confidence(after.start, without.evidence())) >= _SHOWN


def _same(mark: Mark) -> str:
    return (
        "it is the prior: the opinion was first stated there"
        if mark.role == PRIOR
        else f"it counted {mark.role} it before"
    )


def _uncounted(entry: Entry, mark: Mark | None) -> str:
    """Return why evidence that an opinion lists makes no difference."""
    if mark is None:
        return "it did not count before, and does not count now"
    if mark.role == PRIOR:
        return _same(mark)
    marks = list(entry.marks)
    spent = max((at for at, each in enumerate(marks) if each.role == SET), default=-1)
    if marks.index(mark) <= spent:
        return f"the confidence was set by hand on {marks[spent].day}, and evidence above that line is spent"
    prior = next((each for each in marks if each.role == PRIOR), None)
    if spent < 0 and mark.role == FOR and prior is not None and prior.day == mark.day:
        return f"the opinion was first stated on {_day(mark)}, and that day counts once, as the prior"
    return _beside(marks[spent + 1 :], mark) or _weak(entry, mark)


def _beside(marks: Sequence[Mark], mark: Mark) -> str:
    """Return that other evidence of its day or its outsider counts in its place; empty if there is none."""
    like = (mark.role, mark.origin) if mark.origin else (mark.role, mark.origin, mark.day)
    for other in marks:
        if other is not mark and other.counts and (other.role, other.origin, other.day)[: len(like)] == like:
            return f"{mark.origin or _day(mark)} counts {mark.role} it once, by ^{other.fact_id} already"
    return ""


def _weak(entry: Entry, mark: Mark) -> str:
    bounds, value = table("belief"), entry.confidence or 0.0
    if mark.role == FOR and value >= bounds["ceiling"]:
        return "the confidence is as high as it can be"
    if mark.role == AGAINST and value <= bounds["floor"]:
        return "the confidence is as low as it can be"
    if mark.origin:
        return "other people's statements together move an opinion only a little, and already have"
    return "it is too weak to move the confidence by 0.01"


def _day(mark: Mark) -> str:
    return f"{mark.day}" if mark.day else "what has no day"


def _mark_of(entry: Entry | None, fact_id: str) -> Mark | None:
    return next((mark for mark in entry.marks if mark.fact_id == fact_id), None) if entry is not None else None
