"""What is around a line, and in its whole document, counts by the laws of BM25."""

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.recall.term_stats import Spread, idf

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=9)
"""For each term the number of lines of a document with it."""


def spread(*days: int) -> Spread:
    return Spread(100, 10, [(1.0, each) for each in days])


def document(counts: list[int], lines: int = 10) -> float:
    found = tuple((term, count) for term, count in enumerate(counts) if count)
    return spread(*([3] * len(counts))).document(lines, found)


@given(COUNTS, st.integers(1, 9))
def test_a_document_with_more_of_the_question_scores_higher(counts: list[int], more: int) -> None:
    assert document([*counts, more]) > document([*counts, 0])
    assert document([*counts[:-1], counts[-1] + more]) > document(counts)


def test_a_term_of_few_documents_says_more_than_one_of_many() -> None:
    assert spread(1).document(10, ((0, 3),)) > spread(3).document(10, ((0, 3),))
    assert document([1], lines=10) > document([1], lines=50) > 0


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_idf_is_never_negative_and_falls(count: int, seen: int) -> None:
    assert idf(count + seen, seen) >= idf(count + seen, seen + 1) if count else idf(seen, seen) >= 0
