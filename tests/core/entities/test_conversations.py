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
        ({"來源": 2, "正確做法": 2, "觸發場景": 2}, 7, set()),
        ({"妈妈": 6, "王伟": 5}, 11, {"妈妈", "王伟"}),
        ({"价格": 9, "信号": 5, "方向": 4, "Anna": 2}, 22, set()),
        ({"Mood": 3, "Energy": 3}, 6, set()),
        ({"Price": 9, "Sector": 9, "Risk": 9}, 30, set()),
        ({"Zephyr": 9, "Goal": 4, "Steps": 6, "Effort": 5, "Risk": 5, "Owner": 2, "Deadline": 2}, 36, set()),
        ({"Ann": 9, "Mother": 4, "Doctor": 6}, 19, {"Ann", "Mother", "Doctor"}),
        ({"Name": 1, "Role": 1, "Status": 1, "Notes": 1}, 4, set()),
        ({"File": 2}, 40, set()),
        ({}, 10, set()),
    ],
)
def test_labels_are_speakers_only_in_a_conversation(turns: dict[str, int], lines: int, expected: set[str]) -> None:
    assert speakers(turns, lines) == expected


@pytest.mark.parametrize(
    ("turns", "lines", "asking", "expected"),
    [
        ({"elise": 9, "bob_42": 8}, 17, 3, {"elise", "bob_42"}),
        ({"Emi": 9, "elise": 8}, 17, 3, {"Emi", "elise"}),
        ({"маша": 3, "дима": 2}, 5, 1, {"маша", "дима"}),
        ({"ghost": 9, "elise": 8}, 17, 3, {"ghost", "elise"}),
        ({"mark": 9, "rose": 8}, 17, 3, {"mark", "rose"}),
        ({"elise": 9, "bob_42": 8}, 17, 0, set()),
        ({"cpu": 100, "mem": 100}, 200, 2, set()),
        ({"elise": 9, "bob_42": 8}, 60, 3, set()),
        ({"elise": 17}, 17, 3, set()),
        ({"elise": 16, "bob_42": 1}, 17, 3, set()),
        ({"fix": 8, "feat": 5, "docs": 3}, 16, 3, set()),
        ({"mood": 3, "energy": 3}, 6, 2, set()),
        ({"Ann": 3, "Bo": 2, "cpu": 1}, 6, 0, {"Ann", "Bo"}),
    ],
)
def test_labels_in_small_letters_are_speakers_where_several_take_turns_and_somebody_asks(
    turns: dict[str, int], lines: int, asking: int, expected: set[str]
) -> None:
    assert speakers(turns, lines, asking=asking) == expected
