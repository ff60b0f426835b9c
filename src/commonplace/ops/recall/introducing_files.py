"""The files that introduce owner and agent, as pages of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Line
from commonplace.core.recall.index_rows import chain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.store.sqlite import Index

INTRODUCE = ("USER.md", "IDENTITY.md", "user.md", "identity.md")
"""Files that introduce owner and agent."""
_MOST_LINES = 400


def introducing_lines(
    index: Index, path: str, keys: Iterable[str]
) -> tuple[str, frozenset[int], frozenset[int]] | None:
    """Return (key of the entity, rows that tell of it, other rows) of one of these files, if the entity whom it
    introduces has one of these keys. The others are rules, and texts that a host gives to every workspace.
    """
    lines = index.lines(index.rows_in(path, limit=_MOST_LINES))
    if not lines:
        return None
    from commonplace.core.entities.introductions import names_of_one

    above = index.ancestors(each.parent for each in lines.values())
    plain = [(each.line, each.parent) for each in lines.values() if isinstance(each.line, Line)]
    names = {*map(entity_key, names_of_one(line._replace(context=chain(parent, above)) for line, parent in plain))}
    key = next(filter(names.__contains__, keys), "")
    if not key:
        return None
    from commonplace.core.extract.line_worth import is_of_a_host

    texts = {row: each.line.content for row, each in lines.items()}
    framing = frozenset(row for row, text in texts.items() if not any(map(str.isalnum, text)) or is_of_a_host(text))
    return key, frozenset(lines) - framing, framing
