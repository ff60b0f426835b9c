"""A search for keys is for the lines with all terms of one of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.text.key_search import any_of_keys

TERMS = ["boat", "båd", "лодка", "नाव", "小舟", "ボート", "g7", "kay"]
KEYS = st.lists(st.lists(st.sampled_from(TERMS), min_size=1, max_size=2, unique=True).map(tuple), max_size=12)


@given(KEYS, st.frozensets(st.sampled_from(TERMS)))
def test_its_terms_are_of_the_lines_that_have_a_key(keys: list[tuple[str, ...]], line: frozenset[str]) -> None:
    search = any_of_keys(keys)
    assert search.terms is not None
    found = any(one in line and (those is None or not line.isdisjoint(those)) for one, those in search.terms)
    assert found == any(line.issuperset(key) for key in keys)


@pytest.mark.parametrize("key", [("a", "b", "c"), ("red boat",), ('"', "a"), ("",), ()])
def test_with_a_key_that_is_more_than_two_words_it_has_none(key: tuple[str, ...]) -> None:
    assert any_of_keys([key, ("a", "b")]).terms is None
