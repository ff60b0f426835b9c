"""What every test may use: a workspace written from the test's own text, and a home that is nobody's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    Write = Callable[[str | Mapping[str, str]], Path]


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


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skipped test proves nothing: where CI is set it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker of xdist
        return
    skipped = reporter.stats.get("skipped", [])
    if os.environ.get("CI") == "true" and skipped and session.exitstatus == 0:
        reporter.write_line(f"{len(skipped)} skipped: a skipped test fails in CI", red=True)
        session.exitstatus = 1
