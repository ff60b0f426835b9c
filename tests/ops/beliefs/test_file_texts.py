"""A reflect reads each file once, and thinks about what it read first."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import NotFound
from commonplace.memory import Memory
from commonplace.ops.beliefs.change_check import ReflectRequest
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.reflect import reflect
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from commonplace.store.workspace import Page

TODAY = date(2026, 2, 1)
FILES = {
    "MEMORY.md": "# Core\n\n- Mona is the owner.\n",
    "USER.md": "- **Name:** Mona\n",
    "memory/2025-11-27.md": "## Retain\n- O(c=0.95) @Mona: Prefers tea. ^tea1\n- W @Mona: Works at home. ^work\n",
    "memory/2025-12-04.md": "- We decided to rent the workshop.\n\n## Retain\n- W @Rolf: Rolf is a carpenter. ^rolf\n",
    "memory/2026-01-10.md": "## Retain\n- O(c=0.9) @Mona: Prefers tea. ^tea2\n- B @Rolf: I helped Rolf. ^help\n",
    "bank/entities/Rolf.md": "# Rolf\n\nMy neighbour.\n",
}


class CountedWorkspace(Workspace):
    """A workspace that counts its reads, those of files that are not there as well."""

    reads: Counter[str]

    def read(self, path: str) -> Page:
        self.reads[path] += 1
        return super().read(path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def reads(root: Path, asked: ReflectRequest, *, dry_run: bool = False) -> tuple[Counter[str], frozenset[str]]:
    """How often one reflect read each path, and which it wrote."""
    with Memory(str(root), today=TODAY) as memory:
        index = memory._access.fresh()
        counted = CountedWorkspace(str(root))
        counted.reads = Counter()
        done = reflect(index, counted, asked, dry_run=dry_run, sync=memory._access.fresh)
        return counted.reads, frozenset(patch.path for patch in done.patches)


def test_a_plan_reads_each_path_once(root: Path) -> None:
    found, planned = reads(root, ReflectRequest(TODAY, None, True), dry_run=True)
    assert found.keys() >= FILES.keys()
    assert planned
    assert set(found.values()) == {1}


def test_what_is_written_is_read_once_more(root: Path) -> None:
    for since in (None, date(2026, 1, 20)):
        found, written = reads(root, ReflectRequest(TODAY, since, True))
        assert written
        again = {path: count for path, count in found.items() if count != 1 and (root / path).exists()}
        assert again == dict.fromkeys(written, 2)
        with (root / "memory/2026-01-30.md").open("a", encoding="utf-8") as file:
            file.write("## Retain\n- W @Mona: Bought a sail. ^sail\n")


def test_what_was_read_first_stays(root: Path) -> None:
    texts = FileTexts(Workspace(str(root)))
    assert texts.text("MEMORY.md") == FILES["MEMORY.md"]
    (root / "MEMORY.md").write_text("Other words.\n", encoding="utf-8")
    assert texts.text("MEMORY.md") == FILES["MEMORY.md"]
    for _ in range(2):
        with pytest.raises(NotFound):
            texts.read("memory/2026-01-31.md")
        (root / "memory/2026-01-31.md").write_text("Late.\n", encoding="utf-8")
    assert texts.page("memory/2026-01-31.md") == ("", None, "")


def test_a_file_that_cannot_be_read_says_why(root: Path) -> None:
    (root / "bank/world.md").write_bytes(b"\xff\xfe\x00broken\xc3")
    text, digest, wrong = FileTexts(Workspace(str(root))).readable("bank/world.md")
    assert (text, digest) == ("", None)
    assert "UTF-8" in wrong
