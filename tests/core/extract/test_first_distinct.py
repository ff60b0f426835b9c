"""The proposals that wait are the first that say something new, and no more are compared than that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.distinct_texts import Distinct
from commonplace.core.extract.infer import Proposal, first_distinct
from commonplace.core.model import Citation, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 4


def proposal(number: int, content: str, by: str = "") -> Proposal:
    return Proposal(f"i-{number}", Kind.WORLD, (), content, Citation("memory/2026-05-04.md", 1), None, by=by)


WORDS = st.lists(st.sampled_from(["boat", "pier", "lamp", "roof", "tar", "oar"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.booleans(), st.booleans()), max_size=30))
def test_it_is_what_a_comparison_of_all_finds(told: list[tuple[str, bool, bool]]) -> None:
    told.sort(key=lambda each: (not each[1], not each[2]))  # those of models, then those that are always found
    proposals = [proposal(at, text, "model" if by else "") for at, (text, by, _) in enumerate(told)]
    always = {each.id for each, (_, _, is_always) in zip(proposals, told, strict=True) if is_always}
    said = Distinct()
    distinct = [each for each in proposals if said.add(each.content)]
    expected = distinct[:MANY], any(each.id in always for each in distinct[MANY:])
    assert first_distinct(proposals, MANY, always=always) == expected


def test_of_a_long_table_few_rows_are_read() -> None:
    """All 40,000 rows of a table were compared with each other, and a reflect took longer than anybody waits."""

    def rows() -> Iterator[Proposal]:
        for number in range(2 * MANY):
            yield proposal(number, f"Boat {number} was painted")
        raise AssertionError("read too far")

    read = rows()
    assert len(first_distinct(read, MANY, always=set())[0]) == MANY
    assert first_distinct(rows(), MANY, always={f"i-{number}" for number in range(99)})[1]
