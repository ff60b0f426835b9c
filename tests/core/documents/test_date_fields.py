"""A line close below a heading that gives nothing but its day dates the section, as the heading itself could."""

from __future__ import annotations

from datetime import date

from commonplace.core.documents.parse import parse

DAY = date(2026, 2, 8)


def days(text: str, path: str = "memory/notes.md") -> list[date | None]:
    return [line.day for line in parse(path, text).lines]


def test_the_section_has_that_day_and_the_next_one_does_not() -> None:
    text = "## Harbour plan\n\n**Date:** 2026-02-08\n\n- Two berths\n### Costs\n- 900\n## Sauna\n- Cedar\n"
    assert days(text) == [DAY, DAY, DAY, DAY, DAY, None, None]


def test_below_the_title_it_dates_the_whole_note() -> None:
    assert set(days("# Study of the pier\n> by Rolf\n> 日期：2026年2月8日\n\n## Wood\nPine rots.\n")) == {DAY}


def test_what_has_a_day_keeps_it() -> None:
    text = "## Plan\nDate: 2026-02-08\n- Two berths\n"
    assert set(days(text, "memory/2026-03-01.md")) == {date(2026, 3, 1)}
    assert set(days("---\ndate: 2026-03-01\n---\n" + text)) == {date(2026, 3, 1)}
    assert set(days(f"# 2026-03-01\n{text[8:]}")) == {date(2026, 3, 1)}


def test_the_core_file_of_what_lasts_is_of_no_day() -> None:
    assert set(days("## Rules\nDate: 2026-02-08\n- Never push on Friday\n", "MEMORY.md")) == {None}


def test_far_below_or_in_a_list_it_is_of_something_else() -> None:
    assert set(days("## Trip\nOne.\n\nTwo.\n\nThree.\n\nDate: 2026-02-08\n")) == {None}
    assert set(days("## Trips\n- To Hull\nDate: 2026-02-08\n")) == {None}
    assert set(days("Date: 2026-02-08\n\nNo heading above.\n")) == {None}
