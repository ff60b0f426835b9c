"""Whom a line names."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.name_mentions import introduced, mentions
from commonplace.core.recall.query_analysis import read


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Agnes – runs the print shop", "Agnes"),
        ("**Agnes Dahl:** runs the print shop", "Agnes Dahl"),
        ("Agnes (she/her): print shop", "Agnes"),
        ("Agnes er bogbinder", "Agnes"),
        ("周蕾：装订师傅", "周蕾"),
        ("健太（けんた）：印刷係", "健太"),
        ("आग्नेस – छापाख़ाना चलाती है", "आग्नेस"),
        ("Вера — переплётчица", "Вера"),
        ("the shop was painted – in green", ""),
        ("we learned to call Agnes first, then the shop: it helps", ""),
        ("我们学会了先打电话：再去店里", ""),
        ("Agnes", ""),
        ("", ""),
    ],
)
def test_the_name_that_a_line_introduces_is_read(line: str, name: str) -> None:
    assert introduced(line) == name


@given(st.text())
def test_no_line_is_refused(line: str) -> None:
    assert introduced(line) in line


@pytest.mark.parametrize("text", ["see [[ ]] now", "[[.md]]", "[[ .md ]]", "[[ |x]]", "[[a/ ]]", "[[\u3000]]"])
def test_a_link_to_nothing_names_nobody(text: str) -> None:
    assert mentions(text) == ()
    assert read(text, date(2026, 2, 1)).entities == ()


def test_an_order_to_the_host_names_nobody() -> None:
    said = "[[reply_to_current]] Told [[Peter]] at noon [[reply_to: 12]] [[audio_as_voice]] and [[reply]]"
    assert mentions(said) == ("Peter", "reply")
