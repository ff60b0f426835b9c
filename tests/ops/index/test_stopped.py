"""A verb that takes long is told how far it is, and whoever listens may stop it: nothing is written then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

FACTS = {
    f"memory/2025-11-{day:02}.md": f"## Retain\n- W @Peter @Place{day % 5}: Was there with {day} friends.\n"
    "- O(c=0.8) @Peter: Prefers concise replies.\n"
    for day in range(1, 21)
}


class Stopped(BaseException):
    """What a listener raises; no `Exception`, which would be taken for damage of the index."""


def files(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*.md")}


def stop_at(memory: Memory, step: int) -> None:
    told = iter(range(1, step))

    def listen(done: int, of: int) -> None:
        if next(told, None) is None:
            raise Stopped

    memory.progress = listen


def steps(memory: Memory, *, dry_run: bool = False) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    memory.progress = lambda done, of: told.append((done, of))
    memory.reflect(yes=True, dry_run=dry_run)
    memory.progress = None
    return told


def test_a_reflect_tells_how_far_it_is(workspace: Write) -> None:
    with Memory(str(workspace(FACTS))) as memory:
        told = steps(memory)
    assert told[-1][0] == told[-1][1] > 2  # the last word comes before anything is written
    assert all(0 <= done <= of for done, of in told)


@pytest.mark.parametrize("at", [1, 2, 3, -1])
def test_a_reflect_that_is_stopped_has_written_nothing(workspace: Write, at: int) -> None:
    root = workspace(FACTS)
    with Memory(str(root)) as memory:
        memory.index()
        last = len(steps(memory, dry_run=True))
        before = files(root)
        stop_at(memory, at if at > 0 else last)
        with pytest.raises(Stopped):
            memory.reflect(yes=True)
        memory.progress = None
        assert files(root) == before
        assert memory.recall("who prefers concise replies?").status == "ok"
        assert memory.reflect(yes=True).applied  # no lock was left behind
    assert (root / "bank" / "entities" / "Peter.md").exists()
    assert not list((root / ".memory").glob("*.corrupt"))


def test_a_recall_that_is_stopped_while_it_reads_leaves_the_index_as_it_was(workspace: Write) -> None:
    root = workspace(FACTS)
    with Memory(str(root)) as memory:
        stop_at(memory, 1)
        with pytest.raises(Stopped):
            memory.recall("concise replies")
        memory.progress = None
        assert memory.recall("concise replies").status == "ok"
        assert memory.status().files == len(FACTS)
    assert not list((root / ".memory").glob("*.corrupt"))
