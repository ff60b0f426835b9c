"""A fleet on one machine, in one command: a server of the user's own, private, without rights."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import ExtensionMissing, FleetUnusable
from commonplace.store.postgres import local_server
from commonplace.store.postgres.local_server import LocalServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Cli
    from tests.postgres_server import FleetServer

    Run = Callable[..., subprocess.CompletedProcess[str]]

AS_ANOTHER = (
    *("setpriv", "--reuid=embedded_postgres", "--regid=embedded_postgres", "--clear-groups"),
    *("--inh-caps=+dac_override", "--ambient-caps=+dac_override"),
)
"""Where tests run as root: a user without rights, who can read the interpreter all the same."""


@pytest.fixture
def somebody(server: FleetServer) -> Iterator[Run]:
    """Run a command as a user without rights with a home of its own; whatever server it started is stopped."""
    root = os.geteuid() == 0  # the other user is there, because the server of the tests needed it
    home = Path(tempfile.mkdtemp(prefix="cp"))  # short: the path of a socket has an end
    if root:
        shutil.chown(home, "embedded_postgres", "embedded_postgres")
    path = f"{Path(__file__).parents[3] / 'src'}"
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": path, "LANG": "C.UTF-8"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = (*(AS_ANOTHER if root else ()), *words)
        return subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, timeout=120, check=False)

    yield run
    data = home / ".local/state/commonplace/fleet/data"
    if (data / "postmaster.pid").exists():
        run(local_server._program("pg_ctl"), "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(home)


def test_two_folders_recall_from_each_other_after_one_command_each(somebody: Run) -> None:
    def commonplace(*words: str) -> subprocess.CompletedProcess[str]:
        return somebody(sys.executable, "-m", "commonplace", *words)

    for name, said in (("alpha", "Owns a kayak."), ("beta", "Likes tea.")):
        assert commonplace("init", name).returncode == 0
        assert commonplace("--workspace", name, "retain", f"W @Zed: {said}").returncode == 0
        done = commonplace("--workspace", name, "fleet", "on", "--local")
        assert done.returncode == 0, done.stderr
        assert commonplace("--workspace", name, "fleet", "push").returncode == 0
    done = commonplace("--workspace", "beta", "fleet", "recall", "kayak")
    assert "said by fleet:alpha" in done.stdout
    told = commonplace("fleet", "init", "--local").stdout
    (stop,) = (line.removeprefix("to stop it: ") for line in told.splitlines() if line.startswith("to stop it: "))
    folder = Path(shlex.split(stop)[2]).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    settings = (folder / "data/postmaster.opts").read_text(encoding="utf-8")
    assert '"listen_addresses="' in settings
    assert not [*folder.glob("*.new")]
    assert somebody(*shlex.split(stop)).returncode == 0
    done = commonplace("--workspace", "beta", "fleet", "recall", "kayak")
    assert done.returncode == 1
    assert "start it: commonplace fleet init --local" in done.stderr
    assert "likes tea" in commonplace("--workspace", "beta", "recall", "tea").stdout.lower()
    assert commonplace("fleet", "init", "--local").returncode == 0
    assert "said by fleet:alpha" in commonplace("--workspace", "beta", "fleet", "recall", "kayak").stdout


def test_root_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(FleetUnusable, match="refuses to run as root") as raised:
        LocalServer(str(tmp_path / "fleet")).start()
    assert "--url" in raised.value.hint
    assert not (tmp_path / "fleet").exists()


def test_a_path_that_no_socket_takes_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    with pytest.raises(FleetUnusable, match="too long for a socket"):
        LocalServer(str(tmp_path / ("x" * 100))).start()


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    monkeypatch.setattr(local_server, "find_spec", lambda _: None)
    with tempfile.TemporaryDirectory(prefix="cp") as folder, pytest.raises(ExtensionMissing) as raised:
        LocalServer(f"{folder}/fleet").start()
    assert not os.path.exists(f"{folder}/fleet")
    assert "embedded-postgres" in raised.value.hint


@pytest.mark.parametrize("words", ["fleet push", "fleet push --dry-run", "fleet on --local", "fleet init --local"])
def test_without_the_extra_each_verb_names_the_next_step(tmp_path: Path, words: str) -> None:
    (tmp_path / "MEMORY.md").write_text("- A line.\n", encoding="utf-8")
    code = """
import sys
sys.modules["psycopg"] = None
from commonplace.doors.cli.main import main
main()
"""
    argv = [sys.executable, "-c", code, *words.split(), "--workspace", str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    first, next_step = done.stderr.splitlines()
    assert "a bug" not in first and next_step.strip()


def test_one_server_is_named_and_not_two(cli: Cli) -> None:
    cli.root.mkdir()
    (cli.root / "MEMORY.md").write_text("- A line.\n", encoding="utf-8")
    for verb in (("fleet", "init"), ("fleet", "on")):
        assert "no PostgreSQL is named" in cli(*verb).err
        assert "--local is another" in cli(*verb, "--local", "--url", "service=team").err
