"""What a person's hand does to the files of a workspace between two verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.memory import Memory


def edit(memory: Memory, path: str, old: str, new: str) -> None:
    """Replace the first of some words in a file; they must stand there."""
    file = f"{memory.root}/{path}"
    with open(file, encoding="utf-8", newline="") as handle:
        before = handle.read()
    assert old in before
    with open(file, "w", encoding="utf-8", newline="") as handle:
        handle.write(before.replace(old, new, 1))
