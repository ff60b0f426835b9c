"""Queries for claims by slot: which may supersede or dispute each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.claims.succession import OVER, Standing
from commonplace.core.documents.fact_syntax import read_trailer
from commonplace.store.sqlite.database import listed, paired
from commonplace.store.sqlite.index_schema import DAY, LAST, WRITTEN
from commonplace.store.sqlite.recall_queries import COUNTS, facts_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.store.sqlite.database import Database

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


def slots(db: Database, rows: Iterable[int], *, high: int = LAST) -> Slots:
    """Return the slots that these rows claim something of, with their claims up to row `high`."""
    rows = frozenset(rows)
    sql = "select distinct c.key, c.slot from carray(?) j cross join claims c on c.row = j.value"
    slotted = db.all(sql, (listed(rows),))
    names = called(db, (key for key, _ in slotted))
    asked = {(name, slot): names[key] for key, slot in slotted for name in names[key]}
    sql = (
        f"{_STANDING} join json_each(?) j on c.key = j.value ->> 0 and c.slot = j.value ->> 1"
        " where c.row between ? and ? order by c.row desc limit ?"
    )
    groups: dict[tuple[str, tuple[str, ...]], dict[int, Standing]] = {}
    for key, *record in db.all(sql, (paired(asked), WRITTEN, high, _MOST)) if asked else ():
        groups.setdefault((record[1], asked[key, record[1]]), {})[record[0]] = _standing(record)
    return _slots(db, [*_framed(groups), *_ended(db, rows, high=high)], high=high)


def every_slot(db: Database) -> Slots:
    """Return all slots with claims of more than one fact."""
    groups: dict[tuple[str, tuple[str, ...]], dict[int, Standing]] = {}
    said = db.all(f"{_STANDING} where c.row >= ? order by c.row", (WRITTEN,))
    names = called(db, (key for key, *_ in said))
    for key, *record in said:
        groups.setdefault((record[1], names[key]), {})[record[0]] = _standing(record)
    return _slots(db, [*_framed(groups), *_ended(db, None, high=LAST)], high=LAST)


def _framed(groups: Mapping[tuple[str, tuple[str, ...]], Mapping[int, Standing]]) -> Iterator[tuple[Standing, ...]]:
    """Yield the groups of frame slots with claims of more than one fact."""
    for (slot, _), group in groups.items():
        if len(group) > 1 and not slot.startswith(OVER):
            yield tuple(group.values())


def _ended(db: Database, rows: Collection[int] | None, *, high: int) -> Iterator[tuple[Standing, ...]]:
    """Yield each fact that says without a frame that something is over, with the facts that state it.

    Args:
        rows: rows to consider, compared only among each other; None for all.
        high: last row to consider.
    """
    sql = f"{_STANDING} where c.slot glob '{OVER}*' and c.row between ? and ?"
    if rows is None:
        said = db.all(sql, (WRITTEN, high))
        names = called(db, (key for key, *_ in said))
    else:
        tagged = db.all("select distinct m.key from carray(?) j join mentions m on m.row = j.value", (listed(rows),))
        names = called(db, (key for (key,) in tagged))
        names |= called(db, {name for keys in names.values() for name in keys} - names.keys())
        said = db.all(f"{sql} and c.key in (select value from carray(?))", (WRITTEN, high, listed(names)))
    over: dict[tuple[str, ...], list[Standing]] = {}
    for key, *record in said:
        over.setdefault(names[key], []).append(_standing(record))
    for keys, ends in over.items():
        yield from _with_what_was_so(db, ends, keys=keys, rows=rows, high=high)


def _with_what_was_so(
    db: Database, ends: Sequence[Standing], *, keys: Sequence[str], rows: Collection[int] | None, high: int
) -> Iterator[tuple[Standing, ...]]:
    """Yield each termination of one entity with the facts, among these rows or all, that state what is over."""
    from commonplace.core.claims.terminations import folded, may_say, so  # imported here because few workspaces need it

    if rows is None:
        sql = (
            "select distinct m.row, l.text from carray(?) j cross join mentions m on m.key = j.value"
            " join facts x using (row) join lines l using (row) where m.row between ? and ? order by m.row desc limit ?"
        )
        told = db.all(sql, (listed(keys), WRITTEN, high, _MOST))
    else:
        sql = (
            "select distinct x.row, l.text from carray(?) j cross join facts x on x.row = j.value"
            " cross join lines l on l.row = x.row cross join mentions m on m.row = x.row"
            " where m.key in (select value from carray(?)) and x.row between ? and ? order by x.row desc"
        )
        told = db.all(sql, (listed(rows), listed(keys), WRITTEN, high))
    texts = {row: folded(text) for row, text in told}
    may = {end.row: [row for row, text in texts.items() if may_say(text, end.value)] for end in ends}
    facts = facts_at(db, {row for found in may.values() for row in found})
    for end in ends:
        claims = (so(facts[row], row, end=end, names=keys) for row in may[end.row])
        group = (end, *(claim for claim in claims if claim is not None))
        if len(group) > 1:
            yield group


def called(db: Database, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return key -> all names of the one entity that it names, itself included; only the key if it may name several."""
    keys = frozenset(keys)
    if not keys:
        return {}
    owners: dict[str, list[str]] = {}
    sql = "select distinct alias, key from aliases where alias in (select value from carray(?))"
    for alias, key in db.all(sql, (listed(keys),)):
        owners.setdefault(alias, []).append(key)
    own = {alias: found[0] for alias, found in owners.items() if len(found) == 1}
    names: dict[str, set[str]] = {}
    sql = "select key, alias from aliases where key in (select value from carray(?))"
    for key, alias in db.all(sql, (listed(set(own.values())),)):
        names.setdefault(key, set()).add(alias)
    return {key: tuple(sorted({key, *names[own[key]]})) if key in own else (key,) for key in keys}


def claimed(db: Database, rows: Iterable[int] | None = None) -> dict[int, frozenset[str]]:
    """Return row -> the slots it claims something of, among these rows or all; rows without claims are left out."""
    found: dict[int, frozenset[str]] = {}
    sql = "select c.row, c.slot from carray(?) j cross join claims c on c.row = j.value"
    said = db.all("select row, slot from claims") if rows is None else db.all(sql, (listed(rows),))
    for row, slot in said:
        found[row] = found.get(row, frozenset()) | {slot}
    return found


def lasting(db: Database, day: date) -> dict[str, frozenset[str]]:
    """Return fact id -> what it claims on a day or later (`residence`); `stay` for where somebody was for a while."""
    found: dict[str, set[str]] = {}
    sql = "select x.id, c.slot, c.ends from claims c join facts x using (row) where x.origin <> 'generated'"
    for id, slot, ends in db.all(sql):
        bare = slot.replace("/", " ").replace(":", " ").replace("=", " ").partition(" ")[0]
        if ends >= day.toordinal():
            found.setdefault(id, set()).add(bare)
        elif bare == "whereabouts":
            found.setdefault(id, set()).add("stay")
    return {id: frozenset(slots) for id, slots in found.items()}


def placed(db: Database, keys: Iterable[str], *, high: int = LAST) -> list[int]:
    """Return rows of facts that claim where one of these entities lives or is, newest first."""
    names = {name for found in called(db, keys).values() for name in found}
    sql = (
        "select distinct row from claims where key in (select value from carray(?)) and row between ? and ?"
        " and (slot glob 'residence*' or slot glob 'whereabouts*') order by row desc limit ?"
    )
    return [row for (row,) in db.all(sql, (listed(names), WRITTEN, high, _MOST))]


def _standing(record: Sequence[Any]) -> Standing:
    row, slot, value, manner, begins, ends, kind, trailer = record
    source = read_trailer(trailer).outsider if trailer else ""
    return Standing(row, slot, value, manner, begins, ends, max((row >> DAY) - 1, 0), kind == "B", source)


def _slots(db: Database, groups: Sequence[tuple[Standing, ...]], *, high: int) -> Slots:
    if not groups:
        return Slots((), frozenset(), frozenset())
    rows = listed({claim.row for group in groups for claim in group})
    sql = (
        "select r.row, x.row, r.relation from carray(?) j cross join facts x on x.row = j.value"
        f" join relations r on r.target = x.id where r.row <= ? and {COUNTS}"
    )
    told: set[tuple[int, int]] = set()
    mute: set[int] = set()
    for one, other, relation in db.all(sql, (rows, high)):
        told |= {(one, other), (other, one)}
        if relation in ("supersedes", "retracts"):
            mute.add(other)
    return Slots(tuple(groups), frozenset(told), frozenset(mute))
