"""Builds ranges and other times from several: neighbours, "from … to", "since"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.when.grammar.calendar import RANK, DateFrame, Time, moved, stretch, unit_at
from commonplace.core.when.grammar.missing_parts import compose, distance, settle
from commonplace.core.when.grammar.nesting import within

if TYPE_CHECKING:
    from datetime import date


def nothing(_frame: DateFrame, *_values: object) -> bool:
    """A match that means no date and uses its words up."""
    return True


def first(_frame: DateFrame, time: Time, *_values: object) -> Time:
    """The first of them says it all."""
    return time


def composed(frame: DateFrame, one: Time, two: Time) -> Time | None:
    """Two neighbours read as one."""
    if one.relation not in {"", "ago"} or two.relation not in {"", "ago"}:
        return None
    return compose(one, two, frame=frame)


def composed_in(frame: DateFrame, one: Time, two: Time) -> Time | None:
    """`26 June in 2019`; but what "will end in 2150" is no end of 2150."""
    return None if one.form == "edge" and one.rule not in {"early", "late"} else composed(frame, one, two)


def _low(time: Time) -> date | None:
    return time.point or time.start


def _high(time: Time) -> date | None:
    return time.point or time.end


def ranged(frame: DateFrame, one: Time, two: Time) -> Time | None:
    """From the first to the second; a year that one of them lacks comes from the other."""
    if one.relation not in {"", "ago"} or two.relation not in {"", "ago"}:
        return None
    if one.mark == "weekday" and two.form == "monthday":
        return compose(one, two, frame=frame)
    if one.form and two.form and frame.lean == "future" and one.form != "weekday":
        two = settle(two, frame) or two
    if one.form == "day" and two.form == "monthday":
        two = settle(two, frame) or two
    if one.form and two.form == "" and two.start is not None:
        low: Time | None = _beside(one, frame, other=two, after=False)
        high: Time | None = two
    else:
        low = settle(one, frame)
        high = _beside(two, frame, other=low, after=True) if low is not None and two.form else two
    if low is None or high is None or _low(low) is None or _high(high) is None:
        return None
    return stretch("span", _low(low), _high(high), relation="between")


def from_now(frame: DateFrame, time: Time) -> Time | None:
    """`from now until July`: ends as `until July` does."""
    end = upto(frame._replace(lean="future"), time)
    return stretch("span", frame.today, end.end, relation="between") if end is not None else None


def neighbours(frame: DateFrame, one: Time, two: Time) -> Time | None:
    """`in March and April`: two months that follow each other."""
    if one.form != "month" or two.grain != "month" or (two.form and two.form != "month"):
        return None
    month = two.start.month if two.start is not None else two.a
    return ranged(frame, one, two) if month == one.a % 12 + 1 else None


def _beside(time: Time, frame: DateFrame, *, other: Time | None, after: bool) -> Time | None:
    """The occurrence of `time` that is nearest to `other` on its right side."""
    if other is None or other.start is None or other.end is None:
        return None
    near = frame._replace(today=other.start if after else other.end, lean="future" if after else "past")
    if time.form == "day":
        return _day_beside(time, other.start if after else other.end, step=1 if after else -1)
    found = settle(time, near)
    if found is None or found.start is None or found.end is None:
        return None
    if distance(found, near) >= 1000:
        return None
    return found


def _day_beside(time: Time, edge: date, *, step: int) -> Time | None:
    """The day of a month without a name that comes next after `edge`, or with -1 for `step` the last before it."""
    for away in (0, step):
        month = moved(edge.replace(day=1), away, unit="month")
        inside = unit_at(month, "month") if month is not None else None
        found = within(inside, time) if inside is not None else None
        if found is not None and found.start is not None and (found.start - edge).days * step >= 0:
            return found
    return None


def amid(frame: DateFrame, time: Time) -> Time | None:
    """`मार्च के बीच में`: the middle of a month or a year."""
    if time.grain not in {"month", "year"}:
        return None
    return compose(time, Time("day", form="edge", rule="mid", care=True), frame=frame)


def sure(_frame: DateFrame, time: Time) -> Time | None:
    """A preposition or brackets make it a date."""
    if time.form in {"edge", "nth"} and time.care:
        return time
    if time.form == "day" and time.mark != "digits":
        return time
    return time._replace(care=False, mark=time.mark or "said")


def _plain(frame: DateFrame, time: Time) -> Time | None:
    if time.relation not in {"", "ago"}:
        return None
    settled = settle(time, frame)
    return settled._replace(mark="season") if settled is not None and time.form == "season" else settled


def since(frame: DateFrame, time: Time) -> Time | None:
    """From its first day on."""
    if time.relation == "between":
        return time
    settled = _plain(frame if frame.lean == "future" else frame._replace(lean="past"), time)
    if settled is None or _low(settled) is None:
        return None
    return settled._replace(start=_low(settled), end=None, relation="since", care=False)


def as_of(frame: DateFrame, time: Time) -> Time | None:
    """`effective April 1`: from that day on, which may be one to come."""
    settled = _plain(frame, time)
    if settled is None or _low(settled) is None:
        return None
    return settled._replace(start=_low(settled), end=None, relation="since", care=False)


def towards(frame: DateFrame, time: Time) -> Time | None:
    """Danish `til sommer`, `til jul`: the one to come, or in a question about the past the latest one."""
    if time.form in {"season", "festival"}:
        return settle(time, frame if frame.lean == "past" else frame._replace(lean="future"))
    return time if time.mark == "festival" else None


def until(frame: DateFrame, time: Time) -> Time | None:
    """Up to its last day, included."""
    if time.relation == "between":
        return time
    settled = _plain(frame, time)
    if settled is None or _high(settled) is None:
        return None
    return settled._replace(start=None, end=_high(settled), relation="until", care=False)


def until_its_end(frame: DateFrame, time: Time) -> Time | None:
    """`7月いっぱい`: up to its last day. Of a day the same word only says "much": `今日いっぱい食べた`."""
    return until(frame, time) if time.grain in _PERIODS else None


def upto(frame: DateFrame, time: Time) -> Time | None:
    """`until July`: up to the day before it begins; a day, and what ends a period (`until the end of July`), count.

    Of what is still so the period that has begun counts whole.
    """
    settled = until(frame, time)
    if settled is None or time.relation == "between" or time.point is not None or time.grain not in _PERIODS:
        return settled
    begun = _plain(frame, time)
    end = moved(begun.start, -1, unit="day") if begun is not None and begun.start is not None else None
    if frame.lean == "future" and end is not None and end < frame.today:
        return settled
    return settled._replace(end=end) if end is not None else settled


_PERIODS = frozenset(RANK) - {"day", "workday"}


def before_it(frame: DateFrame, time: Time) -> Time | None:
    """Up to the day before it."""
    settled = _plain(frame, time)
    if settled is None or settled.start is None:
        return None
    end = settled.point or moved(settled.start, -1, unit="day")
    return settled._replace(start=None, end=end, relation="before", care=False) if end is not None else None


def after_it(frame: DateFrame, time: Time) -> Time | None:
    """From the day after it."""
    settled = _plain(frame, time)
    if settled is None or settled.end is None:
        return None
    start = moved(_high(settled) or settled.end, 1, unit="day")
    return settled._replace(start=start, end=None, relation="after", care=False) if start is not None else None


def around(frame: DateFrame, time: Time) -> Time | None:
    """The time itself; how far around it reaches is for the reader to say."""
    settled = _plain(frame, time)
    return settled._replace(relation="around", care=False) if settled is not None else None
