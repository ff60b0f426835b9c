"""Which labels are speakers."""

from __future__ import annotations

import pytest

from commonplace.core.entities.conversations import speakers


@pytest.mark.parametrize(
    ("turns", "lines", "expected"),
    [
        ({"Ann": 3, "Bo": 2}, 5, {"Ann", "Bo"}),
        ({"Ann": 2, "Bo": 1}, 3, {"Ann"}),
        ({"Ann": 20, "Bo": 18}, 60, {"Ann", "Bo"}),
        ({"Ann": 20, "Bo": 18}, 90, set()),
        ({"Ann": 40, "Bo": 22, "Cai": 9, "Dot": 4}, 80, {"Ann", "Bo", "Cai", "Dot"}),
        ({"Ann": 8, "Ben": 8, "Cleo": 8}, 24, {"Ann", "Ben", "Cleo"}),
        ({"由纪": 5, "田中": 5}, 10, {"由纪", "田中"}),
        ({"现价": 5, "板块": 5, "风险": 5}, 16, set()),
        ({"妈妈": 6, "王伟": 5}, 11, {"妈妈", "王伟"}),
        ({"价格": 9, "信号": 5, "方向": 4, "Anna": 2}, 22, set()),
        ({"Mood": 3, "Energy": 3}, 6, set()),
        ({"Price": 9, "Sector": 9, "Risk": 9}, 30, set()),
        ({"Name": 1, "Role": 1, "Status": 1, "Notes": 1}, 4, set()),
        ({"File": 2}, 40, set()),
        ({}, 10, set()),
    ],
)
def test_labels_are_speakers_only_in_a_conversation(turns: dict[str, int], lines: int, expected: set[str]) -> None:
    assert speakers(turns, lines) == expected
