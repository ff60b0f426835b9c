"""The course of a confidence as a plot: the line, the marks of its evidence, and labels that touch nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from commonplace.doors.charts.drawing import (
    circle,
    cut_to,
    is_free,
    link,
    path,
    plain,
    px,
    rectangle,
    svg,
    text,
    text_box,
    wide,
)
from commonplace.doors.charts.time_axis import Axis, long_days, short_day, tick_names, ticks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.doors.charts.drawing import Box, Detail
    from commonplace.doors.charts.svg_plots import Point

WIDE = 500
"""Pixels from which a plot has room for names beside its lines."""
_LEFT, _TOP = 34, 16
_MOST_LABELS = 12
_ROLES = {"prior": "first stated", "for": "for", "against": "against", "hand": "set by hand"}


class Spot(NamedTuple):
    """A point, and where it is in pixels."""

    point: Point
    x: float
    y: float

    @property
    def shown(self) -> int:
        """The confidence as it is shown, in hundredths."""
        return round(float(f"{self.point.confidence:.2f}") * 100)


Dated = tuple["Point", float]
"""A point with a confidence in [0, 1], and its day as an ordinal."""


def dated(points: Sequence[Point], today: date) -> list[Dated]:
    """Return the points that have a confidence, none before the one ahead of it; undated ones between their neighbours.

    A confidence outside of [0, 1] is at its end; one that is not a number is left out.
    """
    kept = [each for each in points if each.confidence == each.confidence]
    later, day = [], float(today.toordinal())
    for each in reversed(kept):
        day = float(each.day.toordinal()) if each.day else day
        later.append(day)
    found: list[Dated] = []
    for each, after in zip(kept, reversed(later), strict=True):
        if found:
            before = found[-1][1]
            day = max(before, after) if each.day else (before + max(before, after)) / 2
        else:
            day = after if each.day else max(1.0, after - max(7.0, (today.toordinal() - after) * 0.15))
        found.append((each._replace(confidence=min(1.0, max(0.0, each.confidence))), day))
    return found


def course_plot(
    own: Sequence[Dated],
    ghost: Sequence[Dated],
    detail: Detail,
    *,
    today: date,
    width: int,
    ghost_name: str,
    css: str,
) -> Markup:
    """Return the plot of `own`, with `ghost` dashed, in as much detail, and its name."""
    space = min(width * 0.32, 46 + wide(ghost_name, 13))
    right = width - (space if width >= WIDE else 14)
    height = 226 if width >= WIDE else 200
    bottom = height - 26
    values = [point.confidence for point, _ in (*own, *ghost)]
    low = 0.0 if min(values) < 0.5 else 0.4
    top = 0.6 if max(values) <= 0.5 and not low else 1.0
    days = [day for _, day in (*own, *ghost)]
    first, last = min(days), max(today.toordinal(), *days)
    axis = Axis(max(1, first - max(2, (last - first) * 0.08)), last, _LEFT, right)

    def level(confidence: float) -> float:
        return _TOP + (top - confidence) / (top - low) * (bottom - _TOP)

    spots = [Spot(point, axis.x(day), level(point.confidence)) for point, day in own]
    others = [Spot(point, axis.x(day), level(point.confidence)) for point, day in ghost]
    band = level(0.6), level(0.4)
    drawn = [rectangle("doubt", _LEFT, band[0], width=right - _LEFT, height=band[1] - band[0])]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        if low <= tick <= top:
            drawn.append(path("grid", f"M{_LEFT} {px(level(tick))}H{px(right)}"))
            drawn.append(text("tick", _LEFT - 8, level(tick) + 4, words=f"{tick:g}", anchor="end"))
    named = ticks(axis, room=66, year=today.year)
    drawn += [path("tickm", f"M{px(axis.x(day))} {px(bottom)}v5") for day, _ in named]
    drawn += tick_names(named, axis, y=bottom + 17, width=width)
    seen, others = _seen(spots), _seen(others)
    if others:
        drawn += [path("ghost", stepped_line(others, right)), circle("ghostdot", *others[0][1:], radius=2.5)]
    drawn.append(path("course", stepped_line(seen, right)))
    shown = _most_moving(spots, detail.marks)
    taken = [*_room(others, right), *_room(seen, right)]
    taken += [(x - 6, y - 6, x + 6, y + 6) for _, x, y in (spots[at] for at in shown)]
    labels = _step_labels(spots, shown, taken, (_LEFT, 2, min(width, right + 16), bottom))
    drawn += [_evidence(spots, at, detail, labels.get(at, Markup()), today.year) for at in shown]
    ends = [("strong", spots[-1], ""), *[("ghostlab", spot, ghost_name) for spot in others[-1:]]]
    beside = _names_beside if width >= WIDE else _names_above
    drawn += beside(ends, right=right, width=width, bottom=bottom, taken=taken)
    doubt = [(_LEFT + 8, band[1] - 8, "start"), (_LEFT + 8, band[0] + 14, "start"), (right - 8, band[1] - 8, "end")]
    drawn += _first_free("tick", "in doubt", size=11, taken=taken, places=doubt)
    dates = [point.day for point, _ in own if point.day]
    said = f"Confidence {long_days(min(dates), max(today, *dates))}" if dates else "Confidence"
    said += f": from {own[0][0].confidence:.2f} to {own[-1][0].confidence:.2f}"
    return svg(f"plot {css}", width, height, said=said, parts=drawn)


def _seen(spots: list[Spot]) -> list[Spot]:
    """The spots of a long line, one for two pixels."""
    return spots if len(spots) <= 120 else list({round(spot.x / 2): spot for spot in spots}.values())


def stepped_line(spots: Sequence[Spot], right: float) -> str:
    """Return the shape of the line through the spots to the right edge, with a gap before each that was set by hand."""
    shape = f"M{px(spots[0].x)} {px(spots[0].y)}"
    for spot, after in pairwise(spots):
        if after.point.role == "hand":
            stop = after.x - 9
            shape += f"H{px(stop)}" * (stop > spot.x) + f"M{px(after.x)} {px(after.y)}"
        else:
            shape += f"H{px(after.x)}" * (after.x > spot.x) + f"V{px(after.y)}" * (after.y != spot.y)
    return f"{shape}H{px(right)}"


def _room(spots: Sequence[Spot], right: float) -> list[Box]:
    """The boxes that a line takes."""
    boxes = []
    for spot, after in pairwise((*spots, *[each._replace(x=right) for each in spots[-1:]])):
        boxes.append((spot.x, spot.y - 1, after.x, spot.y + 1))
        if after.point.role != "hand":
            boxes.append((after.x - 1, min(spot.y, after.y), after.x + 1, max(spot.y, after.y)))
    return boxes


def _most_moving(spots: Sequence[Spot], most: int) -> list[int]:
    """The places of at most `most` spots, in order: the last, the first, and those that moved it most."""
    moved = [abs(spot.y - before.y) for before, spot in pairwise((spots[0], *spots))]
    moved[0], moved[-1] = 1e6, 2e6
    return sorted(sorted(range(len(spots)), key=lambda at: -moved[at])[:most])


def _evidence(spots: Sequence[Spot], at: int, detail: Detail, label: Markup, year: int) -> Markup:
    """The link of a spot: its sign with a wider field to hit, and its label."""
    point, x, y = spots[at]
    field = circle("hit", x, y, radius=13)
    if point.role == "for":
        sign = path("mark for", f"M{px(x - 6)} {px(y + 5)}h12l-6 -11z")
    elif point.role == "against":
        sign = path("mark against", f"M{px(x - 6)} {px(y - 5)}h12l-6 11z")
    elif point.role == "hand":
        sign = path("mark prior hand", f"M{px(x)} {px(y - 6)}l6 6l-6 6l-6 -6z")
    else:
        sign = circle("mark prior", x, y, radius=5)
    day = short_day(point.day, year) if point.day else "undated"
    before = f"{spots[at - 1].point.confidence:.2f} → " if at else ""
    title = (
        f"{day}, {_ROLES.get(point.role, 'moved')}, {before}{point.confidence:.2f}: {plain(point.label, detail.title)}"
    )
    return link(point.href, title, shape=field + sign + label)


_Place = tuple[float, float, str]
"""Where a text may be, and its anchor."""


def _step_labels(spots: Sequence[Spot], shown: Sequence[int], taken: list[Box], field: Box) -> dict[int, Markup]:
    """What each spot changed, by its place: values that were stated first, then the greatest steps."""
    stated = {at for at in shown if at == 0 or spots[at].point.role == "hand"}
    steps = {at: spots[at].shown - spots[at - 1].shown for at in shown if at not in stated}
    labels = {}
    for at in sorted(shown, key=lambda at: (at not in stated, -abs(steps.get(at, 0)), -at))[:_MOST_LABELS]:
        _, x, y = spots[at]
        step = steps.get(at, 0)
        named = at in stated and at == len(spots) - 1 and x > field[2] - 40  # its value stands at the end of the line
        if named or (at not in stated and not step):
            continue
        words = f"{'+' if step > 0 else '−'}{abs(step) / 100:.2f}" if step else f"{spots[at].shown / 100:.2f}"
        over = [(x, y - 11, "middle"), (x, y + 22, "middle")]
        sides = [(x + 9, y - 6, "start"), (x + 9, y + 15, "start"), (x - 9, y - 6, "end"), (x - 9, y + 15, "end")]
        places = [*(over[::-1] if step < 0 else over), *sides]
        for label in _first_free("delta", words, size=11.5, taken=taken, places=places, field=field):
            labels[at] = label
    return labels


def _first_free(
    css: str, words: str, *, size: float, taken: list[Box], places: Sequence[_Place], field: Box | None = None
) -> list[Markup]:
    """The text at the first place where it is within the field and touches nothing, which is then taken; or nothing."""
    for x, y, anchor in places:
        box = text_box(x, y, words=words, size=size, anchor=anchor)
        inside = not field or (field[0] <= box[0] and field[1] <= box[1] and box[2] <= field[2] and box[3] <= field[3])
        if inside and is_free(box, taken):
            taken.append(box)
            return [text(css, x, y, words=words, anchor=anchor)]
    return []


_End = tuple[str, Spot, str]
"""A class, the last spot of a line, and its name."""


def _names_beside(ends: Sequence[_End], *, right: float, width: float, bottom: float, taken: list[Box]) -> list[Markup]:
    """The value and the name of each line right of it, moved apart where the lines end close to each other."""
    heights = [spot.y + 4 for _, spot, _ in ends]
    if len(ends) == 2 and abs(heights[0] - heights[1]) < 17:
        middle = min(max(sum(heights) / 2, 24), bottom - 6)
        apart = 8.5 if heights[0] > heights[1] else -8.5
        heights = [middle + apart, middle - apart]
    drawn = []
    for (css, spot, name), y in zip(ends, heights, strict=True):
        drawn.append(text(f"endlab {css}", right + 8, y, words=f"{spot.point.confidence:.2f}"))
        if name:
            drawn.append(text(f"endlab {css}", right + 42, y, words=cut_to(name, width - right - 42, size=13)))
    return drawn


def _names_above(ends: Sequence[_End], *, right: float, width: float, bottom: float, taken: list[Box]) -> list[Markup]:
    """The name and the value of each line above or below its end, or the value alone, where it touches nothing."""
    drawn = []
    for css, spot, name in ends:
        value = f"{spot.point.confidence:.2f}"
        places = [(right, spot.y + down, "end") for down in (-10, 18, -24, 32, -38, 46)]
        for words in dict.fromkeys((f"{cut_to(name, width / 2, size=11.5)} {value}".strip(), value)):
            kind, field = "delta" if css == "strong" else "tick", (_LEFT, 0, width, bottom)
            label = _first_free(kind, words, size=11.5, taken=taken, places=places, field=field)
            drawn += label
            if label:
                break
    return drawn
