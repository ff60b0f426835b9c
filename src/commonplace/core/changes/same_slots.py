"""Whether two slots are of one thing, and whether the newer tells it anew; by which terms newer lines are looked up.

If in doubt, two slots are of two things.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.changes.slot_lexicon import slot_lexicon
from commonplace.core.changes.stated_slots import BECAME, DEFAULT, HOLDING, LABEL, PLAN, USES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from commonplace.core.changes.stated_slots import Slot

_HEADINGS_ALIKE = 2
"""Terms that the headings above two labels share at least, if the labels name nothing themselves."""
_MARKS = ":/@"


def keys_of(text: str, slot: Slot) -> Iterator[tuple[str, ...]]:
    """Yield texts by several: a newer line of this slot has all terms of these.

    Args:
        text: the line that states it.
    """
    of, known = " ".join(sorted(slot.of)), slot_lexicon(text)
    forms = [form for form, first in known.thing.items() if first == slot.thing]
    if slot.kind in (HOLDING, PLAN):
        yield (of,)
    elif slot.kind == DEFAULT:
        yield from ((of, form, phrase) for form in forms for phrase in known.usually)
    elif slot.kind != LABEL:
        yield from ((of, form, verb) for form in forms for verb in known.moves)
    if slot.chosen:
        yield from ((of, form) for form in forms)
    if of and (slot.kind == BECAME or (slot.kind == LABEL and _shapes(slot.value))):
        yield from ((of, verb) for verb in known.moves)


def same_slot(newer: Slot, older: Slot) -> bool:
    """Return whether two slots are of one thing, whatever their values."""
    if newer.of != older.of:
        return False
    if newer.kind == BECAME:
        return _became(newer, older)
    if newer.kind != older.kind or newer.thing != older.thing or newer.kind == USES:
        return False
    if newer.kind == LABEL:
        shared = len(newer.around & older.around)
        return older.chosen and shared >= (1 if newer.of else _HEADINGS_ALIKE)
    unnamed = not (newer.under and older.under)
    return newer.under == older.under or (unnamed and (newer.kind == HOLDING or newer.told))


def _became(newer: Slot, older: Slot) -> bool:
    """Whether what something became is what an older line tells of the same thing."""
    if newer.thing and newer.thing == older.thing and older.kind in (BECAME, DEFAULT, USES, LABEL):
        known = older.kind != LABEL or older.chosen or bool(_shapes(newer.value) & _shapes(older.value))
        return known and (bool(newer.of) or newer.under == older.under)
    if not newer.of or older.thing not in ("", newer.thing):
        return False
    return older.kind == BECAME or (older.kind == LABEL and bool(_shapes(newer.value) & _shapes(older.value)))


def tells_anew(newer: Slot, older: Slot) -> bool:
    """Return whether of two values of one slot the newer is another."""
    if newer.kind == BECAME and older.kind == LABEL:
        return not any(newer.value <= {*name.split()} or {*name.split()} <= newer.value for name in older.value)
    if newer.kind != LABEL:
        return not (newer.value <= older.value or older.value <= newer.value)
    of_one_kind = len(newer.value) == len(older.value) == 1 or bool(newer.value & older.value)
    return of_one_kind and bool(newer.value - older.value) and bool(older.value - newer.value)


def _shapes(names: Iterable[str]) -> set[str]:
    """Return the shapes of names that are identifiers: one may stand for another of its shape."""
    found = set[str]()
    for name in names:
        marks = {mark for mark in _MARKS if mark in name}
        if not marks and any(map(str.isdigit, name)) and any(map(str.isalpha, name)):
            marks = {"1"}
        found |= marks
    return found
