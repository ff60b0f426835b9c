"""The memory tool: each reply word for word, the same as the official local tool gives, and nothing out of bounds."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from anthropic.types import beta
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace import CommandRefused, Memory, MemoryTool
from commonplace.core.text.escaping import for_terminal
from commonplace.ops.write.edit_files import is_log
from commonplace.ops.write.memory_tool_verbs import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Write = Callable[[dict[str, str]], Path]

TODAY = date(2026, 2, 1)
LOG = "/memories/memory/2026-01-30.md"
FILES = {
    "MEMORY.md": "# Memory\n\n- Tea, not coffee.\n",
    "SOUL.md": "I am Quill.\n",
    "bank/entities/Peter.md": "# Peter\n\nCall him on Sundays only.\n",
    "memory/2026-01-30.md": "# 2026-01-30\n\n- Rain.\n",
    "memory/.obsidian/app.md": "hidden\n",
    "bank/picture.png": "none of ours",
    "notes.md": "Of a person.\n",
}


class Told:
    """A tool that answers with its reply or its refusal."""

    def __init__(self, root: Path, **options: bool) -> None:
        self.tool = MemoryTool(Memory(str(root), today=TODAY), **options)

    def __call__(self, command: str, path: str = "", **given: Any) -> str:
        try:
            return self.tool.execute({"command": command, **({"path": path} if path else {}), **given})
        except CommandRefused as refused:
            return f"refused: {refused.message}"


@pytest.fixture
def told(workspace: Write) -> Told:
    return Told(workspace(FILES))


# Replies, word for word.


def test_a_folder_is_shown_two_levels_deep_without_what_is_hidden(told: Told) -> None:
    told("create", "/memories/projects/deep/er/x.md", file_text="x" * 1536)
    assert told("view", "/memories") == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
        "1.6K\t/memories\n"
        "29B\t/memories/MEMORY.md\n"
        "12B\t/memories/SOUL.md\n"
        "35B\t/memories/bank/\n"
        "35B\t/memories/bank/entities/\n"
        "22B\t/memories/memory/\n"
        "22B\t/memories/memory/2026-01-30.md\n"
        "1.5K\t/memories/projects/\n"
        "1.5K\t/memories/projects/deep/"
    )
    assert told("view", "/memories/bank") == (
        "Here're the files and directories up to 2 levels deep in /memories/bank, excluding hidden items:\n"
        "35B\t/memories/bank\n"
        "35B\t/memories/bank/entities/\n"
        "35B\t/memories/bank/entities/Peter.md"
    )


def test_a_file_is_shown_with_numbers(told: Told) -> None:
    head = "Here's the content of /memories/MEMORY.md with line numbers:\n"
    assert told("view", "/memories/MEMORY.md") == head + (
        "     1\t# Memory\n     2\t\n     3\t- Tea, not coffee.\n     4\t"
    )
    assert told("view", "/memories/MEMORY.md", view_range=[2, 3]) == head + "     2\t\n     3\t- Tea, not coffee."
    assert told("view", "/memories/MEMORY.md", view_range=[3, -1]) == head + "     3\t- Tea, not coffee.\n     4\t"


def test_a_file_is_made_edited_renamed_and_removed(told: Told) -> None:
    path = "/memories/progress.txt"
    assert told("create", path, file_text="one\ntwo\nthree\nfour\nfive\n") == f"File created successfully at: {path}"
    assert told("create", path, file_text="x") == f"refused: File {path} already exists"
    assert told("str_replace", path, old_str="three", new_str="3\n3.5") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tone\n     2\ttwo\n     3\t3\n     4\t3.5\n     5\tfour"
    )
    assert told("insert", path, insert_line=0, insert_text="zero\n\n") == f"The file {path} has been edited."
    assert told("view", path, view_range=[1, 2]).endswith(":\n     1\tzero\n     2\tone")
    there = "/memories/old/progress.txt"
    assert told("rename", old_path=path, new_path=there) == f"Successfully renamed {path} to {there}"
    assert told("delete", "/memories/old") == "Successfully deleted /memories/old"
    assert told("view", there) == f"refused: The path {there} does not exist. Please provide a valid path."


def test_refusals_word_for_word(told: Told) -> None:
    told("create", "/memories/a.md", file_text="ab\nab\n")
    missing = "refused: The path /memories/no.md does not exist. Please provide a valid path."
    for path, reply in (
        ("/notes/x.md", "Path must start with /memories, got: /notes/x.md"),
        ("/memoriesx/x.md", "Path must start with /memories, got: /memoriesx/x.md"),
        ("/memories/../x.md", "Path /memories/../x.md would escape /memories directory"),
        ("/memories/%2E%2e/x.md", "Path /memories/%2E%2e/x.md would escape /memories directory"),
        ("/memories/a\\b.md", "Path /memories/a\\b.md would escape /memories directory"),
    ):
        assert told("view", path) == told("create", path, file_text="") == told("delete", path) == f"refused: {reply}"
    assert told("view", "/memories/no.md") == missing
    assert told("str_replace", "/memories/no.md", old_str="a", new_str="b") == missing
    assert told("insert", "/memories/no.md", insert_line=0, insert_text="b") == missing
    assert told("delete", "/memories/no.md") == "refused: The path /memories/no.md does not exist"
    assert told("rename", old_path="/memories/no.md", new_path="/memories/b.md") == (
        "refused: The path /memories/no.md does not exist"
    )
    assert told("rename", old_path="/memories/no.md", new_path="/memories/a.md") == (
        "refused: The destination /memories/a.md already exists"
    )
    assert told("str_replace", "/memories/a.md", old_str="x", new_str="b") == (
        "refused: No replacement was performed, old_str `x` did not appear verbatim in /memories/a.md."
    )
    assert told("str_replace", "/memories/a.md", old_str="", new_str="b") == (
        "refused: No replacement was performed, old_str `` did not appear verbatim in /memories/a.md."
    )
    assert told("str_replace", "/memories/a.md", old_str="ab", new_str="b") == (
        "refused: No replacement was performed. Multiple occurrences of old_str `ab` in lines: 1, 2. "
        "Please ensure it is unique"
    )
    assert told("insert", "/memories/a.md", insert_line=3, insert_text="x") == (
        "refused: Invalid `insert_line` parameter: 3. It should be within the range [0, 2]."
    )
    assert told("str_replace", "/memories/bank", old_str="x", new_str="b") == (
        "refused: The path /memories/bank is not a file."
    )
    assert told("insert", "/memories", insert_line=0, insert_text="x") == "refused: The path /memories is not a file."
    assert told("create", "/memories/bank", file_text="x") == "refused: File /memories/bank already exists"
    assert told("create", "/memories/a.md/b.md", file_text="x") == (
        "refused: The path /memories/a.md is not a directory."
    )
    assert told("delete", "/memories") == "refused: Cannot delete the /memories directory itself"
    assert told("rename", old_path="/memories", new_path="/memories/x") == (
        "refused: Cannot rename the /memories directory itself"
    )
    assert told("delete", "/memories/bank/") == "refused: Cannot delete the /memories/bank directory itself"
    assert told("rename", old_path="/memories/memory", new_path="/memories/x") == (
        "refused: Cannot rename the /memories/memory directory itself"
    )


def test_unknown_commands_are_refused(told: Told) -> None:
    assert told("clear") == "refused: Unknown command: clear"
    assert told("create", "/memories/a.md") == "refused: The command create needs `file_text`."
    assert told("view") == "refused: The command view needs `path`."
    assert told("insert", LOG, insert_line="3", insert_text="x") == (
        "refused: Invalid `insert_line` parameter: it should be an integer."
    )
    assert told("insert", LOG, insert_line=True, insert_text="x").startswith("refused: Invalid `insert_line`")
    assert told("\ud800") == "refused: Unknown command: '\\ud800'"
    half = "parameter: it has an incomplete character."
    assert told("create", "/memories/a.md", file_text="\ud83d") == f"refused: Invalid `file_text` {half}"
    assert told("view", "/memories/\ud83d.md") == f"refused: Invalid `path` {half}"
    assert told("view", LOG, view_range="all") == (
        "refused: Invalid `view_range` parameter: it should be a list of two integers."
    )


def test_a_path_is_as_deep_as_every_system_takes(told: Told) -> None:
    path = f"/memories/{'d/' * 290}x.md"
    assert told("create", path, file_text="x").startswith("File created")
    assert told("view", path).endswith("     1\tx") and "/memories/d/d/" in told("view", "/memories")
    for depth in (300, 1200, 2200):
        deeper = f"/memories/{'d/' * depth}x.md"
        assert told("create", deeper, file_text="x") == f"refused: The path {deeper} is too long."
        assert told("rename", old_path=path, new_path=deeper) == f"refused: The path {deeper} is too long."
    assert told("delete", "/memories/d") == "Successfully deleted /memories/d"
    assert "/d/" not in told("view", "/memories")


def test_nothing_takes_the_place_of_what_an_agent_makes(told: Told) -> None:
    taken = "/memories/memory/agent"
    assert told("create", "/memories/x.md", file_text="x").startswith("File created")
    refused = f"refused: The path {taken} is taken: another file there has this name; see /memories."
    assert told("create", taken, file_text="y") == refused
    for old in ("/memories/x.md", "/memories/bank/entities"):
        assert told("rename", old_path=old, new_path=taken) == refused
    assert told("view", "/memories/x.md").endswith("     1\tx")


def test_a_million_lines_are_too_many(told: Told, tmp_path: Path) -> None:
    (tmp_path / "workspace/bank/long.md").write_text("\n" * 999_999)
    assert told("view", "/memories/bank/long.md", view_range=[1, 2]) == (
        "refused: File /memories/bank/long.md exceeds maximum line limit of 999,999 lines."
    )


# Laws.


def test_a_daily_log_only_grows(told: Told, tmp_path: Path) -> None:
    refused = f"refused: The file {LOG} is a daily log, which only grows: insert at its end."
    assert told("str_replace", LOG, old_str="Rain", new_str="Snow") == refused
    assert told("insert", LOG, insert_line=1, insert_text="- Snow.") == refused
    assert told("delete", LOG) == refused
    assert told("rename", old_path=LOG, new_path="/memories/x.md") == refused
    assert told("insert", LOG, insert_line=3, insert_text="- Snow.") == f"The file {LOG} has been edited."
    new = "/memories/memory/2026-02-01.md"
    assert told("create", new, file_text="## Retain\n- W @Peter: Sold the boat.\n").startswith("File created")
    assert (tmp_path / "workspace/memory/2026-01-30.md").read_text() == "# 2026-01-30\n\n- Rain.\n- Snow.\n"
    assert told.tool.memory.recall("who sold the boat?").hits[0].line.recorded == TODAY


def test_a_folder_with_a_log_stays_whole(told: Told) -> None:
    told("create", "/memories/memory/office/2026-01-30-standup.md", file_text="x")
    told("create", "/memories/memory/office/plan.md", file_text="x")
    assert "daily log" in told("delete", "/memories/memory/office")
    assert "daily log" in told("rename", old_path="/memories/memory/office", new_path="/memories/office")
    assert "plan.md" in told("view", "/memories/memory/office")


def test_a_log_is_what_its_path_dates(told: Told, tmp_path: Path) -> None:
    logs = ["2025/11/03.md", "20251103.md", "2025-11-04/notes.md", "2025/10/25/castle-inventory.md"]
    for each in logs:
        path = f"/memories/memory/{each}"
        assert told("create", path, file_text="- Rain.\n").startswith("File created")
        assert "daily log" in told("str_replace", path, old_str="Rain", new_str="Snow")
        for gone in (path, path.rpartition("/")[0]):
            assert told("delete", gone).startswith("refused")
            assert told("rename", old_path=gone, new_path="/memories/x.md").startswith("refused")
    assert "daily log" in told("delete", "/memories/memory/2025")
    for each in logs:
        assert (tmp_path / "workspace/memory" / each).read_text() == "- Rain.\n"


def test_a_link_to_what_has_no_name_is_only_read(told: Told, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (root / "skills").mkdir()
    (root / "skills/SKILL.md").write_text("Tidy.\n")
    (root / "bank/skill.md").symlink_to("../skills/SKILL.md")
    path = "/memories/bank/skill.md"
    refused = f"refused: The file {path} is read-only."
    assert "Tidy." in told("view", path)
    assert told("str_replace", path, old_str="Tidy", new_str="Obey") == refused
    assert told("insert", path, insert_line=0, insert_text="Obey") == told("delete", path) == refused
    assert (root / "skills/SKILL.md").read_text() == "Tidy.\n"


def test_no_control_character_is_written(told: Told, tmp_path: Path) -> None:
    refused = "refused: Nothing was written: the text contains the control character U+0000."
    assert told("create", "/memories/x.md", file_text="a\0b") == refused
    assert told("insert", LOG, insert_line=3, insert_text="a\0b") == refused
    assert told("str_replace", "/memories/MEMORY.md", old_str="Tea", new_str="T\0ea") == refused
    assert not any(b"\0" in each.read_bytes() for each in (tmp_path / "workspace").rglob("*.md"))


def test_core_files_of_the_host_are_only_read(told: Told, tmp_path: Path) -> None:
    assert "I am Quill." in told("view", "/memories/SOUL.md")
    refused = "refused: The file /memories/SOUL.md is read-only."
    assert told("str_replace", "/memories/SOUL.md", old_str="I", new_str="You") == refused
    assert told("insert", "/memories/SOUL.md", insert_line=0, insert_text="You") == refused
    assert told("delete", "/memories/SOUL.md") == refused
    assert told("rename", old_path="/memories/SOUL.md", new_path="/memories/x.md") == refused
    assert told("create", "/memories/AGENTS.md", file_text="Obey me.") == (
        "refused: The file /memories/AGENTS.md is read-only."
    )
    told("create", "/memories/x.md", file_text="Obey me.")
    assert told("rename", old_path="/memories/x.md", new_path="/memories/USER.md") == (
        "refused: The file /memories/USER.md is read-only."
    )
    assert sorted(os.listdir(tmp_path / "workspace")) == [
        ".memory",
        "MEMORY.md",
        "SOUL.md",
        "bank",
        "memory",
        "notes.md",
    ]


def test_a_file_without_permission_to_write_is_only_read(told: Told, tmp_path: Path) -> None:
    (tmp_path / "workspace/bank/entities/Peter.md").chmod(0o444)
    path = "/memories/bank/entities/Peter.md"
    assert told("str_replace", path, old_str="Sundays", new_str="Mondays") == f"refused: The file {path} is read-only."
    assert told("delete", "/memories/bank/entities") == f"refused: The file {path} is read-only."


def test_the_core_is_one_file_however_it_is_spelled(told: Told, tmp_path: Path) -> None:
    assert "Tea" in told("view", "/memories/memory.md")
    assert told("create", "/memories/Memory.md", file_text="x") == "refused: File /memories/Memory.md already exists"
    assert "red" in told("str_replace", "/memories/MEMORY.md", old_str="Tea", new_str="red wine")
    assert "red wine" in (tmp_path / "workspace/MEMORY.md").read_text() and "red wine" in told.tool.memory.core().text


def test_hidden_files_are_not_there(told: Told) -> None:
    for path in ("/memories/.memory/index.sqlite", "/memories/memory/.obsidian/app.md", "/memories/node_modules/x.md"):
        assert told("view", path) == f"refused: The path {path} does not exist. Please provide a valid path."
        assert told("delete", path) == f"refused: The path {path} does not exist"
        hidden = f"refused: The path {path} is hidden: hidden files are not part of the memory."
        assert told("create", path, file_text="x") == hidden
        assert told("rename", old_path="/memories/MEMORY.md", new_path=path) == hidden


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("notes.md", "memory/agent/notes.md"),
        ("progress.txt", "memory/agent/progress.txt~.md"),
        ("guide.xml", "memory/agent/guide.xml~.md"),
        ("projects/plan", "memory/agent/projects/plan~.md"),
        ("odd~.md", "memory/agent/odd~.md~.md"),
        ("UPPER.MD", "memory/agent/UPPER.MD"),
        ("soul.md", "memory/agent/soul.md"),
        ("日記.txt", "memory/agent/日記.txt~.md"),
        ("memory/todo.txt", "memory/todo.txt~.md"),
        ("bank/world.md", "bank/world.md"),
    ],
)
def test_what_an_agent_makes_keeps_its_path_and_is_recalled(told: Told, tmp_path: Path, name: str, place: str) -> None:
    path = f"/memories/{name}"
    told("create", path, file_text="The zebra crossing needs paint.\n")
    assert (tmp_path / "workspace" / place).read_text() == "The zebra crossing needs paint.\n"
    assert f"\t{path}" in told("view", path.rpartition("/")[0])
    hit = told.tool.memory.recall("zebra crossing paint").hits[0]
    assert hit.line.source.path == place
    assert "zebra" in told("view", f"/memories/{place}"), "the path of a citation works, too"


def test_a_link_is_no_second_name(told: Told, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    for folder in ("memory/agent", "notes", "empty"):
        (root / folder).mkdir()
    (root / "notes/a.md").write_text("a\n")
    links = {"memory/agent/core": root, "memory/in": root / "bank", "bank/e": root / "empty", "bank/n": root / "notes"}
    for link, target in links.items():
        (root / link).symlink_to(target)
    for path in ("/memories/core/AGENTS.md", "/memories/memory/in/entities/y.md", "/memories/bank/e/y.md"):
        refused = f"refused: The path {path} leads through a link: use the name of its target."
        assert told("create", path, file_text="x") == refused
        assert told("rename", old_path="/memories/MEMORY.md", new_path=path) == refused
    assert told("create", "/memories/bank/n/b.md", file_text="b\n").startswith("File created"), "it has no other name"
    assert told("view", "/memories/bank/n/b.md").endswith("     1\tb\n     2\t")
    assert sorted(os.listdir(root / "notes")) == ["a.md", "b.md"] and not os.listdir(root / "empty")


def test_a_name_is_a_file_or_a_folder(told: Told) -> None:
    told("create", "/memories/plan", file_text="x")
    assert (
        told("create", "/memories/plan/a.md", file_text="x") == "refused: The path /memories/plan is not a directory."
    )
    told("create", "/memories/list/a.md", file_text="x")
    assert told("create", "/memories/list", file_text="x") == "refused: File /memories/list already exists"
    assert told("rename", old_path="/memories/list", new_path="/memories/list/in").endswith("the target is inside it.")


def test_secrets_stay_out_unless_told_otherwise(workspace: Write) -> None:
    root = workspace(FILES)
    text = "ghp_" + "a1B2" * 9
    told = Told(root)
    for reply in (
        told("create", "/memories/x.md", file_text=text),
        told("insert", LOG, insert_line=3, insert_text=text),
        told("str_replace", "/memories/MEMORY.md", old_str="Tea", new_str=text),
    ):
        assert reply.startswith("refused: Nothing was written: the text looks like ") and text not in reply
    assert Told(root, allow_secret=True)("create", "/memories/x.md", file_text=text).startswith("File created")


def test_deletes_and_renames_are_undone(told: Told, tmp_path: Path) -> None:
    for name in ("a.md", "b.txt", "deep/c.md"):
        told("create", f"/memories/p/{name}", file_text=f"{name}\n")
    before = told("view", "/memories/p")
    assert (
        told("rename", old_path="/memories/p", new_path="/memories/q")
        == "Successfully renamed /memories/p to /memories/q"
    )
    assert told("delete", "/memories/q").startswith("Successfully")
    assert not (tmp_path / "workspace/memory/agent/p").exists() and not (tmp_path / "workspace/memory/agent/q").exists()
    memory = told.tool.memory
    assert {each.outcome for each in memory.undo()} == {"restored"}
    assert memory.recall("b.txt").hits
    memory.undo()
    assert told("view", "/memories/p") == before


def test_what_a_person_changed_since_is_not_deleted(told: Told, tmp_path: Path) -> None:
    told("create", "/memories/x.md", file_text="mine\n")
    (tmp_path / "workspace/memory/agent/x.md").write_text("mine\nand theirs\n")
    assert told("delete", "/memories/x.md") == (
        "refused: The file /memories/x.md has changed since you last saw it. View it again before you delete it."
    )
    told("insert", "/memories/x.md", insert_line=2, insert_text="mine again")
    assert told("delete", "/memories/x.md").startswith("refused"), "an edit is no look at it"
    assert "and theirs" in told("view", "/memories/x.md")
    assert told("delete", "/memories/x.md") == "Successfully deleted /memories/x.md"


def test_line_ends_of_windows_stay(told: Told, tmp_path: Path) -> None:
    page = tmp_path / "workspace/bank/world.md"
    page.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n")
    assert told("view", "/memories/bank/world.md").endswith("     1\tone\n     2\ttwo\n     3\tthree\n     4\t")
    told("str_replace", "/memories/bank/world.md", old_str="one\ntwo", new_str="1\n2")
    told("insert", "/memories/bank/world.md", insert_line=2, insert_text="2.5")
    assert page.read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n2.5\r\nthree\r\n"


def test_ten_years_of_logs_are_no_answer_to_a_look_around(workspace: Write) -> None:
    told = Told(
        workspace(
            {
                f"memory/20{year}-{month:02}-{day:02}.md": "x"
                for year in (24, 25)
                for month in range(1, 13)
                for day in range(1, 11)
            }
        )
    )
    lines = told("view", "/memories").split("\n")
    assert len(lines) == 104 and lines[3] == "…\t/memories/memory/ has 140 more entries: view it"
    assert lines[-1] == "1B\t/memories/memory/2025-12-10.md"
    assert len(told("view", "/memories/memory").split("\n")) == 242


def test_an_unreadable_text_is_refused(told: Told, tmp_path: Path) -> None:
    (tmp_path / "workspace/bank/world.md").write_bytes(b"\xff\xfe")
    for command in ("view", "delete"):
        assert "is not UTF-8" in told(command, "/memories/bank/world.md")


# The same as the official tool.

NAMES = ["a.md", "b.txt", "plan", "d/a.md", "d/e/f.xml", "d", "d/e", "a.md/x", "memory/x.md", "bank/y.md", "MEMORY.md"]
PATHS = st.sampled_from([f"/memories/{name}" for name in NAMES])
TEXTS = st.text("ab\né\u2028\r", max_size=12)
EDITS = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": PATHS | st.just("/memories")},
        optional={"view_range": st.lists(st.integers(-3, 6), min_size=1, max_size=3)},
    ),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": PATHS, "old_str": TEXTS.filter(bool), "new_str": TEXTS}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PATHS, "insert_line": st.integers(-1, 5), "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS | st.just("/memories")}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)


def normal(reply: str) -> str:
    """Without what the official tool says of folders: the size is the file system's, and empty ones stay."""
    if not reply.startswith("Here're"):
        return reply
    head, top, *lines = reply.split("\n")
    named = [line.partition("\t") for line in lines]
    return "\n".join(
        [
            head,
            top.partition("\t")[2],
            *(path if path.endswith("/") else "\t".join((size, path)) for size, _, path in named),
        ]
    )


def pruned(root: Path) -> None:
    for folder, _, _ in os.walk(root, topdown=False):
        if Path(folder) != root and not os.listdir(folder):
            os.rmdir(folder)


@settings(max_examples=80)
@given(st.lists(EDITS, min_size=1, max_size=14))
def test_any_commands_are_answered_as_by_the_official_tool(commands: list[dict[str, Any]]) -> None:
    shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=shm) as one, TemporaryDirectory(dir=shm) as other:
        official = BetaLocalFilesystemMemoryTool(other)
        root = Path(other) / "memories"
        told = Told(Path(one))
        for command in commands:
            if command["command"] != "create" and command.get("path") in ("/memories/memory", "/memories/bank"):
                continue
            try:
                expected = str(official.call(command))
            except ToolError as refused:
                expected = f"refused: {refused.content}"
            except OSError:
                expected = "refused: "
            pruned(root)
            reply = told(**command)
            if expected == "refused: ":  # the official tool fails without words
                assert reply.startswith(expected)
            else:
                assert normal(reply) == normal(for_terminal(expected))  # what cannot be seen is spelled
            if any(b"\r\n" in file.read_bytes() for file in root.rglob("*") if file.is_file()):
                break  # what ends as on Windows goes on ending so, which the official tool does not mind
        told.tool.memory.close()
        assert shown(told) == {
            file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()
        }


def shown(told: Told) -> dict[str, bytes]:
    """What the agent has, by name, as it lies on the disk."""
    root = Path(told.tool.memory.root)
    there = {path.relative_to(root).as_posix() for path in root.rglob("*.md") if path.is_file()}
    return {place.removeprefix("memory/agent/").removesuffix("~.md"): (root / place).read_bytes() for place in there}


# No path leads out.

ODD = ("", "\0", "a\nb", "x" * 300, "\ud800", "\u202e", "．．", "‥")
NAMED = (
    ".. . %2e%2e %2E. ..%2f \\ ..\\ a b.md memory bank MEMORY.md SOUL.md soul.md Memory agent out link.md in .memory "
    "index.sqlite .git node_modules ~ C: con entities Peter.md 2026-01-30.md 2026-01-30.MD"
)
PART = st.sampled_from([*NAMED.split(" "), *ODD])
KNOWN = (
    "MEMORY.md memory.md SOUL.md soul.md AGENTS.md notes.md a.txt p p/a.md p/2026-01-02.md out/b.md link.md own/b.md "
    "bank bank/entities bank/entities/Peter.md bank/link.md memory/2026-01-30.md memory/2026-02-01.md memory/in/y.md "
    "2026-02-01.md 2026-02-01-x.md memory/agent memory/agent/a.md"
)
ANYWHERE = st.sampled_from([f"/memories/{name}" for name in KNOWN.split(" ")]) | st.builds(
    lambda top, parts, tail: top + "/".join(parts) + tail,
    st.sampled_from(["/memories/", "/memories", "/", "", "//memories/", "/Memories/", "/memories//"]),
    st.lists(PART, max_size=5),
    st.sampled_from(["", "/", "/.", "\0"]),
)
SAID = TEXTS | st.sampled_from(["Rain", "e", "\n", "- Snow.", "\ud800"])
WILD = st.one_of(
    st.fixed_dictionaries({"command": st.sampled_from([*COMMANDS, "x", None, 3]), "path": ANYWHERE}),
    st.fixed_dictionaries({"command": st.just("create"), "path": ANYWHERE, "file_text": SAID}),
    st.fixed_dictionaries({"command": st.just("str_replace"), "path": ANYWHERE, "old_str": SAID, "new_str": SAID}),
    st.fixed_dictionaries(
        {
            "command": st.just("insert"),
            "path": ANYWHERE,
            "insert_line": st.integers(-1, 5) | st.integers(),
            "insert_text": SAID,
        }
    ),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": ANYWHERE, "new_path": ANYWHERE}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": ANYWHERE, "new_path": st.integers()}),
)


def files(root: Path) -> dict[str, bytes]:
    """Every file of a workspace but our own, by path."""
    found = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    there = {path.relative_to(root).as_posix(): path for path in found}
    return {name: path.read_bytes() for name, path in there.items() if not name.startswith(".memory/")}


def meant(name: str, command: dict[str, Any]) -> bool:
    """Whether a command names a file, or a folder above it."""
    own = name.removeprefix("memory/agent/").removesuffix("~.md")
    for path in (command.get(key) for key in ("path", "old_path", "new_path")):
        parts = [part for part in str(path).removeprefix("/memories").split("/") if part not in ("", ".")]
        said = "/".join(parts).removeprefix("memory/agent/").removesuffix("~.md").replace("memory/in/", "bank/")
        if own == said or own.startswith(f"{said}/") or own.casefold() == said.casefold() == "memory.md":
            return True
    return False


@settings(max_examples=200)
@given(st.lists(WILD, min_size=1, max_size=10))
def test_no_path_leads_out_and_no_law_is_broken(commands: list[dict[str, Any]]) -> None:
    with TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        root, outside = Path(folder, "workspace"), Path(folder, "outside")
        outside.mkdir()
        (outside / "b.md").write_text("private")
        for path, text in FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        (root / "memory/agent").mkdir()
        for link, target in {
            "memory/agent/out": outside,
            "memory/out": outside,
            "bank/link.md": outside / "b.md",
            "memory/agent/link.md": outside / "b.md",
            "memory/in": root / "bank",
            "memory/agent/own": root / ".memory",
        }.items():
            (root / link).symlink_to(target)
        told = Told(root)
        before = files(root)
        for command in commands:
            reply = told(**command)
            after = files(root)
            changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
            assert "private" not in reply
            assert not changed or (not reply.startswith("refused") and command["command"] != "view")
            assert all(meant(name, command) for name in changed), (command, changed)
            logs = [name for name in before if is_log(name)]
            assert all(after[name].startswith(before[name]) for name in logs)
            before = after
        told.tool.memory.close()
        assert sorted(os.listdir(folder)) == ["outside", "workspace"]
        assert [(each.name, each.read_text()) for each in outside.iterdir()] == [("b.md", "private")]
        assert {*os.listdir(root)} <= {".memory", "MEMORY.md", "SOUL.md", "bank", "memory", "notes.md"}
        for path in ("SOUL.md", "notes.md", "memory/.obsidian/app.md", "bank/picture.png"):
            assert (root / path).read_text() == FILES[path]
        assert not any((root / ".memory").rglob("*.md"))


# Two at once.


def test_two_tools_at_once_lose_nothing(workspace: Write) -> None:
    root = workspace(FILES)
    tools = [Told(root) for _ in range(3)]
    replies: list[list[str]] = [[] for _ in tools]

    def work(number: int) -> None:
        told = tools[number]
        for count in range(12):
            replies[number].append(told("create", f"/memories/same-{count}.txt", file_text=f"{number}\n"))
            told("create", f"/memories/own/{number}-{count}.md", file_text="x")
            told("rename", old_path=f"/memories/own/{number}-{count}.md", new_path=f"/memories/new/{number}-{count}.md")
            told("insert", "/memories/MEMORY.md", insert_line=0, insert_text=f"- {number} {count}")
            told("delete", "/memories/same-0.txt")

    threads = [Thread(target=work, args=(number,)) for number in range(len(tools))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for made in list(zip(*replies, strict=True))[1:]:
        assert sum(reply.startswith("File created") for reply in made) == 1
        assert sum(reply.endswith("already exists") for reply in made) == 2
    assert sorted(os.listdir(root / "memory/agent/new")) == sorted(f"{n}-{c}.md" for n in range(3) for c in range(12))
    lines = (root / "MEMORY.md").read_text().split("\n")
    assert {f"- {n} {c}" for n in range(3) for c in range(12)} <= {*lines} and "- Tea, not coffee." in lines
    for told in tools:
        told.tool.memory.close()


# The package: its types, its runner, against a server that speaks the Messages API.


class Stub(BaseHTTPRequestHandler):
    """The Messages API with a script for a model: one command a turn, then the end. What breaks its rules is refused.

    It holds conversations as the API does: a request that continues one sends only what is new.
    """

    script: ClassVar[list[dict[str, Any]]]
    asked: ClassVar[list[dict[str, Any]]]
    held: ClassVar[dict[str, list[dict[str, Any]]]]
    """Each conversation, by the id of the answer that it ends with."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(asked)
        thread = asked.get("thread", {})
        before = self.held.get(thread.get("previous_message_id"), [])
        messages = [*before, *asked["messages"]]
        if wrong := self._wrong(thread, messages):
            self._answer(400, {"type": "error", "error": {"type": "invalid_request_error", "message": wrong}})
            return
        turn = len(messages) // 2
        block: dict[str, Any] = {"type": "text", "text": "Done."}
        if turn < len(self.script):
            block = {"type": "tool_use", "id": f"toolu_{turn}", "name": "memory", "input": self.script[turn]}
        self.held[f"msg_{turn}"] = [*messages, {"role": "assistant", "content": [block]}]
        answer = {
            "id": f"msg_{turn}",
            "type": "message",
            "role": "assistant",
            "model": asked["model"],
            "content": [block],
            "stop_reason": "tool_use" if turn < len(self.script) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        self._answer(200, answer)

    def _wrong(self, thread: dict[str, Any], messages: list[dict[str, Any]]) -> str:
        if self.path.partition("?")[0] != "/v1/messages" or not self.headers["anthropic-version"]:
            return f"{self.path} is none of ours"
        if thread and "message-threads-2026-08-12" not in self.headers["anthropic-beta"]:
            return "thread: a beta"
        if thread.get("type") == "continue" and thread["previous_message_id"] not in self.held:
            return "thread: not found"
        if [each["role"] for each in messages] != [("user", "assistant")[at % 2] for at in range(len(messages))]:
            return "messages: roles must alternate"
        for said, heard in zip(messages[1::2], messages[2::2], strict=True):
            used = [block["id"] for block in said["content"] if block["type"] == "tool_use"]
            if used != [block["tool_use_id"] for block in heard["content"] if block["type"] == "tool_result"]:
                return "messages: `tool_use` ids were found without `tool_result` blocks immediately after"
        return ""

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, type[Stub]]]:
    class Own(Stub):
        script: ClassVar[list[dict[str, Any]]] = [command for command, _, _ in SCRIPT]
        asked: ClassVar[list[dict[str, Any]]] = []
        held: ClassVar[dict[str, list[dict[str, Any]]]] = {}

    with ThreadingHTTPServer(("127.0.0.1", 0), Own) as http:
        thread = Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", Own
        http.shutdown()
        thread.join()


SCRIPT: list[tuple[dict[str, Any], str, bool]] = [
    (
        {"command": "view", "path": "/memories"},
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
        "98B\t/memories\n29B\t/memories/MEMORY.md\n12B\t/memories/SOUL.md\n35B\t/memories/bank/\n"
        "35B\t/memories/bank/entities/\n22B\t/memories/memory/\n22B\t/memories/memory/2026-01-30.md",
        False,
    ),
    (
        {"command": "create", "path": "/memories/plan.txt", "file_text": "Paint the zebra crossing.\n"},
        "File created successfully at: /memories/plan.txt",
        False,
    ),
    (
        {"command": "create", "path": "/memories/plan.txt", "file_text": "again"},
        "File /memories/plan.txt already exists",
        True,
    ),
    (
        {"command": "str_replace", "path": "/memories/plan.txt", "old_str": "zebra", "new_str": "pelican"},
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tPaint the pelican crossing.\n     2\t",
        False,
    ),
    (
        {"command": "insert", "path": "/memories/plan.txt", "insert_line": 1, "insert_text": "By June."},
        "The file /memories/plan.txt has been edited.",
        False,
    ),
    (
        {"command": "rename", "old_path": "/memories/plan.txt", "new_path": "/memories/p/plan.txt"},
        "Successfully renamed /memories/plan.txt to /memories/p/plan.txt",
        False,
    ),
    ({"command": "delete", "path": "/memories"}, "Cannot delete the /memories directory itself", True),
    ({"command": "wipe"}, "Unknown command: wipe", True),
    ({"command": "view"}, "The command view needs `path`.", True),
]


def checked(stub: type[Stub], told: Told) -> None:
    """What the runner sent: the tool, each reply, and whether it is an error."""
    assert stub.asked[0]["tools"] == [
        {"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}
    ]
    results = [turn["content"][0] for turn in stub.held[f"msg_{len(SCRIPT)}"][2::2]]
    assert [(each["content"], each.get("is_error", False)) for each in results] == [
        (reply, error) for _, reply, error in SCRIPT
    ]
    assert told.tool.memory.recall("pelican crossing").hits[0].line.source.path == "memory/agent/p/plan.txt~.md"


THREADS = pytest.mark.parametrize("thread", [{}, {"thread": False}], ids=["held by the server", "sent each time"])


@THREADS
def test_the_package_runs_it(told: Told, server: tuple[str, type[Stub]], thread: dict[str, Any]) -> None:
    url, stub = server
    with Anthropic(base_url=url, api_key="none", max_retries=0) as client:
        last = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=100,
            messages=[{"role": "user", "content": "Remember the plan."}],
            tools=[told.tool.for_anthropic(cache_control={"type": "ephemeral"})],
            max_iterations=len(SCRIPT) + 2,
            **thread,
        ).until_done()
    assert last.stop_reason == "end_turn"
    checked(stub, told)


@THREADS
def test_the_package_runs_it_asynchronously(told: Told, server: tuple[str, type[Stub]], thread: dict[str, Any]) -> None:
    url, stub = server

    async def run() -> None:
        async with AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
            await client.beta.messages.tool_runner(
                model="claude-sonnet-5-5",
                max_tokens=100,
                messages=[{"role": "user", "content": "Remember the plan."}],
                tools=[told.tool.for_async_anthropic(cache_control={"type": "ephemeral"})],
                max_iterations=len(SCRIPT) + 2,
                **thread,
            ).until_done()

    asyncio.run(run())
    checked(stub, told)


def test_the_example_runs(told: Told, server: tuple[str, type[Stub]]) -> None:
    url, stub = server
    root = told.tool.memory.root
    example = Path(__file__).parents[3] / "examples" / "claude.py"
    env = {**os.environ, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "ANTHROPIC_MODEL": "claude-stub"}
    done = subprocess.run(
        [sys.executable, str(example), root, "What do I drink?"], capture_output=True, text=True, env=env, check=True
    )
    assert done.stdout == "Done.\n" and not done.stderr
    assert stub.asked[0]["model"] == "claude-stub" and "Tea, not coffee." in stub.asked[0]["system"]
    assert Path(root, "memory/agent/p/plan.txt~.md").read_text() == "Paint the pelican crossing.\nBy June.\n"


def test_it_takes_the_types_of_the_package(told: Told) -> None:
    tool = told.tool.for_anthropic()
    assert isinstance(tool, BetaAbstractMemoryTool)
    path = "/memories/x.md"
    create = beta.BetaMemoryTool20250818CreateCommand(command="create", path=path, file_text="a\n")
    assert tool.create(create) == f"File created successfully at: {path}"
    with pytest.raises(ToolError, match="already exists"):
        tool.execute(create)
    replace = beta.BetaMemoryTool20250818StrReplaceCommand(command="str_replace", path=path, old_str="a", new_str="b")
    assert "     1\tb" in str(tool.str_replace(replace))
    insert = beta.BetaMemoryTool20250818InsertCommand(command="insert", path=path, insert_line=1, insert_text="c")
    assert tool.insert(insert) == f"The file {path} has been edited."
    view = beta.BetaMemoryTool20250818ViewCommand(command="view", path=path, view_range=[2, 2])
    assert tool.view(view) == f"Here's the content of {path} with line numbers:\n     2\tc"
    rename = beta.BetaMemoryTool20250818RenameCommand(command="rename", old_path=path, new_path="/memories/y.md")
    assert tool.rename(rename) == f"Successfully renamed {path} to /memories/y.md"
    delete = beta.BetaMemoryTool20250818DeleteCommand(command="delete", path="/memories/y.md")
    assert tool.delete(delete) == "Successfully deleted /memories/y.md"
    with pytest.raises(ToolError, match="it should be an object"):
        tool.call(["view"])

    async def run() -> list[object]:
        other = told.tool.for_async_anthropic()
        assert isinstance(other, BetaAsyncAbstractMemoryTool)
        replies: list[object] = [
            await other.create(create),
            await other.str_replace(replace),
            await other.insert(insert),
        ]
        replies += [await other.view(view), await other.rename(rename), await other.delete(delete)]
        with pytest.raises(ToolError, match="does not exist"):
            await other.execute(delete)
        return replies

    assert asyncio.run(run())[-1] == "Successfully deleted /memories/y.md"


def test_a_workspace_that_is_gone_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="there is no folder"):
        MemoryTool(Memory(str(tmp_path / "none"))).for_anthropic().call({"command": "view", "path": "/memories"})


# The contract is the package's.


def test_the_commands_are_those_of_the_package() -> None:
    models: dict[str, Any] = {
        "view": beta.BetaMemoryTool20250818ViewCommand,
        "create": beta.BetaMemoryTool20250818CreateCommand,
        "str_replace": beta.BetaMemoryTool20250818StrReplaceCommand,
        "insert": beta.BetaMemoryTool20250818InsertCommand,
        "delete": beta.BetaMemoryTool20250818DeleteCommand,
        "rename": beta.BetaMemoryTool20250818RenameCommand,
    }
    assert models.keys() == COMMANDS.keys()
    for name, model in models.items():
        needed = {field: found.annotation for field, found in model.model_fields.items() if found.is_required()}
        assert needed.pop("command") and needed == COMMANDS[name]


def test_without_the_package_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['anthropic'] = None\n"
        "from commonplace import *\n"
        "try: MemoryTool(Memory('.')).for_anthropic()\n"
        "except ExtensionMissing as error: print(error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'anthropic<" in done.stdout


def test_no_command_leaves_a_merge_open(told: Told) -> None:
    refused = "refused: Nothing was written: line 1 starts like a merge marker of git"
    assert told("create", "/memories/a.md", file_text="<<<<<<< HEAD\n").startswith(refused)
    told("create", "/memories/a.md", file_text="xxx HEAD\n")
    assert told("str_replace", "/memories/a.md", old_str="xxx", new_str="<<<<<<<").startswith(refused)
    assert told("insert", "/memories/a.md", insert_line=0, insert_text=">>>>>>> theirs").startswith(refused)
    assert "xxx HEAD" in told("view", "/memories/a.md")
