"""Dates in words: cases as readable data, and the laws that hold for any text."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.when import (
    argument,
    closing_day,
    find,
    heading_day,
    heading_year,
    may_hold,
    note_day,
    path_day,
    read,
    valid,
)
from commonplace.core.when.grammar.engine import forget

if TYPE_CHECKING:
    from commonplace.core.model import Span

TODAY = date(2026, 2, 10)
CASES = Path(__file__).parent


def _cases(name: str, key: str) -> list[object]:
    """(text, the day on which it was said, the days expected) of every case with that key in the files so named."""
    found: list[object] = []
    for path in sorted(CASES.glob(name)):
        data = json.loads(path.read_text(encoding="utf-8"))
        for case in data["cases"]:
            if key in case:
                today = date.fromisoformat(case.get("today", data["today"]))
                found.append(pytest.param(case["text"], today, case[key], id=f"{path.stem}: {case['text']}"))
    return found


QUESTIONS = [*_cases("read-*.json", "days"), *_cases("questions-*.json", "days")]


def _days(span: Span | None) -> str | None:
    if span is None:
        return None
    return f"{span.start or '..'}/{span.end or '..'}"


@pytest.mark.parametrize(("text", "today", "days"), [*QUESTIONS, *_cases("facts-*.json", "read")])
def test_the_days_that_a_question_asks_about_are_read(text: str, today: date, days: str | None) -> None:
    when = read(text, today)
    assert _days(when.span if when else None) == days


@pytest.mark.parametrize(("text", "recorded", "days"), _cases("facts-*.json", "valid"))
def test_a_fact_is_dated_only_by_what_can_mean_nothing_else(text: str, recorded: date, days: str | None) -> None:
    assert _days(valid(text, recorded)) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Currently in Marrakech (Nov 27–Dec 1, 2025) for Andy's birthday.", "2025-11-27/2025-12-01"),
        ("現在マラケシュにいる(2025 年 11 月 27 日〜12 月 1 日)Andy の誕生日のため。", "2025-11-27/2025-12-01"),
        ("I fixed the crash (see memory/2025-11-27.md).", None),
        ("`2025-11-27` is only code, [here](2025-11-27.md) and [[2025-11-27]] are links", None),
        ("Prefers concise replies (<1500 chars) on WhatsApp", None),
        ("Lives in Berlin since March 2024", "2024-03-01/.."),
        ("Away until Dec 5", "../2026-12-05"),
        ("Call him on Sundays only", None),
        ("Runs 3.11.7 on 192.168.1.12, port 2019, ticket #2019, $2019, at 9:18-10:00 PM", None),
        ("flyttede i går", "2026-02-09/2026-02-09"),
    ],
)
def test_the_days_on_which_a_fact_is_valid_are_read(text: str, days: str | None) -> None:
    assert _days(valid(text, TODAY)) == days


@pytest.mark.parametrize(
    "text",
    [
        "WhatsApp では簡潔な返信(<1500 文字)を好む;長いコンテンツはファイルに。",
        "2000人以上が参加、1500文字まで",
        "在2000人的公司工作，从 1500 字减到 1200 字",
        "Fra 1500 kr. til 2000 kr.",
        "op til 2000 personer",
        "grew since 1500 to 2000 users, before 2000 km",
        "1500 से 2000 शब्द",
        "2000 लोगों से पहले",
        "under <1500, over > 2000, x = 1999",
    ],
)
def test_an_amount_is_no_year(text: str) -> None:
    assert valid(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("< =2019", "../2019-12-31"),
        ("in 2019, when 2000 people came", "2019-01-01/2019-12-31"),
        ("1751 और 1800 के बीच 31 बार", "1751-01-01/1800-12-31"),
    ],
)
def test_a_year_beside_an_amount_is_read_as_a_year(text: str, days: str) -> None:
    when = read(text, TODAY)
    assert _days(when.span if when else None) == days


@pytest.mark.parametrize(
    "heading",
    [
        "# Daily Notes — Feb 8, 2026",
        "2026-02-08 Sunday",
        "📅 2026-02-08",
        "Sunday, 8 February 2026",
        "2026年2月8日(日)",
        "8. februar 2026",
        "Session 2026-02-08 18:00",
        "## 2月8日, 2026",
        "## 2026-02-08 (Sun)",
        "8 फरवरी 2026",
    ],
)
def test_a_heading_with_a_date_is_of_that_day(heading: str) -> None:
    assert heading_day(heading) == date(2026, 2, 8)


@pytest.mark.parametrize(
    "heading",
    [
        "Plan for Dec 5",
        "Plan for Dec 5, 2026",
        "Fix for the 2025-11-02 outage",
        "Week of Feb 8, 2026",
        "Feb 8",
        "2026-02-08 to 2026-02-10",
        "Retain",
        "",
    ],
)
def test_a_heading_about_something_else_has_no_day(heading: str) -> None:
    assert heading_day(heading) is None


@pytest.mark.parametrize(
    ("heading", "dated"),
    [
        ("New supplier (2026-02-08)", True),
        ("🎯 Pivot (since Feb 8, 2026) ✅", True),
        ("股票持仓（2026-02-08确认）", True),
        ("Ny leverandør (8. februar 2026)", True),
        ("New supplier (Feb 8)", False),
        ("Outage (of the old pump, 2026-02-08)", False),
        ("Outage (2026-02-08) and what it cost", False),
        ("Two trips (2026-02-08 to 2026-02-10)", False),
        ("(2026-02-08)", False),
    ],
)
def test_a_heading_may_end_with_its_day(heading: str, dated: bool) -> None:
    assert closing_day(heading) == (date(2026, 2, 8) if dated else None)


@pytest.mark.parametrize(
    ("heading", "day"),
    [
        ("Feb 12", date(2026, 2, 12)),
        ("Thursday, Feb 12th", date(2026, 2, 12)),
        ("Feb 12: the move", date(2026, 2, 12)),
        ("torsdag d. 12. februar", date(2026, 2, 12)),
        ("2月12日（木）", date(2026, 2, 12)),
        ("2月12日の日記", date(2026, 2, 12)),
        ("二月十二日", date(2026, 2, 12)),
        ("12 फ़रवरी", date(2026, 2, 12)),
        ("Daily notes: Dec 30", date(2025, 12, 30)),
        ("Feb 12, 2024", date(2024, 2, 12)),
        ("Feb 12 release", None),
        ("2月12日のリリース", None),
        ("Plan for Feb 12", None),
        ("next Feb 12", None),
        ("May 5 ways to cook rice", None),
        ("2/12", None),
        ("Monday 21", None),
        ("Feb 12-14", None),
        ("Feb 30", None),
        ("Yesterday", None),
        ("今天", None),
    ],
)
def test_a_heading_without_a_year_is_the_day_nearest_to_what_stands_above(heading: str, day: date | None) -> None:
    assert heading_day(heading, date(2026, 1, 2)) == day
    assert heading_day(heading) == (day if "2024" in heading else None)


@pytest.mark.parametrize("heading", ["2026", "February 2026", "2026年2月", "Log 2026", "फ़रवरी 2026"])
def test_a_heading_that_is_a_year_completes_the_days_below(heading: str) -> None:
    middle = heading_year(heading)
    assert middle is not None
    assert heading_day("Jan 1", middle) == date(2026, 1, 1)
    assert heading_day("Dec 31", middle) == date(2026, 12, 31)


@pytest.mark.parametrize("heading", ["Roadmap 2026", "Port 2019", "2019-2020", "Retain", "12345"])
def test_a_heading_with_more_than_a_year_is_no_year(heading: str) -> None:
    assert heading_year(heading) is None


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2025-11-27.md", date(2025, 11, 27)),
        ("memory/2025-11-27-slug.md", date(2025, 11, 27)),
        ("memory/report-2025-11-27.md", None),
        ("memory/2026/02/25/topic.md", date(2026, 2, 25)),
        ("archived/2026-03/2026-03-15.md", date(2026, 3, 15)),
        ("memory/2026-07-23-move/plan.md", date(2026, 7, 23)),
        ("memory/2026-02-30.md", None),
        ("memory/2026-02-30-move/plan.md", None),
        ("bank/world.md", None),
    ],
)
def test_the_day_in_a_path_is_read(path: str, day: date | None) -> None:
    assert path_day(path) == day


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2025-11-27-slug.md", date(2025, 11, 27)),
        ("memory/report-2025-11-27.md", date(2025, 11, 27)),
        ("memory/monitor/sweep-2025-11-27T03.md", date(2025, 11, 27)),
        ("memory/2026-02-25/invoice-2025-12-31.md", date(2026, 2, 25)),
        ("memory/2026-02-25/order-2026-13-99.md", date(2026, 2, 25)),
        ("memory/order-2026-13-99.md", None),
        ("memory/plan-20261231.md", None),
        ("memory/people/anna-1984-03-05.md", None),
        ("report-2025-11-27.md", None),
        ("bank/entities/Fair-2025-11-27.md", None),
        ("notes/15.06.2026.md", date(2026, 6, 15)),
        ("notes/5.3.2026 market.md", date(2026, 3, 5)),
        ("notes/March 5, 2026.md", date(2026, 3, 5)),
        ("journal/2026/March 5.md", date(2026, 3, 5)),
        ("2026/Meetings/April 16.md", date(2026, 4, 16)),
        ("2026/1 January.md", date(2026, 1, 1)),
        ("2026/Dec 31.md", date(2026, 12, 31)),
        ("2026/5. marts.md", date(2026, 3, 5)),
        ("2026/5 марта.md", date(2026, 3, 5)),
        ("2026/5 मार्च.md", date(2026, 3, 5)),
        ("2026/3月5日.md", date(2026, 3, 5)),
        ("Meetings/March 5.md", None),
        ("notes/31.02.2026.md", None),
        ("notes/1.2.3.md", None),
        ("2026/Week 30.md", None),
        ("2026/Chapter 3.md", None),
        ("2026/10-12.md", None),
        ("2026/March.md", None),
        ("3010/March 5.md", None),
        ("bank/entities/March 5, 2026.md", None),
    ],
)
def test_a_note_may_have_its_day_anywhere_in_its_name(path: str, day: date | None) -> None:
    assert note_day(path) == day


@pytest.mark.parametrize(
    ("text", "role", "days"),
    [
        ("30d", "since", "2026-01-11/.."),
        ("2w", "until", "../2026-01-27"),
        ("3 months", "during", "2025-11-10/2026-02-10"),
        ("2025-11", "during", "2025-11-01/2025-11-30"),
        ("since March", "since", "2025-03-01/.."),
        ("last week", "until", "../2026-02-08"),
        ("30天", "since", "2026-01-11/.."),
        ("先週", "since", "2026-02-02/.."),
        ("30 दिन", "since", "2026-01-11/.."),
        ("2 uger", "since", "2026-01-27/.."),
        ("i går", "on", "2026-02-09/2026-02-09"),
    ],
)
def test_the_days_of_an_argument_are_read(text: str, role: str, days: str) -> None:
    assert _days(argument(text, TODAY, role)) == days


@pytest.mark.parametrize("text", ["", "xyz", "2026-02-30", "99999999d", "before 2024"])
def test_unreadable_arguments_say_what_works(text: str) -> None:
    with pytest.raises(ValueError, match="try 30d"):
        argument(text, TODAY, "since")


_PIECES = st.sampled_from(
    [
        "may",
        "5",
        "12",
        "31",
        "2025",
        "1999-12-31",
        "9999",
        "0001",
        "week",
        "of",
        "the",
        "last",
        "next",
        "since",
        "until",
        "–",
        "-",
        "/",
        ".",
        ",",
        "(",
        ")",
        "'",
        "'s",
        "Q3",
        "H2",
        "99999",
        "ago",
        "in",
        "three",
        "hundred",
        "thousand",
        "years",
        "decades",
        "før",
        "uge",
        "27.",
        "år",
        "世纪",
        "年",
        "月",
        "日",
        "上",
        "下",
        "第",
        "三",
        "前",
        "後",
        "令和",
        "から",
        "週",
        "दिन",
        "पहले",
        "से",
        "कल",
        "सौ",
    ]
)
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=12).map(" ".join), st.lists(_PIECES, max_size=12).map("".join))
_DAYS = st.one_of(st.dates(), st.sampled_from([date.min, date.max, date(2024, 2, 29)]))


@settings(max_examples=400)
@given(_TEXTS, _DAYS)
def test_any_text_is_read_without_raising(text: str, today: date) -> None:
    done = 0
    for when in find(text, today):
        assert done <= when.start < when.end <= len(text)
        assert text[when.start : when.end] == when.phrase
        done = when.end
    one = read(text, today)
    for span in (valid(text, today), one.span if one else None):
        assert span is None or span.start is None or span.end is None or span.start <= span.end
    heading_day(text)
    path_day(text)
    with suppress(ValueError):
        argument(text, today, "since")


@settings(max_examples=200)
@given(st.lists(st.lists(_PIECES, min_size=2, max_size=6).map(" ".join), min_size=2, max_size=6), _DAYS)
def test_what_was_read_before_changes_nothing(texts: list[str], today: date) -> None:
    """The grammar remembers the tries of runs of known classes; a reader without memories finds the same."""
    remembered = [(find(text, today), read(text, today)) for text in texts]
    for text, known in zip(texts, remembered, strict=True):
        forget()
        assert (find(text, today), read(text, today)) == known


@settings(max_examples=200)
@given(st.dates())
def test_a_day_in_digits_is_a_heading_of_that_day(day: date) -> None:
    assert heading_day(day.isoformat()) == heading_day(f"# {day.isoformat()} ") == day


@pytest.mark.parametrize(("text", "today", "days"), [*QUESTIONS, *_cases("facts-*.json", "valid")])
def test_the_prefilter_lets_every_date_through(text: str, today: date, days: str | None) -> None:
    assert days is None or may_hold(text), today
