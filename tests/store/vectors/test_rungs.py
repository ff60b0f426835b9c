"""The contract of vector search: what each rung promises, on the compiled kernel and on its twin in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.vectors.rung_cases import ALL, CASES, COMPILED, SOME, TWIN, Case, directions, nearest, unit

from commonplace.store.vectors.exact_scan import Float32Scan
from commonplace.store.vectors.rung_base import Effort
from commonplace.store.vectors.suco import SuCo

if TYPE_CHECKING:
    from pathlib import Path

    from commonplace.store.vectors.rungs import Nearest, Vectors

EVERY = pytest.mark.parametrize("case", CASES, ids=str)
NAN, INF = np.float32("nan"), np.float32("inf")


def same(one: Nearest, other: Nearest) -> bool:
    return bool(np.array_equal(one[0], other[0]) and np.array_equal(one[1], other[1]))


@EVERY
@pytest.mark.parametrize("d", [1, 3, 33, 48, 100])
def test_where_nothing_is_left_out_the_answers_are_those_of_comparing_all(case: Case, d: int) -> None:
    vectors, queries = directions(400, d), directions(20, d, seed=2)
    rung = case.build(vectors)
    for query in queries:
        positions, cosines = rung.nearest(query, 10)
        assert (positions.dtype.name, cosines.dtype.name) == ("int64", "float32")
        exact = vectors.astype(np.float64) @ query.astype(np.float64)
        assert np.allclose(cosines, np.sort(exact)[::-1][:10], atol=1e-6)
        assert np.allclose(cosines, exact[positions], atol=1e-6)
        if d > 3:  # in fewer dimensions float32 has equal cosines where float64 has not
            assert positions.tolist() == nearest(vectors, query, 10)


@given(
    st.sampled_from([case for case in CASES if case.kind.name != "hnsw"]),
    st.integers(0, 200),
    st.integers(1, 70),
    st.integers(0, 30),
    st.integers(0, 2**32),
)
def test_any_size_and_any_filter_is_as_comparing_all(case: Case, n: int, d: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = directions(n, d, seed=seed)
    vectors[random.random(n) < 0.2] = vectors[:1]  # the same text more than once
    allowed = random.random(n) < 0.6
    rung = case.build(vectors, effort=ALL._replace(spare=n))
    query = directions(1, d, seed=seed + 1)[0]
    exact = Float32Scan.build(vectors, effort=Effort(few=0), loops=TWIN).nearest(query, n)
    kept = allowed[exact[0]]
    assert same(rung.nearest(query, k, allowed=allowed), (exact[0][kept][:k], exact[1][kept][:k]))


@EVERY
def test_equal_ones_come_by_position(case: Case) -> None:
    vectors = directions(300, 40)
    vectors[[7, 250, 90]] = vectors[150]
    positions, cosines = case.build(vectors).nearest(vectors[150], 4)
    assert positions.tolist() == [7, 90, 150, 250]
    assert len(set(cosines.tolist())) == 1


@EVERY
@pytest.mark.parametrize("few", [0, 15_000])
@pytest.mark.parametrize("share", [0, 0.01, 0.3, 1])
def test_a_filter_lets_no_other_one_through(case: Case, few: int, share: float) -> None:
    vectors, queries = directions(3000, 48), directions(20, 48, seed=2)
    allowed = np.random.default_rng(3).random(3000) < share
    rung = case.build(vectors, effort=SOME._replace(few=few))
    count, found = min(10, int(np.count_nonzero(allowed))), 0
    for query in queries:
        positions, _ = rung.nearest(query, 10, allowed=allowed)
        assert allowed[positions].all()
        assert len(positions) == count
        found += len({*positions.tolist()} & {*nearest(vectors, query, 10, allowed=allowed)})
    assert found >= 0.9 * 20 * count


@EVERY
def test_added_ones_are_found_as_if_they_had_always_been_there(case: Case) -> None:
    vectors = directions(700, 48)
    rung = case.build(vectors[:200])
    for end in (201, 230, 230, 700):
        rung.add(vectors[:end])
    assert len(rung) == 700
    whole = case.build(vectors)
    for query in directions(20, 48, seed=2):
        assert same(rung.nearest(query, 10), whole.nearest(query, 10))


@EVERY
@pytest.mark.parametrize("few", [0, 15_000])
@pytest.mark.parametrize("later", [False, True])
def test_a_vector_without_a_direction_is_never_found(case: Case, few: int, later: bool) -> None:
    vectors = directions(300, 48)
    bad = {0: NAN, 5: np.float32(0), 150: INF, 299: -INF}
    for position, value in bad.items():
        vectors[position] = value
    vectors[20, 7] = NAN
    rung = case.build(vectors[: 3 if later else None], effort=ALL._replace(few=few))
    rung.add(vectors)
    good = np.setdiff1d(np.arange(300), [*bad, 20])
    for query in directions(10, 48, seed=2):
        positions, cosines = rung.nearest(query, 300)
        assert np.array_equal(np.sort(positions), good)
        assert np.isfinite(cosines).all()
        clean = case.build(np.ascontiguousarray(vectors[good])).nearest(query, 10)
        assert same(rung.nearest(query, 10), (good[clean[0]], clean[1]))


@EVERY
@pytest.mark.parametrize("value", [0, NAN, INF])
def test_a_question_without_a_direction_finds_nothing(case: Case, value: np.float32) -> None:
    query = np.full(48, value, np.float32)
    assert len(case.build(directions(300, 48)).nearest(query, 10)[0]) == 0


@EVERY
@pytest.mark.parametrize("d", [1, 5, 48])
def test_of_none_none_is_found_and_of_one_that_one(case: Case, d: int) -> None:
    vectors = directions(1, d)
    rung = case.build(vectors[:0])
    assert [each.tolist() for each in rung.nearest(vectors[0], 10)] == [[], []]
    rung.add(vectors)
    assert rung.nearest(vectors[0], 10)[0].tolist() == [0]
    assert case.build(vectors).nearest(vectors[0], 10)[0].tolist() == [0]
    assert case.build(vectors).nearest(vectors[0], 0)[0].tolist() == []


@EVERY
def test_more_are_asked_for_than_there_are(case: Case) -> None:
    vectors = directions(300, 48)
    for effort in (ALL, SOME):
        positions, cosines = case.build(vectors, effort=effort).nearest(vectors[0], 1000)
        assert sorted(positions.tolist()) == [*range(300)]
        assert (np.diff(cosines) <= 0).all()


@EVERY
def test_vectors_of_another_form_are_refused(case: Case) -> None:
    vectors = directions(30, 48)
    wrongs: list[Any] = [vectors.astype(np.float64), vectors[0], vectors[:, :20], vectors[::2]]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="vectors must be"):
            case.build(wrong)
    rung = case.build(vectors)
    for fewer in (vectors[:29], directions(40, 47)):
        with pytest.raises(ValueError, match="come again"):
            rung.add(fewer)
    with pytest.raises(ValueError, match="shape"):
        rung.nearest(vectors[0, :47], 3)
    with pytest.raises(ValueError, match="shape"):
        rung.nearest(vectors[0], 3, allowed=np.ones(29, bool))


@EVERY
def test_vectors_may_be_a_file_that_is_only_read_and_grows(case: Case, tmp_path: Path) -> None:
    vectors = directions(500, 48)

    def mapped(end: int) -> Vectors:
        (tmp_path / "vectors").write_bytes(vectors[:end].tobytes())
        return np.memmap(tmp_path / "vectors", np.float32, "r", shape=(end, 48))

    rung = case.build(mapped(400))
    rung.add(mapped(500))
    assert rung.nearest(vectors[470], 1)[0].tolist() == [470]


@pytest.mark.parametrize("loops", [COMPILED, TWIN], ids=["compiled", "twin"])
def test_suco_finds_nearly_all_though_it_compares_few(loops: object) -> None:
    vectors, queries = directions(20_000, 64), directions(50, 64, seed=2)
    effort = Effort(few=0, alpha=0.1, beta=0.01, floor=400)
    rung = SuCo.build(vectors, effort=effort, loops=COMPILED if loops is COMPILED else TWIN)
    found = [len({*rung.nearest(query, 10)[0].tolist()} & {*nearest(vectors, query, 10)}) for query in queries]
    assert sum(found) >= 0.95 * 500


def test_suco_trains_again_when_it_has_grown_to_four_times_its_size() -> None:
    near, far = directions(500, 48), unit(np.random.default_rng(5).standard_normal((2000, 48)) + 3)
    vectors = np.concatenate([near, far])
    rung = SuCo.build(near, effort=SOME)
    rung.add(vectors[:2000])
    first = rung._codebook.centroids.copy()
    rung.add(vectors)
    assert not np.array_equal(first, rung._codebook.centroids)
    again = SuCo.build(vectors, effort=SOME)
    assert all(same(rung.nearest(query, 10), again.nearest(query, 10)) for query in near[:10])


def test_two_builds_are_one() -> None:
    vectors = directions(3000, 48)
    for case in CASES:
        one, two = (case.build(vectors, effort=SOME) for _ in range(2))
        for key, array in one._arrays().items():
            assert np.array_equal(array, two._arrays()[key]), (case, key)
