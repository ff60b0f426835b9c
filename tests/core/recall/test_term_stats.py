"""What stands around a line, and in its whole document, counts by the laws of BM25."""

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.recall.term_stats import NEAR, Spread, TermRows, idf

ROWS = st.lists(st.integers(100, 199), max_size=30, unique=True)


def spread(*terms: list[int]) -> Spread:
    found = [TermRows(tuple(sorted(rows)), 2.0, 1.0, len({row // 10 for row in rows})) for rows in terms]
    return Spread(100, 10, found)


def near(made: Spread, row: int) -> float:
    return made.near(row, row - NEAR, row + NEAR)


def document(made: Spread, low: int, high: int) -> float:
    return made.document(low, high, high - low + 1)


def test_a_term_is_near_within_a_few_lines_and_not_on_the_line_itself() -> None:
    made = spread([110])
    assert {row for row in range(100, 120) if near(made, row)} == {*range(110 - NEAR, 111 + NEAR)} - {110}
    assert near(made, 111) == 2.0


@given(ROWS)
def test_near_is_what_another_row_of_the_term_is(rows: list[int]) -> None:
    made = spread(rows)
    for row in range(95, 205):
        assert near(made, row) == 2.0 * any(0 < abs(other - row) <= NEAR for other in rows)


@given(ROWS, ROWS)
def test_a_document_that_holds_more_of_the_question_says_more_of_it(one: list[int], other: list[int]) -> None:
    alone, both = spread(one), spread(one, other)
    for low in range(100, 200, 10):
        assert document(both, low, low + 9) >= document(alone, low, low + 9)


@given(ROWS)
def test_the_order_of_rows_changes_nothing(rows: list[int]) -> None:
    given_, turned = spread(rows), spread(rows[::-1])
    assert [document(given_, low, low + 9) for low in range(100, 200, 10)] == [
        document(turned, low, low + 9) for low in range(100, 200, 10)
    ]


def test_a_term_of_few_documents_says_more_than_one_of_many() -> None:
    rare, common = spread([110, 111, 112]), spread([110, 120, 130])
    assert document(rare, 110, 119) > document(common, 110, 119)
    assert document(spread([110]), 110, 119) > document(spread([110]), 110, 159) > 0


def test_without_terms_nothing_is_said_anywhere() -> None:
    assert near(spread(), 111) == document(spread(), 100, 199) == 0


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_idf_is_never_negative_and_falls(count: int, seen: int) -> None:
    assert idf(count + seen, seen) >= idf(count + seen, seen + 1) if count else idf(seen, seen) >= 0
