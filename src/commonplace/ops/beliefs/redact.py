"""Finds what reflect must not repeat: secrets in files, and names that look like secrets."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.memo import reported
from commonplace.core.secrets.redaction import Withheld, may_part, may_tell, parting, secret_names, told_values
from commonplace.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.memo import Progress
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Page, ShownPage

_PARTING = "parting"
"""Name of the cache of secrets that span lines, by path with the digest of the text."""


_TOGETHER = 64
"""Files searched together: in most workspaces no secret spans lines."""
Parting = tuple[str, list[tuple[int, int]], bool]
"""(digest of a text, first and last line of each secret in it if one spans lines, whether a line may tell one).

Such a value itself is not stored, but read anew.
"""


class Looked(NamedTuple):
    """The result of a search for secrets."""

    withheld: Withheld
    files: dict[str, Parting]
    """By path."""
    is_new: bool
    """Whether not all of it was known before."""

    def is_harmless(self, path: str, digest: str | None) -> bool:
        """Whether a file with this digest, or that is not there, has no secret and no line that may tell one."""
        return digest is None or self.files.get(path) == (digest, [], False)

    def remember(self, index: Index) -> None:
        """Store it in the index for the next time."""
        if self.is_new:
            index.cache(_PARTING, self.files)


def note_harmless(index: Index, digests: Mapping[str, str]) -> None:
    """Store that files, given with their digests, contain no secret, so that the next reflect does not search them."""
    if digests:
        known: dict[str, Parting] = index.cached(_PARTING) or {}
        index.cache(_PARTING, known | {path: (digest, [], False) for path, digest in digests.items()})


def look(
    index: Index,
    texts: FileTexts,
    files: Mapping[str, str],
    names: Iterable[str],
    *,
    progress: Progress | None = None,
) -> Looked:
    """Return what must not be repeated of these files, given with their digests, and of these names.

    Args:
        progress: called with (files searched, files to search).
    """
    known: dict[str, Parting] = index.cached(_PARTING) or {}
    now = {path: known[path] for path, digest in files.items() if path in known and known[path][0] == digest}
    left = [path for path in files if path not in now]
    new = reported(left, progress, of=len(left))
    while some := list(islice(new, _TOGETHER)):
        now |= _parting(texts, some, known=known)
    stems = (name.removesuffix(".md") for path in files for name in path.split("/"))
    parting = {path: lines for path, (_, lines, _) in now.items() if lines}
    values = {value for path, (_, lines, tells) in now.items() if tells or lines for value in _values(texts, path)}
    return Looked(Withheld(parting, secret_names((*stems, *names), values)), now, now != known)


def _values(texts: FileTexts, path: str) -> set[str]:
    try:
        return told_values(texts.shown(path).text)
    except WorkspaceError:
        return set()


def withheld_in(texts: FileTexts, path: str) -> Withheld:
    """Return what must not be repeated of one file."""
    return Withheld({path: _parting(texts, [path], known={})[path][1]}, None)


def _parting(texts: FileTexts, paths: Iterable[str], *, known: Mapping[str, Parting]) -> dict[str, Parting]:
    """Path -> digest of the text, with the lines of its secrets, and whether a line may tell one."""
    pages: dict[str, Page | ShownPage] = {}
    found: dict[str, Parting] = {}
    for path in paths:
        try:
            pages[path] = texts.shown(path)
        except WorkspaceError:
            found[path] = known.get(path, ("", [], False))  # the index has its earlier text
    some = may_part(page.text for page in pages.values())
    telling = may_tell([page.text for page in pages.values()])
    for (path, page), tells in zip(pages.items(), telling, strict=True):
        found[path] = (page.digest, parting(page.text) if some else [], tells)
    return found
