"""Composes pages of the bank from facts and opinions: lines with their keys, for `region_merge`.

An entity's page says who or what it is, what is current, what is preferred, what happened lately, history that gets
shorter with age, related entities, and open questions. Each statement names its day and its fact's id, never a line
number. The same facts give the same lines; a fact is on a page once. What outsiders say is marked, and never replaces
or changes a line of the author's.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.bank_layout import EXPERIENCE, OPINIONS, REVIEW, WORLD
from commonplace.core.markdown.page_links import link, quoted, slug
from commonplace.core.model import Kind
from commonplace.core.pages.current_facts import Known, begins, definition, holds, is_ahead, is_past_stay, rank
from commonplace.core.pages.page_lines import (
    count,
    day_link,
    day_of,
    line_row,
    name_key,
    place,
    places,
    shortened,
    when_of,
    year_of,
)
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import order, ordinal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from commonplace.core.model import Fact, Line
    from commonplace.core.opinions.opinion_entry import Entry

_MOST_CURRENT = 40
_MOST_AHEAD = 20
_MOST_LATELY = 10
_LATELY_DAYS = 45
_MOST_HISTORY = 40
"""Maximum lines of history in full; older facts become one line per year."""
_MOST_OPINIONS = 30
_MOST_RELATED = 8
_MOST_WORLD = 80
_MOST_LISTED = 50
"""Maximum entity pages that world and experience link to."""
_QUOTE = 70
_TELLING = 1
"""The last `rank` of facts that tell who somebody is: where they live, what they do."""
_MOST_SAID = 5
_MOST_NAMED = 10
_MOST_OVERHEARD = 10
"""Maximum lines per section by outsiders: the newest."""
_OTHERS = "### According to others"


class PageLines(NamedTuple):
    """A region's new lines, each with its key."""

    lines: list[str]
    keys: list[str]

    def add(self, line: str, key: str = "") -> None:
        """Add one line."""
        self.lines.append(line)
        self.keys.append(key)

    def section(self, heading: str, rows: Sequence[tuple[str, str]]) -> None:
        """Add a heading with its rows (line, key), if there are any."""
        if not rows:
            return
        if self.lines:
            self.add("")
        self.add(heading)
        for line, key in rows:
            self.add(line, key)


class Subject(NamedTuple):
    """What an entity page is about."""

    name: str
    path: str
    facts: Sequence[Fact]
    """Facts that name it and were not retracted, in the order of `timeline.order`."""
    opinions: Sequence[Entry] = ()
    waiting: int = 0
    """Number of facts that wait for a person's judgement."""
    said: Sequence[Line] = ()
    """Log lines in which it states an opinion, newest first."""
    named: Sequence[Line] = ()
    """Log lines that name it, newest first; used if there are too few facts."""


def entity_page(subject: Subject, known: Known) -> PageLines:
    """Return the lines of an entity's page; none if there is no fact, opinion or log line about it."""
    facts, theirs = _by_whom(fact for fact in subject.facts if fact.kind is not Kind.OPINION)
    holding, again = _once(fact for fact in facts if fact.kind is Kind.WORLD and holds(fact, known))
    heard, heard_again = _once(fact for fact in theirs if fact.kind is Kind.WORLD and holds(fact, known))
    heard = heard[-_MOST_OVERHEARD:]
    what = definition(subject.name, holding)
    ahead = sorted((fact for fact in holding if is_ahead(fact, known)), key=begins)[:_MOST_AHEAD]
    listed = {fact.id for fact in ahead} | ({what.id} if what else set())
    current = [fact for fact in reversed(holding) if fact.id not in listed]
    current.sort(key=lambda fact: _before(fact, known))
    shown = current[:_MOST_CURRENT]
    listed |= {fact.id for fact in shown}
    older = {each.id for those in again.values() for each in those}
    lately = _lately([fact for fact in facts if fact.id not in known.superseded], listed | older)
    listed |= {fact.id for fact in lately}
    again = again | heard_again
    told = {fact.id for fact in heard} | {each.id for those in heard_again.values() for each in those}
    others = _others(theirs, told)
    ahead = sorted([*ahead, *(fact for fact in heard if is_ahead(fact, known))], key=begins)
    shown = sorted([*shown, *(fact for fact in heard if not is_ahead(fact, known))], key=order, reverse=True)
    shown.sort(key=lambda fact: _before(fact, known))
    likes = [entry for entry in subject.opinions if known.likes(entry.statement)]
    held = [entry for entry in subject.opinions if not known.likes(entry.statement)]
    contested, by_others = _contested(subject, known)
    questions = [*contested, *_open(subject)]
    page = PageLines([], [])
    if what is not None:
        sources = places(what, again.get(what.id, ()), page=subject.path)
        page.add(f"{quoted(what.content)} ({sources}) ^{what.id}", what.id)
        page.add("")
    summary = _summary(subject, holding, questions=len(questions), known=known)
    if summary:
        page.add(summary, "summary")
    page.section("## Now and ahead", [_row(fact, subject.path, known=known, again=again) for fact in ahead])
    page.section("## Current", [_row(fact, subject.path, known=known, again=again) for fact in shown])
    page.section("## Preferences", _opinion_rows(likes, subject, known=known))
    page.section("## Opinions", _opinion_rows(held, subject, known=known))
    page.section("## In its own words", [line_row(line, subject.path, said=True) for line in subject.said[:_MOST_SAID]])
    page.section("## Lately", [_row(fact, subject.path, known=known) for fact in lately])
    page.section("## Named", [line_row(line, subject.path) for line in subject.named[:_MOST_NAMED]])
    listed |= {older.id for id in listed & again.keys() for older in again[id]}
    past = [fact for fact in facts if fact.id not in listed]
    history = _history(past, subject.path, known=known, but=known.canonical(subject.name))
    page.section("## History", [*history, *_other_rows(others, subject.path, known=known)])
    page.section("## Related", _related(subject, known))
    page.section("## Open questions", [*questions, *by_others[:_MOST_OVERHEARD]])
    return page


def least_lines(subject: Subject) -> int:
    """Return the minimum number of lines of an entity's page, without composing it."""
    told = (_said(fact) for fact in _by_whom(subject.facts)[0] if fact.kind is not Kind.OPINION)
    facts = len(set(islice(told, _MOST_HISTORY)))
    opinions = min(len(subject.opinions), _MOST_OPINIONS)
    return facts + opinions + min(len(subject.said), _MOST_SAID) + min(len(subject.named), _MOST_NAMED)


def world_page(facts: Iterable[Fact], known: Known, *, subjects: Sequence[Subject]) -> PageLines:
    """Return the lines of the world page: current facts without an entity page, and links to the others."""
    mine, theirs = _by_whom(
        fact for fact in facts if fact.kind is Kind.WORLD and not _paged(fact, known) and holds(fact, known)
    )
    loose, again = _once(mine)
    heard, heard_again = _once(theirs)
    again = again | heard_again
    shown = sorted((*loose[-_MOST_WORLD:], *heard[-_MOST_OVERHEARD:]), key=order, reverse=True)
    page = PageLines([], [])
    page.section("## Facts", [_row(fact, WORLD, known=known, again=again) for fact in shown])
    if len(loose) > _MOST_WORLD:
        page.add(f"- {len(loose) - _MOST_WORLD} older facts stand in the logs", "older")
    rows = []
    for subject in _by_weight(subjects):
        who = _in_short(subject, known)
        told = f": {shortened(quoted(who.content), 200)} ({place(who, WORLD)})" if who else ""
        rows.append((f"- {_linked(subject.name, WORLD, known=known)}{told}", name_key(subject.name)))
    page.section("## Entities", rows)
    return page


def _in_short(subject: Subject, known: Known) -> Fact | None:
    """Return the fact that says who or what it is, else where it lives or what it does; else None."""
    holding = [fact for fact in _by_whom(subject.facts)[0] if fact.kind is Kind.WORLD and holds(fact, known)]
    what = definition(subject.name, holding)
    if what is not None:
        return what
    key = known.canonical(subject.name)
    own = [fact for fact in reversed(holding) if fact.entities and known.canonical(fact.entities[0]) == key]
    foremost = min(own, key=lambda fact: _before(fact, known), default=None)
    return foremost if foremost and rank(foremost, known) <= _TELLING else None


def _before(fact: Fact, known: Known) -> tuple[int, bool]:
    """Sort key: the `rank`; within one rank disputed facts of outsiders come last."""
    return rank(fact, known), bool(fact.trailer.outsider) and fact.id in known.disputed


def experience_page(facts: Iterable[Fact], known: Known, *, subjects: Sequence[Subject]) -> PageLines:
    """Return the lines of the experience page: what has no entity page, and the last experience of each entity."""
    loose, theirs = _by_whom(fact for fact in facts if fact.kind is Kind.EXPERIENCE and not _paged(fact, known))
    page = PageLines([], [])
    others = _other_rows(_others(theirs, ()), EXPERIENCE, known=known)
    page.section("## Done", [*_history(loose, EXPERIENCE, known=known), *others])
    rows = []
    for subject in _by_weight(subjects):
        all_done = (fact for fact in subject.facts if fact.kind is Kind.EXPERIENCE and fact.id not in known.superseded)
        mine, theirs = _by_whom(all_done)
        if done := mine or theirs:
            last = max(done, key=order)
            rows.append(
                (
                    f"- {_linked(subject.name, EXPERIENCE, known=known)}: {count(len(done), 'thing')} done, "
                    f"last {when_of(last)}{quoted(last.content)} ({place(last, EXPERIENCE)})",
                    name_key(subject.name),
                )
            )
    page.section("## By entity", rows)
    return page


def _by_weight(subjects: Sequence[Subject]) -> list[Subject]:
    """Return the entities with the most facts, ordered by name."""
    heaviest = sorted(subjects, key=lambda subject: (-len(_by_whom(subject.facts)[0]), subject.path))[:_MOST_LISTED]
    return sorted(heaviest, key=lambda subject: (fold(subject.name), subject.path))


def _linked(name: str, page: str, *, known: Known) -> str:
    path = known.pages.get(known.canonical(name), ("", ""))[1]
    return link(name, page, path) if path else quoted(name)


def _paged(fact: Fact, known: Known) -> bool:
    return any(known.canonical(name) in known.pages for name in fact.entities)


def _by_whom(facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
    parted: tuple[list[Fact], list[Fact]] = ([], [])
    for fact in facts:
        parted[bool(fact.trailer.outsider)].append(fact)
    return parted


def _others(theirs: Sequence[Fact], shown: Collection[str]) -> list[Fact]:
    """Return outsiders' facts that are not shown elsewhere on the page, newest first."""
    return sorted((fact for fact in theirs if fact.id not in shown), key=_in_time, reverse=True)[:_MOST_OVERHEARD]


def _other_rows(others: Sequence[Fact], page: str, *, known: Known) -> list[tuple[str, str]]:
    return [(_OTHERS, ""), *(_row(fact, page, known=known) for fact in others)] if others else []


def _lately(facts: Sequence[Fact], listed: set[str]) -> list[Fact]:
    """Return the unlisted facts of the weeks before the newest fact, newest first."""
    days = [fact.recorded.toordinal() for fact in facts if fact.recorded]
    if not days:
        return []
    since = max(days) - _LATELY_DAYS
    recent = [fact for fact in facts if fact.id not in listed and _in_time(fact)[0] >= since]
    return sorted(recent, key=_in_time, reverse=True)[:_MOST_LATELY]


def _in_time(fact: Fact) -> tuple[int, tuple[int, str, int]]:
    """Sort key: the day that a fact is about, else that of its record."""
    return ordinal(day_of(fact)), order(fact)


def _once(facts: Iterable[Fact]) -> tuple[list[Fact], dict[str, list[Fact]]]:
    """Return the newest of facts with the same words, entities, time and outsider; by its id the others, newest first.

    Args:
        facts: in the order of `timeline.order`, which the result has, too.
    """
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        names = frozenset(map(entity_key, fact.entities))
        same = (_said(fact), names, fact.valid, fact.trailer.outsider)
        groups.setdefault(same, []).append(fact)
    newest = sorted((those[-1] for those in groups.values()), key=order)
    return newest, {those[-1].id: those[-2::-1] for those in groups.values() if len(those) > 1}


def _said(fact: Fact) -> str:
    """Return the words of a fact for comparing: folded, without final punctuation."""
    return fold(fact.content).rstrip(" .!।。！")


def _row(fact: Fact, page: str, *, known: Known, again: Mapping[str, Sequence[Fact]] | None = None) -> tuple[str, str]:
    """Return the row of one fact: day or range, words, places, id."""
    replaced = f", replaced by ^{known.superseded[fact.id]}" if fact.id in known.superseded else ""
    sources = places(fact, again.get(fact.id, ()) if again else (), page=page)
    return f"- {when_of(fact)}{quoted(fact.content)} ({sources}{replaced}) ^{fact.id}", fact.id


def _summary(subject: Subject, holding: Sequence[Fact], *, questions: int, known: Known) -> str:
    """Return what is unknown, how much is known, and what is open, in words; empty if nothing is known."""
    parts = []
    homes = [fact for fact in holding if rank(fact, known) == 0]
    mine, _ = _by_whom(subject.facts)
    stays = [fact for fact in mine if fact.id not in known.superseded and is_past_stay(fact, known)]
    if stays and not homes:
        parts.append(f"Whereabouts unknown since {max(stays, key=order).valid.end}.")  # type: ignore[union-attr]
    days = [fact.recorded for fact in (mine or subject.named) if fact.recorded]
    if days:
        first, last = min(days), max(days)
        range_ = f"of {first}" if first == last else f"from {first} to {last}"
        parts.append(f"{count(len(mine or subject.named), 'fact' if mine else 'line')} {range_}.")
    if questions:
        parts.append(f"{count(questions, 'open question')}.")
    return " ".join(parts)


def _opinion_rows(entries: Sequence[Entry], subject: Subject, *, known: Known) -> list[tuple[str, str]]:
    """Return one row per opinion, most confident first, with a link to the heading of its first entity."""
    rows = []
    for entry in sorted(entries, key=lambda entry: (-(entry.confidence or 0), entry.id))[:_MOST_OPINIONS]:
        first = entry.entities[0] if entry.entities else subject.name
        heading, _ = known.pages.get(known.canonical(first), (first, ""))
        evidence = link("evidence", subject.path, OPINIONS)[:-1] + f"#{slug(heading)})"
        disputed = ", disputed" if entry.disputed_by else ""
        rows.append((f"- {entry.confidence or 0:.2f}{disputed}: {quoted(entry.statement)} ({evidence})", entry.id))
    return rows


def _history(facts: Sequence[Fact], page: str, *, known: Known, but: str = "") -> list[tuple[str, str]]:
    """Return past facts, newest first, with years as headings; one row per year beyond the limit.

    Args:
        but: key of the entity that all of them name.
    """
    newest = sorted(facts, key=_in_time, reverse=True)
    full, older = newest[:_MOST_HISTORY], newest[_MOST_HISTORY:]
    rows: list[tuple[str, str]] = []
    years = {year_of(fact) for fact in newest}
    headed = len(years) > 1
    year = None
    for fact in full:
        if headed and year_of(fact) != year:
            year = year_of(fact)
            rows.append((f"### {year or 'Undated'}", ""))
        rows.append(_row(fact, page, known=known))
    by_year: dict[int, list[Fact]] = {}
    for fact in older:
        by_year.setdefault(year_of(fact), []).append(fact)
    if by_year:
        rows.append(("### Earlier", ""))
    for when in sorted(by_year, reverse=True):
        rows.append((_year_line(when, by_year[when], page=page, known=known, but=but), f"history-{when}"))
    return rows


def _year_line(when: int, facts: Sequence[Fact], *, page: str, known: Known, but: str) -> str:
    """Return a year in one line: number of facts by kind, first and last day, most frequent other entity."""
    kinds = Counter(fact.kind.value for fact in facts)
    told = f"{count(len(facts), 'more fact')} ({', '.join(f'{kinds[kind]} {kind}' for kind in sorted(kinds))})"
    range_ = f", {day_link(facts[-1], page)} to {day_link(facts[0], page)}" if when else ""
    beside: Counter[str] = Counter()
    names: dict[str, str] = {}
    for fact in facts:
        for key, name in {known.canonical(name): name for name in (*fact.mentions, *fact.entities)}.items():
            if key != but:
                beside[key] += 1
                names.setdefault(key, name)
    if not beside:
        return f"- {when or 'Undated'}: {told}{range_}"
    most = min(beside, key=lambda key: (-beside[key], key))
    name = known.pages.get(most, (names[most], ""))[0]
    return f"- {when or 'Undated'}: {told}{range_}, most with {_linked(name, page, known=known)} ({beside[most]})"


def _related(subject: Subject, known: Known) -> list[tuple[str, str]]:
    """Return the rows of entities named beside this one: how often, and the last such fact."""
    own = known.canonical(subject.name)
    beside: dict[str, list[Fact]] = {}
    names: dict[str, str] = {}
    for fact in _by_whom(subject.facts)[0]:
        for key, name in {known.canonical(name): name for name in (*fact.mentions, *fact.entities)}.items():
            if key != own:
                beside.setdefault(key, []).append(fact)
                names.setdefault(key, name)
    rows = []
    for key in sorted(beside, key=lambda key: (-len(beside[key]), key))[:_MOST_RELATED]:
        name = known.pages.get(key, (names[key], ""))[0]
        last = definition(name, beside[key]) or beside[key][-1]
        shown = _linked(name, subject.path, known=known)
        why = f"{shortened(quoted(last.content), _QUOTE)} ({place(last, subject.path)})"
        newest = "last " if last is beside[key][-1] else ""
        rows.append(
            (
                f"- {shown}: {count(len(beside[key]), 'fact')} together, {newest}{when_of(last)}{why}",
                name_key(name, "related-"),
            )
        )
    return rows


def _contested(subject: Subject, known: Known) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return facts that exclude each other as questions, each pair of statements once: the author's, then others.

    The words are those of the newest statement, the key that of the oldest.
    """
    by_id = {fact.id: fact for fact in subject.facts if fact.id not in known.superseded}
    rows: dict[frozenset[str], tuple[str, str]] = {}
    by_others: dict[frozenset[str], tuple[str, str]] = {}
    for fact in by_id.values():
        other = by_id.get(known.disputed.get(fact.id, ""))
        if other is not None:
            one, two = sorted((fact, other), key=lambda each: each.id)
            either = [
                f"“{shortened(quoted(each.content), 100)}” ({place(each, subject.path)}) ^{each.id}"
                for each in (one, two)
            ]
            said = frozenset((_said(one), _said(two)))
            told = by_others if one.trailer.outsider or two.trailer.outsider else rows
            _, key = told.get(said, ("", f"dispute-{one.id}-{two.id}"))
            told[said] = f"- Which holds: {' or '.join(either)}?", key
    return list(rows.values()), list(by_others.values())


def _open(subject: Subject) -> list[tuple[str, str]]:
    """Return the disputes between opinions, each once, and what waits for a judgement."""
    by_id = {entry.id: entry for entry in subject.opinions}
    rows = []
    for entry in sorted(subject.opinions, key=lambda entry: (-(entry.confidence or 0), entry.id)):
        other = by_id.pop(entry.disputed_by, None) if entry.id in by_id else None
        if other is not None:
            by_id.pop(entry.id, None)
            held = f"“{shortened(quoted(entry.statement), 100)}” ({entry.confidence or 0:.2f})"
            against = f"“{shortened(quoted(other.statement), 100)}” ({other.confidence or 0:.2f})"
            place = link("evidence", subject.path, OPINIONS)
            rows.append((f"- Which holds: {held} or {against}? ({place})", f"dispute-{min(entry.id, other.id)}"))
    if subject.waiting:
        place = link("review", subject.path, REVIEW)
        rows.append((f"- {count(subject.waiting, 'fact')} to judge ({place})", "judge"))
    return rows
