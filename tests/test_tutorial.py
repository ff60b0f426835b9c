"""The documents by running them: each `console` block's commands run for real, and what they print is compared.

All blocks of one page run in one shell, from the top, with a home of their own; the shell starts in this repository, so
that a page can copy the bundled workspace and change into the copy. In an expected output `…` stands for anything on
that line, and a line that is only `…` for any number of lines. `python` blocks of docs/python.md and
docs/memory-tool.md run as doctests.

`python tests/test_tutorial.py` rewrites the outputs that no longer match; read the diff before you commit it.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", ROOT / "docs" / "tutorial.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "\x1e"
SECONDS = 120


class Step(NamedTuple):
    """One command of a page and what it is said to print."""

    command: str
    expected: str
    line: int


def steps(page: Path) -> list[Step]:
    """The commands of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found: list[Step] = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        for number, row in enumerate(block[1].splitlines(), line):
            if row.startswith("$ "):
                found.append(Step(row[2:], "", number))
            elif row.startswith("> ") and found and not found[-1].expected:
                found[-1] = found[-1]._replace(command=f"{found[-1].command}\n{row[2:]}")
            else:
                found[-1] = found[-1]._replace(expected=f"{found[-1].expected}{row}\n")
    return found


def play(commands: list[str], home: Path) -> list[str]:
    """What each command prints, standard error included, all run in one shell."""
    # A fresh clone as far as a page can see: its own folder, so that nothing is written into the repository.
    clone = home / "commonplace"
    shutil.copytree(ROOT / "examples", clone / "examples", dirs_exist_ok=True)
    script = "".join(f"printf '{MARK}'\n{command}\n" for command in commands)
    env = {
        "HOME": str(home),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "LANG": "C.UTF-8",
        "TZ": "Europe/Vienna",
    }
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=clone,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    return [each.replace(str(home), "~") for each in done.stdout.split(MARK)[1:]]


def matches(expected: str, printed: str) -> bool:
    """Whether an output is as the page says, `…` standing for anything."""
    pattern = "".join(_row(row) for row in expected.splitlines())
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed else printed + "\n") is not None


def _row(row: str) -> str:
    if row.strip() == "…":
        return r"(?:[^\n]*\n)*"
    return "[^\n]*".join(re.escape(part) for part in row.rstrip().split("…")) + r"[ ]*\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    wanted = steps(page)
    assert wanted
    printed = play([step.command for step in wanted], tmp_path / "home")
    assert len(printed) == len(wanted)
    for step, output in zip(wanted, printed, strict=True):
        assert matches(step.expected, output), f"{page.name}:{step.line} $ {step.command}\n{output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_leaves_the_workspace_of_openclaw_alone(page: Path, tmp_path: Path) -> None:
    """Whoever has OpenClaw sees the same, and none of it goes into their agent's memory."""
    claw = tmp_path / "home" / ".openclaw"
    (claw / "workspace").mkdir(parents=True)
    (claw / "workspace" / "MEMORY.md").write_text("- Mine.\n")
    (claw / "openclaw.json").write_text('{"agents": {"defaults": {"workspace": "~/.openclaw/workspace"}}}')
    wanted = steps(page)
    for step, output in zip(wanted, play([step.command for step in wanted], tmp_path / "home"), strict=True):
        assert matches(step.expected, output), f"{page.name}:{step.line} $ {step.command}\n{output}"
    assert [each.name for each in (claw / "workspace").iterdir()] == ["MEMORY.md"]


def test_the_readme_and_the_tutorial_in_one_home_in_either_order_twice(tmp_path: Path) -> None:
    """A newcomer does both, and does them again: no copy trips over another."""
    readme, tutorial = PAGES[0], PAGES[-1]
    for page in (readme, tutorial, tutorial, readme):
        wanted = steps(page)
        printed = play([step.command for step in wanted], tmp_path / "home")
        for step, output in zip(wanted, printed, strict=True):
            assert matches(step.expected, output), f"{page.name}:{step.line} $ {step.command}\n{output}"
    copies = sorted(each.name for each in (tmp_path / "home").iterdir())
    assert copies == ["commonplace", "quill", "quill-2", "quill-3", "quill-4"]


@pytest.mark.parametrize("name", ["python.md", "memory-tool.md"])
def test_python_page_says_what_python_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "workspace", tmp_path / "quill")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    page = ROOT / "docs" / name
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failed, tried = doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert tried > 0
    assert failed == 0, "".join(told)


def test_renewing_keeps_what_was_left_open() -> None:
    assert _renewed("a\nsize: …\n", "b\nsize: 7\n") == ["b", "size: …"]
    assert _renewed("a\n…\n", "b\nc\nd\n") == ["b", "…"]


def test_an_ellipsis_matches_any_text() -> None:
    assert matches("a…c\n", "abc\n")
    assert matches("…\nb\n", "a\na\nb\n")
    assert matches("…\nb\n", "b\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("a…c\n", "ab\nc\n")


def renew(page: Path, home: Path) -> None:
    """Rewrite the outputs of a page that are no longer as it says."""
    wanted = steps(page)
    rows = page.read_text(encoding="utf-8").split("\n")
    printed = play([step.command for step in wanted], home)
    for step, output in reversed(list(zip(wanted, printed, strict=True))):
        if not matches(step.expected, output):
            start = step.line + step.command.count("\n")
            rows[start : start + len(step.expected.splitlines())] = _renewed(step.expected, output)
            print(f"{page.name}:{step.line} $ {step.command}")
    page.write_text("\n".join(rows), encoding="utf-8")


def _renewed(expected: str, output: str) -> list[str]:
    """The rows of an output, with what `…` stood for left open again."""
    old = expected.splitlines()
    fresh = [row.rstrip() for row in output.splitlines()]
    if "…" in old:
        fresh = [*fresh[: old.index("…")], "…"]
    open_rows = [row for row in old if "…" in row and row != "…"]
    return [next((row for row in open_rows if re.fullmatch(_row(row), new + "\n")), new) for new in fresh]


if __name__ == "__main__":
    import tempfile

    for number, each in enumerate(PAGES):
        with tempfile.TemporaryDirectory() as scratch:
            renew(each, Path(scratch) / str(number))
