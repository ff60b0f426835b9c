"""A person's editor, as a program of its own: it reads a file, changes lines of its own, and saves the whole file.

It saves as editors do, by turns: into the file in place (VS Code, Obsidian, nano), by a new file that is renamed over
it (JetBrains, gedit), or by renaming the old one away and writing anew (vim). Like them it looks before it saves
whether the file is as it was read, and starts again from what is there if not. What somebody wrote between that look
and its save it overwrites unseen, as they do: such lines are the editor's own loss, and it notes them. To tell them
exactly it renames by an exchange, which to everybody else is a rename.

    python editor.py SECONDS SEED [--in-place | --by-rename | --anew] FILE ...

Prints one JSON object: `saved`, the lines that stand in each file as it knows; `lost`, what it overwrote unseen.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path

from commonplace.store.fs.system import exchange

MOST = 60
"""Lines of its own in one file; then it changes them."""
_SLOW = 0.003
"""Seconds between two parts of a save: meanwhile the file is half saved, or is replaced and the rest comes late."""


def changed(text: str, old: str, new: str) -> str:
    """The text with one of the person's lines changed; a new one stands below the first heading."""
    lines = text.splitlines(keepends=True)
    if old and old + "\n" in lines:
        lines[lines.index(old + "\n")] = new + "\n"
    else:
        lines.insert(1, new + "\n")
    return "".join(lines)


def unseen(seen: str, found: str) -> list[str]:
    """Lines that were not there when the person looked."""
    return sorted(set(found.splitlines()) - set(seen.splitlines()))


def save_in_place(path: Path, seen: str, text: str) -> list[str] | None:
    """Write into the file, in two parts; None when it is another by now."""
    with open(path, "r+", encoding="utf-8", newline="") as file:
        if file.read() != seen:
            return None
        file.seek(0)
        file.truncate()
        half = len(text) // 2
        file.write(text[:half])
        file.flush()
        time.sleep(_SLOW)
        file.write(text[half:])
    return []


def save_by_rename(path: Path, seen: str, text: str) -> list[str] | None:
    """Put a new file in place of it; None when it is another by now."""
    new = path.with_name(f"{path.name}~new")
    new.write_text(text, encoding="utf-8", newline="")
    try:
        if path.read_text(encoding="utf-8") != seen:
            return None
        assert exchange(None, str(new), str(path)), "the file system cannot exchange"
        return unseen(seen, new.read_text(encoding="utf-8"))
    finally:
        new.unlink()


def save_anew(path: Path, seen: str, text: str) -> list[str] | None:
    """Rename the old file away, then write one of its name; None when it is another by now."""
    if path.read_text(encoding="utf-8") != seen:
        return None
    old = path.with_name(f"{path.name}~")
    path.rename(old)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+", encoding="utf-8", newline="") as file:
        lost = unseen(seen, file.read())
        file.seek(0)
        file.truncate()
        file.write(text)
    lost += unseen(seen, old.read_text(encoding="utf-8"))
    old.unlink()
    return lost


WAYS = {"--in-place": save_in_place, "--by-rename": save_by_rename, "--anew": save_anew}


def main(seconds: float, seed: int, paths: list[Path], ways: list[str]) -> None:
    chance, until = random.Random(seed), time.monotonic() + seconds
    mine: dict[Path, list[str]] = {path: [] for path in paths}
    lost: list[str] = []
    saves = 0
    while time.monotonic() < until:
        path = chance.choice(paths)
        save = WAYS[chance.choice(ways)]
        old = chance.choice(mine[path]) if mine[path] and (len(mine[path]) >= MOST or chance.random() < 0.5) else ""
        new = f"- by hand {saves} into {path.name}"
        while True:
            try:
                seen = path.read_bytes().decode()
            except FileNotFoundError:
                break  # reflect has not made it yet
            time.sleep(chance.uniform(0, 0.05))  # the person types
            overwritten = save(path, seen, changed(seen, old, new))
            if overwritten is not None:
                lost += overwritten
                mine[path] = [*(line for line in mine[path] if line != old), new]
                saves += 1
                break
        time.sleep(chance.uniform(0, 0.1))
    print(json.dumps({"saved": {str(path): lines for path, lines in mine.items()}, "lost": lost}))


if __name__ == "__main__":
    said = [word for word in sys.argv[3:] if word in WAYS] or list(WAYS)
    main(float(sys.argv[1]), int(sys.argv[2]), [Path(path) for path in sys.argv[3:] if path not in WAYS], said)
