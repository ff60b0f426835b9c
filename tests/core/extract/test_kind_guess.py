"""Whether a line that somebody says is an opinion of theirs, or a note, a question, a request."""

from __future__ import annotations

import pytest

from commonplace.core.extract.kind_guess import own_opinion


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("I prefer rye", True),
        ("we would rather meet on Mondays", True),
        ("jeg foretrækker rugbrød", True),
        ("我更喜欢绿茶", True),
        ("紅茶の方が好きです", True),
        ("मुझे चाय पसंद है", True),
        ("plays the cello on Saturday at 19:30; Peter wants two seats.", False),
        ("the boiler man comes on December 3 and wants the light to work", False),
        ("can you remember things better than I do", False),
        ("do I like rye?", False),
        ("你喜欢绿茶吗？", False),
        ("I came at nine", False),
    ],
)
def test_an_opinion_of_the_speaker_is_told_from_other_statements(said: str, own: bool) -> None:
    assert own_opinion(said) is own
