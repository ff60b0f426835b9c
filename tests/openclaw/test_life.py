"""Installed by one command, renewed, uninstalled: the workspace stays as it was; and what is missing is told."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.openclaw.conftest import OpenClaw, eventually, node
from tests.registry import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
LOG = "## Retain\n- W @Ben: Repaired the boat.\n"
UNREACHABLE = re.compile(r"Could not find a version|NewConnectionError|NameResolutionError|ConnectTimeoutError")


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[OpenClaw]:
    """An OpenClaw without a plugin, and a workspace with a log."""
    openclaw = OpenClaw(tmp_path)
    (openclaw.workspace / "memory" / "2025-10-03.md").write_text(LOG)
    yield openclaw
    openclaw.stop()
    openclaw.stub.shutdown()
    openclaw.stub.server_close()


def checkout(folder: Path) -> Path:
    """A copy of what a checkout holds of the plugin and of commonplace; nothing built, nothing installed."""
    unwanted = shutil.ignore_patterns("__pycache__", "dist", "node_modules")
    for name in ("src", "plugins"):
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    for name in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def made(openclaw: OpenClaw, folder: Path) -> str:
    """What `make openclaw` says, where OpenClaw has its Node beside it and the one on PATH may be older."""
    place = folder / "global" / "bin"
    if not place.exists():
        place.mkdir(parents=True)
        (place / "openclaw").symlink_to(openclaw.program)
        (place / "node").symlink_to(node() / "node")
    env = {**openclaw.env, "PATH": f"{OUTSIDE['PATH']}:{place}", "MAKEFLAGS": ""}
    make = ["make", "--no-print-directory", "openclaw"]  # this may run below a make, which would be told
    done = subprocess.run(make, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode and UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip("not run: the package index cannot be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.md")}


def config(openclaw: OpenClaw) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((openclaw.home / ".openclaw" / "openclaw.json").read_text())["plugins"]
    return found


def test_one_command_installs_renews_and_brings_it_back(bare: OpenClaw, tmp_path: Path) -> None:
    folder = checkout(tmp_path / "checkout")
    before = files(bare.workspace)
    own = folder / ".venv" / "bin" / "commonplace"
    bare.env["PATH"] = f"{node()}:/usr/bin:/bin"  # no other commonplace

    said = made(bare, folder)
    assert f"memory: {own}\nnext: openclaw gateway restart, then openclaw memory status" in said
    there = config(bare)
    assert there["slots"] == {"memory": "commonplace"}
    assert there["entries"]["commonplace"] == {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"command": [str(own)]},
    }
    assert json.loads(bare("memory", "status", "--json"))[0]["status"]["files"] == 1
    assert said.endswith(made(bare, folder))
    assert config(bare) == there

    bare("plugins", "uninstall", "commonplace", "--force")
    assert files(bare.workspace) == before
    left = config(bare)
    assert left.get("slots", {}).get("memory", "memory-core") == "memory-core"
    assert "does not know" in bare.run("memory", "recall", "Ben").stderr

    made(bare, folder)
    assert "Repaired the boat." in bare("memory", "recall", "Ben")
    assert files(bare.workspace) == before


def test_without_commonplace_the_agent_goes_on(bare: OpenClaw) -> None:
    bare.install()
    missing = {"PATH": f"{node()}:/usr/bin:/bin"}
    words = ["agent", "--local", "--session-key", "agent:main:main", "--json", "-m"]
    done = bare.run(*words, 'CALL memory_recall {"query": "Ben"}', **missing)
    assert done.returncode == 0, done.stderr
    assert "in its repository: pipx install ." in bare.stub.results()[-1]
    assert "the turn goes on without its memory" in done.stderr


def test_a_missing_permission_is_told_once_with_what_mends_it(bare: OpenClaw) -> None:
    bare.install()
    bare.start()
    assert eventually(
        lambda: "commonplace:reflect" in bare("automations", "list", "--all", "--json")
    )  # the start is over
    bare.stop()
    assert "as it may not see messages" not in bare.log.read_text()
    bare("config", "unset", "plugins.entries.commonplace.hooks")
    mends = "openclaw config set plugins.entries.commonplace.hooks.allowConversationAccess true"
    bare.start()
    assert bare.logs(mends)
    bare.stop()
    assert bare.log.read_text().count(mends) == 1
    bare(*mends.split()[1:])
    assert config(bare)["entries"]["commonplace"]["hooks"] == {"allowConversationAccess": True}


def test_it_says_that_there_is_no_openclaw(tmp_path: Path) -> None:
    env = {**os.environ, "PATH": str(tmp_path)}
    words = [str(node() / "node"), str(ROOT / "plugins" / "openclaw" / "install.js")]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("commonplace: openclaw is not on PATH")
