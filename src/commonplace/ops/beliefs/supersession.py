"""Which whole facts are superseded or disputed by the claims of others, with the reason in words.

`core.claims.succession` decides this for the claims of one slot; a fact is superseded only if all its claims are.
Trailers (`core.timeline`) are not read here: callers give them precedence.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.claims.succession import OVER, Became, Outcome, fates
from commonplace.core.model import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from commonplace.core.claims.succession import Standing
    from commonplace.core.model import Fact
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.claim_queries import Slots

_LONGEST = 80
"""Maximum characters of another fact in a reason."""


UNCHANGED = Outcome()


def outcomes(
    index: Index, rows: Iterable[int], *, today: date, as_of: date | None = None, asked: Span | None = None
) -> dict[int, Outcome]:
    """Return row -> outcome for superseded or disputed facts among these rows.

    Args:
        as_of: ignore what was recorded later.
        asked: the days asked about: what began after them supersedes nothing then.
    """
    asked_of = frozenset(rows)
    slots = index.slots(asked_of, among=index.rows_known(as_of))
    claimed = _claimed(slots, rows=asked_of)
    if not claimed:
        return {}
    now = (as_of or today).toordinal()
    moment = asked.end.toordinal() if asked is not None and asked.end is not None else now
    later = _became(slots, claimed, moment=max(moment, now))
    then = later if moment >= now else _became(slots, claimed, moment=moment)
    both = [each for found in (*then.values(), *later.values()) for each in found]
    wanted = {other.row for each in both if (other := each.fate.superseded_by or each.fate.disputed_by) is not None}
    facts = index.facts_at(wanted)
    found: dict[int, Outcome] = {}
    for row in {**later, **then}:
        found[row] = _outcome(claimed[row], then.get(row, ()), later=later.get(row, ()), facts=facts)
    return found


def outdated(index: Index, *, today: date) -> tuple[dict[int, int], dict[int, int]]:
    """Return (row of a superseded fact -> row of its newest successor, the same for disputed facts), as of today."""
    slots = index.every_slot()
    claimed = _claimed(slots, rows=None)
    superseded: dict[int, int] = {}
    disputed: dict[int, int] = {}
    for row, found in _became(slots, claimed, moment=today.toordinal()).items():
        done = [each.fate.superseded_by for each in found if each.fate.superseded_by is not None]
        if _all(claimed[row], found):
            superseded[row] = max(done, key=lambda other: (other.day, other.row)).row
        elif not done:
            others = (other for each in found if (other := each.fate.disputed_by) is not None)
            disputed[row] = max(others, key=lambda other: (not other.source, other.row)).row
    return superseded, disputed


def _claimed(slots: Slots, *, rows: Collection[int] | None) -> dict[int, frozenset[str]]:
    """Row -> the slots that it claims something of; an empty set if only another fact says that it is over."""
    told = (claim.row for group in slots.groups for claim in group if rows is None or claim.row in rows)
    return {**dict.fromkeys(told, frozenset[str]()), **slots.claimed}


def _became(slots: Slots, rows: Collection[int], *, moment: int) -> Mapping[int, Sequence[Became]]:
    """Row -> outcomes of its claims at a moment (ordinal of a day)."""
    found: dict[int, list[Became]] = {}
    for group in slots.groups:
        said = fates(group, rows, moment=moment, mute=slots.mute, told=lambda one, other: (one, other) in slots.told)
        for claim in group:
            if claim.row in said:
                found.setdefault(claim.row, []).append(Became(claim, said[claim.row]))
    return found


def _all(claimed: frozenset[str], found: Sequence[Became]) -> bool:
    """Whether all claims of a fact are superseded, or another fact says that all of it is over."""
    over = {each.claim.slot for each in found if each.fate.superseded_by is not None}
    framed = {slot for slot in claimed if not slot.startswith(OVER)}
    return any(slot.startswith(OVER) for slot in over) or bool(framed and framed <= over)


def _outcome(
    claimed: frozenset[str], then: Sequence[Became], *, later: Sequence[Became], facts: Mapping[int, Fact]
) -> Outcome:
    """The outcome of one fact, from the outcomes of its claims then and later."""
    if (already := _all(claimed, then)) or _all(claimed, later):
        at = then if already else later
        over = [(each, newer) for each in at if (newer := each.fate.superseded_by) is not None]
        last, newer = max(over, key=lambda pair: (pair[0].fate.until, pair[0].claim.slot))
        ended = min(each.fate.until for each, _ in over)
        held = Span(_day(last.claim.begins), _day(ended - 1))
        said = _quoted(facts[newer.row], newer)
        if already:
            return Outcome(facts[newer.row].source, None, held, f"superseded: {said}")
        return Outcome(None, None, held, f"held until {_day(ended)}: then {said}")
    part = [each.fate.superseded_by for each in later if each.fate.superseded_by is not None]
    if part:
        return Outcome(why=f"in part superseded: {_quoted(facts[part[0].row], part[0])}")
    other = next((each.fate.disputed_by for each in (*then, *later) if each.fate.disputed_by is not None), None)
    if other is None:
        return Outcome()
    return Outcome(disputed_by=facts[other.row].source, why=f"disputed: {_quoted(facts[other.row], None)}")


def _quoted(fact: Fact, claim: Standing | None) -> str:
    """A fact in few words, with the start of the claim and its citation."""
    text = fact.content if len(fact.content) <= _LONGEST else fact.content[: _LONGEST - 1].rstrip() + "…"
    since = f" since {_day(claim.begins)}" if claim is not None and claim.begins else ""
    return f"{text.rstrip('.。।')}{since} ({fact.source})"


def _day(ordinal: int) -> date | None:
    return date.fromordinal(ordinal) if 0 < ordinal <= date.max.toordinal() else None
