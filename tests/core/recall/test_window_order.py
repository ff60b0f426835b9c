"""What of a day is told: sentences of every script, and no labels, counters or paths."""

from __future__ import annotations

import pytest

from commonplace.core.recall.window_order import tells

TOLD = (
    "2026-03-27: Went to see the harbour.",
    "2026-03-27：去了医院。",
    "2026年3月27日去了医院",
    "今天和爸爸去医院看病",
    "今日：港まで歩いて魚を買った",
    "14:30: Zahnarzt",
    "Моторная лодка: продана соседу с третьего этажа",
)
NOT_TOLD = (
    "Status: done",
    "Steps: 4,200 steps",
    "Duration: 14:00 - 15:30",
    "Model: tern-4-mini",
    "src/harbour/tides.py",
    "状态：完成了",
    "天气：晴天",
    "Погода: солнечно",
    "Next steps for the boat:",
)


@pytest.mark.parametrize("text", TOLD)
def test_a_sentence_tells_something_in_every_script(text: str) -> None:
    assert tells(text)


@pytest.mark.parametrize("text", NOT_TOLD)
def test_a_label_a_counter_or_a_path_tells_nothing(text: str) -> None:
    assert not tells(text)
