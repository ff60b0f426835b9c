"""Facts that no rule found: `add W @Ida: Has a boat. from memory/2026-01-09.md#L7`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import Head, read_bullet, render
from commonplace.core.extract.infer import Proposal, proposal_id
from commonplace.core.markdown.region_marker import digest
from commonplace.core.model import Citation, Kind, Trailer
from commonplace.core.review.review_page import MOST_ADDED
from commonplace.core.review.shown_words import not_shown, opposite
from commonplace.core.text.normalize import fold
from commonplace.errors import NotFound, UsageError
from commonplace.ops.review.lines_beside import beside
from commonplace.ops.write.compose_fact import compose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from commonplace.core.review.review_answers import Answer
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.reflect.propose import Open
    from commonplace.store.sqlite import Index

_ENDS = ".!。！।"
_DONE = "nothing to do"


def kind_refused(text: str) -> str:
    """Return why a model may not state a fact of this kind; empty if it may. A confidence is never a model's."""
    head = read_bullet(text) if text else None
    if isinstance(head, Head) and (head.kind not in (Kind.WORLD, Kind.EXPERIENCE) or head.confidence is not None):
        return "a model states what is so (W) or what the agent did (B), and gives no confidence"
    return ""


def added_fact(
    index: Index, got: Gathered, given: Answer, *, waits: Open, proposals: Mapping[str, Proposal], at_once: bool
) -> Proposal:
    """Return an added fact as a proposal; what a model adds is checked against its line and those beside it.

    Args:
        proposals: those that wait, by id, with the facts that were just added.
        at_once: whether it is retained without waiting.

    Raises NotFound for a place without a line of the author's, UsageError for a fact that is known, waits already, or
    says what was not shown.
    """
    fact = compose(index, given.text, kind=None, entities=(), confidence=None, trailer=Trailer())
    fact = fact._replace(trailer=Trailer(), block_id=False)
    place = Citation.read(given.source)
    around = beside(index, place, got.withheld) if place else None
    line = dict(around.lines).get(place.line) if around and place else None
    if place is None or around is None or line is None:
        raise NotFound(f"there is no line of the author's at {given.source}", "name the line that states the fact")
    if any(fold(text) in waits.retained for text in _spellings(fact.content)):
        raise UsageError("it is retained already", _DONE)
    row = index.row_at(*place)
    found = {} if row is None else index.lines((row,))
    if any(each.is_fact for each in found.values()):
        raise UsageError(f"{given.source} is a fact already", _DONE)
    ids = {proposal_id(text) for text in _spellings(fact.content)}
    if open_ids := ids & proposals.keys():
        raise UsageError(f"it waits already as ^{min(open_ids)}", f"answer it: ^{min(open_ids)} accept")
    if got.withheld.repeated(fact.content):
        raise UsageError("it looks like a secret", "leave it where it is")
    if given.by:
        if any(each.id in ids and not each.by for each in got.decided) or any(digest(id) in waits.gone for id in ids):
            raise UsageError("a person decided it", _DONE)
        if wrong := kind_refused(render(fact)) or not_shown(render(fact), around.text):
            raise UsageError(wrong, "use the words of the line")
        if opposite(fact.content, [line]):
            raise UsageError("it says the opposite of its line", "use the words of the line")
        if not at_once and sum(1 for each in proposals.values() if each.by) >= MOST_ADDED:
            raise UsageError(f"{MOST_ADDED} added facts wait already", "a person answers them first")
    day = next((each.line.recorded for each in found.values()), None)
    return Proposal(proposal_id(fact.content), fact.kind, fact.entities, fact.content, place, day, by=given.by)


def _spellings(content: str) -> Iterator[str]:
    """Yield a content with each end that is the same to a reader."""
    bare = content.rstrip(_ENDS + " ")
    yield content
    yield bare
    yield from (f"{bare}{end}" for end in _ENDS)
