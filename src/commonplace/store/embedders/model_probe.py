"""Tells whether a server still has the model that it had: each model has another vector for one fixed text.

Vectors of one model differ a little from run to run: by the number of texts in a request, and by the machine. So the
fingerprint has only 12 bits of the vector: on which side of 12 fixed planes it lies. Two unrelated models of one name
and dimension share them once in 4,096 cases, and two vectors with a cosine of .999999 differ in them once in 200.
"""

from __future__ import annotations

from hashlib import sha256, shake_128
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.store.embedders.embedder_port import Vectors

PROBE = "The lighthouse keeper counts the boats in the harbour every evening."
_PLANES = 12
_SAME = 0.99
"""Least cosine of two vectors that one model gives the probe: other quantisations of it have about as much."""


def probe_fingerprint(names: Sequence[str], *, probe: Vectors) -> str:
    """Return the fingerprint of a model: of its names and prefixes, and of the dimension and side of its probe."""
    sides = "".join(str(int(side)) for side in _sides(probe))
    return sha256("\0".join([*names, str(probe.shape[-1]), sides]).encode()).hexdigest()[:16]


def _sides(probe: Vectors) -> list[bool]:
    """Return on which side of each plane a vector lies. The planes are the same everywhere, for each dimension."""
    import numpy

    dimensions = probe.shape[-1]
    found = []
    for plane in range(_PLANES):
        drawn = shake_128(f"plane {plane}".encode()).digest(dimensions // 8 + 1)
        signs = numpy.unpackbits(numpy.frombuffer(drawn, dtype=numpy.uint8))[:dimensions]
        found.append(bool(probe.reshape(-1) @ (signs * 2.0 - 1.0) > 0))
    return found


def is_same_model(before: Vectors, now: Vectors) -> bool:
    """Whether two vectors of the probe are of one model."""
    return before.shape == now.shape and float(before.reshape(-1) @ now.reshape(-1)) >= _SAME
