"""Look-ups: a fact, an entity, the opinions, the days."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.entity_names import candidates, choose, entity_key
from commonplace.core.entities.introductions import introduces
from commonplace.core.markdown.page_sections import page_content
from commonplace.core.model import Citation, Hit, Opinion
from commonplace.core.opinions.opinion_reader import once
from commonplace.core.recall.hit_extent import as_one
from commonplace.core.recall.scored_lines import shown
from commonplace.errors import NotFound
from commonplace.ops.beliefs.outdated_lines import outdated
from commonplace.ops.beliefs.supersession import outcomes
from commonplace.ops.recall.near_names import named_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from commonplace.core.markdown.page_sections import PageContent
    from commonplace.core.memo import Progress
    from commonplace.core.model import Fact, Span
    from commonplace.store.sqlite import Entity, Index
    from commonplace.store.workspace import Workspace


class EntityView(NamedTuple):
    """An entity with its page, facts and opinions."""

    name: str
    kind: str | None
    """`person`, `project`, `product`, `place`, `organisation`, `service`, or what its page says; None if unclear."""
    aliases: tuple[str, ...]
    page: str | None
    """Path of its page."""
    text: str
    """The page's text."""
    facts: tuple[Fact, ...]
    """Newest first."""
    opinions: tuple[Opinion, ...]
    related: tuple[tuple[str, int], ...]
    """Entities that its facts also mention, with counts; most frequent first."""
    superseded: dict[str, Citation]
    """Fact id -> place of the newest fact that superseded it."""
    disputed: dict[str, Citation]
    """Fact id -> place of a fact that excludes it, where it is unknown which is valid."""
    content: PageContent
    """The page's text read back: a person's words, and our sections."""


class KnownEntity(NamedTuple):
    """An entity in the list of all."""

    name: str
    kind: str | None
    """As of `EntityView`."""
    aliases: tuple[str, ...]
    page: str | None
    """Path of its page."""
    days: int
    """Days whose logs mention it."""
    first: date | None
    last: date | None
    """The first and the last of them."""


class RecordedDay(NamedTuple):
    """A day on which something was recorded."""

    day: date
    lines: int
    """Lines with content: neither headings nor code, nor what we generated."""
    facts: int
    """Facts among them."""
    files: tuple[str, ...]
    """Paths of the files with these lines, in alphabetical order."""


def days(index: Index, within: Span | None) -> tuple[RecordedDay, ...]:
    """Return the days on which something was recorded, oldest first, of all time or within a range.

    Oldest first: as calendars and charts run, and on a terminal the newest day is next to the prompt.
    """
    found: dict[date, RecordedDay] = {}
    for day, path, lines, facts in index.told_days(*(within or (None, None))):
        so_far = found.get(day, RecordedDay(day, 0, 0, ()))
        files = tuple(dict.fromkeys((*so_far.files, path)))  # a file may have a day under two headings
        found[day] = RecordedDay(day, so_far.lines + lines, so_far.facts + facts, files)
    return tuple(found.values())


def entities(index: Index, workspace: Workspace) -> tuple[KnownEntity, ...]:
    """Return all entities, first what most days mention; ties by name. The alias of one is no other."""
    days, there = index.days_of_entities(), index.entities()
    aliases = Counter(key for each in there for key in {*map(entity_key, each.aliases)})
    paged = {each.key for each in there if each.page}
    apart = index.strangers() | ({key for key, owners in aliases.items() if owners == 1} - paged)
    kinds = _kinds(index, workspace, there)
    found = (
        KnownEntity(each.name, kinds[each.key], each.aliases, each.page, *days.get(each.key, (0, None, None)))
        for each in there
        if each.key not in apart
    )
    return tuple(sorted(found, key=lambda each: (-each.days, each.name)))


def _kinds(index: Index, workspace: Workspace, entities: Sequence[Entity]) -> dict[str, str | None]:
    """Return key -> kind of these entities: as its page states it, else as the lines that name it tell."""
    stated = index.stated_kinds([each.page for each in entities if each.page])
    names = {
        each.key: tuple(dict.fromkeys((each.key, *map(entity_key, each.aliases))))
        for each in entities
        if each.page not in stated
    }
    namings = index.namings(filter(introduces, workspace.core), {key for keys in names.values() for key in keys})
    found: dict[str, str | None] = {}
    for each in entities:
        if each.page in stated:
            found[each.key] = stated[each.page]
            continue
        seen = [namings[key] for key in names[each.key] if key in namings]
        lines = [line for those in seen for line in those.lines]
        person = any(those.person for those in seen)
        found[each.key] = PERSON if person else kind_of((each.name, *each.aliases), lines)
    return found


def show(index: Index, target: str, *, today: date) -> Hit:
    """Return one fact or line by id or citation; for a range of lines those that stand there, as one."""
    first, *others = Citation.read_all(target) or (None,)
    hit = _shown_alone(index, target, cited=first, today=today)
    below = [place for place in others if place and index.row_at(*place) is not None]
    return as_one(hit._replace(beside=tuple(_shown_alone(index, "", cited=each, today=today) for each in below)))


def _shown_alone(index: Index, target: str, *, cited: Citation | None, today: date) -> Hit:
    row = index.row_at(*cited) if cited else index.row_of(target)
    if row is None:
        if cited is None and (opinion := index.opinion(target.lstrip("^"))):
            row = index.row_at(opinion.source.path, opinion.source.line) if opinion.source else None
        if row is None:
            raise NotFound(
                f"there is no fact or line {target}",
                "an id looks like ^k7f3qa, a citation like memory/2025-11-27.md#L12",
            )
    stored = index.lines((row,))[row]
    hit = shown(Hit(stored.line._replace(context=index.context(stored)), 1.0, ()))
    opinion = index.opinion(hit.id) if hit.id else None
    superseded, disputed = newest(index, hit.id), None
    why = ["asked for"]
    if superseded is None and (became := outcomes(index, (row,), today=today).get(row)):
        superseded, disputed = became.superseded_by, became.disputed_by
        why += [became.why]
    newer = outdated(index, (stored.line,)).get(stored.line.source)
    outdated_by = newer.source if newer else None
    return hit._replace(
        why=tuple(why),
        superseded_by=superseded,
        disputed_by=disputed,
        opinion=opinion,
        outdated_by=outdated_by,
    )


def newest(index: Index, id: str) -> Citation | None:
    """Return the place of the newest fact that supersedes or retracts this one."""
    rows = index.against((id,)).get(id)
    return index.lines(rows[:1])[rows[0]].line.source if rows else None


def entity(index: Index, workspace: Workspace, name: str, *, today: date) -> EntityView:
    """Return an entity by name or alias. Raises NotFound with similar names."""
    keys = named_keys(index, name)
    entities = index.entities(keys)
    found = next((each for each in entities if each.key == keys[0]), None)
    keys = keys[:1] + tuple(key for key in keys[1:] if not any(each.key == key and each.page for each in entities))
    by_row = index.facts_of(keys)
    facts = tuple(reversed(by_row.values()))
    beside: dict[str, int] = {}
    for fact in facts:
        for other in {entity_key(each) for each in (*fact.entities, *fact.mentions)}.difference(keys):
            beside[other] = beside.get(other, 0) + 1
    page = found.page if found else None
    stated = _tied(index, once(index.opinions_about(keys)))
    held = tuple(o for o in stated if any(entity_key(each) in keys for each in o.entities))
    nearest = sorted(beside.items(), key=lambda item: (-item[1], item[0]))[:10]
    spelled = index.names(key for key, _ in nearest)
    related = tuple((spelled.get(key, key), count) for key, count in nearest)
    spelling = found.name if found else name
    superseded, disputed = _outdated(index, by_row, today=today)
    text = workspace.shown(page).text if page else ""
    aliases = found.aliases if found else ()
    kind = _kinds(index, workspace, [found])[found.key] if found else None
    content = page_content(text, path=page or "")
    return EntityView(spelling, kind, aliases, page, text, facts, held, related, superseded, disputed, content)


def _outdated(
    index: Index, facts: Mapping[int, Fact], *, today: date
) -> tuple[dict[str, Citation], dict[str, Citation]]:
    """Return which of these facts are superseded, by a trailer or a claim, and which are disputed."""
    first = {fact.id: row for row, fact in sorted(facts.items(), reverse=True)}  # one may be told in two places
    rows = {row: id for id, row in first.items()}
    said = index.against(rows.values())
    newer = index.lines(found[0] for found in said.values())
    superseded = {id: newer[found[0]].line.source for id, found in said.items()}
    disputed: dict[str, Citation] = {}
    for row, became in outcomes(index, rows, today=today).items():
        if became.superseded_by is not None:
            superseded.setdefault(rows[row], became.superseded_by)
        elif became.disputed_by is not None and rows[row] not in superseded:
            disputed[rows[row]] = became.disputed_by
    return superseded, disputed


def opinions(
    index: Index,
    workspace: Workspace,
    name: str | None,
    *,
    as_of: date | None,
    today: date,
    progress: Progress | None = None,
) -> tuple[Opinion, ...]:
    """Return the opinions as reflect would write them now, from facts and pages; of one entity, as of a day.

    Args:
        progress: as of `gather`.
    """
    from commonplace.ops.beliefs.believe import believe

    held = _tied(index, believe(index, workspace, today=as_of or today, as_of=as_of, progress=progress))
    if name is None:
        return held
    keys = named_keys(index, name, "leave out the name to see every opinion")
    return tuple(o for o in held if any(entity_key(each) in keys for each in o.entities))


def _tied(index: Index, held: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
    """Return opinions with entities; one that a person wrote without any gets the known entities that it mentions."""

    def tied(opinion: Opinion) -> Opinion:
        if opinion.entities:
            return opinion
        found = candidates(opinion.statement)
        known = choose(found, index.named([named.name for named in found]))
        spelled = index.names(keys[0] for _, keys in known)
        tags = (spelled[keys[0]].replace(" ", "-") if keys[0] in spelled else name for name, keys in known)
        return opinion._replace(entities=tuple(dict.fromkeys(tags)))

    return tuple(tied(opinion) for opinion in held)
