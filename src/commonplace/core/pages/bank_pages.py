"""Composes the pages of the whole workspace: world, experience, preferences and rules, decisions.

World and experience have what has no entity page, and links to the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.readable_line import readable
from commonplace.core.markdown.bank_layout import EXPERIENCE, WORLD
from commonplace.core.markdown.page_links import quoted
from commonplace.core.model import Kind
from commonplace.core.pages.current_facts import Known, definition, holds, rank
from commonplace.core.pages.fact_rows import (
    MOST_OVERHEARD,
    before,
    by_whom,
    fact_row,
    history_rows,
    linked,
    of_others,
    once,
    other_rows,
)
from commonplace.core.pages.page_lines import (
    PageLines,
    count,
    name_key,
    place,
    shortened,
    when_of,
)
from commonplace.core.pages.page_quotes import begins_with, rows
from commonplace.core.pages.quote_topics import WHO
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Fact
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.pages.page_quotes import Quote

_MOST_WORLD = 80
_MOST_LISTED = 50
"""Maximum entity pages that world and experience link to."""
_MOST_SAID = 200
"""Maximum characters beside the link to an entity's page."""
_TELLING = 1
"""The last `rank` of facts that tell who somebody is: where they live, what they do."""


def topic_page(quotes: Sequence[Quote], page: str) -> PageLines:
    """Return the lines of the page of preferences and rules, or of decisions.

    Args:
        quotes: those to be shown.
    """
    found = PageLines([], [])
    found.section("## From the logs", rows([each for each in quotes if not each.newer], page))
    found.section("## History", rows([each for each in quotes if each.newer], page))
    return found


def world_page(
    facts: Iterable[Fact], known: Known, *, subjects: Sequence[Subject], quotes: Sequence[Quote] = ()
) -> PageLines:
    """Return the lines of the world page: current facts without an entity page, quotes, and links to the others."""
    mine, theirs = by_whom(
        fact for fact in facts if fact.kind is Kind.WORLD and not _paged(fact, known) and holds(fact, known)
    )
    loose, again = once(mine)
    heard, heard_again = once(theirs)
    again = again | heard_again
    shown = sorted((*loose[-_MOST_WORLD:], *heard[-MOST_OVERHEARD:]), key=order, reverse=True)
    page = PageLines([], [])
    page.section("## Facts", [fact_row(fact, WORLD, known=known, again=again) for fact in shown])
    if len(loose) > _MOST_WORLD:
        page.add(f"- {len(loose) - _MOST_WORLD} older facts stand in the logs", "older")
    entities = []
    for subject in _by_weight(subjects):
        told = _in_short(subject, known)
        entities.append((f"- {linked(subject.name, WORLD, known=known)}{told}", name_key(subject.name)))
    page.section("## From the logs", rows([each for each in quotes if not each.newer], WORLD))
    page.section("## Entities", entities)
    return page


def _in_short(subject: Subject, known: Known) -> str:
    """Return what to say of an entity beside its link: who or what it is, else how much logs tell of it, and when."""
    fact = _foremost(subject, known)
    if fact is not None:
        return f": {shortened(quoted(fact.content), _MOST_SAID)} ({place(fact, WORLD)})"
    key = entity_key(subject.name)
    telling = [each for each in subject.quotes if each.topic == WHO and begins_with(each, key)]
    if telling:
        line = max(telling, key=lambda each: (each.score, each.recency)).line
        return f": {shortened(quoted(readable(line)), _MOST_SAID)} ({place(line, WORLD)})"
    if subject.facts or not subject.quotes:
        return ""
    days = [each.line.recorded for each in subject.quotes if each.line.recorded]
    return f": {count(len(subject.quotes), 'line')}" + (f", last {max(days)}" if days else "")


def _foremost(subject: Subject, known: Known) -> Fact | None:
    """Return the fact that says who or what it is, else where it lives or what it does; else None."""
    holding = [fact for fact in by_whom(subject.facts)[0] if fact.kind is Kind.WORLD and holds(fact, known)]
    what = definition(subject.name, holding)
    if what is not None:
        return what
    key = known.canonical(subject.name)
    own = [fact for fact in reversed(holding) if fact.entities and known.canonical(fact.entities[0]) == key]
    foremost = min(own, key=lambda fact: before(fact, known), default=None)
    return foremost if foremost and rank(foremost, known) <= _TELLING else None


def experience_page(
    facts: Iterable[Fact], known: Known, *, subjects: Sequence[Subject], quotes: Sequence[Quote] = ()
) -> PageLines:
    """Return the lines of the experience page: what has no entity page, and the last experience of each entity."""
    loose, theirs = by_whom(fact for fact in facts if fact.kind is Kind.EXPERIENCE and not _paged(fact, known))
    page = PageLines([], [])
    others = other_rows(of_others(theirs, ()), EXPERIENCE, known=known)
    page.section("## Done", [*history_rows(loose, EXPERIENCE, known=known), *others])
    page.section("## From the logs", rows([each for each in quotes if not each.newer], EXPERIENCE))
    entities = []
    for subject in _by_weight(subjects):
        all_done = (fact for fact in subject.facts if fact.kind is Kind.EXPERIENCE and fact.id not in known.superseded)
        mine, theirs = by_whom(all_done)
        if done := mine or theirs:
            last = max(done, key=order)
            entities.append(
                (
                    f"- {linked(subject.name, EXPERIENCE, known=known)}: {count(len(done), 'thing')} done, "
                    f"last {when_of(last)}{quoted(last.content)} ({place(last, EXPERIENCE)})",
                    name_key(subject.name),
                )
            )
    page.section("## By entity", entities)
    return page


def _by_weight(subjects: Sequence[Subject]) -> list[Subject]:
    """Return the entities with the most facts, ordered by name."""
    heaviest = sorted(subjects, key=lambda subject: (-len(by_whom(subject.facts)[0]), subject.path))[:_MOST_LISTED]
    return sorted(heaviest, key=lambda subject: (fold(subject.name), subject.path))


def _paged(fact: Fact, known: Known) -> bool:
    return any(known.canonical(name) in known.pages for name in fact.entities)
