"""A heading with only the name of its file or entity takes no place of a line with content."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write

TODAY = date(2026, 11, 23)
FILES = {
    "MEMORY.md": "# Memory\n",
    "DOMAINS.md": "# DOMAINS.md - Where things are\n\n- example.org is the shop of Nadia.\n",
    "bank/entities/Nadia.md": "# Nadia\n\nPlays the cello.\n",
    "bank/entities/The-Castle.md": "---\naliases: [城堡]\n---\n# The Castle\n\n- The north tower has a new roof.\n",
    "bank/entities/小美.md": "# 小美\n\n在成都开茶馆。\n",
    "bank/world.md": "# World\n",
    "memory/2026-11-10.md": "# 2026-11-10\n\n## Nadia\n\n- The cello was repaired by Ole.\n\n"
    "## Guests\n\n### Nadia\n\n## Retain\n- W @Nadia: Sold the boat to Ole.\n- W @Nadia: Works in memory research.\n",
}
TITLES = {
    "MEMORY.md#L1",
    "DOMAINS.md#L1",
    "bank/entities/Nadia.md#L1",
    "bank/entities/The-Castle.md#L4",
    "bank/entities/小美.md#L1",
    "bank/world.md#L1",
    "memory/2026-11-10.md#L1",
    "memory/2026-11-10.md#L3",
}


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace(FILES)), today=TODAY) as opened:
        yield opened


def places(memory: Memory, question: str, k: int = 10) -> list[str]:
    return [str(place) for hit in memory.recall(question, k=k).hits for place in (hit.line.source, *hit.also)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Nadia", "bank/entities/Nadia.md#L3"),
        ("who is Nadia?", "bank/entities/Nadia.md#L3"),
        ("what does Nadia do?", "memory/2026-11-10.md#L13"),
        ("memory research", "memory/2026-11-10.md#L13"),
        ("where are domains?", "DOMAINS.md#L3"),
        ("tell me about The Castle", "bank/entities/The-Castle.md#L6"),
        ("介绍一下小美", "bank/entities/小美.md#L3"),
        ("what about 2026-11-10?", "memory/2026-11-10.md#L12"),
    ],
)
def test_where_a_line_has_content_no_title_is_a_hit(memory: Memory, question: str, expected: str) -> None:
    found = places(memory, question)
    assert expected in found
    assert TITLES.isdisjoint(found)
    for k in range(1, len(found)):
        assert places(memory, question, k) == found[:k]


@pytest.mark.parametrize(
    ("question", "title"), [("world", "bank/world.md#L1"), ('"The Castle"', "bank/entities/The-Castle.md#L4")]
)
def test_a_title_is_a_hit_if_nothing_else_matches(memory: Memory, question: str, title: str) -> None:
    assert places(memory, question) == [title]


def test_a_name_below_a_heading_that_answers_is_content(memory: Memory) -> None:
    assert "memory/2026-11-10.md#L9" in places(memory, "is Nadia one of the guests?")
