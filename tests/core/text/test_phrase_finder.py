"""Phrases are found by words and pairs of words, exactly those that a look at each phrase finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.text import phrase_finder
from commonplace.core.text.phrase_finder import PhraseFinder

PHRASES = [
    (" rope ", "thing"),
    (" rope and tar ", "store"),
    (" tie up ", "act"),
    (" moor", "act"),
    (" the old moor", "place"),
    (" the moor", "place"),
    (" they ", "opening"),
    (" they said ", "opening"),
]
WORDS = ["rope", "and", "tar", "tie", "up", "moor", "moored", "the", "old", "they", "said", "ropes"]


def one_by_one(words: list[str]) -> set[str]:
    text = f" {' '.join(words)} "
    return {sign for phrase, sign in PHRASES if (text.startswith if sign == "opening" else text.__contains__)(phrase)}


@given(st.lists(st.sampled_from(WORDS), max_size=8))
def test_the_signs_are_those_that_a_look_at_each_phrase_finds(words: list[str]) -> None:
    assert PhraseFinder(PHRASES, opening=["opening"]).signs(words) == one_by_one(words)


def test_what_a_word_begins_is_forgotten_beyond_a_number_of_words() -> None:
    finder = PhraseFinder(PHRASES)
    finder.signs([f"w{number}" for number in range(phrase_finder.MOST_WORDS + 5)])
    assert len(finder) <= phrase_finder.MOST_WORDS
    assert finder.signs(["they", "moored"]) == {"opening", "act"}
