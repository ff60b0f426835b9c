"""Facts in time: their order, and which of them a trailer retracts or supersedes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from commonplace.core.model import Fact


def order(fact: Fact) -> tuple[int, str, int]:
    """Sort key by time: the recorded day, then path and line; undated facts come first."""
    day, place = fact.recorded, fact.source
    return (day.toordinal() if day else 0, place.path, place.line)


def ordinal(day: date | None) -> int:
    """A day as a number; 0 if None."""
    return day.toordinal() if day else 0


def living(facts: Iterable[Fact]) -> tuple[list[Fact], dict[str, str], dict[str, Fact]]:
    """Return the facts that are not retracted; the id of the superseding fact by superseded id; the retracting fact by
    retracted id.

    An outsider's trailer affects only that outsider's own facts. The author's lines that retract others are left out.
    """
    facts = list(facts)
    superseded: dict[str, str] = {}
    retracted: dict[str, Fact] = {}
    outsiders = {fact.id: fact.trailer.outsider for fact in facts if fact.trailer.src}
    for fact in facts:
        if not (fact.trailer.supersedes or fact.trailer.retracts):
            continue
        said_by = fact.trailer.outsider
        superseded.update((id, fact.id) for id in fact.trailer.supersedes if said_by in ("", outsiders.get(id)))
        retracted.update((id, fact) for id in fact.trailer.retracts if said_by in ("", outsiders.get(id)))
    kept = [fact for fact in facts if fact.id not in retracted and not fact.trailer.takes_back]
    return kept, superseded, retracted
