"""Which passages of a set are nearest to a question, and how near compared with all others.

Cosines of one model lie in a narrow band of its own (.75 to .90 for e5), so nearness is given in standard deviations
above the mean cosine of the question with a sample of the set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from commonplace.store.vectors.vector_set import Vectors, VectorSet

SAMPLE = 2_000
"""Vectors of which mean and deviation are computed, evenly spaced."""
NEAREST_LEFT_OUT = 50
"""One of so many, and at least one, of the nearest in the sample does not count: in a small set it would be the mean."""
LEAST_DEVIATION = 0.02
"""Lines of a few topics are all alike; e5 has .02 to .03 in real logs and conversations."""


class VectorSearch:
    """Searches one set of vectors, which other processes may extend meanwhile.

    Args:
        wanted: the rung of the settings; empty: by the number of vectors.
    """

    def __init__(self, vectors: VectorSet, *, wanted: str = "") -> None:
        self.vectors = vectors
        self._wanted = wanted

    def nearest(
        self, query: Vectors, k: int, *, keys: Sequence[int] | None = None, others: Sequence[int] = ()
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the keys of the k nearest passages, nearest first, and those of other passages, with their nearness.

        Args:
            query: one vector of length 1.
            keys: the only ones that may be nearest; None: any.
            others: passages whose nearness is asked for; those without a vector are left out.
        """
        held = self.vectors.refresh()
        allowed = None if keys is None else np.flatnonzero(np.isin(held.keys, np.fromiter(keys, np.int64, len(keys))))
        if not len(held) or not query.any() or (allowed is not None and not len(allowed)):
            return {}, {}
        step = max(1, (len(held) if allowed is None else len(allowed)) // SAMPLE)
        sample = held.vectors[::step] @ query if allowed is None else held.vectors[allowed[::step]] @ query
        mean, deviation = _scale(sample)
        near: dict[int, float] = {}
        for place, cosine in self._nearest(query, k, allowed):
            if held.vectors[place].any():
                near[int(held.keys[place])] = (cosine - mean) / deviation
        beside: dict[int, float] = {}
        for key, place in zip(others, held.positions(others), strict=True):
            if place >= 0 and held.vectors[place].any():
                beside[key] = (float(held.vectors[place] @ query) - mean) / deviation
        return near, beside

    def _nearest(self, query: Vectors, k: int, allowed: NDArray[np.int64] | None) -> Iterator[tuple[int, float]]:
        vectors = self.vectors.vectors if allowed is None else self.vectors.vectors[allowed]
        cosines = vectors @ query
        best = np.argpartition(-cosines, min(k, len(cosines) - 1))[:k]
        for at in best[np.argsort(-cosines[best], kind="stable")]:
            yield int(at if allowed is None else allowed[at]), float(cosines[at])


def _scale(cosines: Vectors) -> tuple[float, float]:
    """Return mean and standard deviation of the cosines of a sample, without its nearest and without zero vectors."""
    told = np.sort(cosines[cosines != 0])
    others = told[: len(told) - max(1, len(told) // NEAREST_LEFT_OUT)]
    if not len(others):
        others = told if len(told) else np.zeros(1, np.float32)
    return float(others.mean()), max(float(others.std()), LEAST_DEVIATION)
