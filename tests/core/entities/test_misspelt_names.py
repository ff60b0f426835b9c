"""Names one letter off."""

from __future__ import annotations

import pytest

from commonplace.core.entities.misspelt_names import is_one_edit, meant

NAMES = (
    "alice lee",
    "peter",
    "petra",
    "monday meeting",
    "ピーター",
    "ada",
    "nasseem",
    "yousef",
    "morten",
    "gabriel",
    "simon",
    "plane",
)


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("Allice", ("Alice",)),
        ("Alcie", ("Alice",)),
        ("alise", ("alice",)),
        ("Petr", ("Peter", "Petra")),
        ("Pete", ("Peter",)),
        ("Leo", ()),  # too short to tell
        ("Alice", ()),
        ("Blice", ()),
        ("Meetings", ()),  # meeting is an ordinary word
        ("ピータ", ()),
        ("Nasim", ("Nasseem",)),  # doubled letters count once
        ("Nosim", ()),  # two letters are other ones
        ("Nassem", ("Nasseem",)),
        ("Youssuf", ("Yousef",)),
        ("Yuosseff", ("Yousef",)),
        ("Anna", ()),  # Ada is another, too short without its double
        ("Martin", ()),
        ("Gabriella", ()),  # another person, as Simmons is
        ("Simmons", ()),
        ("Platte", ()),  # beside the doubled letter a consonant differs
        ("Nazzeem", ("Nasseem",)),  # but one that sounds alike
    ],
)
def test_a_word_one_edit_from_a_known_name_may_mean_it(word: str, names: tuple[str, ...]) -> None:
    assert meant(word, NAMES) == names


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("peter", "petr", True),
        ("petr", "peter", True),
        ("peter", "pteer", True),
        ("peter", "peber", True),
        ("peter", "peters", True),
        ("peter", "peter", False),
        ("peter", "pbter", True),
        ("peter", "pabter", False),
        ("peter", "poler", False),
        ("", "p", False),
    ],
)
def test_one_letter_more_less_other_or_two_swapped_are_one_edit(one: str, other: str, near: bool) -> None:
    assert is_one_edit(one, other) is near
