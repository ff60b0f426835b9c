"""The kernel's twin in numpy: the same answers, bit by bit, where no compiled kernel is.

Each operation on float32 is one elementwise step of numpy, in the order that `kernel.c` states; numpy rounds each of
them, as C does. `sum`, `dot` and `@` are not used for float32: they choose their own order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Vectors

SUBSPACES, CENTROIDS, BLOCK, LANES = 16, 50, 65_536, 32
"""As in `kernel.c`: subspaces, centroids of half a subspace, vectors of a block, sums of a product."""
HALVES, CELLS = 2 * SUBSPACES, CENTROIDS**2
_CHUNK = 1_024
"""Rows that one step of numpy takes: they fit into the processor's cache."""


class Codebook(NamedTuple):
    """The centroids of all halves."""

    bounds: NDArray[np.int32]
    """The first dimension of each half, and the end of the last."""
    centroids: Vectors
    """(d, CENTROIDS): a row a dimension."""
    norms: Vectors
    """(HALVES, CENTROIDS): half the squared length of each."""


class CellBlock(NamedTuple):
    """At most BLOCK vectors in a row, by their cells."""

    codes: NDArray[np.uint16]
    """(rows, SUBSPACES): the cell of each vector."""
    ids: NDArray[np.uint16]
    """(SUBSPACES, rows): the vectors of each cell, where the kernel reads them."""
    offsets: NDArray[np.uint32]
    """(SUBSPACES, CELLS + 1): where each cell begins in them."""


def assign(vectors: Vectors, codebook: Codebook) -> NDArray[np.uint8]:
    """Return the nearest centroid of each vector in each half, of equal ones the first: (n, HALVES)."""
    out = np.empty((len(vectors), HALVES), np.uint8)
    with np.errstate(all="ignore"):
        for begin in range(0, len(vectors), _CHUNK):
            rows = np.asarray(vectors[begin : begin + _CHUNK])
            for half in range(HALVES):
                out[begin : begin + _CHUNK, half] = _half_distances(rows, codebook, half).argmin(1)
    return out


def _half_distances(rows: Vectors, codebook: Codebook, half: int) -> Vectors:
    """Return half the squared distance of each row to each centroid of a half, without what they have in common."""
    sums = np.repeat(codebook.norms[half : half + 1], len(rows), axis=0)
    for dimension in range(codebook.bounds[half], codebook.bounds[half + 1]):
        sums -= rows[:, dimension, None] * codebook.centroids[dimension]
    return sums


def listed(codes: NDArray[np.uint16]) -> CellBlock:
    """Return a block of these codes; numpy needs no lists, only how many vectors each cell has."""
    offsets = np.zeros((SUBSPACES, CELLS + 1), np.uint32)
    for subspace in range(SUBSPACES):
        np.cumsum(np.bincount(codes[:, subspace], minlength=CELLS), out=offsets[subspace, 1:])
    return CellBlock(codes, np.empty((SUBSPACES, 0), np.uint16), offsets)


def collide(
    query: Vectors, codebook: Codebook, blocks: Sequence[CellBlock], *, allowed: NDArray[np.bool_] | None, budget: int
) -> NDArray[np.uint8]:
    """Return the sum of each vector's grades over all subspaces.

    Dynamic Activation visits the cells by distance, equal ones by row and column, so a stable sort gives its order. A
    vector's grade is the number of limits (1/16, 1/4, 1/2 and 1 of the budget) that the vectors in earlier cells have
    not reached.

    Args:
        allowed: of each vector, whether it counts.
        budget: how many vectors may collide in one subspace; the last cell is taken whole.
    """
    n = sum(len(block.codes) for block in blocks)
    scores = np.zeros(n, np.uint8)
    for subspace in range(SUBSPACES):
        near = [_half_distances(query[None], codebook, 2 * subspace + side)[0] for side in (0, 1)]
        rows, columns = (each.argsort(kind="stable") for each in near)
        keys = near[0][rows, None] + near[1][None, columns]
        cells = (rows[:, None] * CENTROIDS + columns).ravel()[keys.ravel().argsort(kind="stable")]
        sizes = sum(
            np.diff(block.offsets[subspace].astype(np.int64))
            if allowed is None
            else np.bincount(block.codes[allowed[at * BLOCK :][: len(block.codes)], subspace], minlength=CELLS)
            for at, block in enumerate(blocks)
        )
        counts = np.zeros(CELLS, np.int64) + sizes
        before = np.cumsum(counts[cells]) - counts[cells]
        grades = np.zeros(CELLS, np.uint8)
        grades[cells] = sum((before * share < budget).astype(np.uint8) for share in (16, 4, 2, 1))
        for at, block in enumerate(blocks):
            scores[at * BLOCK :][: len(block.codes)] += grades[block.codes[:, subspace]]
    if allowed is not None:
        scores[~allowed] = 0
    return scores


def highest(scores: NDArray[np.uint8], wanted: int) -> NDArray[np.int64]:
    """Return the positions of the highest scores, ascending; of one score the first ones; none of score 0."""
    counts = np.bincount(scores, minlength=256)
    above = np.cumsum(counts[::-1])[::-1]
    reaching = np.flatnonzero(above[1:] >= wanted) + 1
    if not len(reaching):
        return np.flatnonzero(scores)
    level = int(reaching[-1])
    ties = np.flatnonzero(scores == level)[: wanted - (int(above[level]) - int(counts[level]))]
    return np.sort(np.concatenate([np.flatnonzero(scores > level), ties]))


def dots(vectors: Vectors, query: Vectors, *, positions: NDArray[np.int64] | None = None) -> Vectors:
    """Return the products of the vectors at these positions, or of all, with the query."""
    rows, d = (len(vectors) if positions is None else len(positions)), vectors.shape[1]
    out = np.empty(rows, np.float32)
    with np.errstate(all="ignore"):
        for begin in range(0, rows, _CHUNK):
            part = slice(begin, begin + _CHUNK)
            products = np.asarray(vectors[part] if positions is None else vectors[positions[part]]) * query
            sums = np.zeros((len(products), LANES), np.float32)
            for first in range(0, d, LANES):
                last = min(first + LANES, d)
                sums[:, : last - first] += products[:, first:last]
            while sums.shape[1] > 1:
                sums = sums[:, : sums.shape[1] // 2] + sums[:, sums.shape[1] // 2 :]
            out[part] = sums[:, 0]
    return out


def dots8(codes: NDArray[np.int8], query: NDArray[np.int8]) -> NDArray[np.int32]:
    """Return the products of all codes with the query: integers."""
    out = np.empty(len(codes), np.int32)
    for begin in range(0, len(codes), _CHUNK):
        out[begin : begin + _CHUNK] = codes[begin : begin + _CHUNK].astype(np.int32) @ query.astype(np.int32)
    return out
