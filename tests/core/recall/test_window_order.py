"""What of a day is told: sentences of every script, and no labels, counters or paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commonplace.core.recall.window_order import LaterRows, in_turn, late_turns, tells

if TYPE_CHECKING:
    from collections.abc import Iterator

TOLD = (
    "2026-03-27: Went to see the harbour.",
    "2026-03-27：去了医院。",
    "2026年3月27日去了医院",
    "今天和爸爸去医院看病",
    "今日：港まで歩いて魚を買った",
    "14:30: Zahnarzt",
    "Dentist at 8:30",
    "| Boat check | 26 May, 8:30 | booked |",
    "牙医 5月26日 8:30",
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


def test_a_day_is_asked_for_when_its_first_turn_comes() -> None:
    days, asked = [[1, 2, 3], [4], [5, 6]], []

    def each() -> Iterator[list[int]]:
        for day in days:
            asked.append(day)
            yield day

    turns = late_turns(each())
    assert (next(turns), asked) == (1, days[:1])
    assert [1, *turns] == in_turn(days) == [1, 4, 5, 2, 6, 3]
    assert list(late_turns([])) == []


def test_no_more_rows_are_worked_out_than_are_asked_for() -> None:
    rows = iter([7, 1, 7, 2, 3, 4, 5, 6, 1])
    later = LaterRows(rows, but=[1])
    assert later.next(2) == [7, 2] == later.next(2)
    assert next(rows) == 3, "it was worked out"
    later.leave_out({2, 5})
    assert later.take(2) == [7, 4]
    assert later
    assert later.take(5) == [6]
    assert not later
    assert later.take(5) == []
