"""Gathers the packet of open questions from facts and pages. Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.opinions.opinion_entry import AGAINST, FOR, PRIOR
from commonplace.core.review.packet import MOST_SIDES, DisputeSide, Packet, Side, fitted
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.page_sentences import SentencePages
from commonplace.ops.reflect.propose import open_questions, stance_question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from commonplace.core.model import Citation, Fact
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.reflect.propose import Open
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


def packet(index: Index, workspace: Workspace, *, today: date, since: date | None, budget: int) -> Packet:
    """Return the open questions, and the facts recorded since a day, within a budget of tokens."""
    got = gather(index, FileTexts(workspace), today=today)
    waits = open_questions(index, got, text=got.texts.text(REVIEW), since=since)
    pages = SentencePages(index, got, today=today).open()
    whole = whole_packet(got, waits, since=since)._replace(pages=pages)
    return fitted(whole, budget, withheld=got.withheld)


def whole_packet(got: Gathered, waits: Open, *, since: date | None = None) -> Packet:
    """Return all that is open, whatever it costs; but what a model added, since that waits for a person."""
    everything = got.everything
    by_id = {fact.id: fact for fact in everything}
    held = {entry.id: entry for entry in got.formed.entries}
    questions = tuple(
        stance_question(pair, entry, tuple(_sides(entry, by_id)))
        for pair in waits.pairs
        if (entry := held.get(pair.opinion_id))
    )
    fresh = [fact for fact in everything if since is None or (fact.recorded is not None and fact.recorded >= since)]
    return Packet(
        since,
        tuple(reversed(fresh)),
        questions,
        tuple(each for each in waits.inferred if not each.by),
        tuple(waits.core),
        tuple(_disputes(got, by_id)),
        (waits.full,) if waits.full else (),
        tuple(waits.same),
        tuple(waits.names),
        tuple(waits.changes),
    )


def _sides(entry: Entry, facts: Mapping[str, Fact]) -> Iterator[Side]:
    """Yield the newest evidence of an opinion, for and against."""
    for roles in ((PRIOR, FOR), (AGAINST,)):
        known = [mark for mark in entry.marks if mark.role in roles and mark.fact_id in facts and not mark.gone]
        yield from (Side(mark.role, facts[mark.fact_id]) for mark in known[-MOST_SIDES:])


def _disputes(got: Gathered, facts: Mapping[str, Fact]) -> Iterator[tuple[DisputeSide, DisputeSide]]:
    """Yield opinions with their opposites, then facts that exclude each other; each pair once."""
    held = {entry.id: entry for entry in got.formed.entries}
    lines: dict[str, Citation] = {fact.id: fact.source for fact in got.everything}
    told: set[frozenset[str]] = set()
    for entry in got.formed.entries:
        other = held.get(entry.disputed_by)
        if other is not None and (both := frozenset((entry.id, other.id))) not in told:
            told.add(both)
            yield _held(entry, lines), _held(other, lines)
    for id, opposite in got.disputed.items():
        if id in facts and opposite in facts and (both := frozenset((id, opposite))) not in told:
            told.add(both)
            one, two = facts[id], facts[opposite]
            yield DisputeSide(id, one.content, one.source), DisputeSide(opposite, two.content, two.source)


def _held(entry: Entry, lines: Mapping[str, Citation]) -> DisputeSide:
    source = next((lines[mark.fact_id] for mark in entry.marks if mark.fact_id in lines), None)
    return DisputeSide(entry.id, entry.statement, source, entry.confidence)
