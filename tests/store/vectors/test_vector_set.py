"""The set of vectors on the disk: nothing stored is lost, nothing damaged is used, all processes see the same."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from commonplace.errors import NotWritable
from commonplace.store.vectors.vector_set import VectorSet, keep_only

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

WIDTH = 8


def opened(folder: Path, dimensions: int = WIDTH) -> VectorSet:
    return VectorSet(str(folder), fingerprint="m", dimensions=dimensions)


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(count, WIDTH)).astype(np.float32)


def file_of(folder: Path, ending: str) -> Path:
    (found,) = (folder / "vectors" / f"m-{WIDTH}").glob(f"*.{ending}")
    return found


def test_an_empty_folder_is_an_empty_set(tmp_path: Path) -> None:
    held = opened(tmp_path)
    assert len(held) == 0
    assert held.missing([3, 1]) == [3, 1]
    assert list(held.positions([3])) == [-1]
    assert not (tmp_path / "vectors").exists()


def test_what_is_added_is_found_by_key_after_it_is_opened_again(tmp_path: Path) -> None:
    told = vectors(5)
    opened(tmp_path).add([7, -2, 9, 4, 2**62], told)
    held = opened(tmp_path)
    assert np.array_equal(held.vectors[held.positions([9, 2**62, 7])], told[[2, 4, 0]])
    assert held.missing([7, 8, -2]) == [8]


def test_a_key_is_stored_once(tmp_path: Path) -> None:
    held = opened(tmp_path)
    held.add([1, 2], vectors(2))
    held.add([2, 3, 3], vectors(3, seed=1))
    assert sorted(held.keys) == [1, 2, 3]
    assert np.array_equal(held.vectors[held.positions([2])[0]], vectors(2)[1])


def test_another_process_sees_what_was_added_after_it_opened_the_set(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    one.add([1], vectors(1))
    assert other.missing([1]) == [1]
    assert other.refresh().missing([1]) == []


def test_two_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np; from commonplace.store.vectors.vector_set import VectorSet\n"
        f"held = VectorSet({str(tmp_path)!r}, fingerprint='m', dimensions={WIDTH}); first = int(sys.argv[1])\n"
        f"for key in range(first, first + 40): held.add([key, key % 7], np.full((2, {WIDTH}), key, np.float32))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(first)]) for first in (100, 200)]
    assert [each.wait(60) for each in running] == [0, 0]
    held = opened(tmp_path)
    assert sorted(held.keys) == [*range(7), *range(100, 140), *range(200, 240)]
    assert [held.vectors[at][0] for at in held.positions([117, 231])] == [117.0, 231.0]


@pytest.mark.parametrize("ending", ["keys", "vectors"])
@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_file_that_was_cut_short_loses_its_last_vectors_alone_and_goes_on(
    tmp_path: Path, ending: str, cut: int
) -> None:
    opened(tmp_path).add([*range(10)], vectors(10))
    path = file_of(tmp_path, ending)
    os.truncate(path, path.stat().st_size - cut)
    held = opened(tmp_path)
    left = len(held)
    assert 0 < left < 10
    assert np.array_equal(held.vectors, vectors(10)[:left])
    held.add([*range(10)], vectors(10))
    assert np.array_equal(opened(tmp_path).vectors, vectors(10))


def test_a_vector_that_changed_on_the_disk_is_not_used_and_can_be_made_again(tmp_path: Path) -> None:
    held = opened(tmp_path)
    held.add([1, 2, 3], vectors(3))
    with file_of(tmp_path, "vectors").open("r+b") as file:
        file.seek(4 * WIDTH + 5)
        file.write(b"\xff")
    held = opened(tmp_path)
    assert list(held.positions([1, 2, 3])) == [0, -1, 2]
    assert held.keep([1, 2, 3]) == 1
    assert held.missing([1, 2, 3]) == [2]


def test_what_is_removed_is_in_no_file_afterwards_and_a_reader_goes_on(tmp_path: Path) -> None:
    told = vectors(4)
    held = opened(tmp_path)
    held.add([1, 2, 3, 4], told)
    reader = opened(tmp_path)
    assert held.keep([1, 3]) == 2
    assert np.array_equal(reader.vectors, told)
    assert list(reader.refresh().keys) == [1, 3]
    for path in (tmp_path / "vectors" / f"m-{WIDTH}").iterdir():
        assert told[1].tobytes() not in path.read_bytes()
    assert held.keep([]) == 2
    assert len(opened(tmp_path)) == 0
    held.add([5], told[:1])
    assert list(opened(tmp_path).keys) == [5]


def test_another_number_of_dimensions_is_another_set(tmp_path: Path) -> None:
    opened(tmp_path).add([1], vectors(1))
    other = opened(tmp_path, dimensions=4)
    assert len(other) == 0


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 9}', b"\xff\xfe"])
def test_a_damaged_manifest_is_an_empty_set_that_can_be_filled(tmp_path: Path, content: bytes) -> None:
    held = opened(tmp_path)
    held.add([1], vectors(1))
    held.keep([])  # so that the current generation is not the first
    held.add([1], vectors(1))
    (tmp_path / "vectors" / f"m-{WIDTH}" / "set.json").write_bytes(content)
    held = opened(tmp_path)
    assert len(held) == 0
    held.add([1, 2], vectors(2))
    assert list(opened(tmp_path).keys) == [1, 2]


def test_a_disk_that_refuses_is_told_and_what_was_stored_stays(tmp_path: Path) -> None:
    opened(tmp_path).add([1], vectors(1))
    folder = file_of(tmp_path, "keys")
    folder.unlink()
    folder.mkdir()
    with pytest.raises(NotWritable, match=r"vectors in .* cannot be written"):
        opened(tmp_path).add([2], vectors(1))


def test_all_sets_can_be_deleted_while_one_is_open(tmp_path: Path) -> None:
    held = opened(tmp_path)
    held.add([1], vectors(1))
    keep_only(str(tmp_path), [])
    assert len(held.refresh()) == 0
    held.add([1], vectors(1))
    assert list(opened(tmp_path).keys) == [1]
