"""What a recall asks FTS5 for, read for PostgreSQL; and the few words of SQLite's dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commonplace.core.recall.index_rows import RowRange
from commonplace.core.text.analyzer import document_terms
from commonplace.errors import UsageError
from commonplace.store.postgres.dialect import translated
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.match_query import searching
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
            for term in set(terms.split()):
                db.execute("insert into fleet.postings (term, row) values (%s, %s)", (term, row))
        yield index, FleetIndex(db)


@pytest.mark.parametrize(
    "expression",
    [
        *('"red"', '"boat"', '"nothing"', '"bo"*', '"上"*', '"red boat"', '"boat red"', '"red bo"*', '"red fast boat"'),
        *('"red" OR "train"', '("red" OR "blue") AND ("boat")', '"red" AND ("boat" OR "train") AND "by"'),
        *('("red" AND "train") OR ("blue" AND "boat") OR "上海"', '("red boat") OR "train"'),
        *('"boat" AND ("fast" OR "train" OR "by")', '"boat" AND ("fast" OR ("train" AND "by") OR "bl"* OR "red boat")'),
        *('"boat" AND "red fast"', '("red" OR "blue") AND ("boat"*)', '"boat" AND "red fa"*'),
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
    assert fleet.reading(lambda: fleet.match_each([])) == []


@pytest.mark.parametrize("expression", ["red", '"red" NEAR "boat"', '"red" "boat"', '"red', '"red") OR ("x"'])
def test_what_is_no_expression_of_ours_is_refused(expression: str) -> None:
    with pytest.raises(UsageError, match="cannot read the expression"):
        searching([(expression, ALL)], limit=1, whose=[0])


def test_question_marks_and_percent_signs_in_texts_stay() -> None:
    assert translated("select 1 where a = ? and b not like '%?'") == "select 1 where a = %s and b not like '%%?'"
    assert translated("select ?1, ?1") == "select %(p1)s, %(p1)s"
