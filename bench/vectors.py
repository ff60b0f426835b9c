"""Where each rung of vector search begins to pay: recall, time and memory; prints a Markdown table, row by row.

    python bench/vectors.py [--sizes 10000 100000 1000000] [--rungs float32 int8 suco hnsw scann] [--queries 100]

Vectors are synthetic, of 384 dimensions: clusters of very uneven size, in each of which vectors differ mostly in 24
directions, as embeddings of text do, and a little in all. Queries are drawn alike, and none of them is in the index.
Recall@10 is the share of the ten nearest by a scan of float32. Times are CPU time of this process: of a question the
median, of a build all, of additions those of 1,000 vectors at once. Memory is what a rung keeps beside the vectors.

hnsw needs usearch, scann the package of this name. What is not installed is left out, and so are both above --most
vectors, because their builds then take many minutes. In an environment without commonplace, set PYTHONPATH=src.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from commonplace.store.vectors.exact_scan import Float32Scan
from commonplace.store.vectors.rung_base import USUAL, RungBase
from commonplace.store.vectors.rungs import RUNGS, rung

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DIMENSIONS, CLUSTERS, BASES, WITHIN, K = 384, 2_000, 64, 24, 10
ADDED = 1_000
_CHUNK = 20_000


class Clusters:
    """A source of vectors; the same each time."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        topics = self._normal(50, DIMENSIONS)
        self._centres = topics[self._random.integers(0, 50, CLUSTERS)] + 0.8 * self._normal(CLUSTERS, DIMENSIONS)
        self._bases = self._normal(BASES * WITHIN, DIMENSIONS).reshape(BASES, WITHIN, DIMENSIONS)
        self._basis = self._random.integers(0, BASES, CLUSTERS)
        sizes = self._random.pareto(1.2, CLUSTERS) + 0.2
        self._sizes = sizes / sizes.sum()

    def _normal(self, n: int, d: int) -> Vectors:
        return self._random.standard_normal((n, d), np.float32) / np.float32(DIMENSIONS**0.5)

    def drawn(self, n: int) -> Vectors:
        """So many vectors of length 1."""
        out = np.empty((n, DIMENSIONS), np.float32)
        for begin in range(0, n, _CHUNK):
            rows = out[begin : begin + _CHUNK]
            cluster = self._random.choice(CLUSTERS, len(rows), p=self._sizes)
            rows[:] = self._centres[cluster] + 0.35 * self._normal(len(rows), DIMENSIONS)
            shifts = 0.35 * self._random.standard_normal((len(rows), WITHIN), np.float32)
            for each in range(BASES):
                at = np.flatnonzero(self._basis[cluster] == each)
                rows[at] += shifts[at] @ self._bases[each]
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return out


class Measured(NamedTuple):
    """One way of search, built over some vectors."""

    ask: Callable[[Vectors], NDArray[np.int64]]
    add: Callable[[], object] | None
    """Adds vectors that are new to it."""
    memory: Callable[[], int] | None
    """Bytes that it keeps beside the vectors."""


def ours(name: str, vectors: Vectors, grown: Vectors) -> Measured:
    kind = next(rung(each) for each in RUNGS if each == name)
    assert issubclass(kind, RungBase)
    built = kind.build(vectors, effort=USUAL._replace(few=0))  # few are compared by every rung alike
    return Measured(lambda query: built.nearest(query, K)[0], lambda: built.add(grown), lambda: kept(built))


def kept(built: RungBase) -> int:
    """Bytes of all arrays that a rung has beside its vectors, and of the scores of one question."""
    arrays = [built._alive.rows, *built._arrays().values()]
    lists = [array for block in getattr(built, "_blocks", ()) for array in (block.ids, block.offsets)]
    size: int = sum(each.nbytes for each in (*arrays, *lists))
    return size + (len(built) if lists else 0)


def scann(vectors: Vectors) -> Measured:
    """As its own page shows: a tree, codes of two dimensions each, and the best 100 compared exactly."""
    import scann

    leaves = int(len(vectors) ** 0.5 * 2)
    builder: Any = scann.scann_ops_pybind.builder(vectors, K, "dot_product")
    tree = builder.tree(num_leaves=leaves, num_leaves_to_search=leaves // 10, training_sample_size=len(vectors))
    built = tree.score_ah(2, anisotropic_quantization_threshold=0.2).reorder(100).build()
    return Measured(lambda query: built.search(query)[0].astype(np.int64), None, None)


def row(name: str, vectors: Vectors, grown: Vectors, *, queries: Vectors, truth: list[set[int]]) -> str:
    """Measure one way of search, and return its row."""
    begin = time.process_time()
    measured = scann(vectors) if name == "scann" else ours(name, vectors, grown)
    build = time.process_time() - begin
    measured.ask(queries[0])  # makes the lists of what was built
    memory = f"{measured.memory() / len(vectors):.1f}" if measured.memory else "–"
    costs, found = [], 0
    for query, nearest in zip(queries, truth, strict=True):
        begin = time.process_time()
        positions = measured.ask(query)
        costs.append(time.process_time() - begin)
        found += len(nearest & {*positions.tolist()})
    add = "–"
    if measured.add:
        begin = time.process_time()
        measured.add()
        add = f"{(time.process_time() - begin) / ADDED * 1e6:.1f}"
    figures = (f"{found / K / len(queries):.3f}", f"{median(costs) * 1e3:.2f}", f"{build:.2f}", add, memory)
    return " | ".join((f"| {len(vectors):,}", name, *figures)) + " |"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    options.add_argument("--rungs", nargs="+", default=[*RUNGS, "scann"])
    options.add_argument("--queries", type=int, default=100)
    options.add_argument("--most", type=int, default=100_000)
    asked = options.parse_args()
    lacking = {name for name, module in (("hnsw", "usearch"), ("scann", "scann")) if find_spec(module) is None}
    source = Clusters()
    queries, every = source.drawn(asked.queries), source.drawn(max(asked.sizes) + ADDED)
    print("| vectors | rung | recall@10 | ms a question | build s | add µs | bytes a vector beside it |")
    print("|--:|---|--:|--:|--:|--:|--:|", flush=True)
    for size in asked.sizes:
        vectors, grown = every[:size], every[: size + ADDED]
        exact = Float32Scan.build(vectors)
        truth = [{*exact.nearest(query, K)[0].tolist()} for query in queries]
        for name in asked.rungs:
            if name not in lacking and (size <= asked.most or name not in ("hnsw", "scann")):
                print(row(name, vectors, grown, queries=queries, truth=truth), flush=True)


if __name__ == "__main__":
    main()
