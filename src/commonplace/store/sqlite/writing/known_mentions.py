"""Keeps the table of known names: tagged, with a page, speaking in a conversation, or named often enough by the logs.

Possible names are rows of `mentions`, too; the view `named` has the mentions of the known ones.
Law: what is known depends on the mentions and pages that are indexed, and on nothing that was indexed before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.known_names import NameTotals, is_known, usual_spelling
from commonplace.core.entities.name_uses import Place
from commonplace.store.sqlite.index_schema import BY_HAND, BY_PAGE, DAY, TAGGED, WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.store.sqlite.database import Database

_COUNTS = f"m.place not in ({Place.LABEL.value}, {Place.WHOLE.value})"
"""Whether the day of a mention counts."""
_TOTALS = (
    f"select m.key, min(m.name), max(m.name), min(iif(m.row >= {WRITTEN}, m.place, null)),"
    f" 1 + coalesce(min(iif({_COUNTS}, m.row, null)) >> {DAY} < max(iif({_COUNTS}, m.row, null)) >> {DAY}, 0), "
    + ", ".join(f"sum(m.place = {place.value})" for place in Place if place is not Place.WHOLE)
)
"""The columns of `NameTotals`, after key, first and last spelling, and least place (a tag in a line of ours counts for
nothing). Days are counted up to two, by the first and the last row, because to count them all takes a hundred times
longer for a name of every day.
"""


def keys_in(db: Database, low: int, *, high: int) -> set[str]:
    """Return the keys of the names that lines in these rows mention, known or not."""
    return {key for (key,) in db.run("select distinct key from mentions where row between ? and ?", (low, high))}


def settle(db: Database, keys: Iterable[str] | None) -> None:
    """Bring the table of known names up to date.

    Args:
        keys: names whose mentions or pages may have changed; None: all.
    """
    if keys is None:
        db.run("delete from known")
        found = db.all(f"{_TOTALS} from mentions m group by m.key")
        aliases = db.all("select distinct alias from aliases")
    else:
        wanted = db.listed(keys)
        db.run("delete from known where key in (select value from carray(?))", (wanted,))
        found = db.all(f"{_TOTALS} from carray(?) j cross join mentions m on m.key = j.value group by m.key", (wanted,))
        aliases = db.all("select distinct alias from aliases where alias in (select value from carray(?))", (wanted,))
    known = {
        key: (BY_HAND if place == TAGGED else 0, used)
        for key, first, last, place, *told in found
        if (used := is_known(usual_spelling(first, last), NameTotals(*told))) or place == TAGGED
    }
    for (alias,) in aliases:
        tagged, used = known.get(alias, (0, False))
        known[alias] = (tagged or BY_PAGE, used)
    db.many("insert into known values (?, ?, ?)", ((key, *how) for key, how in sorted(known.items())))
