"""A question of days finds the plain lines of other days that name them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 6, 15)
FERRY = "Booked the ferry to Anholt for 12 July, 06:30."
FILES = {
    "memory/2025-07-20.md": "# 2025-07-20\n\n- The old ferry sailed for the last time on 12 July.\n",
    "memory/2026-05-09.md": f"# 2026-05-09\n\n- {FERRY}\n- Twelve jars of July honey, 12 kr. each.\n",
    "memory/2026-06-02.md": "# 2026-06-02\n\n- Hytten er vores i uge 30.\n- The invoice of Gro: 2026-06-25 17:00.\n",
    "memory/2026-06-15.md": "# 2026-06-15\n\n- The piano tuner comes next week, and Gro on Tuesday.\n",
    "plans.md": "- The fair opens on 13 July 2026.\n",
}


@pytest.fixture
def memory(workspace: Write) -> Memory:
    return Memory(str(workspace(FILES)), today=TODAY)


def told(memory: Memory, question: str) -> list[str]:
    return [hit.line.content for hit in memory.recall(question).hits]


@pytest.mark.parametrize(
    "question",
    [
        "what is on 12 July?",
        "is anything on 2026-07-12?",
        "what will happen on July 12?",
        "hvad skal vi den 12. juli?",
        "7月12日に何をしますか？",
        "2026年7月12日有什么？",
        "12 जुलाई को क्या होगा?",
        "что будет 12 июля?",
    ],
)
def test_a_day_that_a_plain_line_names_is_found_in_any_language(memory: Memory, question: str) -> None:
    assert told(memory, question) == [FERRY]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("hvad sker der i uge 30?", "Hytten er vores i uge 30."),
        ("what will happen next week?", "The piano tuner comes next week, and Gro on Tuesday."),
        ("what will happen tomorrow?", "The piano tuner comes next week, and Gro on Tuesday."),
        ("what is on 13 July 2026?", "The fair opens on 13 July 2026."),
        ("what will we pay on 2026-06-25?", "The invoice of Gro: 2026-06-25 17:00."),
    ],
)
def test_so_is_a_week_a_weekday_and_an_undated_line(memory: Memory, question: str, line: str) -> None:
    assert line in told(memory, question)


@pytest.mark.parametrize("question", ["what will happen on 14 July?", "hvad skal vi den 14. juli?"])
def test_a_day_that_no_line_names_is_not(memory: Memory, question: str) -> None:
    assert told(memory, question) == []


def test_a_hit_says_which_day_it_names(memory: Memory) -> None:
    (hit,) = memory.recall("what will happen on 12 July?").hits
    assert "holds 2026-07-12" in hit.why
    assert hit.line.recorded == date(2026, 5, 9)


def test_what_was_not_known_yet_is_left_out(memory: Memory) -> None:
    assert not memory.recall("what will happen on 12 July?", as_of="2026-05-01").hits


def test_the_lines_of_the_days_themselves_come_first(workspace: Write) -> None:
    root = workspace({**FILES, "memory/2026-07-12.md": "# 2026-07-12\n\n- We sailed to Anholt in a storm.\n"})
    found = told(Memory(str(root), today=date(2026, 7, 20)), "what happened on 12 July?")
    assert found == ["We sailed to Anholt in a storm.", FERRY]


def test_days_that_are_over_speak_for_themselves_if_they_have_lines_enough(workspace: Write) -> None:
    own = "".join(f"- Sea of strength {number}, wind from the {side}.\n" for number in "3456" for side in "NSW")
    root = workspace({**FILES, "memory/2026-07-12.md": f"# 2026-07-12\n\n{own}"})
    bundle = Memory(str(root), today=date(2026, 7, 20)).recall("what happened on 12 July?", k=40)
    assert FERRY not in [hit.line.content for hit in bundle.hits]
