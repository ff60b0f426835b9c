"""The clients that the docs name read what setup writes: the client itself, or code that belongs to it.

The packages and versions are those of `clients.json`, from the npm registry. They are installed once, into
COMMONPLACE_CLIENTS, else ~/.cache/commonplace-tests: 2.2 GB, and a minute and a half. Where the registry cannot be
reached the tests say so and are skipped, which fails a run of CI.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp
import pytest
from jsonschema import Draft7Validator, ValidationError
from tests.mcp_client import http
from tests.registry import CACHE, NODE, installed, tool, unpacked

from commonplace.doors.setup.client_setup import clients

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Cli

SCRIPTS = Path(__file__).parent / "clients"
QUIET = {
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_CLI_NO_RELAUNCH": "true",
    "OPENCLAW_NO_RESPAWN": "1",
    "NODE_COMPILE_CACHE": str(CACHE / "compiled"),
    "GEMINI_TELEMETRY_ENABLED": "false",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "NO_COLOR": "1",
}
WAYS = ["stdio", "http", "project"]
"""The server started by the client, as the user's own or the project's; or reached where it listens."""


@contextmanager
def served(root: Path, way: str) -> Iterator[list[str]]:
    """The flags of setup for a way, and for http a server that runs meanwhile."""
    if way != "http":
        yield ["--project"] if way == "project" else []
        return
    with http(root) as (url, _):
        yield ["--http", url.split(":")[-1].removesuffix("/mcp")]


class Home:
    """A home with one client in it, and a project."""

    def __init__(self, cli: Cli, folder: Path, client: str) -> None:
        self.cli, self.path, self.client = cli, folder / "home", client
        self.project = folder
        cli.root.mkdir()
        self.path.mkdir()

    def setup(self, *words: str) -> dict[str, Any]:
        done = self.cli("setup", self.client, "--json", *words, HOME=str(self.path))
        assert done.status == 0, done.err
        answer: dict[str, Any] = json.loads(done.out)
        return answer

    @contextmanager
    def connected(self, way: str) -> Iterator[None]:
        """Our server in the client, by one way, and taken out again."""
        with served(self.cli.root, way) as flags:
            self.setup("--write", *flags)
            yield
            self.setup("--remove", *flags)

    @contextmanager
    def kept(self, path: str, text: str) -> Iterator[Path]:
        """A file of the person's in the home, which ends as it began."""
        file = self.path / path
        file.parent.mkdir(parents=True)
        file.write_text(text)
        before = file.read_bytes()
        yield file
        assert file.read_bytes() == before

    def program(self, name: str) -> str:
        """The path of a program of the client."""
        return tool(clients()[self.client]["package"], name)

    def env(self, *, node: str = "") -> dict[str, str]:
        """The environment of the client; `node` is the package of a Node to run it with."""
        path = os.environ["PATH"]
        if node:
            path = f"{Path(tool(node, 'node')).parent}{os.pathsep}{path}"
        return {"PATH": path, "HOME": str(self.path), **QUIET}

    def run(self, *words: str, node: str = "") -> str:
        """What a program prints; the first word is its path."""
        done = subprocess.run(
            words, cwd=self.project, env=self.env(node=node), capture_output=True, text=True, timeout=300, check=False
        )
        return done.stdout + done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_claude_code(cli: Cli, tmp_path: Path, way: str) -> None:
    home = Home(cli, tmp_path, "claude-code")
    with home.connected(way):
        said = home.run(home.program("claude"), "mcp", "get", "commonplace")
        if way == "project":  # it waits for a person's word
            assert "Scope: Project config" in said
            assert "Pending approval" in said
        else:
            assert "Scope: User config" in said
            assert "✔ Connected" in said
        assert f"Type: {'http' if way == 'http' else 'stdio'}" in said
    assert "No MCP servers configured" in home.run(home.program("claude"), "mcp", "list")


@pytest.mark.parametrize("way", WAYS)
def test_codex(cli: Cli, tmp_path: Path, way: str) -> None:
    """Its own server, which it starts for editors, connects and lists the tools."""
    home = Home(cli, tmp_path, "codex")
    config = f'# mine\n[projects."{home.project}"]\ntrust_level = "trusted" # yes\n'
    with home.kept(".codex/config.toml", config), home.connected(way):
        listed = home.run(home.program("codex"), "mcp", "list", "--json")
        known, _ = json.JSONDecoder().raw_decode(listed[listed.index("{\n") :])  # warnings stand around it
        assert known["name"] == "commonplace"
        assert known["transport"]["type"] == ("streamable_http" if way == "http" else "stdio")
        if way != "project":  # the server for editors knows no project before a conversation
            assert "recall" in codex_tools(home)


def codex_tools(home: Home) -> set[str]:
    """The names of our tools, as Codex sees them."""
    asked = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "mcpServerStatus/list", "params": {}},
    ]
    words = [home.program("codex"), "app-server"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        words, cwd=home.project, env=home.env(), stdin=pipe, stdout=pipe, stderr=nowhere, text=True
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


@pytest.mark.parametrize("way", WAYS)
def test_gemini_cli(cli: Cli, tmp_path: Path, way: str) -> None:
    home = Home(cli, tmp_path, "gemini-cli")
    config = '{\n  // at night\n  "ui": {"theme": "GitHub"} /* and by day */\n}\n'
    with home.kept(".gemini/settings.json", config) as settings, home.connected(way):
        (settings.parent / "trustedFolders.json").write_text(json.dumps({str(home.project): "TRUST_FOLDER"}))
        said = home.run(home.program("gemini"), "mcp", "list")
        assert re.search(rf"commonplace: .* \({'http' if way == 'http' else 'stdio'}\) - Connected", said)


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_openclaw(cli: Cli, tmp_path: Path, way: str) -> None:
    """Its probe connects and counts the tools; it reads JSON5. Its start alone costs ten seconds of a busy machine."""
    home = Home(cli, tmp_path, "openclaw")
    config = "{\n  // mine\n  gateway: {mode: 'local'},\n}\n"
    with home.kept(".openclaw/openclaw.json", config), home.connected(way):
        said = home.run(home.program("openclaw"), "mcp", "probe", "commonplace", node=NODE)
        assert re.search(r"^- commonplace: [1-9]\d* tools", said, re.M), said


@pytest.mark.parametrize("way", WAYS)
def test_opencode(cli: Cli, tmp_path: Path, way: str) -> None:
    home = Home(cli, tmp_path, "opencode")
    config = '{\n  "$schema": "https://opencode.ai/config.json", // theirs\n  "autoupdate": false,\n}\n'
    with home.kept(".config/opencode/opencode.json", config), home.connected(way):
        said = re.sub(r"\x1b\[[\d;]*m", "", home.run(home.program("opencode"), "mcp", "list"))
        assert re.search(r"✓ commonplace +connected", said), said


@pytest.mark.parametrize("way", WAYS)
def test_cursor(cli: Cli, tmp_path: Path, way: str) -> None:
    """Cursor's own library reads Cursor's files and lists the tools; the program itself is in no registry."""
    home = Home(cli, tmp_path, "cursor")
    library = installed(clients()["cursor"]["package"])
    with home.connected(way):
        node = tool(NODE, "node")
        answer = home.run(node, str(SCRIPTS / "cursor.cjs"), str(library), "project" if way == "project" else "user")
        [line] = re.findall(r'^\{"jsonrpc".*', answer, re.M)
        assert "recall" in {each["name"] for each in json.loads(line)["result"]["tools"]}


def test_vscode(cli: Cli, tmp_path: Path) -> None:
    """The schema that VS Code checks the file by; it refuses what is not of it."""
    home = Home(cli, tmp_path, "vscode")
    code = vscode(home)
    schema = Draft7Validator(code["schema"])
    for flags in ([], ["--http", "8765"]):
        said = home.setup("--write", *flags)
        found = json.loads(Path(said["path"]).read_text())
        schema.validate(found)
        assert Path(said["path"]).name == code["user"]
        for wrong in ({"mcpServers": found["servers"]}, {"servers": {"commonplace": {"command": 1}}}):
            with pytest.raises(ValidationError):
                schema.validate(wrong)
    assert clients()["vscode"]["project"] == [code["workspace"]]


def test_claude_desktop(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """VS Code's import of its servers looks where we write and reads that; so does the official SDK's installer write.

    The program itself is in no registry, and there is none for Linux.
    """
    home = Home(cli, tmp_path, "claude-desktop")
    said = home.setup("--write")
    found = vscode(home, said["path"])["claude"]
    [server] = found["servers"]
    assert server["label"] == "commonplace"
    assert said["entry"] == {key: server["launch"][key] for key in ("command", "args")}
    for system, place in clients()["claude-desktop"]["user"].items():
        folder = place["folders"][-1].replace("$APPDATA", "~/AppData/Roaming")
        assert f"{folder}/{place['names'][0]}".replace("~", "/home/me") == found["paths"][system]

    monkeypatch.setenv("HOME", str(home.path))
    path = Path(mcp.__file__).parent / "cli" / "claude.py"
    spec = importlib.util.spec_from_file_location("claude", path)  # the package around it wants typer
    assert spec
    assert spec.loader
    installer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installer)
    assert installer.update_claude_config("server.py", "theirs")
    servers = json.loads(Path(said["path"]).read_text())["mcpServers"]
    assert servers["theirs"].keys() == servers["commonplace"].keys() == said["entry"].keys()


def vscode(home: Home, claude: str = "") -> dict[str, Any]:
    """What VS Code's own code says of a client's file, and of its own; see `vscode.mjs`.

    The packages are VS Code as modules, for other programs; what is asked needs none of those around them.
    """
    folder = unpacked(*(clients()[each]["package"] for each in ("vscode", "claude-desktop")))
    node = shutil.which("node") or tool(NODE, "node")
    found: dict[str, Any] = json.loads(home.run(node, str(SCRIPTS / "vscode.mjs"), str(folder), claude))
    return found


def test_all_that_is_documented_is_tried() -> None:
    tried = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert clients().keys() <= tried
