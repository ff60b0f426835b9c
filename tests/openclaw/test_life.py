"""Installed, upgraded, uninstalled: the workspace stays as it was; and without commonplace the agent goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.openclaw.conftest import OpenClaw, node

if TYPE_CHECKING:
    from pathlib import Path

LOG = "## Retain\n- W @Ben: Repaired the boat.\n"


def test_it_comes_and_goes(tmp_path: Path) -> None:
    openclaw = OpenClaw(tmp_path)
    try:
        (openclaw.workspace / "memory" / "2025-10-03.md").write_text(LOG)
        openclaw.install(tmp_path)
        config = openclaw.home / ".openclaw" / "openclaw.json"
        assert json.loads(config.read_text())["plugins"]["slots"] == {"memory": "commonplace"}
        openclaw.install(tmp_path)  # an upgrade is the same command

        bare = {"PATH": f"{node()}:/usr/bin:/bin"}
        words = ["agent", "--local", "--session-key", "agent:main:main", "--json", "-m"]
        done = openclaw.run(*words, 'CALL memory_recall {"query": "Ben"}', **bare)
        assert done.returncode == 0, done.stderr
        assert "in its repository: pipx install ." in openclaw.stub.results()[-1]
        assert "the turn goes on without its memory" in done.stderr

        before = {path: path.read_bytes() for path in openclaw.workspace.rglob("*.md")}
        openclaw("plugins", "uninstall", "commonplace", "--force")
        assert {path: path.read_bytes() for path in openclaw.workspace.rglob("*.md")} == before
        left = json.loads(config.read_text())["plugins"]
        assert left.get("slots", {}).get("memory", "memory-core") == "memory-core"
        assert left["entries"].get("commonplace") in (None, {"enabled": False})
        assert "does not know" in openclaw.run("memory", "recall", "Ben").stderr
    finally:
        openclaw.stub.shutdown()
        openclaw.stub.server_close()
