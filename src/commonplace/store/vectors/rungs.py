"""The rungs of vector search: their port, and the choice of one by size, setting and what is installed.

numpy is imported only when a rung is, so that `choice` costs nothing where it is only shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Self, cast, get_args

from commonplace.errors import ExtensionMissing, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Nearest = tuple[NDArray[np.int64], NDArray[np.float32]]
    """Positions and their cosines, the best first, equal ones by position."""

RungName = Literal["float32", "int8", "suco", "hnsw"]
RUNGS: tuple[RungName, ...] = get_args(RungName)
FLOAT32_MOST = 50_000
"""Vectors that a scan of float32 reads in about 5 ms; where each next rung begins to pay: docs/vectors.md."""
INT8_MOST = 200_000
"""Vectors that a scan of int8 reads in about 5 ms."""
TWIN_FLOAT32_MOST = 20_000
"""Without the kernel, where a scan is four times as slow, and one of int8 gains nothing."""


class Rung(Protocol):
    """One way to find the nearest of many vectors, for one thread at a time.

    Vectors are float32 of shape (n, d), C-contiguous, each of length 1, perhaps a read-only memmap. A rung keeps them,
    and orders its answers by their exact cosines. A vector that is zero or not finite is never found, and asking by
    one finds nothing.
    """

    @classmethod
    def build(cls, vectors: Vectors) -> Self:
        """Return the rung over these vectors."""

    @classmethod
    def load(cls, path: Path, vectors: Vectors) -> Self:
        """Return the rung that was saved, with vectors that came since then added.

        Raises IndexUnusable for a file that is missing, damaged, of another rung, or of other vectors: build it anew.
        """

    def save(self, path: Path) -> None:
        """Replace the file by this rung without its vectors. Raises OSError; the old file then stays."""

    def nearest(self, query: Vectors, k: int, *, allowed: NDArray[np.bool_] | None = None) -> Nearest:
        """Return the k nearest to a query of length 1, or all if there are fewer.

        Args:
            allowed: of each position, whether it may be found.
        """

    def add(self, vectors: Vectors) -> None:
        """Take all vectors anew: those that are known, unchanged, and behind them new ones."""


class RungChoice(NamedTuple):
    """A rung, and why it."""

    rung: RungName
    reason: str


def choice(vectors: int, *, setting: str = "auto", compiled: bool = True, usearch: bool = False) -> RungChoice:
    """Return which rung suits so many vectors. Raises UsageError for a setting that names none.

    Args:
        setting: the name of a rung, or `auto`.
        compiled: whether the compiled kernel can be loaded.
        usearch: whether usearch is installed, which hnsw needs.
    """
    if setting not in ("auto", *RUNGS):
        raise UsageError(f"no way to search vectors is named {setting}", f"one of auto, {', '.join(RUNGS)}")
    name, reason = _by_size(vectors, compiled=compiled)
    if setting == "hnsw" and not usearch:
        return RungChoice(name, f"hnsw is set, but usearch is not installed; {reason}")
    if setting != "auto":
        return RungChoice(cast("RungName", setting), f"{setting} is set")
    return RungChoice(name, reason)


def _by_size(vectors: int, *, compiled: bool) -> RungChoice:
    """Return the rung by size alone."""
    size = f"{vectors:,} vectors"
    if not compiled:
        without = f"{TWIN_FLOAT32_MOST:,}, without the compiled kernel"
        if vectors <= TWIN_FLOAT32_MOST:
            return RungChoice("float32", f"{size}: all are compared up to {without}")
        return RungChoice("suco", f"{size}: SuCo above {without}")
    if vectors <= FLOAT32_MOST:
        return RungChoice("float32", f"{size}: all are compared up to {FLOAT32_MOST:,}")
    if vectors <= INT8_MOST:
        return RungChoice("int8", f"{size}: all are compared by one byte a dimension up to {INT8_MOST:,}")
    return RungChoice("suco", f"{size}: SuCo above {INT8_MOST:,}")


_HOMES: dict[RungName, tuple[str, str]] = {
    "float32": ("exact_scan", "Float32Scan"),
    "int8": ("exact_scan", "Int8Scan"),
    "suco": ("suco", "SuCo"),
    "hnsw": ("hnsw", "Hnsw"),
}


def rung(name: RungName) -> type[Rung]:
    """Return the class of a rung; numpy is imported here. Raises ExtensionMissing where it is not installed."""
    module, attribute = _HOMES[name]
    try:
        found: type[Rung] = getattr(import_module(f"commonplace.store.vectors.{module}"), attribute)
    except ModuleNotFoundError as error:
        raise ExtensionMissing("the search of vectors needs numpy", "semantic") from error
    return found
