"""The headings and parent bullets above a line, read from the rows of an index."""

from __future__ import annotations

Above = dict[int, tuple[int, int, str]]
"""Row -> (parent row, file, text), as `Index.ancestors` and `Index.texts` return them."""

DEEPEST = 12
"""Headings and parent bullets of a line that count as its context, the nearest ones."""


def chain(parent: int, above: Above) -> tuple[str, ...]:
    """Return the texts from the outermost ancestor down to `parent`."""
    texts: list[str] = []
    while parent in above and len(texts) < DEEPEST:
        parent, _, text = above[parent]
        texts.append(text)
    return tuple(reversed(texts))


def lineage(parent: int, above: Above) -> list[int]:
    """Return the rows from a parent up to the outermost heading."""
    rows = []
    while parent in above and parent not in rows:
        rows.append(parent)
        parent = above[parent][0]
    return rows
