"""Succession: which claim follows which, by example and by law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.claims.succession import FOREVER, Fate, Standing, differ, disputes, fates, supersedes

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = 739_000
NEWER = {1: "superseded by 2"}
BOTH = {1: "disputed by 2", 2: "disputed by 1"}
VALUES = ("vienna", "vienna am wienerwald", "berlin", "is=no", "is=yes", "t=540", "t=690 on=2025-03-03")
values = st.sampled_from(VALUES)
claims = st.lists(
    st.builds(
        Standing,
        row=st.integers(1, 50),
        slot=st.just("residence/en"),
        value=values,
        manner=st.text("cepwn", max_size=2),
        begins=st.sampled_from((0, DAY - 400, DAY, DAY + 5)),
        ends=st.sampled_from((DAY, FOREVER)),
        day=st.sampled_from((0, DAY, DAY + 1, DAY + 40)),
        event=st.booleans(),
        source=st.sampled_from(("", "", "web:example.org")),
    ),
    max_size=7,
    unique_by=lambda claim: claim.row,
)


def standing(row: int, value: str, day: int = DAY, manner: str = "", **rest: object) -> Standing:
    known = {"begins": day, "ends": FOREVER, "event": False, "source": ""} | rest
    return Standing(row, "slot", value, manner, day=day, **known)  # type: ignore[arg-type]


def told(group: Sequence[Standing], **asked: object) -> dict[int, str]:
    """What became of each claim, in short."""
    found = fates(group, {claim.row for claim in group}, **asked)  # type: ignore[arg-type]
    return {
        row: f"{how} by {other.row}"
        for row, fate in found.items()
        for how, other in (("superseded", fate.superseded_by), ("disputed", fate.disputed_by))
        if other is not None
    }


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        (standing(1, "vienna"), standing(2, "berlin", DAY + 1), NEWER),
        (standing(1, "vienna"), standing(2, "vienna near the prater", DAY + 1), {}),
        (standing(1, "臺南"), standing(2, "臺南安平", DAY + 1), {}),
        (standing(1, "vienna"), standing(2, "berlin"), BOTH),
        (standing(1, "vienna"), standing(2, "berlin", manner="c"), NEWER),
        (standing(1, "vienna", 0), standing(2, "berlin", 0), BOTH),
        (standing(1, "vienna", 0), standing(2, "berlin"), BOTH),
        (standing(1, "vienna", 0), standing(2, "berlin", manner="c"), NEWER),
        (standing(1, "vienna"), standing(2, "berlin", 0, manner="c"), BOTH),
        # the end of a thing, and its beginning again
        (standing(1, "acme"), standing(2, "acme", DAY + 1, "e"), NEWER),
        (standing(1, "acme"), standing(2, "initech", DAY + 1, "e"), {}),
        (standing(1, "acme", manner="e"), standing(2, "acme", DAY + 1), NEWER),
        (standing(1, "acme", manner="e"), standing(2, "acme", DAY + 1, "e"), {}),
        # how it was supersedes nothing, and what was done is true for ever
        (standing(1, "n=950"), standing(2, "n=900", DAY + 1, "p"), {}),
        (standing(1, "n=950", manner="p"), standing(2, "n=900", DAY + 1), NEWER),
        (standing(1, "is=yes", event=True), standing(2, "is=no", DAY + 1), {}),
        (standing(1, "is=yes", event=True), standing(2, "is=no"), {}),
        # what an outsider says is in dispute with the author's word, not above it
        (standing(1, "vienna"), standing(2, "berlin", DAY + 1, source="web:x"), BOTH),
        (standing(1, "vienna", source="web:x"), standing(2, "berlin", DAY + 1), NEWER),
        (standing(1, "a", source="web:x"), standing(2, "b", DAY + 1, source="web:x"), NEWER),
        # times of the day: another date is another occasion, unless it was moved
        (standing(1, "t=540 on=2025-03-03"), standing(2, "t=690 on=2025-03-08", DAY + 1), {}),
        (standing(1, "t=540 on=2025-03-03"), standing(2, "t=690 on=2025-03-08", DAY + 1, "c"), NEWER),
        (standing(1, "t=540 d=1"), standing(2, "t=690 d=4", DAY + 1), {}),
        (standing(1, "t=540"), standing(2, "t=690 d=4", DAY + 1), NEWER),
        (standing(1, "t=540", manner="n"), standing(2, "t=690", DAY + 40), {}),
        (standing(1, "t=540", manner="w"), standing(2, "t=690", DAY + 1), {}),
        (standing(1, "t=540", manner="w"), standing(2, "t=690"), {}),
        (standing(1, "t=540", manner="w"), standing(2, "t=690", DAY + 1, "c"), NEWER),
        # what is over by itself needs nobody to end it; a deadline may be put off when it has passed
        (standing(1, "n=900", ends=DAY + 5), standing(2, "n=950", DAY + 9), {}),
        (standing(1, "on=2025-03-01", ends=DAY + 5), standing(2, "on=2025-03-15", DAY + 9, "c"), NEWER),
        (standing(1, "t=540 on=2025-03-01", ends=DAY + 5), standing(2, "t=600", DAY + 9, "c"), {}),
        # how it came to be so, and what is said to have been so before
        (standing(1, "vienna"), standing(2, "oslo", DAY + 9, "c", begins=DAY - 900), {}),
        (
            standing(1, "lisbon", manner="c"),
            standing(2, "vienna", DAY + 9, begins=DAY - 900),
            BOTH,
        ),
    ],
)  # fmt: skip
def test_of_two_claims_the_outcome_is_the_same_in_either_order(
    older: Standing, newer: Standing, expected: dict[int, str]
) -> None:
    assert told([older, newer]) == told([newer, older]) == expected


def test_the_newest_replaces_all_and_the_first_ends_each() -> None:
    chain = [standing(1, "vienna"), standing(2, "berlin", DAY + 10), standing(3, "lisbon", DAY + 20)]
    assert told(chain) == {1: "superseded by 3", 2: "superseded by 3"}
    found = fates(chain, {1, 2, 3})
    assert {row: fate.until for row, fate in found.items()} == {1: DAY + 10, 2: DAY + 20}


def test_what_came_back_is_not_what_replaced_it() -> None:
    back = [standing(1, "vienna"), standing(2, "berlin", DAY + 10), standing(3, "vienna", DAY + 20)]
    assert told(back) == {1: "superseded by 2", 2: "superseded by 3"}


def test_what_is_superseded_disputes_nothing() -> None:
    three = [standing(1, "vienna"), standing(2, "berlin"), standing(3, "berlin", DAY + 1)]
    assert told(three) == {1: "superseded by 3"}


def test_what_begins_later_supersedes_nothing_yet() -> None:
    two = [standing(1, "n=900"), standing(2, "n=950", DAY + 1, "c", begins=DAY + 60)]
    assert told(two, moment=DAY + 59) == {}
    assert told(two, moment=DAY + 60) == NEWER


def test_a_trailer_overrides_what_the_claims_say() -> None:
    two = [standing(1, "vienna"), standing(2, "berlin", DAY + 1)]
    assert told(two, mute={2}) == {}
    assert told(two, told=lambda one, other: {one, other} == {1, 2}) == {}


@given(claims, st.randoms(use_true_random=False))
def test_the_order_in_which_claims_are_listed_changes_nothing(group: list[Standing], pick: object) -> None:
    shuffled = list(group)
    pick.shuffle(shuffled)  # type: ignore[attr-defined]
    rows = {claim.row for claim in group}

    def values(found: dict[int, Fate]) -> dict[int, object]:
        """By what others say, not by which of two that say the same says it."""
        return {
            row: (fate.until, *(other and other[1:] for other in (fate.superseded_by, fate.disputed_by)))
            for row, fate in found.items()
        }

    assert values(fates(group, rows)) == values(fates(shuffled, rows))


@given(claims)
def test_only_what_is_no_older_supersedes(group: list[Standing]) -> None:
    for row, fate in fates(group, {claim.row for claim in group}).items():
        own = next(claim for claim in group if claim.row == row)
        newer = fate.superseded_by
        if newer is not None:
            assert newer.day >= own.day
            assert not own.event
            assert newer.source in ("", own.source)
            assert fate.until <= max(newer.begins, newer.day)
        else:
            assert fate.disputed_by is not None
            assert fate.until == FOREVER


@given(claims)
def test_of_two_at_most_one_supersedes_and_a_dispute_is_mutual(group: list[Standing]) -> None:
    for one in group:
        assert not supersedes(one, one) and not disputes(one, one)
        for other in group:
            assert not (supersedes(one, other) and supersedes(other, one))
            assert disputes(one, other) is disputes(other, one)


@given(values, values)
def test_what_is_the_same_or_more_exact_does_not_differ(one: str, other: str) -> None:
    assert not differ(one, one)
    assert differ(one, other) is differ(other, one)
