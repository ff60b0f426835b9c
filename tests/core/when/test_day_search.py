"""Which lines a search for days finds by their words, and which of them name the days."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.documents.parse import parse
from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.when.day_search import days_named, searches
from commonplace.store.sqlite import Index

DAY = Span(date(2026, 7, 12), date(2026, 7, 12))
WEEK = Span(date(2026, 7, 20), date(2026, 7, 26))
MONTH = Span(date(2026, 10, 1), date(2026, 10, 31))


def found(line: str, days: Span, recorded: date) -> bool:
    """Whether one of the searches finds a line that names some of the days."""
    with Index(":memory:") as index:
        path = f"memory/{recorded}.md"
        index.transaction(lambda: index.writer.put([(parse(path, f"- {line}\n"), path, ())]))
        rows = [
            row
            for expression, written in searches(days)
            if written is not None
            for row in index.match(expression, among=index.rows_between(written))
        ]
        texts = [each.line.content for each in index.lines(rows).values()]
    return any(days_named(text, recorded, days, today=days.start or date.min) is not None for text in texts)


@pytest.mark.parametrize(
    ("line", "days", "recorded"),
    [
        ("The ferry leaves on 12 July.", DAY, date(2026, 5, 9)),
        ("Dinner with Ida, July 12th.", DAY, date(2026, 5, 9)),
        ("Party on 2026-07-12 at Ida's.", DAY, date(2026, 5, 9)),
        ("Færgen sejler den 12. juli.", DAY, date(2026, 5, 9)),
        ("Паром уходит 12 июля.", DAY, date(2026, 5, 9)),
        ("नाव 12 जुलाई को जाएगी।", DAY, date(2026, 5, 9)),
        ("船は7月12日に出る。", DAY, date(2026, 5, 9)),
        ("七月十二日坐船去釜山。", DAY, date(2026, 5, 9)),
        ("七月十二日坐船去釜山，請帶護照。", DAY, date(2026, 5, 9)),
        ("We fly to Bergen tomorrow.", DAY, date(2026, 7, 11)),
        ("I morgen flyver vi til Bergen.", DAY, date(2026, 7, 11)),
        ("Завтра летим в Берген.", DAY, date(2026, 7, 11)),
        ("कल हम बर्गन जाएँगे।", DAY, date(2026, 7, 11)),
        ("明日ベルゲンへ飛ぶ。", DAY, date(2026, 7, 11)),
        ("明天飞去卑尔根。", DAY, date(2026, 7, 11)),
        ("The plumber comes next week.", WEEK, date(2026, 7, 15)),
        ("VVS kommer næste uge.", WEEK, date(2026, 7, 15)),
        ("来週は配管工が来る。", WEEK, date(2026, 7, 15)),
        ("下周水管工来。", WEEK, date(2026, 7, 15)),
        ("Сантехник придёт на следующей неделе.", WEEK, date(2026, 7, 15)),
        ("Sommerhuset er vores i uge 30.", WEEK, date(2026, 4, 7)),
        ("The dentist is on 22 July.", WEEK, date(2026, 5, 9)),
        ("Strøm fra Nordlys fra 1. oktober.", MONTH, date(2026, 6, 10)),
        ("十月に引っ越す。", MONTH, date(2026, 6, 10)),
        ("Переезд 3 октября.", MONTH, date(2026, 6, 10)),
    ],
)
def test_a_line_of_another_day_is_found_by_the_day_that_it_names(line: str, days: Span, recorded: date) -> None:
    assert found(line, days, recorded)


@pytest.mark.parametrize(
    ("line", "days", "recorded"),
    [
        ("The ferry left on 12 July.", DAY, date(2025, 7, 20)),  # of the year before
        ("Bought 12 apples in July.", DAY, date(2026, 5, 9)),
        ("The flat has 12 rooms; juli is its owner.", DAY, date(2026, 5, 9)),
        ("We fly to Bergen tomorrow.", DAY, date(2026, 7, 9)),
        ("I morgen flyver vi til Bergen.", DAY, date(2026, 7, 9)),
        ("Завтра летим в Берген.", DAY, date(2026, 7, 9)),
        ("明日ベルゲンへ飛ぶ。", DAY, date(2026, 7, 9)),
        ("明天飞去卑尔根。", DAY, date(2026, 7, 9)),
        ("कल हम बर्गन जाएँगे।", DAY, date(2026, 7, 9)),
        ("船は7月2日に出る、12人で。", DAY, date(2026, 5, 9)),
        ("The plumber comes next week.", WEEK, date(2026, 7, 7)),
        ("The lease runs since March.", MONTH, date(2026, 6, 10)),
        ("The server is on port 2026 07 12.", DAY, date(2026, 5, 9)),
    ],
)
def test_a_line_that_names_other_days_is_not(line: str, days: Span, recorded: date) -> None:
    assert not found(line, days, recorded)


def test_days_without_an_end_or_too_many_are_not_searched() -> None:
    assert searches(DAY)
    assert not searches(Span(DAY.start, None))
    assert not searches(Span(None, DAY.end))
    assert not searches(Span(date(2026, 1, 1), date(2026, 12, 31)))
    assert not searches(Span(date(2026, 7, 2), date(2026, 7, 1)))
    assert not searches(Span(date.min, date.min))
    assert not searches(Span(date.max, date.max))


def test_of_an_undated_file_a_date_with_its_year_counts() -> None:
    assert days_named("The fair is on 12 July 2026.", None, DAY, today=date(2026, 7, 1)) == DAY
    assert days_named("The fair is on 12 July.", None, DAY, today=date(2026, 7, 1)) is None


def test_the_shortest_of_the_days_named_is_taken() -> None:
    said = "Not to Norway this year, but to the coast on 12 July."
    assert days_named(said, date(2026, 4, 7), DAY, today=date(2026, 7, 1)) == DAY


@pytest.mark.parametrize("names", ["months", "weekdays"])
def test_the_names_of_months_and_weekdays_are_those_that_dates_are_read_with(names: str) -> None:
    for language, words in table("day_names")[names].items():
        known = table("when", language)["words"]["month" if names == "months" else "weekday"]
        for number, each in enumerate(words, 1 if names == "months" else 0):
            assert {known.get(word, number) for word in each.split()} == {number}
