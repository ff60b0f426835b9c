"""The workspace: lists, reads and writes Markdown files safely. The other floors open them only through this room.

May import: `fs`, `transactions`.
"""

from commonplace.store.workspace.file_walk import State, is_laid_out
from commonplace.store.workspace.markdown_folder import Workspace
from commonplace.store.workspace.markdown_reader import DEFAULT_CORE, MOST_FILE_BYTES, Page, ShownPage

__all__ = ["DEFAULT_CORE", "MOST_FILE_BYTES", "Page", "ShownPage", "State", "Workspace", "is_laid_out"]
