"""What errors say to do next: commands that run as they stand."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from commonplace.errors import installing


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/commonplace", ["pipx", "inject", "commonplace"]),
        ("C:\\Users\\me\\pipx\\venvs\\commonplace-2", ["pipx", "inject", "commonplace-2"]),
        ("/home/me/.local/share/uv/tools/commonplace/", ["uv", "pip", "install", "--python", "/home/me/my python"]),
        ("/home/me/project/.venv", ["/home/me/my python", "-m", "pip", "install"]),
    ],
)
def test_an_extra_is_installed_where_this_commonplace_runs(prefix: str, command: list[str]) -> None:
    """Whether it came from a checkout or from a wheel: what the extra needs is named, and no folder."""
    *words, needed = shlex.split(installing("mcp", prefix=prefix, executable="/home/me/my python"))
    assert words == command
    assert needed.startswith("mcp<")


@pytest.mark.parametrize("extra", ["mcp", "watch", "anthropic", "semantic"])
def test_the_command_is_one_that_pip_takes(extra: str) -> None:
    """Here all of it is there already, so nothing is fetched."""
    done = subprocess.run(
        [*shlex.split(installing(extra)), "--no-index"], capture_output=True, text=True, timeout=60, check=False
    )
    assert installing(extra).startswith(shlex.quote(sys.executable))
    assert done.returncode == 0 and "already satisfied" in done.stdout
