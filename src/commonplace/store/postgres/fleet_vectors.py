"""Vectors of shared passages in pgvector: by the key of their passage, so that what two workspaces say alike has one.

Those of a tenant with few are compared row by row, which misses none. A tenant with many has a graph (HNSW) of its own,
which is walked on until enough passages have passed the filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from psycopg import sql

from commonplace.store.postgres.fleet_text import WORKSPACES
from commonplace.store.postgres.patient_connection import has_table, schema_of_pgvector
from commonplace.store.sqlite.index_schema import DAY
from commonplace.store.vectors.vector_search import LEAST_DEVIATION, NEAREST_LEFT_OUT, SAMPLE, SPARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    import psycopg
    from psycopg.rows import TupleRow

    from commonplace.core.recall.index_rows import RowRange
    from commonplace.store.vectors.rungs import Vectors

    _Statement = tuple[str, dict[str, Any]]

COMPARED = 10_000
"""Vectors of a tenant up to which all are compared (docs/fleet.md has the times of both)."""
_EF_SEARCH = "240"
"""Candidates that a walk keeps: with pgvector's 40 it found .74 of the ten nearest of 60,000 below a filter."""
_BATCH = 200
"""Vectors of one transaction."""
_LOOK = 10 * _BATCH
"""Vectors between two looks at whether they are many now."""


def nearest(
    ask: Callable[[Sequence[_Statement]], list[list[Any]]],
    query: Vectors,
    most: int,
    *,
    of: tuple[str, str],
    name: str,
    among: RowRange | None,
    rows: Iterable[int],
) -> tuple[dict[int, float], dict[int, float]]:
    """Return what `Index.nearest_rows` does; nothing if the fleet has no vectors.

    Args:
        ask: returns the records of several statements.
        of: the schema of pgvector, and the tenant's own part of the vectors; empty if there is none.
        name: of the set of vectors.
    """
    schema, part = of
    if not schema:
        return {}, {}
    write = _Statements(schema, part, query.tolist(), name)
    *_, ((mean, deviation),), near, told = ask(
        [*write.settings(), write.scale(), write.nearest(most if among else SPARE * most, among), write.beside([*rows])]
    )
    mean, deviation = mean or 0.0, max(deviation or 0.0, LEAST_DEVIATION)
    found = {row: (cosine - mean) / deviation for row, cosine in _best(near).items() if among is None or among.has(row)}
    beside = {row: (cosine - mean) / deviation for row, cosine in _best(told).items()}
    first = {row: found[row] for row in sorted(found, key=found.__getitem__, reverse=True)[:most]}
    return first, beside | first


def _best(cosines: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Row -> the cosine of its nearest passage."""
    found: dict[int, float] = {}
    for row, cosine in cosines:
        found[row] = max(found.get(row, cosine), cosine)
    return found


class _Statements:
    """What is asked about one question."""

    def __init__(self, schema: str, part: str, query: Sequence[float], name: str) -> None:
        vector = sql.SQL("{}.vector").format(sql.SQL(schema))
        typed = sql.SQL("{}({})").format(vector, sql.Literal(len(query)))
        told = sql.SQL("%(query)s::real[]::{}").format(vector)
        # the graph is of vectors with their dimensions
        of = sql.SQL("v.embedding::{}" if part else "v.embedding").format(typed)
        self._graph = bool(part)
        self._from = sql.SQL("fleet.{}").format(sql.SQL(part or "vectors"))
        self._distance = sql.SQL("({}) operator({}.<#>) {}").format(of, sql.SQL(schema), told)
        self._cosine = sql.SQL("-(v.embedding operator({}.<#>) {})").format(sql.SQL(schema), told)
        self._name = sql.Literal(name)
        self._query = {"query": list(query)}

    def settings(self) -> list[_Statement]:
        """What a walk over the graph needs: without statistics PostgreSQL might sort all instead."""
        if not self._graph:
            return []
        wanted = {"hnsw.iterative_scan": "strict_order", "hnsw.ef_search": _EF_SEARCH, "enable_sort": "off"}
        return [("select set_config(%(name)s, %(to)s, true)", {"name": name, "to": to}) for name, to in wanted.items()]

    def _written(self, text: str, **given: Any) -> _Statement:
        parts = {"distance": self._distance, "cosine": self._cosine, "name": self._name, "table": self._from}
        return sql.SQL(text).format(**parts).as_string(None), {**self._query, **given}

    def scale(self) -> _Statement:
        """Mean and deviation of the cosines of a sample, without its nearest."""
        return self._written(
            "with sample as materialized (select {cosine} as c from (select * from {table} where model = {name}"
            " order by key limit %(sample)s) v), told as (select c, row_number() over (order by c) as at,"
            " count(*) over () as n from sample where c <> 0)"
            " select avg(c), stddev_pop(c) from told where at <= n - greatest(1, n / %(left)s) or n = 1",
            sample=SAMPLE,
            left=NEAREST_LEFT_OUT,
        )

    def nearest(self, most: int, among: RowRange | None) -> _Statement:
        """(row, cosine) of the rows of the nearest passages."""
        within = (
            " and (select true from fleet.passages p where p.key = v.key"
            " and p.row between %(low)s and %(high)s limit 1)"
        )
        given = {"low": among.first, "high": among.last} if among else {}
        return self._written(
            "select p.row, n.cosine from (select v.key, {cosine} as cosine from {table} v where v.model = {name}"
            f"{within if among else ''} order by {{distance}} limit %(most)s) n"
            " cross join lateral (select row from fleet.passages where key = n.key offset 0) p",
            most=most,
            **given,
        )

    def beside(self, rows: Sequence[int]) -> _Statement:
        """(row, cosine) of the passages of these rows."""
        return self._written(
            "select j.value, {cosine} from unnest(%(rows)s::bigint[]) j(value)"
            " cross join lateral (select key from fleet.passages where row = j.value offset 0) p"
            " cross join lateral (select * from fleet.vectors where model = {name} and key = p.key offset 0) v",
            rows=[*rows],
        )


class VectorWriter:
    """Brings the vectors of one workspace's shared passages into the fleet. What is there stays, so it can be killed.

    Args:
        number: of the workspace.
        name: of the set of vectors.
        turn: a transaction that no other push of the tenant is in: else a vector could come after its last line went.
    """

    def __init__(
        self,
        db: psycopg.Connection[TupleRow],
        number: int,
        name: str,
        *,
        turn: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._db = db
        self._turn = turn
        self._number = number
        self._name = name

    def lacking(self) -> list[int]:
        """Return the keys of the passages without a vector."""
        lacking = (
            "select distinct p.key from fleet.passages p where p.row >> %s & %s = %s and not exists"
            " (select from fleet.vectors v where v.model = %s and v.key = p.key) order by 1"
        )
        values = (DAY, WORKSPACES - 1, self._number, self._name)
        return [key for (key,) in self._db.execute(lacking, values)]

    def send(self, read: Callable[[Sequence[int]], tuple[Sequence[int], Vectors]], *, dimensions: int) -> int | None:
        """Send those that there are; return how many, None if the fleet has no place for vectors.

        Args:
            read: returns the keys, of these, that have a vector, and the vectors.
        """
        if not has_table(self._db, "vectors"):
            return None
        schema, lacking, sent = schema_of_pgvector(self._db), self.lacking(), 0
        # only while a line has the passage: somebody may have forgotten it since
        insert = (
            f"insert into fleet.vectors (model, key, embedding) select %s, %s, %s::real[]::{schema}.vector"
            " where exists (select from fleet.passages p where p.key = %s) on conflict do nothing"
        )
        for at in range(0, len(lacking), _BATCH):
            keys, vectors = read(lacking[at : at + _BATCH])
            with self._turn(), self._db.cursor() as cursor:
                told = zip(keys, vectors, strict=True)
                cursor.executemany(insert, [(self._name, key, each.tolist(), key) for key, each in told])
                sent += max(0, cursor.rowcount)
            if keys and (at % _LOOK == 0 or at + _BATCH >= len(lacking)):
                # in time: a graph that grows with its vectors is never built whole, which may take minutes
                self._db.execute("select fleet.index_vectors(%s, %s, %s)", (self._name, dimensions, COMPARED))
        return sent
