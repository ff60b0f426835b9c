"""Plain lines outdated by newer ones: in show, in recall and on pages, whoever said them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.model import Citation
from commonplace.core.recall.packing import hit_text
from commonplace.memory import Memory
from commonplace.ops.recall.conflicting_facts import OUTDATES

if TYPE_CHECKING:
    from tests.conftest import Write

OLD, NEW = Citation("memory/2025-11-03.md", 1), Citation("memory/2025-11-20.md", 1)
FILES = {OLD.path: "- Nightly backup: running\n", NEW.path: "- Nightly backup: disabled\n"}


def test_show_marks_the_older_line(workspace: Write) -> None:
    with Memory(str(workspace(FILES))) as memory:
        assert memory.show(str(OLD)).outdated_by == NEW
        assert memory.show(str(NEW)).outdated_by is None


def test_a_box_that_was_ticked_outdates_the_open_one(workspace: Write) -> None:
    task = "Write the grant report for the harbour"
    with Memory(str(workspace({OLD.path: f"- [ ] {task}\n", NEW.path: f"- [x] {task}\n"}))) as memory:
        assert memory.show(str(OLD)).outdated_by == NEW


def test_what_somebody_else_said_outdates_nothing_of_the_author(workspace: Write) -> None:
    said = "- Nightly backup: disabled <!-- cp: src=web:example.org -->\n"
    with Memory(str(workspace(FILES | {NEW.path: said}))) as memory:
        assert memory.show(str(OLD)).outdated_by is None


def test_the_order_of_indexing_changes_nothing(workspace: Write) -> None:
    folder = workspace({NEW.path: FILES[NEW.path]})
    with Memory(str(folder)) as memory:
        memory.recall("nightly backup")
        (folder / OLD.path).write_text(FILES[OLD.path], encoding="utf-8")
        assert memory.show(str(OLD)).outdated_by == NEW
        (folder / NEW.path).unlink()
        assert memory.show(str(OLD)).outdated_by is None


def test_what_is_known_of_a_line_is_of_the_index_as_it_is_and_of_the_day_asked_about(workspace: Write) -> None:
    folder = workspace(FILES)
    with Memory(str(folder)) as memory:
        for _ in range(2):  # the second time it is noted
            assert memory.recall("nightly backup running").hits[1].outdated_by == NEW
            assert memory.recall("nightly backup running", as_of="2025-11-10").hits[0].outdated_by is None
        (folder / NEW.path).write_text("- Nightly backup: fine\n", encoding="utf-8")
        assert all(hit.outdated_by is None for hit in memory.recall("nightly backup running").hits)


def test_a_line_of_an_undated_file_that_begins_with_a_later_day_outdates_too(workspace: Write) -> None:
    notes = ["2025-11-21: Nightly backup: disabled", "2025-10-01: Tide table: disabled", "2025-99-01: Tide table: off"]
    logs = {OLD.path: "- Nightly backup: running\n- Tide table: running\n"}
    with Memory(str(workspace(logs | {"USER.md": "".join(f"- {note}\n" for note in notes)}))) as memory:
        assert memory.show(str(OLD)).outdated_by == Citation("USER.md", 1)
        assert memory.show(str(OLD._replace(line=2))).outdated_by is None


def test_a_current_file_without_days_corrects_and_does_nothing_else(workspace: Write) -> None:
    logs = {OLD.path: "- Berth fund: code 600019, 100 crowns\n- Tide table: running\n"}
    said = "- Berth fund: code 601318 (not 600019)\n- Tide table: disabled\n"
    with Memory(str(workspace(logs | {"USER.md": said, "notes/a.md": said}))) as memory:
        assert memory.show(str(OLD)).outdated_by == Citation("USER.md", 1)
        assert memory.show(str(OLD._replace(line=2))).outdated_by is None


@pytest.mark.parametrize("question", ["nightly backup", "is the nightly backup running?", "backup on 2025-11-03"])
def test_recall_leads_with_the_newer_line_unless_the_day_of_the_older_is_asked_for(
    workspace: Write, question: str
) -> None:
    with Memory(str(workspace(FILES))) as memory:
        found = {hit.line.source: (at, hit) for at, hit in enumerate(memory.recall(question).hits)}
        assert abs(found[NEW][0] - found[OLD][0]) == 1
        assert (found[NEW][0] < found[OLD][0]) == ("2025-11-03" not in question)
        assert found[OLD][1].outdated_by == NEW
        assert "outdated by memory/2025-11-20.md#L1" in hit_text(found[OLD][1])


def test_recall_brings_the_newer_line_that_has_none_of_the_words_asked_for(workspace: Write) -> None:
    logs = {OLD.path: "- Nightly backup: running from the cellar\n", NEW.path: "- Nightly backup: disabled\n"}
    with Memory(str(workspace(logs))) as memory:
        bundle = memory.recall("cellar", k=1)
        assert [hit.line.source for hit in bundle.hits] == [NEW]
        assert bundle.hits[0].why == (OUTDATES,)


def test_a_window_keeps_the_order_of_days(workspace: Write) -> None:
    logs = {OLD.path: "- Nightly backup: running on the attic server\n"}
    logs[NEW.path] = "- Nightly backup: disabled, because the attic was flooded\n"
    with Memory(str(workspace(logs))) as memory:
        told = memory.recall("what happened in November 2025, oldest first?").hits
        assert [(hit.line.source, hit.outdated_by) for hit in told] == [(OLD, NEW), (NEW, None)]


def test_what_a_person_says_in_a_chat_is_no_state_of_the_person(workspace: Write) -> None:
    said = {
        OLD.path: "- Kim: The tide table is on the wall.\n- Lea: Good.\n- Kim: Bye.\n- Lea: Bye.\n",
        NEW.path: "- Kim: This message was deleted.\n- Lea: Oh.\n- Kim: Sorry.\n- Lea: Fine.\n",
    }
    with Memory(str(workspace(said))) as memory:
        assert memory.show(str(OLD)).outdated_by is None


def test_pages_show_the_older_line_under_history(workspace: Write) -> None:
    logs = {
        "memory/2025-11-03.md": "- Harbour Watch: the lesson is to test the nightly backup before each release\n"
        "- Harbour Watch: decided to deploy with the key tide7\n",
        "memory/2025-11-10.md": "- Harbour Watch: always deploy from the main branch, never from a laptop\n",
        "memory/2025-11-20.md": "- Harbour Watch: deploy key changed from tide7 to reef9, because of a screenshot\n",
    }
    folder = workspace(logs | {"bank/entities/Harbour-Watch.md": "# Harbour Watch\n"})
    with Memory(str(folder), today=date(2025, 11, 21)) as memory:
        memory.reflect(yes=True)
        page = (folder / "bank/entities/Harbour-Watch.md").read_text(encoding="utf-8")
    current, _, history = page.partition("## History\n")
    newer = "[2025-11-20](../../memory/2025-11-20.md)"
    assert f"key tide7 ([log](../../memory/2025-11-03.md), outdated by {newer})" in history
    assert "with the key tide7" not in current
    assert "from tide7 to reef9" in current
