"""Composes the pages of the whole workspace: world, experience, preferences and rules, decisions.

World and experience have what has no entity page, and links to the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import introduces, names_somebody
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
    told,
)
from commonplace.core.quotes.about_entity import introduces_itself, introducing, says_aside
from commonplace.core.quotes.page_lines import (
    PageLines,
    count,
    heading_of,
    line_row,
    name_key,
    place,
    shortened,
    when_of,
)
from commonplace.core.quotes.page_quotes import rows
from commonplace.core.quotes.quote_choice import tells_little
from commonplace.core.quotes.quote_topics import PREFERENCES
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Fact
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.quotes.page_quotes import Quote

_MOST_WORLD = 80
_MOST_LISTED = 50
"""Maximum entity pages that world and experience link to."""
_FEWEST_GROUPED = 8
"""Quotes on a page, from which those of one heading stand below it."""
_MOST_SAID = 160
"""Maximum characters beside the link to an entity's page."""
_TELLING = 1
"""The last `rank` of facts that tell who somebody is: where they live, what they do."""


def topic_page(
    quotes: Sequence[Quote], page: str, *, known: Known, others: Sequence[tuple[Subject, int]] = ()
) -> PageLines:
    """Return the lines of the page of preferences and rules, or of decisions.

    Args:
        quotes: those to be shown.
        others: entities whose pages have more of them, with how many.
    """
    found = PageLines([], [])
    current = [each for each in quotes if not each.newer]
    current.sort(key=lambda each: not each.core or each.line.recorded is not None)  # what the owner keeps comes first
    found.section("## From the logs", _grouped(current, page))
    found.section("## History", rows([each for each in quotes if each.newer], page))
    pages = ", ".join(f"{linked(subject.name, page, known=known)} ({number})" for subject, number in others)
    found.section("## By entity", [(f"More stand on the pages of {pages}.", "others")] if pages else [])
    return found


def _grouped(quotes: Sequence[Quote], page: str) -> list[tuple[str, str]]:
    """Return the rows of quotes; of many, those that share what stands above them below it, after the others."""
    groups: dict[str, list[Quote]] = {}
    for each in quotes:
        groups.setdefault(each.below, []).append(each)
    if len(quotes) < _FEWEST_GROUPED:
        return rows(quotes, page)
    apart = [name for name, those in groups.items() if name and len(those) > 1]
    found = rows([each for each in quotes if each.below not in apart], page)
    for name in apart:
        found.append((f"### {heading_of(name)}", ""))
        found += rows([each._replace(below="") for each in groups[name]], page)
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
    page.section("## From the logs", rows([each for each in quotes if not each.newer], WORLD))
    page.section("## Entities", _entities(subjects, known))
    return page


def _entities(subjects: Sequence[Subject], known: Known) -> list[tuple[str, str]]:
    """Return a row for each of the heaviest entities, after one for those of which there is nothing to say in short: a
    paragraph, which no blank line must end before a list."""
    told = _once([(subject, _in_short(subject, known)) for subject in heaviest(subjects)])
    found = [
        (f"- {linked(subject.name, WORLD, known=known)}{said}", name_key(subject.name))
        for subject, said in told
        if said
    ]
    silent = [linked(subject.name, WORLD, known=known) for subject, said in told if not said]
    if more := len(subjects) - len(told):
        silent.append(f"{more} others in [entities](entities)")
    if silent:
        found.insert(0, (f"Pages without a line here: {', '.join(silent)}.", "others"))
    return found


def _once(told: Sequence[tuple[Subject, str]]) -> list[tuple[Subject, str]]:
    """Return the same, with what is said of several only beside the one that it names first."""
    first: dict[str, tuple[int, str]] = {}
    for subject, said in told:
        found = re.search(rf"(?<!\w){re.escape(entity_key(subject.name))}", entity_key(said))
        place = (found.start() if found else len(said)), subject.path
        first[said] = min(place, first.get(said, place))
    return [(subject, said if first[said][1] == subject.path else "") for subject, said in told]


def _in_short(subject: Subject, known: Known) -> str:
    """Return what to say of an entity beside its link: who or what it is, rather what needs no cut, else what is told
    of it now; empty if nothing is."""
    fact = _foremost(subject, known)
    if fact is not None:
        return f": {shortened(quoted(fact.content), _MOST_SAID)} ({place(fact, WORLD)})"
    key = entity_key(subject.name)
    shown = introducing(subject.quotes, key)
    says_who = (each for each in shown if not (names_somebody(each.line.content) or says_aside(each) or each.fault))
    telling = min(says_who, key=lambda each: len(each.line.content) > _MOST_SAID, default=None)
    telling = telling or _newest(subject.quotes, key)
    if telling is None:
        return _last_fact(subject, known)
    row, _ = line_row(telling.line, WORLD, below=telling.below, most=_MOST_SAID)
    return f": {row.removeprefix('- ')}"


def _last_fact(subject: Subject, known: Known) -> str:
    """Return the last fact about an entity that holds; empty if there is none."""
    holding = [fact for fact in by_whom(subject.facts)[0] if fact.kind is Kind.WORLD and holds(fact, known)]
    if not holding:
        return ""
    last = holding[-1]
    said = told(last, known, of=known.canonical(subject.name))
    return f": {when_of(last)}{shortened(said, _MOST_SAID)} ({place(last, WORLD)})"


def _newest(quotes: Sequence[Quote], key: str) -> Quote | None:
    """Return the best quote that says behind the name what is so, or of a file that introduces owner or agent, which
    nothing speaks against and no newer line outdates; None if all are outdated, rules or tell little.

    A line of a log, or of a day, tells what was done with it, seldom what it is: of those here a third was useful. Of
    the other lines of core files, which tell of a part of it or of what it is used for, one in five was.
    """
    undated = (each for each in quotes if each.core and each.line.recorded is None and each.line.valid is None)
    told = (each for each in undated if each.topic != PREFERENCES)
    about = (each for each in told if introduces(each.line.source.path) or introduces_itself(each.line.content, key))
    current = [each for each in about if not (each.fault or each.newer or tells_little(each) or says_aside(each))]
    return max(current, key=lambda each: (each.score, each.recency), default=None)


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
    for subject in heaviest(subjects):
        all_done = (fact for fact in subject.facts if fact.kind is Kind.EXPERIENCE and fact.id not in known.superseded)
        mine, theirs = by_whom(all_done)
        if done := mine or theirs:
            last = max(done, key=order)
            entities.append(
                (
                    f"- {linked(subject.name, EXPERIENCE, known=known)}: {count(len(done), 'thing')} done, "
                    f"last {when_of(last)}{told(last, known, of=known.canonical(subject.name))} "
                    f"({place(last, EXPERIENCE)})",
                    name_key(subject.name),
                )
            )
    page.section("## By entity", entities)
    return page


def heaviest(subjects: Iterable[Subject]) -> list[Subject]:
    """Return the entities with the most facts, then those of which logs tell most, ordered by name."""

    def weight(subject: Subject) -> tuple[int, float, str]:
        told = sum(1 + each.core for each in subject.quotes if not each.newer)
        return -len(by_whom(subject.facts)[0]), -told, subject.path

    listed = sorted(subjects, key=weight)[:_MOST_LISTED]
    return sorted(listed, key=lambda subject: (fold(subject.name), subject.path))


def _paged(fact: Fact, known: Known) -> bool:
    return any(known.canonical(name) in known.pages for name in fact.entities)
