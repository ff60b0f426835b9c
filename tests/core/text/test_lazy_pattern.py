"""A lazy pattern finds what the pattern itself finds, and is compiled at its first use."""

from __future__ import annotations

import re

import pytest

from commonplace.core.text.lazy_pattern import lazy_pattern


def test_it_finds_what_the_pattern_finds() -> None:
    text, given = "Ann, ann and Bo", (r"(?P<first>a)nn?", re.IGNORECASE)
    lazy, plain = lazy_pattern(*given), re.compile(*given)
    for _ in range(2):
        assert lazy.findall(text) == plain.findall(text)
        assert [each.span("first") for each in lazy.finditer(text)] == [(0, 1), (5, 6), (9, 10)]
        assert (lazy.sub("x", text), lazy.split(text)) == (plain.sub("x", text), plain.split(text))
    assert lazy.pattern == plain.pattern


def test_a_wrong_pattern_is_noticed_at_its_first_use_only() -> None:
    lazy = lazy_pattern("(")
    with pytest.raises(re.error):
        lazy.match("")
