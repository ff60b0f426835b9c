"""The compiled kernel (`kernel.c`) by ctypes, or its twin in numpy where there is none.

The build compiles it beside this module (`hatch_build.py`). Both give the same bits; only the time differs.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from commonplace.store.vectors import kernel_twin
from commonplace.store.vectors.kernel_twin import CELLS, HALVES, SUBSPACES, CellBlock, Codebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Vectors

LIBRARY = Path(__file__).with_name("libkernel.bin")
_VERSION = 1
"""`commonplace_kernel()` of the library that this module calls."""


class Kernel(Protocol):
    """The inner loops: those of `kernel_twin`, which says what each returns."""

    def assign(self, vectors: Vectors, codebook: Codebook) -> NDArray[np.uint8]: ...  # noqa: D102
    def listed(self, codes: NDArray[np.uint16]) -> CellBlock: ...  # noqa: D102
    def collide(  # noqa: D102
        self,
        query: Vectors,
        codebook: Codebook,
        blocks: Sequence[CellBlock],
        *,
        allowed: NDArray[np.bool_] | None,
        budget: int,
    ) -> NDArray[np.uint8]: ...
    def highest(self, scores: NDArray[np.uint8], wanted: int) -> NDArray[np.int64]: ...  # noqa: D102
    def dots(  # noqa: D102
        self, vectors: Vectors, query: Vectors, *, positions: NDArray[np.int64] | None = None
    ) -> Vectors: ...
    def dots8(self, codes: NDArray[np.int8], query: NDArray[np.int8]) -> NDArray[np.int32]: ...  # noqa: D102


class CompiledKernel:
    """The kernel in C. Raises OSError where the library is missing or of another version."""

    def __init__(self, path: Path) -> None:
        self._c = ctypes.CDLL(str(path))
        version = getattr(self._c, "commonplace_kernel", lambda: 0)()
        if version != _VERSION:
            raise OSError(f"{path} has version {version} of the kernel, not {_VERSION}")
        self._c.commonplace_highest.restype = ctypes.c_int64

    def assign(self, vectors: Vectors, codebook: Codebook) -> NDArray[np.uint8]:
        """As in the twin."""
        out = np.empty((len(vectors), HALVES), np.uint8)
        n, d = vectors.shape
        self._c.commonplace_assign(
            _at(vectors), ctypes.c_int64(n), ctypes.c_int32(d), *(_at(each) for each in codebook), _at(out)
        )
        return out

    def listed(self, codes: NDArray[np.uint16]) -> CellBlock:
        """As in the twin, with lists."""
        ids = np.empty((SUBSPACES, len(codes)), np.uint16)
        offsets = np.empty((SUBSPACES, CELLS + 1), np.uint32)
        self._c.commonplace_list(_at(codes), ctypes.c_int32(len(codes)), _at(ids), _at(offsets))
        return CellBlock(codes, ids, offsets)

    def collide(
        self,
        query: Vectors,
        codebook: Codebook,
        blocks: Sequence[CellBlock],
        *,
        allowed: NDArray[np.bool_] | None,
        budget: int,
    ) -> NDArray[np.uint8]:
        """As in the twin."""
        scores = np.zeros(sum(len(block.codes) for block in blocks), np.uint8)
        pointers = ctypes.c_void_p * len(blocks)
        self._c.commonplace_collide(
            _at(query),
            *(_at(each) for each in codebook),
            pointers(*(block.ids.ctypes.data for block in blocks)),
            pointers(*(block.offsets.ctypes.data for block in blocks)),
            ctypes.c_int64(len(scores)),
            None if allowed is None else _at(allowed),
            ctypes.c_int64(budget),
            _at(scores),
        )
        return scores

    def highest(self, scores: NDArray[np.uint8], wanted: int) -> NDArray[np.int64]:
        """As in the twin."""
        out = np.empty(min(wanted, len(scores)), np.int64)
        found = self._c.commonplace_highest(
            _at(scores), ctypes.c_int64(len(scores)), ctypes.c_int64(len(out)), _at(out)
        )
        return out[:found]

    def dots(self, vectors: Vectors, query: Vectors, *, positions: NDArray[np.int64] | None = None) -> Vectors:
        """As in the twin."""
        rows = len(vectors) if positions is None else len(positions)
        out = np.empty(rows, np.float32)
        where = None if positions is None else _at(positions)
        d = ctypes.c_int32(vectors.shape[1])
        self._c.commonplace_dots(_at(vectors), d, where, ctypes.c_int64(rows), _at(query), _at(out))
        return out

    def dots8(self, codes: NDArray[np.int8], query: NDArray[np.int8]) -> NDArray[np.int32]:
        """As in the twin."""
        out, wide = np.empty(len(codes), np.int32), query.astype(np.int16)
        n, d = codes.shape
        self._c.commonplace_dots8(_at(codes), ctypes.c_int64(n), ctypes.c_int32(d), _at(wide), _at(out))
        return out


def _at(array: NDArray[np.generic]) -> ctypes.c_void_p:
    """Return where the elements are, for C. The caller keeps the array until C has returned."""
    if not array.flags.c_contiguous:
        raise ValueError("the kernel reads arrays without gaps only")
    return ctypes.c_void_p(array.ctypes.data)


@cache
def compiled(path: Path = LIBRARY) -> CompiledKernel | None:
    """Return the compiled kernel, or None where it cannot be loaded."""
    try:
        return CompiledKernel(path)
    except OSError:
        return None


def kernel() -> Kernel:
    """Return the compiled kernel, or its twin."""
    return compiled(LIBRARY) or cast("Kernel", kernel_twin)
