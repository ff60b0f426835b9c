"""SuCo, search by subspace collision (arXiv 2411.14754), with settings for embeddings of text: docs/vectors.md.

A vector collides with the query in a subspace if it is among the nearest there. Those that collide most are compared
exactly. The codes of the cells are all that is kept; lists of each cell come from them by a counting sort.
Everything is deterministic: no clock, no chance, no order that a thread decides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from commonplace.store.vectors.kernel_twin import BLOCK, CELLS, CENTROIDS, HALVES, SUBSPACES, CellBlock, Codebook
from commonplace.store.vectors.rung_base import Growing, RungBase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.store.vectors.compiled_kernel import Kernel
    from commonplace.store.vectors.rungs import Vectors

_SAMPLE = 20_000
"""Rows that the centroids are trained on."""
_ITERATIONS = 2
"""Of k-means, as published."""
_GROWTH = 4
"""When there are so many times the rows that the centroids were trained for, they are trained again."""
_CHUNK = 65_536


class SuCo(RungBase):
    """Grades rows by collisions in 16 subspaces, and compares the best of them exactly."""

    name = "suco"

    def _built(self) -> None:
        self._codebook = trained(self._vectors, alive=self._alive.rows, loops=self._kernel)
        self._trained_on = len(self)
        self._blocks: list[CellBlock] = []
        self._codes = Growing(np.empty((0, SUBSPACES), np.uint16))
        self._code(0)

    def _added(self, known: int) -> None:
        if len(self) > _GROWTH * self._trained_on:
            self._built()
        else:
            self._code(known)

    def _code(self, known: int) -> None:
        """Code the rows from `known` on. The next question lists their blocks, once for many small additions."""
        for begin in range(known, len(self), _CHUNK):
            part = slice(begin, min(begin + _CHUNK, len(self)))
            nearest = self._kernel.assign(self._vectors[part], self._codebook).astype(np.uint16)
            codes = nearest[:, 0::2] * np.uint16(CENTROIDS) + nearest[:, 1::2]
            codes[~self._alive.rows[part]] = 0
            self._codes.extend(codes)
        del self._blocks[known // BLOCK :]

    def _candidates(self, query: Vectors, k: int, *, may: NDArray[np.bool_] | None) -> NDArray[np.int64] | None:
        codes = self._codes.rows
        for begin in range(len(self._blocks) * BLOCK, len(codes), BLOCK):
            self._blocks.append(self._kernel.listed(codes[begin : begin + BLOCK]))
        count = len(self) if may is None else int(np.count_nonzero(may))
        budget = math.ceil(self._effort.alpha * count)
        scores = self._kernel.collide(query, self._codebook, self._blocks, allowed=may, budget=budget)
        wanted = max(k, self._effort.floor, math.ceil(self._effort.beta * count))
        return self._kernel.highest(scores, wanted)

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        return {
            "codes": self._codes.rows,
            "centroids": self._codebook.centroids,
            "trained_on": np.array([self._trained_on], np.int64),
        }

    def _restored(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        codes, centroids = (arrays["codes"].astype(np.uint16, copy=False), arrays["centroids"].astype(np.float32))
        if codes.shape != (len(self), SUBSPACES) or centroids.shape != (self._vectors.shape[1], CENTROIDS):
            raise ValueError("its codes have another shape")
        if codes.max(initial=0) >= CELLS:
            raise ValueError("a code names no cell")
        self._codebook = _codebook(centroids)
        self._trained_on = int(arrays["trained_on"].astype(np.int64)[0])
        self._blocks, self._codes = [], Growing(codes)


def trained(vectors: Vectors, *, alive: NDArray[np.bool_], loops: Kernel) -> Codebook:
    """Return the centroids of each half, by k-means over evenly spaced rows that are alive."""
    positions = np.flatnonzero(alive)
    rows = np.asarray(vectors[positions[_spaced(len(positions), _SAMPLE)]])
    codebook = _codebook(np.zeros((vectors.shape[1], CENTROIDS), np.float32))
    if not len(rows):
        return codebook
    codebook = _codebook(rows[np.linspace(0, len(rows) - 1, CENTROIDS).astype(np.int64)].T)
    for _ in range(_ITERATIONS):
        nearest = loops.assign(rows, codebook).astype(np.int64)
        centroids = codebook.centroids.copy()
        for half in range(HALVES):
            counts = np.bincount(nearest[:, half], minlength=CENTROIDS)
            for dimension in range(codebook.bounds[half], codebook.bounds[half + 1]):
                sums = np.bincount(nearest[:, half], weights=rows[:, dimension], minlength=CENTROIDS)
                np.divide(sums, counts, out=centroids[dimension], where=counts > 0, casting="same_kind")
        codebook = _codebook(centroids)
    return codebook


def _spaced(among: int, most: int) -> NDArray[np.int64]:
    """Return at most so many positions, evenly spaced."""
    return np.arange(among) if among <= most else np.linspace(0, among - 1, most).astype(np.int64)


def _codebook(centroids: Vectors) -> Codebook:
    """Return the codebook of these centroids, (d, CENTROIDS). Norms are summed dimension by dimension."""
    d = len(centroids)
    bounds = np.array([half * d // HALVES for half in range(HALVES + 1)], np.int32)
    norms = np.zeros((HALVES, CENTROIDS), np.float32)
    for half in range(HALVES):
        for dimension in range(bounds[half], bounds[half + 1]):
            norms[half] += centroids[dimension] * centroids[dimension]
    return Codebook(bounds, np.ascontiguousarray(centroids), norms * np.float32(0.5))
