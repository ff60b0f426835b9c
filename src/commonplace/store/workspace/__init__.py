"""The workspace: the only neighbour that opens Markdown. Lists, reads and writes it safely."""

from commonplace.store.workspace.folder import DEFAULT_CORE, MOST_FILE_BYTES, Page, Workspace
from commonplace.store.workspace.listing import State, is_laid_out

__all__ = ["DEFAULT_CORE", "MOST_FILE_BYTES", "Page", "State", "Workspace", "is_laid_out"]
