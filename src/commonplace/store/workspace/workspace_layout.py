"""The layout of a workspace: creates what is missing, and finds folders that are laid out otherwise."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from commonplace.errors import UsageError
from commonplace.store.fs.file_names import is_hidden
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


def to_include(root: str, path: str) -> str:
    """Return the glob of the setting `include` for a folder or file of the workspace; a glob stays as it is.

    Args:
        path: relative to the workspace, or absolute.

    Raises UsageError if nothing is there that can be read, or it is elsewhere.
    """
    folder, name = os.path.split(os.path.normpath(path))
    if os.path.isabs(path):
        folder = os.path.relpath(os.path.realpath(folder), os.path.realpath(root))
    below = os.path.normpath(os.path.join(folder, name))
    parts = below.split(os.sep)
    if not path or parts[0] in (".", ".."):
        raise UsageError(f"{path!r} is no folder below the workspace {root}", "name one in it, such as notes")
    if any(map(is_hidden, parts)):
        raise UsageError(f"{below} is never read: hidden, or installed packages", "move what is to be read")
    full = os.path.join(root, below)
    if not os.path.exists(full):
        if any(each in below for each in "*?["):
            return "/".join(parts)
        raise UsageError(f"there is no {below} in {root}", "commonplace status lists the folders that are not read")
    if not os.path.realpath(full).startswith(os.path.join(os.path.realpath(root), "")):
        raise UsageError(f"{below} leads out of the workspace {root}", "put the folder itself there")
    glob = "/".join(parts).replace("*", "?")  # which matches that character, too
    return f"{glob}/**" if os.path.isdir(full) else glob


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
