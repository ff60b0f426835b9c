"""A process that stays spares itself the look at every file while the kernel notes no change, and misses none."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[Path], object]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no other kernel notes changes in this way")
MANY = 230


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace" / "memory"
    folder.mkdir(parents=True)
    for number in range(MANY):
        (folder / f"note-{number}.md").write_text(f"- Boat number {number} was painted.\n", encoding="utf-8")
    return folder.parent


def looks(memory: Memory, query: str = "boat") -> bool:
    """Whether a recall looks at every file."""
    before = memory.workspace._listing
    memory.recall(query)
    return memory.workspace._listing is not before


def settle(memory: Memory) -> None:
    """Recall until nothing is looked at any more."""
    memory.index()
    assert any(not looks(memory) for _ in range(8)), "it looks at every file each time"


def write(path: Path, text: str = "- The zebra came by.\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def in_place(root: Path) -> None:
    """As long as before, and with its time stamp."""
    path = root / "memory" / "note-7.md"
    state = path.stat()
    path.write_text("- The zebra was painted.\n".ljust(state.st_size - 1) + "\n", encoding="utf-8")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def over(root: Path) -> None:
    """A rename over a file, as editors save."""
    write(root.parent / "new.md")
    os.replace(root.parent / "new.md", root / "memory" / "note-3.md")


def moved_in(root: Path) -> None:
    write(root.parent / "others" / "deep" / "one.md")
    os.rename(root.parent / "others", root / "bank")


def late_in_a_new_folder(root: Path) -> None:
    with Memory(str(root)) as other:  # somebody else looks between the two
        (root / "memory" / "work").mkdir()
        other.recall("boat")
    write(root / "memory" / "work" / "late.md")


def folder_replaced(root: Path) -> None:
    os.rename(root / "memory", root.parent / "old")
    shutil.copytree(root.parent / "old", root / "memory")
    write(root / "memory" / "2025-11-27.md")


CHANGES: list[Change] = [
    lambda root: write(root / "memory" / "new.md"),
    lambda root: write(root / "bank" / "entities" / "Zebra.md"),
    lambda root: write(root / "MEMORY.md"),
    lambda root: write(root / "memory" / "note-9.md", "- Boat number 9.\n- The zebra came by.\n"),
    in_place,
    over,
    moved_in,
    late_in_a_new_folder,
    folder_replaced,
]


@pytest.mark.parametrize("change", CHANGES, ids=range(len(CHANGES)))
def test_a_change_of_any_way_is_seen_by_the_next_recall(root: Path, change: Change) -> None:
    with Memory(str(root)) as memory:
        settle(memory)
        assert not memory.recall("zebra").hits
        change(root)
        assert memory.recall("zebra").hits
        settle(memory)
        assert memory.recall("zebra").hits


@pytest.mark.parametrize("gone", ["file", "folder"])
def test_what_is_gone_is_not_found(root: Path, gone: str) -> None:
    write(root / "bank" / "zebra.md")
    with Memory(str(root)) as memory:
        settle(memory)
        assert memory.recall("zebra").hits
        if gone == "file":
            (root / "bank" / "zebra.md").unlink()
        else:
            os.rename(root / "bank", root.parent / "elsewhere")
        assert not memory.recall("zebra").hits


def test_changes_in_a_row_are_all_seen(root: Path) -> None:
    with Memory(str(root)) as memory:
        settle(memory)
        for number in range(30):
            with open(root / "memory" / "note-5.md", "a", encoding="utf-8") as file:
                file.write(f"- Zebra number {number + 1000} came by.\n")
            found = memory.recall(f"zebra number {number + 1000}", k=1).hits
            assert f"{number + 1000} came" in found[0].line.content
            if number % 7 == 0:
                settle(memory)


def test_an_index_that_was_deleted_or_made_anew_is_not_taken_for_the_old_one(root: Path) -> None:
    with Memory(str(root)) as memory, Memory(str(root)) as other:
        settle(memory)
        found = memory.recall("boat number 7")
        for path in (root / ".memory").glob("index.sqlite*"):
            path.unlink()
        assert memory.recall("boat number 7") == found
        settle(memory)
        other.index(rebuild=True)
        assert looks(memory)
        assert memory.recall("boat number 7") == found


def test_files_with_a_second_name_are_looked_at_each_time(root: Path) -> None:
    write(root.parent / "elsewhere.md", "- Nothing yet.\n")
    os.link(root.parent / "elsewhere.md", root / "memory" / "linked.md")
    with Memory(str(root)) as memory:
        assert all(looks(memory) for _ in range(8))
        write(root.parent / "elsewhere.md")
        assert memory.recall("zebra").hits


def test_few_files_are_simply_looked_at(tmp_path: Path) -> None:
    write(tmp_path / "memory" / "2025-11-27.md")
    with Memory(str(tmp_path)) as memory:
        assert all(looks(memory) for _ in range(6))


def test_it_lets_go_of_all_files(root: Path) -> None:
    def held() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    before = held()
    for close in (True, False):
        memory = Memory(str(root))
        settle(memory)
        assert held() > before
        if close:
            memory.close()
        del memory
        assert held() == before


def test_the_index_file_is_closed_with_the_last_reference_and_not_at_the_next_collection(root: Path) -> None:
    def is_open() -> bool:
        links = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
        return any("index.sqlite" in os.readlink(link) for link in links if os.path.lexists(link))

    gc.collect()
    gc.disable()
    try:
        memory = Memory(str(root))
        memory.recall("zebra")
        assert is_open()
        del memory
        assert not is_open()
    finally:
        gc.enable()


def test_a_fork_does_not_take_the_notes_of_its_parent(root: Path) -> None:
    with Memory(str(root)) as memory:
        settle(memory)
        write(root / "memory" / "new.md")
        pid = os.fork()
        if pid == 0:
            try:
                memory._access._unchanged(memory._access._index)  # type: ignore[arg-type]
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        assert memory.recall("zebra").hits


@pytest.mark.parametrize("at", [1, MANY])
def test_an_index_that_is_deleted_while_it_is_made_is_not_taken_for_an_empty_one(root: Path, at: int) -> None:
    def deleted(done: int, _: int) -> None:
        if done >= at:
            shutil.rmtree(root / ".memory", ignore_errors=True)

    with Memory(str(root)) as memory:
        memory.retain("W @Zebra: Came by.")
        memory.reflect(yes=True)
        page = (root / "bank" / "world.md").read_text()
    shutil.rmtree(root / ".memory")
    with Memory(str(root)) as memory:
        memory.progress = deleted
        assert memory.recall("boat").hits
        assert memory.index().files
    shutil.rmtree(root / ".memory", ignore_errors=True)
    with Memory(str(root)) as memory:
        memory.progress = deleted
        memory.reflect(yes=True)
    assert (root / "bank" / "world.md").read_text() == page
