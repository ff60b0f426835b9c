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
from commonplace.core.text.normalize import fold
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

_ENDS = " .!。！।"
_MOST_ASKED = 12
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


class SentencePages:
    """The entity pages that are there. Each is read when it is asked for: of hundreds few are needed."""

    def __init__(self, index: Index, got: Gathered, *, today: date) -> None:
        self._got = got
        self._given = page_input(index, got, today=today)
        subjects = self._given.subjects
        keys = [key for key in subjects if (entity := got.entities.get(key)) is not None and entity.page]
        keys.sort(key=lambda key: (-len(subjects[key].facts) - len(subjects[key].quotes), key))
        self._keys = {sentence_id(key): key for key in keys}
        """Those of which most is told first."""

    def page(self, id: str) -> SentencePage | None:
        """Return the page to which a question belongs."""
        key = self._keys.get(id)
        return None if key is None else sentence_page(self._got, key, self._given.subject(key), self._given.known)

    def open(self) -> tuple[SentenceQuestion, ...]:
        """Return the pages whose sentence is to be worded: there is none, or what it rests on no longer holds. Those
        where somebody rejected or deleted it are left out.
        """
        decided = decided_sentences(self._got.decided)
        listed = region(self._got.texts.text(REVIEW), "review")
        gone = listed.gone() if listed is not None else frozenset()
        pages = (page for id in self._keys if (page := self.page(id)) is not None)
        asked = (each for each in pages if len(each.told) >= FEWEST_TOLD and digest(each.id) not in gone)
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
            for each in islice((each for each in asked if _is_open(self._got, each, decided.get(each.id))), _MOST_ASKED)
        )


def sentence_page(got: Gathered, key: str, subject: Subject, known: Known) -> SentencePage:
    """Return the page of an entity, as far as a sentence on it depends on it."""
    entity = got.entities.get(key)
    names = (subject.name, key, *(entity.aliases if entity else ()))
    over = [fact for fact in subject.facts if fact.id in got.superseded]
    over += [fact for fact in got.retracted.values() if key in map(got.canonical, fact.entities)]
    ended = {fold(fact.content).rstrip(_ENDS) for fact in over}  # also where the log line that stated it is quoted
    told = {
        id: line
        for id, line in told_of(subject, known).items()
        if not any(each in fold(line.content) for each in ended)
    }
    return SentencePage(sentence_id(key), subject.name, names, subject.path, told)


def _is_open(got: Gathered, page: SentencePage, decision: Decision | None) -> bool:
    shown = region(got.texts.text(page.path), "entity")
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
