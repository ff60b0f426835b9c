"""Queries for claims by slot: which may supersede or dispute each other."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from commonplace.core.claims.succession import OVER, Standing
from commonplace.core.documents.fact_syntax import read_trailer
from commonplace.core.recall.index_rows import RowRange
from commonplace.store.sqlite.index_schema import ALL_WRITTEN
from commonplace.store.sqlite.line_queries import COUNTS
from commonplace.store.sqlite.search_queries import SearchQueries

MOST_CLAIMS = 4_000
"""Maximum claims compared at once: the newest of the slots that a query touches, usually far fewer."""
CLAIM = "select c.key, c.row, c.slot, c.value, c.manner, c.begins, c.ends, x.kind, x.trailer"
"""Columns of a claim."""
TOLD_OF = (
    "select c.row, c.key, c.slot from carray(?1) j cross join claims c on c.row = j.value"
    " union select m.row, m.key, null from carray(?1) j join tagged m on m.row = j.value"
)
"""Query of the slots and the entities of a list of rows."""
ALIASES = "select a.alias, a.key, b.alias from aliases a join aliases b on b.key = a.key"


class Slots(NamedTuple):
    """Claims grouped by slot."""

    groups: tuple[tuple[Standing, ...], ...]
    """Groups of claims: of one slot of one entity under any of its names; and each fact that says without a frame that
    something is over, with the facts that had stated it.
    """
    told: frozenset[tuple[int, int]]
    """Pairs of rows whose relation a trailer states, in both orders."""
    mute: frozenset[int]
    """Rows of facts that a trailer retracts or supersedes."""
    claimed: Mapping[int, frozenset[str]]
    """Row -> the slots that it claims something of, of the rows that were asked for or all."""


_Whose = tuple[int, tuple[str, ...]]
"""Workspace, and the names of an entity."""
_Slot = tuple[int, str, tuple[str, ...]]
"""Workspace, slot, and the names of the entity: one workspace's claims supersede no other's."""


def _framed(groups: Mapping[_Slot, Mapping[int, Standing]]) -> Iterator[tuple[Standing, ...]]:
    """Yield the groups of frame slots with claims of more than one fact."""
    for (_, slot, _), group in groups.items():
        if len(group) > 1 and not slot.startswith(OVER):
            yield tuple(group.values())


def _claimed(said: Iterable[tuple[int, str]]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for row, slot in said:
        found.setdefault(row, set()).add(slot)
    return {row: frozenset(slots) for row, slots in found.items()}


def _standing(record: Sequence[Any], bits: int) -> Standing:
    row, slot, value, manner, begins, ends, kind, trailer = record
    source = read_trailer(trailer).outsider if trailer else ""
    return Standing(row, slot, value, manner, begins, ends, max((row >> bits) - 1, 0), kind == "B", source)


class ClaimQueries(SearchQueries):
    """Reads claims grouped by slot."""

    def slots(self, rows: Iterable[int], *, among: RowRange = ALL_WRITTEN) -> Slots:
        """Return the slots that these rows claim something of, with the claims of the rows in a range."""
        rows = frozenset(rows)
        found = self._told_of(rows) if rows else ()
        slotted = {(key, slot) for _, key, slot in found if slot is not None}
        tagged = {key for _, key, slot in found if slot is None}
        names = self._called({*tagged, *(key for key, _ in slotted)})
        also = {name for key in tagged for name in names[key]}
        names |= self._called(also.difference(names))
        asked = {(name, slot): names[key] for key, slot in slotted for name in names[key]}
        groups: dict[_Slot, dict[int, Standing]] = {}
        over: dict[_Whose, list[Standing]] = {}
        for is_over, key, *record in self._claims_of(rows, asked, also | tagged, among=among) if found else ():
            claim, whose = _standing(record, self.day_bits), self.whose(record[0])
            if is_over:
                over.setdefault((whose, names[key]), []).append(claim)
            else:
                groups.setdefault((whose, claim.slot, asked[key, claim.slot]), {})[claim.row] = claim
        return self._slots(
            [*_framed(groups), *self._terminated(over, rows=rows, among=among)],
            _claimed((row, slot) for row, _, slot in found if slot is not None),
            among=among,
        )

    def _claims_of(
        self, rows: Collection[int], slots: Collection[tuple[str, str]], ended: Collection[str], *, among: RowRange
    ) -> Iterable[Sequence[Any]]:
        """Return (0, columns of a claim) of these slots, each (key, slot), the newest; and (1, columns of a claim) of
        those that say without a frame that something of these entities is over.

        Args:
            rows: those that were asked for.
        """
        sql = (
            f"select 0 as ends, * from ({CLAIM} from json_each(?) j cross join claims c on c.key = j.value ->> 0"
            " and c.slot = j.value ->> 1 join facts x using (row)"
            " where c.row between ? and ? order by c.row desc limit ?) claimed"
            f" union all select 1, * from ({CLAIM} from carray(?) j cross join claims c on c.key = j.value"
            f" join facts x using (row) where c.slot glob '{OVER}*' and c.row between ? and ?) over"
        )
        return self.all(sql, (self.paired(slots), *among, MOST_CLAIMS, self.listed(ended), *among))

    def _told_of(self, rows: Iterable[int]) -> Sequence[tuple[int, str, str | None]]:
        """Return (row, entity key, slot) of each claim of these rows, and (row, key, None) of each entity they tag."""
        return self.all(TOLD_OF, (self.listed(rows),))

    def every_slot(self) -> Slots:
        """Return all slots with claims of more than one fact."""
        groups: dict[_Slot, dict[int, Standing]] = {}
        over: dict[_Whose, list[Standing]] = {}
        sql = f"{CLAIM} from claims c join facts x using (row) where c.row >= ? order by c.row"
        said = self.all(sql, (ALL_WRITTEN.first,))
        names = self._called((key for key, *_ in said))
        for key, *record in said:
            claim, whose = _standing(record, self.day_bits), self.whose(record[0])
            groups.setdefault((whose, claim.slot, names[key]), {})[claim.row] = claim
            if claim.slot.startswith(OVER):
                over.setdefault((whose, names[key]), []).append(claim)
        return self._slots(
            [*_framed(groups), *self._terminated(over, rows=None, among=ALL_WRITTEN)],
            _claimed((row, slot) for _, row, slot, *_ in said),
            among=ALL_WRITTEN,
        )

    def _terminated(
        self, over: Mapping[_Whose, Sequence[Standing]], *, rows: Collection[int] | None, among: RowRange
    ) -> Iterator[tuple[Standing, ...]]:
        """Yield each fact that says without a frame that something is over, with the facts that state it.

        Args:
            over: what they claim.
            rows: rows to consider, compared only among each other; None for all.
            among: the other rows to consider.
        """
        if not over:
            return
        # imported here because few workspaces need it
        from commonplace.core.claims.terminations import may_say, so

        texts = self._stated_of(over, among=among) if rows is None else self._stated_in(rows, over, among=among)
        may = [
            (end, names, [row for row, text in texts[whose, names].items() if may_say(text, end.value)])
            for (whose, names), ends in over.items()
            for end in ends
        ]
        facts = self.facts_at({row for *_, found in may for row in found})
        for end, names, found in may:
            claims = (so(facts[row], row, end=end, names=names) for row in found)
            group = (end, *(claim for claim in claims if claim is not None))
            if len(group) > 1:
                yield group

    def _stated_of(self, of: Iterable[_Whose], *, among: RowRange) -> dict[_Whose, dict[int, str]]:
        """Return the folded texts of the newest facts about each of these entities, newest first."""
        from commonplace.core.claims.terminations import folded

        sql = (
            "select distinct m.row, l.text from carray(?) j cross join tagged m on m.key = j.value"
            " join facts x using (row) join lines l using (row) where m.row between ? and ?"
            " order by m.row desc limit ?"
        )
        return {
            (whose, names): {
                row: folded(text) for row, text in self.all(sql, (self.listed(names), *among, MOST_CLAIMS))
            }
            for whose, names in of
        }

    def _stated_in(self, rows: Iterable[int], of: Iterable[_Whose], *, among: RowRange) -> dict[_Whose, dict[int, str]]:
        """Return the same of the facts in these rows, with one query."""
        from commonplace.core.claims.terminations import folded

        found: dict[_Whose, dict[int, str]] = {each: {} for each in of}
        entities: dict[tuple[int, str], list[dict[int, str]]] = {}
        for (whose, names), texts in found.items():
            for name in names:
                entities.setdefault((whose, name), []).append(texts)
        for key, row, text in self._tagged_in(rows, {name for _, names in found for name in names}, among=among):
            for texts in entities.get((self.whose(row), key), ()):
                texts[row] = folded(text)
        return found

    def _tagged_in(
        self, rows: Iterable[int], keys: Iterable[str], *, among: RowRange
    ) -> Iterable[tuple[str, int, str]]:
        """Return (key, row, text) of each of these entities that a fact in these rows tags, the newest rows first."""
        sql = (
            "select m.key, x.row, l.text from carray(?) j cross join facts x on x.row = j.value"
            " cross join lines l on l.row = x.row cross join tagged m on m.row = x.row"
            " where m.key in (select value from carray(?)) and x.row between ? and ? order by x.row desc"
        )
        return self.all(sql, (self.listed(rows), self.listed(keys), *among))

    def _called(self, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return key -> all names of the one entity that it names; only the key if it may name several."""
        keys = frozenset(keys)
        if not keys:
            return {}
        owners: dict[str, set[str]] = {}
        names: dict[str, set[str]] = {}
        for alias, key, name in self._aliases_of(keys):
            owners.setdefault(alias, set()).add(key)
            names.setdefault(alias, {alias}).add(name)
        return {key: tuple(sorted(names[key])) if len(owners.get(key, ())) == 1 else (key,) for key in keys}

    def _aliases_of(self, keys: Collection[str]) -> Iterable[tuple[str, str, str]]:
        """Return (one of these keys, key of an entity that it names, another name of that entity)."""
        return self.all(f"{ALIASES} where a.alias in (select value from carray(?))", (self.listed(keys),))

    def claimed(self, rows: Iterable[int]) -> dict[int, frozenset[str]]:
        """Return row -> the slots it claims something of, among these rows; rows without claims are left out."""
        return _claimed((row, slot) for row, _, slot in self._told_of(rows) if slot is not None)

    def lasting(self, day: date) -> dict[str, frozenset[str]]:
        """Return fact id -> slots (`residence`) of its claims on a day or later; `stay` for past whereabouts."""
        found: dict[str, set[str]] = {}
        sql = "select x.id, c.slot, c.ends from claims c join facts x using (row) where x.origin <> 'generated'"
        for id, slot, ends in self.all(sql):
            bare = slot.replace("/", " ").replace(":", " ").replace("=", " ").partition(" ")[0]
            if ends >= day.toordinal():
                found.setdefault(id, set()).add(bare)
            elif bare == "whereabouts":
                found.setdefault(id, set()).add("stay")
        return {id: frozenset(slots) for id, slots in found.items()}

    def placed(self, keys: Iterable[str], *, among: RowRange) -> list[int]:
        """Return rows of facts that claim where one of these entities lives or is, newest first."""
        names = {name for found in self._called(keys).values() for name in found}
        sql = (
            "select distinct row from claims where key in (select value from carray(?)) and row between ? and ?"
            " and (slot glob 'residence*' or slot glob 'whereabouts*') order by row desc limit ?"
        )
        return self.numbers(sql, (self.listed(names), *among, MOST_CLAIMS))

    def _slots(
        self, groups: Sequence[tuple[Standing, ...]], claimed: Mapping[int, frozenset[str]], *, among: RowRange
    ) -> Slots:
        if not groups:
            return Slots((), frozenset(), frozenset(), claimed)
        rows = {claim.row for group in groups for claim in group}
        told: set[tuple[int, int]] = set()
        mute: set[int] = set()
        for one, other, relation in self._related(rows, last=among.last):
            told |= {(one, other), (other, one)}
            if relation in ("supersedes", "retracts"):
                mute.add(other)
        return Slots(tuple(groups), frozenset(told), frozenset(mute), claimed)

    def _related(self, rows: Iterable[int], *, last: int) -> Iterable[tuple[int, int, str]]:
        """Return (row up to the last, row of these, relation that a trailer of the one has to the other)."""
        sql = (
            "select r.row, x.row, r.relation from carray(?) j cross join facts x on x.row = j.value"
            f" join relations r on r.target = x.id where r.row <= ? and {COUNTS}"
        )
        return self.all(sql, (self.listed(rows), last))
