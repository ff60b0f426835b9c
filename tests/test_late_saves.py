"""What a person saved at an odd moment: no line of it lies hidden, and whoever merges it says so, by every door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from commonplace import Memory
from commonplace.doors.tools import tool_calls
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG, PAGE = "memory/2025-11-27.md", "bank/entities/Maren.md"
FILES = {
    "MEMORY.md": "# Memory\n\n- Tea, not coffee.\n",
    LOG: "# 2025-11-27\n\n## Retain\n- W @Maren: Repairs sails. ^sails1\n",
    PAGE: "# Maren\n\nCall her on Sundays.\n",
}
DAY = ("--today", "2025-11-28")
TYPED = "- typed while the agent wrote"


@pytest.fixture
def root(workspace: Write) -> Path:
    """A workspace in which an editor saved into the file that a write of an agent had just replaced."""
    root = workspace(FILES)
    with open(root / "MEMORY.md", "a", encoding="utf-8") as editor:
        with Memory(str(root), today=date(2025, 11, 28)) as memory:
            memory.append("MEMORY.md", "- From the agent.")
        editor.write(TYPED + "\n")
    rest(root)
    return root


def rest(root: Path) -> None:
    """Let the editor's last save be a minute old."""
    for path in (root / ".memory/keep/displaced").glob("*.file"):
        seen = path.stat().st_mtime - 60
        os.utime(path, (seen, seen))


def lines(root: Path) -> list[str]:
    return (root / "MEMORY.md").read_text(encoding="utf-8").splitlines()


def contents(root: Path) -> dict[str, tuple[bytes, int]]:
    found = [path for path in sorted(root.rglob("*")) if path.is_file() and "index.sqlite" not in path.name]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


class TestWaiting:
    def test_check_and_status_tell_what_waits_and_change_nothing(self, root: Path, cli: Cli) -> None:
        before = contents(root)
        done = cli("check", "--json")
        assert done.status == 1
        (problem,) = done.json["problems"]
        assert (problem["source"], problem["code"]) == ("MEMORY.md#L1", "waiting-save")
        assert problem["hint"] == "run: commonplace index"
        (note,) = cli("status", "--json").json["notes"]
        assert note.startswith("MEMORY.md: ")
        assert note.endswith("run: commonplace index")
        assert contents(root) == before

    def test_reading_leaves_it(self, root: Path, cli: Cli) -> None:
        before = contents(root)
        for argv in (["recall", "tea"], ["core"], ["review"], ["opinions"], ["reflect", "--dry-run"]):
            assert cli(*argv, *DAY).status == 0
        assert contents(root) == before

    @pytest.mark.parametrize(
        "argv",
        [
            ["index"],
            ["retain", "W @Maren: Sews at night."],
            ["retract", "sails1"],
            ["correct", "sails1", "Repairs old sails."],
            ["append", "bank/notes.md", "- a note"],
            ["replace", "MEMORY.md", "Tea", "Rooibos"],
            ["insert", "MEMORY.md", "--after", "0", "- at the top"],
            ["reflect"],
            ["reflect", "--undo"],
            ["forget", "sails1"],
            ["forget", "--entity", "Maren", "--yes"],
            ["entity", "merge", "Maren", "Sail-Maren"],
        ],
        ids=" ".join,
    )
    def test_a_verb_that_may_write_merges_and_tells(self, root: Path, cli: Cli, argv: list[str]) -> None:
        done = cli(*argv, "--json", *DAY)
        assert TYPED in lines(root)
        if done.status == 0:
            (notice,) = done.json["notices"]
            assert (notice["source"], notice["code"], notice["hint"]) == (
                "MEMORY.md#L1",
                "late-save",
                "check the result",
            )
        else:
            assert "note: MEMORY.md: late-save: " in done.err
        assert cli("check").status == 0
        assert "notices" not in cli("index", "--json").json, "once"

    def test_what_was_merged_is_in_the_index_at_once(self, root: Path, cli: Cli) -> None:
        cli("index")
        assert TYPED[2:] in cli("recall", "who typed while the agent wrote", "--no-sync").out

    def test_the_note_stands_below_the_answer(self, root: Path, cli: Cli) -> None:
        out = cli("retain", "W @Maren: Sews at night.", *DAY).out.splitlines()
        assert out[0].startswith("retained")
        assert out[-1].startswith("note: MEMORY.md: late-save: ")
        assert out[-1].endswith("(check the result)")

    def test_a_write_that_is_refused_tells_on_standard_error(self, root: Path, cli: Cli) -> None:
        done = cli("correct", "nobody", "Nothing.", *DAY)
        assert done.status == 1
        assert "note: MEMORY.md: late-save: " in done.err
        assert TYPED in lines(root)

    def test_a_workspace_that_may_not_be_written_is_indexed_all_the_same(self, root: Path) -> None:
        (root / "commonplace.toml").write_text("format = 2\n", encoding="utf-8")
        with Memory(str(root)) as memory:
            assert memory.index().files == 3
            assert [problem.code for problem in memory.check()] == ["waiting-save"]
        assert TYPED not in lines(root)

    def test_a_save_that_never_ends_keeps_nobody_waiting(self, root: Path) -> None:
        (path,) = (root / ".memory/keep/displaced").glob("*.file")
        script = (
            "import sys, time\n"
            "for _ in range(6_000):\n"  # a minute: who waits for its end fails, and does not hang
            " open(sys.argv[1], 'a').write('more\\n'); time.sleep(.01)"
        )
        with subprocess.Popen([sys.executable, "-c", script, str(path)]) as editor:
            size = path.stat().st_size
            while path.stat().st_size == size:
                time.sleep(0.01)
            with Memory(str(root)) as memory:
                memory.append("bank/notes.md", "- a note")
            assert editor.poll() is None
            editor.kill()
        rest(root)
        with Memory(str(root)) as memory:
            memory.index()
        assert {TYPED, "more"} <= set(lines(root))


class TestInterrupted:
    SCRIPT = """
import os, sys
from commonplace.core.markdown.text_edits import append
from commonplace.store.fs import publish
from commonplace.store.transactions import backups, locked_writer
from commonplace.store.workspace import Workspace
root, path = sys.argv[1], sys.argv[2]
def dies(*_, **__):
    os._exit(9)
Workspace(root).ensure_memory_dir()
calls = []
def edit(text):
    calls.append(1)
    if len(calls) > 1:
        dies()  # their save was displaced, and is to be merged now
    with open(os.path.join(root, path), "a") as person:
        person.write("Typed in the very moment.\\n")
    return append(text or "", "- From the agent.")
Workspace(root).change(path, edit)
"""

    def died(self, root: Path) -> None:
        done = subprocess.run([sys.executable, "-c", self.SCRIPT, str(root), PAGE], check=False)
        assert done.returncode == 9
        assert "Typed" not in (root / PAGE).read_text(encoding="utf-8")

    def test_a_save_that_a_dead_writer_had_displaced_waits_and_is_merged(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        self.died(root)
        before = contents(root)
        (problem,) = cli("check", "--json").json["problems"]
        assert (problem["source"], problem["code"]) == (f"{PAGE}#L1", "waiting-save")
        assert {path: before[path] for path in before if ".memory" not in path}.items() <= contents(root).items()
        (notice,) = cli("index", "--json").json["notices"]
        assert (notice["source"], notice["code"]) == (f"{PAGE}#L1", "interrupted-write")
        said = (root / PAGE).read_text(encoding="utf-8")
        assert {"Call her on Sundays.", "Typed in the very moment.", "- From the agent."} <= set(said.splitlines())
        assert cli("check").status == 0
        assert not list(root.rglob(".*.tmp"))
        assert "very moment" in cli("recall", "who typed in the very moment", "--no-sync").out


class TestNotices:
    def test_a_file_of_several_names(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        os.link(root / "MEMORY.md", root / "same.txt")
        (notice,) = cli("append", "MEMORY.md", "- one more", "--json").json["notices"]
        assert (notice["source"], notice["code"]) == ("MEMORY.md#L1", "hard-link")
        assert "notices" not in cli("append", "MEMORY.md", "- one more", "--json").json

    def test_the_library_tells_each_once(self, root: Path) -> None:
        with Memory(str(root)) as memory:
            assert memory.notices() == ()
            memory.index()
            assert [(each.source.path, each.code) for each in memory.notices()] == [("MEMORY.md", "late-save")]
            assert memory.notices() == ()

    def test_a_workspace_does_not_heap_up_what_nobody_asks_for(self, workspace: Write) -> None:
        root = workspace(FILES)
        files = Workspace(str(root))
        for number in range(5):
            os.link(root / "MEMORY.md", root / f"same{number}.txt")
            files.change("MEMORY.md", lambda text, line=f"{number}\n": (text or "") + line)  # type: ignore[misc]
        assert len(files.notices()) == 1

    @pytest.mark.parametrize("agent", [True, False])
    def test_a_tool_tells_in_text_and_data(self, root: Path, agent: bool) -> None:
        with Memory(str(root), today=date(2025, 11, 28)) as memory:
            told = tool_calls.call(memory, "retain", {"text": "W @Maren: Sews at night."}, agent=agent)
            assert [each["code"] for each in told.data["notices"]] == ["late-save"]
            assert told.text.splitlines()[-1].startswith("note: MEMORY.md: late-save: ")
            assert "notices" not in tool_calls.call(memory, "retain", {"text": "W @Maren: Sings."}, agent=agent).data

    def test_the_worker_tells(self, root: Path, serve: Callable[..., list[Any]]) -> None:
        waits, merged, after = serve(root, {"verb": "check"}, {"verb": "index"}, {"verb": "check"})
        assert [each["code"] for each in waits["result"]["problems"]] == ["waiting-save"]
        assert [each["code"] for each in merged["result"]["notices"]] == ["late-save"]
        assert after["result"] == {"problems": []}


@pytest.fixture
def serve() -> Callable[..., list[Any]]:
    """What a worker answers to requests."""

    def served(root: Path, *asked: dict[str, Any]) -> list[Any]:
        given = "".join(json.dumps(each) + "\n" for each in asked)
        argv = [sys.executable, "-m", "commonplace", "worker", "--workspace", str(root), *DAY]
        done = subprocess.run(argv, input=given, capture_output=True, text=True, check=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return served


class TestWorkerServesAll:
    def test_facts_are_forgotten_by_source_entity_and_time(
        self, workspace: Write, serve: Callable[..., list[Any]]
    ) -> None:
        root = workspace(FILES)
        shown, gone, refused, both = serve(
            root,
            {"verb": "forget", "entity": "Maren", "since": "2025-11-01"},
            {"verb": "forget", "entity": "Maren", "since": "2025-11-01", "yes": True},
            {"verb": "forget", "yes": True},
            {"verb": "forget", "target": "sails1", "entity": "Maren"},
        )
        assert (shown["result"]["applied"], [fact["id"] for fact in shown["result"]["facts"]]) == (False, ["sails1"])
        assert gone["result"]["applied"]
        assert "sails" not in (root / LOG).read_text(encoding="utf-8")
        assert [each["error"]["code"] for each in (refused, both)] == ["usage", "usage"]

    def test_notes_are_taken_in(self, workspace: Write, tmp_path: Path, serve: Callable[..., list[Any]]) -> None:
        root = workspace(FILES)
        vault = tmp_path / "vault"
        vault.mkdir()
        (vault / "Ines.md").write_text("# Ines\n\n- Ines lives in Porto since 2024.\n", encoding="utf-8")
        asked = {"verb": "import", "paths": [str(vault)]}
        sure = {**asked, "yes": True}
        shown, done, again, empty = serve(root, asked, sure, sure, {**asked, "paths": []})
        assert not shown["result"]["applied"]
        assert len(done["result"]["facts"]) == 1
        assert again["result"]["facts"] == []
        assert empty["error"]["code"] == "usage"
        assert "Porto" in "".join(path.read_text(encoding="utf-8") for path in (root / "memory").rglob("*.md"))

    def test_a_workspace_is_made(self, tmp_path: Path, serve: Callable[..., list[Any]]) -> None:
        root = tmp_path / "new"
        (made,) = serve(root, {"verb": "init"})
        assert made["result"]["workspace"] == str(root)
        assert (root / "MEMORY.md").is_file()
