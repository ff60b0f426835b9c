"""Appends text so that it never becomes part of a Retain section that its author did not write.

Whoever appends words or a plain item to a log seldom knows that its last section is Retain, where each bullet is a fact
or a problem. So a heading of its own is put above the addition and ends that section. Items that are facts may join it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.line_scanner import is_top_item
from commonplace.core.documents.parse import parse
from commonplace.core.markdown.frontmatter import end as front_matter_end
from commonplace.core.markdown.structure_scanner import Structure
from commonplace.core.markdown.syntax import is_retain
from commonplace.core.markdown.text_edits import append_apart, insert, lines_of
from commonplace.core.model import Role

if TYPE_CHECKING:
    from commonplace.core.documents.parsed_document import Document

NOTES = "Notes"
"""The heading of text that is appended after a Retain section."""
_PROBE = "- W: probe ^probe0\n"


def appended(text: str, addition: str) -> str:
    """Return the text with whole lines added; words do not join a list, and only facts join a Retain section."""
    return append_apart(text, outside_retain(text, addition))


def inserted(text: str, addition: str, *, after: int) -> str:
    """`text_edits.insert`; at the end, only facts join a Retain section, as in `appended`."""
    at_end = after == len(lines_of(text))
    return insert(text, outside_retain(text, addition) if at_end else addition, after=after)


def outside_retain(text: str, addition: str) -> str:
    """Return the addition, below a heading of its own if it would otherwise become part of a Retain section."""
    end = _end(text)
    if end is None or not addition.strip() or _joins(addition, end):
        return addition
    gap = "" if text.endswith(("\n\n", "\n\r\n")) else "\n"
    added = addition.lstrip("\r\n")
    return f"{gap}{'#' * end.retain} {NOTES}\n\n{added}"


def retain_at_end(text: str) -> int:
    """Return the level of the Retain heading above the end of a text; 0 if there is none, or if the end is in code."""
    end = _end(text)
    return end.retain if end else 0


def _end(text: str) -> Structure | None:
    """Return the structure at the end of a text, if it is in a Retain section and not in code; else None."""
    if "retain" not in text.lower():
        return None
    lines = text.split("\n")
    if start := front_matter_end(lines):
        del lines[: start + 1]
    structure = Structure()
    for number, raw in enumerate(lines, 1):
        if is_top_item(raw) and not structure.code:
            structure.top_item()
        else:
            structure.take(raw, lines[number] if number < len(lines) else "")
    return structure if structure.retain and not structure.code else None


def _joins(addition: str, end: Structure) -> bool:
    """Whether all of the addition that would be under Retain is facts, or headings above facts."""
    above = "" if end.headless else "# Day\n\n"
    above += f"{'#' * end.retain} Retain\n" + (_PROBE if end.listed else "")
    document = parse("", append_apart(above, addition))
    return not document.problems and not any(
        line.fact is None and line.role is not Role.HEADING and _is_in_retain(document, line.parent)
        for line in document.lines
    )


def _is_in_retain(document: Document, parent: int) -> bool:
    while parent >= 0:
        line = document.lines[parent]
        if line.role is Role.HEADING and is_retain(line.text):
            return True
        parent = line.parent
    return False
