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
        steps(memory, dry_run=True)  # what it learned of the files is known to the next
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


def test_an_index_that_is_stopped_is_as_it_was(workspace: Write) -> None:
    root = workspace(FACTS)
    with Memory(str(root)) as memory:
        memory.index()
        stop_at(memory, 1)
        with pytest.raises(Stopped):
            memory.index(rebuild=True, progress=lambda done, of: None)
        memory.progress = None
        assert memory.recall("concise replies", sync=False).hits


def test_an_import_is_stopped_while_it_reads_and_not_once_it_writes(workspace: Write, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    for number in range(40):
        (vault / f"note{number}.md").write_text(f"# Note {number}\n\n- Anna prefers tea {number}.\n")
    root = workspace(FACTS)
    with Memory(str(root)) as memory:
        before = files(root)
        stop_at(memory, 2)
        with pytest.raises(Stopped):
            memory.import_notes(vault, yes=True)
        assert files(root) == before
        heard: list[int] = []
        told: list[int] = []
        memory.progress = lambda done, of: heard.append(done)
        memory.import_notes(vault, yes=True, progress=lambda done, of: told.append(done))
        assert heard == told[: len(heard)] and len(heard) < len(told), "who may stop it hears nothing of its writes"
        memory.progress = None


@pytest.mark.parametrize("verb", ["opinions", "review"])
def test_reads_that_form_opinions_say_how_far_they_are(workspace: Write, verb: str) -> None:
    with Memory(str(workspace(FACTS))) as memory:
        memory.index()
        told: list[tuple[int, int]] = []
        memory.progress = lambda done, of: told.append((done, of))
        getattr(memory, verb)()
    assert told and all(0 <= done <= of for done, of in told)
