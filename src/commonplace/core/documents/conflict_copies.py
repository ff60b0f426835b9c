"""Detects conflict copies of sync tools, by name and content together: a name alone is weak evidence.

`2025-11-27-MacBook.md` is how OneDrive calls its copy of a day, and how a host calls a log about a MacBook. So a file
whose name goes on where that of a file beside it ends is a copy when most of what it says stands there too. Where only
a sync tool gives such a name, it is one unless that file is there and the two have nothing in common.
The answer depends on the two files alone, never on which of them was read first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import CONFLICT_COPY
from commonplace.core.documents.hearsay import no_fact
from commonplace.core.model import Citation, Problem, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.documents.parse import Document


def stem(path: str) -> str:
    """A path without its suffix."""
    return path[: path.rfind(".")]


def neighbours(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Path -> files beside it whose names its own goes on from, longest first; paths that have any."""
    found: dict[str, tuple[str, ...]] = {}
    above: list[tuple[str, str]] = []
    for name, path in sorted((stem(path), path) for path in paths):
        while above and not name.startswith(above[-1][0]):
            above.pop()
        if above and not _is_day(name):
            originals = tuple(other for start, other in reversed(above) if _goes_on(name[len(start) :]))
            if originals:
                found[path] = originals
        above.append((name, path))
    return found


def _is_day(name: str) -> bool:
    """`2025-11-27` or `2025-11`: no copy of `2025-11.md` or `2025.md`."""
    last = name[name.rfind("/") + 1 :]
    return len(last) in (7, 10) and last.replace("-", "").isdecimal()


def _goes_on(rest: str) -> bool:
    """Whether a name ended before this: with a sign, or between two scripts (`2025-11-27副本`)."""
    return rest != "" and not (rest[0].isascii() and rest[0].isalnum()) and "/" not in rest


def original(document: Document, beside: Sequence[Document]) -> str | None:
    """The path of the file that a document is a conflict copy of; its own where that file is gone; None: it is none.

    Args:
        document: the file in question.
        beside: those of its `neighbours` that are there.
    """
    told = _only_tools(document.path)
    if told and not beside:
        return document.path
    for other in beside:
        if told and not _everything(document).isdisjoint(_everything(other)):
            return other.path
        if not told and document.title == other.title and _mostly(_said(document), _said(other)):
            return other.path
    return None


def _mostly(mine: set[str], theirs: set[str]) -> bool:
    """Whether most of the shorter stands in the longer; one line in common is chance, unless it is all there is."""
    shared = len(mine & theirs)
    return 2 * shared > min(len(mine), len(theirs)) and (shared > 1 or len(mine) == 1)


def _said(document: Document) -> set[str]:
    """The ids of its facts; of a file without facts its lines, but not its headings: those are templates."""
    return {fact.id for fact in document.facts} or {
        line.text for line in document.lines if line.role not in (Role.HEADING, Role.META)
    }


def _everything(document: Document) -> set[str]:
    return {line.text for line in document.lines} | {fact.id for fact in document.facts}


def _only_tools(path: str) -> bool:
    """Whether the name is one that no person and no host would give."""
    name = stem(path[path.rfind("/") + 1 :])
    return ("onfli" in name or not name.isascii()) and _names().search(name) is not None


@cache
def _names() -> re.Pattern[str]:
    return re.compile(
        r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing: x.sync-conflict-20251127-101500-ABCDEFG
        r"|_conflict-\d{8}-\d{6}"  # ownCloud: x_conflict-20251127-101500
        r"|_[A-Z][a-z]{2}-\d\d-\d{4,6}-\d{4}_(?:Case)?Conflict"  # Synology: x_DiskStation_Nov-27-1015-2025_Conflict
        r"|\.Conflict\d*$"  # Resilio: x.Conflict
        # Dropbox, Nextcloud, Seafile, Obsidian: x (Peter's conflicted copy 2025-11-27), and what translations say of it
        r"|[(（\[](?=[^)）\]]*(?:[ck]onfli|競合|冲突|衝突|충돌|конфликт))"
        r"(?=[^)）\]]*(?:\d{4}|[ck]op[iyí]|case|コピー|副本|複本|복사|копия))[^)）\]]*[)）\]]",
        re.IGNORECASE,
    )


def marked(document: Document, source: str) -> Document:
    """A conflict copy as it counts: every line findable, nothing of it a fact, told as a problem.

    Args:
        document: the copy.
        source: what `original` found.
    """
    lines = tuple(map(no_fact, document.lines))
    if source == document.path:
        said = "is named as a sync tool's conflict copy, and the file that it copies is gone"
        hint = "give it that file's name; until then nothing in it is evidence"
    else:
        said = f"is a sync tool's conflict copy of {source}"
        hint = f"take over into {source} what only the copy says, then delete the copy; nothing in it is evidence"
    problem = Problem(Citation(document.path, 1), CONFLICT_COPY, f"{document.path} {said}", hint)
    return document._replace(lines=lines, problems=(problem,), conflict=True, copy_of=source)
