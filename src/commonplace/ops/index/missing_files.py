"""Finds where missing files may be: in a new file or folder that cannot be read.

A renamed folder that cannot be listed looks like a deleted folder beside a new one. Law: while something unreadable may
be or contain a missing file, the file is not treated as gone; once that can be read, or is gone itself, the file is.
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
    """Unreadable files and folders that may hide files which the index has and the sweep lacks.

    Args:
        states: the files that exist.
        known: the states of the last sync.
        before: what could not be read then, by path.
        new: paths of existing files that were never read.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
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
        """Return what may be, or contain, a missing file; an empty tuple if the file is gone.

        Args:
            path: its former path.
            digest: its last digest.
        """
        if (place := self._place(path)) is not None:
            problem = self._unreadable(place)
            return () if problem is None else (problem,)
        found = (*self._earlier.get(path, ()), *self._came)
        return () if found and digest in self._digests else found

    def _place(self, path: str) -> str | None:
        """Return the current path of a file, by name or else by inode; None if unknown."""
        if path in self._states:
            return path
        return self._inodes.get(self._known[path][3]) if path in self._known else None

    def _unreadable(self, path: str) -> Problem | None:
        """Return why a file cannot be read; None if it can, or is gone."""
        try:
            self._workspace.shown(path)
        except NotFound:
            return None
        except WorkspaceError as error:
            return Problem(Citation(path, 1), error.code, error.message, error.hint)
        return None

    @cached_property
    def _digests(self) -> set[str]:
        """Digests of the new files that can be read: a file with the same content under another name is not missing."""
        found = set()
        for path in self._new:
            try:
                found.add(self._workspace.shown(path).digest)
            except WorkspaceError:
                continue
        return found
