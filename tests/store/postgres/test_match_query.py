"""What a recall asks FTS5 for, read for PostgreSQL; and the few words of SQLite's dialect."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Span
from commonplace.core.recall.index_rows import RowRange
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.when.day_search import searches
from commonplace.errors import UsageError
from commonplace.store.postgres.changed_terms import exchanging_terms
from commonplace.store.postgres.dialect import translated
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.match_query import as_terms, searching
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres_server import FleetServer

LINES = (
    "red boat",
    "boat red",
    "red fast boat",
    "blue boats",
    "a train",
    "red train by the boat",
    "上海市民",
    "北上",
    "",
)
ALL = RowRange(0, 1 << 62)
_NONE = "fleet.lines t where false"


@pytest.fixture(scope="module")
def both(server: FleetServer) -> Iterator[tuple[Index, FleetIndex]]:
    """The same lines in FTS5 and as postings."""
    name = server.database()
    pushes, _ = server.tenant(name, "t")
    with Index(":memory:") as index, server.as_role(pushes, name) as db:
        for row, text in enumerate(LINES, 1):
            terms = document_terms(text)
            index.run("insert into terms(rowid, t) values (?, ?)", (row, terms))
            db.execute("insert into fleet.lines (row, terms) values (%s, %s)", (row, terms))
        db.ask_all(exchanging_terms(_NONE, {}, [(row, document_terms(text)) for row, text in enumerate(LINES, 1)]))
        yield index, FleetIndex(db)


@pytest.mark.parametrize(
    "expression",
    [
        *('"red"', '"boat"', '"nothing"', '"bo"*', '"上"*', '"red boat"', '"boat red"', '"red bo"*', '"red fast boat"'),
        *('"red" OR "train"', '("red" OR "blue") AND ("boat")', '"red" AND ("boat" OR "train") AND "by"'),
        *('("red" AND "train") OR ("blue" AND "boat") OR "上海"', '("red boat") OR "train"'),
        *('"boat" AND ("fast" OR "train" OR "by")', '"boat" AND ("fast" OR ("train" AND "by") OR "bl"* OR "red boat")'),
        *('"boat" AND "red fast"', '("red" OR "blue") AND ("boat"*)', '"boat" AND "red fa"*'),
        *('("red" AND "bo"*) AND ("train")', '"red boat" AND "boat"', '"train by" AND ("red" OR "nothing")'),
        *(
            '("by" AND "a") OR ("red" AND "fast" AND "boat" AND "red")',
            '("bo"* AND "red" AND ("fast" OR "by")) OR "tr"*',
        ),
        *('"red" AND "boat" AND "train"', '("red" OR "blue" OR "a") AND ("boat" OR "boats" OR "train") AND "by"'),
        *('("red train" AND "by") AND ("boat" OR "fast")', '("fast boat" OR "by the") AND ("red")', '"by"* AND "red"'),
    ],
)
def test_both_find_the_same_rows(both: tuple[Index, FleetIndex], expression: str) -> None:
    index, fleet = both
    for among, limit in ((ALL, 100), (RowRange(2, 6), 100), (ALL, 2)):
        found = fleet.reading(lambda among=among, limit=limit: fleet.match(expression, among=among, limit=limit))  # type: ignore[misc]
        assert found == index.match(expression, among=among, limit=limit)


def test_several_searches_are_those_one_by_one(both: tuple[Index, FleetIndex]) -> None:
    index, fleet = both
    searches = [('"red"', ALL), ('"boat" AND ("red" OR "by" OR "fast")', ALL), ('"red"', RowRange(2, 6)), ('"no"', ALL)]
    assert fleet.reading(lambda: fleet.match_each(searches)) == index.match_each(searches)
    found = fleet.reading(lambda: [fleet.match_each(searches, limit=limit) for limit in (1, 100, 1000)])
    assert found == [index.match_each(searches, limit=limit) for limit in (1, 100, 1000)]
    assert fleet.reading(lambda: fleet.match_each([])) == []


def test_the_rarest_term_that_is_known_is_listed_and_what_is_found_is_the_same(both: tuple[Index, FleetIndex]) -> None:
    index, fleet = both
    searches = [('"red" AND "boat" AND "by"', ALL), ('("boat" OR "a") AND ("red" OR "by") AND ("train")', ALL)]
    wanted = [index.match(*search[:1], among=ALL) for search in searches]
    assert fleet.reading(lambda: fleet.match_each(searches)) == wanted == [[6], [6]]

    def counted() -> list[list[int]]:
        assert fleet.frequencies(["red", "boat", "by", "train", "a"])["boat"] == 5
        return fleet.match_each(searches)

    assert fleet.reading(counted) == wanted
    counts = {"red": 50, "boat": 400, "by": 7}
    _, values = searching(searches[:1], limit=9, whose=[-1], counts=counts) or ("", [])
    assert ["by"] in values, "listed first"
    assert ["red"] in (searching(searches[:1], limit=9, whose=[-1]) or ("", []))[1], "without counts the first is"


def test_searches_that_begin_alike_share_what_is_found() -> None:
    alike = [(f'"red" AND "boat" AND "{word}"', ALL) for word in ("by", "fast", "train")]
    text, values = searching(alike, limit=9, whose=[-1] * 3) or ("", [])
    assert ["", "boat", "by", "fast", "train"] in values
    assert text == (searching(alike[:1], limit=9, whose=[-1]) or ("", []))[0], "however many, it is one statement"


def test_the_newest_rows_are_found_in_whichever_array_they_are(server: FleetServer) -> None:
    """Arrays are of 128 days, a workspace, and 1,024 lines of a day."""
    rows = {
        day << 41 | workspace << 26 | line: "red" if line % 2 else "red boat"
        for day in (1, 740_000, 740_050, 740_200, 740_400)
        for workspace in (1, 7)
        for line in (0, 3, 1_024, 5_001)
    }
    name = server.database()
    pushes, _ = server.tenant(name, "t")
    with Index(":memory:") as index, server.as_role(pushes, name) as db:
        index.many("insert into terms(rowid, t) values (?, ?)", rows.items())
        db.ask_all(exchanging_terms(_NONE, {}, [*rows.items()]))
        db.execute("insert into fleet.lines (row, terms) select unnest(%s::bigint[]), ''", ([*rows],))
        fleet = FleetIndex(db)
        ends = sorted(rows)[::5]
        for among in (ALL, *(RowRange(low, high) for low in ends for high in ends if low < high)):
            for limit in (1, 2, 9, 30):
                searches = [(each, among) for each in ('"red"', '"boat"', '"red" AND ("boat")', '"bo"* AND ("red")')]
                assert fleet.match_each(searches, limit=limit) == index.match_each(searches, limit=limit)
            (of_one,) = fleet.match_each([('"red" AND ("boat")', among)], whose=[7])
            assert of_one == [row for row in index.match('"boat"', among=among) if fleet.whose(row) == 7]


def test_arrays_that_were_changed_stay_in_order_and_large_ones_are_searched(server: FleetServer) -> None:
    """Rows are looked up in them by halves."""
    name, rows = server.database(), [740_000 << 41 | 1 << 26 | line for line in range(5_000)]
    pushes, _ = server.tenant(name, "t")
    texts = {row: "red" if line % 7 else "red boat" for line, row in enumerate(rows)}
    first = {row: texts[row] for row in (*rows[3_000:], *rows[:1_000], *rows[1_500:2_000])}
    with Index(":memory:") as index, server.as_role(pushes, name) as db:
        for part in (first, {row: text for row, text in texts.items() if row not in first}):
            index.many("insert into terms(rowid, t) values (?, ?)", part.items())
            db.ask_all(exchanging_terms(_NONE, {}, [*part.items()]))
        ordered = "select bool_and(rows = array(select unnest(rows) order by 1)), count(*) from fleet.postings"
        assert db.execute(ordered).fetchone() == (True, 10)
        fleet = FleetIndex(db)
        for expression in ('"boat" AND ("red")', '"red" AND ("boat")', '("boat" OR "bo"*) AND ("red" OR "boat")'):
            assert fleet.match(expression, limit=9_000, among=ALL) == index.match(expression, limit=9_000, among=ALL)


TERMS = ["boat", "båd", "лодка", "नाव", "小舟", "ボート", "g7", "kay"]


@given(st.lists(st.lists(st.sampled_from(TERMS), min_size=1, max_size=2, unique=True).map(tuple), min_size=1))
def test_a_search_for_keys_is_the_terms_that_its_expression_is(keys: list[tuple[str, ...]]) -> None:
    search = any_of_keys(keys)
    assert search.terms is not None
    assert as_terms(search) == as_terms(str(search))


def test_both_find_the_lines_that_have_a_key(both: tuple[Index, FleetIndex]) -> None:
    index, fleet = both
    search = any_of_keys([("red", "train"), ("fast", "boat"), ("a",)])
    assert fleet.reading(lambda: fleet.match(search, among=ALL)) == index.match(search, among=ALL) == [6, 5, 3]
    search = any_of_keys([("red", "train", "by"), ("fast", "boat")])
    assert fleet.reading(lambda: fleet.match(search, among=ALL)) == index.match(search, among=ALL) == [6, 3]


@pytest.mark.parametrize("length", [1, 2, 7, 8, 31])
def test_searches_for_days_are_values_of_one_statement(length: int) -> None:
    """What is planned anew for each day costs more than to read what it finds."""
    found = set()
    for start in (date(2026, 3, 2), date(2025, 12, 28), date(2024, 2, 29)):
        wanted = searches(Span(start, start + timedelta(length - 1)))
        assert wanted
        found.add(searching([(each, ALL) for each, _ in wanted], limit=30, whose=[-1] * len(wanted))[0])  # type: ignore[index]
    assert len(found) == 1


@pytest.mark.parametrize("expression", ["red", '"red" NEAR "boat"', '"red" "boat"', '"red', '"red") OR ("x"'])
def test_what_is_no_expression_of_ours_is_refused(expression: str) -> None:
    with pytest.raises(UsageError, match="cannot read the expression"):
        searching([(expression, ALL)], limit=1, whose=[0])


def test_question_marks_and_percent_signs_in_texts_stay() -> None:
    assert translated("select 1 where a = ? and b not like '%?'") == "select 1 where a = %s and b not like '%%?'"
    assert translated("select ?1, ?1") == "select %(p1)s, %(p1)s"
