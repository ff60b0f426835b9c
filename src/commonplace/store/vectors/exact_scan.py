"""Exact search: every row is compared, as float32, or by one byte a dimension and then the best as float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from commonplace.store.vectors.rung_base import Growing, RungBase, best

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Vectors

_CHUNK = 8_192


class Float32Scan(RungBase):
    """Compares every row as it is: nothing is built, nothing is missed."""

    name = "float32"


class Int8Scan(RungBase):
    """Compares one byte a dimension, with one scale a row, and the best as float32: a quarter of the memory is read."""

    name = "int8"

    def _built(self) -> None:
        codes, scales = _quantized(self._vectors)
        self._codes, self._scales = Growing(codes), Growing(scales)

    def _added(self, known: int) -> None:
        codes, scales = _quantized(self._vectors[known:])
        self._codes.extend(codes)
        self._scales.extend(scales)

    def _candidates(self, query: Vectors, k: int, *, may: NDArray[np.bool_] | None) -> NDArray[np.int64] | None:
        code = _quantized(query[None])[0][0]
        about = self._kernel.dots8(self._codes.rows, code).astype(np.float32) * self._scales.rows
        if may is not None:
            about[~may] = -np.inf
        found = np.sort(best(about, min(k + self._effort.spare, len(about)))[0])
        return found if may is None else found[may[found]]

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        return {"codes": self._codes.rows, "scales": self._scales.rows}

    def _restored(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        codes, scales = arrays["codes"].astype(np.int8, copy=False), arrays["scales"].astype(np.float32, copy=False)
        if codes.shape != self._vectors.shape or scales.shape != (len(self),):
            raise ValueError("its codes have another shape")
        self._codes, self._scales = Growing(codes), Growing(scales)


def _quantized(vectors: Vectors) -> tuple[NDArray[np.int8], Vectors]:
    """Return each row as whole numbers of -127 to 127, and what one of them is worth; 0 where it is not finite."""
    codes = np.empty(vectors.shape, np.int8)
    scales = np.empty(len(vectors), np.float32)
    for begin in range(0, len(vectors), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        rows = np.asarray(vectors[part])
        largest = np.maximum(rows.max(1, initial=0), -rows.min(1, initial=0))
        largest[~np.isfinite(largest)] = 0
        scales[part] = largest / np.float32(127)
        with np.errstate(all="ignore"):
            scaled = np.rint(rows * (np.float32(127) / largest)[:, None])
        codes[part] = np.where((largest > 0)[:, None], scaled, 0)
    return codes, scales
