"""Finds where missing files may be: in a new file or folder that cannot be read.

A folder that was renamed and cannot be listed looks like a folder that was deleted beside one that is new. Law: as long
as something may be what a missing file has become, the file is not gone; once it can be read, or is gone itself, it is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import HIDING
from commonplace.core.model import Citation, Problem
from commonplace.errors import NotFound, WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from commonplace.core.model import Unread
    from commonplace.store.workspace import State, Workspace


class Hidden:
    """What one sync met that may hide files which the index has and the sweep lacks.

    Args:
        states: the files that are there.
        known: the states of the last sync.
        before: what could not be read then, by path.
        new: paths of files that are there and were never read.
    """

    def __init__(
        self,
        workspace: Workspace,
        states: Mapping[str, State],
        known: Mapping[str, State],
        before: Mapping[str, Unread],
        new: Collection[str],
    ) -> None:
        self._workspace = workspace
        self._states = states
        self._known = known
        self._new = new
        self._inodes = {states[path][3]: path for path in new}
        unlisted = {problem.source.path: problem for problem in workspace.unlisted}
        self._came = tuple(each for path, each in unlisted.items() if each.code in HIDING and path not in before)
        self._earlier: dict[str, list[Problem]] = {}
        for each in (each for each in before.values() if each.holds):
            problem, place = unlisted.get(each.path), self._place(each.path)
            if problem is None and place is not None:
                problem = self._unreadable(place)
            if problem is not None:
                for path in each.holds:
                    self._earlier.setdefault(path, []).append(problem)

    def hiding(self, path: str, digest: str) -> tuple[Problem, ...]:
        """What may be, or contain, a file that is missing; nothing when it is gone.

        Args:
            path: where it was.
            digest: of what it held.
        """
        if (place := self._place(path)) is not None:
            problem = self._unreadable(place)
            return () if problem is None else (problem,)
        found = (*self._earlier.get(path, ()), *self._came)
        return () if found and digest in self._digests else found

    def _place(self, path: str) -> str | None:
        """Where a file is that has this name, or had it and has another now; None when that is not known."""
        if path in self._states:
            return path
        return self._inodes.get(self._known[path][3]) if path in self._known else None

    def _unreadable(self, path: str) -> Problem | None:
        """Why a file cannot be read; None when it can, or is gone."""
        try:
            self._workspace.read(path)
        except NotFound:
            return None
        except WorkspaceError as error:
            return Problem(Citation(path, 1), error.code, error.message, error.hint)
        return None

    @cached_property
    def _digests(self) -> set[str]:
        """Of the new files that can be read: what is there again under another name is not missing."""
        found = set()
        for path in self._new:
            try:
                found.add(self._workspace.read(path).digest)
            except WorkspaceError:
                continue
        return found
