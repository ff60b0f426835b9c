"""Detects conflict copies of sync tools, by name and content together: a name alone is weak evidence.

`2025-11-27-MacBook.md` may be OneDrive's copy of a day, or a host's log about a MacBook. So a file whose name extends
the name of a file beside it is a copy if it shares most of its content. A name that only a sync tool gives is enough,
unless the other file exists and the two share nothing. The answer depends on the two files alone, never on which of
them was read first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import CONFLICT_COPY
from commonplace.core.documents.hearsay import no_fact
from commonplace.core.model import Citation, Problem, Role
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.documents.parsed_document import Document

_NAMES = lazy_pattern(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing: x.sync-conflict-20251127-101500-ABCDEFG
    r"|_conflict-\d{8}-\d{6}"  # ownCloud: x_conflict-20251127-101500
    r"|_[A-Z][a-z]{2}-\d\d-\d{4,6}-\d{4}_(?:Case)?Conflict"  # Synology: x_DiskStation_Nov-27-1015-2025_Conflict
    r"|\.Conflict\d*$"  # Resilio: x.Conflict
    # Dropbox, Nextcloud, Seafile, Obsidian: x (Peter's conflicted copy 2025-11-27), and their translations
    r"|[(（\[](?=[^)）\]]*(?:[ck]onfli|競合|冲突|衝突|충돌|конфликт))"
    r"(?=[^)）\]]*(?:\d{4}|[ck]op[iyí]|case|コピー|副本|複本|복사|копия))[^)）\]]*[)）\]]",
    re.IGNORECASE,
)


def stem(path: str) -> str:
    """Return a path without its suffix."""
    return path[: path.rfind(".")]


def neighbours(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, for each path with any, the files beside it whose names its own name extends, longest first."""
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
    """Whether the name is `2025-11-27` or `2025-11`, which is no copy of `2025-11.md` or `2025.md`."""
    last = name[name.rfind("/") + 1 :]
    return len(last) in (7, 10) and last.replace("-", "").isdecimal()


def _goes_on(rest: str) -> bool:
    """Whether `rest` extends a name: after a separator, or in another script (`2025-11-27副本`)."""
    return rest != "" and not (rest[0].isascii() and rest[0].isalnum()) and "/" not in rest


def original(document: Document, beside: Sequence[Document]) -> str | None:
    """Return the path of the file that a document is a conflict copy of.

    Its own path if that file is gone; None if it is no copy. `beside` are those of its `neighbours` that exist.
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
    """Whether they share most of the shorter; one line in common may be chance, unless it is all there is."""
    shared = len(mine & theirs)
    return 2 * shared > min(len(mine), len(theirs)) and (shared > 1 or len(mine) == 1)


def _said(document: Document) -> set[str]:
    """Return the ids of its facts; without facts, its lines except headings, which come from templates."""
    return {fact.id for fact in document.facts} or {
        line.text for line in document.lines if line.role not in (Role.HEADING, Role.META)
    }


def _everything(document: Document) -> set[str]:
    return {line.text for line in document.lines if line.number} | {fact.id for fact in document.facts}


def _only_tools(path: str) -> bool:
    """Whether only a sync tool would give this name."""
    name = stem(path[path.rfind("/") + 1 :])
    return ("onfli" in name or not name.isascii()) and _NAMES.search(name) is not None


def marked(document: Document, source: str) -> Document:
    """Return a copy of `source`, a result of `original`, as it is indexed: every line searchable, no facts,
    and one problem.
    """
    lines = tuple(map(no_fact, document.lines))
    if source == document.path:
        said = "is named as a sync tool's conflict copy, and the file that it copies is gone"
        hint = "rename it to that file's name; until then nothing in it is evidence"
    else:
        named = "sync tool's conflict copy" if _only_tools(document.path) else "copy"
        said = f"is a {named} of {source}"
        hint = f"copy to {source} what only this file has, then delete it; its facts do not count twice"
    problem = Problem(Citation(document.path, 1), CONFLICT_COPY, f"{document.path} {said}", hint)
    return document._replace(lines=lines, problems=(problem,), conflict=True, copy_of=source)
