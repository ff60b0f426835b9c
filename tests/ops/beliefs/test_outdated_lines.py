"""Plain lines outdated by newer ones: in show, whoever said them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Citation
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

OLD, NEW = Citation("memory/2025-11-03.md", 1), Citation("memory/2025-11-20.md", 1)
FILES = {OLD.path: "- Nightly backup: running\n", NEW.path: "- Nightly backup: disabled\n"}


def test_show_marks_the_older_line(workspace: Write) -> None:
    with Memory(str(workspace(FILES))) as memory:
        assert memory.show(str(OLD)).outdated_by == NEW
        assert memory.show(str(NEW)).outdated_by is None


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
