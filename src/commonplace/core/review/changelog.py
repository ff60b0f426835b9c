"""The history of beliefs: what changed, when and why, computed from pages and facts.

Law: the same Markdown gives the same changes; neither index nor journal is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Head, read_bullet
from commonplace.core.markdown.bank_layout import OPINIONS, REVIEW
from commonplace.core.model import Citation
from commonplace.core.opinions.belief import confidence, trajectory
from commonplace.core.opinions.opinion_entry import SET
from commonplace.core.review.review_page import day_of, iso_day
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Fact
    from commonplace.core.opinions.opinion_entry import Entry, Mark
    from commonplace.core.review.review_page import Decision


class BeliefChange(NamedTuple):
    """One change."""

    day: date | None
    """None: unknown."""
    what: str
    """In a few words: `0.96 → 0.94`, `superseded`, `accepted`, `commit 1a2b3c4`."""
    text: str
    """What changed: a statement, a fact, a commit's subject."""
    why: str
    source: str
    """A citation, `git:HASH`, or the journal."""
    id: str = ""
    """The id of the opinion, fact or question."""
    entities: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Files written, for commits and changes from the journal."""
    by: str = ""
    """`reflect`, `person` or `model:NAME`, if known."""


def of_opinions(held: Sequence[Entry], facts: Mapping[str, Fact]) -> Iterator[BeliefChange]:
    """Yield the beginning of each opinion, each step of its confidence, and what a person set by hand."""
    by_id = {entry.id: entry for entry in held}
    for each in held:
        entry = each._replace(marks=tuple(mark._replace(gone=mark.fact_id not in facts) for mark in each.marks))
        yield from _begun(entry, by_id.get(entry.disputed_by), facts=facts)
        cuts = [at for at, mark in enumerate(entry.marks) if mark.role == SET]
        for start, end in zip((0, *(cut + 1 for cut in cuts)), (*cuts, len(entry.marks)), strict=True):
            # before a person set the number, the evidence above that line counted
            number = entry.confidence if end == len(entry.marks) else None
            until = entry._replace(marks=entry.marks[:end], confidence=number)
            yield from _steps(until, {mark.fact_id: mark for mark in entry.marks[start:end]}, facts=facts)
            if end < len(entry.marks):
                mark = entry.marks[end]
                what = f"{confidence(until.start, until.evidence()):.2f} → {mark.value or 0:.2f}"
                place = Citation(OPINIONS, mark.number)
                yield _changed(entry, mark.day, what=what, why="set by hand", source=place)._replace(by="person")


def _begun(entry: Entry, opposite: Entry | None, *, facts: Mapping[str, Fact]) -> Iterator[BeliefChange]:
    """Yield the first statement of an opinion, as a reversal if it is the opposite of an older one."""
    first, older = entry.begun, opposite.begun if opposite else None
    if first is None:
        return
    why = f"stated ^{first.fact_id}"
    if opposite is not None and first.day is not None and (older is None or older.day is None or older.day < first.day):
        why = f"reverses ^{opposite.id} “{opposite.statement}”, stated ^{first.fact_id}"
    fact = facts.get(first.fact_id)
    place = fact.source if fact else first.source
    yield _changed(entry, first.day, what=f"new opinion, {first.confidence:.2f}", why=why, source=place)


def _steps(entry: Entry, marks: Mapping[str, Mark], *, facts: Mapping[str, Fact]) -> Iterator[BeliefChange]:
    """Yield the steps of a confidence by the evidence that counts."""
    value = entry.start
    for step in trajectory(entry.start, entry.evidence()):
        before, value = value, step.confidence
        known = [marks[id] for id in step.evidence if id in marks]
        if known and f"{before:.2f}" != f"{value:.2f}":
            why = "; ".join(_bearing(mark, facts, statement=entry.statement) for mark in known)
            yield _changed(entry, step.day, what=f"{before:.2f} → {value:.2f}", why=why, source=_place(known[0], facts))


def _bearing(mark: Mark, facts: Mapping[str, Fact], *, statement: str) -> str:
    """Return `against ^w9d1zu “Wants long replies now.”`; a fact that only repeats the statement is not quoted."""
    fact = facts.get(mark.fact_id)
    said = f" “{fact.content}”" if fact and fact.content != statement else ""
    by = f", said by {mark.origin}" if mark.origin else ""
    return f"{mark.role} ^{mark.fact_id}{said}{by}"


def _place(mark: Mark, facts: Mapping[str, Fact]) -> Citation:
    fact = facts.get(mark.fact_id)
    return fact.source if fact else Citation(mark.path, 0)


def _changed(entry: Entry, day: date | None, *, what: str, why: str, source: Citation) -> BeliefChange:
    return BeliefChange(day, what, entry.statement, why, str(source), entry.id, entry.entities)


def of_facts(
    facts: Mapping[str, Fact],
    superseded: Mapping[str, str],
    *,
    disputed: Mapping[str, str],
    retracted: Mapping[str, Fact],
) -> Iterator[BeliefChange]:
    """Yield which fact superseded, disputes or retracted which.

    Args:
        superseded, disputed: id of a fact to the id of the one that did it.
        retracted: id of a fact to the one that retracted it.
    """
    for id, newer in retracted.items():
        if id in facts:
            yield _became(facts[id], newer, what="taken back")
    for id, other in superseded.items():
        if id in facts and other in facts:
            yield _became(facts[id], facts[other], what="superseded")
    pairs = {tuple(sorted(pair)) for pair in disputed.items()}
    for one, two in sorted(pairs):
        if one in facts and two in facts:
            older, newer = sorted((facts[one], facts[two]), key=lambda fact: (ordinal(fact.recorded), fact.id))
            yield _became(older, newer, what="disputed")


def _became(older: Fact, newer: Fact, *, what: str) -> BeliefChange:
    since = f", since {newer.valid.start}" if newer.valid is not None and newer.valid.start else ""
    names = dict.fromkeys((*older.entities, *newer.entities))
    why = f"^{newer.id} “{newer.content}”{since}"
    return BeliefChange(newer.recorded, what, older.content, why, str(newer.source), older.id, tuple(names))


def of_decisions(
    decided: Iterable[Decision], held: Iterable[Entry], *, facts: Mapping[str, Fact]
) -> Iterator[BeliefChange]:
    """Yield what was decided on the review page.

    The page records the day of a decision only of models: a person's gets the day of the fact or opinion decided on.
    """
    by_id = {entry.id: entry for entry in held}
    for each in decided:
        opinion = by_id.get(each.opinion_id or f"o-{each.id.removeprefix('c-')}")
        fact = facts.get(each.fact_id)
        by, _, decided_on = each.by.partition(" ")
        day = iso_day(decided_on) or day_of(each)
        day = day or (fact.recorded if fact else opinion.last_updated if opinion else None)
        head = read_bullet(each.text)
        names = head.entities if isinstance(head, Head) else opinion.entities if opinion else ()
        text = f"“{fact.content}” on “{opinion.statement}”" if fact and opinion else each.text
        what = f"judged {each.verdict}" if each.opinion_id else each.verdict
        yield BeliefChange(
            day,
            what,
            text,
            "decided on the review page",
            str(Citation(REVIEW, each.number)),
            each.id,
            names,
            by=by or "person",
        )


def newest_first(changes: Iterable[BeliefChange]) -> list[BeliefChange]:
    """Sort by day, newest first; changes without a day come last."""
    return sorted(changes, key=lambda each: (-ordinal(each.day), each.source, each.id, each.what))
