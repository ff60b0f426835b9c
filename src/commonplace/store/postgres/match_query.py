"""Reads what a recall asks FTS5 for, and asks the postings of PostgreSQL for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.errors import UsageError
from commonplace.store.postgres.fleet_text import WORKSPACES
from commonplace.store.sqlite.index_schema import DAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.recall.index_rows import RowRange

MOST_OF_A_TERM = 20_000
"""Newest lines with a term that are looked at for whether they have others, too."""
_TOKEN = re.compile(r'"([^"]*)"(\*?)|(AND|OR)\b|([()])|\s+')


def searching(
    searches: Sequence[tuple[str, RowRange]], *, limit: int, whose: Sequence[int]
) -> tuple[str, list[Any]] | None:
    """The statement, with its values, of (number of a search, row) of the newest rows of each; None if there is none.

    The expressions are those of `core.text.analyzer`: quoted terms, phrases and beginnings, `AND`, `OR`, brackets. Of
    what is joined by `AND` the first is listed, newest first, and each of its rows is looked up for the rest: callers
    begin with what is rarest. A row may come several times, and more rows than the limit. Raises UsageError for any
    other expression.

    Nearly all are terms, perhaps with one of others: those are values of one statement, however many they are, since
    PostgreSQL plans each part of a statement longer than it then reads a few rows.

    Args:
        whose: for each search the number of the workspace whose rows are searched, or ANYONE.
    """
    listed: list[tuple[int, str, str | None, int, int, int]] = []
    parts: list[str] = []
    values: list[Any] = []
    for at, ((expression, among), one) in enumerate(zip(searches, whose, strict=True)):
        part = _Reader(expression).whole()
        simple = _terms_with_others(part)
        if simple is not None:
            listed += [(at, term, " ".join(others) if others else None, *among, one) for term, others in simple]
            continue
        writer = _Writer(among, one)
        parts.append(f"(select {at}, row from ({writer.rows(part)}) found_{at} order by row desc limit %s)")
        values += [*writer.values, limit]
    if listed:
        parts.append(f"({_LISTED})")
        values += [*map(list, zip(*listed, strict=True)), MOST_OF_A_TERM, limit]
    return (" union all ".join(parts), values) if parts else None


ANYONE = -1
"""For the number of a workspace: rows of any."""
_IS_OF = f"({{0}} < 0 or row >> {DAY} & {WORKSPACES - 1} = {{0}})"
"""Condition: a row is of a workspace."""
_LISTED = f"""select g.at, x.row
from unnest(%s::int[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::int[]) g(at, term, others, low, high, ws)
cross join lateral (
  select row from (
    select row from fleet.postings where term = g.term collate "C" and row between g.low and g.high
    and {_IS_OF.format("g.ws")} order by row desc limit %s
  ) p where g.others is null or (
    select string_to_array(terms, ' ') && string_to_array(g.others collate "C", ' ') from fleet.lines where row = p.row
  ) limit %s
) x"""
"""Rows with a term, and with one of others if there are any."""


class _Words(NamedTuple):
    """A term; several words are a phrase. No word: what no line has."""

    words: tuple[str, ...]
    begins: bool
    """Whether the last word is the beginning of one."""

    @property
    def is_one_term(self) -> bool:
        return len(self.words) == 1 and not self.begins


class _Joined(NamedTuple):
    """Parts of which a line has all, or any."""

    parts: tuple[_Part, ...]
    all: bool


_Part = _Words | _Joined


def _terms_with_others(part: _Part) -> list[tuple[str, tuple[str, ...] | None]] | None:
    """A part as terms, each with some of which a line must have one; None if it is more than that."""
    if isinstance(part, _Words):
        return [(part.words[0], None)] if part.is_one_term else None
    if not part.all:
        found = [_terms_with_others(each) for each in part.parts]
        return None if None in found else [each for terms in found for each in terms or ()]
    first, second, *more = (_terms_with_others(each) for each in part.parts)
    if more or not first or not second or any(others for _, others in (*first, *second)):
        return None
    return [(term, tuple(other for other, _ in second)) for term, _ in first]


class _Reader:
    """Reads an expression."""

    def __init__(self, expression: str) -> None:
        self._expression = expression
        self.left: list[re.Match[str]] = []
        end = 0
        while end < len(expression):
            found = _TOKEN.match(expression, end)
            if found is None or found.end() == end:
                raise self.unreadable()
            end = found.end()
            if not found[0].isspace():
                self.left.append(found)

    def unreadable(self) -> UsageError:
        return UsageError(
            f"cannot read the expression {self._expression!r}", "this is a fault of ours: please report it"
        )

    def whole(self) -> _Part:
        part = self.any_of()
        if self.left:
            raise self.unreadable()
        return part

    def _next(self, word: str) -> bool:
        if self.left and self.left[0][0] == word:
            self.left.pop(0)
            return True
        return False

    def any_of(self) -> _Part:
        parts = [self._all_of()]
        while self._next("OR"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else _Joined(tuple(parts), all=False)

    def _all_of(self) -> _Part:
        parts = [self._one()]
        while self._next("AND"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else _Joined(tuple(parts), all=True)

    def _one(self) -> _Part:
        if self._next("("):
            inner = self.any_of()
            self._next(")")
            return inner
        found = self.left.pop(0) if self.left else None
        return _Words(tuple((found[1] or "").split()), bool(found[2])) if found else _Words((), begins=False)


class _Writer:
    """Writes the statement of one expression, its values in the order of their places."""

    def __init__(self, among: RowRange, one: int) -> None:
        self._among = among
        self._one = one
        self.values: list[Any] = []

    def rows(self, part: _Part) -> str:
        """Return the statement of the rows that have a part."""
        if isinstance(part, _Joined):
            first, *others = part.parts
            if part.all:
                return f"select row from ({self.rows(first)}) x where {self._has_all(others)}"
            return " union ".join(f"({self.rows(each)})" for each in part.parts)
        if not part.words:
            return "select null::bigint as row where false"
        if len(part.words) == 1:
            return self._having(part.words[0], begins=part.begins)
        # the rest of a phrase is looked up for the rows of its longest whole word
        driver = max(part.words[:-1] if part.begins else part.words, key=len)
        return f"select row from ({self._having(driver, begins=False)}) x where {self._in_place(part)}"

    def _having(self, term: str, *, begins: bool) -> str:
        """The newest rows with a term, or with one that begins so."""
        if begins:
            where = "term >= %s and term < %s"
            self.values += [term, term + "\U0010ffff"]
        else:
            where = "term = %s"
            self.values.append(term)
        self.values += [self._among.first, self._among.last, self._one, self._one, MOST_OF_A_TERM]
        distinct = "distinct " if begins else ""
        return (
            f"select {distinct}row from fleet.postings where {where} and row between %s and %s"
            f" and {_IS_OF.format('%s')} order by row desc limit %s"
        )

    def _has(self, part: _Part) -> str:
        """Return the condition that row `x` has a part. `exists` might be made a join, a scalar query is not."""
        if isinstance(part, _Joined):
            return self._has_all(part.parts) if part.all else self._has_any(part.parts)
        if not part.words:
            return "false"
        return self._posting("term = %s", part.words[0]) if part.is_one_term else self._in_place(part)

    def _posting(self, where: str, *values: Any) -> str:
        self.values += values
        return f"(select true from fleet.postings p where {where} and p.row = x.row limit 1)"

    def _has_all(self, parts: Sequence[_Part]) -> str:
        return " and ".join(map(self._has, parts))

    def _has_any(self, parts: Sequence[_Part]) -> str:
        terms = [part.words[0] for part in parts if isinstance(part, _Words) and part.is_one_term]
        others = [part for part in parts if not (isinstance(part, _Words) and part.is_one_term)]
        found = [self._posting("term = any(%s)", terms)] if terms else []
        return f"({' or '.join([*found, *map(self._has, others)])})"

    def _in_place(self, phrase: _Words) -> str:
        self.values.append(f" {' '.join(phrase.words)}{'' if phrase.begins else ' '}")
        return "(select strpos(' ' || terms || ' ', %s) > 0 from fleet.lines l where l.row = x.row)"
