"""Nearness: the same whether a passage is found or asked for, on any machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from commonplace.store.vectors.vector_search import SAMPLE, VectorSearch
from commonplace.store.vectors.vector_set import VectorSet

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 384


def planted(folder: Path, count: int) -> tuple[VectorSearch, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    rows = np.random.default_rng(count).standard_normal((count, WIDTH)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    held = VectorSet(str(folder), fingerprint="m", dimensions=WIDTH)
    held.add([*range(count)], rows)
    return VectorSearch(held), rows


def test_a_passage_is_as_near_asked_for_as_found_bit_by_bit(tmp_path: Path) -> None:
    search, rows = planted(tmp_path, 300)
    near, beside = search.nearest(rows[7], 75, others=[*range(300)])
    assert near == beside and len(near) == 300
    assert next(iter(near)) == 7


def test_a_passage_keeps_its_nearness_when_only_it_is_asked_for(tmp_path: Path) -> None:
    search, rows = planted(tmp_path, 300)
    _, beside = search.nearest(rows[7], 1, others=[*range(300)])
    assert all(search.nearest(rows[7], 1, others=[key])[1] == {key: beside[key]} for key in range(0, 300, 30))


def test_mean_and_deviation_of_many_are_those_of_blocks_from_the_first_to_the_last(tmp_path: Path) -> None:
    search, rows = planted(tmp_path, 3 * SAMPLE)
    near, beside = search.nearest(rows[7], 1, others=[7, 8])
    cosines = rows @ rows[7]
    expected = (cosines[8] - cosines.mean()) / cosines.std()
    assert abs(beside[8] - expected) < 0.3
    assert near[7] == beside[7] > 10


def test_vectors_of_zeros_are_near_nothing_and_not_told(tmp_path: Path) -> None:
    search, rows = planted(tmp_path, 300)
    search.vectors.add_nothing([300])
    near, beside = search.nearest(rows[7], 100, others=[7, 300])
    assert 300 not in near and beside.keys() == {7}


def test_a_query_of_other_numbers_is_read_as_float32_and_one_of_another_dimension_refused(tmp_path: Path) -> None:
    search, rows = planted(tmp_path, 300)
    near, beside = search.nearest(rows[7], 1, others=[8])
    spread = np.repeat(rows[7], 2)[::2]
    for query in (rows[7].astype(np.float64), spread):
        assert search.nearest(query, 1, others=[8]) == (near, beside)
    with pytest.raises(ValueError, match="shape of the vectors"):
        search.nearest(np.ones(8, np.float32), 1)
