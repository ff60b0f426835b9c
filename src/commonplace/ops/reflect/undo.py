"""What the undo of a reflect does not undo: facts in logs, merged entities, ticked boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.provenance import is_inferred
from commonplace.core.review import review_page
from commonplace.core.text.normalize import fold
from commonplace.ops.reflect.accept import stands_decided

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.core.review.review_page import Decision
    from commonplace.store.sqlite import Index


def left_behind(index: Index, before: str, *, after: str) -> dict[str, str]:
    """Return by path what stays and what to do about it, in words.

    Args:
        index: up to date with the files.
        before, after: the review page before and after the undo.
    """
    then, now = _acted_on(before), _acted_on(after)
    undone = [each for id, each in then.items() if id not in now and each.verdict == review_page.ACCEPTED]
    stays: dict[str, list[str]] = {}
    for each in undone:
        day = review_page.day_of(each)
        for fact in index.facts_on(day) if day and each.path else ():
            if fold(fact.content) == fold(review_page.content_of(each)) and is_inferred(fact.trailer.src):
                stays.setdefault(fact.source.path, []).append(fact.id)
    told = {path: f"keeps the retained facts, because logs only grow: {_retract(ids)}" for path, ids in stays.items()}
    notes = [
        f"^{each.id} is still merged: --undo again undoes the merge" for each in undone if each.id.startswith("a-")
    ]
    notes += [f"^{each.id} keeps its page: --undo again removes it" for each in undone if each.id.startswith("e-")]
    notes += [f"what ^{each.id} wrote to a log remains" for each in undone if each.id.startswith("r-")]
    if ticked := [each.id for each in review_page.decisions(after) if each.id not in now]:
        notes.append(f"still ticked; the next reflect acts on it again: ^{', ^'.join(ticked)}")
    return told | ({REVIEW: "; ".join(notes)} if notes else {})


def _acted_on(text: str) -> Mapping[str, Decision]:
    return {each.id: each for each in review_page.decisions(text) if stands_decided(text, each)}


def _retract(ids: list[str]) -> str:
    return ", ".join(f"commonplace retract {id}" for id in ids)
