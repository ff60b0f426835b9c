"""Lines that name a day in a loose shape are found by who asks for that day, and no others."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Span
from commonplace.core.when.day_search import days_named

THURSDAY = date(2026, 5, 7)
TODAY = date(2026, 5, 10)
WEDNESDAY = Span(date(2026, 5, 13), date(2026, 5, 13))


@pytest.mark.parametrize(
    "text",
    [
        "The glazier comes Wednesday",
        "Flight 13 May 07:15",
        "the 13th: glazier",
        "the 13th is free",
        "Glazier 13/5",
        "Glazier 13.5.",
        "Glazier 13.05",
        "Glazier 5/13",
        "Glarmester onsdag",
        "Glarmester den 13.",
        "Glarmester d. 13",
        "Glarmester 13/5 kl. 8",
        "5月13日前交房租",
        "玻璃工 13号",
        "周三玻璃工",
        "5/13 玻璃工",
        "ガラス屋 5/13",
        "水曜にガラス屋",
        "13日にガラス屋",
        "Стекольщик 13.05",
        "Стекольщик придёт в среду",
        "13-го стекольщик",
        "बुधवार को शीशे वाला",
        "13/5 शीशे वाला",
    ],
)
def test_a_loose_shape_names_the_day_to_come(text: str) -> None:
    assert days_named(text, THURSDAY, WEDNESDAY, today=TODAY) == WEDNESDAY
    assert days_named(text, date(2026, 5, 22), WEDNESDAY, today=TODAY) is None, "a later log does not look ahead to it"


@pytest.mark.parametrize(
    "text",
    [
        "Version 13.5",
        "v13.05",
        "It costs 13.05 €",
        "It costs $13.05",
        "Met Rolf last Wednesday",
        "Painted the fence on Wednesday",
        "13 May 2025 was dry",
        "2024年5月13日",
        "上周三玻璃工",
        "13 people came",
        "page 13",
        "13日間の旅",
        "第13号",
        "水曜日に会った",
        "В прошлую среду",
        "IP 10.13.05.1",
        "at 13:05",
        "Glazier on 20 May, not on Wednesday",
        "It may 13x the cost",
        "Tandlæge kl. 13.05",
        "Frokost 13.05-13.45",
        "They wed in the town hall",
        "Врач в 13.05",
        "Python 3.13.",
        "涨到 13.05",
        "the 13th attempt",
        "a 13th-floor flat",
        "Frıday the 1st of Aprıl",
        "13日後に届く",
        "13日目",
        "Ole's log (Wednesday 2026-05-06)",
        "The club, April 13th",
    ],
)
def test_other_figures_and_what_is_over_name_no_day_to_come(text: str) -> None:
    assert days_named(text, THURSDAY, WEDNESDAY, today=TODAY) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Score 5/5", date(2026, 5, 5)),
        ("Switched to Heron 4.5.", date(2026, 5, 4)),
        ("予約 3/10", date(2026, 10, 3)),
        ("3/4 考试", date(2027, 4, 3)),
        ("We may 5x it", date(2026, 5, 5)),
    ],
)
def test_scores_versions_and_months_before_days_are_no_other_day(text: str, day: date) -> None:
    assert (
        days_named(text, date(2026, 4, 28) if day.year == 2026 else THURSDAY, Span(day, day), today=min(day, TODAY))
        is None
    )


@pytest.mark.parametrize("text", ["A quiet Thursday", "周四去跑步", "木曜に走る", "Гуляли, четверг", "Torsdag ved åen"])
def test_a_weekday_on_itself_is_that_day(text: str) -> None:
    assert days_named(text, THURSDAY, Span(date(2026, 5, 14), date(2026, 5, 14)), today=TODAY) is None


def test_a_weekday_cut_short_has_a_capital() -> None:
    friday = Span(date(2026, 5, 8), date(2026, 5, 8))
    assert days_named("Bjarne har fri", THURSDAY, friday, today=THURSDAY) is None
    assert days_named("Choir Fri 18:00", THURSDAY, friday, today=THURSDAY) == friday


def test_the_number_of_a_day_that_is_named_with_its_month_is_no_other_day() -> None:
    assert days_named("Tide table, 6 May", THURSDAY, Span(date(2026, 6, 6), date(2026, 6, 6)), today=TODAY) is None


def test_of_several_days_the_first_that_a_line_names() -> None:
    days = Span(date(2026, 5, 8), date(2026, 5, 20))
    assert days_named("Glazier 5/13, choir 15/5", THURSDAY, days, today=TODAY) == WEDNESDAY


def test_a_month_away_a_day_needs_its_month() -> None:
    assert days_named("the 13th: glazier", date(2026, 4, 1), WEDNESDAY, today=TODAY) is None
    assert days_named("Glazier 13/5", date(2026, 4, 1), WEDNESDAY, today=TODAY) == WEDNESDAY


def test_of_today_a_weekday_alone_says_nothing() -> None:
    today = date(2026, 5, 13)
    assert days_named("The glazier comes Wednesday", THURSDAY, WEDNESDAY, today=today) is None
    assert days_named("Glazier 13/5", THURSDAY, WEDNESDAY, today=today) == WEDNESDAY
    assert days_named("Wednesday, 6 May 2026: evening walk", THURSDAY, WEDNESDAY, today=TODAY) is None
