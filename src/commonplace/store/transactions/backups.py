"""Files that our writes displaced, kept for a while in `.memory/keep/displaced/`.

An editor that had the file open writes into the displaced file and assumes that it saved. Those late bytes are found
here and merged into the page. Nothing else reads this folder; deleting it loses only these late saves.

Each file is named `STAMP-RANDOM-MTIME-SIZE.file` (times in ns, MTIME 0 if it changed before it came here; size in
bytes). Beside it is `.seen`: the path on the first line, then the content read from it when it was displaced.
"""

from __future__ import annotations

import contextlib
import os
from time import sleep, time_ns
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import CommonplaceError
from commonplace.store.fs.codec import digest
from commonplace.store.fs.file_names import leftover, names_in
from commonplace.store.fs.state_dir import private, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.store.fs.safe_open import OpenName
    from commonplace.store.fs.state_dir import Own

MOST_FILES = 64
MOST_BYTES = 64_000_000
OLDEST = 24 * 3600 * 10**9
"""ns: a file is kept for a day, within the two limits above …"""
YOUNGEST = 60 * 10**9
"""… but for at least a minute, unless there is ten times as much."""
_RACY = 50_000_000
"""ns: a change this soon after another may have the same time stamp."""
_QUIET = 0.1
"""Seconds without a change after which a late save counts as complete."""
_LOOKS = 5
"""Maximum waits of this length for a writer; one that does not pause is merged another time."""


class Late(NamedTuple):
    """A displaced file that was written after it was displaced."""

    path: str
    seen: bytes
    """Its content when it was displaced."""
    now: bytes
    name: str


class Displaced:
    """The folder of displaced files."""

    def __init__(self, own: Own) -> None:
        self._own = own

    @property
    def folder(self) -> str:
        """Its path; it need not exist."""
        return self._own.keep("displaced")

    def keep(self, place: OpenName, name: str, seen: bytes) -> None:
        """Move a temporary file here. Errors, such as a full disk, are ignored: the write is done."""
        try:
            kept, state = time_ns(), place.stat(name)
            # a save after it was read, while a slow disk confirmed our write, is late too
            modified = state.st_mtime_ns if _holds(place, name, seen=seen) else 0
            folder = self._own.make("displaced")
            target = f"{kept}-{os.urandom(3).hex()}-{modified}-{state.st_size}"
            with open(os.path.join(folder, target + ".seen"), "xb", opener=private) as file:
                file.write(os.fsencode(place.path) + b"\n" + seen)
            place.move_out(name, os.path.join(folder, target + ".file"))
        except (OSError, CommonplaceError):  # CommonplaceError: the folder cannot be made
            with contextlib.suppress(OSError):
                place.unlink(name)

    def late(self, *, wait: bool) -> Iterator[Late]:
        """Yield the files that changed since they were displaced, oldest first, each once its writer pauses.

        Args:
            wait: wait for a writer (half a second at most) instead of skipping the file.
        """
        for found in late(self._own):
            full = os.path.join(self.folder, found.name)
            with contextlib.suppress(OSError):
                looks = _LOOKS if wait else 0
                while not (quiet := abs(time_ns() - os.stat(full).st_mtime_ns) >= _QUIET * 10**9) and looks:
                    sleep(_QUIET)
                    looks -= 1
                if quiet and (now := read_private(full)):
                    yield found._replace(now=now)

    def settled(self, late: Late) -> None:
        """Record that late bytes were merged: they are the seen content from now on."""
        seen = os.path.join(self.folder, late.name.removesuffix(".file") + ".seen")
        with contextlib.suppress(OSError):  # it will be merged again, which changes nothing
            write_private(seen, os.fsencode(late.path) + b"\n" + late.now)

    def prune(self) -> None:
        """Delete files that are too old or exceed the limits."""
        folder, now, size = self.folder, time_ns(), 0
        for number, name in enumerate(reversed(_names(folder))):
            stem = name.removesuffix(".file")
            kept, _, _, length = stem.split("-")
            age = now - int(kept)
            size += int(length)
            much = number >= MOST_FILES or size > MOST_BYTES
            if age > OLDEST or (much and age > YOUNGEST) or number >= 10 * MOST_FILES or size > 10 * MOST_BYTES:
                for tail in (".file", ".seen"):
                    with contextlib.suppress(OSError):
                        os.unlink(os.path.join(folder, stem + tail))


def late(own: Own) -> Iterator[Late]:
    """Yield the changed files, oldest first, without waiting for their writers. Read-only."""
    folder = own.keep("displaced")
    for name in _names(folder):
        stem = name.removesuffix(".file")
        kept, _, modified, size = stem.split("-")
        full = os.path.join(folder, name)
        try:
            state = os.stat(full, follow_symlinks=False)
            same = (state.st_mtime_ns, state.st_size) == (int(modified), int(size))
            if same and int(modified) + _RACY < int(kept):
                continue
            path, _, seen = read_private(os.path.join(folder, stem + ".seen")).partition(b"\n")
            now = read_private(full)
        except (OSError, ValueError):
            continue
        if now and now != seen:  # an empty file is a save that has just begun
            yield Late(os.fsdecode(path), seen, now, name)


def left_behind(root: str, leftovers: list[str]) -> list[str]:
    """Return the files, by real path, for which a writer displaced a save and died before keeping it. Read-only.

    Args:
        root: the workspace.
        leftovers: our temporary files in it, by real path.
    """
    found = []
    for path in leftovers:
        folder, _, name = path.rpartition("/")
        left = leftover(name)
        if left is None or not left.after or not left.abandoned:
            continue
        try:
            theirs = digest(read_private(os.path.join(root, path))) not in (left.before, left.after)
        except OSError:
            continue
        if theirs:
            found.append(f"{folder}/{left.target}".lstrip("/"))
    return found


def _holds(place: OpenName, name: str, *, seen: bytes) -> bool:
    try:
        return place.read(name) == seen
    except CommonplaceError:
        return False


def _names(folder: str) -> list[str]:
    """Return the names of the displaced files, oldest first."""
    return [name for name in names_in(folder) if name.endswith(".file") and name.count("-") == 3]
