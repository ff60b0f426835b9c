"""How well a confidence tells whether an opinion holds: Brier scores over lives with a known truth; prints JSON.

    python bench/life.py [--seeds 8] [--opinions 200]

A *generated* life has opinions in English and Japanese, each with a hidden truth that changes or not within two years.
It is told as facts, by a person who mostly says what holds and by outsiders who do not know; the rules of stance read
them, `core.opinions.formation` makes opinions of them. At the end of each month from the first statement on, what is
believed is compared with what holds. The *scripted* life is that of tests/data/life, whose numbers tests/test_life.py
proves to be the program's own. Beside ours stand the confidence first stated alone, the last statement of anyone (its
confidence, or one less that when it denies), that of the author alone, and the mean of all statements.

What it does not show: how people really change their minds and talk about it. The generator is ours, and its numbers
(`LIFE`) decide how the rows stand to each other; they were set before anything was measured and not changed since.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from datetime import date, timedelta
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)  # the script of the scripted life is the tests' own

from tests.lives import Event, Mind, script  # noqa: E402

from commonplace.core.model import Citation, Fact, Kind, Trailer  # noqa: E402
from commonplace.core.opinions.belief import trajectory  # noqa: E402
from commonplace.core.opinions.formation import form  # noqa: E402
from commonplace.core.opinions.page_state import Kept  # noqa: E402
from commonplace.core.tables import table  # noqa: E402
from commonplace.core.timeline import order  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGIN, END = date(2024, 1, 1), date(2025, 12, 31)
UNSTATED = 0.9
"""What the baselines take for the confidence of a fact that states none: as ours."""
LIFE = {
    "founded while true": 0.9,
    "founded with, least": 0.6,
    "founded with, most": 0.95,
    "never changes": 0.5,
    "changes back, of those that change": 0.25,
    "statements a month, least": 0.3,
    "statements a month, most": 2.0,
    "by outsiders": 0.2,
    "outsider says the same again": 0.5,
    "outsider is right": 0.5,
    "person hedges": 0.15,
    "person tells the truth": 0.9,
    "person states a confidence": 0.4,
}
SAID = {
    "en": ("Likes {}.", "Does not like {}.", "Maybe likes {}."),
    "ja": ("{}が好きです。", "{}が好きではありません。", "{}が好きかもしれません。"),
}
THINGS = {
    "en": ("green tea", "long walks", "night trains", "open windows", "phone calls", "short meetings", "jazz",
           "rye bread", "early flights", "crosswords"),
    "ja": ("紅茶", "散歩", "夜行列車", "映画", "電話", "会議", "音楽", "納豆", "読書", "登山"),
}  # fmt: skip
OTHERS: dict[str, dict[str, Any]] = {
    "streak 1, 1, 1": {"streak": [1, 1, 1]},
    "streak 1, 3, 5": {"streak": [1, 3, 5]},
    "step_for .05": {"step_for": 0.05},
    "both steps doubled": {"step_for": 0.05, "step_against": 0.1},
}
"""Other constants of `data/belief.json`, to see what hangs on them; the last breaks the law of the small step."""
WAYS = ("our confidence", "stated prior alone", "last statement", "last statement of the author", "mean of statements")


class Statement(NamedTuple):
    """One sentence about an opinion."""

    day: date
    holds: bool | None
    """What it says; None: it hedges."""
    confidence: float | None
    outsider: str

    @property
    def claims(self) -> float:
        """The confidence in the opinion that this statement alone would give."""
        said = UNSTATED if self.confidence is None else self.confidence
        return said if self.holds else 1 - said


class Truth(NamedTuple):
    """What holds: the statement until a day, its contrary until another, and the statement again."""

    first: bool
    changes: tuple[date, ...]

    def on(self, day: date) -> bool:
        return self.first ^ bool(sum(change <= day for change in self.changes) % 2)


def truth(draw: random.Random, founded: date) -> Truth:
    """A truth that changes never, once, or there and back."""
    span = (END - founded).days
    count = 0 if draw.random() < LIFE["never changes"] else 1
    count += count and draw.random() < LIFE["changes back, of those that change"]
    days = sorted(founded + timedelta(days=draw.randint(1, span)) for _ in range(count))
    return Truth(draw.random() < LIFE["founded while true"], tuple(days))


def statements(draw: random.Random, holds: Truth, founded: date) -> list[Statement]:
    """What is said of one opinion, the first statement first."""
    prior = round(draw.uniform(LIFE["founded with, least"], LIFE["founded with, most"]), 2)
    told = [Statement(founded, True, prior, "")]
    rate = draw.uniform(LIFE["statements a month, least"], LIFE["statements a month, most"])
    day = founded + timedelta(days=1 + int(draw.expovariate(rate / 30)))
    heard: dict[str, bool] = {}
    while day <= END:
        outsider = f"web:site-{draw.randint(1, 3)}" if draw.random() < LIFE["by outsiders"] else ""
        if outsider:
            said = draw.random() < LIFE["outsider is right"]
            right = holds.on(day) if said else not holds.on(day)
            if draw.random() < LIFE["outsider says the same again"]:
                right = heard.get(outsider, right)
            heard[outsider] = right
            told.append(Statement(day, right, None, outsider))
        elif draw.random() < LIFE["person hedges"]:
            told.append(Statement(day, None, None, ""))
        else:
            honest = draw.random() < LIFE["person tells the truth"]
            stated = draw.random() < LIFE["person states a confidence"]
            own = round(draw.uniform(LIFE["founded with, least"], LIFE["founded with, most"]), 2)
            told.append(Statement(day, holds.on(day) is honest, own if stated else None, ""))
        day += timedelta(days=1 + int(draw.expovariate(rate / 30)))
    return told


def facts(told: list[Statement], who: str, language: str, thing: str) -> list[Fact]:
    """The statements as facts; those with a confidence state an opinion."""
    made = []
    for number, each in enumerate(told):
        text = SAID[language][2 if each.holds is None else not each.holds].format(thing)
        kind = Kind.WORLD if each.confidence is None else Kind.OPINION
        made.append(
            Fact(
                f"{who}-{number}",
                kind,
                text,
                (who,),
                Citation(f"memory/{each.day}.md", number + 1),
                each.day,
                confidence=each.confidence,
                trailer=Trailer(src=each.outsider),
            )
        )
    return made


def months(first: date) -> list[date]:
    """The last day of each month from this day on."""
    ends = [date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            for year in (BEGIN.year, END.year) for month in range(1, 13)]  # fmt: skip
    return [end for end in ends if end >= first]


def baselines(told: list[Statement], day: date) -> tuple[float, ...]:
    """What the other ways to hold an opinion say on a day, in the order of `WAYS`."""
    known = [each for each in told if each.day <= day and each.holds is not None]
    own = [each for each in known if not each.outsider]
    return told[0].claims, known[-1].claims, own[-1].claims, fmean(each.claims for each in known)


Errors = dict[str, list[tuple[float, ...]]]
"""Squared errors, a tuple in the order of `WAYS` for each month of each opinion; by what became of the truth."""


def generated(seed: int, count: int) -> Errors:
    """One generated life."""
    draw = random.Random(seed)
    lives = []
    everything: list[Fact] = []
    for number in range(count):
        language = "en" if number % 2 == 0 else "ja"
        thing = THINGS[language][number // 2 % len(THINGS[language])]
        founded = BEGIN + timedelta(days=draw.randint(0, 180))
        holds = truth(draw, founded)
        told = statements(draw, holds, founded)
        who = f"person-{number}"
        everything += facts(told, who, language, thing)
        lives.append((who, SAID[language][0].format(thing), holds, told))
    entries = form(sorted(everything, key=order), Kept(), today=END).entries
    held = {(entry.entities[0], entry.statement): entry for entry in entries}
    errors: Errors = {}
    for who, statement, holds, told in lives:
        entry = held[who, statement]
        steps = trajectory(entry.start, entry.evidence())
        rows = errors.setdefault("truth changed" if holds.changes else "truth stayed", [])
        for day in months(told[0].day):
            now = [step.confidence for step in steps if step.day and step.day <= day]
            says = (now[-1] if now else entry.start, *baselines(told, day))
            rows.append(tuple((said - holds.on(day)) ** 2 for said in says))
    return errors


def scripted() -> Errors:
    """The scripted life, as its months end; opinions that a person deleted from then on no more."""
    opinions, events = script()
    until = {each.name: each.until for each in opinions}
    errors: Errors = {"all": []}
    told: dict[str, list[Statement]] = {}
    mind, waiting = Mind(), list(events)
    for end in months(BEGIN):
        while waiting and waiting[0].day <= end:
            event = waiting.pop(0)
            if event.word in ("hand", "verdict"):
                mind.heed(event)
                continue
            mind.hear(event)
            _listen(told, mind, event)
        for name, belief in mind.beliefs.items():
            if not belief.deleted:
                holds = end < until.get(name, date.max)
                says = (belief.confidence(), *baselines(told[name], end))
                errors["all"].append(tuple((said - holds) ** 2 for said in says))
    return errors


def _listen(told: dict[str, list[Statement]], mind: Mind, event: Event) -> None:
    """Note what a scripted fact says of which opinions, for the baselines."""
    for name, belief in mind.beliefs.items():
        if name not in told:
            told[name] = [Statement(belief.founded, True, belief.prior, "")]
        elif belief.evidence and (belief.evidence[-1].day, belief.evidence[-1].content) == (event.day, event.content):
            heard = belief.evidence[-1]
            told[name].append(Statement(heard.day, heard.sign > 0, heard.weight, heard.source))


def means(errors: Errors) -> dict[str, tuple[float, ...]]:
    """Brier scores in the order of `WAYS`, by what became of the truth and of all."""
    parts = {**errors, "all": [row for rows in errors.values() for row in rows]}
    return {part: tuple(fmean(column) for column in zip(*rows, strict=True)) for part, rows in parts.items()}


Figures = dict[str, dict[str, float]]


def spread(rows: Iterable[Iterable[float]], names: Iterable[str]) -> Figures:
    """Mean and standard deviation of each name's row over the seeds."""
    found = {}
    for name, row in zip(names, map(list, rows), strict=True):
        found[name] = {"mean": round(fmean(row), 4), "spread": round(stdev(row) if len(row) > 1 else 0.0, 4)}
    return found


def constants(seeds: Iterable[int], count: int) -> Figures:
    """Our score with other constants; the lives are the same."""
    kept = dict(table("belief"))
    rows = []
    for changed in OTHERS.values():
        table("belief").update(changed)
        rows.append([means(generated(seed, count))["all"][0] for seed in seeds])
        table("belief").update(kept)
    return spread(rows, OTHERS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Brier scores of confidence over lives with a known truth.")
    parser.add_argument("--seeds", type=int, default=8, help="generated lives")
    parser.add_argument("--opinions", type=int, default=200, help="opinions of each")
    options = parser.parse_args()
    seeds = range(options.seeds)
    found = [means(generated(seed, options.opinions)) for seed in seeds]
    life = scripted()
    told = {
        "seeds": options.seeds,
        "opinions": options.opinions,
        "generated": {
            part: spread(zip(*(each[part] for each in found), strict=True), WAYS)
            for part in ("all", "truth stayed", "truth changed")
        },
        "constants": constants(seeds, options.opinions),
        "scripted": dict(zip(WAYS, (round(value, 4) for value in means(life)["all"]), strict=True)),
        "scripted months": len(life["all"]),
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
