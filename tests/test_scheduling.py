"""The examples of docs/scheduling.md, run as cron, systemd and launchd would run them."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import commonplace

if TYPE_CHECKING:
    from collections.abc import Mapping

DOCS = (Path(__file__).parent.parent / "docs" / "scheduling.md").read_text(encoding="utf-8")
BARE = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}
"""What cron gives a job, beside HOME."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the command where pipx puts it, and a workspace in which a reflect has something to do."""
    home = tmp_path / "a home"
    (home / ".local/bin").mkdir(parents=True)
    command = home / ".local/bin/commonplace"
    source = Path(commonplace.__file__).parent.parent
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m commonplace "$@"\n')
    command.chmod(0o755)
    (home / "notes/memory").mkdir(parents=True)
    (home / "notes/MEMORY.md").write_text("# Core\n")
    say(home, "W @Rolf: Rolf is the carpenter.", "W @Rolf: Lives in Bergen.", "O(c=0.9) @Rolf: Likes oak.")
    return home


def say(home: Path, *facts: str) -> None:
    with open(home / "notes/memory/2026-01-14.md", "a", encoding="utf-8") as file:
        file.write("## Retain\n" + "".join(f"- {fact}\n" for fact in facts))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCS, re.M | re.S)


def ran(command: str, env: Mapping[str, str], home: Path) -> tuple[int, str, str]:
    """A command line as a scheduler hands it to the shell: a bare environment, no terminal, the home as folder."""
    argv = ["env", "-i", *(f"{name}={value}" for name, value in env.items()), "/bin/sh", "-c", command]
    done = subprocess.run(
        argv, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False, timeout=100
    )
    return done.returncode, done.stdout, done.stderr


def assert_renews(command: str, env: Mapping[str, str], home: Path) -> None:
    """See that a job renews the pages when there is news and is silent when there is none."""
    page = home / "notes/bank/entities/Rolf.md"
    status, out, err = ran(command, env, home)
    assert (status, err) == (0, "")
    assert "bank/entities/Rolf.md: new page" in out
    assert "Lives in Bergen." in page.read_text(encoding="utf-8")
    for _ in range(2):
        assert ran(command, env, home) == (0, "", "")
    say(home, "W @Rolf: Owns a saw, “大工”.")
    status, out, err = ran(command, env, home)
    assert (status, err) == (0, "")
    assert "bank/entities/Rolf.md" in out
    assert "大工" in page.read_text(encoding="utf-8")
    assert ran(command, env, home) == (0, "", "")


def test_the_line_for_cron(home: Path) -> None:
    (line,) = blocks("crontab")
    assert line.count("\n") == 1
    *fields, command = line.rstrip("\n").split(" ", 5)
    assert len(fields) == 5
    for field, (low, high) in zip(fields, ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7)), strict=True):
        assert field == "*" or low <= int(field) <= high
    assert "%" not in command  # which cron takes for the end of the line
    assert_renews(command, {**BARE, "HOME": str(home)}, home)


def units() -> dict[str, str]:
    """The unit files by name."""
    return {block.split("\n", 1)[0].removeprefix("# "): block for block in blocks("ini")}


class Unit(ConfigParser):
    """A unit file; its keys have capitals."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def unit(name: str, home: Path) -> Unit:
    parser = Unit(interpolation=None, strict=True)
    parser.read_string(units()[name].replace("%h", str(home)))
    return parser


def test_the_units_for_systemd(home: Path) -> None:
    service = unit("commonplace-reflect.service", home)["Service"]
    assert service["Type"] == "oneshot"
    name, _, value = service["Environment"].partition("=")
    program, _, words = service["ExecStart"].partition(" reflect ")
    env = {**BARE, "HOME": str(home), name: value}
    assert_renews(f'"{program}" reflect {words}', env, home)
    timer = unit("commonplace-reflect.timer", home)
    assert timer["Timer"]["OnCalendar"] == "hourly"
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_systemd_itself_takes_the_units(home: Path) -> None:
    """Where it is installed; elsewhere the keys are those that it documents."""
    folder = home / ".config/systemd/user"
    folder.mkdir(parents=True)
    for name, text in units().items():
        (folder / name).write_text(text)
    known = {"Description", "Type", "Environment", "ExecStart", "OnCalendar", "RandomizedDelaySec", "Persistent"}
    for name in units():
        for section in unit(name, home).values():
            assert set(section) <= known | {"WantedBy"}
    analyze = shutil.which("systemd-analyze")
    if analyze is not None:
        env = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
        argv = [analyze, "--user", "verify", *map(str, sorted(folder.iterdir()))]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, env=env, timeout=100)
        assert [line for line in done.stderr.splitlines() if "commonplace" in line] == []


def test_the_agent_for_launchd(home: Path) -> None:
    (text,) = blocks("xml")
    agent = plistlib.loads(text.encode())
    assert agent["StartInterval"] == 3600
    shell, flag, command = agent["ProgramArguments"]
    assert (shell, flag) == ("/bin/sh", "-c")
    assert_renews(command, {**BARE, "HOME": str(home)}, home)


def test_the_line_for_a_heartbeat(home: Path) -> None:
    (line,) = (block for block in blocks("markdown") if "heartbeat" in DOCS)
    (command,) = re.findall(r"`(commonplace [^`]*)`", line)
    env = {"PATH": f"{home}/.local/bin:/usr/bin:/bin", "HOME": str(home), "COMMONPLACE_WORKSPACE": str(home / "notes")}
    assert ran(command, env, home)[0] == 0
    assert ran(command, env, home) == (3, "", "")
    (home / "notes/bank/entities/Olga.md").write_text("# Olga\n")
    say(home, "W @Olga: Olga is a potter.")
    assert ran(command, env, home)[0] == 0
    assert ran(command, env, home) == (4, "", "")
    assert "## Left alone\n- bank/entities/Olga.md" in (home / "notes/bank/review.md").read_text()
    (script,) = blocks("sh")
    assert ran(script, env, home)[1] == ""
    say(home, "W @Rolf: Owns a saw.")
    assert "bank/entities/Rolf.md" in ran(script, env, home)[1]
