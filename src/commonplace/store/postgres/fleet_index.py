"""The index of a fleet: answers what the local index answers, over the shared rows of all workspaces of one tenant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from commonplace.core.recall.index_rows import DEEPEST
from commonplace.store.postgres.dialect import translated
from commonplace.store.postgres.fleet_statements import FleetStatements, Small, statement
from commonplace.store.postgres.fleet_text import WORKSPACES, FleetText
from commonplace.store.postgres.line_reading import EXTENTS, NAMES_TOO, SEARCHED, TEXTS_TOO, UPWARDS
from commonplace.store.postgres.match_query import ANYONE, searching
from commonplace.store.postgres.read_ahead import grouped
from commonplace.store.sqlite.claim_queries import MOST_CLAIMS
from commonplace.store.sqlite.fact_queries import regions_of
from commonplace.store.sqlite.index_schema import ALL_WRITTEN, DAY, LAST, WRITTEN
from commonplace.store.sqlite.line_queries import DISTINCT
from commonplace.store.sqlite.narrative_queries import NAMED_IN
from commonplace.store.sqlite.search_queries import (
    BEGUN,
    FACTS_NAMING,
    HELD,
    LINES_NAMING,
    MOST_TELLING,
    NAMES,
    TELLING,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from commonplace.core.model import Citation, Fact, Opinion, Unread
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.store.sqlite.index_schema import Counts, Neighbours, Surroundings
    from commonplace.store.sqlite.passage_queries import PassageSearch, Vectors

_FEW_BELOW = 8
"""Lines below one that are read whole; of more the texts."""
_MANY = 200
"""Lines of which more are read only to leave most of them out: by a filter."""
_FEW_FOUND = 200
"""Lines that a search finds of which the texts are read at once."""
_VALID = (
    f"select row, part from (select row, 0 as part from ({BEGUN}) b union all select row, 1 from ({HELD}) h) v"
    " order by part, row desc"
)
"""The rows of both, each in its order."""


_NAMING = (
    "with named as materialized (select distinct w.name, f.* from fleet.workspaces w"
    " cross join unnest(%s::text[]) p(path)"
    " cross join lateral (select file, path from fleet.files where path = w.name || ':' || p.path offset 0) f"
    " cross join lateral (select low, high from fleet.blocks where file = f.file offset 0) b"
    " cross join lateral (select from fleet.mentions where key = any(%s::text[])"
    " and row between b.low and least(b.high, %s) limit 1) m)"
    " select n.path::text, n.names, coalesce((select string_agg(l.row::text, ' ' order by l.line) from fleet.blocks b"
    " join fleet.lines l on l.row between b.low and b.high where b.file = n.file), '') from"
    " (select path, file, true as names from named union all select w.name || ':' || p.path, f.file, false"
    " from (select distinct name from named) w cross join unnest(%s::text[]) p(path)"
    " left join fleet.files f on f.path = w.name || ':' || p.path) n order by 2, 1"
)
"""The files that name somebody, and others of their workspaces, each with its rows."""


def _by_place(head: Sequence[Any]) -> tuple[Any, ...]:
    """The order of the records of opinions."""
    return head[3], head[4], head[1]


class FleetIndex(FleetStatements):
    """Reads the fleet. Its rows are those of the local indexes, with the number of the workspace in the middle.

    A question to the server costs a round trip, so lines are read together with what a recall asks of lines next.
    """

    own = ""
    """The name of the workspace that asks: a path that does not say of which workspace it is, is one of there."""

    @staticmethod
    def listed(values: Iterable[int] | Iterable[str]) -> object:
        """Return numbers, or texts, as one parameter."""
        return [each.replace("\0", "\ufffd") if type(each) is str else each for each in values]

    @staticmethod
    def paired(values: Iterable[Sequence[Any]]) -> str:
        """Return pairs as one parameter."""
        return json.dumps([[each.stored if isinstance(each, FleetText) else each for each in pair] for pair in values])

    def noted(self) -> dict[Any, Any]:
        """Return what was noted: nothing, for the others may have pushed since."""
        return {}

    # -- what is kept otherwise

    def whose(self, row: int) -> int:
        """Return the number of the workspace of a row."""
        return row >> DAY & (WORKSPACES - 1)

    def totals(self) -> tuple[int, int]:
        """Return (number of lines, number of their terms)."""
        return self._read.sizes[:2]

    def documents(self) -> int:
        """Return the number of documents."""
        return self._read.sizes[2]

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of lines with each term; of `上*` an upper bound."""
        terms, known = {*terms}, self._read.counts
        if missing := sorted(terms - known.keys()):
            whole, begins = (
                self.listed(each for each in missing if each.endswith("*") is ends) for ends in (False, True)
            )
            sql = (
                "select term, n from fleet.frequency where term = any(%s) union all"
                " select begins || '*', (select sum(n)::bigint from fleet.frequency"
                " where term >= begins and term < begins || %s)"
                ' from (select left(term, -1) collate "C" as begins from unnest(%s::text[]) as t(term)) b'
            )
            found = dict(self._asked(Small(sql), (whole, "\U0010ffff", begins)))
            known.update((term, found.get(term) or 0) for term in missing)
        return {term: known[term] for term in terms}

    def match(self, expression: str, *, among: RowRange = ALL_WRITTEN, limit: int = 1000) -> list[int]:
        """Return rows that match an expression of `core.text.analyzer`, newest first."""
        return self.match_each([(expression, among)], limit=limit)[0]

    def match_each(
        self, searches: Iterable[tuple[str, RowRange]], *, limit: int = 1000, whose: Sequence[int] | None = None
    ) -> list[list[int]]:
        """Return the rows of each of these searches, with one statement."""
        searches = [*searches]
        found: list[set[int]] = [set() for _ in searches]
        whose = whose or [ANYONE] * len(searches)
        asked = searching(searches, limit=limit, whose=whose, counts=self._read.counts)
        if asked is None:
            return [[] for _ in searches]
        text, values = asked
        if limit <= _FEW_FOUND:
            records = self._asked(Small(TEXTS_TOO.format(text)), values)
            self._read.known.note_texts((), (record for record in records if record[0] is not None))
            told = [(at, rows) for row, at, _, rows, _ in records if row is None]
        else:
            told = self._asked(Small(SEARCHED.format(text)), values)
        for at, rows in told:
            found[at].update(map(int, rows[1:-1].split(",")))
        return [sorted(rows, reverse=True)[:limit] for rows in found]

    def rows_at(self, places: Iterable[Citation]) -> dict[Citation, int]:
        """Return the row that covers each of these lines, where there is one."""
        places = [*places]
        known = {} if self._read.spliced else {place: self._read.known.row_at(place) for place in places}
        missing = [place for place in places if known.get(place) is None]
        sql = (
            "select distinct on (j.at) j.at, l.row"
            ' from (select at, path collate "C" as path, line'
            " from unnest(%s::varchar[], %s::int[]) with ordinality as given(path, line, at)) j"
            " cross join lateral (select file from fleet.files where path = j.path offset 0) f"
            " cross join lateral (select low, high from fleet.blocks where file = f.file offset 0) b"
            " cross join lateral (select row, line from fleet.lines where row between b.low and b.high"
            " and line <= j.line and line + count > j.line order by line desc, row limit 1) l"
            " order by j.at, l.line desc, l.row"
        )
        paths, lines = [place.path for place in missing], [place.line for place in missing]
        found = self._asked(sql, (paths, lines)) if missing else ()
        rows = known | {missing[at - 1]: row for at, row in found}
        return {place: row for place in places if (row := rows.get(place)) is not None}

    def rows_of(self, keys: Iterable[str], *, facts: bool = True, limit: int = 400) -> list[int]:
        """Return rows of facts about one of these entities, or of all lines that name it, newest first."""
        told = translated(FACTS_NAMING if facts else LINES_NAMING).replace("%s", 'k.key collate "C"', 1)
        text = f"select distinct r.row from unnest(%s::text[]) k(key) cross join lateral ({told}) r"
        text = f"{text} order by 1 desc limit {limit}"
        records = self._asked(Small(text), (self.listed(keys), WRITTEN, limit))
        return [row for (row,) in records]

    def _names_of(self, names: list[str], where: str) -> Sequence[tuple[str, str]]:
        if not names:
            return ()
        text, values = statement(NAMES.format(where), (self.listed(names),))
        records = self._asked(Small(NAMES_TOO.format(text)), values)
        self._read.known.note_meanings(records)
        said = ((name, key) for what, name, key, *_ in records if what == 0)
        return sorted(said, key=lambda each: (each[0], each[1] != each[0], each[1]))

    def _aliases_with(self, keys: Iterable[str]) -> Iterable[tuple[str, str, int, int, int]]:
        keys, known = {*keys}, self._read.known
        if keys <= known.pages.keys():
            return [each for each in known.also if each[0] in keys]
        return super()._aliases_with(keys)

    def naming_paths(self, keys: Iterable[str], paths: Iterable[str], *, others: Iterable[str] = ()) -> list[str]:
        """Return those of these paths, in any workspace, whose undated files have a line that names one of these."""
        naming: list[str] = []
        values = self.listed(paths), self.listed(keys), self.undated_rows().last, self.listed(others)
        for stored, names, rows in self._asked(Small(_NAMING), values):
            path = FleetText.read(stored)
            self._read.known.rows_in[path] = [*map(int, rows.split())]
            naming += [path] if names else []
        return naming

    def pages_of(self, key: str) -> list[str]:
        """Return the paths of the pages of an entity."""
        known = self._read.known.pages.get(key)
        return super().pages_of(key) if known is None else [*known]

    def texts(self, rows: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """Return row -> (parent row, file, text)."""
        rows, known = [*rows], self._read.known.texts
        self._read_upwards({*rows}.difference(known))
        return {row: found for row in rows if (found := known.get(row)) is not None}

    def ancestors(self, parents: Iterable[int], found: Above | None = None) -> Above:
        """Return `texts` of these rows and of what is above them, as many as a context shows."""
        found = {} if found is None else found
        parents = {*parents} - {0}
        self._read_upwards({row for parent in parents if (row := self._unread_above(parent, found))})
        for parent in parents:
            self._unread_above(parent, found)
        return found

    def _read_upwards(self, rows: Collection[int]) -> None:
        """Read texts, with what is above them."""
        if rows:
            (records,) = self.ask([(Small(UPWARDS), {"beside": sorted(rows)})])
            self._read.known.note_texts(rows, records)

    def _unread_above(self, row: int, found: Above) -> int:
        """Add to `found` what was read of a row and those above it; the first that was not, or 0."""
        known = self._read.known.texts
        for _ in range(DEEPEST):
            text = found.get(row) or known.get(row)
            if text is None:
                return 0 if row in known else row
            found[row] = text
            if not (row := text[0]):
                break
        return 0

    def neighbours(
        self, rows: Iterable[int], known: Above | None = None, *, before: int = 1, after: int = 1
    ) -> dict[int, Neighbours]:
        """Return what is beside rows; a few lines below them are read whole, as they are asked for next."""
        rows = [*rows]
        if 1 < after <= _FEW_BELOW:
            self._read.known.read((row + step for row in rows for step in range(-before, after + 1)), self.ask)
        return super().neighbours(rows, known, before=before, after=after)

    def lines(self, rows: Iterable[int], *, named: bool = False, whole: bool = True) -> dict[int, StoredLine]:
        """Return the lines of these rows, without their context, in this order."""
        rows, known = [*rows], self._read.known
        known.names_too = known.names_too or named
        if whole or known.unread_of_many(rows):
            (known.read if len(rows) <= _MANY else known.read_many)(rows, self.ask)
        return known.lines(rows)

    def names_in(self, rows: Iterable[int], keys: Iterable[str]) -> dict[int, str]:
        """Return row -> name of one of these entities, for those of the rows that name one."""
        rows, keys, known = [*rows], {*keys}, self._read.known.names
        if not known.keys() >= {*rows}:
            return super().names_in(rows, keys)
        return {row: name for row in rows for key, name in known[row] if key in keys}

    def regions(self, paths: Iterable[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return the first and last line of each of our regions in each of these files."""
        paths, known = [*paths], self._read.known.regions
        return regions_of(paths, known) if known.keys() >= {*paths} else super().regions(paths)

    def _extents(self, rows: Iterable[int]) -> list[tuple[int, int, int, int]]:
        rows, known = [*rows], self._read.known
        self._measure(rows)
        return [found for row in rows if (found := known.extents.get(row)) is not None]

    def said_by_others(self, rows: Iterable[int]) -> set[int]:
        """Return those of these rows that somebody other than the author said."""
        rows = [*rows]
        self._measure(rows)
        return self._read.known.by_others.intersection(rows)

    def _measure(self, rows: Iterable[int]) -> None:
        if missing := sorted({*rows}.difference(self._read.known.extents)):
            (records,) = self.ask([(EXTENTS, {"unmeasured": missing})])
            self._read.known.note_extents(records)

    def _told_of(self, rows: Iterable[int]) -> list[tuple[int, str, str | None]]:
        rows, known = [*rows], self._read.known
        known.read(rows, self.ask)
        return [each for row in rows for each in known.told.get(row, ())]

    def _aliases_of(self, keys: Collection[str]) -> list[tuple[str, str, str]]:
        known = self._read.known.aliases
        if missing := {*keys}.difference(known):
            known.update(grouped(missing, super()._aliases_of(sorted(missing))))
        return [each for key in keys for each in known[key]]

    def _relations_to(self, ids: Iterable[str]) -> list[tuple[str, str, int]]:
        ids, known = {*ids}, self._read.known.relations
        if missing := ids.difference(known):
            known.update(grouped(missing, super()._relations_to(sorted(missing))))
        return sorted((each for id in ids for each in known[id]), key=lambda each: -each[2])

    def _claims_of(
        self, rows: Collection[int], slots: Collection[tuple[str, str]], ended: Collection[str], *, among: RowRange
    ) -> Iterable[Sequence[Any]]:
        known = self._read.known
        known.read(rows, self.ask)
        if known.is_cut:
            return super()._claims_of(rows, slots, ended, among=among)
        said = sorted((each for slot in slots for each in known.claims.get(slot, ())), key=lambda each: -each[1])
        over = [each for key in ended for each in known.ended.get(key, ())]
        both = [(0, *each) for each in said if among.has(each[1])][:MOST_CLAIMS]
        return [*both, *((1, *each) for each in over if among.has(each[1]))]

    def _tagged_in(
        self, rows: Iterable[int], keys: Iterable[str], *, among: RowRange
    ) -> Iterable[tuple[str, int, str]]:
        known, rows, keys = self._read.known, sorted(rows, reverse=True), {*keys}
        if not (known.told.keys() >= {*rows} <= known.texts.keys()):
            return super()._tagged_in(rows, keys, among=among)
        return [
            (key, row, text[2])
            for row in rows
            if row in known.ids and among.has(row) and (text := known.texts[row]) is not None
            for _, key, slot in known.told[row]
            if slot is None and key in keys
        ]

    def _related(self, rows: Iterable[int], *, last: int) -> Iterable[tuple[int, int, str]]:
        rows, known = {*rows}, self._read.known
        if not known.relations.keys() >= {known.ids.get(row) for row in rows}:
            return super()._related(rows, last=last)
        return [
            (one, row, relation) for row in rows for _, relation, one in known.relations[known.ids[row]] if one <= last
        ]

    def rows_in(self, path: str, *, limit: int = LAST) -> list[int]:
        """Return rows of a file in order of line."""
        path = path if isinstance(path, FleetText) else FleetText(self.own, path)
        if (known := self._read.known.rows_in.get(path)) is not None:
            return known[:limit]
        return super().rows_in(path, limit=limit)

    def texts_in(self, path: str) -> list[str]:
        """Nothing: our own pages, which recall reads as texts, are not pushed."""
        return []

    def beside(self, path: str, others: Iterable[str]) -> list[str]:
        """Return these paths in the workspace of a path."""
        return [FleetText(path.workspace if isinstance(path, FleetText) else self.own, each) for each in others]

    def opinions_at(self, places: Sequence[Citation]) -> tuple[Opinion, ...]:
        """Return the opinions on one of these lines."""
        if not self._read.judged:
            return ()
        known = [self._read.known.opinions_at(place) for place in places]
        if None in known:
            return super().opinions_at(places)
        heads = dict.fromkeys(head for found in known for head in found or ())
        return self._with_evidence(sorted(heads, key=_by_place))

    def _held_on(self, facts: Sequence[Fact]) -> tuple[Sequence[Any], Sequence[Any]]:
        known = [self._read.known.opinions_on(fact) for fact in facts]
        if None in known:
            self.foresee(lambda: super(FleetIndex, self)._held_on(facts))
            return super()._held_on(facts)
        both = [heads for heads in known if heads is not None]
        by_facts, by_words = ({head for heads in both for head in heads[at]} for at in (0, 1))
        return sorted(by_facts, key=_by_place), sorted(by_words, key=_by_place)

    def opinions_on(self, facts: Sequence[Fact]) -> tuple[Opinion, ...]:
        """Return the opinions that one of these facts supports, or that have the text and entities of one."""
        return super().opinions_on(facts) if self._read.judged else ()

    def _evidence_of(self, opinions: Sequence[tuple[int, int]]) -> Iterable[Sequence[Any]]:
        known = self._read.known.evidence
        if not known.keys() >= {*opinions}:
            return super()._evidence_of(opinions)
        return [each for opinion in dict.fromkeys(opinions) for each in known[opinion]]

    def places(self, ids: Iterable[str]) -> dict[str, Citation]:
        """Return the places of the facts with these ids."""
        ids = [*ids]
        return super().places(ids) if ids else {}

    def _valid(self, begun: tuple[int, ...], held: tuple[int, ...]) -> Sequence[tuple[int]]:
        return [(row,) for row, _ in self._asked(Small(translated(_VALID)), (*begun, *held))]

    def _named_in(self, rows: Iterable[int]) -> Iterable[tuple[int, str]]:
        rows, known = [*rows], self._read.known.names
        if known.keys() >= {*rows}:
            return [(row, key) for row in rows for key, _ in known[row]]
        return self._asked(Small(translated(NAMED_IN)), (self.listed(rows),))

    def distinct(self, rows: Iterable[int], *, beside: Iterable[int]) -> int:
        """Return the number of distinct texts of these rows that no row `beside` has."""
        records = self._asked(Small(translated(DISTINCT)), (self.listed(rows), self.listed(beside)))
        return records[0][0] if records else 0

    def telling_rows(self, among: RowRange) -> list[tuple[int, int, int]]:
        """Return (row, length, parent row) of the lines of prose, lists and tables in a range, without mere labels."""
        return self._asked(Small(translated(TELLING)), (*among, MOST_TELLING))

    def nearest_rows(
        self, search: PassageSearch, query: Vectors, most: int, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the rows nearest to a question, and those and the given rows, each with how near."""
        from commonplace.store.postgres.fleet_vectors import nearest

        return nearest(self.ask, query, most, of=self._read.vectors, name=search.name, among=among, rows=rows)

    def _spliced(self, rows: Sequence[int]) -> Sequence[tuple[int, int, int]]:
        return super()._spliced(rows) if self._read.spliced else ()

    def surroundings(
        self, rows: Iterable[int], terms: Sequence[tuple[Sequence[int], float]], *, reach: int
    ) -> tuple[dict[int, Surroundings], dict[int, Counts]]:
        """Return what is around each of these rows, in this order, and the counts of each document."""
        rows = [*rows]
        found, documents = super().surroundings(rows, terms, reach=reach)
        return {row: found[row] for row in rows if row in found}, documents

    def unread(self) -> tuple[Unread, ...]:
        """Nothing: what a workspace could not read, it did not push."""
        return ()
