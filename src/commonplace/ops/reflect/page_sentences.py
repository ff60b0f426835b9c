"""The sentences at the head of pages: which are to be worded, which were accepted, and whether one may stand."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import link, quoted
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.region_marker import digest
from commonplace.core.pages.page_sentence import (
    FEWEST_TOLD,
    MOST_TOLD,
    SENTENCE,
    PageSentence,
    clauses,
    problem_of,
    sentence_id,
    told_of,
)
from commonplace.core.review.packet import GroundLine, SentenceQuestion
from commonplace.core.review.review_page import ACCEPTED
from commonplace.ops.reflect.page_input import page_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from commonplace.core.model import AnyLine
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

    def problem(self, text: str) -> str:
        """Return why a sentence cannot stand on it; empty if it can."""
        told = {id: "\n".join((*line.context, line.content)) for id, line in self.told.items()}
        return problem_of(text, told, self.names)


def sentence_pages(index: Index, got: Gathered, *, today: date) -> dict[str, SentencePage]:
    """Return, by id of the question, the entity pages that are there, those of which most is told first."""
    given = page_input(index, got, today=today)
    found = []
    for key in given.subjects:
        entity = got.entities.get(key)
        if entity is not None and entity.page:
            subject = given.subject(key)
            names = (subject.name, key, *entity.aliases)
            told = told_of(subject, given.known)
            found.append(SentencePage(sentence_id(key), subject.name, names, subject.path, told))
    found.sort(key=lambda each: (-len(each.told), each.name))
    return {each.id: each for each in found}


def open_sentences(got: Gathered, pages: Iterable[SentencePage]) -> tuple[SentenceQuestion, ...]:
    """Return the pages whose sentence is to be worded: there is none, or what it rests on no longer holds. Those where
    somebody rejected or deleted it are left out.
    """
    decided = {each.id: each for each in got.decided if each.id.startswith("s-")}
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
    if decision is not None:
        holds = all(id in page.told for clause in clauses(decision.text) for id in clause.ids)
        return decision.verdict == ACCEPTED and not holds
    found = region(got.texts.text(page.path), "entity")
    return found is None or digest(SENTENCE) not in found.gone()


def accepted_sentences(decided: Iterable[Decision]) -> dict[str, PageSentence]:
    """Return, by id of the question, the sentences that somebody accepted."""
    return {
        each.id: PageSentence(each.text, each.by)
        for each in decided
        if each.id.startswith("s-") and each.verdict == ACCEPTED
    }
