"""The texts of a workspace's files, each read once: one reflect thinks about one state of each file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import CommonplaceError, NotFound, WorkspaceError

if TYPE_CHECKING:
    from commonplace.store.workspace import Page, Workspace


class FileText(NamedTuple):
    """One file as read."""

    text: str = ""
    """Empty where there is no file."""
    digest: str | None = None
    """None: there is no file."""
    wrong: str = ""
    """Why it cannot be read; empty when it can, or when there is none."""


class FileTexts:
    """The texts of a workspace's files; a file that was read is not read again, and neither is one that failed."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._known: dict[str, Page | CommonplaceError] = {}

    def read(self, path: str) -> Page:
        """A file; raises what `Workspace.read` raises, the same each time."""
        if path not in self._known:
            try:
                self._known[path] = self.workspace.read(path)
            except CommonplaceError as error:
                self._known[path] = error
        found = self._known[path]
        if isinstance(found, CommonplaceError):
            raise found.with_traceback(None)
        return found

    def page(self, path: str) -> FileText:
        """A file, which may not exist. Raises WorkspaceError where it cannot be read."""
        try:
            page = self.read(path)
        except NotFound:
            problem = self.workspace.hindrance(path)
            if problem is not None:
                raise WorkspaceError(problem.message, problem.hint) from None
            return FileText()
        return FileText(page.text, page.digest)

    def readable(self, path: str) -> FileText:
        """As `page`, with the reason when the file cannot be read."""
        try:
            return self.page(path)
        except WorkspaceError as error:
            return FileText(wrong=error.message)

    def text(self, path: str) -> str:
        """The text of a file; empty where there is none, and where it cannot be read."""
        return self.readable(path).text
