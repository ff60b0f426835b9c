"""Reads the core files as blocks for an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.agent.core_blocks import Block, block
from commonplace.errors import NotFound, WorkspaceError

if TYPE_CHECKING:
    from commonplace.store.workspace import Workspace


def blocks(workspace: Workspace, names: tuple[str, ...]) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """Return the blocks of the existing core files, ours first, and a note for each that cannot be read."""
    there, ours = workspace.sweep(), workspace.core_path
    found, notes = [], []
    for path in dict.fromkeys((ours, *names)):
        if path not in there:
            if problem := workspace.hindrance(path):
                notes.append(f"{problem.message}; {problem.hint}")
            continue
        try:
            page = workspace.shown(path)
        except NotFound:
            continue
        except WorkspaceError as error:
            notes.append(f"{error.message}; {error.hint}")
            continue
        if page.problem is not None:
            notes.append(f"{page.problem.message}; {page.problem.hint}")
        read_only = path != ours or workspace.read_only(path)
        found.append(block(path, page.text, page.digest, read_only=read_only))
    return tuple(found), tuple(notes)
