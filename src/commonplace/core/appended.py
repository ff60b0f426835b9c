"""What is put at the end of a text comes to lie where its author meant it: in no Retain section that others began.

Whoever appends words or a plain item to a log seldom knows that its last section is Retain, where each bullet is a fact
or a problem. So a heading of their own ends that section first. Items that are facts may join it.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from commonplace.core.edit import append, append_apart
from commonplace.core.frontmatter import end as front_matter_end
from commonplace.core.markdown import is_retain
from commonplace.core.model import Role
from commonplace.core.parse import is_top_item, parse
from commonplace.core.structure import Structure

if TYPE_CHECKING:
    from commonplace.core.parse import Document

NOTES = "Notes"
"""The heading of what somebody appends behind a Retain section."""
_PROBE = "- W: probe ^probe0\n"


def appended(text: str, addition: str) -> str:
    """The text with whole lines after its last; words stand apart from a list, and what is no fact from Retain."""
    return append_apart(text, outside_retain(text, addition))


def outside_retain(text: str, addition: str) -> str:
    """What is to be appended, below a heading of its own where it would else come to lie in a Retain section."""
    level = retain_at_end(text)
    if not level or _joins(addition, level):
        return addition
    gap = "" if text.endswith(("\n\n", "\n\r\n")) else "\n"
    return f"{gap}{'#' * level} {NOTES}\n\n{addition.lstrip('\r\n')}"


def retain_at_end(text: str) -> int:
    """The level of the Retain heading that the end of a text lies under; 0 where it lies under none, or in code."""
    lines = text.split("\n") if "retain" in text.lower() else []
    start = front_matter_end(lines) if lines else 0
    structure = Structure()
    for raw, below in zip_longest(lines[start + 1 if start else 0 :], lines[start + 2 if start else 1 :], fillvalue=""):
        if is_top_item(raw) and not structure.code:
            structure.top_item()
        else:
            structure.take(raw, below)
    under = structure.retain or (level_of_ended(structure) if structure.ended else 0)
    return 0 if structure.code else under


def _joins(addition: str, level: int) -> bool:
    """Whether all of it that would lie under Retain is facts, or headings of facts."""
    document = parse("", append(f"# Day\n\n{'#' * level} Retain\n{_PROBE}", _apart(addition)))
    if document.problems:
        return False
    return not any(
        line.fact is None and line.role is not Role.HEADING and _in_retain(document, at)
        for at, line in enumerate(document.lines)
    )
