"""The statements of the index in PostgreSQL's dialect: each query is written once, in `store/sqlite`.

Only what the reading queries of a recall use is known; the law that both answer alike is in tests/store/postgres.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_WAYS = ("seqscan", "hashjoin", "mergejoin", "hashagg")
_PLANNED = ("jit", "off"), ("join_collapse_limit", "1"), ("plan_cache_mode", "force_generic_plan")
_SETTINGS = *_PLANNED, *((f"enable_{way}", "off") for way in _WAYS)
BY_KEYS = "select " + ", ".join(f"pg_catalog.set_config('{name}', '{value}', true)" for name, value in _SETTINGS)
"""Tables are joined in the order in which a statement names them, row by row by their keys, as SQLite's `cross join`
has it: without the statistics, which would tell of other tenants, PostgreSQL would read whole tables, and clear a
megabyte to find which of a few rows are alike."""
_PIECE = re.compile(r"'[^']*'|[^']+")
"""A literal, or what is between literals."""
_LIST = re.compile(r"carray\(\?(\d?)\) (\w+)")
_AMONG = re.compile(r"([\w.]+)( not)? in \(select value from carray\(\?(\d?)\)\)")
_BY_KEY = re.compile(
    r"(?:cross )?join (\w+) (\w+) on \2\.(\w+) = (j\.value(?: ->> 0)?|\(select low from blocks [^()]+\))"
    r"(?! \w+ \2\.\w+ = cast)(?: and \2\.(\w+) = (j\.value ->> 1))?"
)
"""A table that is read by a key of each value of a list. PostgreSQL, told nothing of how rare a key is, would read the
table and look each row up in the list: what is below `lateral` it reads for each value."""
_BESIDE = re.compile(r"(left |cross )?join (files|facts) (\w) using \((\w+)\)")
"""The file or the fact of a row: for the same reason looked up for each."""
_ALIAS = re.compile(r"\b(?:from|join) \w+(?:\([^()]*\))? (\w+)")
_GLOB = re.compile(r" glob '([^'*]*)\*'")
_LAST_BLOCK = "(select max(low) from blocks where low <= j.value)"
_NUMBERS = frozenset({"row", "low", "file"})
"""Columns with numbers; the others that are compared with lists hold texts."""
_VALUE = re.compile(r"%(?:%|\((\w+)\)s|s)")
"""The place of a value, or a percent sign."""
_PLAIN = (
    # looked up for each of those before, too
    ("cross join blocks b on b.file = h.file", ", lateral (select * from blocks where file = h.file offset 0) b"),
    (
        "cross join lines l on l.row between b.low and b.high",
        ", lateral (select * from lines where row between b.low and b.high offset 0) l",
    ),
    ("cross join", "join"),
    ("group_concat(", "string_agg("),
    (_LAST_BLOCK, "(select low from blocks where low <= j.value order by low desc limit 1)"),
    ("char(31)", "chr(31)"),
    ("json_each(?) j", "json_array_elements(?::json) as j(value)"),
    ("l.speaker is m.name", "l.speaker is not distinct from m.name"),
)


_MADE = "pg_catalog.extract('epoch', prepare_time)"
PLANS = (
    f"(select pg_catalog.json_object_agg(name, pg_catalog.json_build_array({_MADE},"
    f" case when {_MADE} operator(pg_catalog.>) %(since)s then pg_catalog.encode(pg_catalog.sha256("
    "pg_catalog.convert_to(statement, 'UTF8')), 'hex') end)) from pg_catalog.pg_prepared_statements)"
)
"""The plans that a server has for whoever uses this connection: name -> when it was made, and the digest of the
statement; no digest of those that are as old as one that is known, since these take milliseconds."""


MAKES = "prepare"
"""How what makes a plan begins."""


class KeptPlan:
    """A statement whose plan the server keeps: to read it and to make its plan may take longer than to run it.

    It is kept by the connection of the server. Behind a pool that may be another one in each transaction, with what
    others left there; so it is asked for (`PLANS`), and one of this name that is another statement is left alone.
    """

    def __init__(self, text: str) -> None:
        self._names: list[str] = []
        text = _VALUE.sub(self._place, text)
        self.name = f"commonplace_{sha256(text.encode()).hexdigest()[:16]}"
        self.making = f"{MAKES} {self.name} as {text}"
        self.digest = sha256(self.making.encode()).hexdigest()

    def _place(self, found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        name = found[1] or str(len(self._names))
        if name not in self._names:
            self._names.append(name)
        return f"${self._names.index(name) + 1}"

    def using(self, values: Mapping[str, Any] | Sequence[Any]) -> str:
        """Return the statement that runs it with these values."""
        given = [values[name] for name in self._names] if isinstance(values, Mapping) else values
        return f"execute {self.name}({', '.join(map(_literal, given))})" if given else f"execute {self.name}"


def written(text: str, values: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return a statement with these values in it."""
    given = iter(values)

    def place(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        return _literal(values[found[1]] if isinstance(values, Mapping) else next(given))

    return _VALUE.sub(place, text)


def _literal(value: Any) -> str:
    """A number, a text or a list of these, for PostgreSQL to read as whatever it is compared with."""
    if value is None:
        return "null"
    text = "{" + _listed(value) + "}" if isinstance(value, list) else str(value)
    text = text.replace("\0", "\ufffd").replace("\\", "\\\\").replace("'", "''")
    return f"E'{text}'"


def _listed(values: list[Any]) -> str:
    if not values or not isinstance(values[0], str):
        return str(values)[1:-1]
    texts = [str(value).replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return '"' + '","'.join(texts) + '"'


@cache
def translated(sql: str) -> str:
    """Return a statement for psycopg, with `%s` for each `?`, and `%(p1)s` for `?1`."""
    for ours, theirs in _PLAIN:
        sql = sql.replace(ours, theirs)
    sql = _BESIDE.sub(lambda found: _looked_up(found, _ALIAS.findall(sql[: found.start()])), sql)
    sql = _BY_KEY.sub(_for_each, sql)
    sql = _GLOB.sub(r" like '\1%'", sql)
    sql = _AMONG.sub(_among, sql)
    sql = _LIST.sub(lambda found: f"(select {_unnested(found[1], _compared(sql, found[2]))}) as {found[2]}(value)", sql)
    return "".join(_with_places(piece) for piece in _PIECE.findall(sql))


def _for_each(found: re.Match[str]) -> str:
    table, alias, column, value, other, also = found.groups()
    where = f"{column} = {value}" + (f" and {other} = {also}" if other else "")
    return f"cross join lateral (select * from {table} where {where} offset 0) {alias}"


def _looked_up(found: re.Match[str], before: Sequence[str]) -> str:
    """The file or the fact of the row of the nearest table before that has one."""
    outer, table, alias, column = found.groups()
    of = next(each for each in reversed(before) if each not in "fjk")
    lateral = f"lateral (select * from {table} where {column} = {of}.{column} offset 0) {alias}"
    return f"left join {lateral} on true" if outer == "left " else f"cross join {lateral}"


def _among(found: re.Match[str]) -> str:
    # a bare `path` is that of a kind of file, in any workspace
    column = "split_part(path, ':', 2)" if found[1] == "path" else found[1]
    return f"{column}{found[2] or ''} in (select {_unnested(found[3], found[1])})"


def _compared(sql: str, alias: str) -> str:
    """The column that the values of a list are compared with."""
    found = re.search(rf"([\w.]+) <?= {alias}\.value\b", sql)
    return found[1] if found else "text"


def _unnested(number: str, column: str) -> str:
    if column.rpartition(".")[2] in _NUMBERS:
        return f"unnest(?{number}::bigint[])"
    return f'unnest(?{number}::text[]) collate "C"'


def _with_places(piece: str) -> str:
    piece = piece.replace("%", "%%")
    return piece if piece.startswith("'") else re.sub(r"\?(\d?)", lambda at: f"%(p{at[1]})s" if at[1] else "%s", piece)
