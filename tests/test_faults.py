"""The whole program on a bad day: killed, out of space, without permission, with a damaged, copied or missing index.

Real files, real processes and real SIGKILLs. Where a small or read-only file system is needed, one is mounted in a
namespace of its own; where none may be mounted, a limit on file size or missing permissions stand in for it. Single
writes are in `tests/store/transactions/test_faults.py`, other systems in `tests/store/fs/test_systems.py`.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.deaths import DEATHS

from commonplace.errors import NotAWorkspace, NotFound
from commonplace.memory import Memory
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG = "memory/2025-11-27.md"
PRELUDE = """
import os, resource, signal, sys, time
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
root = sys.argv[1]
mounted = os.environ.get("MOUNTED") == "yes"
def attempt(action):
    try:
        print("done", action())
    except CommonplaceError as error:
        print(type(error).__name__, error.code, str(error), sep="|")
def become_nobody():
    with Memory(os.environ["WARM"]) as memory:  # nobody may not even read this program: load all of it first
        memory.retain("W @Peter: Loads what writes.")
        memory.recall("what loads?")
        memory.check()
        memory.status()
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
"""


def unshared(command: str) -> list[str]:
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--mount", *user, "sh", "-c", command]


@cache
def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = unshared(f"mount -t tmpfs none {folder} && mount --bind {folder} {folder}")
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def child(script: str, root: Path, *, mount: str = "", warm: Path | None = None) -> list[str]:
    """The lines that a script prints; `mount` is done before, in a namespace of its own, if it can be."""
    file = root.parent / "script.py"
    file.write_text(PRELUDE + script)
    words = [sys.executable, str(file), str(root)]
    mounting = bool(mount) and can_mount()
    if mounting:
        words = unshared(f'{mount} && exec "{sys.executable}" "{file}" "{root}"')
    env = {**os.environ, "MOUNTED": "yes" if mounting else "no", "WARM": str(warm or "")}
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def life(root: Path, days: int = 28) -> Path:
    """Logs of a month, and a page."""
    for day in range(1, days + 1):
        log = root / f"memory/2025-11-{day:02}.md"
        log.parent.mkdir(parents=True, exist_ok=True)
        facts = "".join(
            f"- W @Peter: Kettle {number} of day {day} is broken. ^k{day}x{number}\n" for number in range(9)
        )
        log.write_text(f"# Day {day}\n\n## Talk\n- Ann: the teapot of day {day}\n\n## Retain\n{facts}")
    page = root / "bank/entities/Peter.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("---\naliases: [Pete]\n---\n# Peter\n\nCall him on Sundays.\n")
    return root


def places(memory: Memory, question: str) -> list[str]:
    return [str(hit.line.source) for hit in memory.recall(question).hits]


def indexed(root: Path) -> tuple[list[str], list[str]]:
    """What the index says once it is up to date, and what one that is made anew says."""
    with Memory(str(root)) as memory:
        memory.index()
        path = memory.workspace.index_path
    with Index(path) as index:
        assert index.verify() is None
        grown = index.dump()
    with Memory(str(root)) as memory:
        memory.index(rebuild=True)
    with Index(path) as index:
        return grown, index.dump()


# Killed.

RETAINER = """
with Memory(root) as memory:
    number = 0
    while True:
        memory.retain(f"W @Peter: Bought boat {os.getpid()} {number}.", date="2025-11-27")
        print(number, flush=True)
        number += 1
"""


def test_killed_while_they_retain(tmp_path: Path) -> None:
    """What a process said it had retained is there, once, whatever killed it; and the index is as if made anew."""
    root = life(tmp_path / "w", days=3)
    script = tmp_path / "script.py"
    script.write_text(PRELUDE + RETAINER)
    said: dict[int, int] = {}
    chance = random.Random(7)
    for _ in range(2):
        running = [
            subprocess.Popen([sys.executable, str(script), str(root)], stdout=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "0\n"
        time.sleep(chance.uniform(0.0, 0.1))
        for process in running:
            process.send_signal(signal.SIGKILL)
        for process in running:
            said[process.pid] = len(process.communicate()[0].splitlines())
    lines = (root / LOG).read_text().splitlines()
    written = [line.partition(" ^")[0] for line in lines if "Bought boat" in line]
    assert len(written) == len(set(written))
    for pid, count in said.items():
        for number in range(count + 1):
            assert f"- W @Peter: Bought boat {pid} {number}." in written
    assert sum(said.values()) + len(said) <= len(written) <= sum(said.values()) + 2 * len(said)
    with Memory(str(root)) as memory:
        memory.retain("W @Peter: Has enough boats.", date="2025-11-27")
    assert not list((root / "memory").glob(".*.tmp")), "the next writer sweeps what is left over"
    grown, anew = indexed(root)
    assert grown == anew


KILLED = """
import commonplace.store.sqlite.database
def work(here, watched):
    os.mkdir(os.path.join(here, "memory"))
    with open(os.path.join(here, LOG), "w") as file:
        file.write("## Retain\\n- W @Peter: Has a boat. ^boat01\\n")
    with Memory(here) as memory:
        memory.index()
        watched()
        memory.retain("W @Peter: Sold the boat.", date="2025-11-27", supersedes=["boat01"])
print(deaths(root, [(os, name) for name in ("open", "write", "fsync", "replace", "unlink", "mkdir")], work))
"""


def test_killed_at_any_step_between_the_log_and_the_index(quick: Path) -> None:
    root = quick / "w"
    root.mkdir()
    (count,) = child(f"{DEATHS}LOG = {LOG!r}\n{KILLED}", root)
    assert int(count) > 15
    seen = set()
    for number in range(int(count)):
        here = root / str(number)
        there = "Sold the boat." in (here / LOG).read_text()
        seen.add(there)
        with Memory(str(here)) as memory:
            assert bool(memory.recall("sold the boat").hits) is True
            hit = memory.show("boat01")
            assert (hit.superseded_by is not None) is there, number
        if number % 3 == 0:
            grown, anew = indexed(here)
            assert grown == anew
    assert seen == {True, False}


# Disks.


def test_a_full_disk_below_the_index_alone(tmp_path: Path) -> None:
    """The Markdown is written, the answer says how it came about, and all is well once there is room."""
    root = life(tmp_path / "w")
    (root / ".memory").mkdir()
    script = """
if not mounted:
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
with Memory(root) as memory:
    fact = memory.retain("W @Peter: Bought a ladder.", date="2025-11-27").fact
    print(fact.source)
    found = memory.recall("ladder")
    print(found.status, found.note)
    print([str(hit.line.source) for hit in found.hits])
    attempt(memory.index)
    print(len(memory.recall("kettle 7 of day 7").hits) > 0)
if mounted:
    os.system("mount -o remount,size=8m " + os.path.join(root, ".memory"))
else:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with Memory(root) as memory:
    print(memory.recall("ladder").status)
"""
    lines = child(script, root, mount=f'mount -t tmpfs -o size=100k none "{root}/.memory"')
    source, note, found, refused, others, after = lines
    assert source.startswith(f"{LOG}#L")
    assert "W @Peter: Bought a ladder." in (root / LOG).read_text()
    assert note.startswith("degraded the index cannot be ")
    assert found == f"['{source}']"
    assert refused.startswith("IndexUnusable|index-unusable|the index cannot be ")
    assert (others, after) == ("True", "ok")


def test_a_disk_without_inodes(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    script = """
if not mounted:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
else:
    os.makedirs(os.path.join(root, "memory"))
    with open(os.path.join(root, "memory/2025-11-27.md"), "w") as file:
        file.write("- The kettle broke.\\n")
    number = 0
    try:
        while True:
            open(os.path.join(root, f"fill{number}.txt"), "w").close()
            number += 1
    except OSError:
        pass
with Memory(root) as memory:
    attempt(lambda: memory.retain("W @Peter: Bought a ladder.", date="2025-11-27").fact.source)
    print(memory.recall("kettle").status)
print(sorted(name for _, _, names in os.walk(root) for name in names if name.endswith((".md", ".tmp"))))
"""
    refused, status, left = child(script, root, mount=f'mount -t tmpfs -o nr_inodes=20 none "{root}"')
    assert refused.startswith("NotWritable|not-writable|")
    assert status == "degraded"
    assert left in ("['2025-11-27.md']", "[]")


def test_a_folder_that_is_mounted_read_only(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        root = life(Path(top) / "w")
        before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        cache, warm = Path(top) / "cache", Path(top) / "warm"
        cache.mkdir()
        warm.mkdir()
        script = f"""
os.environ["XDG_CACHE_HOME"] = os.environ["HOME"] = {str(cache)!r}
if not mounted:
    become_nobody()
for _ in range(2):
    with Memory(root) as memory:
        print(memory.recall("kettle 7 of day 7").hits[0].line.source, memory.status().writable)
        attempt(lambda: memory.retain("W @Peter: Bought a ladder.", date="2025-11-27").fact.source)
        attempt(lambda: memory.reflect(yes=True))
        attempt(lambda: memory.append("MEMORY.md", "a line"))
        attempt(lambda: memory.forget_all(entity="Peter", yes=True))
        print(memory.index().changed)
"""
        os.chmod(cache, 0o777)
        for folder in (root, root / "memory", root / "bank", root / "bank/entities"):
            os.chmod(folder, 0o555)
        mount = f'mount --bind "{root}" "{root}" && mount -o remount,bind,ro "{root}"'
        lines = child(script, root, mount=mount, warm=warm)
        for folder in (root, root / "memory", root / "bank", root / "bank/entities"):
            os.chmod(folder, 0o755)
        assert lines[:6] == lines[6:]
        found, *refused, changed = lines[:6]
        assert found.startswith("memory/2025-11-07.md#L")
        assert found.endswith(" False")
        for line in refused:
            assert line.startswith("NotWritable|not-writable|")
            if can_mount():
                assert f"Read-only file system on {root}" in line and f"mount {root} for writing" in line
            else:
                assert "ermission" in line
        assert changed == "0"
        assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_folder_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    """An unmounted disk leaves an empty folder, or none: nothing is made there, and nothing is forgotten."""
    root = life(tmp_path / "w")
    with Memory(str(root)) as memory:
        first = places(memory, "kettle 7 of day 7")
        root.rename(tmp_path / "away")
        for verb in (lambda: memory.recall("kettle"), lambda: memory.retain("W @Peter: Has a boat."), memory.status):
            with pytest.raises(NotAWorkspace, match="the workspace no longer exists"):
                verb()
        assert not root.exists()
        root.mkdir()
        assert places(memory, "kettle 7 of day 7") == []
        assert os.listdir(root) == []
        root.rmdir()
        (tmp_path / "away").rename(root)
        assert places(memory, "kettle 7 of day 7") == first
    grown, anew = indexed(root)
    assert grown == anew


# The index.


def damages(whole: bytes, count: int) -> Iterator[bytes]:
    """The bytes of a file after something happened to them: flipped, wiped, swapped or cut off."""
    chance = random.Random(11)
    for number in range(count):
        spoilt = bytearray(whole)
        for _ in range(chance.choice((1, 3, 20))):
            at = chance.randrange(len(whole))
            page = at // 4096 * 4096
            if number % 4 == 0:
                spoilt[at] ^= 1 << chance.randrange(8)
            elif number % 4 == 1:
                spoilt[at : at + 64] = bytes(len(spoilt[at : at + 64]))
            elif number % 4 == 2:
                spoilt[page : page + 4096] = chance.randbytes(4096)
            else:
                other = chance.randrange(len(whole)) // 4096 * 4096
                spoilt[page : page + 4096], spoilt[other : other + 4096] = (
                    spoilt[other : other + 4096],
                    spoilt[page : page + 4096],
                )
        yield bytes(spoilt[: chance.randrange(len(whole))] if number % 16 == 15 else spoilt)


def test_any_damage_to_the_index(quick: Path) -> None:
    """Every verb answers, what is new is found, and no Markdown changes, wherever the damage is."""
    root = life(quick / "w", days=12)
    with Memory(str(root)) as memory:
        memory.index()
        path = Path(memory.workspace.index_path)
    before = {file: file.read_bytes() for file in root.rglob("*.md")}
    for number, spoilt in enumerate(damages(path.read_bytes(), 48)):
        for suffix in ("-wal", "-shm", ".corrupt"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        path.write_bytes(spoilt)
        fresh = root / f"memory/2025-12-01-{number}.md"
        with Memory(str(root)) as memory:
            memory.recall("kettle 7 of day 7")
            with suppress(NotFound):  # a name of which a byte changed is unknown: no structure of SQLite's is hurt
                memory.entity("Pete")
            memory.opinions()
            memory.status()
            memory.reflect(dry_run=True)
            assert memory.check() == ()
            fresh.write_text(f"- A xylophone{number} came.\n")
            assert places(memory, f"xylophone{number}") == [f"memory/2025-12-01-{number}.md#L1"]
        fresh.unlink()
    assert {file: file.read_bytes() for file in root.rglob("*.md")} == before


def test_what_no_index_can_mend_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is told as what it is, and the index stays: it is not made anew at each call."""
    root = life(tmp_path / "w", days=2)
    calls = []

    def stumble(*_: object, **__: object) -> None:
        calls.append(1)
        raise KeyError("a bug")

    with Memory(str(root)) as memory:
        memory.index()
        made = os.stat(memory.workspace.index_path).st_ino
        monkeypatch.setattr("commonplace.ops.recall.recall.recall", stumble)
        for expected in (1, 2):
            with pytest.raises(KeyError, match="a bug"):
                memory.recall("kettle")
            assert len(calls) == expected
        assert os.stat(memory.workspace.index_path).st_ino == made
        assert not os.path.exists(f"{memory.workspace.index_path}.corrupt")
        monkeypatch.undo()
        assert memory.recall("kettle").status == "ok"


def test_an_index_that_came_without_its_log(tmp_path: Path) -> None:
    """A cloud folder copies the file of the index and not the one beside it, or one of them late."""
    root = life(tmp_path / "w")
    with Memory(str(root)) as memory:
        memory.index()
        path = memory.workspace.index_path
        old = Path(path).read_bytes()
        (root / LOG).write_text("- Only a xylophone.\n")
        memory.recall("xylophone")
        log = Path(f"{path}-wal").read_bytes()
    assert log
    for main, wal in ((old, None), (old, log), (Path(path).read_bytes(), log), (b"", log)):
        Path(path).write_bytes(main)
        Path(f"{path}-shm").unlink(missing_ok=True)
        if wal is None:
            Path(f"{path}-wal").unlink(missing_ok=True)
        else:
            Path(f"{path}-wal").write_bytes(wal)
        with Memory(str(root)) as memory:
            assert places(memory, "xylophone") == [f"{LOG}#L1"]
            assert f"{LOG}#L9" not in places(memory, "kettle 2 of day 27")
        grown, anew = indexed(root)
        assert grown == anew


def test_a_workspace_that_was_copied_with_its_index(tmp_path: Path) -> None:
    root = life(tmp_path / "w")
    with Memory(str(root)) as memory:
        first = memory.recall("kettle 7 of day 7")
        found = memory.index()
    shutil.copytree(root, tmp_path / "copy")
    with Memory(str(tmp_path / "copy")) as memory:
        report = memory.index()
        assert (report.added, report.changed, report.removed) == (0, 0, 0), "every file is hashed, none indexed again"
        assert report.facts == found.facts
        assert memory.recall("kettle 7 of day 7") == first
        (tmp_path / "copy" / LOG).unlink()
        assert memory.index().removed == 1
    with Memory(str(root)) as memory:
        assert memory.index().removed == 0


def test_while_another_program_fills_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes meanwhile waits a while, then reads the files itself, and says so."""
    monkeypatch.setattr("commonplace.store.sqlite.database._PATIENCE", 300)  # ms; five seconds otherwise
    root = life(tmp_path / "w")
    with Memory(str(root)) as memory:
        memory.workspace.ensure_memory_dir()
        path = memory.workspace.index_path
    with Index(path):
        pass
    holder = apsw.Connection(path)
    holder.execute("begin immediate")
    with Memory(str(root)) as memory:
        found = memory.recall("kettle 7 of day 7")
        assert found.status == "degraded"
        assert "another program is writing the index" in found.note
        assert found.hits[0].line.source.path == "memory/2025-11-07.md"
    holder.execute("rollback")
    holder.close()
    with Memory(str(root)) as memory:
        assert memory.recall("kettle 7 of day 7").status == "ok"


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    """Whatever a look sees of a file that is written all the time, the last look sees the file as it is."""
    root = life(tmp_path / "w", days=3)
    log, stop = root / LOG, threading.Event()
    log.write_text("")

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with log.open("r+") as file:  # in place, and shorter every second time
                file.truncate()
                file.write(f"- The kettle is number {number}.\n" * (400 if number % 2 else 30))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with Memory(str(root)) as memory:
            for _ in range(60):
                for hit in memory.recall("kettle number").hits:
                    assert hit.line.content
    finally:
        stop.set()
        writer.join()
    with Memory(str(root)) as memory:
        line = log.read_text().splitlines()[0].removeprefix("- ")
        assert memory.recall(line).hits[0].line.content == line
    grown, anew = indexed(root)
    assert grown == anew


def test_the_library_below_is_past_the_bug_that_resets_its_log() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


@pytest.mark.parametrize(
    "words",
    [("recall", "x"), ("recall", "x", "--json"), ("status", "--json"), ("explain", "x", "--json"), ("--help",)],
)
def test_an_output_that_is_full_is_one_error_and_no_traceback(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "MEMORY.md").write_text("- Peter: lives in Porto\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "commonplace", *words, "--workspace", str(tmp_path)],
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr and "OSError" not in done.stderr
    assert done.stderr.count("no space left") == 1
