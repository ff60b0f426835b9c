"""Reads what a recall asks FTS5 for, and asks the postings of PostgreSQL for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from commonplace.core.recall.index_rows import RowRange

MOST_OF_A_TERM = 20_000
"""Newest lines with a term that are intersected with those of others."""
_TOKEN = re.compile(r'"([^"]*)"(\*?)|(AND|OR)\b|([()])|\s+')


def rows_matching(expression: str, *, among: RowRange, limit: int) -> tuple[str, list[Any]]:
    """The statement, with its values, of the newest rows that match an expression.

    The expressions are those of `core.text.analyzer`: quoted terms, phrases and beginnings, `AND`, `OR`, brackets.
    Raises UsageError for any other.
    """
    reader = _Reader(expression, among=among)
    sql = reader.any_of()
    if reader.left:
        raise UsageError(f"cannot read the expression {expression!r}", "this is a fault of ours: please report it")
    return f"select row from ({sql}) found order by row desc limit %s", [*reader.values, limit]


class _Reader:
    """Reads one expression, term by term."""

    def __init__(self, expression: str, *, among: RowRange) -> None:
        self._among = among
        self.values: list[Any] = []
        self.left: list[re.Match[str]] = []
        end = 0
        while end < len(expression):
            found = _TOKEN.match(expression, end)
            if found is None or found.end() == end:
                raise UsageError(
                    f"cannot read the expression {expression!r}", "this is a fault of ours: please report it"
                )
            end = found.end()
            if not found[0].isspace():
                self.left.append(found)

    def _next(self, word: str) -> bool:
        if self.left and self.left[0][0] == word:
            self.left.pop(0)
            return True
        return False

    def any_of(self) -> str:
        parts = [self._all_of()]
        while self._next("OR"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else " union ".join(f"({part})" for part in parts)

    def _all_of(self) -> str:
        parts = [self._one()]
        while self._next("AND"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else " intersect ".join(f"({part})" for part in parts)

    def _one(self) -> str:
        if self._next("("):
            inner = self.any_of()
            self._next(")")
            return f"select row from ({inner}) s"
        if not self.left:
            return "select null::bigint as row where false"
        found = self.left.pop(0)
        words = (found[1] or "").split()
        if not words:
            return "select null::bigint as row where false"
        if len(words) == 1:
            return self._having(words[0], begins=bool(found[2]))
        rows = [self._having(word, begins=False) for word in words[:-1]]
        rows.append(self._having(words[-1], begins=bool(found[2])))
        self.values.append(f" {' '.join(words)}{'' if found[2] else ' '}")
        both = " intersect ".join(f"({each})" for each in rows)
        return f"select row from ({both}) p join fleet.lines using (row) where strpos(' ' || terms || ' ', %s) > 0"

    def _having(self, term: str, *, begins: bool) -> str:
        """The newest rows with a term, or with one that begins so."""
        if begins:
            where = "term >= %s and term < %s"
            self.values += [term, term + "\U0010ffff"]
        else:
            where = "term = %s"
            self.values.append(term)
        self.values += [self._among.first, self._among.last, MOST_OF_A_TERM]
        distinct = "distinct " if begins else ""
        return (
            f"select {distinct}row from fleet.postings where {where} and row between %s and %s"
            " order by row desc limit %s"
        )
