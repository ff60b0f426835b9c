"""*Replaced?* of plain lines: asked, accepted, rejected, and remembered by the review page alone."""

from __future__ import annotations

import shutil
from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.model import Citation
from commonplace.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

TODAY = date(2026, 1, 20)
OLD, NEW = Citation("memory/2026-01-05.md", 3), Citation("memory/2026-01-16.md", 3)
FILES = {
    OLD.path: "# 2026-01-05\n\n- **Poster fonts**: Sora and Inter for all print\n",
    NEW.path: "# 2026-01-16\n\n- Poster fonts: Sora and Karla, chosen with Ida\n",
}


@pytest.fixture
def folder(workspace: Write) -> Path:
    return workspace(FILES)


def _reflected(folder: Path) -> str:
    with Memory(str(folder), today=TODAY) as memory:
        memory.reflect(yes=True)
    page = folder / "bank/review.md"
    return page.read_text(encoding="utf-8") if page.exists() else ""


def _outdated_by(folder: Path) -> Citation | None:
    with Memory(str(folder), today=TODAY) as memory:
        return memory.show(str(OLD)).outdated_by


def test_both_lines_are_asked_about_with_days_and_links_and_nothing_follows(folder: Path) -> None:
    page = _reflected(folder)
    (asked,) = (line for line in page.split("\n") if " ^l-" in line)
    assert asked.startswith(
        "- [ ] “Poster fonts: Sora and Karla, chosen with Ida” ([2026-01-16](../memory/2026-01-16.md))"
    )
    assert (
        "replaces “**Poster fonts**: Sora and Inter for all print” ([2026-01-05](../memory/2026-01-05.md)) ^l-" in asked
    )
    assert page.count(" ^l-") == 1
    assert _outdated_by(folder) is None


def test_an_accepted_one_marks_the_older_line_also_without_the_index(folder: Path) -> None:
    page = _reflected(folder)
    (asked,) = (line for line in page.split("\n") if " ^l-" in line)
    path = folder / "bank/review.md"
    path.write_text(page.replace(asked, asked.replace("[ ]", "[x]")), encoding="utf-8")
    assert _outdated_by(folder) == NEW
    decided = _reflected(folder)
    assert "## Replaced?" not in decided
    assert asked.replace("[ ]", "[x]") in decided
    assert _reflected(folder) == decided
    shutil.rmtree(folder / ".memory")
    assert _outdated_by(folder) == NEW
    with Memory(str(folder), today=TODAY) as memory:
        (older,) = (hit for hit in memory.recall("poster fonts Inter").hits if hit.line.source == OLD)
        assert older.outdated_by == NEW
        assert not memory.review().changes


def test_a_rejected_or_deleted_one_is_never_asked_again_also_without_the_index(folder: Path) -> None:
    page = _reflected(folder)
    (asked,) = (line for line in page.split("\n") if " ^l-" in line)
    for changed in (page.replace(asked, asked.replace("[ ]", "[-]")), page.replace(f"{asked}\n", "")):
        (folder / "bank/review.md").write_text(changed, encoding="utf-8")
        _reflected(folder)
        shutil.rmtree(folder / ".memory")
        assert "- [ ] “Poster" not in _reflected(folder)
        assert _outdated_by(folder) is None


def test_the_packet_asks_it_and_a_list_of_answers_answers_it(folder: Path) -> None:
    with Memory(str(folder), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().changes
        assert asked.id in memory.packet().text
        heard = memory.hear(f"{asked.id} edit other words")
        assert "accept or reject" in heard.lines[0].problem
        heard = memory.hear(f"{asked.id} accept # Ida chose it")
        assert heard.answered is not None
        assert [each.outcome for each in heard.answered.answers] == ["done"]
        assert memory.show(str(OLD)).outdated_by == NEW
        assert not memory.reflect().patches


def test_what_a_rule_marks_already_is_not_asked(workspace: Write) -> None:
    told = {path: text.replace("Karla, chosen with Ida", "Karla (not Sora and Inter)") for path, text in FILES.items()}
    folder = workspace(told)
    assert _outdated_by(folder) == NEW
    assert " ^l-" not in _reflected(folder)


def test_a_line_that_is_gone_marks_nothing(folder: Path) -> None:
    page = _reflected(folder)
    (folder / "bank/review.md").write_text(page.replace("- [ ] “Poster", "- [x] “Poster"), encoding="utf-8")
    (folder / NEW.path).write_text("# 2026-01-16\n\n- Poster fonts: Sora alone\n", encoding="utf-8")
    assert _outdated_by(folder) is None
