"""How the files of a folder stand: to see that nothing was written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def standing(root: str | Path, *, below: str = "") -> dict[str, tuple[int, int, bytes]]:
    """Path to time stamp in ns, inode and bytes of every file but those of the index; with `below` only that folder."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, below)):
        for name in names:
            path = os.path.join(folder, name)
            if not name.startswith("index.sqlite") and not name.endswith("lock"):
                with open(path, "rb") as file:
                    state = os.stat(path)
                    found[os.path.relpath(path, root)] = (state.st_mtime_ns, state.st_ino, file.read())
    return found
