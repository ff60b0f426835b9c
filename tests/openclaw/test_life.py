"""Installed by one command, renewed, uninstalled: the workspace stays as it was."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.openclaw.conftest import OpenClaw, eventually, node
from tests.registry import CACHE, OUTSIDE

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


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a checkout contains of the plugin and of commonplace; what a test builds there, the next finds."""
    folder = tmp_path_factory.mktemp("checkout") / "checkout"
    folder.mkdir()
    unwanted = shutil.ignore_patterns("__pycache__", "dist*", "node_modules")  # another test may be building
    for name in ("src", "plugins"):
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    for name in ("Makefile", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


@contextmanager
def moved_away(folder: Path) -> Iterator[None]:
    """While this lasts the folder is not where it was."""
    elsewhere = folder.rename(folder.with_name("elsewhere"))
    try:
        yield
    finally:
        elsewhere.rename(folder)


def made(openclaw: OpenClaw, folder: Path, target: str = "openclaw") -> str:
    """What `make openclaw` says, where OpenClaw has its Node beside it and the one on PATH may be older."""
    place = openclaw.home.parent / "global" / "bin"
    if not place.exists():
        place.mkdir(parents=True)
        (place / "openclaw").symlink_to(openclaw.program)
        (place / "node").symlink_to(node() / "node")
    env = {**openclaw.env, "PATH": f"{OUTSIDE['PATH']}:{place}", "MAKEFLAGS": ""}
    make = ["make", "--no-print-directory", target]  # this may run below a make, which would be told
    done = subprocess.run(make, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode and UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip("not run: the package index cannot be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.md")}


def config(openclaw: OpenClaw) -> dict[str, Any]:
    """What the configuration says of plugins, but for what the host itself notes there when it first writes."""
    found: dict[str, Any] = json.loads((openclaw.home / ".openclaw" / "openclaw.json").read_text()).get("plugins", {})
    entries = {name: of for name, of in found.get("entries", {}).items() if name not in ("anthropic", "codex")}
    return {key: of for key, of in {**found, "entries": entries}.items() if of}


def left(openclaw: OpenClaw) -> list[str]:
    """Files of the home that are ours or speak of us, but for the host's own copies, caches and logs."""
    hosts = re.compile(r"/\.npm/|/\.cache/|openclaw\.json\.bak|/logs/|/state/openclaw\.sqlite|/agents/|/cache/")
    paths = [path for path in openclaw.home.rglob("*") if not hosts.search(str(path))]
    named = [str(path) for path in paths if "commonplace" in path.name]
    texts = {path: path.read_bytes().replace(bytes(CACHE), b"") for path in paths if path.is_file()}
    return named + [str(path) for path, text in texts.items() if b"commonplace" in text]


def jobs(openclaw: OpenClaw) -> dict[str, bool]:
    """The keys of the gateway's memory jobs, and whether each is enabled."""
    listed = json.loads(openclaw("automations", "list", "--all", "--json"))["jobs"]
    keys = {job.get("declarationKey", ""): job["enabled"] for job in listed}
    return {key: enabled for key, enabled in keys.items() if key.startswith(("memory-core:", "commonplace:"))}


DREAMING = "memory-core:memory-dreaming-promotion"


def test_one_command_installs_renews_and_leaves_nothing_behind(bare: OpenClaw, checkout: Path) -> None:
    """Into a configuration that nobody touched, and a home that OpenClaw never ran in."""
    before = files(bare.workspace)
    own = checkout / ".venv" / "bin" / "commonplace"
    bare.env["PATH"] = f"{node()}:/usr/bin:/bin"  # no other commonplace
    assert config(bare) == {}

    said = made(bare, checkout)
    assert "set: plugins.entries.memory-core.enabled false\n" in said
    assert "memory-core's nightly job will be disabled when the gateway starts" in said
    assert f"openclaw memory status: 1 files in {bare.workspace}\nnext: openclaw gateway restart" in said
    there = config(bare)
    assert there["slots"] == {"memory": "commonplace"}
    assert there["entries"]["memory-core"] == {"enabled": False}
    assert there["entries"]["commonplace"] == {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"command": [str(own)]},
    }
    assert "Repaired the boat." in bare("memory", "recall", "Ben")
    assert said.endswith(made(bare, checkout))
    assert config(bare) == there

    said = made(bare, checkout, "openclaw-uninstall")
    assert "restored: plugins.entries.memory-core.enabled (not set: true)" in said
    assert files(bare.workspace) == before
    assert config(bare) == {}
    assert left(bare) == []
    assert 'has no command "recall"' in bare.run("memory", "recall", "Ben").stderr
    assert "starting one without channels" in said


def test_without_a_checkout_a_wheel_and_a_package_do(bare: OpenClaw, checkout: Path, tmp_path: Path) -> None:
    """Where memory-core has run before and has its job; the gateway runs all the while, or is started anew."""
    made(bare, checkout, "dist")
    [wheel], [package] = (list((checkout / "dist").glob(pattern)) for pattern in ("*.whl", "*.tgz"))
    own = tmp_path / "own"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(own / "bin" / "python"), "install", "-q", str(wheel)]
    subprocess.run([*pip, "--disable-pip-version-check"], env={**OUTSIDE}, check=True)
    shutil.copy(package, tmp_path)
    with moved_away(checkout):
        lives_from(bare, own / "bin" / "commonplace", tmp_path / package.name)


def lives_from(bare: OpenClaw, own: Path, package: Path) -> None:
    """Install the plugin from a package with the program that was installed from a wheel, use it, and remove it."""
    bare.env["PATH"] = f"{node()}:/usr/bin:/bin"  # no other commonplace
    bare.start()
    assert eventually(lambda: jobs(bare) == {DREAMING: True}, every=1)
    before = config(bare)

    bare("plugins", "install", f"npm-pack:{package}", "--force", "--accept-capabilities")
    said = bare("commonplace", "setup", "--command", str(own))
    assert "set: plugins.entries.memory-core.enabled false\n" in said
    assert f"openclaw memory status: 1 files in {bare.workspace}\nnext: openclaw gateway restart" in said
    bare.stop()
    bare.start()
    assert eventually(lambda: jobs(bare).get("commonplace:reflect:main", False), every=1)
    assert jobs(bare)[DREAMING] is False
    asked = 'CALL memory_recall {"query": "Ben"}'
    bare.turn(asked)
    assert "Repaired the boat." in bare.stub.results(asked)[-1]

    said = bare("commonplace", "remove")
    assert "removed: the job Reflect (main)" in said
    bare.stop()
    bare.start()
    assert eventually(lambda: jobs(bare) == {DREAMING: True}, every=1)
    assert config(bare) == before
    assert left(bare) == []


def test_it_says_that_there_is_no_openclaw(tmp_path: Path) -> None:
    env = {**os.environ, "PATH": str(tmp_path)}
    words = [str(node() / "node"), str(ROOT / "plugins" / "openclaw" / "install.js")]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("commonplace: openclaw is not on PATH")
