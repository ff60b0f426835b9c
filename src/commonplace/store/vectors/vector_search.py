"""Which passages of a set are nearest to a question, and how near compared with all others.

Cosines of one model lie in a narrow band of its own, so nearness is given in standard deviations above the mean cosine
of the question with a sample of the set.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import IndexUnusable
from commonplace.store.vectors.compiled_kernel import compiled, kernel
from commonplace.store.vectors.rungs import FLOAT32_MOST, choice, rung

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Rung, RungChoice
    from commonplace.store.vectors.vector_set import Vectors, VectorSet

SAMPLE, BLOCK = 2_000, 50
"""Vectors of which mean and deviation are computed, in evenly spaced blocks: a vector by itself would bring sixteen
pages of the file into memory."""
NEAREST_LEFT_OUT = 50
"""Of the sample one of so many, and at least one, does not count: the nearest. In a small set it would be the mean."""
LEAST_DEVIATION = 0.04
"""In a small set all lines may be alike by chance; e5 has .05 to .09 in real logs and conversations."""
SPARE = 4
"""Times as many as asked for are searched: vectors of lines that are gone are near, too."""


class VectorSearch:
    """Searches one set of vectors, which other processes may extend meanwhile.

    Args:
        wanted: `exact`, `suco` or `hnsw`, as the settings say; empty: by the number of vectors.
    """

    def __init__(self, vectors: VectorSet, *, wanted: str = "") -> None:
        self.vectors = vectors
        self._wanted = wanted
        self._rung: Rung | None = None
        self._of: tuple[str, int, int] = ("", -1, 0)
        """The rung's name, and the generation and number of the vectors that it knows."""

    @property
    def name(self) -> str:
        """Of the set: the fingerprint of the model, and the dimensions."""
        return self.vectors.name

    @property
    def chosen(self) -> RungChoice:
        """The rung for the vectors as they are, and why."""
        count = len(self.vectors)
        setting = self._wanted or "auto"
        if setting == "exact":
            setting = "float32" if count <= FLOAT32_MOST else "int8"
        return choice(count, setting=setting, compiled=compiled() is not None, usearch=find_spec("usearch") is not None)

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
        if not len(held) or not query.any():
            return {}, {}
        query = np.ascontiguousarray(query, np.float32)
        allowed = None
        if keys is not None:
            allowed = np.zeros(len(held), np.bool_)
            allowed[held.having(keys)] = True
        found, cosines = self._current().nearest(query, k if allowed is not None else SPARE * k, allowed=allowed)
        # no product of numpy's: if the program imported numpy itself, its threads wait in loops after each
        dots = kernel().dots
        mean, deviation = _scale(dots(held.vectors, query, positions=_sample(len(held))))
        near = zip(held.keys[found].tolist(), ((cosines - mean) / deviation).tolist(), strict=True)
        told, vectors = held.read(others)
        beside = zip(told, ((dots(vectors, query) - mean) / deviation).tolist(), strict=True)
        return dict(near), dict(beside)

    def _current(self) -> Rung:
        """The rung with all vectors: loaded, or built and saved beside them."""
        name = self.chosen.rung
        generation, count = self.vectors.state
        known, of, held = self._of
        vectors = self.vectors.vectors
        if self._rung is None or (known, of) != (name, generation) or held > count:
            path = Path(self.vectors.beside(name))
            try:
                self._rung = rung(name).load(path, vectors)
            except IndexUnusable:
                self._rung = rung(name).build(vectors)
                with suppress(OSError):
                    self._rung.save(path)
        elif held < count:
            self._rung.add(vectors)
        self._of = name, generation, count
        return self._rung


def _sample(count: int) -> NDArray[np.int64]:
    """Return the positions of some of so many vectors, of all if they are few."""
    if count <= SAMPLE:
        return np.arange(count)
    starts = np.linspace(0, count - BLOCK, SAMPLE // BLOCK).astype(np.int64)
    return (starts[:, None] + np.arange(BLOCK)).reshape(-1)


def _scale(cosines: NDArray[np.float32]) -> tuple[float, float]:
    """Return mean and standard deviation of the cosines of a sample, without its nearest and without zero vectors."""
    told = np.sort(cosines[cosines != 0])
    others = told[: len(told) - max(1, len(told) // NEAREST_LEFT_OUT)]
    if not len(others):
        others = told if len(told) else np.zeros(1, np.float32)
    return float(others.mean()), max(float(others.std()), LEAST_DEVIATION)
