"""What every test may use: a workspace written from the test's own text, and a home that is nobody's."""

from __future__ import annotations

import io
import json
import os
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import settings

from commonplace.doors.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.postgres_server import FleetServer

    Write = Callable[[str | Mapping[str, str]], Path]

settings.register_profile("untimed", deadline=None)  # a busy machine is no defect
settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job hands down that it is ignored


@pytest.fixture(scope="session", autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads the settings, the host's configuration or the cache of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("COMMONPLACE_", "OPENCLAW_", "XDG_")) or name in ("NO_COLOR", "TZ", "USERPROFILE"):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        yield home


@pytest.fixture
def workspace(tmp_path: Path) -> Write:
    """Write a workspace and return its folder.

    The files are a mapping of path to text, or one text in which a line `=== path` starts a file:

        workspace('''
        === memory/2025-11-27.md
        ## Retain
        - W @Peter: In Marrakech.
        ''')
    """

    def write(files: str | Mapping[str, str]) -> Path:
        for path, text in (_split(files) if isinstance(files, str) else files).items():
            file = tmp_path / "workspace" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        return tmp_path / "workspace"

    return write


@pytest.fixture(scope="session")
def server() -> Iterator[FleetServer]:
    """A real PostgreSQL; each test makes databases of its own."""
    from tests.postgres_server import postgres

    with postgres() as running:
        yield running


@pytest.fixture
def quick() -> Iterator[Path]:
    """A folder in memory where there is one: hundreds of deaths wait for no disk."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        yield Path(folder)


def _split(text: str) -> dict[str, str]:
    """The files of one text, without the indentation that all its lines share."""
    lines = text.strip("\n").split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    files: dict[str, str] = {}
    path = ""
    for line in (line[indent:] for line in lines):
        if line.startswith("=== "):
            path = line.removeprefix("=== ").strip()
            files[path] = ""
        else:
            files[path] += line + "\n"
    return files


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The answers of the batch form, one a line."""
        return [json.loads(line) for line in self.out.removesuffix("\n").split("\n")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Cli:
    """Calls of `commonplace`; the workspace is one folder unless a call names another."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *words: str, stdin: str | bytes = b"", terminal: bool = False, **env: str) -> Done:
        out, err = (Terminal() if terminal else io.StringIO() for _ in range(2))
        status = run(
            words,
            stdin=io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode()),
            out=out,
            err=err,
            env={"HOME": os.environ["HOME"], "COMMONPLACE_WORKSPACE": str(self.root), **env},
            cwd=str(self.root.parent),
        )
        return Done(status, out.getvalue(), err.getvalue())


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "workspace")


FIRST = (
    "test_commands.py",
    "test_life.py",
    "test_scenarios.py",
    "test_several.py",
    "test_soak.py",
    "test_bench.py",
    "test_mcp_life.py",
)
"""Files with the longest tests and groups of tests, the longest first."""
ALONE = ("tests/openclaw/test_life.py", "tests/openclaw/test_package.py")
"""Tests of OpenClaw without the installation and the gateway that the others share."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first, so that at the end no worker is alone at one."""
    order = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


def group(nodeid: str) -> str:
    """The tests that one worker runs together: those that share a gateway or a browser, and files with short tests."""
    file = nodeid.partition("::")[0]
    if file.startswith("tests/openclaw/") and file not in ALONE:
        return "openclaw"
    return file if file in ALONE or file.startswith(("tests/core/", "tests/doors/page/")) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Hand out tests by `group`: with pytest 9.2, xdist 3.8 ignores its own marker for groups without a word."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = group
    return scheduler


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skipped test proves nothing: where CI is set it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker of xdist
        return
    skipped = reporter.stats.get("skipped", [])
    if os.environ.get("CI") == "true" and skipped and session.exitstatus == 0:
        reporter.write_line(f"{len(skipped)} skipped: a skipped test fails in CI", red=True)
        session.exitstatus = 1
