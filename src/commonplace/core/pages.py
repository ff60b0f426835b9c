"""Pages of the bank, composed from facts and opinions: lines with their keys, for `renew` to merge into what is there.

A page is worth its reading: who or what it is, what holds now, what is preferred, what happened lately, history that
shortens with age, who else is in it and why, and what is open. Each statement names its day and its fact's id, never a
line number. The same facts give the same lines; a fact stands once on a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.bank import EXPERIENCE, OPINIONS, REVIEW, WORLD
from commonplace.core.entity import entity_key
from commonplace.core.fold import fold
from commonplace.core.form import order
from commonplace.core.links import link, quoted, slug
from commonplace.core.model import Kind
from commonplace.core.stance import prepare
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.entry import Entry
    from commonplace.core.model import Fact, Span

_MOST_CURRENT = 40
_MOST_LATELY = 10
_LATELY_DAYS = 45
_MOST_HISTORY = 40
"""Lines of history in full; what is older becomes a line a year."""
_MOST_OPINIONS = 30
_MOST_RELATED = 8
_MOST_WORLD = 80
_MOST_LISTED = 50
"""Entity pages that world and experience point to."""
_QUOTE = 70


class Lines(NamedTuple):
    """A region's new lines, and what each stands for."""

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


class Known(NamedTuple):
    """What every page needs to know of the workspace."""

    today: date
    superseded: Mapping[str, str] = {}
    """Id of a fact to the id of the one that replaced it."""
    pages: Mapping[str, tuple[str, str]] = {}
    """Key of an entity to its name and the path of its page, for those that have or earn one; empty: not written."""
    canonical: Callable[[str], str] = entity_key
    """The key of the entity that a name or alias names."""
    likes: Callable[[str], bool] = lambda statement: prepare(statement).likes
    """Whether a statement states a preference."""
    disputed: Mapping[str, str] = {}
    """Id of a fact to the id of one that excludes it, of which it cannot be told which holds."""


class Subject(NamedTuple):
    """What an entity page is about."""

    name: str
    path: str
    facts: Sequence[Fact]
    """Those that name it and were not taken back, in the order of `form.order`."""
    opinions: Sequence[Entry] = ()
    waiting: int = 0
    """Facts that wait for a person's judgement."""


def entity_page(subject: Subject, known: Known) -> Lines:
    """The lines of an entity's page; none when no fact and no opinion of ours tells of it."""
    facts = [fact for fact in subject.facts if fact.kind is not Kind.OPINION]
    current = [fact for fact in facts if fact.kind is Kind.WORLD and _holds(fact, known)]
    current.sort(key=order, reverse=True)
    shown = current[:_MOST_CURRENT]
    lately = _lately([fact for fact in facts if fact.id not in known.superseded], {fact.id for fact in shown})
    listed = {fact.id for fact in (*shown, *lately)}
    past = [fact for fact in facts if fact.id not in listed]
    page = Lines([], [])
    summary = _summary(subject, current, known)
    if summary:
        page.add(summary, "summary")
    likes: list[Entry] = []
    others: list[Entry] = []
    for entry in subject.opinions:
        (likes if known.likes(entry.statement) else others).append(entry)
    page.section("## Preferences", _opinion_rows(likes, subject))
    page.section("## Opinions", _opinion_rows(others, subject))
    page.section("## Current", [_row(fact, subject.path, known) for fact in shown])
    page.section("## Lately", [_row(fact, subject.path, known) for fact in lately])
    page.section("## History", _history(past, subject.path, known))
    page.section("## Related", _related(subject, known))
    page.section("## Open questions", [*_contested(subject, known), *_open(subject)])
    return page


def world_page(facts: Iterable[Fact], known: Known, subjects: Sequence[Subject]) -> Lines:
    """What is the case now and has no page of its own, and where the rest stands."""
    loose = [fact for fact in facts if fact.kind is Kind.WORLD and _holds(fact, known) and not _paged(fact, known)]
    loose.sort(key=order, reverse=True)
    page = Lines([], [])
    page.section("## Facts", [_row(fact, WORLD, known) for fact in loose[:_MOST_WORLD]])
    if len(loose) > _MOST_WORLD:
        page.add(f"- {len(loose) - _MOST_WORLD} older facts stand in the logs", "older")
    rows = []
    for subject in _by_weight(subjects):
        who = _definition(subject, [fact for fact in subject.facts if _holds(fact, known)], WORLD)
        rows.append((f"- {_linked(subject.name, WORLD, known)}{': ' + who if who else ''}", _name_key(subject.name)))
    page.section("## Entities", rows)
    return page


def experience_page(facts: Iterable[Fact], known: Known, subjects: Sequence[Subject]) -> Lines:
    """What was done and has no page of its own, and for each entity the last thing done."""
    loose = [fact for fact in facts if fact.kind is Kind.EXPERIENCE and not _paged(fact, known)]
    page = Lines([], [])
    page.section("## Done", _history(loose, EXPERIENCE, known))
    rows = []
    for subject in _by_weight(subjects):
        done = [fact for fact in subject.facts if fact.kind is Kind.EXPERIENCE and fact.id not in known.superseded]
        if done:
            last = max(done, key=order)
            rows.append(
                (
                    f"- {_linked(subject.name, EXPERIENCE, known)}: {_count(len(done), 'thing')} done, "
                    f"last {_when(last)}{quoted(last.content)} ({_source(last, EXPERIENCE)})",
                    _name_key(subject.name),
                )
            )
    page.section("## By entity", rows)
    return page


def _by_weight(subjects: Sequence[Subject]) -> list[Subject]:
    """The entities that most is known of, in the order of their names."""
    heaviest = sorted(subjects, key=lambda subject: (-len(subject.facts), subject.path))[:_MOST_LISTED]
    return sorted(heaviest, key=lambda subject: (fold(subject.name), subject.path))


def _linked(name: str, page: str, known: Known) -> str:
    """A name, as a link where it has a page."""
    path = known.pages.get(known.canonical(name), ("", ""))[1]
    return link(name, page, path) if path else quoted(name)


def _paged(fact: Fact, known: Known) -> bool:
    return any(known.canonical(name) in known.pages for name in fact.entities)


def _holds(fact: Fact, known: Known) -> bool:
    """Whether a fact is neither replaced nor over."""
    over = fact.valid is not None and fact.valid.end is not None and fact.valid.end < known.today
    return not over and fact.id not in known.superseded


def _lately(facts: Sequence[Fact], listed: set[str]) -> list[Fact]:
    """What happened in the weeks before the newest fact, newest first."""
    days = [fact.recorded.toordinal() for fact in facts if fact.recorded]
    if not days:
        return []
    since = max(days) - _LATELY_DAYS
    recent = [fact for fact in facts if fact.recorded and fact.recorded.toordinal() >= since and fact.id not in listed]
    return sorted(recent, key=order, reverse=True)[:_MOST_LATELY]


def _row(fact: Fact, page: str, known: Known) -> tuple[str, str]:
    """One statement: its day or range, its words, where it stands, its id."""
    replaced = f", replaced by ^{known.superseded[fact.id]}" if fact.id in known.superseded else ""
    return f"- {_when(fact)}{quoted(fact.content)} ({_source(fact, page)}{replaced}) ^{fact.id}", fact.id


def _source(fact: Fact, page: str) -> str:
    """Where a fact stands, and who said it when it was not the author: strangers' words are never ours."""
    path = fact.source.path
    place = link("log" if path.startswith("memory/") else quoted(path.rpartition("/")[2]), page, path)
    return place + _according(fact)


def _according(fact: Fact) -> str:
    return f", according to {quoted(fact.trailer.outsider)}" if fact.trailer.outsider else ""


def _when(fact: Fact) -> str:
    """`2025-11-27: `, `2025-11-27 to 12-01: `, or nothing."""
    if fact.valid is not None and (fact.valid.start or fact.valid.end):
        return f"{_span(fact.valid)}: "
    return f"{fact.recorded.isoformat()}: " if fact.recorded else ""


def _span(span: Span) -> str:
    if span.start is None:
        return f"until {span.end}"
    if span.end is None:
        return f"since {span.start}"
    if span.start == span.end:
        return span.start.isoformat()
    end = span.end.isoformat()
    return f"{span.start} to {end[5:] if span.start.year == span.end.year else end}"


def _summary(subject: Subject, current: Sequence[Fact], known: Known) -> str:
    """Who or what it is, how much is known, and what is disputed; empty when nothing is known."""
    parts = [_definition(subject, current, subject.path)]
    days = [fact.recorded for fact in subject.facts if fact.recorded]
    if days:
        first, last = min(days), max(days)
        range_ = f"of {first}" if first == last else f"from {first} to {last}"
        parts.append(f"{_count(len(subject.facts), 'fact')} {range_}.")
    disputed = sum(1 for entry in subject.opinions if entry.disputed_by)
    if disputed:
        parts.append(f"{_count(disputed, 'opinion')} disputed.")
    return " ".join(part for part in parts if part)


def _definition(subject: Subject, facts: Sequence[Fact], page: str) -> str:
    """The newest fact of the author's that says who or what the entity is, with its place; empty when none does."""
    name = entity_key(subject.name)
    for fact in sorted(facts, key=order, reverse=True):
        said = entity_key(fact.content)
        if (
            fact.kind is Kind.WORLD
            and not fact.trailer.outsider
            and said.startswith(name)
            and _says_what(said[len(name) :])
        ):
            return f"{_shortened(quoted(fact.content), 200)} ({_source(fact, page)})"
    return ""


def _says_what(rest: str) -> bool:
    for language, words in table("pages")["is"].items():
        for word in words:
            if rest.endswith((word, word + "।")) if language == "hi" else rest.startswith(word):
                return True
    return False


def _opinion_rows(entries: Sequence[Entry], subject: Subject) -> list[tuple[str, str]]:
    """One line an opinion, the surest first."""
    rows = []
    for entry in sorted(entries, key=lambda entry: (-(entry.confidence or 0), entry.id))[:_MOST_OPINIONS]:
        first = entry.entities[0] if entry.entities else subject.name
        evidence = link("evidence", subject.path, OPINIONS)[:-1] + f"#{slug(first)})"
        disputed = ", disputed" if entry.disputed_by else ""
        rows.append((f"- {entry.confidence or 0:.2f}{disputed}: {quoted(entry.statement)} ({evidence})", entry.id))
    return rows


def _history(facts: Sequence[Fact], page: str, known: Known) -> list[tuple[str, str]]:
    """What is past, newest first, with the year as heading; what is older than the limit as a line a year."""
    newest = sorted(facts, key=order, reverse=True)
    full, older = newest[:_MOST_HISTORY], newest[_MOST_HISTORY:]
    rows: list[tuple[str, str]] = []
    years = {_year(fact) for fact in newest}
    headed = len(years) > 1
    year = None
    for fact in full:
        if headed and _year(fact) != year:
            year = _year(fact)
            rows.append((f"### {year or 'Undated'}", ""))
        rows.append(_row(fact, page, known))
    by_year: dict[int, list[Fact]] = {}
    for fact in older:
        by_year.setdefault(_year(fact), []).append(fact)
    if by_year:
        rows.append(("### Earlier", ""))
    for when in sorted(by_year, reverse=True):
        those = by_year[when]
        last, first = those[0], those[-1]
        range_ = f", {_day_link(first, page)} to {_day_link(last, page)}" if when else ""
        rows.append((f"- {when or 'Undated'}: {_count(len(those), 'more fact')}{range_}", f"history-{when}"))
    return rows


def _year(fact: Fact) -> int:
    return fact.recorded.year if fact.recorded else 0


def _day_link(fact: Fact, page: str) -> str:
    return link(fact.recorded.isoformat() if fact.recorded else "undated", page, fact.source.path)


def _related(subject: Subject, known: Known) -> list[tuple[str, str]]:
    """Entities named beside this one: how often, and what the last fact says."""
    own = known.canonical(subject.name)
    beside: dict[str, list[Fact]] = {}
    names: dict[str, str] = {}
    for fact in subject.facts:
        for key, name in {known.canonical(name): name for name in (*fact.mentions, *fact.entities)}.items():
            if key != own:
                beside.setdefault(key, []).append(fact)
                names.setdefault(key, name)
    rows = []
    for key in sorted(beside, key=lambda key: (-len(beside[key]), key))[:_MOST_RELATED]:
        last = beside[key][-1]
        name = known.pages.get(key, (names[key], ""))[0]
        shown = _linked(name, subject.path, known)
        why = _shortened(quoted(last.content), _QUOTE) + _according(last)
        count = _count(len(beside[key]), "fact")
        rows.append((f"- {shown}: {count} together, last {_when(last)}{why}", _name_key(name, "related-")))
    return rows


def _contested(subject: Subject, known: Known) -> list[tuple[str, str]]:
    """Facts that exclude each other, each pair once."""
    by_id = {fact.id: fact for fact in subject.facts if fact.id not in known.superseded}
    rows: dict[str, str] = {}
    for fact in by_id.values():
        other = by_id.get(known.disputed.get(fact.id, ""))
        if other is not None:
            one, two = sorted((fact, other), key=lambda each: each.id)
            either = [
                f"“{_shortened(quoted(each.content), 100)}” ({_source(each, subject.path)}) ^{each.id}"
                for each in (one, two)
            ]
            rows.setdefault(f"dispute-{one.id}-{two.id}", f"- Which holds: {' or '.join(either)}?")
    return [(line, key) for key, line in rows.items()]


def _open(subject: Subject) -> list[tuple[str, str]]:
    """Disputes, each once, and what waits for a judgement."""
    by_id = {entry.id: entry for entry in subject.opinions}
    rows = []
    for entry in sorted(subject.opinions, key=lambda entry: (-(entry.confidence or 0), entry.id)):
        other = by_id.pop(entry.disputed_by, None) if entry.id in by_id else None
        if other is not None:
            by_id.pop(entry.id, None)
            held = f"“{_shortened(quoted(entry.statement), 100)}” ({entry.confidence or 0:.2f})"
            against = f"“{_shortened(quoted(other.statement), 100)}” ({other.confidence or 0:.2f})"
            place = link("evidence", subject.path, OPINIONS)
            rows.append((f"- Which holds: {held} or {against}? ({place})", f"dispute-{min(entry.id, other.id)}"))
    if subject.waiting:
        place = link("review", subject.path, REVIEW)
        rows.append((f"- {_count(subject.waiting, 'fact')} to judge ({place})", "judge"))
    return rows


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _shortened(text: str, most: int) -> str:
    """The text, cut at a word where it is too long."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def _name_key(name: str, before: str = "entity-") -> str:
    return before + entity_key(name).replace(" ", "-")
