"""Tells old copies by their paths: what a backup or the trash holds, and `MEMORY.old.md` at the root."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.normalize import FAR_EAST, fold


def is_old_copy(path: str) -> bool:
    """Return whether a file is kept for the past: below such a folder, or at the root with a word for it in its name.

    Below `memory/` a name is what a log is about: `2026-03-01-backup.md`.
    """
    folders, marks = _patterns()
    return folders.search(path) is not None if "/" in path else marks.search(fold(path)) is not None


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what the path of an old copy has: of a folder, and in the name of a file."""
    known = table("copies")
    marks = [mark for words in known["marks"].values() for mark in map(fold, words)]
    far, near = ("|".join(each for each in marks if (each[0] >= FAR_EAST) is wide) for wide in (True, False))
    folders = re.compile(rf"(?i)(?:^|/)\.?(?:{'|'.join(known['folders'])})/")
    return folders, re.compile(rf"(?<![^\W\d_])(?:{near})(?![^\W\d_])|{far}")
