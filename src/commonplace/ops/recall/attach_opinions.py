"""Adds to hits that are opinions the confidence and evidence of their page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Fact, Kind, Stance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.core.model import Hit, Opinion
    from commonplace.store.sqlite import Index


def with_opinions(index: Index, hits: Sequence[Hit], *, as_of: date | None) -> Sequence[Hit]:
    """Return the hits, opinions with the confidence and evidence that reflect, or a person, keeps for them.

    Args:
        as_of: the day as of which confidence is computed; None: today.
    """
    lines = [hit.line.source for hit in hits if not isinstance(hit.line, Fact)]
    if by_hand := {opinion.source: opinion for opinion in index.opinions_at(lines)}:
        hits = [_by_hand(hit, by_hand.get(hit.line.source)) for hit in hits]
    facts = (hit.line for hit in hits if isinstance(hit.line, Fact) and hit.opinion is None)
    stated = [fact for fact in facts if fact.kind is Kind.OPINION]
    if not stated:
        return hits
    held = _as_known(index, index.opinions_on(stated), day=as_of)
    by_fact = {item.fact_id: opinion for opinion in held for item in opinion.evidence if item.stance is Stance.SUPPORTS}
    by_words = {(opinion.statement, frozenset(map(entity_key, opinion.entities))): opinion for opinion in held}
    found = []
    for hit in hits:
        words = (hit.line.content, frozenset(map(entity_key, hit.line.entities)))
        opinion = by_words.get(words) or by_fact.get(hit.id)
        found.append(hit._replace(opinion=opinion) if opinion is not None else hit)
    return found


def _as_known(index: Index, held: Sequence[Opinion], *, day: date | None) -> list[Opinion]:
    """Opinions as known on a day, their evidence cited by line."""
    places = index.places({item.fact_id for opinion in held for item in opinion.evidence})
    found = []
    for opinion in held:
        evidence = tuple(
            item._replace(source=places.get(item.fact_id, item.source))
            for item in opinion.evidence
            if day is None or (item.recorded is not None and item.recorded <= day)
        )
        known = opinion._replace(evidence=evidence)
        if day is not None:
            from commonplace.core.opinions.belief import confidence  # only as_of computes one

            days = [item.recorded for item in evidence if item.recorded is not None]
            updated = max(days, default=None)
            if opinion.last_updated is not None and opinion.last_updated <= day:
                updated = opinion.last_updated
            known = known._replace(confidence=confidence(opinion.prior, evidence), last_updated=updated)
        found.append(known)
    return found


def _by_hand(hit: Hit, opinion: Opinion | None) -> Hit:
    if opinion is None:
        return hit
    return hit._replace(opinion=opinion, line_id=opinion.id, line_kind=Kind.OPINION)
