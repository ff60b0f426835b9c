"""Real clients, from the npm registry, find and reach the server by the configuration that setup writes.

The versions are those that `clients.json` names. They are installed once, beside the repository's own things: into
COMMONPLACE_CLIENTS, else ~/.cache/commonplace-tests (360 MB to fetch, less than a minute).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.doors.setup import clients, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Cli

CACHE = Path(os.environ.get("COMMONPLACE_CLIENTS") or Path.home() / ".cache" / "commonplace-tests")
OUTSIDE = dict(os.environ)
"""The environment before tests get a home that is nobody's: npm's settings are in the real one."""
QUIET = {
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_TELEMETRY_ENABLED": "false",
    "NO_COLOR": "1",
}
TRANSPORTS = ["stdio", "http"]


def installed(client: str) -> Path:
    """The folder of a client's programs, installed when it is not there yet."""
    package = clients()[client]["package"]
    folder = CACHE / f"{client}-{package.rpartition('@')[2]}"
    if not folder.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed")
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE, ignore_cleanup_errors=True) as new:
            words = [npm, "install", "--prefix", new, "--no-audit", "--no-fund", package]
            subprocess.run(words, env=OUTSIDE, check=True, capture_output=True, timeout=300)
            try:
                os.rename(new, folder)
            except OSError:
                assert folder.exists()  # another run was faster
            else:
                os.mkdir(new)
    return folder / "node_modules" / ".bin"


@contextmanager
def served(root: Path, transport: str) -> Iterator[list[str]]:
    """The flags of setup for a transport, and for http a server that runs meanwhile."""
    if transport == "stdio":
        yield []
        return
    words = [*command({}), "mcp", "--http", "0", "--workspace", str(root)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout
            address = re.search(r"127\.0\.0\.1:(\d+)/mcp", server.stdout.readline())
            assert address
            yield ["--http", address[1]]
        finally:
            server.terminate()


class Home:
    """A home with one client in it, and a project."""

    def __init__(self, cli: Cli, folder: Path, client: str) -> None:
        self.cli, self.path, self.client = cli, folder / "home", client
        self.project = folder / "project"
        cli.root.mkdir()
        self.path.mkdir()
        self.project.mkdir()

    def setup(self, *words: str) -> dict[str, Any]:
        done = self.cli("setup", self.client, "--json", *words, HOME=str(self.path))
        assert done.status == 0, done.err
        answer: dict[str, Any] = json.loads(done.out)
        return answer

    def run(self, *words: str, stdin: str = "") -> str:
        """What the client prints."""
        program, *rest = words
        env = {"PATH": os.environ["PATH"], "HOME": str(self.path), **QUIET}
        done = subprocess.run(
            [installed(self.client) / program, *rest],
            cwd=self.project,
            env=env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout + done.stderr


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_claude_code(cli: Cli, tmp_path: Path, transport: str) -> None:
    home = Home(cli, tmp_path, "claude-code")
    with served(cli.root, transport) as flags:
        home.setup("--write", *flags)
        said = home.run("claude", "mcp", "get", "commonplace")
        assert "Scope: User config" in said
        assert "✔ Connected" in said
        assert f"Type: {transport}" in said
    home.setup("--remove")
    assert "No MCP servers configured" in home.run("claude", "mcp", "list")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_codex(cli: Cli, tmp_path: Path, transport: str) -> None:
    """Its own server, which it starts for editors, connects and lists the tools."""
    home = Home(cli, tmp_path, "codex")
    config = home.path / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(f'# mine\n[projects."{home.project}"]\ntrust_level = "trusted" # yes\n')
    before = config.read_bytes()
    with served(cli.root, transport) as flags:
        home.setup("--write", *flags)
        [known] = json.loads(re.sub(r"\A[^\[]*", "", home.run("codex", "mcp", "list", "--json").split("WARNING")[0]))
        assert known["name"] == "commonplace"
        assert known["transport"]["type"] == {"stdio": "stdio", "http": "streamable_http"}[transport]
        assert "recall" in codex_tools(home)
    home.setup("--remove")
    assert config.read_bytes() == before


def codex_tools(home: Home) -> set[str]:
    """The names of our tools, as Codex sees them."""
    asked = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "mcpServerStatus/list", "params": {}},
    ]
    words = [str(installed("codex") / "codex"), "app-server"]
    env = {"PATH": os.environ["PATH"], "HOME": str(home.path), **QUIET}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        words, cwd=home.project, env=env, stdin=pipe, stdout=pipe, stderr=nowhere, text=True
    ) as codex:
        try:
            assert codex.stdin
            assert codex.stdout
            codex.stdin.write("".join(json.dumps(each) + "\n" for each in asked))
            codex.stdin.flush()
            for line in codex.stdout:  # it is asked until it answers: its input stays open
                said = json.loads(line)
                if said.get("id") == 2:
                    return {tool for each in said["result"]["data"] for tool in each["tools"]}
        finally:
            codex.terminate()
    return set()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_gemini_cli(cli: Cli, tmp_path: Path, transport: str) -> None:
    home = Home(cli, tmp_path, "gemini-cli")
    settings = home.path / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  // at night\n  "ui": {"theme": "GitHub"} /* and by day */\n}\n')
    before = settings.read_bytes()
    (settings.parent / "trustedFolders.json").write_text(json.dumps({str(home.project): "TRUST_FOLDER"}))
    with served(cli.root, transport) as flags:
        home.setup("--write", *flags)
        said = home.run("gemini", "mcp", "list")
        assert re.search(rf"commonplace: .* \({transport}\) - Connected", said)
    home.setup("--remove")
    assert settings.read_bytes() == before
