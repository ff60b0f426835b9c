"""Law 8: within bounds, monotone, independent of order and of repetition; and steps of the documented size."""

from __future__ import annotations

import doctest
import random
from datetime import date, timedelta
from math import asin, sin, sqrt
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Evidence, Opinion, Stance
from commonplace.core.opinions.belief import bare_prior, confidence, history, trajectory

FIRST = date(2026, 1, 1)
CLOSE = 1e-9


def evidence(
    stance: Stance, day: int | None = 0, *, weight: float | None = None, origin: str = "", id: str = "f"
) -> Evidence:
    recorded = None if day is None else FIRST + timedelta(days=day)
    return Evidence(id, stance, recorded, Citation("memory/2026-01-01.md", 1), weight, origin)


def against(*days: int, weight: float | None = None) -> list[Evidence]:
    return [evidence(Stance.CONTRADICTS, day, weight=weight) for day in days]


def supporting(*days: int) -> list[Evidence]:
    return [evidence(Stance.SUPPORTS, day) for day in days]


priors = st.floats(0, 1)
facts = st.builds(
    evidence,
    st.sampled_from(Stance),
    st.none() | st.integers(0, 9),
    weight=st.none() | st.floats(0, 1),
    origin=st.sampled_from(["", "", "", "web:example.org", "user:guest"]),
    id=st.sampled_from("abcdef"),
)
lists = st.lists(facts, max_size=14)


@given(priors, lists)
def test_confidence_is_a_share_and_bounded_once_something_bears_on_it(
    prior: float, given_facts: list[Evidence]
) -> None:
    after = confidence(prior, given_facts)
    assert min(0.02, prior) - CLOSE <= after <= max(0.98, prior) + CLOSE


@given(priors, lists, facts)
def test_support_never_lowers_and_contradiction_never_raises(
    prior: float, given_facts: list[Evidence], fact: Evidence
) -> None:
    before, after = confidence(prior, given_facts), confidence(prior, [*given_facts, fact])
    if fact.stance is Stance.SUPPORTS:
        assert after >= before - CLOSE
    elif fact.stance is Stance.CONTRADICTS:
        assert after <= before + CLOSE
    else:
        assert after == before


@given(priors, priors, lists)
def test_a_higher_prior_never_ends_lower(one: float, other: float, given_facts: list[Evidence]) -> None:
    low, high = sorted((one, other))
    assert confidence(low, given_facts) <= confidence(high, given_facts) + CLOSE


@given(priors, lists, st.integers())
def test_the_order_of_the_evidence_does_not_matter(prior: float, given_facts: list[Evidence], seed: int) -> None:
    shuffled = random.Random(seed).sample(given_facts, len(given_facts))
    assert trajectory(prior, shuffled) == trajectory(prior, given_facts)


@given(priors, lists, st.integers(1, 5))
def test_same_day_repetition_counts_once(prior: float, given_facts: list[Evidence], times: int) -> None:
    assert confidence(prior, given_facts * times) == confidence(prior, given_facts)


@given(priors, st.lists(st.integers(0, 300), max_size=40), st.sampled_from([Stance.SUPPORTS, Stance.CONTRADICTS]))
def test_an_outsider_cannot_move_it_by_repeating_himself(prior: float, days: list[int], stance: Stance) -> None:
    said = [evidence(stance, day, origin="web:example.org") for day in days]
    assert confidence(prior, said) == confidence(prior, said[:1])
    assert abs(confidence(prior, said) - prior) <= 0.03 or prior > 0.98 or prior < 0.02


@given(priors, st.lists(st.text(min_size=1), max_size=30))
def test_all_outsiders_together_stay_within_one_step(prior: float, origins: list[str]) -> None:
    said = [evidence(Stance.CONTRADICTS, day, origin=origin, weight=1.0) for day, origin in enumerate(origins)]
    assert abs(confidence(prior, said) - prior) <= 0.05 + CLOSE


@given(st.floats(0.02, 0.98), facts)
def test_one_fact_moves_by_a_small_step(prior: float, fact: Evidence) -> None:
    assert abs(confidence(prior, [fact]) - prior) <= 0.05 + CLOSE


@given(priors, lists)
def test_the_trajectory_ends_at_the_confidence_and_can_be_replayed(prior: float, given_facts: list[Evidence]) -> None:
    steps = trajectory(prior, given_facts)
    assert (steps[-1].confidence if steps else prior) == confidence(prior, given_facts)
    for place, step in enumerate(steps):
        days = {earlier.day for earlier in steps[: place + 1]}
        assert confidence(prior, [fact for fact in given_facts if fact.recorded in days]) == step.confidence


def test_the_look_of_the_opinions_page() -> None:
    steps = trajectory(0.95, [*supporting(0), *against(40)])
    assert [round(step.confidence, 2) for step in steps] == [0.96, 0.94]


@given(priors, lists)
def test_the_factors_of_a_step_are_its_size_unless_a_limit_changed_it(
    prior: float, given_facts: list[Evidence]
) -> None:
    before = prior
    for step in trajectory(prior, given_facts):
        assert {each.fact_id for each in step.factors} == set(step.evidence)
        angle = asin(sqrt(before))
        for each in step.factors:
            angle += (0.025 if each.stance is Stance.SUPPORTS else -0.05) * each.weight * each.times
        if not step.limited:
            assert abs(sin(angle) ** 2 - step.confidence) <= CLOSE
        before = step.confidence


def test_factors_say_why_a_fact_counts_for_more_or_less() -> None:
    contradicts, web = Stance.CONTRADICTS, "web:example.org"
    said = [
        evidence(contradicts, 1, weight=0.8, id="first"),
        evidence(contradicts, 1, weight=0.7, id="same-day"),
        evidence(contradicts, 2, id="streak"),
        evidence(contradicts, 3, weight=0.4, origin=web, id="outsider"),
        evidence(contradicts, 4, weight=0.8, origin=web, id="louder"),
        evidence(contradicts, 5, weight=0.8, origin=web, id="again"),
    ]
    steps = trajectory(0.7, said)
    counted = [(each.fact_id, round(each.weight, 2), each.times, each.why) for step in steps for each in step.factors]
    half = "an outsider's word weighs half"
    assert counted == [
        ("first", 0.8, 1, ()),
        ("same-day", 0.7, 0, ("another fact of that day counts",)),
        ("streak", 0.9, 2, ("it states no confidence", "contradicted again, with no strong support between")),
        ("outsider", 0.2, 1, (half,)),
        ("louder", 0.4, 0.5, (half, "their earlier word counts, and this adds the rest")),
        ("again", 0.4, 0, (half, "their earlier word counts")),
    ]
    assert not any(step.limited for step in steps)


def test_a_step_says_when_a_limit_changed_it() -> None:
    assert [step.limited for step in trajectory(0.979, supporting(1, 2))] == [True, True]
    assert [step.limited for step in trajectory(1.0, against(1, 2))] == [True, False]
    crowd = [evidence(Stance.CONTRADICTS, 1, weight=1.0, origin=f"web:{n}", id=str(n)) for n in range(3)]
    assert [step.limited for step in trajectory(0.7, crowd)] == [True]


def test_a_prior_is_kept_as_stated_while_nothing_bears_on_it() -> None:
    assert confidence(1.0, []) == 1.0
    assert confidence(0.123, [evidence(Stance.UNDECIDED)]) == 0.123
    assert confidence(0.5, against(1, weight=0.0)) == 0.5
    assert confidence(1.0, supporting(1)) == 1.0
    assert confidence(0.0, against(1)) == 0.0
    assert 0.95 < confidence(1.0, against(1)) < 0.98
    assert confidence(float("nan"), []) == bare_prior() == 0.7


def test_a_large_move_needs_strong_contradiction_on_different_days() -> None:
    assert confidence(0.95, against(1, 1, 1, 1, 1, 1)) > 0.92
    assert confidence(0.95, against(*range(6), weight=0.3)) > 0.85
    assert confidence(0.95, against(*range(6))) < 0.5
    parted = [*against(1, 3, 5, 7, 9, 11), *supporting(2, 4, 6, 8, 10)]
    assert confidence(0.95, parted) > 0.85


def test_the_weight_of_a_fact_is_its_own_confidence() -> None:
    falls = [0.8 - confidence(0.8, against(1, weight=weight)) for weight in (0.2, 0.5, 1.0)]
    assert falls == sorted(falls) and falls[0] < falls[2] / 4


def test_undated_evidence_comes_first_as_one_day() -> None:
    steps = trajectory(0.7, [*supporting(3), evidence(Stance.SUPPORTS, None, id="g"), evidence(Stance.SUPPORTS, None)])
    assert [(step.day, step.evidence) for step in steps] == [(None, ("f", "g")), (FIRST + timedelta(days=3), ("f",))]


def test_the_worked_example_of_the_documentation() -> None:
    page = Path(__file__).parents[3] / "docs" / "beliefs.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 5 and not failed


@given(priors, lists, st.integers(0, 100))
def test_the_history_of_an_opinion_ends_at_its_confidence_or_is_none(
    prior: float, given_facts: list[Evidence], typed: int
) -> None:
    now = confidence(prior, given_facts)
    held = Opinion("o-1", "Likes tea.", ("Mona",), prior, tuple(given_facts), round(now, 2), None)
    assert history(held) == trajectory(prior, given_facts)
    by_hand = held._replace(confidence=typed / 100)
    assert history(by_hand) == (trajectory(prior, given_facts) if abs(typed / 100 - now) <= 0.005 + CLOSE else ())
