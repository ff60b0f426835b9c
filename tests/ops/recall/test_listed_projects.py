"""Which projects there are is told by the lists of them, and by the notes in their folder."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.entities.introductions import lists_projects
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 3, 12)


def told(workspace: Write, question: str, files: dict[str, str]) -> list[str]:
    with Memory(str(workspace(files)), today=TODAY) as memory:
        return [each.line.content for hit in memory.recall(question).hits for each in (hit, *hit.beside)]


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("Which projects am I working on?", "Active projects"),
        ("What are our current projects?", "Projects"),
        ("Hvilke projekter arbejder jeg på?", "Aktive projekter"),
        ("我在做哪些项目？", "当前项目"),
        ("我有哪些專案？", "專案列表"),
        ("どのプロジェクトに取り組んでいますか", "プロジェクト一覧"),
        ("किन परियोजनाओं पर काम कर रहा हूँ?", "परियोजनाएँ"),
        ("Над какими проектами я работаю?", "Проекты"),
    ],
)
def test_lists_and_notes_of_projects_are_found(workspace: Write, question: str, heading: str) -> None:
    files = {
        "MEMORY.md": f"# Memory\n\n## {heading}\n\n- **Tide Relay:** a buoy\n\n### Harbour Lamp\n\n## Food\n\n- soup\n",
        "memory/projects/net-mender.md": "# Net Mender\n\n- for Ebbe\n",
        "memory/2026-03-10.md": f"# 2026-03-10\n\n- Working late: {question}\n",
    }
    found = told(workspace, question, files)
    assert {"**Tide Relay:** a buoy", "Harbour Lamp", "Net Mender"} == {*found[:3]}
    assert "soup" not in found


def test_what_reports_list_is_no_project_of_ours(workspace: Write) -> None:
    logs = {f"memory/2026-03-0{day}.md": f"# 2026-03-0{day}\n\nThe gate, day {day}.\n" for day in range(1, 6)}
    read = {f"memory/news/2026-03-0{day}.md": f"# News\n\n## Projects\n\n- Buoy {day}\n" for day in range(1, 6)}
    found = told(workspace, "what are my projects?", {**logs, **read, "PROJECTS.md": "# Projects\n\n- Tide Relay\n"})
    assert found[0] == "Tide Relay"


def test_a_question_about_something_is_not_for_all_projects(workspace: Write) -> None:
    files = {"MEMORY.md": "# Memory\n\n## Projects\n\n- **Tide Relay:** a buoy\n- **Lamp:** runs on diesel\n"}
    assert told(workspace, "Which projects run on diesel?", files)[0] == "**Lamp:** runs on diesel"


@pytest.mark.parametrize("heading", ["Project notes", "Projection", "", "项目经理", "The projects of all other people"])
def test_other_headings_list_none(heading: str) -> None:
    assert not lists_projects(heading)
