"""Queries for facts, entities, opinions and the state of files."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from marshal import loads
from typing import Any, NamedTuple

from commonplace.core.entities.entity_names import entity_key, title
from commonplace.core.markdown.slug import FOLDER
from commonplace.core.model import Citation, Evidence, Fact, Opinion, Origin, Role, Stance, Unread
from commonplace.store.sqlite.database import storable
from commonplace.store.sqlite.index_schema import (
    DAY,
    GENERATED,
    LINE,
    OPEN,
    ROLE_NUMBER,
    first_row,
    stated,
)
from commonplace.store.sqlite.narrative_queries import IN_ORDER, NarrativeQueries

_EVIDENCE = f"x.origin in ('{Origin.RETAINED.value}', '{Origin.INFERRED.value}')"
"""Condition: the fact can be evidence."""
_BY_OTHERS = (
    "select row from facts where outsider <> '' union all select l.row from lines l"
    " where l.outsider is not null and not exists (select 1 from facts x where x.row = l.row)"
)
"""The rows of what somebody other than the author said: few or none, found by indexes of their own."""


def regions_of(paths: Iterable[str], stored: Mapping[str, str | None]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return path -> the first and last line of each region of ours, from how they are stored."""
    return {path: tuple((low, high) for low, high in json.loads(stored.get(path) or "[]")) for path in paths}


class Entity(NamedTuple):
    """A named thing, as the workspace mentions it."""

    key: str
    name: str
    page: str | None
    aliases: tuple[str, ...]
    facts: int
    last: date | None


OPINIONS = (
    "select o.file, o.number, o.id, f.path, o.line, o.statement, o.entities, o.prior, o.confidence, o.updated,"
    " o.disputed from opinions o join files f using (file)"
)
EVIDENCE = "select e.file, e.opinion, e.fact, e.stance, e.day, e.path, e.line, e.confidence, e.src"
"""Columns of an evidence."""
_BY_PLACE = " order by f.path, o.line, o.number"


class FactQueries(NarrativeQueries):
    """Reads facts, entities, opinions and the state of files."""

    def _among(self, column: str, keys: Sequence[str] | None) -> tuple[str, tuple[object, ...]]:
        """Return the condition that a column has one of these keys (None: any), and its values."""
        if keys is None:
            return "true", ()
        return f"{column} in (select value from carray(?))", (self.listed(keys),)

    def states(self) -> tuple[dict[str, tuple[int, int, int, int]], int]:
        """Return the file states of the last sync, and when it looked, in ns."""
        blob = self.one("select value from meta where key = 'states'")
        try:
            known, looked = loads(blob) if blob else ({}, 0)
        except (EOFError, TypeError, ValueError):  # then every file is read again
            return {}, 0
        return known, looked

    def unread(self) -> tuple[Unread, ...]:
        """Return the files that the last sync found and could not read."""
        blob = self.one("select value from meta where key = 'unread'")
        try:
            return tuple(Unread(*each) for each in loads(blob)) if blob else ()
        except (EOFError, TypeError, ValueError):  # the next sync that reads a file stores it again
            return ()

    def said_in(self, path: str) -> tuple[list[str], list[str]] | None:
        """Return base ids of the facts in a file, and texts of its other lines; None if it had merge markers or is not
        indexed.
        """
        found = self.all("select file, conflict from files where path = ? and digest <> ''", (path,))
        if not found or found[0][1]:
            return None
        sql = (
            "select x.base, l.text from blocks b join lines l on l.row between b.low and b.high"
            " left join facts x using (row) where b.file = ? and l.role < ? and l.role <> ?"
        )
        said = self.all(sql, (found[0][0], GENERATED, ROLE_NUMBER[Role.CODE]))
        return [base for base, _ in said if base is not None], [text for base, text in said if base is None]

    def looked(self) -> int:
        """Return when the last sync looked at the files, in ns; 0 if unknown."""
        return self.one("select value from meta where key = 'looked'") or 0

    def taken(self) -> int:
        """Return when a sync last took something in, in ns; 0 if none did. Looking again at young files is no such."""
        return self.one("select value from meta where key = 'taken'") or 0

    def sizes(self) -> tuple[int, int, int]:
        """Return the numbers of (files, facts that are not generated, problems)."""
        return (
            self.one("select count(*) from files"),
            self.one("select value from meta where key = 'facts'"),
            self.one("select count(*) from problems"),
        )

    def digests(self) -> dict[str, str]:
        """Return the digest of each file as indexed."""
        return dict(self.all("select path, digest from files"))

    def copies(self) -> dict[str, str]:
        """Return the conflict copies, each with the path of its original."""
        return dict(self.all("select path, copy from files where copy is not null"))

    def regions(self, paths: Iterable[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return the first and last line of each of our regions in each of these files."""
        paths, sql = [*paths], "select f.path, f.regions from carray(?) j cross join files f on f.path = j.value"
        found = dict(self.all(sql, (self.listed(paths),)) if paths else ())
        return regions_of(paths, found)

    def row_of(self, id: str) -> int | None:
        """Return the row of a fact; one that a person wrote before a generated one."""
        sql = "select row from facts where id = ? order by origin = 'generated', row limit 1"
        found: int | None = self.one(sql, (storable(str(id).lstrip("^")),))
        return found

    def row_at(self, path: str, line: int) -> int | None:
        """Return the row that covers a line of a file."""
        return next(iter(self.rows_at([Citation(path, line)]).values()), None)

    def rows_at(self, places: Iterable[Citation]) -> dict[Citation, int]:
        """Return the row that covers each of these lines, where there is one; a title by a file's name has none."""
        sql = (
            "select l.row from files f join blocks b using (file) join lines l on l.row between b.low and b.high"
            " where f.path = ? and l.line between 1 and ? and l.line + l.count > ? order by l.line desc, l.row limit 1"
        )
        found = ((place, self.one(sql, (storable(place.path), place.line, place.line))) for place in places)
        return {place: row for place, row in found if row is not None}

    def fact(self, id: str) -> Fact | None:
        """Return the fact with an id, with its context."""
        row = self.row_of(id)
        if row is None:
            return None
        found = self.lines((row,))[row]
        return found.line._replace(context=self.context(found)) if isinstance(found.line, Fact) else None

    def facts(self) -> list[Fact]:
        """Return the facts that can be evidence. A conflict copy has none: `core.documents.parse`."""
        return [stated(record, self.day_bits) for record in self.run(f"{LINE}where {_EVIDENCE}{IN_ORDER}")]

    def facts_of(self, names: Iterable[str]) -> dict[int, Fact]:
        """Return row -> those of them that are tagged with or mention one of these entities."""
        sql = (
            LINE + "where l.row in (select row from named where key in (select value from carray(?)))"
            f" and {_EVIDENCE}{IN_ORDER}"
        )
        found = self.run(sql, (self.listed(entity_key(name) for name in names),))
        return {record[0]: stated(record, self.day_bits) for record in found}

    def facts_on(self, day: date) -> list[Fact]:
        """Return the facts recorded on a day that are not generated."""
        low = first_row(day)
        sql = LINE + "where l.row between ? and ? and x.origin <> 'generated'" + IN_ORDER
        return [stated(record) for record in self.run(sql, (low, low + (1 << DAY) - 1))]

    def same_days(self, day: date) -> tuple[date, date]:
        """Return the first and last day on which the same facts are over, and the same ahead, as on this day.

        Over are facts whose valid range has ended, and those outdated by others; ahead are those valid from a later
        day.
        """
        sql = (
            "select max(case when day < ?1 then day end), min(case when day >= ?1 then day end)"
            " from (select case when stop < ?2 then stop else start - 1 end as day from facts"
            " where stop < ?2 or start > 1"
            " union all select begins - 1 from claims where begins)"
        )
        [(ended, lasts)] = self.all(sql, (day.toordinal(), OPEN))
        first = date.min if ended is None else date.fromordinal(ended + 1)
        return first, date.max if lasts is None else date.fromordinal(lasts)

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Return folded alias -> keys of the entities that it may name, its own first; a name is its own alias."""
        found: dict[str, tuple[str, ...]] = {}
        sql = (
            "select alias, key from (select alias, key from aliases union"
            " select key, key from known k where exists (select 1 from mentions m where m.key = k.key))"
            " order by alias, key <> alias, key"
        )
        for alias, key in self.all(sql):
            found[alias] = (*found.get(alias, ()), key)
        return found

    def entities(self, keys: Iterable[str] | None = None) -> tuple[Entity, ...]:
        """Return the entities with these keys (None: all), sorted by key."""
        keys = None if keys is None else [*keys]
        pages, aliases = self._pages(keys)
        within, given = self._among("m.key", keys)
        sql = (
            "select m.key, count(*), max(m.row) from named m join facts x on x.row = m.row"
            f" where x.origin <> 'generated' and {within} group by m.key"
        )
        told = {key: (facts, (newest >> self.day_bits) - 1) for key, facts, newest in self.all(sql, given)}

        def entity(key: str, name: str) -> Entity:
            facts, day = told.get(key, (0, 0))
            page, also = pages.get(key, ("", None))[1], tuple(dict.fromkeys(aliases.get(key, ())))
            return Entity(key, name, page, also, facts, date.fromordinal(day) if day > 0 else None)

        return tuple(entity(*named) for named in sorted(self._names(keys, pages).items()))

    def names(self, keys: Iterable[str]) -> dict[str, str]:
        """Return key -> the name of each of these entities that there is: much cheaper than the entities."""
        wanted = {*keys}
        pages = self._pages([*wanted])[0] if wanted else {}
        settled = {key: name for key, (name, _) in pages.items() if " " not in name}
        unsettled = {key: page for key, page in pages.items() if key not in settled}
        others = [*wanted.difference(settled)]
        return settled | (self._names(others, unsettled) if others else {})

    def _names(self, keys: Sequence[str] | None, pages: Mapping[str, tuple[str, str]]) -> dict[str, str]:
        """Return key -> name: that of its page, else its most frequent spelling."""
        within, given = self._among("m.key", keys)
        sql = (
            f"with others(row) as materialized ({_BY_OTHERS})"
            " select m.key, m.name, count(*) filter (where m.row not in (select row from others)) from named m"
            f" where {within} group by m.key, m.name order by m.key, m.name"
        )
        spelled: dict[str, tuple[int, str]] = {}
        for key, name, uses in self.all(sql, given):
            if key not in spelled or uses > spelled[key][0]:
                spelled[key] = (uses, name)
        found = {key: name for key, (_, name) in spelled.items()}
        for key, (name, _) in pages.items():
            # the path of a page has a hyphen for each space
            same = key in found and found[key].replace("-", " ") == name
            found[key] = title(found[key]) if same else name
        return found

    def _pages(self, keys: Sequence[str] | None) -> tuple[dict[str, tuple[str, str]], dict[str, list[str]]]:
        """Return key -> name and path of the entity's page, and key -> its other names."""
        within, given = self._among("a.key", keys)
        pages: dict[str, tuple[str, str]] = {}
        aliases: dict[str, list[str]] = {}
        sql = (
            "select a.key, a.name, f.path, a.alias = a.key from aliases a join files f using (file)"
            f" where {within} order by a.key, f.path not like ?, f.path, a.name"
        )
        for key, name, path, own in self.all(sql, (*given, f"{FOLDER}%")):
            if own and key not in pages:
                pages[key] = (name, path)
            elif not own:
                aliases.setdefault(key, []).append(name)
        return pages, aliases

    def days_of_entities(self) -> dict[str, tuple[int, date, date]]:
        """Return entity key -> number of days whose logs mention it, also by an alias of it alone, the first and the
        last."""
        sql = (
            "with owners(alias, owner) as"
            " (select alias, min(key) from aliases group by alias having min(key) = max(key))"
            f" select coalesce(owner, key), count(distinct row >> {DAY}), min(row) >> {DAY}, max(row) >> {DAY}"
            " from named left join owners on alias = key where row >= ? group by 1"
        )
        found = self.run(sql, (first_row(None),))
        return {key: (days, date.fromordinal(a - 1), date.fromordinal(b - 1)) for key, days, a, b in found}

    def strangers(self, keys: Iterable[str] | None = None) -> frozenset[str]:
        """Return keys of entities, among these or all, that have no page and that only outsiders make known."""
        within, given = self._among("m.key", None if keys is None else [*keys])
        sql = (
            f"with others(row) as materialized ({_BY_OTHERS}) select distinct m.key from others o"
            f" cross join tagged m on m.row = o.row where m.used = 0 and {within}"
            " and m.key not in (select key from aliases)"
            " and not exists (select 1 from tagged t where t.key = m.key and t.row not in (select row from others))"
        )
        return frozenset(key for (key,) in self.all(sql, given))

    def entity_pages(self) -> dict[str, tuple[str, ...]]:
        """Return path of each entity page -> keys of its names, its entity's own key first."""
        found: dict[str, tuple[str, ...]] = {}
        sql = "select f.path, a.key, a.alias from aliases a join files f using (file) order by f.path, a.alias <> a.key"
        for path, _, alias in self.all(sql):
            found[path] = (*found.get(path, ()), alias)
        return found

    def twins(self) -> dict[str, str]:
        """Return path -> entity key for each page whose entity has another page as well.

        If exactly one of them is in the folder of entity pages, it counts as the entity's page and only the others are
        returned.
        """
        owners: dict[str, list[str]] = {}
        for path, names in self.entity_pages().items():
            owners.setdefault(names[0], []).append(path)
        found: dict[str, str] = {}
        for key, paths in sorted(owners.items()):
            at_home = [path for path in paths if path.startswith(FOLDER)]
            if len(paths) > 1:
                found.update((path, key) for path in paths if at_home != [path])
        return found

    def opinions(self) -> tuple[Opinion, ...]:
        """Return the opinions in files, in order of path and line."""
        return self._with_evidence(self.all(OPINIONS + _BY_PLACE))

    def opinion(self, id: str) -> Opinion | None:
        """Return the opinion with an id; the first, if several files have it."""
        return next(iter(self._with_evidence(self.all(f"{OPINIONS} where o.id = ?{_BY_PLACE} limit 1", (id,)))), None)

    def opinions_about(self, keys: Collection[str]) -> tuple[Opinion, ...]:
        """Return those that are about one of these entities, and those that do not say what they are about."""
        heads = ((head, json.loads(head[6])) for head in self.all(OPINIONS + _BY_PLACE))
        return self._with_evidence(
            [head for head, names in heads if not names or any(entity_key(name) in keys for name in names)]
        )

    def opinions_on(self, facts: Sequence[Fact]) -> tuple[Opinion, ...]:
        """Return the opinions that one of these facts supports, or that have the text and entities of one."""
        said = {(fact.content, frozenset(map(entity_key, fact.entities))) for fact in facts}
        wanted, same = self._held_on(facts)
        same = [head for head in same if (head[5], frozenset(map(entity_key, json.loads(head[6])))) in said]
        return self._with_evidence(list(dict.fromkeys((*wanted, *same))))

    def _held_on(self, facts: Sequence[Fact]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return the rows of `OPINIONS` that one of these facts supports, and of those with the text of one."""
        sql = (
            "with wanted(file, number) as (select e.file, e.opinion from carray(?1) j"
            " cross join evidence e on e.fact = j.value where e.stance = 'supports') "
        )
        held = OPINIONS.replace(
            "from opinions o", "from wanted w cross join opinions o on o.file = w.file and o.number = w.number"
        )
        wanted = self.all(sql + held + _BY_PLACE, (self.listed([fact.id for fact in facts if fact.id]),))
        same = OPINIONS + " where o.statement in (select value from carray(?))" + _BY_PLACE
        return wanted, self.all(same, (self.listed([fact.content for fact in facts]),))

    def opinions_at(self, places: Sequence[Citation]) -> tuple[Opinion, ...]:
        """Return the opinions on one of these lines."""
        sql = " join json_each(?) j on f.path = j.value ->> 0 and o.line = cast(j.value ->> 1 as bigint)"
        return self._with_evidence(self.all(OPINIONS + sql + _BY_PLACE, (self.paired(places),)))

    def _with_evidence(self, heads: Sequence[tuple[Any, ...]]) -> tuple[Opinion, ...]:
        """Return the opinions of these rows of `OPINIONS`, each with its evidence."""
        if not heads:
            return ()
        held: dict[tuple[int, int], list[Evidence]] = {}
        for file, number, fact, stance, day, path, line, confidence, src in self._evidence_of([h[:2] for h in heads]):
            recorded = date.fromordinal(day) if day else None
            item = Evidence(fact, Stance(stance), recorded, Citation(path, line), confidence, src)
            held.setdefault((file, number), []).append(item)
        return tuple(
            Opinion(
                id,
                statement,
                tuple(json.loads(entities)),
                prior,
                tuple(held.get((file, number), ())),
                confidence,
                date.fromordinal(updated) if updated else None,
                Citation(path, line),
                disputed,
            )
            for file, number, id, path, line, statement, entities, prior, confidence, updated, disputed in heads
        )

    def _evidence_of(self, opinions: Sequence[tuple[int, int]]) -> Iterable[Sequence[Any]]:
        """Return the columns of `EVIDENCE` of these opinions, each (file, number), in order."""
        sql = (
            f"{EVIDENCE} from json_each(?) j cross join evidence e on e.file = cast(j.value ->> 0 as bigint)"
            " and e.opinion = cast(j.value ->> 1 as bigint) order by e.rowid"
        )
        return self.all(sql, (self.paired(opinions),))

    def places(self, ids: Iterable[str]) -> dict[str, Citation]:
        """Return the places of the facts with these ids; one that a person wrote before a generated one."""
        sql = (
            "select x.id, f.path, l.line from carray(?) j cross join facts x on x.id = j.value"
            " cross join lines l on l.row = x.row cross join files f on f.file = l.file"
            " order by x.origin <> 'generated', x.row desc"
        )
        return {id: Citation(path, line) for id, path, line in self.all(sql, (self.listed(ids),))}
