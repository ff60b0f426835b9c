"""What facts claim, slot by slot: the claims that may follow or dispute each other, and what trailers say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.fact import read_trailer
from commonplace.core.succession import Standing
from commonplace.store.sqlite.database import listed
from commonplace.store.sqlite.schema import DAY, LAST, WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from commonplace.store.sqlite.database import Database

_MOST = 4_000
"""Claims that are compared at once: the newest of the slots that a question meets, which are far fewer as a rule."""
_STANDING = (
    "select c.row, c.slot, c.value, c.manner, c.begins, c.ends, x.kind, x.trailer"
    " from claims c join facts x using (row)"
)


class Slots(NamedTuple):
    """Claims by the slot that they are of."""

    groups: tuple[tuple[Standing, ...], ...]
    """Those of one slot of one entity, under whichever of its names."""
    told: frozenset[tuple[int, int]]
    """Pairs of rows of which a trailer says how they stand to each other, either way round."""
    mute: frozenset[int]
    """Rows of facts that a trailer took back or replaced."""


def slots(db: Database, rows: Iterable[int], *, high: int = LAST) -> Slots:
    """The slots of which these rows claim something, as they stood up to a row."""
    sql = "select distinct c.key, c.slot from json_each(?) j cross join claims c on c.row = j.value"
    names: dict[str, tuple[str, ...]] = {}
    asked: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, slot in db.all(sql, (listed(rows),)):
        keys = names.get(key) or names.setdefault(key, also(db, key))
        asked |= {(name, slot): keys for name in keys}
    sql = (
        f"{_STANDING.replace('select ', 'select c.key, ', 1)}"
        " join json_each(?) j on c.key = j.value ->> 0 and c.slot = j.value ->> 1"
        " where c.row between ? and ? order by c.row desc limit ?"
    )
    groups: dict[tuple[str, tuple[str, ...]], dict[int, Standing]] = {}
    for key, *record in db.all(sql, (listed(asked), WRITTEN, high, _MOST)):
        groups.setdefault((record[1], asked[key, record[1]]), {})[record[0]] = _standing(record)
    return _slots(db, [tuple(group.values()) for group in groups.values() if len(group) > 1], high)


def every_slot(db: Database) -> Slots:
    """All slots of which more than one fact claims something."""
    names: dict[str, tuple[str, ...]] = {}
    groups: dict[tuple[str, tuple[str, ...]], dict[int, Standing]] = {}
    sql = f"{_STANDING} where c.row >= ? order by c.row"
    for key, *record in db.all(sql.replace("select ", "select c.key, ", 1), (WRITTEN,)):
        keys = names.get(key) or names.setdefault(key, also(db, key))
        groups.setdefault((record[1], keys), {})[record[0]] = _standing(record)
    return _slots(db, [tuple(group.values()) for group in groups.values() if len(group) > 1], LAST)


def also(db: Database, key: str) -> tuple[str, ...]:
    """The names of the one entity that a name names, itself included; the name alone where it may be of several."""
    own = db.all("select distinct key from aliases where alias = ?", (key,))
    if len(own) != 1:
        return (key,)
    return tuple(sorted({key, *(alias for (alias,) in db.all("select alias from aliases where key = ?", own[0]))}))


def claimed(db: Database, rows: Iterable[int] | None = None) -> dict[int, frozenset[str]]:
    """Row -> the slots of which it claims something, of these rows or of all; none of what claims nothing."""
    found: dict[int, frozenset[str]] = {}
    sql = "select c.row, c.slot from json_each(?) j cross join claims c on c.row = j.value"
    said = db.all("select row, slot from claims") if rows is None else db.all(sql, (listed(rows),))
    for row, slot in said:
        found[row] = found.get(row, frozenset()) | {slot}
    return found


def lasting(db: Database, day: date) -> dict[str, frozenset[str]]:
    """Id of a fact to what it claims on a day or after it (`residence`); `stay`: where somebody was for a while."""
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
    """Rows of facts that claim where one of these entities lives or is, newest first."""
    names = {name for key in keys for name in also(db, key)}
    sql = (
        "select distinct row from claims where key in (select value from json_each(?)) and row between ? and ?"
        " and (slot glob 'residence*' or slot glob 'whereabouts*') order by row desc limit ?"
    )
    return [row for (row,) in db.all(sql, (listed(names), WRITTEN, high, _MOST))]


def _standing(record: Sequence[Any]) -> Standing:
    row, slot, value, manner, begins, ends, kind, trailer = record
    source = read_trailer(trailer).src if trailer else ""
    if source.startswith("inferred"):
        source = ""  # a person accepted it
    return Standing(row, slot, value, manner, begins, ends, max((row >> DAY) - 1, 0), kind == "B", source)


def _slots(db: Database, groups: Sequence[tuple[Standing, ...]], high: int) -> Slots:
    rows = listed({claim.row for group in groups for claim in group})
    sql = (
        "select r.row, x.row, r.relation from json_each(?) j cross join facts x on x.row = j.value"
        " join relations r on r.target = x.id where r.row <= ?"
    )
    told: set[tuple[int, int]] = set()
    mute: set[int] = set()
    for one, other, relation in db.all(sql, (rows, high)):
        told |= {(one, other), (other, one)}
        if relation in ("supersedes", "retracts"):
            mute.add(other)
    return Slots(tuple(groups), frozenset(told), frozenset(mute))
