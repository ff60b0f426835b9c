"""Composes the page of an entity from facts, opinions and quotes of logs: lines with their keys, for `region_merge`.

An entity's page says who or what it is, what is current, what is preferred, what happened lately, history that gets
shorter with age, related entities, and open questions. Each statement names its day and its fact's id, never a line
number. The same facts give the same lines; a fact is on a page once. What outsiders say is marked, and never replaces
or changes a line of the author's.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_kinds import KINDS
from commonplace.core.entities.entity_names import entity_key, title
from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.bank_layout import OPINIONS, REVIEW
from commonplace.core.markdown.bank_layout import PREFERENCES as RULES
from commonplace.core.markdown.page_links import link, quoted, relative, slug
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.region_marker import PERSONS, digest, end_marker
from commonplace.core.markdown.slug import entity_path
from commonplace.core.model import Kind
from commonplace.core.pages.current_facts import Known, begins, definition, holds, is_ahead, is_past_stay, rank
from commonplace.core.pages.fact_rows import (
    MOST_HISTORY,
    MOST_OVERHEARD,
    before,
    by_whom,
    fact_row,
    history_rows,
    linked,
    named_beside,
    newest_first,
    of_others,
    once,
    other_rows,
    words_of,
)
from commonplace.core.pages.page_sentence import SENTENCE, sentence_row, told_of
from commonplace.core.quotes.about_entity import introducing
from commonplace.core.quotes.page_lines import (
    PageLines,
    count,
    day_of,
    line_row,
    name_key,
    place,
    places,
    shortened,
    shown_day,
    when_of,
)
from commonplace.core.quotes.page_quotes import EARLIER, LOGGED, NOTES, of_topic, rows
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, PREFERENCES
from commonplace.core.timeline import order, ordinal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.core.model import Citation, Fact, Line
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.pages.page_sentence import PageSentence
    from commonplace.core.quotes.page_quotes import Quote

_MOST_CURRENT = 40
_MOST_AHEAD = 20
_MOST_LATELY = 10
_LATELY_DAYS = 45
_MOST_OPINIONS = 30
_MOST_RELATED = 8
_QUOTE = 70
_MOST_SAID = 5


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
    quotes: Sequence[Quote] = ()
    """The best log lines about it, newest first."""
    elsewhere: Mapping[Citation, str] = {}
    """The quotes that its page leaves to others, each with the path of the page that has it."""
    sentence: PageSentence | None = None
    """Who or what it is and where it stands, as somebody worded it."""
    aliases: Sequence[str] = ()
    """Its other names, for a new page."""


class _Placed(NamedTuple):
    """The facts about an entity by their place on its page: each stands once."""

    what: Fact | None
    """The one that says who or what it is."""
    holding: list[Fact]
    """The author's that hold."""
    again: dict[str, list[Fact]]
    """Id of a fact -> older ones that say the same."""
    ahead: list[Fact]
    current: list[Fact]
    lately: list[Fact]
    past: list[Fact]
    others: list[Fact]
    """Of outsiders, and nowhere else on the page."""


def _placed(subject: Subject, known: Known) -> _Placed:
    facts, theirs = by_whom(fact for fact in subject.facts if fact.kind is not Kind.OPINION)
    holding, again = once(fact for fact in facts if fact.kind is Kind.WORLD and holds(fact, known))
    heard, heard_again = once(fact for fact in theirs if fact.kind is Kind.WORLD and holds(fact, known))
    heard = heard[-MOST_OVERHEARD:]
    what = definition(subject.name, holding)
    ahead = sorted((fact for fact in holding if is_ahead(fact, known)), key=begins)[:_MOST_AHEAD]
    listed = {fact.id for fact in ahead} | ({what.id} if what else set())
    current = [fact for fact in reversed(holding) if fact.id not in listed]
    current.sort(key=lambda fact: before(fact, known))
    shown = current[:_MOST_CURRENT]
    listed |= {fact.id for fact in shown}
    older = {each.id for those in again.values() for each in those}
    lately = _lately([fact for fact in facts if fact.id not in known.superseded], listed | older)
    listed |= {fact.id for fact in lately}
    listed |= {older.id for id in listed & again.keys() for older in again[id]}
    told = {fact.id for fact in heard} | {each.id for those in heard_again.values() for each in those}
    ahead = sorted([*ahead, *(fact for fact in heard if is_ahead(fact, known))], key=begins)
    shown = sorted([*shown, *(fact for fact in heard if not is_ahead(fact, known))], key=order, reverse=True)
    shown.sort(key=lambda fact: before(fact, known))
    past = [fact for fact in facts if fact.id not in listed]
    return _Placed(what, holding, again | heard_again, ahead, shown, lately, past, of_others(theirs, told))


def new_page(name: str, *, kind: str = "") -> str:
    """Return a page that the next reflect fills, with a kind in its front matter, if given.

    It has our region: a page without one would wait for approval.
    """
    front = ["---", f"kind: {kind}", "---", ""] if kind else []
    return "\n".join([*front, f"# {title(name)}", "", "<!-- commonplace: entity -->", end_marker([]), ""])


def around_region(page: str) -> str | None:
    """Return an entity's page without its region; None if a line within it is a person's."""
    found = region(page, "entity")
    lines = page.split("\n")
    if found is not None and any(at == PERSONS for at in found.ours):
        return None
    around = lines if found is None else [*lines[: found.start - 1], *lines[found.end :]]
    return "\n".join(line for line in around if line.strip())


def is_left_empty(page: str, path: str) -> bool:
    """Return whether an entity's page has only its title and what we write of no fact: nobody wrote on it, or deleted
    what we wrote."""
    found, around = region(page, "entity"), around_region(page)
    name = (around or "").rpartition("# ")[2]
    if found is None or not found.signed or not name.strip() or entity_path(name) != path:
        return False
    kind = next(iter(frontmatter.read(page.split("\n")[1:3]).get("kind", ())), "")
    if kind not in ("", *KINDS) or found.dropped or not found.keys().issuperset(each.key for each in found.entries):
        return False
    summary = digest("summary")
    keys = (found.entries[at].key for at in found.ours if at >= 0)
    return around == around_region(new_page(name, kind=kind)) and all(key and summary.startswith(key) for key in keys)


def entity_page(subject: Subject, known: Known) -> PageLines:
    """Return the lines of an entity's page; none if there is no fact, opinion or log line about it."""
    placed, path = _placed(subject, known), subject.path
    quotes = [each for each in subject.quotes if each.line.source not in subject.elsewhere]
    likes = [entry for entry in subject.opinions if known.likes(entry.statement)]
    held = [entry for entry in subject.opinions if not known.likes(entry.statement)]
    contested, by_others = _contested(subject, known)
    questions = [*contested, *_open(subject)]
    key, own = entity_key(subject.name), known.canonical(subject.name)
    row, told = partial(fact_row, page=path, known=known, of=own), partial(rows, page=path, of=key)
    page = PageLines([], [])
    if subject.sentence is not None and (said := sentence_row(subject.sentence, told_of(subject, known), path)):
        page.add(said, SENTENCE)
        page.add("")
    if placed.what is not None:
        sources = places(placed.what, placed.again.get(placed.what.id, ()), page=path)
        page.add(f"{quoted(placed.what.content)} ({sources}) ^{placed.what.id}", placed.what.id)
        page.add("")
    if summary := _summary(subject, placed.holding, questions=len(questions), known=known):
        page.add(summary, "summary")
    page.section("## Who or what", told(introducing(quotes, key)))
    page.section("## Now and ahead", [row(fact, again=placed.again) for fact in placed.ahead])
    page.section("## Current", [row(fact, again=placed.again) for fact in placed.current])
    preferences = [*_opinion_rows(likes, subject, known=known), *told(of_topic(quotes, PREFERENCES))]
    if RULES in subject.elsewhere.values():
        preferences.insert(0, (f"More stand in [Preferences and rules]({relative(path, RULES)}).", "rules"))
    page.section("## Preferences", preferences)
    page.section("## Opinions", _opinion_rows(held, subject, known=known))
    page.section("## In its own words", [line_row(line, path, said=True) for line in subject.said[:_MOST_SAID]])
    page.section("## Decisions", told(of_topic(quotes, DECISIONS)))
    page.section("## Causes and lessons", told(of_topic(quotes, CAUSES)))
    page.section("## Lately", [*map(row, placed.lately)])
    page.section("## Notes", told(of_topic(quotes, NOTES)))
    lately, earlier = _logged(quotes)
    page.section("## From the logs", told(lately))
    page.section("## Earlier in the logs", told(earlier))
    history = history_rows(placed.past, path, known=known, but=own)
    page.section(
        "## History",
        [*history, *told(of_topic(quotes, EARLIER)), *other_rows(placed.others, path, known=known, of=own)],
    )
    page.section("## Related", _related(subject, known))
    page.section("## Open questions", [*questions, *by_others[:MOST_OVERHEARD]])
    return page


def _logged(quotes: Sequence[Quote]) -> tuple[list[Quote], list[Quote]]:
    """Return what only its day tells: of the last day of which any quote tells, or of days to come then; and of the
    days before, which may no longer hold, though nothing says so: one in six of those that readers met was over. What
    has no day is of no earlier one."""
    last = max((_day(each.line) for each in quotes), default=0)
    logged = of_topic(quotes, LOGGED)
    lately = [each for each in logged if max(_day(each.line), each.until or 0) not in range(1, last)]
    return lately, [each for each in logged if each not in lately]


def _day(line: Line) -> int:
    """Return the ordinal of the day on which a line was written, of an undated one of the day that it names."""
    return ordinal(line.recorded or shown_day(line))


def least_lines(subject: Subject) -> int:
    """Return the minimum number of lines of an entity's page, without composing it."""
    told = (words_of(fact) for fact in by_whom(subject.facts)[0] if fact.kind is not Kind.OPINION)
    facts = len(set(islice(told, MOST_HISTORY)))
    opinions = min(len(subject.opinions), _MOST_OPINIONS)
    return facts + opinions + min(len(subject.said), _MOST_SAID) + len(subject.quotes) - len(subject.elsewhere)


def _lately(facts: Sequence[Fact], listed: set[str]) -> list[Fact]:
    """Return the unlisted facts of the weeks before the newest fact, newest first."""
    days = [fact.recorded.toordinal() for fact in facts if fact.recorded]
    if not days:
        return []
    since = max(days) - _LATELY_DAYS
    recent = [fact for fact in facts if fact.id not in listed and ordinal(day_of(fact)) >= since]
    return newest_first(recent)[:_MOST_LATELY]


def _summary(subject: Subject, holding: Sequence[Fact], *, questions: int, known: Known) -> str:
    """Return what is unknown, how much is known, and what is open, in words; empty if nothing is known."""
    parts = []
    homes = [fact for fact in holding if rank(fact, known) == 0]
    mine, _ = by_whom(subject.facts)
    stays = [fact for fact in mine if fact.id not in known.superseded and is_past_stay(fact, known)]
    if stays and not homes:
        parts.append(f"Whereabouts unknown since {max(stays, key=order).valid.end}.")  # type: ignore[union-attr]
    days = [fact.recorded for fact in mine if fact.recorded]
    if days:
        first, last = min(days), max(days)
        range_ = f"of {first}" if first == last else f"from {first} to {last}"
        parts.append(f"{count(len(mine), 'fact')} {range_}.")
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


def _related(subject: Subject, known: Known) -> list[tuple[str, str]]:
    """Return the rows of entities named beside this one: how often, and the last such fact."""
    own = known.canonical(subject.name)
    names: dict[str, str] = {}
    beside = named_beside(by_whom(subject.facts)[0], known, but=own, names=names)
    rows = []
    for key in sorted(beside, key=lambda key: (-len(beside[key]), key))[:_MOST_RELATED]:
        name = known.pages.get(key, (names[key], ""))[0]
        last = definition(name, beside[key]) or beside[key][-1]
        shown = linked(name, subject.path, known=known)
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
            said = frozenset((words_of(one), words_of(two)))
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
