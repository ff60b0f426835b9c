"""The watcher, as a process: whatever it says, the next recall sees what anyone changed a moment ago."""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.errors import Busy
from commonplace.memory import watch_loop
from commonplace.memory.watch_loop import Watch
from commonplace.store.fs.inotify import Noted, Notices, local
from commonplace.store.sqlite import Index
from commonplace.store.workspace import Workspace
from commonplace.store.workspace.freshness import vouched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Write

PATIENCE = 60.0
MOST_NOTES = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())


def wait(for_it: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not for_it():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def vouches(root: Path) -> bool:
    """Whether a reader that opens the index now is spared the sweep."""
    here = Workspace(str(root))
    if not here.watched or not os.path.exists(here.index_path):
        return False
    with Index(here.index_path) as index:
        return vouched(here, index.looked())


def hear(process: subprocess.Popen[str], words: str) -> None:
    """Wait until it has said these words."""
    assert process.stderr is not None
    fd, said = process.stderr.fileno(), b""

    def heard() -> bool:
        nonlocal said
        if select.select([fd], [], [], 0)[0]:
            said += os.read(fd, 1 << 12)
        return words in said.decode()

    wait(heard)


def started(root: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "commonplace", "watch", "--workspace", str(root), *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@contextmanager
def watcher(root: Path, *words: str, ready: bool = True) -> Iterator[subprocess.Popen[str]]:
    process = started(root, *words)
    try:
        if ready:
            wait(lambda: vouches(root))
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.communicate(timeout=PATIENCE)


def remove(path: Path) -> None:
    """Delete a file, or a folder with all in it, which a watcher may write to meanwhile."""
    while path.exists():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def found(memory: Memory, word: str) -> list[str]:
    return [str(hit.line.source).partition("#")[0] for hit in memory.recall(word).hits]


@pytest.fixture
def root(workspace: Write) -> Path:
    return workspace(
        """
        === MEMORY.md
        - W @Peter: Lives in Vienna.
        === memory/2025-11-27.md
        - W @Peter: In Marrakech.
        === bank/entities/Peter.md
        # Peter
        """
    )


def test_while_it_vouches_no_folder_is_listed(root: Path) -> None:
    script = (
        "import sys; from commonplace import Memory; listed = []\n"
        "sys.addaudithook(lambda name, _: listed.append(name) if name == 'os.scandir' else None)\n"
        "memory = Memory(sys.argv[1]); hits = memory.recall('Marrakech').hits; print(len(hits), len(listed))"
    )

    def listed() -> str:
        command = [sys.executable, "-c", script, str(root)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert listed().split()[1] != "0"
    with watcher(root):
        wait(lambda: listed() == "1 0")
    assert listed().split()[1] != "0"


def test_every_change_is_seen_by_the_next_recall(root: Path) -> None:
    log = root / "memory/2025-11-27.md"

    def truncated() -> None:
        with log.open("r+") as file:
            file.truncate(0)
            file.write("- W @Peter: In Quito.\n")

    def same_size_and_time() -> None:
        state = log.stat()
        log.write_text(log.read_text().replace("Quito", "Sucre"))
        os.utime(log, ns=(state.st_atime_ns, state.st_mtime_ns))

    def saved_as_editors_do() -> None:
        (root / "memory/.new").write_text("- W @Peter: In Bogota.\n")
        (root / "memory/.new").rename(log)

    def folder() -> None:
        (root / "memory/a/b").mkdir(parents=True)
        (root / "memory/a/b/c.md").write_text("- W @Peter: In Cusco.\n")

    def in_it() -> None:
        (root / "memory/a/b/c.md").write_text("- W @Peter: In Lima.\n")

    def folder_moved_in() -> None:
        outside = root.parent / "outside"
        outside.mkdir()
        (outside / "d.md").write_text("- W @Peter: In Santiago.\n")
        outside.rename(root / "bank/outside")

    def in_what_moved() -> None:
        (root / "bank/outside").rename(root / "memory/moved")
        (root / "memory/moved/d.md").write_text("- W @Peter: In Valparaiso.\n")

    with watcher(root), Memory(str(root)) as memory:
        for change, word in (
            (truncated, "Quito"),
            (same_size_and_time, "Sucre"),
            (saved_as_editors_do, "Bogota"),
            (folder, "Cusco"),
            (in_it, "Lima"),
            (folder_moved_in, "Santiago"),
            (in_what_moved, "Valparaiso"),
        ):
            change()
            assert found(memory, word), word
            wait(lambda: vouches(root))
            assert found(memory, word), word
        assert not found(memory, "Marrakech")
        log.unlink()
        assert not found(memory, "Bogota")
        wait(lambda: vouches(root))
        shutil.rmtree(root / "memory/a")
        assert not found(memory, "Lima")
        (root / "commonplace.toml").write_text('include = ["notes/deep/**"]\n')
        (root / "notes").mkdir()
        with Memory(str(root)) as other:
            other.recall("Peter")
            wait(lambda: not vouches(root))  # its readers have other settings now
            (root / "notes/deep").mkdir()
            (root / "notes/deep/e.md").write_text("- W @Peter: In Iquique.\n")
            assert found(other, "Iquique")


def test_after_any_sequence_of_changes_the_index_says_what_a_rebuild_says(root: Path) -> None:
    dice = random.Random(5)
    with watcher(root), Memory(str(root)) as memory:
        for step in range(60):
            files = sorted(root.glob("memory/**/*.md"))
            chosen = dice.choice(files)
            match dice.randrange(6):
                case 0:
                    chosen.write_text(f"- W @Peter: Said word{step}.\n")
                case 1:
                    with chosen.open("a") as file:
                        file.write(f"- W @Peter: Said word{step}.\n")
                case 2:
                    (root / f"memory/d{step}").mkdir()
                    (root / f"memory/d{step}/f.md").write_text(f"- W @Peter: Said word{step}.\n")
                case 3 if len(files) > 1:
                    chosen.unlink()
                case 4:
                    chosen.rename(root / f"memory/r{step}.md")
                case _:
                    for folder in {path.parent for path in files} - {root / "memory"}:
                        folder.rename(root / f"memory/m{step}")
                        break
            if dice.random() < 0.5:
                time.sleep(dice.random() * 0.25)
            if step % 10 == 9:
                wait(lambda: vouches(root))  # at times the sweep is spared, however busy the machine
            held = {path: path.read_text() for path in root.glob("memory/**/*.md")}
            said = {str(path.relative_to(root)) for path, text in held.items() if f"word{step}." in text}
            assert set(found(memory, f"word{step}")) == said
        here = Workspace(str(root))
        memory.recall("Peter")
        with Index(here.index_path) as index:
            kept = index.dump()
        memory.index(rebuild=True)
        with Index(here.index_path) as index:
            assert index.dump() == kept


def test_thousands_of_files_that_git_checks_out_are_all_seen(root: Path) -> None:
    def git(*words: str) -> None:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(root), *words]
        subprocess.run(command, capture_output=True, check=True)

    git("init", "-q", "-b", "first")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    git("checkout", "-q", "-b", "second")
    for number in range(1000):
        (root / f"memory/n{number % 7}").mkdir(exist_ok=True)
        (root / f"memory/n{number % 7}/{number}.md").write_text(f"- W @Peter: Number{number} it is.\n")
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    git("checkout", "-q", "first")
    with watcher(root), Memory(str(root)) as memory:
        git("checkout", "-q", "second")
        assert found(memory, "Number999") == ["memory/n5/999.md"]
        wait(lambda: vouches(root))
        assert found(memory, "Number7") == ["memory/n0/7.md"]
        git("checkout", "-q", "first")
        assert not found(memory, "Number999")


def test_a_watcher_that_lost_notes_looks_at_every_file(root: Path) -> None:
    """A watcher that is held up loses notes; a library that drops the word of it would vouch for what it never saw."""
    files = [root / "MEMORY.md", root / "memory/2025-11-27.md"]
    with watcher(root) as process, Memory(str(root)) as memory:
        process.send_signal(signal.SIGSTOP)
        for number in range(MOST_NOTES + 10):
            os.utime(files[number % 2])
        (root / "memory/new.md").write_text("- W @Peter: In Quito.\n")
        assert found(memory, "Quito")  # it does not answer
        (root / "memory/new.md").write_text("- W @Peter: In Lima.\n")
        process.send_signal(signal.SIGCONT)
        assert found(memory, "Lima")
        wait(lambda: vouches(root))
        assert found(memory, "Lima")
        assert not found(memory, "Quito")


def test_the_queue_tells_that_it_overflowed(tmp_path: Path) -> None:
    notices = Notices()
    try:
        assert notices.watch(str(tmp_path))
        assert not notices.watch(str(tmp_path))
        assert not notices.watch(str(tmp_path / "none"))
        assert notices.drain() is Noted.NOTHING
        one, other = tmp_path / "1", tmp_path / "2"
        one.touch()
        other.touch()
        assert notices.drain() is Noted.FILES
        for number in range(MOST_NOTES + 10):
            os.utime((one, other)[number % 2])
        assert notices.drain() is Noted.TREE
        (tmp_path / "folder").mkdir()
        assert notices.drain() is Noted.TREE
        assert notices.drain() is Noted.NOTHING
    finally:
        notices.close()


def test_one_that_was_killed_leaves_recall_as_it_was(root: Path) -> None:
    with watcher(root) as process:
        process.kill()
        process.wait()
        with Memory(str(root)) as memory:
            (root / "memory/new.md").write_text("- W @Peter: In Quito.\n")
            assert found(memory, "Quito")
    with watcher(root), Memory(str(root)) as memory:
        assert found(memory, "Quito")


def test_a_second_watcher_of_a_workspace_is_refused(root: Path) -> None:
    with watcher(root):
        second = started(root)
        assert second.communicate(timeout=PATIENCE)[1].startswith(
            "commonplace: another watcher runs for this workspace"
        )
        assert second.returncode == Busy.exit_status
        wait(lambda: vouches(root))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(root: Path, number: signal.Signals) -> None:
    with watcher(root, "--verbose") as process:
        process.send_signal(number)
        said = process.communicate(timeout=PATIENCE)[1].splitlines()
        assert process.returncode == 0
    assert said[1] == f"watching {root}"
    assert said[2].endswith("files added, 0 changed, 0 removed; 3 in all")
    assert "no longer watching" in said
    assert not (root / ".memory/watch.sock").exists()


def test_the_index_or_all_of_our_folder_is_deleted(root: Path) -> None:
    with watcher(root), Memory(str(root)) as memory:
        for number, gone in enumerate((".memory/index.sqlite*", ".memory")):
            memory.close()
            for each in list(root.glob(gone)):
                remove(each)
            assert found(memory, "Marrakech")
            (root / "memory/new.md").write_text(f"- W @Peter: In Quito{number}.\n")
            time.sleep(0.3)  # the watcher brings an index up to date that nobody else has
            with Memory(str(root)) as other:
                assert found(other, f"Quito{number}")
                wait(lambda: vouches(root))
                assert found(other, f"Quito{number}")


def test_a_second_name_of_a_file_is_not_vouched_for(root: Path) -> None:
    outside = root.parent / "outside.md"
    outside.write_text("- W @Peter: In Quito.\n")
    with watcher(root), Memory(str(root)) as memory:
        for make in (os.link, os.symlink):
            if make is os.symlink:
                (root / "memory/other.md").unlink()
                shutil.copy(outside, root / "other.txt")
                outside = root / "other.txt"
            make(outside, root / "memory/other.md")
            memory.recall("Quito")
            time.sleep(0.5)
            assert not vouches(root)
            outside.write_text(f"- W @Peter: In {make.__name__}ville.\n")
            assert found(memory, f"{make.__name__}ville")


@pytest.mark.parametrize(
    ("mounts", "reliable"),
    [
        ("/ ext4", True),
        ("/ ext4, /home/a\\040b btrfs", True),
        ("/ nfs4, /home/a\\040b btrfs", True),
        ("/ ext4, /home/a\\040b fuse.sshfs", False),
        ("/ ext4, /home 9p", False),
        ("/ ext4, /home nfs4, /home ext4", True),
        ("/ ext4, /home/a\\040b/memory tmpfs", False),
        ("/ ext4, /home/a\\040b/MEMORY.md ext4", False),
        ("/ ext4, /home/a\\040bc nfs4", True),
        ("", False),
    ],
)
def test_only_local_disks_are_relied_on(mounts: str, reliable: bool) -> None:
    lines = [each.split(" ") for each in mounts.split(", ") if each]
    text = "".join(f"36 35 98:0 / {point} rw,noatime shared:1 - {kind} /dev/x rw\n" for point, kind in lines)
    assert local("/home/a b", text) is reliable


def test_where_the_kernel_keeps_no_notes_the_index_is_kept_warm(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_loop, "NOTED", False)
    said: list[str] = []
    run = Watch(lambda: Memory(str(root)), tell=said.append, warn=said.append)
    thread = threading.Thread(target=run.run)
    thread.start()
    try:
        wait(lambda: len(said) > 1)
        (root / "memory/new.md").write_text("- W @Peter: In Quito.\n")
        wait(lambda: len(said) > 2)
        assert "1 files added" in said[2] or "1 changed" in said[2]
        assert not vouches(root)
        with Memory(str(root)) as memory:
            wait(lambda: bool(memory.recall("Quito", sync=False).hits))  # it may first have seen an empty file
    finally:
        run.stop()
        thread.join(PATIENCE)
    assert said[-1] == "no longer watching"


def test_settings_that_cannot_be_read_are_waited_for(root: Path) -> None:
    with watcher(root) as process:
        (root / "commonplace.toml").write_text("k = [\n")
        hear(process, "is not TOML")
        assert not vouches(root)
        (root / "commonplace.toml").write_text("k = 5\n")
        wait(lambda: vouches(root))


def test_the_workspace_is_moved_and_another_takes_its_place(root: Path) -> None:
    away = root.parent / "away"
    with watcher(root):
        shutil.copytree(root, root.parent / "copy", ignore=shutil.ignore_patterns("watch.*"))
        root.rename(away)
        (root.parent / "copy").rename(root)
        for place, word in ((away, "Quito"), (root, "Lima")):
            (place / "memory/new.md").write_text(f"- W @Peter: In {word}.\n")
        for place, word, other in ((away, "Quito", "Lima"), (root, "Lima", "Quito")):
            with Memory(str(place)) as memory:
                assert found(memory, word) == ["memory/new.md"]
                assert not found(memory, other)
                (place / "memory/new.md").write_text(f"- W @Peter: In {word} no more, in Cusco.\n")
                assert found(memory, "Cusco") == ["memory/new.md"]


def test_an_index_in_the_cache_is_kept_up_to_date(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace that cannot be written keeps none of our files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent / "cache"))
    (root / ".memory").write_text("not a folder\n")
    with watcher(root), Memory(str(root)) as memory:
        for word in ("Quito", "Lima"):
            (root / "memory/new.md").write_text(f"- W @Peter: In {word}.\n")
            assert found(memory, word) == ["memory/new.md"]
            wait(lambda: vouches(root))
            assert found(memory, word) == ["memory/new.md"]


@pytest.mark.parametrize("before", [True, False])
def test_an_index_that_cannot_be_opened_is_waited_for(root: Path, *, before: bool) -> None:
    """A folder stands where its file should."""

    def taken() -> None:
        while not (root / ".memory/index.sqlite").is_dir():
            for each in list(root.glob(".memory/index.sqlite*")):
                remove(each)
            with suppress(FileExistsError):  # the watcher was faster
                (root / ".memory/index.sqlite").mkdir(parents=True)

    if before:
        taken()
    with watcher(root, ready=not before) as process:
        if not before:
            taken()
        with Memory(str(root)) as memory:
            for word in ("Quito", "Lima"):
                (root / "memory/new.md").write_text(f"- W @Peter: In {word}.\n")
                assert found(memory, word) == ["memory/new.md"]
                time.sleep(0.2)
                assert not any(vouched(Workspace(str(root)), looked) for looked in (0, 1))
        hear(process, "trying again")
        (root / ".memory/index.sqlite").rmdir()
        wait(lambda: vouches(root))  # it goes on by itself
