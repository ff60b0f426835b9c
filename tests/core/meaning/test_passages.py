"""What of a line is embedded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.meaning.passages import LONGEST, is_embedded, passage_key, passages
from commonplace.core.model import Role


def test_a_passage_has_the_nearest_headings_and_parents_before_its_text() -> None:
    above = ["Far away", "Kitchen works", "Sink", "What the plumber found"]
    assert passages("The valve was worn.", above) == [
        "Kitchen works\nSink\nWhat the plumber found\nThe valve was worn."
    ]


@pytest.mark.parametrize("heading", ["2026-01-04", "2026-01-04 (Sun)", "14:30", "1", "—", "2月4日"])
def test_a_heading_that_is_only_a_day_or_an_hour_is_left_out(heading: str) -> None:
    assert passages("Tea with Ingrid.", [heading]) == ["Tea with Ingrid."]


@given(st.text(min_size=1, max_size=5 * LONGEST), st.lists(st.text(max_size=100), max_size=4))
def test_the_passages_of_a_long_line_contain_all_of_it_in_order(text: str, above: list[str]) -> None:
    parts = passages(text, above)
    head = passages("", above)[0]
    assert all(part.startswith(head) and len(part) <= len(head) + LONGEST for part in parts)
    assert "".join(part.removeprefix(head) for part in parts) == text


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_key_is_a_signed_number_of_64_bits_that_only_the_text_decides(one: str, other: str) -> None:
    assert -(2**63) <= passage_key(one) < 2**63
    assert passage_key(one) == passage_key(one)
    assert (passage_key(one) == passage_key(other)) == (one == other)


@pytest.mark.parametrize(
    ("role", "text", "embedded"),
    [
        (Role.BULLET, "The boiler was serviced.", True),
        (Role.TEXT, "锅炉已经修好了", True),
        (Role.ROW, "| boiler | 2026 |", True),
        (Role.BULLET, "ok", False),
        (Role.TEXT, "茶", False),
        (Role.HEADING, "Fixed the leak below the sink", True),
        (Role.HEADING, "Notes", False),
        (Role.CODE, "print('the boiler was serviced')", False),
        (Role.META, "aliases: [Pete, Peter the Great]", False),
    ],
)
def test_lines_that_tell_something_are_embedded_and_code_is_not(role: Role, text: str, embedded: bool) -> None:
    assert is_embedded(role, text=text) is embedded
