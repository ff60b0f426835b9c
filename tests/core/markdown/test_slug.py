"""The file name of an entity is its own, and one that every file system takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.markdown.slug import FOLDER, entity_path
from commonplace.errors import UsageError


def stem(path: str) -> str:
    assert path.startswith(FOLDER)
    assert path.endswith(".md")
    return path[len(FOLDER) : -3]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("The Castle", "The-Castle"),
        ("The-Castle", "The-Castle"),
        ("The\u2011Castle", "The-Castle"),
        ("  The   Castle ", "The-Castle"),
        ("warelay", "warelay"),
        ("王芳", "王芳"),
        ("पीटर", "पीटर"),
        ("e\u0301te\u0301", "été"),
        ("Søren Ærø", "Søren-Ærø"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("com¹", "_com¹"),
        ("Console", "Console"),
        ("Acme Inc.", "Acme-Inc"),
        (".NET", "_.NET"),
        ("AC/DC", "AC-DC"),
        ("a\\b|c: d", "a-b-c-d"),
        ("C#", "C#"),
    ],
)
def test_each_name_becomes_its_file_name(name: str, expected: str) -> None:
    assert stem(entity_path(name)) == expected


def test_what_is_dropped_or_cut_is_marked() -> None:
    assert entity_path("C*") != entity_path("C")
    assert entity_path("Wh?t") != entity_path("Wht")
    long = [entity_path("長い名前" * 40 + tail) for tail in ("一", "二")]
    assert long[0] != long[1]
    assert all(len(stem(path).encode()) <= 120 for path in long)


@pytest.mark.parametrize("name", ["", "  ", "...", "\u200b", "?"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        entity_path(name)


@given(st.text())
def test_the_name_of_a_page_is_its_own_name(name: str) -> None:
    try:
        path = entity_path(name)
    except UsageError:
        return
    found = stem(path)
    assert entity_path(found) == path
    assert len(found.encode()) <= 120
    assert found[0] != "."
    assert not set(found) & set('<>:"/\\|?*\0\n\r\t ')
    assert found[-1] != "."
