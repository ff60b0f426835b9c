"""What nearness in meaning adds to a score."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.meaning.meaning_signal import share_near, signal, trust_in_words, worth_of

NEARNESS = st.floats(-50, 50)


@given(NEARNESS, NEARNESS)
def test_nearer_is_never_worth_less(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= share_near(low) <= share_near(high)
    assert worth_of(low) <= worth_of(high)
    assert signal(low, ["pier"], covered=1).score <= signal(high, ["pier"], covered=1).score


def test_a_line_no_nearer_than_others_gains_nothing_and_has_no_reason() -> None:
    assert signal(0.5, ["pier"], covered=0) == ("", 0.0)


def test_the_reason_names_the_words_that_the_line_lacks() -> None:
    assert signal(4.0, ["harbour", "works"], covered=0.5).why == 'meaning: close to "harbour, works"'
    assert signal(4.0, [], covered=1).why == 'meaning: close to "the question"'


def test_words_are_trusted_the_less_the_fewer_of_a_question_stand_anywhere() -> None:
    trusted = [trust_in_words(known / 10) for known in range(11)]
    assert trusted == sorted(trusted)
    assert trusted[0] == 0
    assert trusted[3] < 1


def test_words_are_trusted_in_full_if_most_of_them_stand_anywhere() -> None:
    assert trust_in_words(0.6) == trust_in_words(1) == 1
