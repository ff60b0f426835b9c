"""Explicit writes: append, replace and insert in files of the memory; and lines read by citation.

Laws: only the core, `memory/` and `bank/` are written; a daily log only grows; a host's core files are only read; links
are followed before a path is checked; every write is on the disk before it returns, and returns the digest that the
next one may pass.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.agent.core_blocks import numbered_lines
from commonplace.core.documents.append import appended, inserted
from commonplace.core.documents.merge_markers import require_settled
from commonplace.core.markdown import text_edits
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Citation
from commonplace.core.when import path_day
from commonplace.errors import ChangedUnderneath, NotFound, OutsideWorkspace, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.store.workspace import Workspace


class Written(NamedTuple):
    """The result of a write."""

    source: Citation
    """The first line written."""
    lines: int
    """Number of lines written; 0 if it only removed some."""
    digest: str
    """Digest of the file now."""
    created: bool
    """Whether the file is new."""
    size: int
    """Characters of the file now."""


class Lines(NamedTuple):
    """Lines of a file."""

    source: Citation
    """The first line."""
    text: str
    last: int
    """Number of the last line; 0 if the file is empty."""
    total: int
    """Number of lines of the file."""
    digest: str
    """Digest of the whole file; a write may pass it."""


class Door(NamedTuple):
    """A workspace, and which of its files explicit calls may not write."""

    workspace: Workspace
    read_only: tuple[str, ...]
    """Core files that belong to the host."""


_FOLDERS = ("memory", "bank")
"""Folders of the workspace that explicit calls may write to."""


def is_log(path: str) -> bool:
    """Whether a path is a daily log's, which only grows: any path below `memory/` with a date."""
    return path.startswith("memory/") and path_day(path) is not None


def led(workspace: Workspace, path: str) -> str:
    """Return a path with links followed, relative to `memory/` or `bank/` if it is inside one; empty if outside."""
    real = _resolved(workspace, path)
    for folder in _FOLDERS:
        home = _resolved(workspace, folder)
        if home and real.startswith(f"{home}/"):
            return folder + real[len(home) :]
    return real


def _resolved(workspace: Workspace, path: str) -> str:
    try:
        return workspace.resolved(path)
    except OutsideWorkspace:
        return ""


def is_host_s(door: Door, path: str) -> bool:
    """Whether a path leads to a core file of the host, ignoring case because some file systems do."""
    ours, found = door.workspace.core_path, led(door.workspace, path)
    host = {name.casefold() for each in door.read_only for name in (each, led(door.workspace, each)) if name}
    return not host.isdisjoint(name.casefold() for name in (path, found) if name != ours)


def append(door: Door, path: str, text: str, *, digest: str | None = None, allow_secret: bool = False) -> Written:
    """Append whole lines to a file, which is created if missing.

    Text is separated from a list, and text that is not a fact gets its own heading if the file ends in Retain.
    """
    _checked(door, path, text=text)
    if not text.strip():
        raise UsageError("there is nothing to append", "give the text")
    own = len(text_edits.lines_of(text.lstrip("\r\n")))
    return _changed(
        door,
        path,
        edited=lambda old: appended(old, text),
        digest=digest,
        allow_secret=allow_secret,
        create=True,
        own=own,
    )


def insert(
    door: Door, path: str, text: str, *, after: int, digest: str | None = None, allow_secret: bool = False
) -> Written:
    """Insert whole lines after line `after` of a file; 0 is the top."""
    _checked(door, path, text=text, only_grows=True)
    return _changed(
        door, path, edited=lambda old: inserted(old, text, after=after), digest=digest, allow_secret=allow_secret
    )


def replace(
    door: Door, path: str, old: str, new: str, *, digest: str | None = None, allow_secret: bool = False
) -> Written:
    """Replace the only occurrence of `old` in a file. Raises TextNotFound and TextNotUnique, which name lines."""
    _checked(door, path, text=new, only_grows=True)
    return _changed(
        door, path, edited=lambda text: text_edits.replace(text, old, new), digest=digest, allow_secret=allow_secret
    )


def cited(target: str) -> tuple[str, int, int | None]:
    """Return path, first and last line of a citation; a path alone means the whole file."""
    path, mark, numbers = target.strip().rpartition("#")
    found = re.fullmatch(r"L(\d{1,9})(?:-L?(\d{1,9}))?", numbers) if mark else None
    if mark and found is None:
        raise UsageError(f"not a citation: {target.strip()}", "give memory/2025-11-27.md, …#L12 or …#L12-L20")
    if found is None:
        return numbers, 1, None
    return path, int(found[1]), int(found[2] or found[1])


def lines(workspace: Workspace, path: str, first: int = 1, last: int | None = None) -> Lines:
    """Return lines of a file by number. Raises NotFound, also if the file ends before `first`."""
    page = workspace.shown(path)
    if not is_markdown(path):
        raise _no_markdown(path)
    total = len(text_edits.lines_of(page.text))
    end = total if last is None else min(last, total)
    if first < 1 or (end < first and total):
        asked = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
        raise NotFound(f"{path} has no {asked}", f"it has {total} line{'s' if total != 1 else ''}")
    return Lines(Citation(path, first), numbered_lines(page.text, first, last=end), end, total, page.digest)


def _no_markdown(path: str) -> OutsideWorkspace:
    return OutsideWorkspace(
        f"{path} is not a Markdown file", "name a file that ends in .md; others are not read or written"
    )


def _checked(door: Door, path: str, *, text: str, only_grows: bool = False) -> None:
    if not path.endswith(".md"):
        raise _no_markdown(path)
    workspace = door.workspace
    workspace.resolved(path)  # raises for a path that leads out
    found, core = led(workspace, path), workspace.core_path
    where = f"write to {core}, or to a file in bank/ or memory/"
    if is_host_s(door, path):
        raise UsageError(f"{path} belongs to the host and is only read", where)
    if core not in (path, found) and not found.startswith(tuple(f"{folder}/" for folder in _FOLDERS)):
        raise UsageError(f"{path} cannot be written by these commands", f"{where}; edit other files by hand")
    if workspace.read_only(path):
        raise UsageError(f"{path} is read-only", "make it writable: chmod u+w")
    if only_grows and (is_log(path) or is_log(found)):
        raise UsageError(
            f"{path} is a daily log and only grows", "append to it, or correct a fact: commonplace correct"
        )
    text_edits.require_plain(text)


def _changed(
    door: Door,
    path: str,
    *,
    edited: Callable[[str], str],
    digest: str | None,
    allow_secret: bool,
    create: bool = False,
    own: int = 0,
) -> Written:
    """Edit a file under the lock of all writers; the edit gets the current text, and the digest must match it.

    Args:
        digest: expected digest of the file; None for any.
        allow_secret: accept text that looks like a secret.
        create: create the file if missing.
        own: number of lines at the end that are the caller's; 0 for all that differ.
    """
    workspace = door.workspace
    seen: list[tuple[bool, str, str]] = []

    def again(old: str | None) -> str:
        if old is None and not create:
            raise NotFound(f"there is no file {path}", "append creates it")
        new = edited(old or "")
        require_settled(old or "", new)
        seen[:] = [(old is None, old or "", new)]
        return new

    with workspace.locked():
        if digest is not None and _digest(workspace, path) != digest:
            raise ChangedUnderneath(f"{path} has changed since you read it", f"read it again: commonplace get {path}")
        page = workspace.change(path, again, allow_secret=allow_secret)
    created, old, new = seen[0]
    first, count = (len(text_edits.lines_of(new)) - own + 1, own) if own else _first_difference(old, new)
    return Written(Citation(path, first), count, page.digest, created, len(page.text))


def _digest(workspace: Workspace, path: str) -> str | None:
    try:
        return workspace.read(path).digest
    except NotFound:
        return None


def _first_difference(old: str, new: str) -> tuple[int, int]:
    """Return the number of the first line that differs, and the number of lines now in place of the old ones."""
    before, after = ([line.rstrip("\r\n") for line in text_edits.lines_of(text)] for text in (old, new))
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    while start < len(after) - end - 1 and not after[start].strip():
        start += 1
    return start + 1, max(0, len(after) - start - end)
