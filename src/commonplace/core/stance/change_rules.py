"""Rules for what one side says has changed: another hour, another place, another person, no more at all.

A word of change (was moved to, took over, lost) presupposes another state before, so less of the frame must be the same
than for two statements that merely differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Stance
from commonplace.core.stance.clause_comparison import Weighing, as_written, coverage, quantities_differ

if TYPE_CHECKING:
    from commonplace.core.stance.stance_clause import Clause, Quantity
    from commonplace.core.stance.stance_lexicon import StanceLexicon

_TOPIC = 0.5
"""Minimum share of a change's content, except its value, that the other side must contain too."""
_VALUE = 2
"""Maximum words of a value that replaces another."""
_SHARED = {"changes": 2, "switches": 1}
"""Minimum shared words beside the replaced one; fewer for a switch, which itself implies a replacement."""
_FRAME = 0.6
_TO = frozenset(("changes", "switches", "relocates"))


def changed(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: moved to another hour, day or place; raised to another number."""
    if held.negations or said.negations or held.once or said.once or not (_TO & {held.changing, said.changing}):
        return None
    quantities = quantities_differ(held, said) or _recounted_bare(held, said)
    if quantities:
        units = {one.unit for one in (*held.quantities, *said.quantities)}
        if _same_topic(held, said, left=held.content - units, right=said.content - units, words=words):
            return Weighing(Stance.CONTRADICTS, f"number changed: {quantities[0].text} → {quantities[1].text}")
        return None
    if _exchanged(held, said, words=words):
        old, new = held.content - said.content, said.content - held.content
        return Weighing(Stance.CONTRADICTS, f"changed: {as_written(held, old)} → {as_written(said, new)}")
    for word in held.content - said.content:
        name = words.exclusive.get(word, "")
        now = {other for other in said.content - held.content if name and words.exclusive.get(other) == name}
        if len(now) == 1 and _same_topic(held, said, left=held.content - {word}, right=said.content - now, words=words):
            return Weighing(Stance.CONTRADICTS, f"changed: {held.surface[word]} → {as_written(said, tuple(now))}")
    return None


def _recounted_bare(held: Clause, said: Clause) -> tuple[Quantity, Quantity] | None:
    """Return one count of each side if they differ and one has no unit: rose to 1500."""
    if len(held.quantities) != 1 or len(said.quantities) != 1:
        return None
    old, new = held.quantities[0], said.quantities[0]
    bare = not old.unit or not new.unit
    return (old, new) if bare and old.value != new.value else None


def _exchanged(held: Clause, said: Clause, *, words: StanceLexicon) -> bool:
    """Whether the fact has one word in place of another, with the rest the same."""
    old, new = held.content - said.content - words.carriers, said.content - held.content - words.carriers
    if said.changing not in _SHARED or held.liking or said.liking or said.adds or not len(old) == len(new) == 1:
        return False
    return len(held.content & said.content) >= _SHARED[said.changing] and held.lead not in old


def succeeded(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: somebody else took over a role."""
    if held.negations or said.negations or said.changing != "succeeds" or said.liking:
        return None
    old, new = held.content - said.content, said.content - held.content - words.carriers
    named = not old and said.lead in new and held.lead in said.content  # took over from Anne
    if not (old or named) or not new or len(new) > _VALUE or len(old) > _VALUE:
        return None
    old = old or frozenset((held.lead,))
    if len(held.content & said.content) < len(old):
        return None
    return Weighing(Stance.CONTRADICTS, f"taken over: {as_written(held, old)} → {as_written(said, new)}")


def relocated(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: lives here, moved there. Supports: lives there, moved there."""
    if (
        said.changing != "relocates"
        or held.negations
        or said.negations
        or held.liking
        or held.content.isdisjoint(words.resides)
    ):
        return None
    if not _compatible(held, said) or said.quantities:
        return None
    leads = {_named(held), _named(said)}
    before = held.content - words.resides - leads
    now = said.content - words.resides - leads
    if before != now:
        before, now = before - now, now - before
    if not before or not now or len(before) > _VALUE or len(now) > _VALUE:
        return None
    if before == now:
        return Weighing(Stance.SUPPORTS, f"moved there: {as_written(said, now)}")
    return Weighing(Stance.CONTRADICTS, f"moved: {as_written(held, before)} → {as_written(said, now)}")


def ended(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: has it, lost it; uses it, cancelled it."""
    if held.negations or said.negations or (held.changing == "ends") == (said.changing == "ends"):
        return None
    end, had = (said, held) if said.changing == "ends" else (held, said)
    shared = end.content & had.content
    if had.content.isdisjoint(words.planned):
        shared -= {end.lead}  # the lead counts only for planned events: the party is off; but Anna lost
    if (
        end.indefinite
        or had.indefinite
        or had.liking
        or end.liking
        or (words.gerund and end.change.endswith(words.gerund))
    ):
        return None
    if not shared or coverage(end, had, words=words) < 1.0:
        return None
    if had.content - end.content - words.carriers - words.habits - words.planned:
        return None
    return Weighing(Stance.CONTRADICTS, f"came to an end: {end.change} {as_written(end, end.words)}")


def restricted(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: only this, while the other side has another in its place."""
    if held.negations or said.negations or not (held.only or said.only) or bool(held.liking) != bool(said.liking):
        return None
    if held.adds or said.adds:
        return None
    old, new = held.content - said.content, said.content - held.content
    shared = held.content & said.content
    if not old or not new or not shared or len(old) > _VALUE or len(new) > _VALUE:
        return None
    if not (held.only & old or said.only & new):
        return None
    if len(shared) < _FRAME * len(held.content) or len(shared) < _FRAME * len(said.content):
        return None
    return Weighing(Stance.CONTRADICTS, f"only that: {as_written(held, old)} → {as_written(said, new)}")


def _named(clause: Clause) -> str:
    """Return the name that a clause begins with, if more words follow."""
    return clause.lead if len(clause.words) > 1 and clause.words[0] == clause.lead else ""


def _compatible(held: Clause, said: Clause) -> bool:
    """Whether the clauses do not begin with two different names."""
    mine, theirs = _named(held), _named(said)
    return not mine or not theirs or mine == theirs


def _same_topic(
    held: Clause, said: Clause, *, left: frozenset[str], right: frozenset[str], words: StanceLexicon
) -> bool:
    """Whether both sides share enough of the words around a changed value."""
    if not _compatible(held, said):
        return False
    shared = left & right
    change, other = (right, left) if said.changing in _TO else (left, right)
    spoken = change - words.carriers
    return bool(shared) and len(shared) >= _TOPIC * len(spoken) and len(shared) >= _TOPIC * len(other - words.habits)
