"""HNSW by usearch, where a setting asks for it: the fastest question, for a slow build and slow additions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import ExtensionMissing
from commonplace.store.vectors.rung_base import RungBase

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from usearch.index import Index

    from commonplace.store.vectors.rungs import Vectors

_MOST_ASKED = 10_000
"""Neighbours beyond which a walk costs more than comparing all rows."""


class Hnsw(RungBase):
    """Walks usearch's graph of the rows, kept there as one byte a dimension, and compares what it finds exactly.

    One thread builds it, so it is the same each time. A walk cannot leave rows out: where a filter took too much of
    what it found, a longer one follows, and where that is not enough, all allowed rows are compared.
    """

    name = "hnsw"

    def _built(self) -> None:
        self._graph = _graph(self._vectors.shape[1])
        self._added(0)

    def _added(self, known: int) -> None:
        positions = known + np.flatnonzero(self._alive.rows[known:])
        self._graph.add(positions.astype(np.uint64), np.asarray(self._vectors[positions]), threads=1)

    def _candidates(self, query: Vectors, k: int, *, may: NDArray[np.bool_] | None) -> NDArray[np.int64] | None:
        wanted = k + self._effort.spare
        asked = wanted
        while asked <= min(_MOST_ASKED, len(self._graph)):
            matches = self._graph.search(query, asked, threads=1)
            found = np.sort(np.asarray(matches.keys).astype(np.int64))
            if may is None:
                return found
            found = found[may[found]]
            if len(found) >= wanted:
                return found
            asked *= 4
        return None if may is None else np.flatnonzero(may)

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        saved = self._graph.save()
        return {"graph": np.frombuffer(saved or b"", np.uint8)}

    def _restored(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        self._graph = _graph(self._vectors.shape[1])
        try:
            self._graph.load(arrays["graph"].tobytes())
        except RuntimeError as error:
            raise ValueError(str(error)) from error


def _graph(dimensions: int) -> Index:
    """Return an empty graph. Raises ExtensionMissing where usearch is not installed."""
    try:
        from usearch.index import Index
    except ImportError as error:
        raise ExtensionMissing("hnsw needs usearch", "hnsw") from error
    return Index(ndim=dimensions, metric="ip", dtype="i8", expansion_search=128)
