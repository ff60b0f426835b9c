"""Parses a run of words into times by `date_patterns`, layer by layer.

Each layer is a set of tries over its patterns; the longest match that makes sense wins, left to right, and becomes one
item of the next layer. Which matches are tried depends on the classes of the words alone, and on which tries made no
sense: so the tries of a run of known classes are remembered (`_Plan`), and the next such run only makes them again.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from commonplace.core.when.grammar.calendar import DateFrame, Time
from commonplace.core.when.grammar.date_patterns import (
    ALONE,
    ATOMS,
    COMPOSED,
    LENGTHS,
    OFFSETS,
    RANGES,
    RELATIONS,
    Builder,
    Patterns,
)
from commonplace.core.when.words.date_lexicon import kinds

if TYPE_CHECKING:
    from commonplace.core.when.words.numerals import Item


class _End:
    """A pattern's end in the trie."""

    __slots__ = ("kind", "make", "needs", "order", "unless")

    def __init__(self, order: int, kind: str, make: Builder, unless: frozenset[str], needs: frozenset[str]) -> None:
        self.order = order
        self.kind = kind
        self.make = make
        self.unless = unless
        self.needs = needs

    def may_stand(self, following: tuple[str, ...]) -> bool:
        """Whether the pattern may end before an item of these classes."""
        return self.unless.isdisjoint(following) and not (self.needs and self.needs.isdisjoint(following))


class _Node:
    """A place in a layer's trie."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.ends: list[_End] = []


class _Layer:
    """The patterns of one layer as tries, each planted when a word of its first class turns up."""

    __slots__ = ("firsts", "planted")

    def __init__(self, patterns: Patterns) -> None:
        self.firsts: dict[str, list[tuple[str, _End]]] = {}
        self.planted: dict[str, _Node | None] = {}
        for order, (pattern, kind, make) in enumerate(patterns):
            words, _, unless = pattern.partition(" !")
            words, _, needs = words.partition(" =")
            end = _End(order, kind, make, frozenset(unless.split("|")) - {""}, frozenset(needs.split("|")) - {""})
            for element in words.split():
                for name in element.rstrip("?").split("|"):
                    self.firsts.setdefault(name, []).append((words, end))
                if element[-1] != "?":
                    break

    def start(self, kind: str) -> _Node | None:
        """Return where patterns that begin with this class go on; None if there are none."""
        if kind not in self.planted:
            root = _Node()
            for words, end in self.firsts.get(kind, ()):
                _plant(root, kind, words=words, end=end)
            self.planted[kind] = root.next.get(kind)
        return self.planted[kind]


def _plant(root: _Node, first: str, *, words: str, end: _End) -> None:
    """Add the ways of a pattern that begin with the class `first`."""
    places = [root]
    for element in words.split():
        fresh: list[_Node] = []
        for name in element.rstrip("?").split("|"):
            for place in places:
                if place is root and name != first:
                    continue
                node = place.next.get(name)
                if node is None:
                    node = place.next[name] = _Node()
                fresh.append(node)
        places = places + fresh if element[-1] == "?" else fresh
    for place in places:
        place.ends.append(end)


@cache
def _layers() -> tuple[tuple[_Layer, str, bool], ...]:
    """Return each layer, the class without which it has nothing to do, and whether it is repeated while it helps."""
    composed = _Layer(COMPOSED)
    return (
        (_Layer(ATOMS), "", False),
        (_Layer(LENGTHS), "dur", False),
        (composed, "time", True),
        (_Layer(OFFSETS), "dur", True),
        (composed, "time", True),
        (_Layer(ALONE), "time", False),
        (_Layer(RANGES), "time", False),
        (_Layer(RELATIONS), "time", False),
    )


class _Part:
    """A word of the run, or what a layer made of several: its classes, and in which slots their values are."""

    __slots__ = ("careful", "first", "kinds", "last", "slots")

    def __init__(self, known: tuple[str, ...], slots: tuple[int, ...], first: int, last: int, careful: bool) -> None:
        self.kinds = known
        self.slots = slots
        self.first = first
        self.last = last
        self.careful = careful


class _Step:
    """A try of a pattern: its builder, the slots of the values for it, and what comes after success and failure.

    The result goes into the next slot. The start of a plan is a step without a builder that always succeeds.
    """

    __slots__ = ("care", "failed", "made", "make", "slots")

    def __init__(self, make: Builder | None, slots: tuple[int, ...], care: bool) -> None:
        self.make = make
        self.slots = slots
        self.care = care
        self.made: _Step | _Found | None = None
        self.failed: _Step | _Found | None = None


class _Found:
    """The end of a plan: for each time its slot, its first and its last word."""

    __slots__ = ("times",)

    def __init__(self, times: tuple[tuple[int, int, int], ...]) -> None:
        self.times = times


class _Plan(_Step):
    """The tries for runs of the same classes: a start from which they branch by what made sense."""

    __slots__ = ("readings",)

    def __init__(self) -> None:
        super().__init__(None, (), False)
        self.readings = 0


_LONGEST_PLAN = 16
"""Words of a run whose tries are remembered."""
_MOST_READINGS = 50
"""Ways through one plan that are remembered."""


@lru_cache(maxsize=1000)
def _plan(_shape: str) -> _Plan:
    return _Plan()


def forget() -> None:
    """Drop every plan, as a process does that ends: what is read next is read afresh."""
    _plan.cache_clear()


def parsed(run: list[Item], frame: DateFrame) -> list[tuple[Time, int, int]]:
    """Return every time of the run, with the offsets where its words start and end."""
    plan = _plan(",".join([item[0] for item in run])) if len(run) <= _LONGEST_PLAN else _Plan()
    values: list[Any] = [value for item in run for value in item[1]]
    start = len(values)
    step = plan.made
    while step is not None:
        if type(step) is _Found:
            return [(values[slot], run[first][2], run[last][3]) for slot, first, last in step.times]
        assert type(step) is _Step and step.make is not None
        made = step.make(frame, *[values[slot] for slot in step.slots])
        if made is None:
            values.append(None)
            step = step.failed
        else:
            values.append(made._replace(care=True) if step.care and isinstance(made, Time) else made)
            step = step.made
    del values[start:]
    if plan.readings > _MOST_READINGS:
        plan = _Plan()
    plan.readings += 1
    times = _Trial(plan, values, frame).read(run)
    return [(values[slot], run[first][2], run[last][3]) for slot, first, last in times]


class _Trial:
    """One run of a shape not seen before, read with every step noted in the plan."""

    def __init__(self, plan: _Plan, values: list[Any], frame: DateFrame) -> None:
        self.step: _Step = plan
        self.succeeded = True
        self.values = values
        self.frame = frame

    def read(self, run: list[Item]) -> tuple[tuple[int, int, int], ...]:
        """Return the times of the run: slot, first word, last word of each."""
        parts: list[_Part] = []
        slot = 0
        for at, (shape, values, _, _) in enumerate(run):
            parts.append(_Part(kinds(shape), tuple(range(slot, slot + len(values))), at, at, shape[-1] == "!"))
            slot += len(values)
        for layer, need, repeated in _layers():
            if need and not any(part.kinds and part.kinds[0] == need for part in parts):
                continue
            while True:
                before = len(parts)
                parts = self._reduced(parts, layer)
                if len(parts) == before or not repeated:
                    break
        times = tuple(
            (part.slots[0], part.first, part.last) for part in parts if part.kinds and part.kinds[0] == "time"
        )
        self._note(_Found(times))
        return times

    def _note(self, following: _Step | _Found) -> None:
        if self.succeeded:
            known = self.step.made
            if known is None:
                self.step.made = known = following
        else:
            known = self.step.failed
            if known is None:
                self.step.failed = known = following
        if isinstance(known, _Step):
            self.step = known

    def _reduced(self, parts: list[_Part], layer: _Layer) -> list[_Part]:
        out: list[_Part] = []
        at, size = 0, len(parts)
        while at < size:
            matches: list[tuple[int, _End, tuple[int, ...]]] = []
            part = parts[at]
            for kind, slot in zip(part.kinds, part.slots, strict=True):
                node = layer.start(kind)
                if node is not None:
                    self._walk(parts, at + 1, node, self._valued((), slot), matches)
            if len(matches) > 1:  # the longest match first, then the one listed first
                matches.sort(key=lambda match: (-match[0], match[1].order))
            for stop, end, slots in matches:
                slot = self._made(end.make, slots, stop == at + 1 and part.careful)
                if slot:
                    out.append(_merged(parts, at, stop=stop, kind=end.kind, slot=slot))
                    at = stop
                    break
            else:
                out.append(part)
                at += 1
        return out

    def _made(self, make: Builder, slots: tuple[int, ...], care: bool) -> int:
        """Return the slot of what the builder made, or 0 for nothing."""
        self._note(_Step(make, slots, care))
        made = make(self.frame, *[self.values[slot] for slot in slots])
        self.succeeded = made is not None
        self.values.append(made._replace(care=True) if care and isinstance(made, Time) else made)
        return len(self.values) - 1 if made is not None else 0

    def _valued(self, slots: tuple[int, ...], slot: int) -> tuple[int, ...]:
        return (*slots, slot) if self.values[slot] is not None else slots

    def _walk(
        self,
        parts: list[_Part],
        at: int,
        node: _Node,
        slots: tuple[int, ...],
        matches: list[tuple[int, _End, tuple[int, ...]]],
    ) -> None:
        following = parts[at].kinds if at < len(parts) else ()
        for end in node.ends:
            if not (end.unless or end.needs) or end.may_stand(following):
                matches.append((at, end, slots))
        if following and node.next:
            for kind, slot in zip(following, parts[at].slots, strict=True):
                child = node.next.get(kind)
                if child is not None:
                    self._walk(parts, at + 1, child, self._valued(slots, slot), matches)


def _merged(parts: list[_Part], at: int, *, stop: int, kind: str, slot: int) -> _Part:
    """Return what a builder made, as a part of the next layer."""
    part = parts[at]
    if kind == "none":
        return _Part((), (), part.first, parts[stop - 1].last, False)
    if stop == at + 1:  # "later" may still turn out to be one
        others = [(name, place) for name, place in zip(part.kinds, part.slots, strict=True) if name != kind]
        names, places = tuple(name for name, _ in others), tuple(place for _, place in others)
        return _Part((kind, *names), (slot, *places), part.first, part.last, False)
    return _Part((kind,), (slot,), part.first, parts[stop - 1].last, False)
