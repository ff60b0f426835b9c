"""The vectors of one model on the disk: append-only, shared by processes, and all of it can be made again.

A folder for each model contains `set.json`, which names the current generation, and two files of that generation:
`N.vectors`, the vectors as float32, and `N.keys`, for each the key of its passage and a checksum. A vector is written
and synced before its key, so what a crash cuts short has no key and is overwritten. Vectors are removed by writing a
new generation; who reads the old one keeps it open. A vector whose checksum is wrong is never used.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

import numpy as np

from commonplace.errors import NotWritable
from commonplace.store.fs.lock import Lock
from commonplace.store.fs.state_dir import private, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

FOLDER = "vectors"
"""Name of the folder of all sets, in `.memory`."""
_MANIFEST = "set.json"
_FORMAT = 1
_END = 16
"""Bits of the end of a key: those of a few hundred keys are rare among any number of others."""
_RECORD = np.dtype([("key", "<i8"), ("crc", "<u4")])


class _Files(NamedTuple):
    """One generation of a set."""

    keys: str
    vectors: str


class VectorSet:
    """The vectors of one model, by the key of their passage.

    Args:
        memory_dir: the folder `.memory`.
        fingerprint: of the model; it names the folder, with the dimensions.
        dimensions: of its vectors.
    """

    def __init__(self, memory_dir: str, *, fingerprint: str, dimensions: int) -> None:
        self.folder = os.path.join(memory_dir, FOLDER, f"{fingerprint}-{dimensions}")
        self.dimensions = dimensions
        self._lock = Lock(lambda: self._lock_path("lock"), who="another program that embeds")
        self._embedding = Lock(lambda: self._lock_path("embedding"))
        self._generation = 0
        self._records: NDArray[np.void] = np.empty(0, _RECORD)
        self.vectors: Vectors = np.empty((0, dimensions), np.float32)
        """Read-only, a row for each key."""
        self.refresh()

    def __len__(self) -> int:
        return len(self._records)

    @property
    def name(self) -> str:
        """The fingerprint of the model, and the dimensions."""
        return os.path.basename(self.folder)

    def read(self, keys: Sequence[int]) -> tuple[list[int], Vectors]:
        """Return those of these keys that have a vector other than zero, and the vectors."""
        places = self.positions(keys)
        there = np.flatnonzero(places >= 0)
        vectors = np.asarray(self.vectors[places[there]])
        told = vectors.any(axis=1)
        return [keys[at] for at in there[told].tolist()], vectors[told]

    @property
    def keys(self) -> NDArray[np.int64]:
        """Return the keys of the passages, in the order of the vectors."""
        found: NDArray[np.int64] = self._records["key"]
        return found

    @property
    def state(self) -> tuple[int, int]:
        """Return what changes with the vectors: the generation and the number of vectors."""
        return self._generation, len(self)

    @property
    def bytes(self) -> int:
        """Return the size of the folder in bytes."""
        try:
            return sum(entry.stat().st_size for entry in os.scandir(self.folder))
        except OSError:
            return 0

    def refresh(self) -> Self:
        """Read what other processes have added; return this set."""
        generation = self._current()
        files = self._files(generation)
        width = 4 * self.dimensions
        records: NDArray[np.void] = np.empty(0, _RECORD)
        vectors: Vectors = np.empty((0, self.dimensions), np.float32)
        try:
            count = min(os.path.getsize(files.keys) // _RECORD.itemsize, os.path.getsize(files.vectors) // width)
            if (generation, count) == self.state:
                return self
            if count:
                # as a plain array: each row of a memmap would be one more, which takes longer than to read it
                vectors = np.asarray(np.memmap(files.vectors, np.float32, "r", shape=(count, self.dimensions)))
                records = np.fromfile(files.keys, _RECORD, count)
        except (OSError, ValueError):  # there is none yet, or it was deleted a moment ago
            records = records[:0]
        self._generation, self._records, self.vectors = generation, records, vectors[: len(records)]
        return self

    def positions(self, keys: Sequence[int]) -> NDArray[np.int64]:
        """Return the position of each key, -1 for one without a vector, or with a damaged one."""
        there = self._sound(self.having(keys)[::-1])  # of equal keys the first stays
        first = dict(zip(self.keys[there].tolist(), there, strict=True))
        return np.fromiter((first.get(key, -1) for key in keys), np.int64, len(keys))

    def missing(self, keys: Collection[int]) -> list[int]:
        """Return those of these keys that have no vector, in their order."""
        known = {*self.keys[self.having(keys)].tolist()}
        return [key for key in keys if key not in known]

    def having(self, keys: Collection[int]) -> NDArray[np.int64]:
        """Return the positions with one of these keys, in order.

        Keys are digests: of all that are there, few end like one of few, and only those are compared. Not by
        `np.isin`: it imports `numpy.ma`, a tenth of a cold recall.
        """
        wanted = np.sort(np.fromiter(keys, np.int64, len(keys)))
        ends = np.zeros(1 << _END, np.bool_)
        ends[wanted & (1 << _END) - 1] = True
        near = np.flatnonzero(ends[self.keys & (1 << _END) - 1])
        is_one: NDArray[np.bool_] = wanted.take(wanted.searchsorted(self.keys[near]), mode="clip") == self.keys[near]
        return near[is_one]

    def _sound(self, positions: NDArray[np.int64]) -> list[int]:
        """Return those of these positions whose vector is not damaged."""
        told = zip(positions.tolist(), self._records["crc"][positions].tolist(), strict=True)
        return [at for at, crc in told if crc32(self.vectors[at].data) == crc]

    def add(self, keys: Sequence[int], vectors: Vectors) -> None:
        """Add vectors, safe against a crash at any moment; keys that another process added meanwhile are left out.

        Raises NotWritable if the disk refuses; what was added before stays. Raises Busy.
        """
        try:
            with self._lock:
                self.refresh()
                new = {key: row for row, key in enumerate(keys)}
                rows = [new[key] for key in self.missing(new)]
                if rows:
                    self._append([keys[row] for row in rows], np.ascontiguousarray(vectors[rows], np.float32))
        except OSError as error:
            raise _refused(self.folder, error) from None
        self.refresh()

    def add_nothing(self, keys: Sequence[int]) -> None:
        """Note passages that must not be embedded: their vectors are zeros, which are near nothing."""
        self.add(keys, np.zeros((len(keys), self.dimensions), np.float32))

    def _append(self, keys: Sequence[int], vectors: Vectors) -> None:
        files, count = self._files(self._generation), len(self)
        records = np.empty(len(keys), _RECORD)
        records["key"] = keys
        records["crc"] = [crc32(vector.tobytes()) for vector in vectors]
        if not count and not os.path.exists(os.path.join(self.folder, _MANIFEST)):
            self._write_manifest(self._generation)
        for path, content, size in (
            (files.vectors, vectors.tobytes(), 4 * self.dimensions),
            (files.keys, records.tobytes(), _RECORD.itemsize),
        ):
            with open(path, "r+b" if os.path.exists(path) else "w+b", opener=private) as file:
                file.truncate(count * size)
                file.seek(count * size)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())

    def keep(self, keys: Collection[int]) -> int:
        """Remove every other vector, and the damaged ones, for good; return how many were removed.

        Raises NotWritable, Busy.
        """
        if not len(self.refresh()):
            return 0
        try:
            with self._lock:
                self.refresh()
                kept = self._sound(self.having(keys))
                removed = len(self) - len(kept)
                if removed:
                    self._write_generation(kept)
        except OSError as error:
            raise _refused(self.folder, error) from None
        self.refresh()
        return removed

    def _write_generation(self, kept: Sequence[int]) -> None:
        records, vectors, old = self._records[kept], self.vectors[kept], self._generation
        self._generation, self._records = old + 1, np.empty(0, _RECORD)
        for path in self._files(self._generation):  # what a crash left of another try
            if os.path.exists(path):
                os.unlink(path)
        self.vectors = np.empty((0, self.dimensions), np.float32)
        if len(records):
            self._append(records["key"].tolist(), vectors)
        self._write_manifest(self._generation)
        for name in os.listdir(self.folder):
            if name.partition(".")[0] == str(old):
                os.unlink(os.path.join(self.folder, name))

    def _files(self, generation: int) -> _Files:
        base = os.path.join(self.folder, str(generation))
        return _Files(f"{base}.keys", f"{base}.vectors")

    def beside(self, name: str) -> str:
        """Return the path of a file that is derived from this generation of the set and goes with it."""
        return os.path.join(self.folder, f"{self._generation}.{name}")

    def _current(self) -> int:
        """Return the generation that the manifest names; 0 without one."""
        try:
            found = json.loads(read_private(os.path.join(self.folder, _MANIFEST)))
            if found["format"] == _FORMAT and found["dimensions"] == self.dimensions:
                return int(found["generation"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0

    def _write_manifest(self, generation: int) -> None:
        found = {"format": _FORMAT, "dimensions": self.dimensions, "generation": generation}
        write_private(os.path.join(self.folder, _MANIFEST), json.dumps(found).encode())

    def embedding(self) -> AbstractContextManager[bool]:
        """Return a context that is true if nobody else is in one: who embeds many passages is in it meanwhile."""
        return self._embedding.if_free()

    def _lock_path(self, name: str) -> str:
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        return os.path.join(self.folder, name)


def keep_only(memory_dir: str, keys: Collection[int]) -> None:
    """Remove the vectors of all other passages, of every model, for good. Raises NotWritable, Busy."""
    folder = os.path.join(memory_dir, FOLDER)
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        fingerprint, _, dimensions = name.rpartition("-")
        if dimensions.isdecimal() and keys:
            VectorSet(memory_dir, fingerprint=fingerprint, dimensions=int(dimensions)).keep(keys)
        else:
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def _refused(folder: str, error: OSError) -> NotWritable:
    return NotWritable(
        f"the vectors in {folder} cannot be written: {error.strerror or error}",
        "free some space or fix the permissions; recall goes on by words, and a second try goes on from here",
    )
