"""How a line of a log reads outside of it: a row of a table with its columns, without box and hour at its start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import Line

OPENING = lazy_pattern(
    r"[^\w(\[\"'“「『*`]*(?:\d{1,2}[:.]\d\d(?:\s?[ap]m)?\b(?!\s?[的の])[\s–—-]*)?",
)
"""What may stand before the first words of a line: marks, an hour."""
_START = lazy_pattern(r"(?:\[[ xX-]\]\s*)?(?:\d{1,2}[:.]\d\d(?:\s?[ap]m)?\b(?!\s?[的の])[\s–—-]*)?")
_REPLY = lazy_pattern(r"\[\[reply_to[^\[\]]*\]\]\s*")
"""The tag by which an agent of OpenClaw says which message it answers."""
_ENVELOPE = lazy_pattern(r"\[[A-Z][a-z]+ [^\[\]]{1,100} id:-?\d[^\[\]]* \d{4}-\d\d-\d\d \d\d:\d\d[^\[\]]*\]\s*")
"""What OpenClaw writes before a message: its channel, sender and hour."""
_LITERAL = lazy_pattern(r"(?<=[^\s`'\"“])(?<!\\r)\\n(?=[\W]|[^\Wa-z]|$)")
"""A line break that was written as two characters; not where a text speaks of these."""


def readable(line: Line) -> str:
    """Return the content of a line for a page."""
    row = table_row(line)
    if row is not None:
        return row_text(*row)
    text = _LITERAL.sub(" ", line.content) if "\\n" in line.content else line.content
    if "[[reply_to" in text:
        text = _REPLY.sub("", text)
    if " id:" in text:
        text = _ENVELOPE.sub("", text, 1)
    start = _START.match(text)
    return (text[start.end() :] if start else text).strip() or line.content


def table_row(line: Line) -> tuple[list[str], list[str]] | None:
    """Return the columns and cells of a row of a table; None if it is none, or its table has no head."""
    head = line.context[-1] if line.context else ""
    if head[:1] != "|" or line.content[:1] != "|":
        return None
    columns, cells = ([cell.strip() for cell in each.strip("|").split("|")] for each in (head, line.content))
    return columns, cells


def row_text(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row as text, each cell after the name of its column: `Name: Rolf; Rent: 900`."""
    named = (f"{column}: {cell}" if column else cell for column, cell in zip(columns, cells, strict=False) if cell)
    return "; ".join(named)
