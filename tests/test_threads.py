"""Threads that share a memory, or a workspace through two: every write that returned is there, whole and once."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Write

TODAY = date(2026, 2, 1)
FILES = {
    "MEMORY.md": "# Memory\n\n- Tea, not coffee.\n- Turn: 0.\n",
    "bank/rota.md": "# Rota\n\nWho cooks, by hand.\n",
    "memory/2026-01-30.md": "# 2026-01-30\n\n## Retain\n- O(c=0.8) @Peter: Prefers oak. ^k7f3qa\n",
}
ROUNDS = 15
"""Of each thread: enough for hundreds of verbs to meet, in a second or two."""


def retains(memory: Memory, name: str) -> list[str]:
    return [memory.retain(f"W @Peter: Heard of {name} number {n} at the market.").fact.id for n in range(ROUNDS)]


def appends(memory: Memory, name: str) -> list[str]:
    """Lines to one page, and a page of its own that grows under its digest."""
    own, digest = f"bank/{name}.md", memory.append(f"bank/{name}.md", f"# {name}").digest
    for n in range(ROUNDS):
        memory.append("bank/rota.md", f"- {name} cooks on day {n}.")
        digest = memory.insert(own, f"- {n}", after=1 + n, digest=digest).digest
    return [own]


def counts(memory: Memory, name: str) -> list[str]:
    """Reads a number and writes the next, only if nobody wrote in between: an honest counter, by digests."""
    from commonplace import ChangedUnderneath

    done = 0
    while done < ROUNDS:
        seen = memory.get("MEMORY.md")
        number = int(seen.text.split("Turn: ")[1].split(".")[0])
        try:
            memory.replace("MEMORY.md", f"Turn: {number}.", f"Turn: {number + 1}.", digest=seen.digest)
        except ChangedUnderneath:
            continue
        done += 1
    return []


def thinks(memory: Memory, name: str) -> list[str]:
    for n in range(ROUNDS):
        memory.retract(memory.retain(f"O(c=0.6) @Rolf: Likes {name} {n}.").fact.id, reason="it was a joke")
        fact = memory.retain(f"W @Rolf: Has {n} chairs of {name}.").fact
        memory.correct(fact.id, f"W @Rolf: Has {n} tables of {name}.")
        memory.reflect(yes=True)
    return []


def reads(memory: Memory, name: str) -> list[str]:
    for _ in range(ROUNDS):
        core = memory.core()
        assert re.search(r"- Tea, not coffee\.\n- Turn: \d+\.\n", core.text)
        assert memory.context("what does Peter prefer?").text.startswith('<block label="MEMORY"')
        assert "Prefers oak." in [hit.line.content for hit in memory.recall("does Peter prefer oak?").hits]
        assert memory.show("^k7f3qa").line.content == "Prefers oak."
        assert memory.get("memory/2026-01-30.md#L4").text.startswith("- O(c=0.8) @Peter: Prefers oak.")
        assert memory.status().problems == len(memory.check()) == 0
        memory.opinions("Peter")
    return []


WORK: dict[str, Callable[[Memory, str], list[str]]] = {
    "apples": retains,
    "pears": retains,
    "Ada": appends,
    "Bob": appends,
    "one": counts,
    "two": counts,
    "cedar": thinks,
    "me": reads,
}


def together(memories: list[Memory]) -> dict[str, list[str]]:
    """What each of the threads came back with; they share the memories in turn, and start at once."""
    start = Barrier(len(WORK))

    def begin(number: int, name: str) -> list[str]:
        start.wait()
        return WORK[name](memories[number % len(memories)], name)

    with ThreadPoolExecutor(len(WORK)) as pool:
        asked = {name: pool.submit(begin, number, name) for number, name in enumerate(WORK)}
        return {name: each.result() for name, each in asked.items()}


@pytest.mark.parametrize("shared", [1, 2], ids=["one memory", "two memories"])
def test_threads_of_one_memory_lose_nothing(workspace: Write, shared: int) -> None:
    root = workspace(FILES)
    memories = [Memory(str(root), today=TODAY) for _ in range(shared)]
    try:
        done = together(memories)
    finally:
        for memory in memories:
            memory.close()
    assert (root / "MEMORY.md").read_text().startswith(f"# Memory\n\n- Tea, not coffee.\n- Turn: {2 * ROUNDS}.\n")
    assert sorted((root / "bank/rota.md").read_text().splitlines()[3:]) == sorted(
        f"- {name} cooks on day {n}." for name in ("Ada", "Bob") for n in range(ROUNDS)
    )
    for name in ("Ada", "Bob"):
        assert (root / f"bank/{name}.md").read_text() == "\n".join(
            [f"# {name}", *(f"- {n}" for n in range(ROUNDS)), ""]
        )
    log = (root / "memory/2026-02-01.md").read_text()
    for name in ("apples", "pears"):
        assert len(set(done[name])) == ROUNDS
        assert all(log.count(f"Heard of {name} number {n} at the market.") == 1 for n in range(ROUNDS))
    assert all(log.count(f"Has {n} tables of cedar.") == 1 for n in range(ROUNDS))
    assert not [*(root / ".memory").glob("*.corrupt")], "a sound index was taken for a damaged one"
    found_by_a_new_index(root, [id for name in ("apples", "pears") for id in done[name]])


def found_by_a_new_index(root: Path, ids: list[str]) -> None:
    """The index that all wrote to says what one made anew from the files says."""
    with Memory(str(root), today=TODAY) as memory:
        assert memory.check() == ()
        before = memory.status()
        assert {memory.show(id).line.content for id in ids} == {
            f"Heard of {name} number {n} at the market." for name in ("apples", "pears") for n in range(ROUNDS)
        }
        memory.index(rebuild=True)
        after = memory.status()
    assert (before.files, before.lines, before.facts, before.opinions) == (
        after.files,
        after.lines,
        after.facts,
        after.opinions,
    )
