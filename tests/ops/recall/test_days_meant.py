"""Of days without a year, whose verb does not say which are meant, those are of which there are lines."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.model import Span
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 5, 13)  # a Wednesday
AHEAD = {
    "memory/2026-05-09.md": "# 2026-05-09\n\n- The ferry leaves on 11 July.\n- The sweep comes on Friday 15 May.\n"
}
BACK = {
    "memory/2025-07-11.md": "# 2025-07-11\n\n- Oskar repaired the boat.\n",
    "memory/2026-05-08.md": "# 2026-05-08\n\n- Bought a lamp for the boat.\n",
}
JULY, LAST_JULY = date(2026, 7, 11), date(2025, 7, 11)


def days(memory: Memory, question: str) -> Span:
    found = memory.explain(question)
    assert found.when is not None
    return found.when.span


def one(day: date) -> Span:
    return Span(day, day)


UNSAID = [
    "what do I have on 11 July?",
    "what is on 11 July?",
    "am I free on 11 July?",
    "hvad sker der den 11. juli?",
    "hvad har vi den 11. juli?",
    "7月11日に何がある?",
    "7月11日会发生什么？",
    "7月11日會發生什麼？",
    "что у нас 11 июля?",
    "11 जुलाई को क्या है?",
]


@pytest.mark.parametrize("question", UNSAID)
def test_the_day_to_come_is_meant_where_the_lines_have_that_one(workspace: Write, question: str) -> None:
    memory = Memory(str(workspace(AHEAD)), today=TODAY)
    assert days(memory, question) == one(JULY)
    assert "The ferry leaves on 11 July." in [hit.line.content for hit in memory.recall(question).hits]
    assert "2025" not in memory.recall(question).note


@pytest.mark.parametrize("question", [each for each in UNSAID if "會" not in each])
def test_the_day_that_was_is_meant_where_the_lines_have_that_one(workspace: Write, question: str) -> None:
    assert days(Memory(str(workspace(BACK)), today=TODAY), question) == one(LAST_JULY)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what did we do on 11 July?", LAST_JULY),
        ("what happened on 11 July?", LAST_JULY),
        ("hvad lavede vi den 11. juli?", LAST_JULY),
        ("7月11日に何をした？", LAST_JULY),
        ("что было 11 июля?", LAST_JULY),
        ("what will we do on 11 July?", JULY),
        ("what will happen on 11 July?", JULY),
        ("hvad vil ske den 11. juli?", JULY),
        ("что будет 11 июля?", JULY),
    ],
)
@pytest.mark.parametrize("files", [AHEAD, BACK])
def test_a_verb_decides_before_the_lines(workspace: Write, files: dict[str, str], question: str, day: date) -> None:
    assert days(Memory(str(workspace(files)), today=TODAY), question) == one(day)


def test_what_the_question_says_in_full_has_no_other_day(workspace: Write) -> None:
    memory = Memory(str(workspace(AHEAD)), today=TODAY)
    for question in ("what is on 11 July 2025?", "what is on last Friday?", "notes of this month"):
        assert memory.explain(question).or_else is None
    assert days(memory, "what is on 11 July 2025?") == one(LAST_JULY)


def test_where_no_line_or_both_have_it_the_nearer_is_meant_and_both_are_named(workspace: Write) -> None:
    memory = Memory(str(workspace({**AHEAD, **BACK})), today=TODAY)
    bundle = memory.recall("what is on Friday?")
    assert days(memory, "what is on Friday?") == one(date(2026, 5, 15))
    assert bundle.note == "“on Friday” is read as 2026-05-15, not 2026-05-08"
    assert days(memory, "what is on 3 August?") == one(date(2026, 8, 3))
    assert (
        memory.recall("what is on 3 August?").note == "nothing found for “on 3 August” (2026-08-03); nor for 2025-08-03"
    )


def test_lines_that_were_not_yet_known_do_not_decide_which_days_are_meant(workspace: Write) -> None:
    later = {"memory/2026-05-20.md": "# 2026-05-20\n\n- The ferry leaves on 11 July.\n"}
    memory = Memory(str(workspace({**BACK, **later})), today=date(2026, 5, 21))
    found = memory.recall("what is on 11 July?", as_of="2026-05-13")
    assert [hit.line.content for hit in found.hits] == ["Oskar repaired the boat."]


def test_a_note_on_other_days_does_not_deny_the_lines_that_a_filter_leaves_out(workspace: Write) -> None:
    both = {**AHEAD, "memory/2025-07-11.md": "# 2025-07-11\n\n- Oskar repaired the boat.\n"}
    memory = Memory(str(workspace(both)), today=TODAY)
    note = memory.recall("what is on 11 July?", kinds=("opinion",)).note
    assert "nor for" not in note
    assert "is read as 2026-07-11, not 2025-07-11" in note


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what do I have on Friday?", date(2026, 5, 15)),
        ("am I free on Friday?", date(2026, 5, 15)),
        ("周五有什么安排？", date(2026, 5, 15)),
        ("金曜に何かある?", date(2026, 5, 15)),
        ("что у меня в пятницу?", date(2026, 5, 15)),
        ("शुक्रवार को क्या करना है?", date(2026, 5, 15)),
        ("what did I do on Friday?", date(2026, 5, 8)),
        ("что я делал в пятницу?", date(2026, 5, 8)),
        ("what do we have from Friday?", date(2026, 5, 8)),
        ("do I have notes of Friday?", date(2026, 5, 8)),
        ("har vi planer fra fredag?", date(2026, 5, 8)),
        ("周五的记录有什么事？", date(2026, 5, 8)),
        ("金曜のメモに何がある?", date(2026, 5, 8)),
        ("что у меня записано за пятницу?", date(2026, 5, 8)),
    ],
)
def test_plans_are_of_the_day_to_come_and_what_is_kept_is_of_the_last(
    workspace: Write, question: str, day: date
) -> None:
    memory = Memory(str(workspace({"memory/2026-05-08.md": "- Painted the fence"})), today=TODAY)
    assert memory.explain(question).when is not None
    assert memory.explain(question).when.span == one(day)  # type: ignore[union-attr]
