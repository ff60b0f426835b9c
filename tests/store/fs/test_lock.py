"""The lock of writers: who waits, who does not, and that those who only look are no holders."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from commonplace.store.fs.system import is_locked, lock
from commonplace.store.workspace import Workspace
from commonplace.store.workspace.freshness import Watcher

if TYPE_CHECKING:
    from pathlib import Path

LOG = "memory/2025-11-27.md"


def test_who_waits_for_nobody_takes_no_other_s_patience(tmp_path: Path) -> None:
    """Four threads try at once, again and again; afterwards a writer still waits for another."""
    shared, other = Workspace(str(tmp_path)), Workspace(str(tmp_path))

    def work() -> None:
        for _ in range(2_000):
            shared.at_once(lambda: None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    def held() -> None:
        with other.locked():
            holding.set()
            time.sleep(0.1)  # the writer meets the lock held

    holding = threading.Event()
    holder = threading.Thread(target=held)
    holder.start()
    assert holding.wait(30)
    shared.write(LOG, "# Thursday\n", before=None)
    holder.join()
    assert (tmp_path / LOG).read_text() == "# Thursday\n"


def test_who_finds_the_lock_held_does_nothing_and_who_fails_under_it_lets_go(tmp_path: Path) -> None:
    shared, other = Workspace(str(tmp_path)), Workspace(str(tmp_path))
    with other.locked():
        assert shared.at_once(lambda: "done") is None
    assert shared.at_once(lambda: "done") == "done"

    def fail() -> None:
        raise RuntimeError("no")

    try:
        shared.at_once(fail)
    except RuntimeError as error:
        assert str(error) == "no"
    with other.locked():
        pass


def test_those_who_look_are_no_holders_and_who_takes_it_waits_for_them(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    one, two, three = (os.open(path, os.O_RDWR) for _ in range(3))
    try:
        assert is_locked(one) is False and is_locked(two) is False
        assert lock(three, time.monotonic()) is False, "they look still"
        for each in (one, two):
            threading.Timer(0.1, os.close, [each]).start()
        assert lock(three, time.monotonic() + 30) is True
        look = os.open(path, os.O_RDWR)
        assert is_locked(look) is True
        os.close(look)
    finally:
        os.close(three)


def test_a_watcher_that_starts_while_somebody_looks_is_alone(tmp_path: Path) -> None:
    workspace = Workspace(str(tmp_path))
    path = os.path.join(workspace.ensure_memory_dir(), "watch.lock")
    look = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    assert is_locked(look) is False
    threading.Timer(0.1, os.close, [look]).start()
    watcher = Watcher(workspace)
    try:
        assert watcher.alone
    finally:
        watcher.close()
