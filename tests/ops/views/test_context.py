"""The context of a turn over real files: what a core and a recall make of one budget."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace import Memory
from commonplace.core.agent.core_blocks import shows

if TYPE_CHECKING:
    from tests.conftest import Write

    from commonplace.core.model import Citation

EXAMPLE = Path(__file__).parents[3] / "examples" / "workspace"


def test_more_budget_never_tells_less(workspace: Write) -> None:
    """What was recalled is recalled with more budget, too, or stands in what the core shows by then."""
    core = "# Memory\n\n" + "".join(f"- Peter keeps the key of room {number} in Vienna.\n" for number in range(12))
    log = "## Retain\n" + "".join(f"- W @Peter: Lost the key of locker {number} in Vienna.\n" for number in range(12))
    root = workspace({"MEMORY.md": core, "memory/2026-01-30.md": log})
    with Memory(str(root), today=date(2026, 2, 1)) as memory:
        before: set[Citation] = set()
        for budget in range(1, 1_400, 7):
            found = memory.context("which key did Peter lose in Vienna?", budget=budget)
            told = {hit.line.source for hit in found.bundle.hits}
            assert all(each in told or shows(found.core, each) for each in before), budget
            assert found.tokens <= budget
            before = told
        assert len(before) == 10


def test_recall_does_not_starve_behind_the_core(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "workspace")
    with Memory(str(tmp_path / "workspace"), today=date(2025, 12, 1)) as memory:
        asked = "who is allergic to something? where is Peter?"
        hits = [len(memory.context(asked, budget=budget).bundle.hits) for budget in range(150, 1_300, 10)]
        assert hits == sorted(hits)
        assert hits[0] >= 1 and hits[-1] == 10


def test_the_core_is_the_same_whatever_the_fence_is_called(workspace: Write) -> None:
    root = workspace({"MEMORY.md": "- one more line\n" * 100, "memory/2026-01-30.md": "- Rain in Vienna.\n"})
    with Memory(str(root), today=date(2026, 2, 1)) as memory:
        for budget in range(300, 330):
            assert len({memory.context("rain in Vienna?", budget=budget).core.text for _ in range(5)}) == 1
