"""Reads what a recall asks FTS5 for, and asks the postings of PostgreSQL for it."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.text.key_search import KeySearch
from commonplace.errors import UsageError
from commonplace.store.postgres.fleet_text import WHOSE, WORKSPACES
from commonplace.store.sqlite.index_schema import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.core.recall.index_rows import RowRange

MOST_OF_A_TERM = 20_000
"""Newest lines with a term that are looked at for whether they have others, too."""
_TOKEN = re.compile(r'"([^"]*)"(\*?)|(AND|OR)\b|([()])|\s+')


def searching(
    searches: Sequence[tuple[str, RowRange]],
    *,
    limit: int,
    whose: Sequence[int],
    counts: Mapping[str, int] = MappingProxyType({}),
) -> tuple[str, list[Any]] | None:
    """The statement, with its values, of (number of a search, row) of the newest rows of each; None if there is none.

    The expressions are those of `core.text.analyzer`: quoted terms, phrases and beginnings, `AND`, `OR`, brackets. Of
    what is joined by `AND` one is listed, newest first, and each of its rows is looked up for the rest. A row may come
    several times, and more rows than the limit. Raises UsageError for any other expression.

    Nearly all are terms or beginnings, perhaps with some of others: those are values of one statement, however many
    they are, since PostgreSQL plans each part of a statement longer than it then reads a few rows.

    Args:
        whose: for each search the number of the workspace whose rows are searched, or ANYONE.
        counts: lines with a term, as far as they are known: the rarest term is the one that is listed.
    """
    alone: list[tuple[int, str, int, int, int]] = []
    together = _Together(counts)
    parts: list[str] = []
    values: list[Any] = []
    for at, ((expression, among), one) in enumerate(zip(searches, whose, strict=True)):
        simple = as_terms(expression)
        for each in simple or ():
            if each.begins or each.others:
                together.add(at, each, (*among, one))
            else:
                alone.append((at, each.term, *among, one))
        if simple is None:
            rows = (writer := _Writer(among, one)).rows(_read(expression))
            parts.append(f"(select {at}, row from ({rows}) found_{at} order by row desc limit {limit})")
            values += writer.values
    if alone:
        parts.append(f"({_ALONE.format(most=limit)})")
        values += map(list, zip(*alone, strict=True))
    if found := together.values():
        parts.append(f"({_TOGETHER.format(most=limit)})")
        values += found
    return (" union all ".join(parts), values) if parts else None


ANYONE = -1
"""For the number of a workspace: rows of any."""
_DAYS = 48
"""Bits of a row below the number of the 128 days of its array."""
LOCAL_DAYS = _DAYS - WHOSE
"""Those of a row of one workspace."""
_LINES = 10
"""Bits of a row below that of the lines of a day, or of those without one, in one array."""
_PART = 16
"""Bits of the number of an array below that of the workspace: which lines."""
_OF_DAYS = WHOSE + _PART
"""Bits of it below the days."""
BLOCK = (
    f"({{row}} >> {_DAYS} << {_OF_DAYS}) | (({{row}} >> {DAY} & {WORKSPACES - 1}) << {_PART})"
    f" | ({{row}} >> {_LINES} & {(1 << _PART) - 1})"
)
"""The number of the array of a row."""
_IN_BLOCKS = (
    f"block between {{low}} >> {_DAYS} << {_OF_DAYS} and {{high}} >> {_DAYS} << {_OF_DAYS} | {(1 << _OF_DAYS) - 1}"
    f" and ({{one}} < 0 or block >> {_PART} & {WORKSPACES - 1} = {{one}})"
)
"""Condition: an array may have one of these rows, of this workspace or of any."""
_ARRAYS = (
    "select block, rows, sum(n) filter"
    f" (where block >> {_OF_DAYS} < {{high}} >> {_DAYS}) over (order by block >> {_OF_DAYS} desc"
    " groups between unbounded preceding and 1 preceding) as newer"
    f" from fleet.postings where {{term}} and {_IN_BLOCKS}"
)
_NEWEST = (
    f"select {{distinct}}r.row from ({_ARRAYS}) p cross join lateral unnest(p.rows) r(row)"
    " where coalesce(p.newer, 0) < {most} and r.row between {low} and {high} order by r.row desc limit {most}"
)
"""The newest rows with a term. Arrays older than those that have enough are not unpacked; of the newest days a part of
the rows may be out of the range, so those are not counted."""
_AFTER_ALL = "\U0010ffff"
"""What comes after all that a term may go on with."""
_ALIKE = {"distinct": "", "low": "g.low", "high": "g.high", "one": "g.ws"}
_IS = 'term = g.term collate "C"'
_GIVEN = "unnest(%s::int[], %s::text[], %s::bigint[], %s::bigint[], %s::int[]"
_ALONE = (
    f"select g.at, x.row from {_GIVEN}) g(at, term, low, high, ws)"
    f" cross join lateral ({_NEWEST.format(**_ALIKE, term=_IS, most='{most}')}) x"
)
"""Rows with a term."""
_IN_ARRAYS = (
    "(select {block} as block, array_agg(row) as rows from {found} group by 1) d"
    " cross join lateral (select rows || array[]::bigint[] as rows from fleet.postings"
    " where term = any({terms}) and block = d.block offset 0) p"
    " cross join lateral unnest(d.rows) x(row) where p.rows[width_bucket(x.row, p.rows)] = x.row"
)
"""Rows that have one of some terms, too. They are looked up in the arrays of these, which are in order: a frequent term
has a hundred times as many rows. With `||` an array that is kept apart from its record is read once, not once a row."""
_BLOCK_OF = BLOCK.format(row="row")
_TOGETHER = (
    "with recursive node as materialized (select"
    " %s::text[] as terms, %s::text[] as further, %s::text[] as wanted),"
    " found(at, low, high, block, rows) as (select g.at, g.low, g.high, p.block, p.rows"
    " from unnest(%s::int[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::int[])"
    " g(at, term, upto, low, high, ws) cross join lateral ("
    + _ARRAYS.format(**_ALIKE, term='term >= g.term collate "C" and term <= g.upto collate "C"')
    + f") p where coalesce(p.newer, 0) < {MOST_OF_A_TERM}"
    " union all select n.at, f.low, f.high, f.block, x.rows from found f"
    " cross join lateral unnest(string_to_array((select further from node)[f.at], ' ')::int[]) n(at)"
    " cross join lateral (select array_agg(distinct r.row) as rows"
    " from (select rows || array[]::bigint[] as rows from fleet.postings"
    " where term = any(string_to_array((select terms from node)[n.at], ' ') collate \"C\")"
    " and block = f.block offset 0) p"
    " cross join lateral (select row from unnest(f.rows) r(row) where row between f.low and f.high"
    " and p.rows[width_bucket(row, p.rows)] = row offset 0) r) x"
    " where x.rows is not null)"
    " select at, row from (select w.at, r.row, dense_rank() over (partition by w.at order by r.row desc) as nth"
    " from found f cross join lateral unnest(string_to_array((select wanted from node)[f.at], ' ')::int[]) w(at)"
    " cross join lateral unnest(f.rows) r(row) where r.row between f.low and f.high) x where nth <= {most}"
)
"""Rows with a term, or with one that begins so, of which what has one of some others, too, is found from what was found
before that: searches that begin alike share it. What is wanted of what is found, and what is found from it, are looked
up by its number: PostgreSQL would join them by comparing all."""


class _Together:
    """Terms that lines have with others, by what was found first."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts
        self._numbers: dict[Any, int] = {}
        """What is found -> its number, from 1 on."""
        self._roots: list[tuple[int, str, str, int, int, int]] = []
        self._terms: list[str] = []
        self._further: list[list[int]] = []
        """What is found from it."""
        self._wanted: list[list[int]] = []
        """Searches that want it."""

    def add(self, at: int, one: OneOf, among: tuple[int, int, int]) -> None:
        """Add a term with others to a search."""
        term, begins, others = self._rarest_first(one)
        number, is_new = self._numbered((term, begins, among), "")
        if is_new:
            self._roots.append((number, term, term + _AFTER_ALL if begins else term, *among))
        for terms in others:
            first = number
            number, is_new = self._numbered((first, terms), " ".join(terms))
            if is_new:
                self._further[first - 1].append(number)
        self._wanted[number - 1].append(at)

    def _numbered(self, key: Any, terms: str) -> tuple[int, bool]:
        """The number of what is found, and whether it is new."""
        if known := self._numbers.get(key):
            return known, False
        self._terms.append(terms)
        self._further.append([])
        self._wanted.append([])
        self._numbers[key] = len(self._terms)
        return len(self._terms), True

    def _rarest_first(self, one: OneOf) -> OneOf:
        """The same with its rarest term listed, where that is known."""
        if one.begins or not (count := self._counts.get(one.term)):
            return one
        rarest = min((each for each in one.others if len(each) == 1), key=self._of, default=None)
        if rarest is None or self._of(rarest) >= count:
            return one
        left = ((one.term,), *(each for each in one.others if each != rarest))
        return OneOf(rarest[0], False, left)

    def _of(self, terms: tuple[str, ...]) -> float:
        return self._counts.get(terms[0]) or inf

    def values(self) -> list[list[Any]]:
        """Return what is found as columns; nothing if nothing was added."""
        if not self._roots:
            return []
        told = [[" ".join(map(str, each)) for each in column] for column in (self._further, self._wanted)]
        return [self._terms, *told, *map(list, zip(*self._roots, strict=True))]


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


@lru_cache(maxsize=256)
def _read(expression: str) -> _Part:
    """An expression; cached, because the same is searched in several ranges of rows."""
    return _Reader(expression).whole()


class OneOf(NamedTuple):
    """What a line has that is found by one term."""

    term: str
    begins: bool
    """Whether the term is the beginning of one."""
    others: tuple[tuple[str, ...], ...]
    """Terms of which it has one, too, and so on."""


def as_terms(expression: str) -> Sequence[OneOf] | None:
    """Return an expression as terms of which a line has one, with others; None if it is more than that."""
    if isinstance(expression, KeySearch) and expression.terms is not None:
        return [OneOf(term, False, () if others is None else (others,)) for term, others in expression.terms]
    return _terms_with_others(_read(expression))


def _terms_with_others(part: _Part) -> list[OneOf] | None:
    """A part as terms of which a line has one, with others; None if it is more than that."""
    if isinstance(part, _Words):
        return [OneOf(part.words[0], part.begins, ())] if len(part.words) == 1 else None
    if not part.all:
        found = [_terms_with_others(each) for each in part.parts]
        return None if None in found else [each for terms in found for each in terms or ()]
    first, *others = part.parts
    found_first = _terms_with_others(first)
    if found_first is None or not all(map(_is_of_terms, others)):
        return None
    further = tuple(terms for each in others for terms in _terms_of(each))
    return [each._replace(others=(*each.others, *further)) for each in found_first]


def _terms_of(part: _Part) -> list[tuple[str, ...]]:
    """Terms of which every line with a part has one, and so on."""
    if isinstance(part, _Words):
        return [(word,) for word in (part.words[:-1] if part.begins else part.words)]
    if part.all:
        return [terms for each in part.parts for terms in _terms_of(each)]
    words = [each.words for each in part.parts if isinstance(each, _Words)]
    return [tuple(word for (word,) in words)] if _is_of_terms(part) else []


def _is_of_terms(part: _Part) -> bool:
    """Whether a line that has the terms of a part has the part."""
    if isinstance(part, _Words):
        return part.is_one_term
    one_of = (part.all or isinstance(each, _Words) for each in part.parts)
    return all(one_of) and all(map(_is_of_terms, part.parts))


class _Reader:
    """Reads an expression."""

    def __init__(self, expression: str) -> None:
        self._expression = expression
        tokens = [*_TOKEN.finditer(expression)]
        if sum(len(found[0]) for found in tokens) != len(expression):
            raise self.unreadable()
        self.left = [found for found in reversed(tokens) if not found[0].isspace()]
        """What was not read yet, the next last."""

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
        if self.left and self.left[-1][0] == word:
            self.left.pop()
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
        if len(parts) == 1:
            return parts[0]
        inner = (part.parts if isinstance(part, _Joined) and part.all else (part,) for part in parts)
        return _Joined(tuple(each for some in inner for each in some), all=True)

    def _one(self) -> _Part:
        if self._next("("):
            inner = self.any_of()
            self._next(")")
            return inner
        found = self.left.pop() if self.left else None
        return _Words(tuple((found[1] or "").split()), bool(found[2])) if found else _Words((), begins=False)


class _Writer:
    """Writes the statement of one expression, its values in the order of their places."""

    def __init__(self, among: RowRange, one: int) -> None:
        self._among = among
        self._one = one
        self._named = 0
        self.values: list[Any] = []

    def rows(self, part: _Part) -> str:
        """Return the statement of the rows that have a part."""
        if isinstance(part, _Joined):
            return self._all(part.parts) if part.all else " union ".join(f"({self.rows(each)})" for each in part.parts)
        if not part.words:
            return "select null::bigint as row where false"
        if len(part.words) == 1:
            return self._having(part.words[0], begins=part.begins)
        return self._all((part,))

    def _all(self, parts: Sequence[_Part]) -> str:
        """The rows of the first part that have all others: first by their terms, then by their lines."""
        first, *others = parts
        if isinstance(first, _Words) and len(first.words) > 1:
            # a phrase is looked up for those rows of its longest whole word that have the other parts, too
            others = [*parts]
            first = _Words((max(first.words[:-1] if first.begins else first.words, key=len),), begins=False)
        found = self.rows(first)
        for terms in dict.fromkeys(terms for each in others for terms in _terms_of(each)):
            if first != _Words(terms, begins=False):
                self._named += 1
                within = _IN_ARRAYS.format(block=_BLOCK_OF, found=f"part_{self._named}", terms="%s")
                found = f"with part_{self._named} as materialized ({found}) select distinct x.row from {within}"
                self.values.append([*terms])
        left = [each for each in others if not _is_of_terms(each)]
        if not left:
            return found
        line = "select ' ' || terms || ' ' as terms from fleet.lines where row = x.row offset 0"
        return f"select row from ({found}) x where (select {' and '.join(map(self._has, left))} from ({line}) l)"

    def _having(self, term: str, *, begins: bool) -> str:
        """The newest rows with a term, or with one that begins so."""
        self.values += [term, term + _AFTER_ALL] if begins else [term]
        return _NEWEST.format(
            distinct="distinct " if begins else "",
            term="term >= %s and term < %s" if begins else "term = %s",
            low=f"{self._among.first}::bigint",
            high=f"{self._among.last}::bigint",
            one=self._one,
            most=MOST_OF_A_TERM,
        )

    def _has(self, part: _Part) -> str:
        """Return the condition that a line has a part."""
        if isinstance(part, _Joined):
            return f"({(' and ' if part.all else ' or ').join(map(self._has, part.parts))})"
        if not part.words:
            return "false"
        self.values.append(f" {' '.join(part.words)}{'' if part.begins else ' '}")
        return "strpos(terms, %s) > 0"
