"""Reads a question with the names that the index knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.recall.query_analysis import read

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.recall.query_analysis import Reading
    from commonplace.store.sqlite import Index


def read_question(index: Index, text: str, *, today: date) -> Reading:
    """Return how a question is read; noted, because a page that shows its answer shows that, too."""
    noted, name = index.noted(), ("read", text, today)
    if name not in noted:
        noted[name] = read(text, today, index.tagged)
    found: Reading = noted[name]
    return found
