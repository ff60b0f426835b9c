"""What is said of days of which nothing was recorded."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 11, 29)
RULE = "As of 2026-05-16, empty the bin every second Sunday."
FILES = {
    "rules.md": f"- {RULE}\n",
    "memory/2026-05-16.md": "## Retain\n- W @Mole: Lives in Ribe since 2026-05-16.\n",
    "memory/2026-07-23.md": "# 2026-07-23\n\n- The boiler was replaced by Gro.\n",
}
HAPPENED = [
    "what happened last month?",
    "what's new since last week?",
    "hvad skete der i sidste måned?",
    "上个月发生了什么？",
    "上個月發生了什麼？",
    "先月何があった？",
    "पिछले महीने क्या हुआ?",
    "что случилось в прошлом месяце?",
]


@pytest.fixture
def memory(workspace: Write) -> Memory:
    return Memory(str(workspace(FILES)), today=TODAY)


@pytest.mark.parametrize("question", HAPPENED)
def test_what_goes_on_did_not_happen_then_and_the_last_day_is_said(memory: Memory, question: str) -> None:
    bundle = memory.recall(question)
    assert not bundle.hits
    assert bundle.note.endswith("the last day recorded is 2026-07-23")


@pytest.mark.parametrize(
    "question", ["what was true last month?", "hvad gjaldt i sidste måned?", "先月は何が真実でしたか"]
)
def test_what_was_so_then_is_told(memory: Memory, question: str) -> None:
    assert "Lives in Ribe since 2026-05-16." in [hit.line.content for hit in memory.recall(question).hits]


@pytest.mark.parametrize("question", ["what happened in May 2026?", "what happened in July 2026?"])
def test_of_days_with_lines_the_last_one_is_not_said(memory: Memory, question: str) -> None:
    bundle = memory.recall(question)
    assert bundle.hits
    assert "last day" not in bundle.note


def test_what_begins_on_these_days_happened_then(memory: Memory) -> None:
    assert RULE in [hit.line.content for hit in memory.recall("what happened in May 2026?").hits]


def test_of_days_to_come_the_last_one_is_not_said(memory: Memory) -> None:
    assert "last day" not in memory.recall("what will happen next month?").note
