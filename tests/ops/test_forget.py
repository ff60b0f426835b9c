"""Forget: not one byte of a fact stays in the folder; what a person wrote elsewhere does."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import NotFound
from commonplace.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

FILES = {
    "memory/2025-11-27.md": """# Day

A quiet day.

## Retain

- W @Peter: The xanaduword stands in the cellar. ^forget1
- W @Peter: Lives in Vienna.
- O(c=0.9) @Peter: Prefers the quuxtea over coffee. ^forget2
""",
    "memory/2025-11-28.md": """## Retain

- W @Peter: It was moved to the attic. <!-- cp: supersedes=^forget1 src=mail:Ann -->
- O(c=0.8) @Peter: Prefers the quuxtea over coffee.
- W @Peter: Sold the boat. <!-- cp: supersedes=^forget1 --> ^boat12
""",
}


def holding(root: Path, word: str) -> list[str]:
    return sorted(
        str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and word.encode() in path.read_bytes()
    )


def test_no_byte_of_a_forgotten_fact_stays(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        memory.retract("forget1", reason="gone")
        memory.reflect()
        assert len(holding(root, "xanaduword")) > 2
        done = memory.forget("^forget1")
        assert done.elsewhere == ()
        assert memory.check() == ()
    assert holding(root, "xanaduword") == []
    text = (root / "memory/2025-11-27.md").read_text()
    assert text == FILES["memory/2025-11-27.md"].replace(
        "- W @Peter: The xanaduword stands in the cellar. ^forget1\n", ""
    )
    later = (root / "memory/2025-11-28.md").read_text()
    assert "- W @Peter: It was moved to the attic. <!-- cp: src=mail:Ann -->\n" in later
    assert "- W @Peter: Sold the boat. ^boat12\n" in later


def test_an_opinion_keeps_what_other_facts_say(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        memory.forget("forget2")
        assert memory.recall("quuxtea").hits, "the same was said on another day"
        memory.reflect()
        assert "^forget2" not in (root / "bank/opinions.md").read_text()
        assert memory.reflect().patches == ()


def test_a_line_of_a_persons_own_is_told_and_left(workspace: Write) -> None:
    root = workspace({**FILES, "MEMORY.md": "# Core\n\n- The xanaduword stands in the cellar.\n"})
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        done = memory.forget("forget1")
        assert [str(place) for place in done.elsewhere] == ["MEMORY.md#L3"]
    assert holding(root, "xanaduword") == [".memory/index.sqlite", "MEMORY.md"]


def test_what_is_not_there_cannot_be_forgotten(workspace: Write) -> None:
    with Memory(str(workspace(FILES))) as memory, pytest.raises(NotFound):
        memory.forget("nothere")
