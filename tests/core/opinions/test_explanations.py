"""Why a verdict moved nothing: each reason of the formula, and silence where it moved something."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.explanations import unmoved
from commonplace.core.opinions.opinion_entry import AGAINST, FOR, PRIOR, SET, Entry, Mark, MarkRole

FIRST = date(2026, 1, 1)
START = Mark(PRIOR, 0.9, FIRST, "memory/a.md", "first")


def mark(role: MarkRole, day: int | None = 1, *, id: str = "new", value: float | None = None, origin: str = "") -> Mark:
    return Mark(role, value, None if day is None else FIRST + timedelta(days=day), "memory/a.md", id, origin)


def held(*marks: Mark) -> Entry:
    entry = Entry("o-4m7k", "Likes tea.", ("Mona",), 0.0, marks)
    return entry._replace(confidence=round(confidence(entry.start, entry.evidence()), 2))


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ([START], [START, mark(AGAINST)], ""),
        ([START, mark(FOR)], [START, mark(AGAINST)], ""),
        ([START, mark(AGAINST)], [START], ""),
        ([START], [START], "it did not count before, and does not count now"),
        ([START, mark(FOR)], [START, mark(FOR)], "it counted for it before"),
        ([START], [START, mark(FOR, 0)], "the opinion was first stated on 2026-01-01, and that day counts once"),
        (
            [START, mark(FOR, 2, id="x")],
            [START, mark(FOR, 2, id="x"), mark(FOR, 2)],
            "2026-01-03 counts for it once, by",
        ),
        (
            [START, mark(FOR, 2, id="x"), mark(FOR, 2)],
            [START, mark(FOR, 2, id="x")],
            "2026-01-03 counts for it once, by",
        ),
        (
            [START, mark(AGAINST, None, id="x")],
            [START, mark(AGAINST, None, id="x"), mark(AGAINST, None)],
            "what has no",
        ),
        (
            [START, mark(AGAINST, 2, id="x", origin="user:rolf")],
            [START, mark(AGAINST, 2, id="x", origin="user:rolf"), mark(AGAINST, 5, origin="user:rolf")],
            "user:rolf counts against it once, by ^x already",
        ),
        (
            [START, *(mark(AGAINST, 2, id=f"x{at}", origin=f"user:{at}") for at in range(9))],
            [
                START,
                *(mark(AGAINST, 2, id=f"x{at}", origin=f"user:{at}") for at in range(9)),
                mark(AGAINST, origin="z"),
            ],
            "other people's statements together move an opinion only a little",
        ),
        (
            [START._replace(value=0.99)],
            [START._replace(value=0.99), mark(FOR)],
            "the confidence is as high as it can be",
        ),
        (
            [START._replace(value=0.01)],
            [START._replace(value=0.01), mark(AGAINST)],
            "the confidence is as low as it can",
        ),
        ([START], [START, mark(AGAINST, value=0.05)], "it is too weak to move the confidence by 0.01"),
        (
            [START, Mark(SET, 0.6, FIRST + timedelta(days=9))],
            [START, mark(FOR), Mark(SET, 0.6, FIRST + timedelta(days=9))],
            "the confidence was set by hand on 2026-01-10, and evidence above that line is spent",
        ),
    ],
)
def test_each_change_that_moved_no_number_has_its_reason(before: list[Mark], after: list[Mark], why: str) -> None:
    told = unmoved("new", held(*before), after=held(*after), alive=True)
    assert told.startswith(why)
    assert bool(told) == bool(why)


def test_what_is_not_there_is_said_first() -> None:
    assert (
        unmoved("first", held(START), after=held(START), alive=True)
        == "it is the prior: the opinion was first stated there"
    )
    assert unmoved("new", held(START), after=held(START), alive=False).startswith("^new no longer counts: ")
    assert unmoved("new", held(START), after=None, alive=True) == "the opinion no longer exists"
    assert unmoved("new", None, after=held(START, mark(AGAINST)), alive=True) != ""


roles = st.sampled_from([FOR, AGAINST])
marks = st.lists(st.builds(mark, roles, st.integers(0, 3), value=st.sampled_from([None, 0.2, 0.9])), max_size=4)


@given(marks, roles, st.integers(0, 3))
def test_a_reason_is_given_exactly_where_the_number_stays(others: list[Mark], role: MarkRole, day: int) -> None:
    before = held(START, *(each._replace(fact_id=f"x{at}") for at, each in enumerate(others)))
    after = held(*before.marks, mark(role, day))
    moved = abs(confidence(after.start, after.evidence()) - confidence(before.start, before.evidence()))
    assert bool(unmoved("new", before, after=after, alive=True)) == (moved < 0.005)
