"""OpenClaw itself, with the plugin installed as the docs say, a home of its own, and a model that does as told."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest
from tests.openclaw.stub import Stub
from tests.registry import CACHE, NODE, OUTSIDE, installed

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Iterator

PLUGIN = Path(__file__).parents[2] / "plugins" / "openclaw"
OPENCLAW = "openclaw@2026.9.6"
LATE = "the turn continues without recall: The operation was aborted due to timeout"
"""What the gateway logs where the memory was too slow for a turn."""
BUSY = "state lease heartbeat did not become ready"
"""What the host says that gives up its own start on a machine that is too busy for its five seconds."""
PROGRAMS = Path(sys.executable).parent
"""Where this commonplace's own script is."""


def node() -> Path:
    """The folder of a Node that OpenClaw takes."""
    return installed(NODE) / "node_modules" / "node" / "bin"


class OpenClaw:
    """An OpenClaw with a workspace for each of two agents, `main` and `work`; sandboxed agents share that of `main`."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.workspace, self.other = folder / "workspace", folder / "other"
        self.programs = folder / "programs"
        """Programs that a test puts there stand before all others."""
        self.stub = Stub()
        self.env = {
            **{name: value for name, value in OUTSIDE.items() if not name.startswith(("COMMONPLACE_", "OPENCLAW_"))},
            "HOME": str(self.home),
            "PATH": f"{self.programs}:{node()}:{PROGRAMS}:{OUTSIDE['PATH']}",
            "NO_COLOR": "1",
            "TZ": "UTC",
            "OPENCLAW_NO_RESPAWN": "1",
            "NODE_COMPILE_CACHE": str(CACHE / "compiled"),
            "npm_config_userconfig": f"{OUTSIDE['HOME']}/.npmrc",  # where the registry is
        }
        self.program = installed(OPENCLAW) / "node_modules" / ".bin" / "openclaw"
        self.log = folder / "gateway.log"
        self._gateway: subprocess.Popen[bytes] | None = None
        for each in (self.home / ".openclaw", self.programs, self.workspace / "memory", self.other / "memory"):
            each.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1/chat/completions"
        model = {"id": "stub", "name": "stub", "contextWindow": 100_000, "maxTokens": 1000, "reasoning": True}
        model["compat"] = {"supportsReasoningEffort": True, "supportedReasoningEfforts": ["low", "medium", "high"]}
        provider = {"baseUrl": self.stub.url, "apiKey": "x", "api": "openai-completions", "models": [model]}
        config = {
            "agents": {
                "ownership": "explicit",
                "defaults": {
                    "systemAgent": {"agentId": "main"},
                    "model": {"primary": "stub/stub"},
                    "skipBootstrap": True,
                    "heartbeat": {"every": "0m"},
                },
                "entries": {"main": {"workspace": str(self.workspace)}, "work": {"workspace": str(self.other)}},
            },
            "models": {"providers": {"stub": provider}},
            "gateway": {
                "mode": "local",
                "port": port,
                "bind": "loopback",
                "auth": {"mode": "none"},
                "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
            },
        }
        # Nothing of plugins: what these need is what installing them, as the docs say, sets.
        (self.home / ".openclaw" / "openclaw.json").write_text(json.dumps(config))

    def configure(self) -> None:
        """Add sandboxed agents with a sandbox, and switch on `decide`; in one call, as each takes seconds."""
        entries = {f"boxed-{access}": self._boxed(access, ["memory_*"]) for access in ("none", "ro", "rw")}
        ours = {"here": {"enabled": True}, "commonplace": {"config": {"decide": True}}}
        plugins = {"entries": ours, "load": {"paths": [str(Path(__file__).parent / "here")]}}
        patch = {"agents": {"entries": {**entries, "boxed": self._boxed("rw", [])}}, "plugins": plugins}
        (self.home / "patch.json").write_text(json.dumps(patch))
        self("config", "patch", "--file", str(self.home / "patch.json"))

    def _boxed(self, access: str, tools: list[str]) -> dict[str, Any]:
        """A sandboxed agent that sees so much of the workspace, and these tools besides the host's own."""
        sandbox = {"mode": "all", "backend": "here", "workspaceAccess": access}
        return {
            "workspace": str(self.workspace),
            "sandbox": sandbox,
            "tools": {"sandbox": {"tools": {"alsoAllow": tools}}},
        }

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """What a command prints, and its exit status."""
        return subprocess.run(
            [self.program, *words],
            cwd=self.home,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def __call__(self, *words: str) -> str:
        """What a command prints that succeeds."""
        done = self.run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ours(self, *words: str, agent: str = "main") -> str:
        """What our own command prints in an agent's workspace: at once, where one of the host's takes five seconds."""
        root = self.workspace if agent == "main" else self.other
        program = [str(PROGRAMS / "commonplace"), *words, "--workspace", str(root)]
        return subprocess.run(program, env=self.env, capture_output=True, text=True, check=False).stdout

    def install(self) -> str:
        """Install the plugin from this checkout, or renew it: what is told of it."""
        (self.programs / "openclaw").unlink(missing_ok=True)
        (self.programs / "openclaw").symlink_to(self.program)
        words = [node() / "node", PLUGIN / "install.js"]
        done = subprocess.run(words, env=self.env, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> float:
        """Start the gateway; the seconds until it was ready."""
        began = time.monotonic()
        self._launch()
        while "[gateway] ready" not in self.log.read_text():
            assert self._gateway is not None
            if self._gateway.poll() is not None:
                assert BUSY in self.log.read_text(), self.log.read_text()
                self._launch()
            assert time.monotonic() - began < 400, self.log.read_text()
            time.sleep(0.02)
        return time.monotonic() - began

    def _launch(self) -> None:
        with self.log.open("wb") as log:
            words = [str(self.program), "gateway", "run"]
            self._gateway = subprocess.Popen(words, cwd=self.home, env=self.env, stdout=log, stderr=log)

    def logs(self, text: str, times: int = 1) -> bool:
        """Whether the gateway says something within a while, so many times."""
        return eventually(lambda: self.log.read_text().count(text) == times)

    def stop(self) -> None:
        if self._gateway is not None:
            self._gateway.terminate()
            self._gateway.wait(60)
            self._gateway = None

    def turn(self, message: str, session: str = "agent:main:main") -> None:
        """One turn of an agent through the gateway's HTTP API: at once, where `receipt` starts a program of seconds."""
        asked = {"model": f"openclaw/{session.split(':')[1]}", "messages": [{"role": "user", "content": message}]}
        headers = {"Content-Type": "application/json", "x-openclaw-session-key": session}
        request = Request(self.url, json.dumps(asked).encode(), headers)
        with urlopen(request, timeout=240) as answer:
            assert json.load(answer)["choices"]

    def receipt(self, message: str, session: str = "agent:main:main") -> Any:
        """One turn of an agent by the host's own command: the names of the tools that succeeded."""
        said = json.loads(self("agent", "--session-key", session, "--json", "-m", message))
        return said["result"]["meta"]["agentMeta"]["terminalReceipt"]["successfulToolNames"]

    def told(self, message: str, session: str = "agent:main:main") -> str:
        """What the model was told in a turn; had again while a busy machine keeps the memory from answering in time."""
        for _ in range(10):
            late = self.log.read_text().count(LATE)
            self.turn(message, session)
            if self.log.read_text().count(LATE) == late:
                break
        return self.stub.told(message)

    def workers(self) -> list[int]:
        """The processes of the gateway's memories."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_text().split("\0")
                home = f"HOME={self.home}" in (process / "environ").read_text().split("\0")
            except OSError:
                continue
            if home and "worker" in words and any("commonplace" in word for word in words[:2]):
                found.append(int(process.name))
        return found

    def signal_workers(self, number: signal.Signals) -> None:
        """Send a signal to the gateway's memories; one may end meanwhile."""
        for each in self.workers():
            with suppress(ProcessLookupError):
                os.kill(each, number)


@pytest.fixture(scope="session")
def openclaw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    """OpenClaw with the plugin, its gateway running; one for all workers of a run (tests/conftest.py: `group`)."""
    folder = tmp_path_factory.mktemp("openclaw")
    if run := os.environ.get("PYTEST_XDIST_TESTRUNUID"):
        (tmp_path_factory.getbasetemp().parent / f"openclaw-{run}").mkdir()  # fails where another worker has one
    host = OpenClaw(folder)
    host.install()
    host.configure()
    host.start()
    yield host
    host.stop()
    host.stub.shutdown()
    host.stub.server_close()
    assert not host.workers()


def eventually(holds: Callable[[], bool], *, every: float = 0.1) -> bool:
    """Whether it holds within half a minute; what starts a program of the host to see is asked once a second."""
    for _ in range(round(30 / every)):
        if holds():
            return True
        time.sleep(every)
    return False


def today() -> str:
    """The day that the gateway writes to."""
    return time.strftime("%Y-%m-%d", time.gmtime())
