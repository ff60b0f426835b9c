"""The scripted life of tests/data/life, and what must be believed of it: `docs/beliefs.md`, worked out anew."""

from __future__ import annotations

import re
from datetime import date
from math import asin, sin, sqrt
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "data" / "life"
LANGUAGES = ("en", "da", "zh-hans", "zh-hant", "ja", "hi")


class Event(NamedTuple):
    """One line of the script."""

    day: date
    opinion: str
    word: str
    """`founds`, `same`, `for`, `against`, `reverses`, `narrows`, `waits`, `nothing`, `verdict` or `hand`."""
    other: str
    """The opinion that the fact begins, for `reverses` and `narrows`; else empty."""
    text: str
    by_hand: bool

    @property
    def content(self) -> str:
        """What the fact says."""
        return re.sub(r"^[WBO]\S* @\S+: |\s*<!--.*-->$", "", self.text)

    @property
    def entity(self) -> str:
        found = re.search(r"@([^\s:]+)", self.text)
        return found[1] if found else ""

    @property
    def stated(self) -> float | None:
        found = re.match(r"O\(c=([\d.]+)\)", self.text)
        return float(found[1]) if found else None

    @property
    def source(self) -> str:
        found = re.search(r"src=(\S+)", self.text)
        return found[1] if found else ""


class Scripted(NamedTuple):
    """One opinion of the script."""

    name: str
    ends: str
    until: date
    """The first day on which the statement does not hold any more; the last day of all days while it holds."""
    language: str


def script() -> tuple[tuple[Scripted, ...], tuple[Event, ...]]:
    """The opinions, and what happens in the order of days; of one day as the files have it."""
    opinions, events = [], []
    for language in LANGUAGES:
        for part in (FOLDER / f"{language}.md").read_text(encoding="utf-8").split("\n## ")[1:]:
            heading, ends, *lines = part.strip().split("\n")
            name = heading.partition(" — ")[0]
            word, _, until = ends.partition(", true")
            last = date.fromisoformat(until.removeprefix(" until ")) if until else date.max
            opinions.append(Scripted(name, word, last, language))
            events += [_event(line, name) for line in lines]
    return tuple(opinions), tuple(sorted(events, key=lambda event: event.day))


def calendar() -> dict[date, str]:
    """What happens to the files, by day."""
    found = re.findall(r"^- (\S+) (.+)$", (FOLDER / "calendar.md").read_text(encoding="utf-8"), re.M)
    return {date.fromisoformat(day): what for day, what in found}


def _event(line: str, name: str) -> Event:
    found = re.fullmatch(r"([-*]) (\d{4}-\d\d-\d\d) (\w+)(?: (as )?([^:\s]+))?: (.+)", line)
    assert found, line
    pen, day, word, begins, other, text = found.groups()
    own = other if other and not begins else name
    return Event(date.fromisoformat(day), own, word, other if begins else "", text, pen == "*")


class Told(NamedTuple):
    """A fact as evidence."""

    day: date
    content: str
    sign: int
    """1 for, -1 against."""
    weight: float
    source: str


class Belief:
    """One opinion as it must stand."""

    def __init__(self, event: Event) -> None:
        self.statement, self.entity = event.content, event.entity
        self.prior = 0.7 if event.stated is None else event.stated
        self.founded = event.day
        self.evidence: list[Told] = []
        self.spent: list[Told] = []
        self.past: list[tuple[date | None, float]] = []
        """The course before a person last set the number; what they set has no day: the next reflect notes it."""
        self.by_hand = self.deleted = False
        self.opposite: Belief | None = None
        self.notes: list[str] = []

    def hear(self, event: Event, sign: int) -> None:
        """Take a fact for or against."""
        weight = 0.9 if event.stated is None else event.stated
        self.evidence.append(Told(event.day, event.content, sign, weight, event.source))

    def counting(self) -> list[Told]:
        """The evidence in force: what is said again on the first day is that day's one statement."""
        return [told for told in self.evidence if self.by_hand or told.day != self.founded or told.sign < 0]

    def course(self) -> list[tuple[date, float]]:
        """The confidence after each day that moved it."""
        low, high = asin(sqrt(0.02)), asin(sqrt(0.98))
        angle, row, course = asin(sqrt(self.prior)), 0, []
        outsiders: dict[tuple[str, int], float] = {}
        for day in sorted({told.day for told in self.counting()}):
            most = {1: 0.0, -1: 0.0}
            for told in (told for told in self.counting() if told.day == day):
                if told.source:
                    key = (told.source, told.sign)
                    outsiders[key] = max(told.weight / 2, outsiders.get(key, 0))
                else:
                    most[told.sign] = max(told.weight, most[told.sign])
            if most[1]:
                angle = max(angle, min(high, max(angle, low) + 0.025 * most[1]))
            row = 0 if most[1] >= 0.7 else row
            row += most[-1] >= 0.7
            if most[-1]:
                step = 0.05 * most[-1] * (min(row, 3) if most[-1] >= 0.7 else 1)
                angle = min(angle, max(low, min(angle, high) - step))
            strange = sum(weight * (0.025 if sign > 0 else -0.05) for (_, sign), weight in outsiders.items())
            strange = max(-0.05, min(0.05, strange))
            moved = max(angle, min(high, angle + strange)) if strange > 0 else min(angle, max(low, angle + strange))
            course.append((day, sin(moved) ** 2))
        return course

    def confidence(self) -> float:
        return self.course()[-1][1] if self.evidence and self.course() else self.prior


class Mind:
    """All that must be believed, as the script has told it so far."""

    def __init__(self) -> None:
        self.beliefs: dict[str, Belief] = {}
        self.waiting: dict[tuple[str, str], Event] = {}
        """(opinion, what the fact says) to the fact."""

    def hear(self, event: Event) -> None:
        """Take in a fact of the script; what others than the author say moves nothing that nobody judged."""
        if event.source:
            return
        if event.word == "founds":
            self.beliefs[event.opinion] = Belief(event)
            return
        held = self.beliefs[event.opinion]
        if event.word in ("reverses", "narrows"):
            begun = self.beliefs[event.other] = Belief(event)
            if event.word == "reverses":
                held.hear(event, -1)
                held.opposite, begun.opposite = begun, held
        if event.word in ("same", "for"):
            held.hear(event, 1)
        if event.word == "same" and held.opposite:
            held.opposite.hear(event, -1)
        if event.word == "against":
            held.hear(event, -1)
        if event.word in ("waits", "narrows"):
            self.waiting[event.opinion, event.content] = event

    def heed(self, event: Event) -> None:
        """Take in what a person did on the pages."""
        held = self.beliefs[event.opinion]
        what, _, rest = event.text.partition(" ")
        if event.word == "verdict":
            fact = self.waiting.pop((event.opinion, rest))
            if what != "neither":
                held.hear(fact, 1 if what == "for" else -1)
        elif what == "types":
            held.past += [*held.course(), (None, float(rest))]
            held.prior, held.by_hand = float(rest), True
            held.spent += held.evidence
            held.evidence = []
        elif what == "rewords":
            held.statement = rest
        elif what == "deletes":
            held.deleted = True
            self.waiting = {pair: fact for pair, fact in self.waiting.items() if pair[0] != event.opinion}
        elif what == "drops":
            held.evidence = [told for told in held.evidence if told.content != rest]
        elif what == "notes":
            held.notes.append(rest)
        else:
            assert what == "moves", event
