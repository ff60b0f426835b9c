"""Removes text from many files for good: no older copy stays, also across a crash.

The task is recorded durably in `.memory/keep/journal/forget-ID.json` before a byte changes; then the files are
published like any set; then every kept older text is deleted. The record is removed last: while it exists, the next
process that opens the workspace repeats all steps, and skips those already done. Before the record nothing is visible;
if a file cannot be changed after it, all others are rolled back and the record is removed.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from time import time_ns
from typing import TYPE_CHECKING, Any

from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Citation, Problem
from commonplace.errors import ChangedUnderneath, NotWritable
from commonplace.store.fs.codec import digest
from commonplace.store.fs.file_names import key_of, names_in
from commonplace.store.fs.publish import read_only
from commonplace.store.fs.state_dir import TEXTS, read_private
from commonplace.store.transactions.change_journal import FileStep, dropped, noted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from commonplace.core.model import Patch
    from commonplace.store.fs.state_dir import Own
    from commonplace.store.transactions.change_sets import Sets
    from commonplace.store.transactions.locked_writer import Writer

START = "forget-"
"""Prefix of the name of a record."""
DONE = "forgotten.json"
"""Recently removed ids, as hashes: so that a caller who repeats a request after losing the answer is not told that the
fact never existed.
"""
FLEET = "fleet"
"""Folder of what the workspace knows of its fleet: digests, no texts. Without it the next push would be refused."""
_MOST_DONE = 1_000
_MOST_BESIDE = 16_000_000
"""Maximum size in bytes of a file outside the memory that is searched."""
INDEX = "index."
"""Prefix of the name of every file of the index."""
_LIVE = ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal")
"""Index files in use; the process that has the index open cleans them."""
_TRY = "then forget again; nothing was changed"


class Removal:
    """Removes text from a workspace's files for good. Every call needs the lock."""

    def __init__(self, own: Own, writer: Writer, sets: Sets, leftovers: Callable[[], list[str]]) -> None:
        self._own = own
        self._writer = writer
        self._sets = sets
        self._leftovers = leftovers
        """Sweeps the workspace and returns its temporary files."""
        self._began: list[str] = []
        """Paths of the records of the removals in progress."""

    def settle(self) -> None:
        """Finish what others left: interrupted sets, temporary files, late saves of editors."""
        self._sets.recover()
        self._writer.tidy_all(self._leftovers())
        self._writer.merge_late(wait=True)

    def noted(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the unfinished removals, oldest first: path of the record and its task, empty if the record is
        damaged.

        An empty record is what is left if a folder forbids removal: it is deleted.
        """
        found = []
        for full in self._notes():
            try:
                content = read_private(full)
            except OSError:
                continue
            if not content:
                self.discard(full)
                continue
            try:
                said = json.loads(content)
            except ValueError:
                said = None
            found.append((full, said if isinstance(said, dict) else {}))
        return found

    def resume(self, note: str) -> None:
        """Continue a removal that a dead process began."""
        self._began.append(note)

    def _notes(self) -> list[str]:
        folders = [os.path.join(place, "keep", "journal") for place in self._own.places]
        names = [os.path.join(folder, name) for folder in folders for name in names_in(folder)]
        return [full for full in names if is_note(os.path.basename(full))]

    def check(self, paths: Sequence[str]) -> None:
        """Raise NotWritable if one of these files, or a folder of ours, cannot be changed; called before any change."""
        for path in paths:
            self._check_file(path)
        for place in self._own.places:
            for folder in (place, *_below(place)):
                if os.path.isdir(folder) and (refused := read_only(self._shown(folder), folder)) is not None:
                    raise refused
                if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                    raise NotWritable(
                        f"{self._shown(folder)} cannot be changed, and may contain it",
                        f"fix the permissions of that folder (chmod u+rwx), {_TRY}",
                    )

    def _check_file(self, path: str) -> None:
        full = os.path.join(self._own.root, path)
        folder = os.path.dirname(full)
        if os.path.isdir(folder) and (refused := read_only(path, folder)) is not None:
            raise refused
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            where = self._shown(folder)
            raise NotWritable(f"{path} cannot be changed: no permission to write in {where}", _mend(where))
        try:
            mode = os.stat(full).st_mode
        except OSError:
            return  # missing, or spelled otherwise on the disk: the write will report it
        if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(full, os.W_OK):
            raise NotWritable(f"{path} cannot be changed: no permission to write it", _mend(path))

    def begin(self, patches: Sequence[Patch], task: dict[str, Any]) -> None:
        """Make all edits, or none.

        Args:
            patches: the edits.
            task: what to remove, recorded for the process that finishes it after a crash.

        Raises what `Workspace.apply` raises; nothing was changed then.
        """
        steps = []
        for patch in patches:
            content = self._writer.content(patch.path)
            if (None if content is None else digest(content)) != patch.before:
                raise ChangedUnderneath(f"{patch.path} changed since it was read", "try again; nothing was changed")
            steps.append(FileStep.of(patch, content))
        journal = self._own.make("journal")
        full = os.path.join(journal, f"{START}{time_ns()}.json")

        def write() -> str:
            noted(journal, os.path.basename(full), content=json.dumps(task).encode("ascii"))
            self._began.append(full)
            return full

        def drop(full: str) -> None:
            dropped(full)
            self._began.remove(full)

        self._sets.publish(tuple(steps), write, drop=drop)

    def purge(self) -> list[Problem]:
        """Delete every older text that is kept, except the records of removals; return what could not be deleted."""
        problems = []
        for place in self._own.places:
            for full in _old(place, live=place == self._own.path):
                try:
                    os.unlink(full)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    said = f"{self._shown(full)} may contain it and cannot be deleted: {error.strerror}"
                    problems.append(Problem(Citation(self._shown(full), 0), "not-removed", said, "delete it yourself"))
        return problems

    def strays(self, holds: Callable[[bytes], bool]) -> list[Problem]:
        """Return temporary files and files of our own folder, except the index, that still contain the text."""
        found = []
        names = [os.path.join(self._own.root, name) for name in self._leftovers()]
        for place in self._own.places:
            names += [each for each in _files(place) if not _is_ours_alone(each)]
        for full in names:
            try:
                if not stat.S_ISREG(os.stat(full).st_mode):
                    continue
                with open(full, "rb") as file:
                    if not holds(file.read()):
                        continue
                said, hint = "still contains it", "delete it yourself"
            except FileNotFoundError:
                continue
            except OSError as error:
                said, hint = f"cannot be searched: {error.strerror}", "fix its permissions, or delete it"
            shown = self._shown(full)
            found.append(Problem(Citation(shown, 0), "not-removed", f"{shown} {said}", hint))
        return found

    def keep_note(self, task: dict[str, Any], *, retry: bool) -> None:
        """Record that some text is left, as the user was told; with `retry` the next command tries again by itself."""
        with suppress(OSError, NotWritable):
            for full in self._began:
                noted(
                    os.path.dirname(full),
                    os.path.basename(full),
                    content=json.dumps({**task, "told": not retry}).encode(),
                )

    def discard(self, note: str) -> None:
        """Delete an empty record."""
        with suppress(OSError):
            os.unlink(note)

    def beside(self, paths: Iterable[str], holds: Callable[[bytes], bool]) -> list[str]:
        """Return the other files with the text, such as an editor's copies, in the folders of these paths."""
        found = []
        for folder in sorted({os.path.dirname(path) for path in paths}):
            full = os.path.join(self._own.root, folder)
            for name in names_in(full):
                if is_markdown(name) and not name.startswith("."):
                    continue
                with suppress(OSError):
                    state = os.lstat(os.path.join(full, name))
                    if stat.S_ISREG(state.st_mode) and state.st_size <= _MOST_BESIDE:
                        with open(os.path.join(full, name), "rb") as file:
                            if holds(file.read()):
                                found.append(key_of(name) if not folder else f"{folder}/{key_of(name)}")
        return found

    def removed(self, id: str) -> bool:
        """Whether a fact with this id was removed recently."""
        salt, *hashes = self._done() or [""]
        return _hashed(salt, id) in hashes

    def _done(self) -> list[str]:
        """Return a salt and the hashes; an empty list if there is no record."""
        try:
            return [str(each) for each in json.loads(read_private(os.path.join(self._own.keep("journal"), DONE)))]
        except (OSError, ValueError, TypeError):
            return []

    def end(self, ids: Iterable[str]) -> list[Problem]:
        """Delete the records: the removal is complete. Return what could not be deleted.

        Args:
            ids: the ids of what was removed.
        """
        salt, *hashes = self._done() or [os.urandom(8).hex()]
        hashes = [*dict.fromkeys((*hashes, *(_hashed(salt, id) for id in ids)))][-_MOST_DONE:]
        with suppress(OSError, NotWritable):
            noted(self._own.make("journal"), DONE, content=json.dumps([salt, *hashes]).encode())
        problems = []
        for full in self._began:
            try:
                dropped(full)
            except OSError as error:
                said = f"{self._shown(full)} still contains it and cannot be deleted: {error.strerror}"
                problems.append(Problem(Citation(self._shown(full), 0), "not-removed", said, "delete it yourself"))
        return problems

    def _shown(self, full: str) -> str:
        root = os.path.join(self._own.root, "")
        return full[len(root) :] if full.startswith(root) else "the workspace" if full == self._own.root else full


def _hashed(salt: str, id: str) -> str:
    return digest(f"{salt} {id}".encode())


def _mend(where: str) -> str:
    return f"fix the permissions of {where} (chmod u+w), {_TRY}"


def unread(path: str, why: str) -> NotWritable:
    """Return the error for a file or folder that cannot be read: it may contain the text to remove."""
    return NotWritable(f"{path} may contain it: {why}", f"fix its permissions, or move it out of the workspace, {_TRY}")


def _below(place: str) -> Iterator[str]:
    """Yield the folders of older texts in a folder of ours."""
    keep = os.path.join(place, "keep")
    yield keep
    yield from (os.path.join(keep, name) for name in names_in(keep) if os.path.isdir(os.path.join(keep, name)))


def _files(place: str) -> Iterator[str]:
    """Yield every regular file in a folder of ours."""
    for folder, _, names in os.walk(place):
        for name in names:
            full = os.path.join(folder, name)
            try:
                if stat.S_ISREG(os.lstat(full).st_mode):
                    yield full
            except OSError:
                continue


def _old(place: str, *, live: bool) -> Iterator[str]:
    """Yield older texts in a folder of ours: displaced files, journals, indexes that were moved aside.

    Args:
        live: whether the folder is in use, with its index.
    """
    for full in _files(place):
        folder, name = os.path.split(full)
        if folder == place:
            if name.startswith(INDEX) and not (live and name in _LIVE):
                yield full
            continue
        kept, *below = os.path.relpath(folder, place).split(os.sep)
        if kept == "keep" and below[:1] != [FLEET] and not _is_kept(name):
            yield full


def is_note(name: str) -> bool:
    """Whether a file name in the journal's folder is the record of a removal."""
    return name.startswith(START) and name.endswith(".json")


def _is_ours_alone(full: str) -> bool:
    """Whether a file of our folder is the live index, the record of a removal, or one of `TEXTS`."""
    name = os.path.basename(full)
    return name.startswith((*_LIVE, START)) or name in TEXTS


def _is_kept(name: str) -> bool:
    return is_note(name) or name == DONE
