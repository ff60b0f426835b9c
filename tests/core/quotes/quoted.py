"""A quote for the tests of pages."""

from __future__ import annotations

from datetime import date, timedelta

from commonplace.core.model import Citation, Line
from commonplace.core.quotes.page_quotes import LOGGED, Quote

DAY = date(2026, 3, 1)


def quote(content: str, *, score: float = 1.0, at: int = 0, topic: str = LOGGED, above: tuple[str, ...] = ()) -> Quote:
    where = Citation(f"memory/{DAY + timedelta(at)}.md", 3)
    return Quote(Line(content, (), where, DAY + timedelta(at), context=above), score, topic, LOGGED)
