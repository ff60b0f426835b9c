"""Changes many files as one: all or nothing, also across a crash, and undone on request."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from commonplace.errors import ChangedUnderneath, CommonplaceError, NotFound
from commonplace.store.fs.codec import HALFWAY, coded, digest, merged
from commonplace.store.fs.publish import confirm, publish, stage, withdraw
from commonplace.store.transactions.change_journal import FileStep, Journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from commonplace.store.transactions.change_journal import JournalNote
    from commonplace.store.transactions.locked_writer import Writer


T = TypeVar("T")


class Undone(NamedTuple):
    """The effect of an undo on one file."""

    path: str
    outcome: str
    """`restored`, `removed` (the set had created it), or `not changed: edited since`; `Memory.undo` adds more."""


class UndoableChange(NamedTuple):
    """A set of files changed together that an undo can take back."""

    id: str
    """Digits."""
    what: str
    """`reflect`, `answers to 3 questions`."""
    day: date | None
    paths: tuple[str, ...]


class Sets:
    """Sets of files, changed together. Every call needs the lock."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.journal = Journal(writer.own)
        self._standing: set[int] = set()
        """Published sets whose record is still named pending: the disk refused to rename it."""

    def apply(
        self, label: str, steps: tuple[FileStep, ...], undoes: int = 0, *, whole: bool = False, day: date | None = None
    ) -> None:
        """Stage all files, record the set, publish all, record that. On failure everything is rolled back before
        raising.

        Raises WorkspaceError `halfway` if the rollback fails too: then the next writer finishes the set.
        """
        write = partial(self.journal.write, label, steps, undoes, whole=whole, day=day)
        note, stands = self.publish(steps, write, drop=self.journal.drop)
        self._done(note, stands)

    def publish(
        self, steps: tuple[FileStep, ...], write: Callable[[], T], *, drop: Callable[[T], None]
    ) -> tuple[T, tuple[FileStep, ...]]:
        """Stage all files, record the set with `write`, publish all; return the record and the resulting change of each
        file.

        On failure everything is rolled back and the record dropped before raising; as for `apply`.
        """
        writer = self._writer
        for step in steps:
            writer.tidy(step.path)
        staged: dict[str, str] = {}
        stands: list[FileStep] = []
        note: T | None = None
        try:
            for step in steps:
                if step.after is not None:
                    with writer.open(step.path, len(step.after)) as place:
                        staged[step.path] = stage(place, step.after, before=_base(step))
            note = write()
            for step in steps:
                stands.append(self._publish(step, staged.pop(step.path, "")))
        except Exception as error:
            self._abandon(partial(drop, note) if note is not None else None, stands, staged=staged, error=error)
            raise
        self._confirm(steps)
        return note, tuple(stands)

    def _done(self, note: JournalNote, stands: tuple[FileStep, ...]) -> None:
        (self._standing.discard if self.journal.done(note, stands) else self._standing.add)(note.id)

    def _abandon(
        self, drop: Callable[[], None] | None, stands: list[FileStep], *, staged: dict[str, str], error: Exception
    ) -> None:
        """Roll back a set that failed. Raises WorkspaceError (`halfway`) if some of it stays."""
        for path, name in staged.items():
            with suppress(OSError, CommonplaceError), self._writer.locate(path) as place:  # it is swept later
                place.unlink(name)
        try:
            self._take_back(stands)
            if drop is not None:
                drop()
        except (OSError, CommonplaceError) as stuck:
            paths = ", ".join(step.path for step in stands) or "nothing"
            raise coded(
                HALFWAY,
                f"the change stopped halfway ({_said(error)}) and could not be reverted ({_said(stuck)});"
                f" {paths} may be changed",
                hint="check the disk and the permissions; the next command finishes the change",
            ) from error

    def undo(self, id: int | None = None) -> tuple[Undone, ...]:
        """Undo one set, by default the last, in all files that nobody edited since; return an empty tuple if there is
        no set.

        Raises NotFound for an id that cannot be undone, and ChangedUnderneath if nothing can be: somebody edited every
        file since, or one file of a set that is undone completely or not at all.
        """
        last = self.journal.last() if id is None else self.journal.find(id)
        if last is None and id is not None:
            raise NotFound(f"there is no change {id} to undo", "commonplace reflect --undoable lists those that can be")
        if last is None:
            return ()
        changed = {step.path for step in last.steps if self._writer.content(step.path) != step.after}
        if changed and last.whole:
            raise ChangedUnderneath(
                f"{', '.join(sorted(changed))} changed since the {last.label}, which can only be undone as a whole",
                "revert that edit and undo again, or separate the pages by hand; nothing was written",
            )
        if changed and all(step.path in changed for step in last.steps):
            raise ChangedUnderneath(
                f"nothing was undone: since the {last.label}, somebody edited {', '.join(sorted(changed))}",
                "revert those edits and undo again; commonplace reflect --log shows what changed",
            )
        steps, outcomes = [], []
        for step in last.steps:
            if step.path in changed:
                outcomes.append(Undone(step.path, "not changed: edited since"))
                continue
            steps.append(FileStep(step.path, step.after, step.before))
            outcomes.append(Undone(step.path, "removed" if step.before is None else "restored"))
        if steps:
            self.apply(f"undo {last.label}", tuple(steps), undoes=last.id)
        return tuple(outcomes)

    def recover(self) -> None:
        """Roll interrupted sets forward in files that still have the old content; warn of the others."""
        for note in self.journal.pending():
            if note.id in self._standing:
                self._done(note, note.steps)
                continue
            stands = []
            for step in note.steps:
                try:
                    found = self._writer.content(step.path)
                    if found == step.before and found != step.after:
                        stands.append(self._publish(step, ""))
                    elif found == step.after:
                        stands.append(step)
                    else:
                        self._left(step.path, note.label, "it was edited since")
                except CommonplaceError as error:
                    self._left(step.path, note.label, str(error))
            self._confirm(note.steps)
            self._done(note, tuple(stands))
            for step in note.steps:
                self._writer.tidy(step.path, {_base(step): step.before or b""})

    def _left(self, path: str, label: str, why: str) -> None:
        self._writer.warn(
            path,
            "interrupted-change",
            f"{path} was left out when {label!r} was finished after a crash: {why}",
            "run it again",
        )

    def _publish(self, step: FileStep, staged: str) -> FileStep:
        """Publish one file of a set; return the resulting change, which differs if somebody wrote at the same time."""
        after = step.after
        if after is None:
            with self._writer.locate(step.path) as place:
                withdraw(place, step.before or b"", keep=self._writer.displaced.keep)
            return step
        with self._writer.open(step.path, len(after)) if not staged else self._writer.locate(step.path) as place:
            final = publish(
                place,
                step.before,
                wanted=after,
                again=_onto(step.path, step.before, wanted=after),
                keep=self._writer.displaced.keep,
                staged=staged,
                sync=False,
            )
        return step._replace(after=final)

    def _take_back(self, stands: list[FileStep]) -> None:
        """Roll back what a failed set had published, keeping what others wrote since."""
        keep = self._writer.displaced.keep
        for step in reversed(stands):
            before, after = step.before, step.after
            with self._writer.locate(step.path) as place:
                if before is None:
                    withdraw(place, after or b"", keep=keep)
                    continue
                again = _onto(step.path, after, wanted=before)
                found = place.read()
                if found != before:
                    publish(place, found, wanted=before if found == after else again(found), again=again, keep=keep)

    def _confirm(self, steps: tuple[FileStep, ...]) -> None:
        """Make the names durable, one call per folder. Raises WorkspaceError (`unconfirmed`)."""
        folders = {os.path.dirname(step.path): step.path for step in steps}
        for path in folders.values():
            try:
                place = self._writer.locate(path)
            except NotFound:
                continue
            with place:
                confirm(place)


def _said(error: Exception) -> str:
    return error.message if isinstance(error, CommonplaceError) else str(error)


def _base(step: FileStep) -> str:
    return "new" if step.before is None else digest(step.before)


def _onto(path: str, base: bytes | None, *, wanted: bytes) -> Callable[[bytes | None], bytes]:
    """Return a function that makes the same change to another version of the base."""

    def again(theirs: bytes | None) -> bytes:
        return wanted if theirs is None else merged(path, base or b"", wanted, theirs)

    return again
