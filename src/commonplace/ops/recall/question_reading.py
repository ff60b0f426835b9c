"""Reads a question with the names that the index knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.recall.query_analysis import read

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.recall.query_analysis import Reading
    from commonplace.store.sqlite import Index


_LAST = 8
"""Questions of which it is noted how they are read, the last: a page asks for the words and the hits of one."""


def read_question(index: Index, text: str, *, today: date) -> Reading:
    """Return how a question is read; noted, because a page that shows its answer shows that, too."""
    noted, asked = index.noted(), (text, today)
    known: dict[tuple[str, date], Reading] = noted.get("read", {})
    if asked not in known:
        last = list(known.items())[1 - _LAST :]
        noted["read"] = known = {**dict(last), asked: read(text, today, index.tagged)}
    return known[asked]
