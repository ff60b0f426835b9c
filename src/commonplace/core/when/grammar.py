"""The grammar: one list of patterns for all languages, applied in layers from words to ranges.

A pattern is a sequence of word classes (`num`, `month`, `ago` …); `x?` may be missing, `x|y` is either, a
final `!x|y` forbids what follows, `=x|y` demands it. Each layer is
a trie over its patterns; the longest match that makes sense wins, left to right, and becomes one item of the next
layer. Words that only connect (`of`, `the`) have no value and are not handed to the builder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.when import builders as b
from commonplace.core.when.calendar import Frame, Time

if TYPE_CHECKING:
    from commonplace.core.when.lexer import Item, Reading

Builder = Callable[..., Any]

_ATOMS: tuple[tuple[str, str, Builder], ...] = (
    # numeric dates
    ("ymd", "time", b.ymd),
    ("shortymd", "time", b.short_ymd),
    ("ym", "time", b.ym),
    ("years", "time", b.years),
    ("years yearmark", "time", b.years),
    ("slashday", "time", b.slash_day),
    ("slashday comma? year", "time", b.slash_day_year),
    ("num slash num", "time", b.slash_numbers),
    ("weekday dotpair", "time", b.dotted_day),
    ("which weekday dotpair", "time", b.dotted_which_day),
    ("month dash yd", "time", b.month_yd),
    ("dy dash month", "time", b.dy_month),
    ("dotpair year", "time", b.dotted_day_year),
    ("pair in the? which unit", "time", b.days_of_unit),
    # years, decades, centuries
    ("year", "time", b.year),
    ("year yearmark", "time", b.sure_year),
    ("zero yearmark", "time", b.short_year),
    ("equal year", "time", b.sure_year),
    ("below equal? year", "time", b.until_year),
    ("the? unit year", "time", b.unit_year),
    ("year unit", "time", b.year_unit),
    ("cy year", "time", b.sure_year),
    ("cy yy", "time", b.short_year),
    ("era num yearmark", "time", b.era),
    ("era eraone", "time", b.era),
    ("era num yearmark num monthmark", "time", b.era),
    ("era eraone num monthmark", "time", b.era_first),
    ("era num yearmark num monthmark num daymark", "time", b.era),
    ("year|num decades", "time", b.decade),
    ("year of? unit", "time", b.year_unit),
    ("num unit", "time", b.numbered),
    ("num unit", "dur", b.counted),
    ("num suffix unit", "time", b.nth),
    # months
    ("festival", "time", b.festival),
    ("month", "time", b.month),
    ("which month", "time", b.which_month),
    ("month comma|of|in|dash? year yearmark?", "time", b.month_year),
    ("month of yy", "time", b.month_year),
    ("year yearmark? of|in|dash? month", "time", b.year_month),
    ("num monthmark", "time", b.month),
    ("which num monthmark", "time", b.which_month),
    ("which monthmark", "time", b.this_month),
    ("which yearmark", "time", b.this_year),
    ("year yearmark of? num monthmark", "time", b.year_month),
    ("yy yearmark num monthmark", "time", b.year_month),
    # days
    ("month comma|dash|the? num|ord", "time", b.month_day),
    ("month the? num|ord comma|of? comma? year", "time", b.month_day),
    ("the? num|ord of? month", "time", b.day_month),
    ("the? num|ord of? month comma|of? of? year", "time", b.day_month),
    ("the? ord unit of? month", "time", b.day_unit_month),
    ("num of? month of yy", "time", b.day_month),
    ("num dash|slash month", "time", b.day_month),
    ("num dash|slash month dash|slash year", "time", b.day_month),
    ("year dash|slash? month dash|slash? num", "time", b.year_month_day),
    ("num monthmark num|ord daymark?", "time", b.month_day),
    ("which monthmark num daymark", "time", b.this_month_day),
    ("which unit num daymark", "time", b.this_month_day),
    ("year yearmark num monthmark num daymark?", "time", b.year_month_day),
    ("yy yearmark num monthmark num daymark", "time", b.year_month_day),
    ("num daymark =ago|later", "dur", b.some_days),
    ("num daymark", "time", b.day),
    ("the? ord", "time", b.day),
    ("weekday comma? the? num|ord !month|unit|monthmark|of|dash|which|to", "time", b.weekday_day),
    ("num weekday", "time", b.day_weekday),
    # days of one month as a range
    ("month pair", "time", b.month_days),
    ("month pair comma|of? year", "time", b.month_days),
    ("month the? num|ord dash|to the? num|ord", "time", b.month_days),
    ("month the? num|ord dash|to the? num|ord comma|of? year", "time", b.month_days),
    ("the? pair of? month", "time", b.days_month),
    ("the? pair of? month comma|of? year", "time", b.days_month),
    ("the? num|ord dash|to the? num|ord of? month", "time", b.days_month),
    ("the? num|ord dash|to the? num|ord of? month comma|of? year", "time", b.days_month),
    # relative to today
    ("rel", "time", b.relative),
    ("kal", "time", b.kal),
    ("the? which unit", "time", b.which_unit),
    ("the? which num|few unit", "time", b.which_several),
    ("the? num|few which unit", "time", b.several_which),
    ("span num|few unit|daymark", "time", b.which_several),
    ("front num|few unit|daymark", "time", b.front_several),
    ("which unit or which unit", "time", b.either),
    ("which or which unit", "time", b.either_unit),
    ("which slashday", "time", b.which_slash_day),
    ("which num|ord month", "time", b.which_day_month),
    ("which month num|ord", "time", b.which_month_day),
    ("the unit !num|year|todate|number", "time", b.the_unit),
    ("unit of|for_post !edge|ord|final", "time", b.the_unit),
    ("of|for|in the unit !num|year|todate|number", "time", b.the_unit),
    ("unit", "time", b.bare_unit),
    ("in? the? unit todate", "time", b.to_date),
    ("which unit todate", "time", b.which_to_date),
    ("todate", "time", b.until_today),
    ("the? edge", "time", b.edge),
    ("the? edge of? the? unit", "time", b.edge_unit),
    ("unit of edge", "time", b.unit_edge),
    ("edgeof", "time", b.edge_of),
    # weekdays
    ("weekday", "time", b.weekday),
    ("lastweekday", "time", b.last_weekday),
    ("lately weekday", "time", b.lately_weekday),
    ("nearing weekday", "time", b.nearing_weekday),
    ("upon weekday", "time", b.upon_weekday),
    ("which weekday", "time", b.which_weekday),
    ("every weekday", "none", b.nothing),
    ("every num? unit", "none", b.nothing),
    ("every festival|season|time|month", "none", b.nothing),
    ("every num daymark", "none", b.nothing),
    ("block", "none", b.nothing),
    # weeks, quarters, halves, seasons
    ("the? unit number? num", "time", b.unit_number),
    ("quarter num", "time", b.quarter),
    ("year dash? quarter num", "time", b.year_quarter),
    ("halfletter num", "time", b.half_letter),
    ("year dash? halfletter num", "time", b.year_half),
    ("halfletter num year", "time", b.half_year),
    ("year dash? weekletter num", "time", b.year_week),
    ("nth num unit", "time", b.nth),
    ("the? ord num unit", "time", b.nth_several),
    ("the? ord unit", "time", b.nth),
    ("ord half", "time", b.half),
    ("halfof", "time", b.half_of),
    ("firstn num|few unit|daymark", "time", b.first_several),
    ("firstone unit", "time", b.first_one),
    ("the? final num|few unit|daymark", "time", b.last_several),
    ("the? final unit", "time", b.last_one),
    ("season", "time", b.season),
    ("which season", "time", b.which_season),
    ("which festival", "time", b.which_festival),
    # lengths
    ("few unit", "dur", b.length),
    ("unit ago", "time", b.half_ago),
    ("unit later", "time", b.half_later),
)

_LENGTHS: tuple[tuple[str, str, Builder], ...] = (
    ("dur and? dur", "dur", b.longer),
    ("dur and? dur and? dur", "dur", b.longer),
)

_COMPOSED: tuple[tuple[str, str, Builder], ...] = (
    ("time time", "time", b.composed),
    ("time of|comma the? time", "time", b.composed),
    ("time in the? time", "time", b.composed_in),
    ("time comma? lp time rp", "time", b.composed),
    ("time lp wdchar rp", "time", b.first),
    ("time lp monthmark|daymark rp", "time", b.first),
)

_OFFSETS: tuple[tuple[str, str, Builder], ...] = (
    ("for? more|less? dur ago", "time", b.ago),
    ("for? dur since", "time", b.ago),
    ("dur later", "time", b.later),
    ("in|infuture dur", "time", b.later),
    ("in? dur since time", "time", b.after),
    ("dur in_post", "time", b.later),
    ("dur before time", "time", b.before),
    ("dur after|from|later time", "time", b.after),
    ("more dur before time", "time", b.more_before),
    ("more dur after time", "time", b.more_after),
    ("less dur before time", "time", b.less_before),
    ("less dur after time", "time", b.less_after),
    ("time ofback dur ago|before_post", "time", b.back_from),
    ("time ofback dur later|after_post", "time", b.on_from),
    ("time of dur ago|before_post", "time", b.back_from),
    ("time of dur later|after_post", "time", b.on_from),
    ("time before_post dur", "time", b.back_from),
    ("time after_post dur", "time", b.on_from),
    ("time after_post dur less", "time", b.within_from),
    ("time ofback dur in_post", "time", b.on_from),
    ("for dur from|since time", "time", b.lasting),
    ("for dur comma from|since? time", "time", b.lasting),
    ("time for dur", "time", b.lasting_from),
    ("time since_post dur", "time", b.lasting_from),
)

_RANGES: tuple[tuple[str, str, Builder], ...] = (
    ("from|since|between? time to|until|dash time", "time", b.ranged),
    ("from|between? time to|dash time till_post|until_post|between_post|since_post", "time", b.ranged),
    ("from|between? time since_post|to time until_post|till_post", "time", b.ranged),
    ("from|between? time to|until|dash time between_post", "time", b.ranged),
    ("between time and|dash time between_post?", "time", b.ranged),
    ("time and time between_post", "time", b.ranged),
    ("from time on time", "time", b.ranged),
)

_RELATIONS: tuple[tuple[str, str, Builder], ...] = (
    ("in time", "time", b.sure),
    ("in time in_post", "time", b.sure),
    ("time in_post", "time", b.sure),
    ("time between_post", "time", b.sure),
    ("lp time rp", "time", b.sure),
    ("since|from time since_post|orlater", "time", b.since),
    ("since time", "time", b.since),
    ("until time until_post?", "time", b.until),
    ("before time", "time", b.before_it),
    ("in? after time", "time", b.after_it),
    ("around|in? around time", "time", b.around),
    ("time since_post", "time", b.since),
    ("in? time orlater", "time", b.since),
    ("in? time orearlier", "time", b.until),
    ("in? time until_post", "time", b.until),
    ("in? time since_post", "time", b.since),
    ("in? time before_post", "time", b.before_it),
    ("in? time after_post", "time", b.after_it),
    ("in? time ago", "time", b.before_it),
    ("in? time around_post", "time", b.around),
    ("in? time around_post in_post?", "time", b.around),
)


class _End(NamedTuple):
    """A pattern's end in the trie."""

    order: int
    kind: str
    make: Builder
    unless: frozenset[str]
    needs: frozenset[str]

    def may_stand(self, following: tuple[Reading, ...]) -> bool:
        """Whether the pattern may end before an item of these readings."""
        kinds = {kind for kind, _ in following}
        return kinds.isdisjoint(self.unless) and not (self.needs and kinds.isdisjoint(self.needs))


class _Node:
    """A place in a layer's trie."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.ends: list[_End] = []


Match = tuple[int, _End, tuple[Any, ...]]
"""Where it stops, what matched, and the values of its words."""


def _planted(patterns: tuple[tuple[str, str, Builder], ...]) -> _Node:
    root = _Node()
    for order, (pattern, kind, make) in enumerate(patterns):
        places = [root]
        ahead = {"!": frozenset[str](), "=": frozenset[str]()}
        for element in pattern.split():
            if element[0] in ahead:
                ahead[element[0]] = frozenset(element[1:].split("|"))
                continue
            classes = element.rstrip("?").split("|")
            fresh: list[_Node] = []
            for place in places:
                fresh.extend(place.next.setdefault(name, _Node()) for name in classes)
            places = places + fresh if element.endswith("?") else fresh
        for place in places:
            place.ends.append(_End(order, kind, make, ahead["!"], ahead["="]))
    return root


@cache
def _layers() -> tuple[_Node, ...]:
    composed = _planted(_COMPOSED)
    offsets = _planted(_OFFSETS)
    return (
        _planted(_ATOMS),
        _planted(_LENGTHS),
        composed,
        offsets,
        composed,
        _planted(_RANGES),
        _planted(_RELATIONS),
    )


_REPEATED = frozenset({2, 3, 4})
_NEEDS = ("", "dur", "time", "dur", "time", "time", "time")


def parsed(run: list[Item], frame: Frame) -> list[Item]:
    """The run with every time expression in it reduced to one item of class `time`."""
    for number, layer in enumerate(_layers()):
        need = _NEEDS[number]
        if need and not any(item[0] and item[0][0][0] == need for item in run):
            continue
        while True:
            before = len(run)
            run = _reduced(run, layer, frame)
            if len(run) == before or number not in _REPEATED:
                break
    return run


def _preference(match: Match) -> tuple[int, int]:
    """The longest match first, then the one listed first."""
    return -match[0], match[1].order


def _reduced(run: list[Item], root: _Node, frame: Frame) -> list[Item]:
    out: list[Item] = []
    at, size = 0, len(run)
    start = root.next
    while at < size:
        matches: list[Match] = []
        for kind, value in run[at][0]:
            node = start.get(kind)
            if node is not None:
                _walk(run, at + 1, node, (value,) if value is not None else (), matches)
        if len(matches) > 1:
            matches.sort(key=_preference)
        for stop, end, values in matches:
            made = end.make(frame, *values)
            if made is not None:
                out.append(_item(made, end.kind, run, at, stop))
                at = stop
                break
        else:
            out.append(run[at])
            at += 1
    return out


def _item(made: Any, kind: str, run: list[Item], at: int, stop: int) -> Item:
    """What a builder made, as an item of the next layer."""
    readings, first, last, careful = run[at]
    alone = stop == at + 1
    if kind == "none":
        return (), first, run[stop - 1][2], False
    if alone and careful and isinstance(made, Time):
        made = made._replace(care=True)
    known: tuple[Reading, ...] = ((kind, made),)
    if alone:  # "later" may still turn out to be one
        return known + tuple(reading for reading in readings if reading[0] != kind), first, last, False
    return known, first, run[stop - 1][2], False


def _walk(run: list[Item], at: int, node: _Node, values: tuple[Any, ...], matches: list[Match]) -> None:
    for end in node.ends:
        if not (end.unless or end.needs) or end.may_stand(run[at][0] if at < len(run) else ()):
            matches.append((at, end, values))
    if at < len(run) and node.next:
        for kind, value in run[at][0]:
            following = node.next.get(kind)
            if following is not None:
                _walk(run, at + 1, following, (*values, value) if value is not None else values, matches)
