"""Adds to hits what supersedes, disputes or outdates them: of two that exclude each other, both are cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Span
from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.recall.hit_extent import apart
from commonplace.core.recall.rerank import current_first
from commonplace.ops.beliefs.outdated_lines import outdated
from commonplace.ops.recall.read_lines import read_candidates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Citation, Hit
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.store.sqlite import Index

SUPERSEDES = "supersedes a hit"
"""The reason of a fact that is a hit only because it supersedes one."""
DISPUTES = "disputes a hit"
"""The same for one that disputes a hit."""
OUTDATES = "tells what became of a hit"
"""The same for a line that outdates one."""


def with_conflicting(
    index: Index,
    question: AnalyzedQuestion,
    hits: Sequence[Hit],
    *,
    known: Iterable[Hit] = (),
    oldest_first: bool = False,
) -> tuple[list[Hit], set[int]]:
    """Return the hits with what supersedes, disputes or outdates them, if the filters let that pass; and its rows.

    Nothing is read if all of them are among the hits. The hits before a place decide what is added before it, so a
    larger k only adds.

    Args:
        known: hits that are before these.
        oldest_first: such a fact comes directly after the older one, else directly before it; also after it if the
            question names an identifier that only the older one has, or days of which only the older one is.
    """
    found = list(hits)
    cited = {place for hit in (*known, *hits) for place in hit.places}
    added: set[int] = set()
    looked_at = 0
    while looked_at < len(found):
        marked = _marked(found[looked_at:], cited)
        looked_at = len(found)
        rows = {row: marked[place] for place, row in index.rows_at(marked).items()}
        for stored, candidate in read_candidates(index, question, list(rows)) if rows else ():
            older = rows[stored.row]
            found.append(candidate.hit(older.score, (_why_beside(older),)))
            added.add(stored.row)
        cited.update(marked)
    at = {place: hit for hit in found for place in hit.places}
    pairs = ((older, at[newer]) for older in found if (newer := _newer(older)) in at)
    after = {newer.line.source for older, newer in pairs if _is_meant(question, older, newer)}
    return current_first(found, oldest_first=oldest_first, after=after), added


def with_newer(index: Index, question: AnalyzedQuestion, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits with the plain lines among the first marked that newer lines outdate, those directly before them.

    For days asked about the lines are marked and stay in their order.
    """
    first = hits[: question.query.limit]
    lines = [each.line for hit in first for each in (hit, *hit.beside)]
    newer = outdated(index, lines, as_of=question.query.as_of)
    if not newer:
        return list(hits)
    hits = [*apart(first, newer), *hits[len(first) :]]
    first = hits[: len(lines)]
    marked = [
        hit._replace(outdated_by=newer[hit.line.source].source) if hit.line.source in newer else hit for hit in first
    ]
    found = [*marked, *hits[len(first) :]]
    return found if question.window is not None else with_conflicting(index, question, found)[0]


def _is_meant(question: AnalyzedQuestion, older: Hit, newer: Hit) -> bool:
    """Whether a question means the older of two: it alone has what is asked for, or was written on the days asked for,
    before the newer: "how were the sales on 12 March?"."""
    if _has_asked_identifier(question, older) and not _has_asked_identifier(question, newer):
        return True
    days, then, later = question.days, older.line.recorded, newer.line.recorded
    if days is None or days.end is None or then is None or Ask.CURRENT in question.reading.asks:
        return False
    return Span(then, then).overlaps(days) and (later is None or later > days.end)


def _has_asked_identifier(question: AnalyzedQuestion, hit: Hit) -> bool:
    """Whether a line has a path, code or version of the question: "what went wrong in drivers/radar.rs?"."""
    text = " ".join((*hit.line.entities, hit.line.content)).casefold()
    return any(term.kind == "identifier" and term.text.casefold() in text for term in question.reading.terms)


def _why_beside(older: Hit) -> str:
    return SUPERSEDES if older.superseded_by else DISPUTES if older.disputed_by else OUTDATES


def _marked(hits: Iterable[Hit], cited: set[Citation]) -> dict[Citation, Hit]:
    """Places that are not cited yet -> the first of these hits that the line there supersedes, disputes or outdates."""
    marked: dict[Citation, Hit] = {}
    for hit in hits:
        newer = _newer(hit)
        if newer is not None and newer not in cited:
            marked.setdefault(newer, hit)
    return marked


def _newer(hit: Hit) -> Citation | None:
    return hit.superseded_by or hit.disputed_by or hit.outdated_by
