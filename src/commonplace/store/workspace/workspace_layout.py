"""The layout of a workspace: creates what is missing, and finds folders that are laid out otherwise."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from commonplace.store.fs.publish import refusal
from commonplace.store.fs.safe_open import blocked, gone, not_a_folder
from commonplace.store.workspace.file_walk import is_laid_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from commonplace.store.workspace.markdown_folder import Workspace

_CORE_TEXT = "# Memory\n"
"""Nothing more: every session pays for the tokens of this text, and searches for "memory" would find it."""


def init(workspace: Workspace, today: date) -> tuple[str, ...]:
    """Create what a workspace needs and lacks; return the created paths. Existing files are not changed.

    Raises NotWritable, NotAWorkspace (the root is a file), WorkspaceError (a file is where a folder is needed).
    """
    root = workspace.root
    for path in ("memory", "bank/entities"):
        if file := blocked(root, path):
            raise not_a_folder(file)
    made = list(_folders(root, "."))
    if not any(os.path.lexists(os.path.join(root, name)) for name in ("MEMORY.md", "memory.md")):
        workspace.write("MEMORY.md", _CORE_TEXT, before=None)
        made.append("MEMORY.md")
    if not os.path.lexists(os.path.join(root, "memory")):
        log = f"memory/{today.isoformat()}.md"
        workspace.write(log, f"# {today.isoformat()}\n\n## Retain\n", before=None)
        made.append(log)
    return (*made, *_folders(root, "bank/entities/"))


def make_root(root: str) -> None:
    """Create the folder of a workspace and its parents. Raises NotWritable, NotAWorkspace (a file is in the way)."""
    for _ in _folders(root, "."):
        pass


def _folders(root: str, path: str) -> Iterator[str]:
    full = os.path.normpath(os.path.join(root, path))
    try:
        if not os.path.isdir(full):
            os.makedirs(full)
            yield path
    except (FileExistsError, NotADirectoryError):
        while not os.path.lexists(full):
            full = os.path.dirname(full)
        raise gone(full, NotADirectoryError(errno.ENOTDIR, "")) from None
    except OSError as error:
        there = os.path.dirname(full)
        while not os.path.lexists(there):
            there = os.path.dirname(there)
        raise refusal(full if path == "." else path, there, error=error, needed=0) from None


def adopt(workspace: Workspace) -> bool:
    """Before the first write to a folder with another layout, write settings that keep all its files included.

    Our `memory/` would make it look like a workspace, of which only some folders are read. Returns True if
    `commonplace.toml` was created. Raises NotWritable.
    """
    if is_laid_out(workspace.root) or not any("/" in path for path in workspace.sweep()):
        return False
    path = os.path.join(workspace.root, "commonplace.toml")
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write('# Every Markdown file below this folder is read.\ninclude = ["**/*.md"]\n')
    except OSError as error:
        raise refusal("commonplace.toml", workspace.root, error=error, needed=0) from None
    return True
