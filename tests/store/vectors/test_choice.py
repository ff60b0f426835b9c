"""Which rung is chosen, and what `status` says of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from commonplace.errors import ExtensionMissing, UsageError
from commonplace.store.vectors.rungs import RUNGS, RungChoice, choice, rung


@pytest.mark.parametrize(
    ("vectors", "compiled", "expected"),
    [
        (0, True, RungChoice("float32", "0 vectors: all are compared up to 50,000")),
        (50_000, True, RungChoice("float32", "50,000 vectors: all are compared up to 50,000")),
        (50_001, True, RungChoice("int8", "50,001 vectors: all are compared by one byte a dimension up to 200,000")),
        (200_000, True, RungChoice("int8", "200,000 vectors: all are compared by one byte a dimension up to 200,000")),
        (200_001, True, RungChoice("suco", "200,001 vectors: SuCo above 200,000")),
        (9, False, RungChoice("float32", "9 vectors: all are compared up to 20,000, without the compiled kernel")),
        (20_001, False, RungChoice("suco", "20,001 vectors: SuCo above 20,000, without the compiled kernel")),
    ],
)
def test_the_size_decides(vectors: int, compiled: bool, expected: RungChoice) -> None:
    assert choice(vectors, compiled=compiled) == expected


@pytest.mark.parametrize("name", RUNGS)
def test_a_setting_decides_over_the_size(name: str) -> None:
    for vectors in (0, 1_000_000):
        assert choice(vectors, setting=name, usearch=True) == (name, f"{name} is set")


def test_hnsw_without_usearch_is_the_size_again_and_says_so() -> None:
    assert choice(10, setting="hnsw") == RungChoice(
        "float32", "hnsw is set, but usearch is not installed; 10 vectors: all are compared up to 50,000"
    )


def test_an_unknown_setting_is_an_error_that_names_the_others() -> None:
    with pytest.raises(UsageError, match="named ivf: one of auto, float32, int8, suco, hnsw"):
        choice(10, setting="ivf")


@pytest.mark.parametrize("name", RUNGS)
def test_each_name_has_its_rung(name: str) -> None:
    assert getattr(rung(next(each for each in RUNGS if each == name)), "name") == name  # noqa: B009 - no part of the port


def test_a_rung_whose_library_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(ExtensionMissing, match=r"hnsw needs usearch: .*usearch>="):
        rung("hnsw").build(np.zeros((0, 4), np.float32))
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from commonplace.store.vectors.rungs import choice, rung\n"
        "assert choice(10).rung == 'float32'\n"
        "try: rung('float32')\n"
        "except Exception as error: print(error.code, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("extension-missing the search of vectors needs numpy: ")
    assert "numpy>=2" in done.stdout
