"""Computes the confidence of an opinion from its prior and evidence: one pure function, replayable from the page.

The scale. A confidence c is an angle, c = sin²(angle). Steps are added to the angle, so that the same step is wide in
the middle (.05 at c = .5) and narrow near certainty (.02 at c = .95). Bounds are the angles of .02 and .98.

The formula. Evidence is grouped by the day it was recorded on (undated evidence is one day, before the others);
days are taken in order. On each day, with W the greatest weight of that day's facts of one stance:

    angle += .025 · W(supports)
    angle -= .05  · W(contradicts) · k        k = 1, 2, 3, 3 … on the 1st, 2nd, 3rd … day of a streak

The weight of a fact is its own stated confidence, .9 when it states none. A streak is a row of days with a
contradiction of weight ≥ .7; a day with support of weight ≥ .7 ends it. Each step stops at the bounds. A prior beyond
the bounds stays as stated: support never lowers it, contradiction first brings it to the bound.

Outsiders (`Evidence.origin` is not empty) are counted separately: each counts once for its strongest support and once
for its strongest contradiction, at half weight, without streaks; together they move the angle by at most .05.

The laws, each a test: within [0, 1]; support never lowers and contradiction never raises; the order of the evidence and
same-day repetition change nothing, nor does undecided evidence; a first contradiction lowers it by at most .05. The
numbers are in `data/belief.json`, with reasons.
"""

from __future__ import annotations

from math import asin, fsum, isnan, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Evidence, Stance
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.core.model import Opinion


_ROUNDED = 0.005 + 1e-9
"""Pages show two decimals."""
_SAME = 1e-9
"""Radians below which two angles are the same."""


class Factor(NamedTuple):
    """How much one fact counted on its day: the angle changes by its step, times `weight`, times `times`."""

    fact_id: str
    stance: Stance
    weight: float
    """In [0, 1]: the confidence that the fact states, .9 if it states none; half of it if an outsider said it."""
    times: float
    """1; 2 or 3 for a contradiction on a further day of a streak; 0 if another fact counts in its place: of that day,
    or of the same outsider; a share where an outsider said the same before with less weight."""
    stated: bool
    """Whether the fact states a confidence."""
    origin: str
    """The outsider who said it; empty for the author."""

    @property
    def why(self) -> tuple[str, ...]:
        """In words; empty if it simply counted with the confidence that it states."""
        found = [] if self.stated else ["it states no confidence"]
        if self.origin:
            found.append("an outsider's word weighs half")
        if self.times == 0 and self.weight > 0:
            found.append("their earlier word counts" if self.origin else "another fact of that day counts")
        elif self.times < 1 and self.weight > 0:
            found.append("their earlier word counts, and this adds the rest")
        elif self.times > 1:
            found.append("contradicted again, with no strong support between")
        return tuple(found)


class Step(NamedTuple):
    """A change of a confidence: by the evidence of one day, or by a person."""

    day: date | None
    """None: undated evidence, which comes first."""
    confidence: float
    """After that day."""
    evidence: tuple[str, ...]
    """Ids of the facts of that day that support or contradict, in alphabetical order."""
    by_hand: bool = False
    """Whether a person set it: earlier evidence no longer counts."""
    factors: tuple[Factor, ...] = ()
    """How much each of these facts counted, strongest first."""
    limited: bool = False
    """Whether a limit changed the size of the step: the bounds, or the most that all outsiders together may move."""


def confidence(prior: float, evidence: Sequence[Evidence]) -> float:
    """Return the confidence after this evidence, in [0, 1]; the prior if none of it supports or contradicts."""
    steps = trajectory(prior, evidence) if evidence else ()
    return steps[-1].confidence if steps else _within_unit(prior, bare_prior())


def trajectory(prior: float, evidence: Sequence[Evidence]) -> tuple[Step, ...]:
    """Return one step for each day on which something supports or contradicts, oldest first."""
    constants = table("belief")
    start = _within_unit(prior, constants["bare_prior"])
    low, high = _angle(constants["floor"]), _angle(constants["ceiling"])
    angle, streak, moved = _angle(start), 0, False
    shown = angle
    outsiders: dict[tuple[str, Stance], float] = {}
    steps: list[Step] = []
    for day, facts in _by_day(evidence):
        factors = _factors(facts, outsiders)
        strongest = {each.stance: each.weight for each in factors if each.times and not each.origin}
        support, contradiction = strongest.get(Stance.SUPPORTS, 0.0), strongest.get(Stance.CONTRADICTS, 0.0)
        moved = moved or factors[0].weight > 0
        if support:
            angle = max(angle, min(high, max(angle, low) + constants["step_for"] * support))
            if support >= constants["strong"]:
                streak = 0
        if contradiction:
            in_streak = constants["streak"]
            times = in_streak[min(streak, len(in_streak) - 1)] if contradiction >= constants["strong"] else in_streak[0]
            angle = min(angle, max(low, min(angle, high) - constants["step_against"] * contradiction * times))
            if contradiction >= constants["strong"]:
                streak += 1
            factors = [_times(each, times) for each in factors]
        before, shown = shown, _with_outsiders(angle, outsiders, low=low, high=high)
        wanted = fsum(_move(each.stance) * each.weight * each.times for each in factors)
        limited = abs(shown - before - wanted) > _SAME
        after = _confidence(shown) if moved else start
        ids = tuple(sorted({each.fact_id for each in factors}))
        steps.append(Step(day, after, ids, factors=tuple(factors), limited=limited))
    return tuple(steps)


def _factors(facts: Sequence[Evidence], outsiders: dict[tuple[str, Stance], float]) -> list[Factor]:
    """Return how much each fact of a day counts, strongest first, before streaks; note in `outsiders` what they said.

    Args:
        outsiders: by origin and stance the greatest weight of earlier days.
    """
    found: dict[tuple[str, Stance, str], Factor] = {}
    counted: set[Stance] = set()
    for fact in facts if len(facts) == 1 else sorted(facts, key=_strongest_first):
        weight, said = _weight(fact), (fact.origin, fact.stance)
        if (fact.fact_id, fact.stance, fact.origin) in found or not weight:
            times = 0.0
        elif fact.origin:
            before = outsiders.get(said, 0.0)
            outsiders[said] = max(before, weight)
            times = max(0.0, weight - before) / weight
        else:
            times = 0.0 if fact.stance in counted else 1.0
            counted.add(fact.stance)
        factor = Factor(fact.fact_id, fact.stance, weight, times, _states(fact), fact.origin)
        found.setdefault((fact.fact_id, fact.stance, fact.origin), factor)
    return list(found.values())


def _strongest_first(fact: Evidence) -> tuple[float, str, str, Stance, bool]:
    return -_weight(fact), fact.fact_id, fact.origin, fact.stance, _states(fact)


def _states(fact: Evidence) -> bool:
    """Return whether a fact states a confidence."""
    return fact.confidence is not None and not isnan(fact.confidence)


def _times(factor: Factor, streak: float) -> Factor:
    """Return the factor of a day's contradiction by the author with that of its streak; any other as it is."""
    counts = factor.times and not factor.origin and factor.stance is Stance.CONTRADICTS
    return factor._replace(times=factor.times * streak) if counts and streak != 1 else factor


def _move(stance: Stance) -> float:
    """Return the step of a stance, in radians, with its sign."""
    constants = table("belief")
    step: float = constants["step_for"] if stance is Stance.SUPPORTS else -constants["step_against"]
    return step


def history(held: Opinion) -> tuple[Step, ...]:
    """Return the steps that led to an opinion's confidence, oldest first; those set by a person included.

    Empty if they do not lead to it: a person maintains the number in another format.
    """
    steps: list[Step] = []
    for at, spent in enumerate(held.spent, 1):
        set_to = held.spent[at].prior if at < len(held.spent) else held.prior
        steps += trajectory(spent.prior, spent.evidence)
        steps.append(Step(spent.day, set_to, (), by_hand=True))
    steps += trajectory(held.prior, held.evidence)
    return tuple(steps) if steps and abs(steps[-1].confidence - held.confidence) <= _ROUNDED else ()


def bare_prior() -> float:
    """Return the prior of an opinion that states no confidence, in [0, 1]."""
    prior: float = table("belief")["bare_prior"]
    return prior


def _by_day(evidence: Sequence[Evidence]) -> list[tuple[date | None, list[Evidence]]]:
    """Return what supports or contradicts, grouped by day: undated first, then oldest first."""
    undated: list[Evidence] = []
    dated: dict[date, list[Evidence]] = {}
    for fact in evidence:
        if fact.stance is Stance.UNDECIDED:
            continue
        (undated if fact.recorded is None else dated.setdefault(fact.recorded, [])).append(fact)
    first: list[tuple[date | None, list[Evidence]]] = [(None, undated)] if undated else []
    return first + [(day, dated[day]) for day in sorted(dated)]


def _weight(fact: Evidence) -> float:
    constants = table("belief")
    stated = constants["unstated"] if fact.confidence is None else _within_unit(fact.confidence, constants["unstated"])
    weight: float = stated * constants["outsider"] if fact.origin else stated
    return weight


def _with_outsiders(angle: float, outsiders: dict[tuple[str, Stance], float], *, low: float, high: float) -> float:
    if not outsiders:
        return angle
    constants = table("belief")
    # fsum: the same to the last bit whatever the order in which outsiders were met
    step = fsum(weight * _move(stance) for (_, stance), weight in outsiders.items())
    most: float = constants["outsiders_most"]
    step = max(-most, min(most, step))
    return max(angle, min(high, angle + step)) if step >= 0 else min(angle, max(low, angle + step))


def _within_unit(value: float, otherwise: float) -> float:
    return otherwise if isnan(value) else max(0.0, min(1.0, value))


def _angle(share: float) -> float:
    return asin(sqrt(share))


def _confidence(angle: float) -> float:
    return sin(max(0.0, min(pi / 2, angle))) ** 2
