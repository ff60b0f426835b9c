"""The file of a rung: it answers as before, and whatever is not its file is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.vectors.rung_cases import ALL, CASES, COMPILED, SOME, TWIN, Case, directions

from commonplace.errors import IndexUnusable

if TYPE_CHECKING:
    from pathlib import Path

EVERY = pytest.mark.parametrize("case", CASES, ids=str)
QUERIES = directions(20, 40, seed=2)


@EVERY
@pytest.mark.parametrize("n", [0, 1, 600])
def test_what_is_loaded_answers_as_what_was_saved(case: Case, n: int, tmp_path: Path) -> None:
    vectors = directions(n, 40)
    rung = case.build(vectors, effort=SOME)
    rung.save(tmp_path / "rung")
    loaded = case.load(tmp_path / "rung", vectors, effort=SOME)
    for query in QUERIES:
        assert [each.tobytes() for each in loaded.nearest(query, 10)] == [
            each.tobytes() for each in rung.nearest(query, 10)
        ]
    assert [each.name for each in tmp_path.iterdir()] == ["rung"]


@EVERY
def test_vectors_that_came_later_are_added(case: Case, tmp_path: Path) -> None:
    vectors = directions(600, 40)
    rung = case.build(vectors[:500])
    rung.save(tmp_path / "rung")
    rung.add(vectors)
    loaded = case.load(tmp_path / "rung", vectors)
    assert len(loaded) == 600
    for query in QUERIES:
        assert loaded.nearest(query, 10)[0].tolist() == rung.nearest(query, 10)[0].tolist()


@pytest.mark.parametrize("kind", ["float32", "int8", "suco"])
def test_the_file_of_one_kernel_is_that_of_the_other(kind: str, tmp_path: Path) -> None:
    vectors = directions(600, 40)
    one, two = (case for case in CASES if case.kind.name == kind)
    assert {one.loops, two.loops} == {COMPILED, TWIN}
    one.build(vectors).save(tmp_path / "one")
    two.build(vectors).save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@EVERY
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_each_truncation_and_each_flipped_bit_is_noticed(case: Case, data: st.DataObject, tmp_path: Path) -> None:
    vectors = directions(20, 8)
    path = tmp_path / "rung"
    case.build(vectors).save(path)
    content = bytearray(path.read_bytes())
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    path.write_bytes(content[: bit // 8])
    with pytest.raises(IndexUnusable, match="cannot be used"):
        case.load(path, vectors)
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    with pytest.raises(IndexUnusable, match="cannot be used"):
        case.load(path, vectors)


@EVERY
def test_the_file_of_other_vectors_or_of_another_rung_is_noticed(case: Case, tmp_path: Path) -> None:
    vectors = directions(300, 40)
    path = tmp_path / "rung"
    case.build(vectors).save(path)
    fewer_dimensions = np.ascontiguousarray(vectors[:, :39])
    for others in (vectors[:299], fewer_dimensions, directions(300, 40, seed=3), vectors[::-1].copy()):
        with pytest.raises(IndexUnusable, match="other vectors"):
            case.load(path, others)
    for other in CASES:
        if other.kind is not case.kind:
            with pytest.raises(IndexUnusable, match=f"it is one of {case.kind.name}, not of {other.kind.name}"):
                other.load(path, vectors)


@EVERY
@pytest.mark.parametrize("content", [None, b"", b"\n", b"# A page\n", b"commonplace rung 1\n", bytes(10_000)])
def test_what_is_no_such_file_is_noticed(case: Case, content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "rung").write_bytes(content)
    with pytest.raises(IndexUnusable, match="cannot be used"):
        case.load(tmp_path / "rung", directions(30, 40))


@EVERY
def test_a_file_that_fits_its_checksum_but_not_its_rung_is_noticed(case: Case, tmp_path: Path) -> None:
    """As a program of another version might write it."""
    vectors = directions(300, 40)
    rung = case.build(vectors)
    rung._arrays = lambda: {"other": np.zeros(3)}  # type: ignore[method-assign]
    rung.save(tmp_path / "rung")
    if case.kind.name != "float32":  # which has nothing to keep
        with pytest.raises(IndexUnusable, match="cannot be used"):
            case.load(tmp_path / "rung", vectors)


@EVERY
def test_a_save_that_fails_leaves_the_old_file(case: Case, tmp_path: Path) -> None:
    vectors = directions(300, 40)
    path = tmp_path / "rung"
    case.build(vectors, effort=ALL).save(path)
    rung = case.build(vectors)
    rung._arrays = lambda: {"unwritable": np.zeros(3, object)}  # type: ignore[method-assign]
    with pytest.raises((OSError, TypeError)):
        rung.save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["rung"]
    assert len(case.load(path, vectors)) == 300
    with pytest.raises(OSError, match="No such file"):
        rung.save(tmp_path / "missing" / "rung")
