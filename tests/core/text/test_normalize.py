"""Spellings that mean the same are one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.text.normalize import unify

SIGNS = "–—’‘“”…"
OTHERS = "a e-'\".カﾊ゙か゛\u0301\u0308\u0338\ufe0f é"


@pytest.mark.parametrize(("text", "unified"), [("March 3–5", "March 3-5"), ("“Don’t…”", '"Don\'t..."'), ("a—b", "a-b")])
def test_signs_of_prose_are_those_of_a_keyboard(text: str, unified: str) -> None:
    assert unify(text) == unified


@given(st.text(SIGNS + OTHERS, max_size=12))
def test_signs_of_prose_join_with_no_other_character(text: str) -> None:
    assert unify(text) == unify(unicodedata.normalize("NFKC", text))
