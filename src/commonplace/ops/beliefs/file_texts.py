"""The texts of a workspace's files, each read once, so that one reflect sees one state of each file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.file_problems import NOT_UTF8
from commonplace.errors import CommonplaceError, NotFound, WorkspaceError

if TYPE_CHECKING:
    from commonplace.store.workspace import Page, ShownPage, Workspace


class FileText(NamedTuple):
    """One file as read."""

    text: str = ""
    """Empty if there is no file."""
    digest: str | None = None
    """None: there is no file."""
    wrong: str = ""
    """Why it cannot be read; else empty."""


class FileTexts:
    """The texts of a workspace's files; no file is read twice, nor one that could not be read."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._known: dict[str, Page | CommonplaceError] = {}

    def read(self, path: str) -> Page:
        """Return a file; raises what `Workspace.read` raises, the same each time."""
        if path not in self._known:
            try:
                self._known[path] = self.workspace.read(path)
            except CommonplaceError as error:
                self._known[path] = error
        found = self._known[path]
        if isinstance(found, CommonplaceError):
            raise found.with_traceback(None)
        return found

    def shown(self, path: str) -> Page | ShownPage:
        """Return a file as `Workspace.shown` does: for reading alone."""
        try:
            return self.read(path)
        except WorkspaceError as error:
            if error.code != NOT_UTF8:
                raise
            return self.workspace.shown(path)

    def page(self, path: str) -> FileText:
        """Return a file, which may not exist. Raises WorkspaceError if it cannot be read."""
        try:
            page = self.read(path)
        except NotFound:
            problem = self.workspace.hindrance(path)
            if problem is not None:
                raise WorkspaceError(problem.message, problem.hint) from None
            return FileText()
        return FileText(page.text, page.digest)

    def readable(self, path: str) -> FileText:
        """Return a file as `page` does, or the reason why it cannot be read."""
        try:
            return self.page(path)
        except WorkspaceError as error:
            return FileText(wrong=error.message)

    def text(self, path: str) -> str:
        """Return the text of a file; empty if there is none or it cannot be read.

        A page of the bank must be UTF-8 throughout, because what it says is acted on and noted there.
        """
        try:
            return self.page(path).text if path.startswith("bank/") else self.shown(path).text
        except WorkspaceError:
            return ""
