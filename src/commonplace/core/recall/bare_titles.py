"""Recognizes headings without content: those with only the name of their file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from commonplace.core.model import AnyLine

_SUBTITLE = lazy_pattern(r"\s*(?:$|[-–—―:：|·])")
"""What follows the file's name in a title like `SOUL.md - Who You Are`."""


def repeats_file_name(heading: AnyLine) -> bool:
    """Return whether a heading is the name of its file: `Nadia` in Nadia.md, `SOUL.md - Who You Are` in SOUL.md."""
    name = heading.source.path.rpartition("/")[2]
    if entity_key(heading.content) == entity_key(name.removesuffix(".md")):
        return True
    text, start = fold(heading.content), fold(name)
    return text.startswith(start) and _SUBTITLE.match(text, len(start)) is not None
