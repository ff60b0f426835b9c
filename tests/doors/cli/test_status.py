"""Status: what is read and what is left out, by folder, each with the reason; the rest is `Memory.status`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from commonplace import Memory
from commonplace.store.workspace.unread_files import LeftOut

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

FILES = {
    "MEMORY.md": "# Memory\n",
    "package.json": "{}\n",
    "memory/2025-11-27.md": "- Tea.\n",
    "memory/2025/10/01.md": "- Coffee.\n",
    "memory/state.json": "{}\n",
    "memory/scan": "?\n",
    "bank/world.md": "# World\n",
    "skills/a/SKILL.md": "# A\n",
    "skills/b/SKILL.md": "# B\n",
    "skills/b/run.py": "\n",
    "notes/diary/may.md": "- May.\n",
    "notes/diary/june.md": "- June.\n",
    "notes/recipes/soup.md": "- Soup.\n",
    "notes/index.md": "# Notes\n",
    ".agents/one.md": "# One\n",
    "bank/.draft.md": "# Draft\n",
    "web/node_modules/x/README.md": "# X\n",
    "web/app.js": "\n",
    ".git/description.md": "\n",
}


def left(cli: Cli) -> dict[str, tuple[int, str]]:
    return {each["path"]: (each["files"], each["why"]) for each in cli("status", "--json").json["left_out"]}


def test_what_is_read_and_what_is_left_out_by_folder_and_why(workspace: Write, cli: Cli) -> None:
    workspace(FILES)
    assert cli("status", "--json").json["read"] == {"./": 1, "bank/": 1, "memory/": 2}
    assert left(cli) == {
        "skills/": (2, "not in include"),
        "notes/": (4, "not in include"),
        ".agents/": (1, "hidden: its name starts with a dot"),
        "bank/": (1, "hidden: its name starts with a dot"),
        "memory/": (2, "not Markdown (.json no suffix)"),
        "./": (1, "not Markdown (.json)"),
        "web/node_modules/": (0, "installed packages"),
    }


def test_of_a_folder_that_is_read_in_part_the_folders_that_are_not(workspace: Write, cli: Cli) -> None:
    root = workspace(FILES)
    (root / "commonplace.toml").write_text('include = ["notes/diary/**", "skills/a/SKILL.md"]\n')
    told = cli("status", "--json").json
    assert told["read"] == {"./": 1, "bank/": 1, "memory/": 2, "notes/": 2, "skills/": 1}
    found = left(cli)
    assert found["notes/recipes/"] == (1, "not in include")
    assert found["notes/"] == (1, "not in include")
    assert found["skills/b/"] == (1, "not in include")
    assert "notes/diary/" not in found


def test_what_the_hint_says_is_what_reads_it(workspace: Write, cli: Cli) -> None:
    root = workspace(FILES)
    for each in cli("status", "--json").json["left_out"]:
        if each["why"] == "not in include":
            (root / "commonplace.toml").unlink(missing_ok=True)
            assert cli(*shlex.split(each["hint"])[1:]).status == 0
            assert cli("status", "--json").json["read"][each["path"]] == each["files"]


def test_files_that_cannot_be_read_are_named_with_the_reason(workspace: Write, cli: Cli) -> None:
    root = workspace({"MEMORY.md": "# Memory\n", "memory/2025-11-27.md": "- Tea.\n"})
    (root / "memory" / "old.md").write_bytes("café\n".encode("utf-16"))
    (root / "memory" / "gone.md").symlink_to("nothing.md")
    (root / "memory" / "out.md").symlink_to("/etc/hostname")
    (root / "memory" / "large.md").write_text("- A long story.\n" * 99)
    os.mkfifo(root / "memory" / "pipe.md")
    (root / "commonplace.toml").write_text("max_file_bytes = 1000\n")
    told = cli("status", "--json").json
    assert told["read"] == {"./": 1, "memory/": 1}
    found = left(cli)
    for name, why in (
        ("old", "UTF-8"),
        ("gone", "nothing"),
        ("out", "out of"),
        ("large", "1,584 bytes"),
        ("pipe", "pipe"),
    ):
        assert why in found[f"memory/{name}.md"][1]
    assert "./" not in found


def test_of_any_other_folder_all_markdown_is_read(workspace: Write, cli: Cli) -> None:
    workspace({"a.md": "- One.\n", "deep/er/b.md": "- Two.\n", "deep/c.txt": "?\n"})
    assert cli("status", "--json").json["read"] == {"./": 1, "deep/": 1}
    assert left(cli) == {"deep/": (1, "not Markdown (.txt)")}


def test_for_people_it_is_a_line_a_folder_and_short(workspace: Write, cli: Cli) -> None:
    more = {f"other{number:02}/{at}.md": "x\n" for number in range(20) for at in range(30 - number)}
    workspace({**FILES, **more})
    out = cli("status").out
    assert "  memory/ 2 files\n" in out
    assert "  other00/ 30 files: not in include\n" in out
    assert "commonplace init --include other00" in out
    assert "more folders" in out and len(out.splitlines()) < 40
    names = {each.path for each in Memory(str(cli.root)).status().left_out if isinstance(each, LeftOut)}
    assert {f"other{number:02}/" for number in range(20)} <= names


def test_nothing_is_said_where_nothing_is_left_out(workspace: Write, cli: Cli) -> None:
    workspace({"MEMORY.md": "# Memory\n"})
    done = cli("status")
    assert "left out" not in done.out and done.out.endswith("read:\n  ./ 1 file\n")
