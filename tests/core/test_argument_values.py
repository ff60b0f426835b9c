"""What callers give in words, as values."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core import argument_values
from commonplace.core.model import Kind, Span
from commonplace.errors import UsageError

TODAY = date(2025, 11, 27)


def test_a_day_in_words_is_its_range_s_last() -> None:
    assert argument_values.day("2025-11", TODAY) == date(2025, 11, 30)
    assert argument_values.day(date(2024, 1, 2), TODAY) == date(2024, 1, 2)
    assert argument_values.first_day("7d", TODAY) == date(2025, 11, 20)


def test_ranges_narrow_each_other() -> None:
    assert argument_values.between(None, None, during=None, today=TODAY) is None
    assert argument_values.between("2025-11-10", "2025-12-05", during="2025-11", today=TODAY) == Span(
        date(2025, 11, 10), date(2025, 11, 30)
    )
    assert argument_values.between(None, "2025-11", during=None, today=TODAY) == Span(None, date(2025, 11, 30))
    with pytest.raises(UsageError, match="ends before it starts"):
        argument_values.between("2025-12-01", None, during="2025-11", today=TODAY)


def test_what_cannot_be_read_is_the_caller_s_fault() -> None:
    with pytest.raises(UsageError, match="cannot read the date 'soonish'"):
        argument_values.day("soonish", TODAY)
    with pytest.raises(UsageError, match="unknown kind 'rumour'"):
        argument_values.kind("rumour")
    assert argument_values.kind("O") is argument_values.kind("Opinion") is Kind.OPINION


def test_ids_are_told_once_and_bare() -> None:
    assert argument_values.ids(["^k7f3qa", " k7f3qa ", "", "o-4m7k"]) == ("k7f3qa", "o-4m7k")
