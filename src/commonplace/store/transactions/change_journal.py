"""The journal: a change of many files, written down before it is carried out.

A set is staged completely (so a full disk is detected before anything is visible), then recorded durably in
`.memory/keep/journal/`, then published file by file (`change_sets`). A crash before the record leaves nothing; a crash
after it is rolled forward by the next writer. The record keeps the old text, which an undo restores.

Records are JSON: `pending-ID.json` during the change, `done-ID.json` afterwards, where ID is a time in ns. Texts in
them are UTF-8; other bytes are kept as surrogate escapes.
"""

from __future__ import annotations

import contextlib
import json
import os
from datetime import date
from time import time_ns
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.errors import CommonplaceError
from commonplace.store.fs.codec import digest, encoded
from commonplace.store.fs.file_names import names_in
from commonplace.store.fs.publish import refusal
from commonplace.store.fs.state_dir import private, read_private

if TYPE_CHECKING:
    from commonplace.core.model import Patch
    from commonplace.store.fs.state_dir import Own

VERSION = 1
MOST_SETS = 10
MOST_BYTES = 64_000_000
"""Limits on finished sets kept for undo; the newest set is always kept."""


class FileStep(NamedTuple):
    """The change of one file in a set."""

    path: str
    before: bytes | None
    """None if the file is created."""
    after: bytes | None
    """None if the file is removed."""

    @classmethod
    def of(cls, patch: Patch, content: bytes | None) -> FileStep:
        """Return the change that a patch makes of a file with this content."""
        after = None if patch.after is None else encoded(patch.path, patch.after, like=content)
        return cls(patch.path, content, after)


class JournalNote(NamedTuple):
    """A set as recorded."""

    id: int
    label: str
    steps: tuple[FileStep, ...]
    undoes: int = 0
    """Id of the set that this one undoes; 0 if none."""
    whole: bool = False
    """Undone completely or not at all."""
    day: date | None = None
    """The day it was done, as given by the caller; None if not recorded."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The changed files."""
        return tuple(step.path for step in self.steps)


class Journal:
    """The journal records of a workspace."""

    def __init__(self, own: Own) -> None:
        self._own = own

    def write(
        self, label: str, steps: tuple[FileStep, ...], undoes: int = 0, *, whole: bool = False, day: date | None = None
    ) -> JournalNote:
        """Record a set durably, before any of it is visible. Raises NotWritable."""
        note = JournalNote(time_ns(), label, steps, undoes, whole, day)
        self._store(_pending(note), note)
        return note

    def drop(self, note: JournalNote) -> None:
        """Delete the record of a set that was rolled back. Raises OSError; the next writer would then publish it."""
        dropped(os.path.join(self._own.make("journal"), _pending(note)))

    def done(self, note: JournalNote, steps: tuple[FileStep, ...]) -> bool:
        """Record that a set is published; return whether that succeeded. If not, the next writer does it.

        Args:
            note: the set.
            steps: the changes that resulted, which differ from the set's if somebody wrote at the same time.
        """
        try:
            folder = self._own.make("journal")
            if note.undoes:
                _remove(os.path.join(folder, _done(note.undoes)))
            elif steps == note.steps:
                os.replace(os.path.join(folder, _pending(note)), os.path.join(folder, _done(note.id)))
                _sync(folder)
            else:
                self._store(_done(note.id), note._replace(steps=steps))
            _remove(os.path.join(folder, _pending(note)))
            self._prune(folder)
        except (OSError, CommonplaceError):  # the set is published even if this fails
            return False
        return True

    def _store(self, name: str, note: JournalNote) -> None:
        content = json.dumps(
            {
                "version": VERSION,
                "id": note.id,
                "label": note.label,
                "undoes": note.undoes,
                "whole": note.whole,
                "day": note.day and note.day.isoformat(),
                "files": [
                    {
                        "path": step.path,
                        "base": None if step.before is None else digest(step.before),
                        "new": None if step.after is None else digest(step.after),
                        "before": _text(step.before),
                        "after": _text(step.after),
                    }
                    for step in note.steps
                ],
            }
        ).encode("ascii")
        noted(self._own.make("journal"), name, content=content)

    def pending(self) -> list[JournalNote]:
        """Return the sets that a crash interrupted, oldest first."""
        finished = {name.removeprefix("done-") for name in _names(self._own.keep("journal"), "done-")}
        return [note for note in self._notes("pending-") if f"{note.id}.json" not in finished]

    def finished(self) -> list[JournalNote]:
        """Return the sets that can still be undone, oldest first."""
        return self._notes("done-")

    def last(self) -> JournalNote | None:
        """Return the set that the next undo would undo, None if there is none."""
        notes = self._notes("done-", newest=True)
        return notes[-1] if notes else None

    def find(self, id: int) -> JournalNote | None:
        """Return the finished set with this id, None if it was undone or is no longer kept."""
        return next((note for note in self._notes("done-") if note.id == id), None)

    def _notes(self, start: str, *, newest: bool = False) -> list[JournalNote]:
        """Return the readable records; damaged ones are skipped."""
        folder, notes = self._own.keep("journal"), []
        names = _names(folder, start)
        for name in names[-1:] if newest else names:
            try:
                notes.append(_note(json.loads(read_private(os.path.join(folder, name)))))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return notes

    def _prune(self, folder: str) -> None:
        size = 0
        for number, name in enumerate(reversed(_names(folder, "done-"))):
            full = os.path.join(folder, name)
            size += os.stat(full).st_size
            if number and (number >= MOST_SETS or size > MOST_BYTES):
                _remove(full)


def noted(folder: str, name: str, *, content: bytes) -> None:
    """Write a record durably and atomically. Raises NotWritable."""
    full = os.path.join(folder, name)
    try:
        try:
            with open(full + ".tmp", "wb", opener=private) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(full + ".tmp", full)
        except BaseException:
            _remove(full + ".tmp")
            raise
        _sync(folder)
    except OSError as error:
        raise refusal("the journal of the change", folder, error=error, needed=len(content)) from None


def dropped(full: str) -> None:
    """Remove a record. Raises OSError."""
    try:
        _remove(full)
    except OSError:  # the folder forbids removal; an empty record is ignored
        with open(full, "r+b") as file:
            file.truncate(0)
            os.fsync(file.fileno())


def _pending(note: JournalNote) -> str:
    return f"pending-{note.id}.json"


def _done(number: int) -> str:
    return f"done-{number}.json"


def _names(folder: str, start: str) -> list[str]:
    return [name for name in names_in(folder) if name.startswith(start) and name.endswith(".json")]


def _note(found: dict[str, Any]) -> JournalNote:
    if found["version"] != VERSION:
        raise ValueError
    steps = tuple(FileStep(each["path"], _bytes(each["before"]), _bytes(each["after"])) for each in found["files"])
    day = found.get("day")
    return JournalNote(
        found["id"],
        found["label"],
        steps,
        found["undoes"],
        found.get("whole", False),
        date.fromisoformat(day) if day else None,
    )


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _sync(folder: str) -> None:
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _remove(name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name)
