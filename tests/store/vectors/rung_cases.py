"""What the tests of vector search share: the rungs with the kernels they run on, vectors, and a search in float64."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonplace.store.vectors import kernel_twin
from commonplace.store.vectors.compiled_kernel import LIBRARY, CompiledKernel, Kernel
from commonplace.store.vectors.exact_scan import Float32Scan, Int8Scan
from commonplace.store.vectors.hnsw import Hnsw
from commonplace.store.vectors.rung_base import Effort, RungBase
from commonplace.store.vectors.suco import SuCo

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Vectors

COMPILED = CompiledKernel(LIBRARY)
TWIN: Kernel = kernel_twin
ALL = Effort(few=0, spare=200, alpha=1, beta=1)
"""Nothing is left out, and a filter is the rung's own."""
SOME = Effort(few=0, spare=20, alpha=0.2, beta=0.01, floor=100)


class Case(NamedTuple):
    """A rung on one of the kernels."""

    kind: type[RungBase]
    loops: Kernel

    def __str__(self) -> str:
        return f"{self.kind.name}-{'compiled' if self.loops is COMPILED else 'twin'}"

    def build(self, vectors: Vectors, *, effort: Effort = ALL) -> RungBase:
        return self.kind.build(vectors, effort=effort, loops=self.loops)

    def load(self, path: Path, vectors: Vectors, *, effort: Effort = ALL) -> RungBase:
        return self.kind.load(path, vectors, effort=effort, loops=self.loops)


CASES = [
    *(Case(kind, loops) for kind in (Float32Scan, Int8Scan, SuCo) for loops in (COMPILED, TWIN)),
    Case(Hnsw, COMPILED),
]


def directions(n: int, d: int, *, seed: int = 1) -> Vectors:
    """Vectors of length 1 in clusters, which differ in a few directions, as texts do; by each seed others of them."""
    kind, random = np.random.default_rng(d), np.random.default_rng(seed)
    centres, spread = kind.standard_normal((30, d)), kind.standard_normal((6, d))
    return unit(centres[random.integers(0, 30, n)] + 0.3 * random.standard_normal((n, 6)) @ spread)


def unit(rows: NDArray[np.float64]) -> Vectors:
    """The same directions, with length 1."""
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def nearest(vectors: Vectors, query: Vectors, k: int, *, allowed: NDArray[np.bool_] | None = None) -> list[int]:
    """The positions of the k largest products, by float64."""
    values = vectors.astype(np.float64) @ query.astype(np.float64)
    among = np.arange(len(vectors)) if allowed is None else np.flatnonzero(allowed)
    return [int(each) for each in among[np.argsort(-values[among], kind="stable")][:k]]
