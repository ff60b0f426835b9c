"""Lines as an index knows them: their rows, ranges of rows, and the headings and parent bullets above a line."""

from typing import NamedTuple, Self

from commonplace.core.model import AnyLine, Fact, Opinion, Role


class RowRange(NamedTuple):
    """Rows from the first to the last, both included. Only the index knows what a row number says."""

    first: int
    last: int

    def has(self, row: int) -> bool:
        """Whether a row is in the range."""
        return self.first <= row <= self.last

    def both(self, other: Self) -> Self:
        """Return the rows that are in both ranges."""
        return self._replace(first=max(self.first, other.first), last=min(self.last, other.last))


class StoredLine(NamedTuple):
    """A line as indexed."""

    row: int
    line: AnyLine
    """Without its context."""
    parent: int
    """Row of the heading, bullet or table header above it; 0 at the top."""
    role: Role
    conflict: bool
    length: int
    """Its number of terms."""
    file: int
    opinion: Opinion | None = None
    """The opinion that a person keeps there, in a table or a labelled bullet. The index does not look for it."""

    @property
    def is_fact(self) -> bool:
        """Whether it states a fact, or an opinion in a shape of its author's own."""
        return self.opinion is not None or isinstance(self.line, Fact)


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
