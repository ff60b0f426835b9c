"""What all rungs share: which rows can be found, the exact order of candidates, and the file of a rung."""

from __future__ import annotations

import json
import os
import zlib
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from commonplace.errors import IndexUnusable
from commonplace.store.vectors.compiled_kernel import Kernel, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from commonplace.store.vectors.rungs import Nearest, Vectors

_MAGIC = b"commonplace rung 1\n"
_ALIGNED = 64
"""Bytes to whose multiple the header of a file is filled up, so that numpy reads the arrays where they are."""
_SAMPLED = 64
"""Rows by which a file knows its vectors again."""
_CHUNK = 8_192

Element = TypeVar("Element", bound=np.generic)


class Effort(NamedTuple):
    """How much a rung does for an answer."""

    few: int = 15_000
    """So many allowed rows, or fewer, are compared exactly by any rung: it is fastest, and misses none."""
    spare: int = 50
    """int8: rows beside k that are compared exactly."""
    alpha: float = 0.1
    """SuCo: share of the rows that collide with the query in each subspace."""
    beta: float = 0.003
    """SuCo: share of the rows that are compared exactly."""
    floor: int = 2_000
    """SuCo: but at least so many, because a share alone is too little where there are few rows."""


USUAL = Effort()


class Growing(Generic[Element]):
    """An array that takes rows at its end, in memory that is filled only as they come."""

    def __init__(self, array: NDArray[Element]) -> None:
        self._array, self._rows = array, len(array)

    @property
    def rows(self) -> NDArray[Element]:
        """The rows so far."""
        return self._array[: self._rows]

    def extend(self, more: NDArray[Element]) -> None:
        """Add rows."""
        needed = self._rows + len(more)
        if needed > len(self._array) or not self._array.flags.writeable:
            grown = np.empty((max(needed, 2 * self._rows), *self._array.shape[1:]), self._array.dtype)
            grown[: self._rows] = self.rows
            self._array = grown
        self._array[self._rows : needed] = more
        self._rows = needed


class RungBase:
    """The base of all rungs; each adds how it finds candidates among many rows."""

    name: ClassVar[str]

    def __init__(self, vectors: Vectors, alive: NDArray[np.bool_], *, effort: Effort, loops: Kernel) -> None:
        self._vectors = _checked(vectors)
        self._effort, self._kernel = effort, loops
        self._alive = Growing(alive)
        self._living = int(np.count_nonzero(self._alive.rows))

    def __len__(self) -> int:
        return len(self._alive.rows)

    @classmethod
    def build(cls, vectors: Vectors, *, effort: Effort = USUAL, loops: Kernel | None = None) -> Self:
        """Return the rung over these vectors."""
        new = cls(vectors, usable(_checked(vectors)), effort=effort, loops=loops or kernel())
        new._built()
        return new

    @classmethod
    def load(cls, path: Path, vectors: Vectors, *, effort: Effort = USUAL, loops: Kernel | None = None) -> Self:
        """Return the rung that was saved, with vectors that came since then added; raises IndexUnusable."""
        try:
            rows, arrays = _read(path, cls.name, vectors)
            # as the file says: to look at each row again would read all vectors from the disk
            alive = np.unpackbits(arrays["alive"].astype(np.uint8), count=rows).astype(bool)
            old = cls(vectors[:rows], alive, effort=effort, loops=loops or kernel())
            old._restored(arrays)
        except (OSError, ValueError, KeyError) as error:
            raise IndexUnusable(f"the vectors' index {path} cannot be used: {error}", "it is built anew") from error
        old.add(vectors)
        return old

    def save(self, path: Path) -> None:
        """Replace the file by this rung without its vectors."""
        arrays = {"alive": np.packbits(self._alive.rows), **self._arrays()}
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            with temporary.open("wb") as file:
                file.writelines(_written(self.name, self._vectors, arrays))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def nearest(self, query: Vectors, k: int, *, allowed: NDArray[np.bool_] | None = None) -> Nearest:
        """Return the k nearest rows to a query, of those that are allowed."""
        asked = np.ascontiguousarray(query, np.float32)
        if asked.shape != self._vectors.shape[1:] or (allowed is not None and len(allowed) != len(self)):
            raise ValueError("query and allowed must have the shape of the vectors")
        may = self._alive.rows if allowed is None else self._alive.rows & allowed.astype(bool, copy=False)
        count = self._living if allowed is None else int(np.count_nonzero(may))
        k = min(k, count)
        if k <= 0 or not usable(asked[None])[0]:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        positions = None
        if count > max(self._effort.few, k):
            positions = self._candidates(asked, k, may=None if count == len(self) else may)
        if positions is None or len(positions) < k:
            positions = None if count == len(self) else np.flatnonzero(may)
        return best(self._kernel.dots(self._vectors, asked, positions=positions), k, positions=positions)

    def add(self, vectors: Vectors) -> None:
        """Take all vectors anew, with new ones behind those that are known."""
        known = len(self)
        if len(vectors) < known or vectors.shape[1:] != self._vectors.shape[1:]:
            raise ValueError("the known vectors must come again, and new ones behind them")
        self._vectors = _checked(vectors)
        found = usable(vectors[known:])
        self._alive.extend(found)
        self._living += int(np.count_nonzero(found))
        if len(self) > known:
            self._added(known)

    def _candidates(self, query: Vectors, k: int, *, may: NDArray[np.bool_] | None) -> NDArray[np.int64] | None:
        """Return the positions to compare exactly, ascending, or None for all; `may` is None where every row may."""
        return None if may is None else np.flatnonzero(may)

    def _built(self) -> None:
        """Make what the rung needs beside its vectors."""

    def _added(self, known: int) -> None:
        """Take the rows behind those that were known."""

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return what the file keeps."""
        return {}

    def _restored(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Take back what the file kept. Raises ValueError or KeyError for what does not fit."""


def usable(vectors: Vectors) -> NDArray[np.bool_]:
    """Return of each row whether it has a direction: finite and not zero."""
    lengths = np.empty(len(vectors), np.float32)
    for begin in range(0, len(vectors), _CHUNK):
        rows = np.asarray(vectors[begin : begin + _CHUNK])
        with np.errstate(all="ignore"):
            lengths[begin : begin + _CHUNK] = np.einsum("ij,ij->i", rows, rows)
    found: NDArray[np.bool_] = np.isfinite(lengths) & (lengths > 0)
    return found


def best(values: Vectors, k: int, *, positions: NDArray[np.int64] | None = None) -> Nearest:
    """Return the k largest values with their positions, equal ones by position.

    Args:
        positions: of the values, ascending; None if value i is that of position i.
    """
    kept = np.flatnonzero(values >= np.partition(values, len(values) - k)[len(values) - k])
    order = kept[np.argsort(-values[kept], kind="stable")[:k]]
    return (order if positions is None else positions[order]), values[order]


def _checked(vectors: Vectors) -> Vectors:
    """Return vectors that have the form that the port demands. Raises ValueError."""
    if vectors.ndim != 2 or vectors.dtype != np.float32 or not vectors.flags.c_contiguous:
        raise ValueError("vectors must be float32, of shape (n, d), without gaps")
    return vectors


def _fingerprint(vectors: Vectors) -> int:
    """Return a checksum of some rows, evenly spaced."""
    some = np.linspace(0, len(vectors) - 1, min(len(vectors), _SAMPLED)).astype(np.int64)
    return zlib.crc32(np.ascontiguousarray(vectors[some]).view(np.uint8).data)


def _written(name: str, vectors: Vectors, arrays: dict[str, NDArray[np.generic]]) -> Iterator[bytes | memoryview]:
    """Return the parts of a file: a line that names it, a checksum of what follows, a header, the arrays."""
    header = {
        "rung": name,
        "rows": len(vectors),
        "dimensions": vectors.shape[1],
        "vectors": _fingerprint(vectors),
        "arrays": {key: [array.dtype.str, *array.shape] for key, array in arrays.items()},
    }
    text = json.dumps(header).encode()
    text += b" " * (-(len(_MAGIC) + 9 + len(text) + 1) % _ALIGNED) + b"\n"
    parts = [np.ascontiguousarray(array).reshape(-1).view(np.uint8).data for array in arrays.values()]
    checksum = zlib.crc32(text)
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    yield _MAGIC + b"%08x\n" % checksum + text
    yield from parts


def _read(path: Path, name: str, vectors: Vectors) -> tuple[int, dict[str, NDArray[np.generic]]]:
    """Return how many rows a file has, and its arrays. Raises OSError, ValueError or KeyError."""
    content = path.read_bytes()
    body = memoryview(content)[len(_MAGIC) + 9 :]
    if content[: len(_MAGIC)] != _MAGIC or content[len(_MAGIC) : len(_MAGIC) + 9] != b"%08x\n" % zlib.crc32(body):
        raise ValueError("it is damaged")
    text = content[len(_MAGIC) + 9 : content.index(b"\n", len(_MAGIC) + 9) + 1]
    header, at = json.loads(text), len(text)
    rows = int(header["rows"])
    if header["rung"] != name:
        raise ValueError(f"it is one of {header['rung']}, not of {name}")
    known = rows <= len(vectors) and header["dimensions"] == vectors.shape[1]
    if not known or header["vectors"] != _fingerprint(vectors[:rows]):
        raise ValueError("it is one of other vectors")
    arrays: dict[str, NDArray[np.generic]] = {}
    for key, (dtype, *shape) in header["arrays"].items():
        count = int(np.prod(shape, dtype=np.int64))
        arrays[key] = np.frombuffer(body, np.dtype(dtype), count, at).reshape(shape)
        at += count * np.dtype(dtype).itemsize
    return rows, arrays
