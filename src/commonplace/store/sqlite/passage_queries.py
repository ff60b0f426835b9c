"""Queries for passages: which text to embed is in which row, by key. Empty unless meaning is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from commonplace.store.sqlite.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from commonplace.core.recall.index_rows import RowRange

    Vectors = NDArray[np.float32]


class PassageSearch(Protocol):
    """What finds the passages nearest to a question: `store.vectors.vector_search.VectorSearch`."""

    @property
    def name(self) -> str:
        """Of the set of vectors: the model's fingerprint, and the dimensions."""

    def nearest(
        self, query: Vectors, k: int, *, keys: Sequence[int] | None = None, others: Sequence[int] = ()
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the keys of the k nearest passages, and those of other passages, with their nearness."""


class PassageQueries(Database):
    """Finds passages by row, and rows by passage; counts and drops them."""

    def drop_passages(self) -> None:
        """Note no passages any more."""

        def work() -> None:
            self.run("delete from passages")
            self.run("update meta set value = 0 where key = 'embeds'")

        self.transaction(work)

    def count_passages(self) -> int:
        """Return the number of passages, each text once."""
        return self.one("select count(distinct key) from passages") or 0

    def passage_rows(self, keys: Iterable[int]) -> list[tuple[int, int]]:
        """Return (key, row) of each row with one of these passages."""
        sql = "select p.key, p.row from carray(?) j cross join passages p on p.key = j.value"
        return self.all(sql, (self.listed(keys),))

    def passage_keys(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """Return (key, row) of each passage of these rows."""
        sql = "select p.key, p.row from carray(?) j cross join passages p on p.row = j.value"
        return self.all(sql, (self.listed(rows),))

    def nearest_rows(
        self, search: PassageSearch, query: Vectors, most: int, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the rows nearest to a question, and those and the given rows, each with how near: in standard
        deviations above the mean of all passages.

        Args:
            query: one vector of length 1. most: rows to return. among: the only ones; None: any.
            rows: further rows whose nearness is asked for.
        """
        pairs = self.passage_keys(rows)
        near, told = search.nearest(query, most, others=list({key for key, _ in pairs}))
        found = self._rows_near(near, among)
        if among is not None and len(found) < most:
            near, _ = search.nearest(query, most, keys=self.passages_among(among))
            found = self._rows_near(near, among)
        first = sorted(found, key=found.__getitem__, reverse=True)[:most]
        nearest = {row: found[row] for row in first}
        return nearest, _by_row(told, pairs) | nearest

    def _rows_near(self, near: Mapping[int, float], among: RowRange | None) -> dict[int, float]:
        found = _by_row(near, self.passage_rows(near))
        return found if among is None else {row: each for row, each in found.items() if among.has(row)}

    def passages_among(self, among: RowRange) -> list[int]:
        """Return the keys of the passages of a range of rows, in any order."""
        return [key for (key,) in self.run("select distinct key from passages where row between ? and ?", among)]

    def all_passages(self) -> list[tuple[int, int]]:
        """Return (key, row) of each passage, of the newest row with it: those of facts first, then the newest."""
        sql = (
            "select p.key, max(p.row) from passages p left join facts x using (row) group by p.key"
            " order by max(x.row is not null) desc, max(p.row) desc"
        )
        return self.all(sql)

    def newest_passages(self, limit: int) -> list[tuple[int, int]]:
        """Return (key, row) of the passages of the newest rows."""
        return self.all("select key, row from passages order by row desc limit ?", (limit,))


def _by_row(nearness: Mapping[int, float], pairs: Iterable[tuple[int, int]]) -> dict[int, float]:
    """Row -> the nearness of its nearest passage."""
    found: dict[int, float] = {}
    for key, row in pairs:
        if key in nearness:
            found[row] = max(found.get(row, nearness[key]), nearness[key])
    return found
