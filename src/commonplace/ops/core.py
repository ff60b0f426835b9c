"""The core as it stands on the disk, for an agent's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.blocks import Block, block
from commonplace.errors import WorkspaceError

if TYPE_CHECKING:
    from commonplace.store.workspace import Workspace


def blocks(workspace: Workspace, names: tuple[str, ...]) -> tuple[Block, ...]:
    """The blocks of the core files that are there, ours first; one that is no text is left to `check`."""
    there, ours = workspace.sweep(), workspace.core_path
    found = []
    for path in dict.fromkeys((ours, *names)):
        if path not in there:
            continue
        try:
            page = workspace.read(path)
        except WorkspaceError:
            continue
        found.append(block(path, page.text, page.digest, read_only=path != ours or workspace.read_only(path)))
    return tuple(found)
