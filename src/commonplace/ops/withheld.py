"""What reflect may not repeat of a workspace: looked for once in each text of a file, and in all names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.withheld import Withheld, parting, secret_names
from commonplace.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_PARTING = "parting"
"""The cache of the lines that part secrets, by path with the digest of the text."""


Parting = tuple[str, list[tuple[int, int]]]
"""The digest of a text, and the first and last lines of what holds a secret in it, if lines part one."""


class Looked(NamedTuple):
    """What was looked through, and what came of it."""

    withheld: Withheld
    files: dict[str, Parting]
    """By path."""
    is_new: bool
    """Not all of it was known before."""

    def remember(self, index: Index) -> None:
        """Leave it in the index for the next time."""
        if self.is_new:
            index.cache(_PARTING, self.files)


def look(index: Index, workspace: Workspace, files: Mapping[str, str], names: Iterable[str]) -> Looked:
    """What of these files, given with their digests, and of these names may not be repeated."""
    known: dict[str, Parting] = index.cached(_PARTING) or {}
    now = {path: _parting(workspace, path, digest, known.get(path)) for path, digest in files.items()}
    stems = (name.removesuffix(".md") for path in files for name in path.split("/"))
    parting = {path: lines for path, (_, lines) in now.items() if lines}
    return Looked(Withheld(parting, secret_names((*stems, *names))), now, now != known)


def withheld_in(workspace: Workspace, path: str) -> Withheld:
    """What of one file may not be repeated."""
    return Withheld({path: _parting(workspace, path, "", None)[1]}, None)


def _parting(workspace: Workspace, path: str, digest: str, known: Parting | None) -> Parting:
    """The digest of a file's text, and the lines in it that part secrets."""
    if known is not None and known[0] == digest:
        return known
    try:
        page = workspace.read(path)
    except WorkspaceError:
        return known or ("", [])  # what the index has of it is what it was
    return page.digest, parting(page.text)
