"""Which plain lines are outdated by newer ones of their topic, found by search when a line is shown.

Nothing is stored, so the result depends only on the lines that are indexed. Facts have claims and trailers instead
(`supersession.py`). What somebody else said never outdates the author's line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.changes.outdating import outdates
from commonplace.core.changes.stated_states import told
from commonplace.core.model import Fact, Origin, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from commonplace.core.changes.stated_states import ToldStates
    from commonplace.core.model import Citation
    from commonplace.core.recall.index_rows import StoredLine
    from commonplace.store.sqlite import Index

_TOLD = (Role.BULLET, Role.TEXT, Role.ROW)
_MOST = 40
"""Newer lines compared for one search."""
_SEARCHES = 4
_LONG = 8
"""Characters of a term that is looked up alone, as one with a digit and a letter is."""


def outdated(index: Index, rows: Iterable[int], *, as_of: date | None = None) -> dict[int, Citation]:
    """Return row -> place of the newest line that outdates it, for the outdated lines among these rows."""
    found: dict[int, Citation] = {}
    for row, stored in index.lines(rows).items():
        line = stored.line
        if (
            isinstance(line, Fact)
            or line.recorded is None
            or line.origin is Origin.GENERATED
            or stored.role not in _TOLD
        ):
            continue
        newer = _newer(index, row, stored, as_of=as_of)
        if newer is not None:
            found[row] = newer
    return found


def _newer(index: Index, row: int, stored: StoredLine, *, as_of: date | None) -> Citation | None:
    older = _told(index, stored)
    among = index.rows_known(as_of)
    among = among._replace(first=max(among.first, row + 1))
    rows = {each for search in _searches(older) for each in index.match(search, among=among, limit=_MOST)}
    lines = index.lines(rows)
    for each in sorted(lines.values(), key=lambda each: (each.line.recorded, str(each.line.source)), reverse=True):
        if _follows(each, stored) and outdates(_told(index, each), older):
            return each.line.source
    return None


def _told(index: Index, stored: StoredLine) -> ToldStates:
    return told(stored.line.content, stored.role, index.context(stored)[-1:])


def _searches(older: ToldStates) -> Iterator[str]:
    """Yield expressions of FTS5, one of which finds each line that may outdate this one."""
    pairs = [sorted(each.subject, key=lambda term: (-len(term), term))[:2] for each in older.statements]
    lone = [
        [term]
        for term in older.terms
        if len(term) >= _LONG or (term.isalnum() and not (term.isalpha() or term.isdecimal()))
    ]
    unique = dict.fromkeys(tuple(terms) for terms in (*pairs, *lone[:2]))
    for terms in list(unique)[:_SEARCHES]:
        yield " AND ".join('"{}"'.format(term.replace('"', "")) for term in terms)


def _is_identifier(term: str) -> bool:
    return term.isalnum() and not (term.isalpha() or term.isdecimal())


def _follows(newer: StoredLine, older: StoredLine) -> bool:
    """Whether a line is surely later than another, and may outdate it."""
    one, other = newer.line, older.line
    if newer.role in (Role.CODE, Role.META) or one.origin is Origin.GENERATED or one.recorded is None:
        return False
    if one.trailer.outsider and not other.trailer.outsider:
        return False
    assert other.recorded is not None
    same = newer.file == older.file and one.source.line > other.source.line
    return one.recorded > other.recorded or (one.recorded == other.recorded and same)
