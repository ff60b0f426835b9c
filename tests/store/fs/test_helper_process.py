"""Work beside this process: the same result wherever it is done, and nothing that stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from commonplace.store.fs.helper_process import beside, may_help

if TYPE_CHECKING:
    from collections.abc import Callable

OWNER = """
import os, sys, time
from commonplace.store.workspace import Workspace
workspace = Workspace(sys.argv[1])
def work():
    open(os.path.join(sys.argv[1], "pid"), "w").write(str(os.getpid()))
    time.sleep(60)
with workspace.reflecting(), workspace.beside(work) as result:
    result()
"""


@pytest.fixture(autouse=True)
def helped() -> None:
    if not may_help():
        pytest.skip("needs Linux, two processors and a process without threads")


def runs(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def soon(true: Callable[[], object], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def test_the_work_is_done_in_another_process() -> None:
    with beside(lambda: (os.getpid(), "x" * 1_000_000)) as result:
        pid, text = result()
    assert pid != os.getpid() and len(text) == 1_000_000
    assert not runs(pid)


def test_a_helper_that_is_killed_is_replaced() -> None:
    owner = os.getpid()

    def work() -> int:
        if os.getpid() != owner:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    with beside(work) as result:
        assert result() == owner


def test_without_a_further_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    with beside(os.getpid) as result:
        assert result() == os.getpid()


def test_an_error_is_that_of_the_caller() -> None:
    def work() -> None:
        raise ValueError(os.getpid())

    with pytest.raises(ValueError, match=str(os.getpid())), beside(work) as result:
        result()


def test_it_ends_with_what_it_was_started_for(tmp_path: Path) -> None:
    told = tmp_path / "pid"

    def work() -> None:
        told.write_text(str(os.getpid()))
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt), beside(work):
        assert soon(lambda: told.exists() and told.read_text())
        raise KeyboardInterrupt
    assert not runs(int(told.read_text()))


def test_beside_a_thread_there_is_none() -> None:
    done = Event()
    thread = Thread(target=done.wait)
    thread.start()
    try:
        with beside(os.getpid) as result:
            assert result() == os.getpid()
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_owner_leaves_neither_helper_nor_lock(tmp_path: Path, how: signal.Signals) -> None:
    from commonplace.store.workspace import Workspace

    (tmp_path / "memory").mkdir()
    owner = subprocess.Popen([sys.executable, "-c", OWNER, tmp_path], stderr=subprocess.DEVNULL)
    told = tmp_path / "pid"
    assert soon(lambda: told.exists() and told.read_text())
    owner.send_signal(how)
    owner.wait()
    start = time.monotonic()
    with Workspace(str(tmp_path)).reflecting():
        assert time.monotonic() - start < 5
    helper = int(told.read_text())
    assert soon(lambda: not runs(helper), 5)
