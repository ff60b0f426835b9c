"""Which quoted lines are outdated because a newer line tells of the same slot anew, without naming what was before.

`core.changes.stated_slots` says what a slot is. The newest line of a slot decides: if it tells what an older one tells,
that one is not outdated. An undated line of a core file may be newer than a log, so only a line that says that
something changed outdates it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING

from commonplace.core.changes.line_claims import claims_anew, line_claims, same_claim
from commonplace.core.changes.listed_items import listed_item
from commonplace.core.changes.same_slots import keys_of, same_slot, tells_anew
from commonplace.core.changes.stated_slots import HOLDING, LABEL, named_above, slots
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Role
from commonplace.core.quotes.page_quotes import LOGGED
from commonplace.core.quotes.quote_topics import DECISIONS, PREFERENCES
from commonplace.core.recall.index_rows import chain as headings
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.outdated_lines import day_of, may_outdate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from commonplace.core.changes.line_claims import LineClaim
    from commonplace.core.changes.listed_items import ListedItem
    from commonplace.core.changes.stated_slots import Slot
    from commonplace.core.model import AnyLine, Citation
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.recall.index_rows import Above, StoredLine
    from commonplace.store.sqlite import Index

_SETTLE = (DECISIONS, PREFERENCES)
_TOLD = (Role.BULLET, Role.TEXT, Role.ROW)
_MOST = 60
"""Newer lines that are compared."""
_DAILY = 3
"""Days on which a list has a field, from which that is one of each day."""
_ABOVE = 2
"""Headings and bullets above a line that are read, the nearest."""


class ToldAnew:
    """Finds the lines that tell anew what older ones told; what it reads of a line it keeps."""

    def __init__(self, index: Index, named: Mapping[int, Iterable[str]]) -> None:
        """Read the lines of an index.

        Args:
            named: row -> keys of the known names in it.
        """
        self._index, self._named = index, named
        self._above: Above = {}
        self._slots: dict[int, tuple[Slot, ...]] = {}

    def of(self, quotes: Iterable[Quote]) -> dict[Citation, AnyLine]:
        """Return, by the source of each line that is outdated so, the newest line of its slot."""
        told = {each.line.source: each for each in quotes if each.line.recorded or each.core}
        rows = self._index.rows_at(told).values()
        lines = self._index.lines(rows).values()
        self._index.ancestors((each.parent for each in lines), self._above)
        found = {}
        for stored in lines:
            quoted = told[stored.line.source]
            settles = quoted.core or quoted.topic in _SETTLE
            newer = self._by_slots(stored, settles=settles) or self._by_claims(stored)
            if newer is None and quoted.topic == LOGGED:
                newer = self._by_lists(stored)
            if newer is not None:
                found[stored.line.source] = newer
        return found

    def of_siblings(self, quotes: Iterable[Quote], newer: Mapping[Citation, AnyLine]) -> dict[Citation, AnyLine]:
        """Return, by its source, what outdates each line that is older than an outdated one of the same slot: the
        first of three counts has passed when the second has, whoever held it.

        Args:
            newer: by the source of each outdated line, the line that outdates it.
        """
        lines = self._index.lines(self._index.rows_at({each.line.source for each in quotes}).values())
        self._index.ancestors((each.parent for each in lines.values()), self._above)
        held = [
            (each.line, (slot.thing, slot.of))
            for each in lines.values()
            for slot in self._slots_of(each)
            if slot.kind == HOLDING and each.line.recorded
        ]
        passed: dict[tuple[str, frozenset[str]], AnyLine] = {}
        for line, what in sorted(held, key=lambda each: ordinal(each[0].recorded)):
            if line.source in newer:
                passed[what] = line
        return {
            line.source: newer[last.source]
            for line, what in held
            if line.source not in newer
            and (last := passed.get(what)) is not None
            and ordinal(line.recorded) < ordinal(last.recorded)
        }

    def _by_slots(self, stored: StoredLine, *, settles: bool) -> AnyLine | None:
        """Return the newest line that tells a slot of this one anew.

        Args:
            settles: whether the line tells what was settled; else what its label gives is of its day.
        """
        own = self._slots_of(stored)
        held = any(slot.kind == HOLDING for slot in own)
        found = self._having([key for slot in own for key in keys_of(stored.line.content, slot)], stored, older=held)
        shared = self._shared(found) if held else ()
        told: set[Slot] = set()
        for each in _newest(found, stored):
            for old, new in product(own, self._slots_of(each)):
                if old in told or not same_slot(new, old) or not (new.told or stored.line.recorded):
                    continue
                if (new.of in shared and new.under != old.under) or (new.kind == LABEL and not settles):
                    continue
                if tells_anew(new, old):
                    return each.line
                told.add(old)
        return None

    def _by_claims(self, stored: StoredLine) -> AnyLine | None:
        """Return the newest line with a claim that excludes one of this line."""
        own = self._claims_of(stored)
        told: set[LineClaim] = set()
        for each in _newest(self._having([(claim.topic,) for claim in own], stored), stored):
            one = self._named_above(each) == self._named_above(stored)
            for was, now in product(own, self._claims_of(each)):
                if was in told or not same_claim(now, was, one_heading=one):
                    continue
                if claims_anew(now, was):
                    return each.line
                told.add(was)
        return None

    def _by_lists(self, stored: StoredLine) -> AnyLine | None:
        """Return the newest line in which the same list has another figure of the item that this one tells of: of
        something known by its name, or of a field that is filled in day by day."""
        own = self._item_of(stored)
        if own is None or own.is_deed:
            return None
        lines = self._having([(own.name,)], stored, older=True)
        items = {each.row: item for each in lines if (item := self._item_of(each)) and item.is_of(own)}
        lists: dict[object, set[str]] = {stored.line.recorded: {own.of}}
        for each in lines:
            if each.row in items:
                lists.setdefault(each.line.recorded, set()).add(items[each.row].of)
        if len(lists) < _DAILY and not entity_key(own.name).startswith(tuple(self._named.get(stored.row, ()))):
            return None
        for each in _newest([each for each in lines if each.row in items], stored)[:1]:
            one = len(lists[each.line.recorded]) == len(lists[stored.line.recorded]) == 1
            if one and own.differs(items[each.row]):
                return each.line
        return None

    def _item_of(self, stored: StoredLine) -> ListedItem | None:
        line = stored.line
        if stored.role not in _TOLD or line.speaker or not any(map(str.isdigit, line.content)):
            return None
        return listed_item(line.content, headings(stored.parent, self._above)[-_ABOVE:])

    def _claims_of(self, stored: StoredLine) -> tuple[LineClaim, ...]:
        return line_claims(stored.line, stored.row, self._named.get(stored.row, ()))

    def _having(
        self, keys: Sequence[tuple[str, ...]], stored: StoredLine, *, older: bool = False
    ) -> Collection[StoredLine]:
        """Return the newest lines with all terms of one of these keys: those after a line, or older ones as well."""
        found = {tuple(dict.fromkeys(chain.from_iterable(map(_terms, key)))) for key in keys} - {()}
        if not found:
            return ()
        known = self._index.rows_known(None)
        if stored.line.recorded is not None and not older:
            known = known._replace(first=max(known.first, stored.row + 1))
        rows = self._index.match(any_of_keys(sorted(found)), among=known, limit=_MOST)
        lines = self._index.lines(rows).values()
        self._index.ancestors((each.parent for each in lines), self._above)
        return lines

    def _shared(self, lines: Iterable[StoredLine]) -> set[frozenset[str]]:
        """Return what two accounts have on one day: a holding of it that names none may be of either."""
        owners: dict[tuple[object, frozenset[str]], set[frozenset[str]]] = {}
        for each in lines:
            for slot in self._slots_of(each):
                if slot.kind == HOLDING and slot.under:
                    owners.setdefault((each.line.recorded, slot.of), set()).add(slot.under)
        return {of for (_, of), those in owners.items() if len(those) > 1}

    def _slots_of(self, stored: StoredLine) -> tuple[Slot, ...]:
        if stored.row not in self._slots:
            above = headings(stored.parent, self._above)[-_ABOVE:]
            self._slots[stored.row] = slots(stored.line.content, above) if stored.role in _TOLD else ()
        return self._slots[stored.row]

    def _named_above(self, stored: StoredLine) -> frozenset[str]:
        return named_above(headings(stored.parent, self._above)[-1:])


@lru_cache(2048)
def _terms(text: str) -> tuple[str, ...]:
    return tuple(term for term in in_order(fold(text)) if len(term) > 1)


def _newest(lines: Iterable[StoredLine], older: StoredLine) -> list[StoredLine]:
    """Return the lines of a later day than another, or dated if that is not, which may outdate it; the newest first."""
    day = ordinal(older.line.recorded)
    later = [each for each in lines if ordinal(each.line.recorded) > day and may_outdate(each, older)]
    return sorted(later, key=lambda each: (day_of(each.line), str(each.line.source)), reverse=True)
