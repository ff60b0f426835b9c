"""Front matter: aliases are added, and no other byte changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.markdown.frontmatter import aliases, end, less_aliases, read, with_aliases, without_aliases

SHAPES = [
    ("# P\n", "---\naliases: [B, C d]\n---\n# P\n"),
    ("", "---\naliases: [B, C d]\n---\n"),
    ("\ufeff# P\n", "\ufeff---\naliases: [B, C d]\n---\n# P\n"),
    ("# P\r\n", "---\r\naliases: [B, C d]\r\n---\r\n# P\r\n"),
    ("---\ntags: x\n---\n# P", "---\ntags: x\naliases: [B, C d]\n---\n# P"),
    ("---\naliases: [A]  # mine\n---\n", "---\naliases: [A, B, C d]  # mine\n---\n"),
    ("---\naliases: []\n---\n", "---\naliases: [B, C d]\n---\n"),
    ("---\naliases:\n---\n", "---\naliases:\n  - B\n  - C d\n---\n"),
    (
        "---\r\naliases:\r\n- A\r\n\r\ntags: x\r\n---\r\n",
        "---\r\naliases:\r\n- A\r\n- B\r\n- C d\r\n\r\ntags: x\r\n---\r\n",
    ),
    ("---\nalias: A\nx: 1\n---\n", "---\nalias: [A, B, C d]\nx: 1\n---\n"),
    ("---\naliases: [B]\n---\n", "---\naliases: [B, C d]\n---\n"),
    ("---\naliases: [C d, B]\n---\n", "---\naliases: [C d, B]\n---\n"),
]


@pytest.mark.parametrize(("text", "expected"), SHAPES)
def test_aliases_are_added_in_the_form_that_is_there(text: str, expected: str) -> None:
    assert with_aliases(text, ["B", "C d"]) == expected
    assert with_aliases(expected, ["B", "C d"]) == expected


def test_names_that_yaml_would_read_otherwise_are_quoted() -> None:
    assert with_aliases("", ["no", "12", 'a "b"']) == '---\naliases: ["no", "12", \'a "b"\']\n---\n'


def test_front_matter_without_aliases() -> None:
    assert without_aliases(["aliases:", "  - A", "", "tags: x", "  - y", "alias: B"]) == ["tags: x", "  - y"]


@given(
    st.sampled_from([shape for shape, _ in SHAPES]),
    st.lists(st.text("abc éß王名 -'", min_size=1, max_size=9).map(str.strip).filter(bool), min_size=1, max_size=4),
)
def test_what_is_added_is_read_back(text: str, names: list[str]) -> None:
    made = with_aliases(text, names)
    lines = [line.removesuffix("\r") for line in made.removeprefix("\ufeff").split("\n")]
    found = read(lines[1 : end(lines)])
    assert {" ".join(name.split()) for name in names} <= {
        " ".join(name.split()) for key in ("alias", "aliases") for name in found.get(key, ())
    }
    assert made.endswith(text.removeprefix("\ufeff").rpartition("---")[2].lstrip("\n") if "---" in text else text[-3:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\naliases: [A, B]\n---\n# X\n", "---\naliases: [A]\n---\n# X\n"),
        ("---\naliases: [B]\n---\n# X\n", "# X\n"),
        ("---\nkind: ship\naliases:\n  - A\n  - B\n---\n# X\n", "---\nkind: ship\naliases:\n  - A\n---\n# X\n"),
        ("---\n\naliases: [B]  # mine\n# said\n---\n", "---\n\naliases: []  # mine\n# said\n---\n"),
        ("---\naliases:\n- B\ntags: [B]\n---\n", "---\ntags: [B]\n---\n"),
        ("\ufeff---\r\nalias: B\r\nkind: ship\r\n---\r\n# X\r\n", "\ufeff---\r\nkind: ship\r\n---\r\n# X\r\n"),
        ("# X\n\nB\n", "# X\n\nB\n"),
        ("---\naliases:\n---\n", "---\naliases:\n---\n"),
        ("---\naliases: [A]\n---\n# X\n", "---\naliases: [A]\n---\n# X\n"),
    ],
)
def test_aliases_are_taken_away_and_nothing_else(text: str, expected: str) -> None:
    assert less_aliases(text, {"B"}) == expected
    assert "B" not in aliases(expected)
    assert less_aliases(expected, {"B"}) == expected


@given(st.lists(st.text(st.characters(whitelist_categories=["Lu", "Ll"]), min_size=1, max_size=8), max_size=3))
def test_what_was_added_is_taken_away_again(names: list[str]) -> None:
    text = "---\nkind: ship\n---\n\n# X\n"
    assert less_aliases(with_aliases(text, names), {*names}) == text
