"""Where there is no workspace: nothing is made, and what to do is said, to each in their own terms."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.doors.verbs import VERBS

if TYPE_CHECKING:
    from pathlib import Path

READING = (
    "recall x",
    "recall - --json",
    "recall --since 7d",
    "status",
    "check",
    "index",
    "core",
    "context hello",
    "get MEMORY.md",
    "show k7f3qa",
    "entity Peter",
    "opinions",
    "review",
    "judge",
    "reflect",
    "reflect --dry-run",
    "reflect --log",
    "watch",
)


def run(folder: Path, home: Path, words: str) -> subprocess.CompletedProcess[str]:
    """One command as a stranger types it: their home, their folder, and no other setting."""
    return subprocess.run(
        [sys.executable, "-m", "commonplace", *shlex.split(words)],
        cwd=folder,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Somebody's folder that has nothing to do with us."""
    (tmp_path / "elsewhere" / "src").mkdir(parents=True)
    (tmp_path / "elsewhere" / "src" / "main.c").write_text("int main() {}\n")
    return tmp_path / "elsewhere"


def everything(*folders: Path) -> set[Path]:
    return {path for folder in folders for path in folder.rglob("*")}


@pytest.mark.parametrize("words", READING)
def test_a_verb_that_reads_makes_nothing_in_a_named_folder_that_is_no_workspace(
    words: str, folder: Path, home: Path
) -> None:
    before = everything(folder, home)
    done = run(folder, home, f"{words} --workspace .")
    assert done.returncode == 1
    assert f"{folder} is no workspace" in done.stderr and "commonplace init DIR" in done.stderr
    assert everything(folder, home) == before


@pytest.mark.parametrize("words", ["recall x", "status", "retain 'W: Tea.'", "watch"])
def test_without_openclaw_nothing_is_said_of_it(words: str, folder: Path, home: Path) -> None:
    before = everything(folder, home)
    done = run(folder, home, words)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "no workspace was found" in said and "commonplace init DIR" in said and "--workspace DIR" in said
    assert "openclaw" not in said.casefold()
    assert everything(folder, home) == before


def test_with_openclaw_its_missing_workspace_is_named(folder: Path, home: Path) -> None:
    (home / ".openclaw").mkdir()
    done = run(folder, home, "recall x")
    assert done.returncode == 1
    assert f"there is no folder {home}/.openclaw/workspace" in done.stderr


def test_a_folder_of_any_markdown_may_be_pointed_at(folder: Path, home: Path) -> None:
    (folder / "src" / "notes.md").write_text("The boiler was serviced in May.\n")
    done = run(folder, home, "recall boiler --workspace .")
    assert done.returncode == 0 and "src/notes.md#L1" in done.stdout


def test_a_verb_that_writes_starts_a_memory_in_a_named_folder(folder: Path, home: Path) -> None:
    assert run(folder, home, "retain 'W @Peter: Drinks tea.' --workspace .").returncode == 0
    assert "Drinks tea." in run(folder, home, "recall tea --workspace .").stdout


def test_explain_needs_no_workspace_and_makes_none(folder: Path, home: Path) -> None:
    before = everything(folder, home)
    assert run(folder, home, "explain tea --workspace .").returncode == 0
    assert everything(folder, home) == before


def test_a_library_s_recall_is_empty_until_something_is_there(tmp_path: Path) -> None:
    with Memory(str(tmp_path)) as memory:
        assert memory.recall("tea").status == "empty"
        assert memory.status().files == 0
        assert list(tmp_path.iterdir()) == []
        (tmp_path / "MEMORY.md").write_text("- Peter drinks tea.\n")
        assert [str(hit.fact.source) for hit in memory.recall("tea").hits] == ["MEMORY.md#L1"]
        assert (tmp_path / ".memory" / "index.sqlite").exists()


def test_every_verb_that_may_start_a_memory_writes() -> None:
    assert {verb.name for verb in VERBS if verb.begins} == {"init", "retain", "append", "import", "hook"}
