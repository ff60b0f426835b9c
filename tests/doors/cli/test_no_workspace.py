"""Where there is no workspace: nothing is made, and what to do is said, to each in their own terms."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.doors.table.verb_fields import Opens
from commonplace.doors.table.verb_table import VERBS

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


def run(folder: Path, home: Path, words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    """One command as a stranger types it: their home, their folder, and no other setting."""
    return subprocess.run(
        [sys.executable, "-m", "commonplace", *shlex.split(words)],
        cwd=folder,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        input=told,
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
    assert f"{folder} is not a workspace" in done.stderr and "commonplace init DIR" in done.stderr
    assert everything(folder, home) == before


@pytest.mark.parametrize("words", ["recall x", "status", "retain 'W: Tea.'", "watch"])
def test_without_openclaw_nothing_is_said_of_it(words: str, folder: Path, home: Path) -> None:
    before = everything(folder, home)
    done = run(folder, home, words)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "no workspace found" in said and "commonplace init ." in said and "--workspace DIR" in said
    assert "openclaw" not in said.casefold()
    assert everything(folder, home) == before


@pytest.mark.parametrize("words", ["init", "setup codex", "setup codex --write", "setup codex --write --http 8700"])
def test_what_makes_or_names_a_workspace_asks_which_one(words: str, folder: Path, home: Path) -> None:
    before = everything(folder, home)
    done = run(folder, home, words)
    assert done.returncode == 2 and done.stdout == ""
    assert "no workspace found" in done.stderr and "commonplace init ." in done.stderr
    assert "openclaw" not in done.stderr.casefold()
    assert everything(folder, home) == before


def test_a_worker_s_init_asks_which_one(folder: Path, home: Path) -> None:
    before = everything(folder, home)
    done = run(folder, home, "worker", '{"verb": "init"}\n')
    assert json.loads(done.stdout)["error"]["code"] == "usage"
    assert everything(folder, home) == before
    assert run(folder, home, "init .").returncode == 0
    assert json.loads(run(folder, home, "worker", '{"verb": "init"}\n').stdout)["result"]["workspace"] == str(folder)


def test_the_hint_of_a_missing_workspace_is_a_command_that_makes_it(folder: Path, home: Path) -> None:
    assert "commonplace init ." in run(folder, home, "recall tea").stderr
    assert run(folder, home, "init .").returncode == 0
    assert run(folder, home, "retain 'W: The kettle boils.'").returncode == 0
    assert "kettle" in run(folder, home, "recall kettle").stdout


def test_an_agent_s_name_without_openclaw_names_no_file_that_is_not_there(folder: Path, home: Path) -> None:
    done = run(folder, home, "--agent foo status")
    assert done.returncode == 2
    assert "there is no file" in done.stderr and "--workspace DIR" in done.stderr
    assert "agents: main" not in done.stderr


class TestAnotherIsUsed:
    """Standing in one workspace while another is used: that is said, once, on standard error."""

    @pytest.fixture
    def folder(self, folder: Path, home: Path) -> Path:
        (home / ".openclaw").mkdir()
        (home / ".openclaw" / "openclaw.json").write_text('{"agents": {"defaults": {"workspace": "~/claw"}}}')
        (home / "claw").mkdir()
        (folder / "MEMORY.md").write_text("- The boiler is in the cellar.\n")
        return folder

    @pytest.mark.parametrize("words", ["recall boiler", "retain 'W: Tea.'", "reflect", "init", "status --json"])
    def test_a_folder_beside_the_workspace_that_is_used_is_named(self, words: str, folder: Path, home: Path) -> None:
        (home / "claw" / "MEMORY.md").write_text("- The boat is red.\n")
        for here in (folder, folder / "src"):
            done = run(here, home, words)
            assert done.stderr.count(f"the workspace is {home}/claw (") == 1
            assert f"--workspace {folder}" in done.stderr

    def test_the_hint_gives_the_flag_that_takes_the_current_folder(self, folder: Path, home: Path) -> None:
        hint = run(folder, home, "init").stderr.splitlines()[1].partition(": ")[2]
        done = run(folder, home, f"recall boiler {hint}")
        assert "in the cellar" in done.stdout and done.stderr == ""

    def test_nothing_is_said_in_the_one_that_is_used_or_elsewhere(self, folder: Path, home: Path) -> None:
        (home / "claw" / "MEMORY.md").write_text("- The boat is red.\n")
        (home / "link").symlink_to(home / "claw")
        for here in (home / "claw", home / "link", home):
            assert run(here, home, "recall boat").stderr == ""
        assert run(folder, home, "recall boat --agent main").stderr == "", "it was asked for by name"


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
        assert [str(hit.line.source) for hit in memory.recall("tea").hits] == ["MEMORY.md#L1"]
        assert (tmp_path / ".memory" / "index.sqlite").exists()


def test_every_verb_that_may_start_a_memory_writes() -> None:
    assert {name for name, verb in VERBS.items() if verb.opens is Opens.FOLDER} == {
        "init",
        "retain",
        "append",
        "import",
        "hook",
    }
