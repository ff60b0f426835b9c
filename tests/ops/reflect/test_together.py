"""Reflects that meet, are killed, or run while a person saves: with real processes, files and signals."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import date
from threading import Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest
from tests.standing import standing

from commonplace.errors import Busy, ChangedUnderneath
from commonplace.memory import Memory
from commonplace.store.fs.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TODAY = date(2026, 2, 1)
NAMES = ("Mona", "Rolf", "Zoe", "Ada")
DAYS = range(19, 29)
HOLDS = """
import sys
from commonplace.memory import Memory

with Memory(sys.argv[1]).workspace.reflecting():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "w"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Core\n")
    for day in DAYS:
        facts = [
            f"- W @{name}: Bought boat {day} of {name}.\n- O(c=0.9) @{name}: Likes boat {day}.\n" for name in NAMES
        ]
        narrative = f"- We decided to buy lamp {day} for the hall.\n\n"
        (folder / f"memory/2026-01-{day:02}.md").write_text(f"{narrative}## Retain\n{''.join(facts)}")
    return folder


def start(root: Path, *words: str) -> subprocess.Popen[str]:
    """A reflect in a process of its own."""
    argv = [sys.executable, "-m", "commonplace", "reflect", "--workspace", str(root), "--today", "2026-02-01", *words]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> str:
    """What a reflect said that ended well."""
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out


def pages(root: Path) -> dict[str, bytes]:
    return {path: content for path, (_, _, content) in standing(root).items() if not path.startswith(".memory")}


@pytest.fixture
def holder(root: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is in the midst of a reflect, for as long as its input is open."""
    argv = [sys.executable, "-c", HOLDS, str(root)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_several_at_once_leave_what_one_leaves(root: Path) -> None:
    alone = root.parent / "alone"
    shutil.copytree(root, alone)
    Memory(str(alone), today=TODAY).reflect()
    running = [start(root) for _ in range(4)]
    told = [ended(process) for process in running]
    assert pages(root) == pages(alone)
    assert sorted(told)[1:] == ["nothing new\n"] * 3  # the others had waited, looked, and found it done
    assert Memory(str(root), today=TODAY).reflect().patches == ()


def test_what_a_person_accepted_is_retained_once_by_several(root: Path) -> None:
    Memory(str(root), today=TODAY).reflect()
    review = root / "bank/review.md"
    review.write_text(review.read_text().replace("- [ ] ", "- [x] "))
    for process in [start(root) for _ in range(3)]:
        ended(process)
    logs = "".join(path.read_text() for path in sorted(root.glob("memory/*.md")))
    for day in DAYS:
        assert logs.count(f"We decided to buy lamp {day} for the hall. <!-- cp: src=inferred:") == 1


def test_the_second_waits_while_the_first_is_at_it(root: Path, holder: subprocess.Popen[str]) -> None:
    second = start(root)
    ended(start(root, "--dry-run"))  # as long as the second would take
    sleep(0.5)
    assert second.poll() is None
    assert "bank/opinions.md" not in pages(root)
    assert holder.stdin
    holder.stdin.close()
    assert "bank/opinions.md: 40 new opinions" in ended(second)


def test_others_write_and_ask_while_one_is_at_it(root: Path, holder: subprocess.Popen[str]) -> None:
    """The lock orders reflects alone: a dry run, a fact and a question, which would else be told Busy, need it not."""
    assert holder.poll() is None
    with Memory(str(root), today=TODAY) as memory:
        memory.retain("W @Mona: Bought a sail.")
        assert memory.recall("sail").hits
        assert memory.reflect(dry_run=True).patches


def test_the_lock_of_one_that_was_killed_is_free(root: Path, holder: subprocess.Popen[str]) -> None:
    second = start(root)
    sleep(0.5)
    assert second.poll() is None
    holder.send_signal(signal.SIGKILL)
    assert "bank/opinions.md: 40 new opinions" in ended(second)
    assert ended(start(root)) == "nothing new\n"


def test_killed_anywhere_the_next_one_finishes(root: Path) -> None:
    """At any time of a reflect in a process of its own; the pages come out as if nothing had happened."""
    alone = root.parent / "alone"
    shutil.copytree(root, alone)
    Memory(str(alone), today=TODAY).reflect()
    began = monotonic()
    ended(start(shutil.copytree(root, root.parent / "timed")))
    lasts = monotonic() - began
    for part in range(1, 6):
        other = shutil.copytree(root, root.parent / f"killed {part}")
        process = start(other)
        sleep(lasts * part / 6)
        process.kill()
        process.communicate(timeout=100)
        ended(start(other, "--yes"))
        assert pages(other) == pages(alone)


def test_it_gives_up_on_another_that_never_ends(root: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.poll() is None
    lock = Lock(lambda: f"{root}/.memory/reflect.lock", 0.1, "another reflect")
    with pytest.raises(Busy, match="another reflect has locked the workspace"), lock:
        pass


def test_what_a_person_saves_meanwhile_stays(root: Path) -> None:
    """An editor that holds its own text and saves it again and again, by a new file, knowing nothing of us."""
    memory = Memory(str(root), today=TODAY)
    memory.reflect()
    page = root / "bank/entities/Mona.md"
    head, region = page.read_text().split("\n", 1)
    stop, saved = Event(), [head]

    def keep_saving() -> None:
        while not stop.is_set():
            saved.append(f"Note {len(saved)}, “mine”.\r")
            temporary = root / "bank/entities/.Mona.md~"
            temporary.write_bytes("\n".join([*saved, region]).encode())
            os.replace(temporary, page)
            stop.wait(0.005)

    person = Thread(target=keep_saving)
    person.start()
    try:
        number = 0
        while number < 6 or len(saved) <= 20:
            number += 1
            with open(root / "memory/2026-01-28.md", "a", encoding="utf-8") as handle:
                handle.write(f"- W @Mona: Sold boat {number} of Mona. ^sold{number}\n")
            with suppress(ChangedUnderneath, Busy):  # a save every 5 ms can win each round on a busy machine
                memory.reflect()
    finally:
        stop.set()
        person.join()
    notes = "\n".join(saved).encode()
    assert page.read_bytes().startswith(notes)
    memory.reflect()
    assert page.read_bytes().startswith(notes)
    assert b"Sold boat 5 of Mona." in page.read_bytes()
    assert memory.reflect().patches == ()
