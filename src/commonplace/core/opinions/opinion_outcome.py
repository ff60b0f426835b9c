"""The result for one opinion: its marks in order, its confidence, whether it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Kind
from commonplace.core.opinions.belief import bare_prior, confidence
from commonplace.core.opinions.opinion_entry import FOR, PRIOR, SET, Entry
from commonplace.core.timeline import order, ordinal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.core.model import Fact
    from commonplace.core.opinions.candidates import Held
    from commonplace.core.opinions.opinion_entry import Mark
    from commonplace.core.opinions.page_state import Kept


def outcome(held: Held, facts: Mapping[str, Fact], *, kept: Kept) -> Entry | None:
    """Return the opinion for the page; None if no statement of it is left and no person wrote it.

    Args:
        facts: those that count, by id, including those of outsiders.
    """
    marks = _in_order(held, facts, kept=kept)
    alive = any(mark.role in (PRIOR, FOR) and not (mark.gone or mark.origin) for mark in (*held.frozen, *marks))
    by_hand = any(mark.role == SET for mark in held.frozen)
    edited = held.page is not None and held.page.number in kept.edited
    if not (alive or by_hand or edited):
        return None
    entry = Entry(held.id, held.statement, held.entities, 0.0, (*held.frozen, *marks))
    start = entry.prior
    value = confidence(bare_prior() if start is None else start, entry.evidence())
    days = [mark.day for mark in entry.marks if mark.day and mark.counts]
    disputed = held.opposite.id if held.opposite and not held.opposite.hidden else ""
    return entry._replace(confidence=round(value, 2), last_updated=max(days, default=None), disputed_by=disputed)


def deleted(kept: Kept, held: Held, *, fact_id: str) -> bool:
    """Whether a person deleted the line of this evidence."""
    return kept.deleted(f"{held.id}/{fact_id}")


def _in_order(held: Held, facts: Mapping[str, Fact], *, kept: Kept) -> list[Mark]:
    """Return the marks that count, one per fact, by day; the first remaining statement becomes the prior."""
    left = [mark for mark in held.marks if not deleted(kept, held, fact_id=mark.fact_id)]
    marks = list({mark.fact_id: mark for mark in left}.values())
    if len(marks) > 1:
        places = {mark.fact_id: order(facts[mark.fact_id]) for mark in marks if mark.fact_id in facts}
        marks.sort(key=lambda mark: places.get(mark.fact_id, (ordinal(mark.day), mark.path, 0)))
    if held.frozen:
        return marks
    first = next((mark for mark in marks if mark.role == PRIOR and mark.number in kept.edited), None)
    first = first or next((mark for mark in marks if _states(mark, facts)), None)
    for at, mark in enumerate(marks):
        if mark is first:
            marks[at] = mark._replace(role=PRIOR, value=bare_prior() if mark.value is None else mark.value)
        elif mark.role == PRIOR and not mark.gone:
            fact = facts.get(mark.fact_id)
            marks[at] = mark._replace(role=FOR, value=fact.confidence if fact else mark.value)
    return sorted(marks, key=lambda mark: (mark.role != PRIOR, not mark.gone))


def _states(mark: Mark, facts: Mapping[str, Fact]) -> bool:
    """Whether a mark's fact exists and states the opinion, by the author."""
    fact = facts.get(mark.fact_id)
    if mark.role not in (PRIOR, FOR) or mark.gone or fact is None:
        return False
    return fact.kind is Kind.OPINION and not fact.trailer.outsider
