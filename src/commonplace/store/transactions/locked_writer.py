"""Does every write of a workspace: takes the lock, repairs what a crash or an editor left, then writes."""

from __future__ import annotations

import contextlib
import os
from time import monotonic, sleep
from typing import TYPE_CHECKING

from commonplace.core.model import Citation, Problem
from commonplace.errors import CommonplaceError, NotFound, WorkspaceError
from commonplace.store.fs.codec import UNCONFIRMED, digest, merged, united
from commonplace.store.fs.file_names import leftover, temporary_name
from commonplace.store.fs.lock import Lock
from commonplace.store.fs.publish import publish, refusal
from commonplace.store.fs.safe_open import OpenName, locate
from commonplace.store.transactions.backups import Displaced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from commonplace.store.fs.file_names import Leftover
    from commonplace.store.fs.state_dir import Own

_PAUSE = 1.0
"""Seconds between two checks for late saves by one writer."""
_EMPTY = 0.005
"""Seconds before an empty file is read again: an editor that saves in place empties it first."""


_NONE: dict[str, bytes] = {}


class Writer:
    """State shared by all writes of one workspace."""

    def __init__(self, own: Own, real: Callable[[], dict[str, str]]) -> None:
        self.own = own
        self._real = real
        """Returns the paths whose spelling on the disk differs, from the last sweep."""
        self.lock = Lock(lambda: os.path.join(own.make(), "lock"))
        self.displaced = Displaced(own)
        self.warnings: list[Problem] = []
        """Warnings not reported yet."""
        self._looked = monotonic() - _PAUSE
        self._tidied: set[str] = set()

    def warn(self, path: str, code: str, message: str, hint: str) -> None:
        """Add a warning about a write that succeeded, unless it was added already."""
        told = Problem(Citation(path, 1), code, message, hint)
        if told not in self.warnings:
            self.warnings.append(told)

    def locate(self, path: str, *, create: bool = False) -> OpenName:
        """Open the folder of a path; see `safe_open.locate`."""
        return locate(self.own.root, path, real=self._real().get(path), create=create)

    def content(self, path: str) -> bytes | None:
        """Return the content of a file; None if there is no file."""
        try:
            with self.locate(path) as place:
                content = place.read()
                if content == b"":
                    sleep(_EMPTY)
                    content = place.read()
                return content
        except NotFound:
            return None

    def open(self, path: str, size: int) -> OpenName:
        """Open the folder of a file to be written, creating missing folders."""
        try:
            place = self.locate(path, create=True)
        except OSError as error:
            raise refusal(path, self.own.root, error=error, needed=size) from None
        try:
            links = place.stat(place.name).st_nlink
        except OSError:
            return place
        if links > 1:
            self.warn(
                path,
                "hard-link",
                f"{path} had {links} names; the others keep the previous text",
                "make the other names symbolic links to this one",
            )
        return place

    def update(self, path: str, again: Callable[[bytes | None], bytes]) -> bytes:
        """Replace a file's content by what `again` makes of it; return the resulting content. Needs the lock."""
        self.tidy(path)
        content = self.content(path)
        wanted = again(content)
        if wanted == content:
            return wanted
        with self.open(path, len(wanted)) as place:
            return publish(place, content, wanted=wanted, again=again, keep=self.displaced.keep)

    # Cleaning up after a crash.

    def noticed(self, leftovers: list[str]) -> None:
        """Have the next write check these folders again: a sweep found temporary files in them."""
        self._tidied.difference_update(name.rpartition("/")[0] for name in leftovers)

    def tidy(self, path: str, bases: Mapping[str, bytes] = _NONE) -> None:
        """Clean up temporary files of dead processes in the folder of a path, once; and sometimes merge late saves.

        Args:
            path: a file that is about to be written.
            bases: contents that interrupted writes were based on, by digest; they make the merge exact.
        """
        folder = path.rpartition("/")[0]
        if folder not in self._tidied or bases:
            self._tidied.add(folder)
            try:
                with self.locate(path) as place:
                    self._sweep(place, path[: len(folder) + 1] if folder else "", bases=bases)
            except (NotFound, OSError):
                pass  # the folder does not exist yet, or cannot be listed
        if self.due:
            self.merge_late(wait=False)

    def tidy_all(self, leftovers: list[str]) -> None:
        """Clean up all temporary files: under the kernel's lock no other process is in the middle of a write.

        Args:
            leftovers: their real paths.
        """
        sure = self.lock.kernel is True
        for folder in sorted({name.rpartition("/")[0] for name in leftovers}):
            prefix = f"{folder}/" if folder else ""
            with contextlib.suppress(NotFound, OSError), self.locate(f"{prefix}x.md") as place:
                self._sweep(place, prefix, bases={}, sure=sure)

    def _sweep(self, place: OpenName, prefix: str, *, bases: Mapping[str, bytes], sure: bool = False) -> None:
        """Remove abandoned temporary files of a folder; text that somebody else had written is merged first.

        Args:
            prefix: its path with a `/` at the end, empty for the root.
            bases: as for `tidy`.
            sure: all of them are abandoned, even if a process with that id runs.
        """
        names = place.names()
        for name in names:
            left = leftover(name)
            if left is not None and (sure or left.abandoned):
                if left.target not in names:
                    left = left._replace(target=left.target_among(names))
                self._settle(place, prefix, left=left, bases=bases)

    def _settle(self, place: OpenName, prefix: str, *, left: Leftover, bases: Mapping[str, bytes]) -> None:
        try:
            content = place.read(left.name)
        except WorkspaceError:
            return
        if content is None:
            return
        if not left.after or digest(content) == left.after:
            place.unlink(left.name)  # never published
        elif digest(content) == left.before:
            self.displaced.keep(place, left.name, content)  # published; this is the content it displaced
        else:
            self._merge_displaced(place, prefix + left.target, left=left, content=content, base=bases.get(left.before))

    def _merge_displaced(
        self, place: OpenName, path: str, *, left: Leftover, content: bytes, base: bytes | None
    ) -> None:
        """Merge somebody's save that a writer displaced before it died."""
        try:
            with OpenName(path, place.folder, left.target, place.share()) as target:
                stands = target.read()

                def again(current: bytes | None) -> bytes:
                    if current is None:
                        return content
                    return (
                        united(path, current, theirs=content) if base is None else merged(path, base, current, content)
                    )

                publish(target, stands, wanted=again(stands), again=again, keep=self.displaced.keep)
        except CommonplaceError as error:
            hint = f"compare it with {place.full(left.name)}"
            self.warn(path, "interrupted-write", f"{path} was saved while a write was interrupted: {error}", hint)
            return
        place.unlink(left.name)
        self.warn(
            path,
            "interrupted-write",
            f"{path} was saved while a write was interrupted; both versions were merged",
            "check the result",
        )

    # Merging what editors wrote into displaced files.

    @property
    def due(self) -> bool:
        """Whether it is time to check for late saves again."""
        return monotonic() - self._looked >= _PAUSE

    def merge_late(self, *, wait: bool) -> None:
        """Merge late saves into their files, and delete displaced files that are too old."""
        self._looked = monotonic()
        for late in self.displaced.late(wait=wait):

            def again(
                current: bytes | None, path: str = late.path, seen: bytes = late.seen, now: bytes = late.now
            ) -> bytes:
                return now if current is None else merged(path, seen, current, now)

            try:
                content = self.content(late.path)
                wanted = again(content)
                if wanted != content:
                    with self.open(late.path, len(wanted)) as place:
                        publish(place, content, wanted=wanted, again=again, keep=self.displaced.keep)
            except CommonplaceError as error:
                if error.code == UNCONFIRMED:
                    raise
                full = os.path.join(self.displaced.folder, late.name)
                self.warn(
                    late.path,
                    "late-save",
                    f"{late.path} was saved by an editor during a write: {error}",
                    f"compare it with {full}",
                )
                continue
            self.displaced.settled(late)
            if wanted != content:
                self.warn(
                    late.path,
                    "late-save",
                    f"{late.path} was saved by an editor during a write; both versions were merged",
                    "check the result",
                )
        self.displaced.prune()


def can_exchange(folder: str) -> bool:
    """Whether the file system of a folder can exchange two names: tried with two temporary files."""
    from commonplace.store.fs.state_dir import private
    from commonplace.store.fs.system import exchange

    names = [os.path.join(folder, temporary_name("probe")) for _ in range(2)]
    try:
        for name in names:
            os.close(private(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        return exchange(None, *names)
    except OSError:
        return False
    finally:
        for name in names:
            with contextlib.suppress(OSError):
                os.unlink(name)
