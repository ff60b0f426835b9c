"""Plots of the local page as SVG: an entity's facts in time, the course of a confidence, the days of a year.

Values in, markup out. What a text contains cannot leave its element, no number can spoil a coordinate, and a plot has
at most 14 kB (a year: 45 kB), however many values there are: titles are cut, then facts are counted in bars.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from commonplace.doors.charts.course_plot import WIDE, Spot, course_plot, dated, stepped_line
from commonplace.doors.charts.drawing import circle, cut_to, fitting, link, path, plain, px, rectangle, svg, text
from commonplace.doors.charts.time_axis import (
    MONTHS,
    STEPS,
    Axis,
    day_of,
    long_days,
    short_day,
    short_days,
    tick_names,
    ticks,
)
from commonplace.doors.shared.render import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commonplace.doors.charts.drawing import Detail
    from commonplace.doors.charts.time_axis import Tick, TimeStep

_HIGHEST = 8
"""Facts above each other in a lane; where there are more, the lane counts them in bars."""
_MOST_LANES = 8
_MOST_BARS = 110
"""Of one plot: each has some 75 bytes."""
_BROADEST = 14
"""Pixels of a bar: a few days alone in a plot would be slabs."""
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class FactMark(NamedTuple):
    """A fact in time."""

    lane: str
    first: date
    last: date
    gone: bool
    """Another fact replaced it."""
    href: str
    label: str


class Point(NamedTuple):
    """A confidence from a day on, and what moved it."""

    day: date | None
    confidence: float
    role: str
    """`prior`, `for`, `against` or `hand`."""
    href: str
    label: str


class DayCount(NamedTuple):
    """How many lines a day has."""

    day: date
    count: int  # type: ignore[assignment]  # hides the method of a tuple, which nothing here calls


def life(facts: Sequence[FactMark], kinds: Sequence[str], *, today: date, width: int, css: str = "") -> Markup:
    """Return an entity's facts in time: a lane a kind, a dot a day, a bar several days, hollow what was replaced.

    A lane in which they do not fit counts them in bars; a lane without facts is left out. Facts that are far from all
    others are at the edge, where the year is written. Without facts there is no plot.
    """
    if not facts:
        return Markup()
    axis, edges = _life_axis(facts, today, 86 if width >= WIDE else 70, width - 8)
    stacks = _stacks(facts, kinds, axis)
    last = max(max(each.first, each.last) for each in facts)
    said = f"{counted(len(facts), 'fact')} {long_days(min(each.first for each in facts), last)}"
    named = ticks(axis, room=62, year=today.year)

    def draw(detail: Detail) -> Markup:
        y, drawn = _lanes(stacks, detail, axis, today.year)
        grid = [path("grid", f"M{px(axis.x(day))} 6V{px(y + 12)}") for day, _ in named]
        if axis.first <= today.toordinal() <= axis.last:
            grid.append(path("now", f"M{px(axis.x(today.toordinal()))} 6V{px(y + 12)}"))
        names = tick_names([*edges, *named], axis, y=y + 26, width=width)
        return svg(f"life {css}", width, y + 30, said=said, parts=[*grid, *names, *drawn])

    return fitting(draw)


_Stacked = tuple[FactMark, float, float, int]
"""A fact, where it begins and ends in pixels, and how high it is in its lane."""

_Stacks = dict[str, tuple[list[FactMark], list[_Stacked]]]
"""The facts of each lane in order of time, and stacked, where they are not too many for that."""


def _stacks(facts: Sequence[FactMark], kinds: Sequence[str], axis: Axis) -> _Stacks:
    rows: dict[str, list[FactMark]] = {kind: [] for kind in kinds}
    for fact in sorted(facts, key=lambda each: (each.first, -each.last.toordinal())):
        rows.setdefault(fact.lane, []).append(fact)
    kept = [(kind, row) for kind, row in rows.items() if row][:_MOST_LANES]
    return {kind: (row, _stacked(row, axis)) for kind, row in kept}


def _lanes(stacks: _Stacks, detail: Detail, axis: Axis, year: int) -> tuple[float, list[Markup]]:
    """The height of the lowest lane, and all of them; the fullest have bars where the facts are too many together."""
    count, crowded = sum(len(stack) for _, stack in stacks.values()), set()
    for kind, (_, stack) in sorted(stacks.items(), key=lambda each: -len(each[1][1])):
        if not stack or count > detail.marks:
            crowded.add(kind)
            count -= len(stack)
    counts, step = _counts({kind: stacks[kind][0] for kind in crowded}, axis, detail.bar)
    most = max((count for each in counts.values() for count in each.values()), default=1)
    y, drawn = -4.0, []
    for kind, (row, stack) in stacks.items():
        levels = [level for *_, level in stack if level and kind not in crowded]
        y += 26 + 9 * (max(levels, default=1) - 1)
        drawn.append(text("lane", 0, y + 4, words=cut_to(kind, axis.left - 6, size=11)))
        drawn.append(path("lanel", f"M{px(axis.left)} {px(y)}H{px(axis.right)}"))
        if kind in crowded:
            drawn.append(_bars(row, counts[kind], axis, y, step=step, most=most))
        else:
            drawn += [_fact(each, detail, y, year) for each in stack]
    return y, drawn


def _stacked(row: Sequence[FactMark], axis: Axis) -> list[_Stacked]:
    """The facts of a lane, those that would overlap above each other; none where they would be too high."""
    free, placed = [axis.left - 99.0] * _HIGHEST, []
    for each in row:
        begin, end = axis.x(each.first.toordinal()), axis.x(max(each.first, each.last).toordinal())
        level = next((level for level, taken in enumerate(free) if taken <= begin), None)
        if level is None:
            return []
        free[level] = end + (5.5 if each.last <= each.first else 1)
        placed.append((each, begin, end, level))
    return placed


def _life_axis(facts: Sequence[FactMark], today: date, left: float, right: float) -> tuple[Axis, list[Tick]]:
    """The days of most facts and of today, and the years of the few far outside: a birth must not hide this month."""
    days, now = sorted(each.first.toordinal() for each in facts), today.toordinal()
    begin, end, spare = 0, len(days) - 1, max(len(days) // 10, len(days) >= 5)
    while spare:
        early, late = days[begin + 1] - days[begin], days[end] - days[end - 1]
        if max(early, late) <= 2 * max(90, days[end] - days[begin] - max(early, late)):
            break
        begin, end, spare = begin + (early >= late), end - (early < late), spare - 1
    first, last = days[begin], days[end]
    reach = 2 * max(90, last - first)
    if first - reach <= now <= last + reach:
        first, last = min(first, now), max(last, now)
    nearest = last + 14 + (last - first) / 4
    last = max([last, *(day for each in facts if first <= (day := each.last.toordinal()) <= nearest)])
    pad = max(1.0, (last - first) * 0.02) if last > first else 10.0
    axis = Axis(first - pad * (4 if begin else 1), last + pad * (4 if end < len(days) - 1 else 1), left, right)
    edges = [(axis.first, f"‹ {day_of(days[0]).year}")] if begin else []
    return axis, edges + ([(axis.last, f"{day_of(days[-1]).year} ›")] if end < len(days) - 1 else [])


def _fact(placed: _Stacked, detail: Detail, y: float, year: int) -> Markup:
    """A fact as a link: a dot, or a bar where it is about several days."""
    fact, begin, end, level = placed
    y -= 9 * level
    words = short_day(fact.first, year)
    if fact.last > fact.first:
        words += f"–{short_day(fact.last, year)}"
        long = max(10, end - begin)
        css = "fact gone" if fact.gone else "span"
        shape = rectangle(css, (begin + end - long) / 2, y - 4, width=long, height=8, rest=Markup(' rx="4"'))
    else:
        shape = circle("fact gone" if fact.gone else "fact", begin, y, radius=3.4 if fact.gone else 4)
    return link(fact.href, f"{words}{', replaced' * fact.gone}: {plain(fact.label, detail.title)}", shape=shape)


def _counts(
    rows: Mapping[str, Sequence[FactMark]], axis: Axis, least: float
) -> tuple[dict[str, Counter[int]], TimeStep]:
    """Return how many facts each lane has in each step of time, and the step: the shortest one that has so many pixels
    and makes no more bars than fit."""
    day = (axis.right - axis.left) / (axis.last - axis.first)
    counts: dict[str, Counter[int]] = {}
    for step in [step for step in STEPS if step.days * day >= least] or STEPS[-1:]:
        counts = {lane: Counter(step.number(each.first) for each in row) for lane, row in rows.items()}
        if sum(map(len, counts.values())) <= _MOST_BARS:
            break
    return counts, step


def _bars(row: Sequence[FactMark], counts: Counter[int], axis: Axis, y: float, *, step: TimeStep, most: int) -> Markup:
    """The facts of a lane counted in bars, one a step of time; `most` is the count of the highest in any lane."""
    gone = Counter(step.number(each.first) for each in row if each.gone)
    drawn = []
    for number, count in sorted(counts.items()):
        first, after = step.begin(number), step.begin(number + 1)
        high, broad = 2 + 17 * count / most, min(_BROADEST, max(1.5, axis.x(after) - axis.x(first)))
        said = f"{short_days(day_of(first), day_of(max(first, after - 1)))}: {counted(count, 'fact')}"
        said += f", {gone[number]:,} replaced" if gone[number] else ""
        shape = f"M{px(min(axis.x(first), axis.right - broad))} {px(y)}h{px(broad)}v-{px(high)}h-{px(broad)}z"
        drawn.append(f'<path d="{shape}"><title>{escape(said)}</title></path>')  # hundreds: a format each is slow
    return Markup('<g class="fact dense">{}</g>').format(Markup("".join(drawn)))


def course(
    points: Sequence[Point],
    *,
    today: date,
    width: int,
    other: Sequence[Point] = (),
    other_name: str = "",
    css: str = "",
) -> Markup:
    """Return the course of a confidence: a line in steps, a mark a piece of evidence, dashed the opposite opinion.

    A label is the difference of the two numbers as they are shown, with two decimals; it is left out where it would
    touch another. A confidence that is no number is left out; one outside of [0, 1] is drawn at its end. Without points
    there is no plot.
    """
    own, ghost = dated(points, today), dated(other, today)
    if not own:
        return Markup()
    return fitting(
        lambda detail: course_plot(own, ghost, detail, today=today, width=width, ghost_name=other_name, css=css)
    )


def spark(points: Sequence[Point]) -> Markup:
    """Return a confidence in the size of a word, from 0 at the bottom to 1 at the top; hidden from screen readers."""
    width, height = 64, 18
    placed = dated(points, max((each.day for each in points if each.day), default=date.min))
    if not placed:
        return Markup()
    first, last = placed[0][1], placed[-1][1]
    axis = Axis(first, max(first + 1, last + (last - first) * 0.12), 3, width - 4)
    spots = [Spot(point, axis.x(day), 3 + (1 - point.confidence) * (height - 6)) for point, day in placed]
    spots = list({round(spot.x / 4): spot for spot in spots}.values())  # a list has fifty of them
    drawn = path("line", stepped_line(spots, width - 4)) + circle("end", width - 4, spots[-1].y, radius=2.2)
    shape = Markup('<svg class="spark" width="{0}" height="{1}" viewBox="0 0 {0} {1}" aria-hidden="true">{2}</svg>')
    return shape.format(width, height, drawn)


def year(
    counts: Sequence[DayCount],
    of: int,
    *,
    chosen: date | None,
    address: Callable[[date], str],
    today: date,
) -> Markup:
    """Return the days of a year as two half-years, which are side by side or below each other, as there is room.

    A cell is a day and a column a week from Monday. A day with lines is a link to its `address`, in a class from `d1`
    to `d4`, each about a quarter of such days; a day without any has `d0`. A half has 358 pixels, so one plot is enough
    for both widths.
    """
    lines: Counter[date] = Counter()
    for each in counts:
        if each.day.year == of and each.count > 0:
            lines[each.day] += each.count
    ranks = sorted(lines.values())
    ringed = {today: "now"} | ({chosen: "chosen"} if chosen else {})
    halves = Markup().join(
        _half(first, last, lines, ranks, ringed=ringed, address=address)
        for first, last in ((date(of, 1, 1), date(of, 6, 30)), (date(of, 7, 1), date(of, 12, 31)))
    )
    said = f"{of}: {counted(sum(ranks), 'line')} on {counted(len(ranks), 'day')}"
    return Markup('<div class="year" role="group" aria-label="{}">{}</div>').format(said, halves)


def _half(
    first: date,
    last: date,
    lines: Counter[date],
    ranks: Sequence[int],
    *,
    ringed: dict[date, str],
    address: Callable[[date], str],
) -> Markup:
    monday = first.toordinal() - first.weekday()
    drawn = [text("tick", 0, 26 + 12 * row, words=_WEEKDAYS[row][0]) for row in (0, 2, 4)]
    cells, rings, empty = [], [], ""
    for number in range(first.toordinal(), last.toordinal() + 1):
        day = date.fromordinal(number)
        week, row = divmod(number - monday, 7)
        x, y = 22 + 12 * week, 17 + 12 * row
        if day.day == 1:
            drawn.append(text("tick", x + 12 * (row > 0), 11, words=MONTHS[day.month - 1][:3]))
        if count := lines[day]:
            rank = (bisect_left(ranks, count) + bisect_right(ranks, count)) / 2 / len(ranks)
            title = f"{_WEEKDAYS[row]} {short_day(day, day.year)}: {counted(count, 'line')}"
            shape = path(f"day d{1 + min(3, int(rank * 4))}", f"M{x} {y}h10v10h-10")
            cells.append(link(address(day), title, shape=shape))
        else:
            empty += f"M{x} {y}h10v10h-10z"
        if day in ringed:
            rings.append(rectangle(ringed[day], x - 1, y - 1, width=12, height=12, rest=Markup(' fill="none"')))
    drawn += [path("day d0", empty)] if empty else []
    said = f"{MONTHS[first.month - 1]} to {MONTHS[last.month - 1]} {first.year}"
    return svg("days", 358, 102, said=said, parts=[*drawn, *cells, *rings])
