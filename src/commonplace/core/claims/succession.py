"""Which claim supersedes which: a slot has one value at a time, and the newest is current.

Claims are compared here, by slot alone; `ops.beliefs.supersession` decides from them about whole facts.

Laws: a claim is superseded only by a later one; the order in which claims are listed changes nothing; where it cannot
be told which is later, or the later one is an outsider's word, both are disputed; what a trailer says of two facts
stands, and a fact that a trailer took back or replaced supersedes nothing.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from commonplace.core.model import Citation, Span

TURNS, ENDS, WAS, WEAK, NEAR = "c", "e", "p", "w", "n"
"""The letters of a claim's manner: it reports a change; it says that something ended; it is about the past;
only a change excludes it; a month later it is of another occasion."""
NEAR_DAYS, LATE_DAYS = 31, 366
"""Days after which a claim in the manner NEAR is of another occasion, and by which a change may be told late."""
OVER = "over/"
"""Prefix of the slots of ends that no frame reads: `core.claims.terminations`."""
FOREVER = 1 << 30
"""The end of a claim that states none, as an ordinal day."""


class Standing(NamedTuple):
    """A claim among others of its slot. Days are ordinals, 0 where they are not known."""

    row: int
    """Of its fact."""
    slot: str
    value: str
    manner: str
    begins: int
    ends: int
    """FOREVER if it states no end."""
    day: int
    """The recorded day."""
    event: bool
    """Whether its fact tells what was done: that stays true, and ends what was so."""
    source: str
    """The outsider who said it; empty: the author."""


class Fate(NamedTuple):
    """The outcome of a claim."""

    superseded_by: Standing | None
    """The newest claim that excludes it."""
    until: int
    """The first day of the first claim that excludes it; FOREVER if none does."""
    disputed_by: Standing | None
    """The newest claim that conflicts with it, if the order of the two is unknown."""


class Became(NamedTuple):
    """The outcome of one claim of a fact."""

    claim: Standing
    fate: Fate


class Outcome(NamedTuple):
    """Whether a fact is superseded or disputed by the claims of others."""

    superseded_by: Citation | None = None
    """At the time asked about."""
    disputed_by: Citation | None = None
    held: Span | None = None
    """The days on which it was valid, if another fact says that it is over."""
    why: str = ""
    """`superseded: Lives in Lisbon since 2025-11-03 (memory/2025-11-05.md#L4)`."""


def fates(
    claims: Iterable[Standing],
    of: Collection[int],
    *,
    moment: int = FOREVER,
    mute: Collection[int] = (),
    told: Callable[[int, int], bool] = lambda one, other: False,
) -> dict[int, Fate]:
    """Map the row of each superseded or disputed claim of one slot to its outcome.

    Args:
        of: the rows that are asked about.
        moment: the day that is asked about: what begins later supersedes nothing yet.
        mute: rows of facts that a trailer took back or replaced.
        told: whether a trailer says of two rows how they stand to each other.
    """
    oldest = sorted((claim for claim in claims if claim.row not in mute), key=_place)
    days = [claim.day for claim in oldest]
    found: dict[int, Fate] = {}

    def superseding(claim: Standing, *, last: bool) -> Standing | None:
        """Return the last or the first claim that supersedes this one; none that was recorded before it can."""
        later = oldest[bisect_left(days, claim.day) :]
        return next(
            (
                other
                for other in (reversed(later) if last else later)
                if other.begins <= moment and supersedes(other, claim) and not told(other.row, claim.row)
            ),
            None,
        )

    for claim in oldest:
        if claim.row not in of or claim.event:
            continue
        latest = superseding(claim, last=True)
        earliest = superseding(claim, last=False) if latest is not None else None
        if latest is not None and earliest is not None:
            found[claim.row] = Fate(latest, min(each.begins or each.day for each in (earliest, latest)), None)
            continue
        # the author's word before what others say of it
        for other in sorted(reversed(oldest), key=lambda other: other.source not in ("", claim.source)):
            if disputes(other, claim) and not told(other.row, claim.row) and superseding(other, last=True) is None:
                found[claim.row] = Fate(None, FOREVER, other)
                break
    return found


def _place(claim: Standing) -> tuple[int, bool, int, str, str, int, str, bool]:
    """Return the sort key of a claim, oldest first; the rest of what it says decides between equals."""
    return (claim.day, _changes(claim), claim.begins, claim.value, claim.manner, claim.ends, claim.source, claim.event)


def _changes(claim: Standing) -> bool:
    return TURNS in claim.manner or ENDS in claim.manner


def supersedes(newer: Standing, older: Standing) -> bool:
    """Whether a claim is later than another and excludes it."""
    return newer.row != older.row and _later(newer, older) and _excludes(newer, older)


def disputes(one: Standing, other: Standing) -> bool:
    """Whether two claims exclude each other and neither is surely later."""
    manners = one.manner + other.manner
    if one.row == other.row or one.event or other.event or WEAK in manners or WAS in manners:
        return False
    if _later(one, other) or _later(other, one):
        return False
    return _excludes(*((one, other) if _place(one) >= _place(other) else (other, one)))


def _later(newer: Standing, older: Standing) -> bool:
    """Whether a claim is surely later than another, and of somebody whose word is enough."""
    if WAS in newer.manner or (newer.source and newer.source != older.source):
        return False
    if _changes(older) and not _changes(newer) and newer.begins < older.begins:
        return False  # "since 2019", after a move in 2024
    if newer.day and older.day and newer.day != older.day:
        return newer.day > older.day
    if newer.day < older.day:  # what tells of a change has no day
        return False
    return _changes(newer) and not _changes(older)


def _excludes(newer: Standing, older: Standing) -> bool:
    """Whether both cannot hold, the one being no earlier than the other."""
    if newer.day and older.day and not _of_one_time(newer, older):
        return False
    if ENDS in newer.manner or ENDS in older.manner:  # it ended, or began again
        once = newer.manner.count(ENDS) + older.manner.count(ENDS) == 1
        return once and not differ(newer.value, older.value)
    if not differ(newer.value, older.value):
        return False
    return TURNS in newer.manner or not (WEAK in older.manner or _another(newer.value, older.value))


def _of_one_time(newer: Standing, older: Standing) -> bool:
    """Whether two claims are of the same time and occasion."""
    if NEAR in older.manner + newer.manner and newer.day - older.day > NEAR_DAYS:
        return False
    if TURNS in newer.manner:
        if older.ends < newer.day and not newer.value.startswith("on="):
            return False  # over by itself; but a deadline may be put off when it has passed
        return newer.begins + LATE_DAYS >= older.begins  # else it tells of how it came to be so
    return older.ends >= newer.day


def differ(one: str, other: str) -> bool:
    """Whether two values of one slot exclude each other: what one of them says more exactly it does not deny."""
    if one == other:
        return False
    if "=" in one and "=" in other:
        mine, theirs = _sides(one), _sides(other)
        return any(side in theirs and theirs[side] != thing for side, thing in mine.items())
    if not (one + other).isascii() and (one in other or other in one):
        return False  # where words are not parted
    mine_words, their_words = set(one.split()), set(other.split())
    return not (mine_words <= their_words or their_words <= mine_words)


def _sides(value: str) -> dict[str, str]:
    """Return the sides of a value."""
    return dict(side.partition("=")[::2] for side in value.split())


def _another(one: str, other: str) -> bool:
    """Whether two times are of two occasions: on two dates, or on two days of the week."""
    if "t=" not in one:
        return False
    mine, theirs = _sides(one), _sides(other)
    return any(side in mine and side in theirs and mine[side] != theirs[side] for side in ("on", "d"))
