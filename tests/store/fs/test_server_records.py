"""The records of servers: what is said of one that runs, of one that was killed, and of one that cannot be written."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commonplace.store.fs.server_records import servers
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://127.0.0.1:8723/mcp"


def child(root: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Another process that is a server of this workspace; it has `record`."""
    start = f"""
import os, sys
from commonplace.store.workspace import Workspace
workspace = Workspace({str(root)!r})
workspace.ensure_memory_dir()
record = workspace.record({URL!r})
"""
    return subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def dead(tmp_path: Path) -> Path:
    """The record of a server that was killed."""
    assert child(tmp_path, "record.kept(); os.kill(os.getpid(), 9)").returncode == -9
    [path] = (tmp_path / ".memory" / "servers").iterdir()
    return path


def looking(path: Path) -> Iterator[None]:
    """Somebody looks at a record at this moment."""
    fd = os.open(path, os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_SH)
    yield
    os.close(fd)


def test_a_dead_server_is_told_dead_however_many_look(tmp_path: Path, dead: Path) -> None:
    for _ in looking(dead):
        [found] = servers(str(tmp_path / ".memory"))
        assert (found.pid, found.url, found.running) == (int(dead.stem), URL, False)


def test_two_who_poll_never_take_each_other_for_the_server(tmp_path: Path, dead: Path) -> None:
    own = str(tmp_path / ".memory")
    poll = f"""
from commonplace.store.fs.server_records import servers
print("polling", flush=True)
while True:
    servers({own!r})
"""
    with subprocess.Popen([sys.executable, "-c", poll], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout and other.stdout.readline() == "polling\n"
            said = {each.running for _ in range(2_000) for each in servers(own)}
        finally:
            other.kill()
    assert said == {False} and dead.exists()


def test_a_server_whose_new_record_is_looked_at_is_told_running(tmp_path: Path) -> None:
    """The look comes between the making of the record and its lock, and lasts a moment."""
    done = child(
        tmp_path,
        """
import fcntl, threading
def look(event, arguments):
    if event == "fcntl.flock" and arguments[1] & fcntl.LOCK_EX and not looked:
        path = os.path.join(workspace.memory_dir, "servers", f"{os.getpid()}.json")
        looked.append(os.open(path, os.O_RDWR))
        fcntl.flock(looked[0], fcntl.LOCK_SH)
        ending.append(threading.Timer(0.1, os.close, looked))
        ending[0].start()
looked, ending = [], []
sys.addaudithook(look)
record.kept()
ending[0].join()
from commonplace.store.fs.server_records import servers
print([each.running for each in servers(workspace.memory_dir)])
record.close()
print(os.listdir(os.path.join(workspace.memory_dir, "servers")))
""",
    )
    assert done.stdout == "[True]\n[]\n", done.stderr


def test_a_record_that_finds_no_room_leaves_nothing_behind(tmp_path: Path) -> None:
    """A full disk takes the name of a file and none of its bytes; the record is tried again every other second."""
    done = child(
        tmp_path,
        """
import resource
folder = os.path.join(workspace.memory_dir, "servers")
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
def tried():
    try:
        record.kept()
    except OSError:
        return len(os.listdir("/dev/fd")), os.listdir(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
before = tried()
for _ in range(5):
    after = tried()
print(after[0] - before[0], after[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
record.kept()
print(os.listdir(folder) == [f"{os.getpid()}.json"])
""",
    )
    assert done.stdout == "0 []\nTrue\n", done.stderr


def test_a_server_that_ends_leaves_no_record(tmp_path: Path) -> None:
    workspace = Workspace(str(tmp_path))
    workspace.ensure_memory_dir()
    record = workspace.record(URL)
    record.kept()
    own = workspace.memory_dir
    assert [(each.pid, each.running) for each in servers(own)] == [(os.getpid(), True)]
    record.close()
    record.close()
    assert servers(own) == ()
