"""Adds to hits the facts that supersede or dispute them: of two that exclude each other, both are cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.recall.rerank import current_first
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


def with_conflicting(
    index: Index,
    question: AnalyzedQuestion,
    hits: Sequence[Hit],
    *,
    known: Iterable[Hit] = (),
    oldest_first: bool = False,
) -> tuple[list[Hit], set[int]]:
    """Return the hits with the facts that supersede or dispute them, if the filters let those pass; and their rows.

    Nothing is read if all of them are among the hits. The hits before a place decide what is added before it, so a
    larger k only adds.

    Args:
        known: hits that are before these.
        oldest_first: such a fact comes directly after the older one, else directly before it; also after it if the
            question names an identifier that only the older one has.
    """
    found = list(hits)
    cited = {place for hit in (*known, *hits) for place in (hit.line.source, *hit.also)}
    added: set[int] = set()
    after: set[Citation] = set()
    looked_at = 0
    while looked_at < len(found):
        marked = _marked(found[looked_at:], cited)
        looked_at = len(found)
        rows = {row: hit for place, hit in marked.items() if (row := index.row_at(place.path, place.line)) is not None}
        for stored, candidate in read_candidates(index, question, list(rows)) if rows else ():
            older = rows[stored.row]
            found.append(candidate.hit(older.score, (SUPERSEDES if older.superseded_by else DISPUTES,)))
            added.add(stored.row)
            if _has_asked_identifier(question, older) and not _has_asked_identifier(question, found[-1]):
                after.add(found[-1].line.source)
        cited.update(marked)
    return current_first(found, oldest_first=oldest_first, after=after), added


def _has_asked_identifier(question: AnalyzedQuestion, hit: Hit) -> bool:
    """Whether a line has a path, code or version of the question: "what went wrong in drivers/radar.rs?"."""
    text = " ".join((*hit.line.entities, hit.line.content)).casefold()
    return any(term.kind == "identifier" and term.text.casefold() in text for term in question.reading.terms)


def _marked(hits: Iterable[Hit], cited: set[Citation]) -> dict[Citation, Hit]:
    """Places of facts that are not cited yet -> the first of these hits that each of them supersedes or disputes."""
    marked: dict[Citation, Hit] = {}
    for hit in hits:
        newer = hit.superseded_by or hit.disputed_by
        if newer is not None and newer not in cited:
            marked.setdefault(newer, hit)
    return marked
