"""The headings and parent bullets above a line, read from the rows of an index."""

from __future__ import annotations

Above = dict[int, tuple[int, int, str]]
"""Row -> (parent row, file, text), of what `Index.ancestors` and `Index.texts` found."""

DEEPEST = 12
"""Headings and parent bullets of a line that count as its context, the nearest ones."""


def chain(parent: int, above: Above) -> tuple[str, ...]:
    """The texts from the outermost ancestor down to `parent`, of what `Index.ancestors` found."""
    texts: list[str] = []
    while parent in above and len(texts) < DEEPEST:
        parent, _, text = above[parent]
        texts.append(text)
    return tuple(reversed(texts))


def lineage(parent: int, above: Above) -> list[int]:
    """The rows from a parent up to the outermost heading."""
    rows = []
    while parent in above and parent not in rows:
        rows.append(parent)
        parent = above[parent][0]
    return rows
