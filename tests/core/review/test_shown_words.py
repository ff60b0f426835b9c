"""New words come from what was shown."""

from __future__ import annotations

import pytest

from commonplace.core.review.shown_words import not_shown

LINE = "- i-4k2p7: “W @Peter: Moved to Berlin with 3 cats.” (2026-01-03, memory/2026-01-03.md#L4)"


def test_new_words_count_where_they_come_from_what_was_shown() -> None:
    assert not_shown("W @Peter: Peter moved to Berlin with 3 cats.", LINE) == ""
    assert not_shown("W @彼得: 搬到柏林去了。", "“W @彼得: 彼得搬到柏林去了，带着三只猫。”") == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W @Peter: Moved to Berlin with 4 cats.", "4 was not in the line"),
        ("W @Clara: Moved to Berlin.", "Clara was not in the line"),
        ("W @Peter: Moved to Berlin, and owes the bank his house, his boat and everything else.", "most of its words"),
        ("W @Peter: Moved to Berlin. " * 20, "more than 300"),
        ("W @彼得: 他欠银行很多钱，房子和船都卖掉了。", "most of its words"),
    ],
)
def test_words_that_were_not_shown_do_not(text: str, why: str) -> None:
    shown = LINE if text.isascii() else "“W @彼得: 彼得搬到柏林去了，带着三只猫。”"
    assert why in not_shown(text, shown)
