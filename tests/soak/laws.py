"""What must hold after every step, whatever was done to the program. Each law yields what breaks it, in words."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tests.soak.world import command, memory_files, tree
from tests.test_hand_edits import TODAY

from commonplace import Memory
from commonplace.core.markdown import page_regions
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LEFTOVERS = (".tmp", "~", "~new")


def plain(said: str) -> Iterator[str]:
    """No traceback at any door, and no error that is a bug."""
    for word in ("Traceback", "a bug in commonplace", "--verbose shows where"):
        if word in said:
            yield f"{word!r} was said: {said[-1500:]}"


def clean(root: Path) -> Iterator[str]:
    """Check finds nothing, a rebuilt index says the same as the one that grew, and no file of a change is left."""
    with Memory(str(root), today=TODAY) as memory:
        memory.index()
        yield from (f"check: {problem}" for problem in memory.check())
        path = memory.status().index_path
    with Index(path) as index:
        if broken := index.verify():
            yield f"the index is damaged: {broken}"
        grown = index.dump()
    with Memory(str(root), today=TODAY) as memory:
        memory.index(rebuild=True)
    with Index(path) as index:
        anew = index.dump()
    if grown != anew:
        yield f"the index is not as if made anew: {difference(grown, anew)}"
    for path, content in tree(root).items():
        if path.startswith("bank/") and (why := page_regions.damage(content.decode())):
            yield f"{path}: {why}"


def swept(root: Path) -> Iterator[str]:
    """What a change left beside a file goes with the next write in that folder."""
    left = [path for path in tree(root) if path.endswith(LEFTOVERS)]
    with Memory(str(root), today=TODAY) as memory:
        for folder in {path.rpartition("/")[0] for path in left}:
            memory.append(f"{folder}/swept.md" if folder else "MEMORY.md", "- One more line.")
    yield from (f"left over: {path}" for path in tree(root) if path.endswith(LEFTOVERS))


def idempotent(root: Path) -> Iterator[str]:
    """A second reflect changes nothing."""
    for number in range(2):
        before = tree(root)
        done = command(root, ("reflect", "--yes"))
        if done.status:
            yield f"reflect: {done}"
        if number and (now := tree(root)) != before:
            yield f"the second reflect changed {changes(before, now)}"


def unread(root: Path, words: tuple[str, ...]) -> Iterator[str]:
    """No byte of these words is in any file below the folder."""
    for path, content in memory_files(root):
        for word in words:
            if word.encode() in content:
                yield f"{word!r} is still in {path}"


def persons_lines(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> Iterator[str]:
    """Every line that a person wrote is there as often as before."""
    for path, content in before.items():
        was, stands = lines(content), lines(now.get(path, b""))
        for line in set(was):
            if stands.count(line) < was.count(line):
                yield f"{path} lost the line {line!r}"


def lines(content: bytes) -> list[str]:
    """The lines of a file that are not ours to change: outside our regions."""
    text = content.decode()
    inside = {number for found in page_regions.read(text) for number in range(found.start, found.end + 1)}
    return [line for number, line in enumerate(text.split("\n"), 1) if number not in inside and line.strip()]


def difference(one: list[str], other: list[str]) -> str:
    return "\n".join(list(difflib.unified_diff(one, other, lineterm="", n=0))[:12])


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """What differs between two trees, shortly."""
    told = []
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            pair = ([*each.get(path, b"").decode(errors="replace").split("\n")] for each in (before, after))
            told.append(f"{path}:\n{difference(*pair)}")
    return "\n".join(told)
