"""The compiled kernel and its twin in numpy give the same bits, whatever they are given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.vectors.rung_cases import COMPILED, TWIN, directions

from commonplace.store.vectors import compiled_kernel as kernels
from commonplace.store.vectors import kernel_twin
from commonplace.store.vectors.exact_scan import Int8Scan
from commonplace.store.vectors.kernel_twin import BLOCK, CELLS, SUBSPACES
from commonplace.store.vectors.rung_base import Effort
from commonplace.store.vectors.suco import SuCo, trained

SHAPES = (st.integers(0, 300), st.integers(1, 130), st.integers(0, 2**32))


def wild(n: int, d: int, seed: int) -> np.ndarray:
    """Vectors with odd numbers among them: zeros of both signs, the smallest, the largest, equal ones."""
    random = np.random.default_rng(seed)
    vectors = directions(n, d, seed=seed)
    odd = np.array([0, -0.0, 1e-45, -1e-38, 1e18, 0.25, 0.25], np.float32)
    at = random.random(vectors.shape) < 0.1
    vectors[at] = random.choice(odd, np.count_nonzero(at))
    return vectors


def bits(array: np.ndarray) -> bytes:
    return array.tobytes()


@given(*SHAPES)
def test_products_have_the_same_bits(n: int, d: int, seed: int) -> None:
    vectors, query = wild(n, d, seed), wild(1, d, seed + 1)[0]
    vectors[: n // 50] = np.float32("inf")
    positions = np.flatnonzero(np.random.default_rng(seed).random(n) < 0.5)
    assert bits(COMPILED.dots(vectors, query)) == bits(TWIN.dots(vectors, query))
    some = [each.dots(vectors, query, positions=positions) for each in (COMPILED, TWIN)]
    assert bits(some[0]) == bits(some[1])
    assert bits(some[0]) == bits(COMPILED.dots(vectors, query)[positions])


@given(*SHAPES)
def test_products_of_bytes_are_the_same(n: int, d: int, seed: int) -> None:
    codes = np.random.default_rng(seed).integers(-127, 128, (n + 1, d), np.int8)
    codes[0] = 127
    assert bits(COMPILED.dots8(codes, codes[0])) == bits(TWIN.dots8(codes, codes[0]))
    assert COMPILED.dots8(codes, codes[0])[0] == 127 * 127 * d


@given(*SHAPES)
def test_centroids_and_cells_are_the_same(n: int, d: int, seed: int) -> None:
    vectors = wild(n, d, seed)
    books = [trained(vectors, alive=np.ones(n, bool), loops=loops) for loops in (COMPILED, TWIN)]
    assert [bits(each) for each in books[0]] == [bits(each) for each in books[1]]
    assert bits(COMPILED.assign(vectors, books[0])) == bits(TWIN.assign(vectors, books[0]))


@given(*SHAPES, st.floats(0, 1), st.booleans())
def test_collisions_are_the_same(n: int, d: int, seed: int, alpha: float, filtered: bool) -> None:
    vectors, query = wild(n, d, seed), wild(1, d, seed + 1)[0]
    book = trained(vectors, alive=np.ones(n, bool), loops=TWIN)
    nearest = TWIN.assign(vectors, book).astype(np.uint16)
    codes = nearest[:, 0::2] * np.uint16(50) + nearest[:, 1::2]
    allowed = np.random.default_rng(seed).random(n) < 0.5 if filtered else None
    scores = [
        loops.collide(query, book, [loops.listed(codes)] if n else [], allowed=allowed, budget=int(alpha * n))
        for loops in (COMPILED, TWIN)
    ]
    assert bits(scores[0]) == bits(scores[1])
    for wanted in (0, 1, n // 3, n, 2 * n):
        assert bits(COMPILED.highest(scores[0], wanted)) == bits(TWIN.highest(scores[0], wanted))


@given(st.lists(st.integers(0, 64), max_size=200), st.integers(0, 200))
def test_the_highest_scores_come_first_and_equal_ones_by_position(scores: list[int], wanted: int) -> None:
    by_score = sorted((position for position, score in enumerate(scores) if score), key=lambda each: -scores[each])
    for loops in (COMPILED, TWIN):
        assert loops.highest(np.array(scores, np.uint8), wanted).tolist() == sorted(by_score[:wanted])


def test_a_list_has_each_vector_of_a_block_once_in_its_cell() -> None:
    codes = np.random.default_rng(1).integers(0, CELLS, (1000, SUBSPACES), np.uint16)
    block = COMPILED.listed(codes)
    assert bits(block.offsets) == bits(TWIN.listed(codes).offsets)
    for subspace in range(SUBSPACES):
        assert block.ids[subspace].tolist() == codes[:, subspace].argsort(kind="stable").tolist()


def test_answers_over_several_blocks_are_the_same() -> None:
    n = BLOCK + 3000
    vectors, queries = directions(n, 33), directions(8, 33, seed=2)
    allowed = np.random.default_rng(3).random(n) < 0.3
    for kind in (SuCo, Int8Scan):
        one, two = (kind.build(vectors, effort=Effort(few=1000), loops=loops) for loops in (COMPILED, TWIN))
        for mask in (None, allowed):
            for query in queries:
                answers = [each.nearest(query, 10, allowed=mask) for each in (one, two)]
                assert [bits(each) for each in answers[0]] == [bits(each) for each in answers[1]]


def test_the_kernel_refuses_arrays_with_gaps() -> None:
    with pytest.raises(ValueError, match="without gaps"):
        COMPILED.dots(directions(10, 40)[:, ::2], directions(1, 20)[0])


def test_without_a_library_its_twin_works(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(kernels, "LIBRARY", kernels.LIBRARY.with_name("libmissing.so"))
    assert kernels.kernel() is kernel_twin
    vectors = directions(300, 48)
    rung = SuCo.build(vectors, effort=Effort(few=0))
    assert rung.nearest(vectors[5], 1)[0].tolist() == [5]


def test_with_a_library_it_is_used() -> None:
    assert isinstance(kernels.kernel(), kernels.CompiledKernel)
