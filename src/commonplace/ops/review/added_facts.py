"""Facts that no rule found: `add W @Ida: Has a boat. from memory/2026-01-09.md#L7`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import render
from commonplace.core.extract.infer import Proposal, proposal_id
from commonplace.core.extract.shown_words import not_shown
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.region_marker import digest
from commonplace.core.model import Citation, Trailer
from commonplace.core.review.review_page import MOST_ADDED
from commonplace.core.text.normalize import fold
from commonplace.errors import NotFound, UsageError
from commonplace.ops.review.lines_beside import beside
from commonplace.ops.write.compose_fact import compose

if TYPE_CHECKING:
    from commonplace.core.review.review_answers import Answer
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.reflect.propose import Open
    from commonplace.store.sqlite import Index


def added_fact(index: Index, got: Gathered, waits: Open, given: Answer) -> Proposal:
    """Return an added fact as a proposal; what a model adds is checked against its line and those beside it.

    Raises NotFound for a place without a line of the author's, UsageError for a fact that is known, waits already, or
    says what was not shown.
    """
    fact = compose(index, given.text, kind=None, entities=(), confidence=None, trailer=Trailer())
    fact = fact._replace(trailer=Trailer(), block_id=False)
    place = Citation.read(given.source)
    around = beside(index, place, got.withheld) if place else None
    if place is None or around is None or place.line not in (number for number, _ in around.lines):
        raise NotFound(f"there is no line of the author's at {given.source}", "name the line that states the fact")
    if fold(fact.content) in waits.retained:
        raise UsageError("it is retained already", "nothing to do")
    row = index.row_at(*place)
    if row is not None and row in index.facts_at((row,)):
        raise UsageError(f"{given.source} is a fact already", "nothing to do")
    id = proposal_id(fact.content)
    if id in (each.id for each in waits.inferred):
        raise UsageError(f"it waits already as ^{id}", f"answer it: ^{id} accept")
    decided = next((each for each in got.decided if each.id == id), None)
    if given.by and ((decided and not decided.by) or _was_removed(got, id)):
        raise UsageError("a person decided it", "nothing to do")
    if got.withheld.repeated(fact.content):
        raise UsageError("it looks like a secret", "leave it where it is")
    if given.by:
        if wrong := not_shown(render(fact), around.text):
            raise UsageError(wrong, "use the words of the line")
        if sum(1 for each in waits.inferred if each.by) >= MOST_ADDED:
            raise UsageError(f"{MOST_ADDED} added facts wait already", "a person answers them first")
    day = next((found.line.recorded for found in index.lines(() if row is None else (row,)).values()), None)
    return Proposal(id, fact.kind, fact.entities, fact.content, place, day, by=given.by)


def _was_removed(got: Gathered, id: str) -> bool:
    """Whether its line was on the review page, and somebody deleted it there."""
    page = region(got.texts.text(REVIEW), "review")
    return page is not None and digest(id) in page.gone()
