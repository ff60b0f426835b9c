"""Removes text from many files for good: no older copy stays, also across a crash.

What is to go is noted durably in `.memory/keep/journal/forget-ID.json` before a byte changes, then the files are
published as any set is, then whatever was kept of older texts is deleted. The note goes last: as long as it is there,
whoever opens the workspace next does all of it again, and finds done what was done. Before that note nothing shows;
where a file refuses after it, every other is put back, and the note goes.
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
from commonplace.store.fs.codec import digest, encoded
from commonplace.store.fs.file_names import key_of
from commonplace.store.fs.state_dir import TEXTS, private, read_private
from commonplace.store.transactions.change_journal import FileStep, dropped, noted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from commonplace.core.model import Patch
    from commonplace.store.fs.state_dir import Own
    from commonplace.store.transactions.change_sets import Sets
    from commonplace.store.transactions.locked_writer import Writer

START = "forget-"
"""Begins the name of a note."""
DONE = "forgotten.json"
"""What was removed lately, each by a hash: so that whoever asks again, having got no answer, is not told that it never
was there."""
_MOST_DONE = 1_000
_MOST_BESIDE = 16_000_000
"""Bytes of a file that is none of the memory, up to which it is looked into."""
INDEX = "index."
"""Begins the name of every file of the index."""
_LIVE = ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal")
"""Those that are in use, which whoever has the index open cleans."""
_TRY = "then forget again; nothing was changed"


class Removal:
    """What of a workspace's files is to be removed for real; every call is under the lock."""

    def __init__(self, own: Own, writer: Writer, sets: Sets, leftovers: Callable[[], list[str]]) -> None:
        self._own = own
        self._writer = writer
        self._sets = sets
        self._leftovers = leftovers
        """The temporary files that a sweep of now finds."""
        self._began: list[str] = []
        """The notes of what is being removed."""

    def settle(self) -> None:
        """Finish what others left: interrupted sets, temporary files, what editors saved late."""
        self._sets.recover()
        self._writer.tidy_all(self._leftovers())
        self._writer.merge_late(wait=True)

    def noted(self) -> list[tuple[str, dict[str, Any]]]:
        """What processes that died were to remove, oldest first, each with its note's path; nothing of a damaged note.

        An empty one is what is left where a folder lets nothing go: it is deleted.
        """
        found = []
        for full in self._notes():
            try:
                with open(full, "rb", opener=private) as file:
                    content = file.read()
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
        """Go on with what a process that died had begun."""
        self._began.append(note)

    def _notes(self) -> list[str]:
        folders = [os.path.join(place, "keep", "journal") for place in self._own.places]
        names = [os.path.join(folder, name) for folder in folders for name in sorted(_names(folder))]
        return [full for full in names if is_note(os.path.basename(full))]

    def check(self, paths: Sequence[str]) -> None:
        """Raise NotWritable where one of these files, or something that we keep, cannot be changed; before any is."""
        for path in paths:
            self._check_file(path)
        for place in self._own.places:
            for folder in (place, *_below(place)):
                if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                    raise NotWritable(
                        f"{self._shown(folder)} cannot be changed, and may hold it",
                        f"mend the permissions of that folder (chmod u+rwx), {_TRY}",
                    )

    def _check_file(self, path: str) -> None:
        full = os.path.join(self._own.root, path)
        folder = os.path.dirname(full)
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            where = self._shown(folder)
            raise NotWritable(f"{path} cannot be changed: no permission to write in {where}", _mend(where))
        try:
            mode = os.stat(full).st_mode
        except OSError:
            return  # gone, or a name that the disk spells otherwise: the write will tell
        if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(full, os.W_OK):
            raise NotWritable(f"{path} cannot be changed: no permission to write it", _mend(path))

    def begin(self, patches: Sequence[Patch], task: dict[str, Any]) -> None:
        """Make all edits, or none.

        Args:
            patches: the edits.
            task: what is to be removed, for whoever comes after a crash.

        Raises what `Workspace.apply` raises; nothing was changed then.
        """
        steps = []
        for patch in patches:
            content = self._writer.content(patch.path)
            if (None if content is None else digest(content)) != patch.before:
                raise ChangedUnderneath(f"{patch.path} changed since it was read", "try again; nothing was changed")
            after = None if patch.after is None else encoded(patch.path, patch.after, content)
            steps.append(FileStep(patch.path, content, after))
        journal = self._own.make("journal")
        full = os.path.join(journal, f"{START}{time_ns()}.json")

        def write() -> str:
            noted(journal, os.path.basename(full), json.dumps(task).encode("ascii"))
            self._began.append(full)
            return full

        def drop(full: str) -> None:
            dropped(full)
            self._began.remove(full)

        self._sets.publish(tuple(steps), write, drop)

    def purge(self) -> list[Problem]:
        """Delete every older text that is kept, but for the notes of removals; what could not be deleted."""
        problems = []
        for place in self._own.places:
            for full in _old(place, live=place == self._own.path):
                try:
                    os.unlink(full)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    said = f"{self._shown(full)} may hold it and cannot be deleted: {error.strerror}"
                    problems.append(Problem(Citation(self._shown(full), 0), "not-removed", said, "delete it yourself"))
        return problems

    def strays(self, holds: Callable[[bytes], bool]) -> list[Problem]:
        """Temporary files and files of our own folder, but for the index, that hold what is to go."""
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
                said, hint = "holds it still", "delete it yourself"
            except FileNotFoundError:
                continue
            except OSError as error:
                said, hint = f"cannot be looked into: {error.strerror}", "mend its permissions, or delete it"
            shown = self._shown(full)
            found.append(Problem(Citation(shown, 0), "not-removed", f"{shown} {said}", hint))
        return found

    def keep_note(self, task: dict[str, Any], *, retry: bool) -> None:
        """Note that something is left, which was said; with `retry`, that the next command tries again by itself."""
        with suppress(OSError, NotWritable):
            for full in self._began:
                noted(os.path.dirname(full), os.path.basename(full), json.dumps({**task, "told": not retry}).encode())

    def discard(self, note: str) -> None:
        """Delete a note that says nothing."""
        with suppress(OSError):
            os.unlink(note)

    def beside(self, paths: Iterable[str], holds: Callable[[bytes], bool]) -> list[str]:
        """Files that are none of the memory, such as an editor's copies, in the folders of these that hold the text."""
        found = []
        for folder in sorted({os.path.dirname(path) for path in paths}):
            full = os.path.join(self._own.root, folder)
            for name in sorted(_names(full)):
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
        """Whether what has this id was removed lately."""
        salt, *hashes = self._done() or [""]
        return _hashed(salt, id) in hashes

    def _done(self) -> list[str]:
        """A salt, and the hashes; nothing where none is known."""
        try:
            return [str(each) for each in json.loads(read_private(os.path.join(self._own.keep("journal"), DONE)))]
        except (OSError, ValueError, TypeError):
            return []

    def end(self, ids: Iterable[str]) -> list[Problem]:
        """Drop the notes: all of it is done. What could not be dropped.

        Args:
            ids: of what was removed.
        """
        salt, *hashes = self._done() or [os.urandom(8).hex()]
        hashes = [*dict.fromkeys((*hashes, *(_hashed(salt, id) for id in ids)))][-_MOST_DONE:]
        with suppress(OSError, NotWritable):
            noted(self._own.make("journal"), DONE, json.dumps([salt, *hashes]).encode())
        problems = []
        for full in self._began:
            try:
                dropped(full)
            except OSError as error:
                said = f"{self._shown(full)} holds it still and cannot be deleted: {error.strerror}"
                problems.append(Problem(Citation(self._shown(full), 0), "not-removed", said, "delete it yourself"))
        return problems

    def _shown(self, full: str) -> str:
        root = os.path.join(self._own.root, "")
        return full[len(root) :] if full.startswith(root) else "the workspace" if full == self._own.root else full


def _hashed(salt: str, id: str) -> str:
    return digest(f"{salt} {id}".encode())


def _mend(where: str) -> str:
    return f"mend the permissions of {where} (chmod u+w), {_TRY}"


def unread(path: str, why: str) -> NotWritable:
    """The error for a file or folder into which nobody can look: it may hold what is to go."""
    return NotWritable(f"{path} may hold it: {why}", f"mend its permissions, or move it out of the workspace, {_TRY}")


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _below(place: str) -> Iterator[str]:
    """The folders of older texts in a folder of ours."""
    keep = os.path.join(place, "keep")
    yield keep
    yield from (os.path.join(keep, name) for name in _names(keep) if os.path.isdir(os.path.join(keep, name)))


def _files(place: str) -> Iterator[str]:
    """Every file in a folder of ours; links and sockets are none."""
    for folder, _, names in os.walk(place):
        for name in names:
            full = os.path.join(folder, name)
            try:
                if stat.S_ISREG(os.lstat(full).st_mode):
                    yield full
            except OSError:
                continue


def _old(place: str, *, live: bool) -> Iterator[str]:
    """Older texts in a folder of ours: displaced files, journals, indexes that were moved aside.

    Args:
        live: whether the folder is in use, with its index.
    """
    for full in _files(place):
        folder, name = os.path.split(full)
        if folder == place:
            if name.startswith(INDEX) and not (live and name in _LIVE):
                yield full
        elif os.path.relpath(folder, place).split(os.sep)[0] == "keep" and not _is_kept(name):
            yield full


def is_note(name: str) -> bool:
    """Whether a file of the journal's folder says what is to be removed."""
    return name.startswith(START) and name.endswith(".json")


def _is_ours_alone(full: str) -> bool:
    """Whether a file of our folder is the live index, a note of a removal, or a text that always lies there."""
    name = os.path.basename(full)
    return name.startswith((*_LIVE, START)) or name in TEXTS


def _is_kept(name: str) -> bool:
    return is_note(name) or name == DONE
