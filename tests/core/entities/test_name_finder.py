"""The finder of known names in lines."""

from __future__ import annotations

import pytest

from commonplace.core.entities.name_finder import NameFinder
from commonplace.core.text.normalize import fold

KNOWN = NameFinder(map(fold, ("浙江龙盛", "ピーター", "gog", "ann lee", "ann", "小王", "now", "x")))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("今天浙江龙盛涨了三个点", ["浙江龙盛"]),
        ("昨日、ピーターが来た", ["ピーター"]),
        ("ピーターソン氏の話", []),
        ("小王子是一本书", []),
        ("the gog command, now twice", ["gog"]),
        ("gogs is another, so is x", []),
        ("Wrote to ann-lee@shop.example", []),
        ("Met ann lee twice", ["ann lee"]),
        ("Ann's list", ["ann"]),
    ],
)
def test_known_names_are_found_in_a_line_and_not_inside_other_words(text: str, names: list[str]) -> None:
    assert KNOWN.find(text) == sorted(map(fold, names))
