"""The sentences at the head of pages: which are to be worded, which were accepted, and whether one may stand."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import link, quoted
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.region_marker import Keys, digest
from commonplace.core.pages.page_sentence import (
    FEWEST_TOLD,
    MOST_TOLD,
    SENTENCE,
    PageSentence,
    clauses,
    sentence_id,
    told_of,
)
from commonplace.core.review.packet import GroundLine, SentenceQuestion
from commonplace.core.review.review_page import ACCEPTED
from commonplace.core.review.shown_words import problem_of
from commonplace.ops.reflect.page_input import page_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from commonplace.core.model import AnyLine
    from commonplace.core.pages.current_facts import Known
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.review.review_page import Decision
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index

_MOST_ASKED = 40
"""Pages, those of which most is told."""


class SentencePage(NamedTuple):
    """An entity's page, as far as a sentence on it depends on it."""

    id: str
    """Of the question."""
    name: str
    names: tuple[str, ...]
    """All that it is called."""
    path: str
    told: Mapping[str, AnyLine]
    """By id the lines that hold, those that tell most first."""

    @property
    def task(self) -> str:
        """The question as a line of the review page."""
        return f"- [ ] {quoted(self.name)} ({link('page', REVIEW, self.path)}) ^{self.id}"

    def problem(self, text: str, *, by: str) -> str:
        """Return why a sentence cannot stand on it; empty if it can. A person's may have words of its own.

        Args:
            by: the model that worded it; empty: a person.
        """
        if by:
            return problem_of(text, {id: (line.content, *line.context) for id, line in self.told.items()}, self.names)
        said = clauses(text)
        if not said:
            return "each clause must end with the ids of its lines, in brackets"
        missing = [id for clause in said for id in clause.ids if id not in self.told]
        return f"[{missing[0]}] is not among the lines, or no longer holds" if missing else ""


def sentence_pages(index: Index, got: Gathered, *, today: date) -> dict[str, SentencePage]:
    """Return, by id of the question, the entity pages that are there, those of which most is told first."""
    given = page_input(index, got, today=today)
    keys = (key for key in given.subjects if (entity := got.entities.get(key)) is not None and entity.page)
    found = sorted(
        (sentence_page(got, key, given.subject(key), given.known) for key in keys),
        key=lambda each: (-len(each.told), each.name),
    )
    return {each.id: each for each in found}


def sentence_page(got: Gathered, key: str, subject: Subject, known: Known) -> SentencePage:
    """Return the page of an entity, as far as a sentence on it depends on it."""
    entity = got.entities.get(key)
    names = (subject.name, key, *(entity.aliases if entity else ()))
    return SentencePage(sentence_id(key), subject.name, names, subject.path, told_of(subject, known))


def open_sentences(got: Gathered, pages: Iterable[SentencePage]) -> tuple[SentenceQuestion, ...]:
    """Return the pages whose sentence is to be worded: there is none, or what it rests on no longer holds. Those where
    somebody rejected or deleted it are left out.
    """
    decided = decided_sentences(got.decided)
    asked = (each for each in pages if len(each.told) >= FEWEST_TOLD and _is_open(got, each, decided.get(each.id)))
    return tuple(
        SentenceQuestion(
            each.id,
            each.name,
            each.path,
            tuple(
                GroundLine(id, line.recorded, line.content, line.source)
                for id, line in islice(each.told.items(), MOST_TOLD)
            ),
        )
        for each in islice(asked, _MOST_ASKED)
    )


def _is_open(got: Gathered, page: SentencePage, decision: Decision | None) -> bool:
    listed = region(got.texts.text(REVIEW), "review")
    shown = region(got.texts.text(page.path), "entity")
    if listed is not None and digest(page.id) in listed.gone():
        return False
    if shown is not None and digest(SENTENCE) in Keys({*shown.gone(), *(key for _, key in shown.held)}):
        return False
    if decision is None:
        return True
    # a person's is theirs to renew
    return decision.verdict == ACCEPTED and bool(decision.by) and page.problem(decision.text, by=decision.by) != ""


def accepted_sentence(page: SentencePage, decided: Mapping[str, Decision]) -> PageSentence | None:
    """Return the sentence that somebody accepted for a page, if it stands by what its lines say now."""
    decision = decided.get(page.id)
    if decision is None or decision.verdict != ACCEPTED or page.problem(decision.text, by=decision.by):
        return None
    return PageSentence(decision.text, decision.by)


def decided_sentences(decided: Iterable[Decision]) -> dict[str, Decision]:
    """Return the decisions on sentences, by id of the question."""
    return {each.id: each for each in decided if each.id.startswith("s-")}
