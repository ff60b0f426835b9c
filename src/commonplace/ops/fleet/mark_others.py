"""Marks what other workspaces of a fleet say as an outsider's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.core.model import Bundle, Hit

_SOURCE = "fleet:"
"""Prefix of `src` of another workspace's line; its name follows."""


def marked(bundle: Bundle, own: str) -> Bundle:
    """Return the hits with `src=fleet:alpha` on each line of another workspace that names nobody else.

    Args:
        own: the name of this workspace.
    """
    return bundle._replace(hits=tuple(_marked(hit, own) for hit in bundle.hits))


def _marked(hit: Hit, own: str) -> Hit:
    beside = tuple(_marked(each, own) for each in hit.beside)
    whose = getattr(hit.line.source.path, "workspace", own)
    trailer = hit.line.trailer
    if whose == own or trailer.outsider:
        return hit._replace(beside=beside)
    line = hit.line._replace(trailer=trailer._replace(src=f"{_SOURCE}{whose}"))
    return hit._replace(line=line, beside=beside)
