"""Queries for claims by slot: which may supersede or dispute each other."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from commonplace.core.claims.succession import OVER, Standing
from commonplace.core.documents.fact_syntax import read_trailer
from commonplace.core.recall.index_rows import RowRange
from commonplace.store.sqlite.index_schema import ALL_WRITTEN
from commonplace.store.sqlite.search_queries import COUNTS, SearchQueries

_MOST = 4_000
"""Maximum claims compared at once: the newest of the slots that a query touches, usually far fewer."""
_STANDING = (
    "select c.key, c.row, c.slot, c.value, c.manner, c.begins, c.ends, x.kind, x.trailer"
    " from claims c join facts x using (row)"
)


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


_Slot = tuple[int, str, tuple[str, ...]]
"""Workspace, slot, and the names of the entity: one workspace's claims supersede no other's."""


def _framed(groups: Mapping[_Slot, Mapping[int, Standing]]) -> Iterator[tuple[Standing, ...]]:
    """Yield the groups of frame slots with claims of more than one fact."""
    for (_, slot, _), group in groups.items():
        if len(group) > 1 and not slot.startswith(OVER):
            yield tuple(group.values())


def _standing(record: Sequence[Any], bits: int) -> Standing:
    row, slot, value, manner, begins, ends, kind, trailer = record
    source = read_trailer(trailer).outsider if trailer else ""
    return Standing(row, slot, value, manner, begins, ends, max((row >> bits) - 1, 0), kind == "B", source)


class ClaimQueries(SearchQueries):
    """Reads claims grouped by slot."""

    def slots(self, rows: Iterable[int], *, among: RowRange = ALL_WRITTEN) -> Slots:
        """Return the slots that these rows claim something of, with the claims of the rows in a range."""
        rows = frozenset(rows)
        sql = "select distinct c.key, c.slot from carray(?) j cross join claims c on c.row = j.value"
        slotted = self.all(sql, (self.listed(rows),))
        names = self._called((key for key, _ in slotted))
        asked = {(name, slot): names[key] for key, slot in slotted for name in names[key]}
        sql = (
            f"{_STANDING} join json_each(?) j on c.key = j.value ->> 0 and c.slot = j.value ->> 1"
            " where c.row between ? and ? order by c.row desc limit ?"
        )
        groups: dict[_Slot, dict[int, Standing]] = {}
        for key, *record in self.all(sql, (self.paired(asked), *among, _MOST)) if asked else ():
            row, slot = record[:2]
            groups.setdefault((self.whose(row), slot, asked[key, slot]), {})[row] = _standing(record, self.day_bits)
        return self._slots([*_framed(groups), *self._terminated(rows, among=among)], among=among)

    def every_slot(self) -> Slots:
        """Return all slots with claims of more than one fact."""
        groups: dict[_Slot, dict[int, Standing]] = {}
        said = self.all(f"{_STANDING} where c.row >= ? order by c.row", (ALL_WRITTEN.first,))
        names = self._called((key for key, *_ in said))
        for key, *record in said:
            row, slot = record[:2]
            groups.setdefault((self.whose(row), slot, names[key]), {})[row] = _standing(record, self.day_bits)
        return self._slots([*_framed(groups), *self._terminated(None, among=ALL_WRITTEN)], among=ALL_WRITTEN)

    def _terminated(self, rows: Collection[int] | None, *, among: RowRange) -> Iterator[tuple[Standing, ...]]:
        """Yield each fact that says without a frame that something is over, with the facts that state it.

        Args:
            rows: rows to consider, compared only among each other; None for all.
            among: the other rows to consider.
        """
        sql = f"{_STANDING} where c.slot glob '{OVER}*' and c.row between ? and ?"
        if rows is None:
            said = self.all(sql, among)
            names = self._called((key for key, *_ in said))
        else:
            tagged = self.all(
                "select distinct m.key from carray(?) j join tagged m on m.row = j.value", (self.listed(rows),)
            )
            names = self._called(key for (key,) in tagged)
            names |= self._called({name for keys in names.values() for name in keys}.difference(names))
            said = self.all(f"{sql} and c.key in (select value from carray(?))", (*among, self.listed(names)))
        over: dict[tuple[int, tuple[str, ...]], list[Standing]] = {}
        for key, *record in said:
            over.setdefault((self.whose(record[0]), names[key]), []).append(_standing(record, self.day_bits))
        for (_, keys), ends in over.items():
            yield from self._with_what_was_so(ends, keys=keys, rows=rows, among=among)

    def _with_what_was_so(
        self, ends: Sequence[Standing], *, keys: Sequence[str], rows: Collection[int] | None, among: RowRange
    ) -> Iterator[tuple[Standing, ...]]:
        """Yield each termination of one entity with the facts, among these rows or all, that state what is over."""
        from commonplace.core.claims.terminations import (
            folded,
            may_say,
            so,
        )  # imported here because few workspaces need it

        if rows is None:
            sql = (
                "select distinct m.row, l.text from carray(?) j cross join tagged m on m.key = j.value"
                " join facts x using (row) join lines l using (row) where m.row between ? and ?"
                " order by m.row desc limit ?"
            )
            told = self.all(sql, (self.listed(keys), *among, _MOST))
        else:
            sql = (
                "select distinct x.row, l.text from carray(?) j cross join facts x on x.row = j.value"
                " cross join lines l on l.row = x.row cross join tagged m on m.row = x.row"
                " where m.key in (select value from carray(?)) and x.row between ? and ? order by x.row desc"
            )
            told = self.all(sql, (self.listed(rows), self.listed(keys), *among))
        whose = self.whose(ends[0].row)
        texts = {row: folded(text) for row, text in told if self.whose(row) == whose}
        may = {end.row: [row for row, text in texts.items() if may_say(text, end.value)] for end in ends}
        facts = self.facts_at({row for found in may.values() for row in found})
        for end in ends:
            claims = (so(facts[row], row, end=end, names=keys) for row in may[end.row])
            group = (end, *(claim for claim in claims if claim is not None))
            if len(group) > 1:
                yield group

    def _called(self, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return key -> all names of the one entity that it names; only the key if it may name several."""
        keys = frozenset(keys)
        if not keys:
            return {}
        owners: dict[str, list[str]] = {}
        sql = "select distinct alias, key from aliases where alias in (select value from carray(?))"
        for alias, key in self.all(sql, (self.listed(keys),)):
            owners.setdefault(alias, []).append(key)
        own = {alias: found[0] for alias, found in owners.items() if len(found) == 1}
        names: dict[str, set[str]] = {}
        sql = "select key, alias from aliases where key in (select value from carray(?))"
        for key, alias in self.all(sql, (self.listed(set(own.values())),)):
            names.setdefault(key, set()).add(alias)
        return {key: tuple(sorted({key, *names[own[key]]})) if key in own else (key,) for key in keys}

    def claimed(self, rows: Iterable[int] | None = None) -> dict[int, frozenset[str]]:
        """Return row -> the slots it claims something of, among these rows or all; rows without claims are left out."""
        found: dict[int, frozenset[str]] = {}
        sql = "select c.row, c.slot from carray(?) j cross join claims c on c.row = j.value"
        said = self.all("select row, slot from claims") if rows is None else self.all(sql, (self.listed(rows),))
        for row, slot in said:
            found[row] = found.get(row, frozenset()) | {slot}
        return found

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
        return [row for (row,) in self.all(sql, (self.listed(names), *among, _MOST))]

    def _slots(self, groups: Sequence[tuple[Standing, ...]], *, among: RowRange) -> Slots:
        if not groups:
            return Slots((), frozenset(), frozenset())
        rows = self.listed({claim.row for group in groups for claim in group})
        sql = (
            "select r.row, x.row, r.relation from carray(?) j cross join facts x on x.row = j.value"
            f" join relations r on r.target = x.id where r.row <= ? and {COUNTS}"
        )
        told: set[tuple[int, int]] = set()
        mute: set[int] = set()
        for one, other, relation in self.all(sql, (rows, among.last)):
            told |= {(one, other), (other, one)}
            if relation in ("supersedes", "retracts"):
                mute.add(other)
        return Slots(tuple(groups), frozenset(told), frozenset(mute))
