"""How a question is read is noted, of the last few questions."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.memory import Memory
from commonplace.ops.recall.question_reading import read_question

if TYPE_CHECKING:
    from tests.conftest import Write

    from commonplace.store.sqlite import Index

TODAY = date(2026, 3, 9)


def test_a_question_is_read_once_and_only_the_last_ones_are_kept(workspace: Write) -> None:
    def ask(index: Index) -> None:
        first = read_question(index, "what did Anna say?", today=TODAY)
        assert read_question(index, "what did Anna say?", today=TODAY) is first
        before = len(index.noted())
        for number in range(100):
            read_question(index, f"what did Anna say about pier {number}?", today=TODAY)
        assert len(index.noted()) == before
        assert len(index.noted()["read"]) < 10
        assert read_question(index, "what did Anna say?", today=date(2026, 3, 10)) is not first

    with Memory(str(workspace({"memory/2026-03-01.md": "- met Anna at the pier\n"})), today=TODAY) as memory:
        memory._access.reads(ask)
