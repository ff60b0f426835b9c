"""Which known names are one entity's, and which may be: by what files introduce and lines say, and by the names.

Law: a page that does not list a name as an alias takes none, since a person may have deleted it there.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_kinds import PERSON, is_surely_somebody, kind_of
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.household_names import is_household
from commonplace.core.entities.introductions import (
    also_called,
    introduces,
    listed_names,
    may_list,
    names_beside,
    names_of_note,
    names_of_one,
)
from commonplace.core.entities.joined_names import KnownName, companies, joined
from commonplace.core.entities.resolution import same_id
from commonplace.core.tables import table
from commonplace.core.text.analyzer import in_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from commonplace.store.sqlite import Entity, Index
    from commonplace.store.sqlite.narrative_queries import Namings

_WORDS, _MOST_READ = 2, 1_000
"""Terms of a label by which lines are looked for, and how many of these are read, the newest."""


class SameNames(NamedTuple):
    """Names of entities that are one, or may be."""

    heads: dict[str, str]
    """Key of a name -> key of the entity whose name it surely is, too."""
    beside: tuple[tuple[str, str], ...]
    """Keys of names that a file introduces beside each other, so that both may be one person's."""
    companies: tuple[tuple[str, str], ...]
    """Keys of names that differ in a legal form, where the other may be a person's."""


def join_names(
    index: Index,
    entities: dict[str, Entity],
    aliases: dict[str, tuple[str, ...]],
    *,
    strangers: Collection[str],
    apart: Collection[str],
) -> SameNames:
    """Return which names are one entity's, and add them to its aliases.

    Args:
        entities: by key.
        aliases: as of `Gathered`.
        strangers: keys of names that only outsiders say.
        apart: ids of rejected questions.
    """
    paths = index.told_files()
    introducing = [[told.line for told in index.told_lines([path])] for path in filter(introduces, paths)]
    kinds = _Kinds(index, paths)
    keys = ((entity_key(one), entity_key(other)) for each in introducing for one, other in names_beside(each))
    beside = tuple(pair for pair in keys if not any(kinds.is_a_thing(key, entities.get(key)) for key in pair))
    people = [*map(names_of_one, introducing)]
    nicknames = [*_nicknames(index, paths, people)]
    notes = [names_of_note(path, _title(index, path)) for path in paths if names_of_note(path, ())]
    called = [*people, *nicknames]
    heads = _names_of_one(index, entities, strangers, apart, kinds=kinds, called=called, notes=notes, beside=beside)
    for key, head in heads.items():
        aliases[key] = (head,)
        also = (*entities[head].aliases, entities[key].name)
        entities[head] = entities[head]._replace(aliases=tuple({entity_key(name): name for name in also}.values()))
    for name, other in nicknames:  # which need not be known
        key, head = entity_key(other), heads.get(entity_key(name), entity_key(name))
        if head in entities and entities[head].page is None and key not in aliases and same_id(head, key) not in apart:
            aliases[key], heads[key] = (head,), head
            entities[head] = entities[head]._replace(aliases=(*entities[head].aliases, other))
    paired = companies(entities.keys() - strangers)
    firms = tuple((one, other) for one, other in sorted(paired) if not kinds.is_told(entities[other]))
    return SameNames(heads, beside, firms)


def _names_of_one(
    index: Index,
    entities: Mapping[str, Entity],
    strangers: Collection[str],
    apart: Collection[str],
    *,
    kinds: _Kinds,
    called: Sequence[Sequence[str]],
    notes: Sequence[Sequence[str]],
    beside: Iterable[tuple[str, str]],
) -> dict[str, str]:
    """Return key of a name -> key of the entity whose name it surely is, too, as of `joined`.

    Args:
        apart: ids of rejected questions.
        called: names by which lines introduce one person.
        notes: names of the project of each note.
        beside: as of `SameNames`.
    """
    lines = index.lines_of_names()
    owners: dict[str, list[str]] = {}
    for own, *others in index.entity_pages().values():
        for name in (own, *others):
            owners.setdefault(name, []).append(own)

    surely = [(one, other) for one, other in beside if other in entities and kinds.is_surely_somebody(entities[other])]
    return joined(
        {key: KnownName(each.name, lines.get(key, 0)) for key, each in entities.items() if key not in strangers},
        called=[*called, *surely, *((name,) for name in kinds.listed_people)],
        things=notes,
        owners=owners,
        tagged={key for key, each in entities.items() if each.facts},
        household=is_household,
        somebody=lambda key: kinds.is_somebody(entities[key]),
        is_a_thing=lambda key: kinds.is_a_thing(key, entities[key]),
        rejected=lambda one, other: same_id(one, other) in apart,
    )


def _nicknames(index: Index, paths: Collection[str], people: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield a name of each of these people, who have the names, with another by which a line calls them: no name of
    another of them, and none that everybody knows.

    Args:
        paths: of the files with lines that people wrote.
    """
    own = {entity_key(name) for names in people for name in names}
    labels = (f'"{" ".join(in_order(label)[:_WORDS])}"' for label in table("core")["nicknames"])
    told = index.told_at(index.match(" OR ".join(labels), limit=_MOST_READ)) if any(people) else ()
    for line in (each.line for each in told):
        if line.source.path in paths and not line.trailer.outsider:
            for name, other in (also_called(line, names) for names in people):
                if other and entity_key(other) not in own and not is_household(other):
                    yield name, other


def _title(index: Index, path: str) -> tuple[str, ...]:
    """Return the first heading of a file, if a line stands below it."""
    return next((told.line.context[:1] for told in index.told_lines([path])), ())


class _Kinds:
    """Which entities are people, by their pages, their lines, and the files that list people."""

    def __init__(self, index: Index, paths: Collection[str]) -> None:
        self._index = index
        self._paths = paths

    @cached_property
    def _listed(self) -> dict[str, set[bool]]:
        """Key of a name -> whether files list it as somebody's, and as a thing's."""
        found: dict[str, set[bool]] = {}
        for path in self._paths:
            lines = self._index.told_lines([path]) if may_list(path) else ()
            for name, somebody in listed_names(path, (told.line for told in lines)):
                found.setdefault(entity_key(name), set()).add(somebody)
        return found

    @property
    def listed_people(self) -> list[str]:
        """Keys of the names that files list as somebody's, and as nothing else's."""
        return [key for key, kinds in self._listed.items() if kinds == {True}]

    def is_told(self, entity: Entity) -> bool:
        """Whether the page of an entity, a speaker or a file that lists people tells that it is a person."""
        if self._stated(entity) == PERSON or True in self._listed.get(entity.key, ()):
            return True
        seen = self._seen(entity)
        return seen is not None and seen.person

    def is_somebody(self, entity: Entity) -> bool:
        """Whether so does its name with its lines."""
        return self.is_told(entity) or self._told(entity) == PERSON

    def is_a_thing(self, key: str, entity: Entity | None) -> bool:
        """Whether everybody knows a name, or what is known of it tells that it is no person."""
        if entity is None or is_household(key):
            return is_household(key)
        return (self._stated(entity) or self._told(entity) or PERSON) != PERSON

    def _stated(self, entity: Entity) -> str | None:
        return self._index.stated_kinds([entity.page]).get(entity.page) if entity.page else None

    def _told(self, entity: Entity) -> str | None:
        """Return the kind that a name and its lines tell."""
        seen = self._seen(entity)
        return kind_of((entity.name,), seen.lines) if seen else None

    def _seen(self, entity: Entity) -> Namings | None:
        return self._index.namings(filter(introduces, self._paths), [entity.key]).get(entity.key)

    def is_surely_somebody(self, entity: Entity) -> bool:
        """Whether an entity is a person, and neither its page nor its lines nor a list tells of anything else."""
        seen = self._index.namings((), [entity.key]).get(entity.key)
        if not is_surely_somebody(entity.name, seen.lines if seen else ()):
            return False
        return (self._stated(entity) or PERSON) == PERSON and False not in self._listed.get(entity.key, ())
