"""What stands around a line, and in its whole document, counts by the laws of BM25."""

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.recall.term_stats import NEAR, Spread, idf

ROWS = st.lists(st.integers(100, 199), max_size=30, unique=True)


def spread(*terms: list[int]) -> Spread:
    made = Spread(lines=100, documents=10)
    for rows in terms:
        made.add(2.0, 1.0, rows, len({row // 10 for row in rows}))
    return made


def test_a_term_is_near_within_a_few_lines_and_not_on_the_line_itself() -> None:
    made = spread([110])
    assert {row for row in range(100, 120) if made.near(row)} == {*range(110 - NEAR, 111 + NEAR)} - {110}
    assert made.near(111) == 2.0


@given(ROWS)
def test_near_is_what_another_row_of_the_term_is(rows: list[int]) -> None:
    made = spread(rows)
    for row in range(95, 205):
        assert made.near(row) == 2.0 * any(0 < abs(other - row) <= NEAR for other in rows)


@given(ROWS, ROWS)
def test_a_document_that_holds_more_of_the_question_says_more_of_it(one: list[int], other: list[int]) -> None:
    alone, both = spread(one), spread(one, other)
    for low in range(100, 200, 10):
        assert both.document(low, low + 9) >= alone.document(low, low + 9)


@given(ROWS)
def test_the_order_of_rows_changes_nothing(rows: list[int]) -> None:
    given_, turned = spread(rows), spread(rows[::-1])
    assert [given_.document(low, low + 9) for low in range(100, 200, 10)] == [
        turned.document(low, low + 9) for low in range(100, 200, 10)
    ]


def test_a_term_of_few_documents_says_more_than_one_of_many() -> None:
    rare, common = spread([110, 111, 112]), spread([110, 120, 130])
    assert rare.document(110, 119) > common.document(110, 119)
    assert spread([110]).document(110, 119) > spread([110]).document(110, 159) > 0


def test_nothing_stands_anywhere_after_clear() -> None:
    made = spread([110])
    made.clear()
    assert made.near(111) == made.document(100, 199) == 0


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_idf_is_never_negative_and_falls(count: int, seen: int) -> None:
    assert idf(count + seen, seen) >= idf(count + seen, seen + 1) if count else idf(seen, seen) >= 0
