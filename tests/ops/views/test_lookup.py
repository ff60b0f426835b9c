"""The list of who and what is known."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory
from commonplace.ops.views.lookup import KnownEntity, RecordedDay

if TYPE_CHECKING:
    from tests.conftest import Write


def test_entities_lists_who_and_what_is_known_by_days(workspace: Write) -> None:
    files = {
        "memory/2025-11-03.md": "- @Petra met Torsten Wieland about the sloop.\n",
        "memory/2025-11-05.md": "- We saw @Petra and Torsten Wieland again.\n- Status: done\n",
        "memory/2025-11-06.md": "- @Petra said goodbye.\n- @Zoe wrote <!-- cp: src=web:example.org -->\n",
        "bank/entities/Sloop.md": "---\naliases: [the boat]\nkind: ketch\n---\n# Sloop\n",
    }
    with Memory(str(workspace(files))) as memory:
        found = memory.entities()
    days = date(2025, 11, 3), date(2025, 11, 6), date(2025, 11, 5)
    assert found == (
        KnownEntity("Petra", "person", (), None, 3, days[0], days[1]),
        KnownEntity("Torsten Wieland", None, (), None, 2, days[0], days[2]),
        KnownEntity("Sloop", "ketch", ("the boat",), "bank/entities/Sloop.md", 0, None, None),
    )


def test_the_alias_of_one_entity_is_no_other_and_its_days_count(workspace: Write) -> None:
    files = {
        "memory/2025-11-03.md": "- We met Torsten Wieland and Ann Lee about the sloop.\n",
        "memory/2025-11-05.md": "- We saw Torsten Wieland, and Ann Lee called.\n",
        "memory/2025-11-06.md": "- @Torsten said goodbye to @Ann.\n",
        "bank/entities/Torsten.md": "---\naliases: [Torsten Wieland]\n---\n# Torsten\n",
        "bank/entities/Ann.md": "---\naliases: [Ann Lee]\n---\n# Ann\n",
        "bank/entities/Anna.md": "---\naliases: [Ann Lee]\n---\n# Anna\n",
    }
    with Memory(str(workspace(files))) as memory:
        found = {each.name: each.days for each in memory.entities()}
    assert found == {"Torsten": 3, "Ann Lee": 2, "Ann": 1, "Anna": 0}  # which of two she is nothing tells


DAYS = {
    "memory/2025-11-03.md": "# Monday\n\n- We met Torsten.\n- W @Petra: Bought a sloop.\n\n```\ncode\n```\n",
    "memory/notes/2025-11-03-harbour.md": "The harbour is full.\n",
    "memory/2025-11-05.md": "- The mast broke.\n",
    "memory/2025-11-06.md": "# Thursday\n",
    "bank/opinions.md": "# Opinions\n\n- Nothing yet.\n",
    "MEMORY.md": "- Peter is to be asked.\n",
}


def test_days_counts_lines_and_facts_of_each_day_oldest_first(workspace: Write) -> None:
    with Memory(str(workspace(DAYS))) as memory:
        found = memory.days()
        memory.reflect(yes=True)  # its pages record nothing
        assert memory.days() == found
    assert found == (
        RecordedDay(date(2025, 11, 3), 3, 1, ("memory/2025-11-03.md", "memory/notes/2025-11-03-harbour.md")),
        RecordedDay(date(2025, 11, 5), 1, 0, ("memory/2025-11-05.md",)),
    )


def test_a_file_with_two_parts_of_one_day_is_named_once(workspace: Write) -> None:
    parts = "## 2025-11-05\n- Two masts.\n## Later\n- Sails.\n## 2025-11-05\n- A keel.\n"
    with Memory(str(workspace({"memory/plans.md": parts}))) as memory:
        assert [each.files for each in memory.days()] == [("memory/plans.md",)]


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2025-11-03", None, [3, 5]),
        ("2025-11-04", None, [5]),
        (None, "2025-11-04", [3]),
        ("2025-11", "2025-11", [3, 5]),
        (date(2025, 11, 5), date(2025, 11, 5), [5]),
        ("2d", None, []),
    ],
)
def test_days_within_a_range_includes_both_ends(
    workspace: Write, since: str | date | None, until: str | date | None, expected: list[int]
) -> None:
    with Memory(str(workspace(DAYS)), today=date(2025, 12, 1)) as memory:
        assert [each.day.day for each in memory.days(since=since, until=until)] == expected


def test_days_leaves_out_conflict_copies(workspace: Write) -> None:
    copy = "memory/2025-11-05.sync-conflict-20251106-101112-ABCDEFG.md"
    with Memory(str(workspace({**DAYS, copy: DAYS["memory/2025-11-05.md"]}))) as memory:
        assert memory.days(since="2025-11-05")[0].files == ("memory/2025-11-05.md",)
