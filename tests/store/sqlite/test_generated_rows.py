"""Our own lines in the index: written anew they are what a rebuild makes of them, and what stayed is not found anew."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.opinions import opinion_reader
from commonplace.core.pages.region_merge import renew
from commonplace.core.recall.index_rows import RowRange
from commonplace.core.text.analyzer import query_terms
from commonplace.store.sqlite import Index
from commonplace.store.sqlite.index_schema import LAST, WRITTEN
from commonplace.store.sqlite.writing.document_rows import LONGEST_LINE
from commonplace.store.sqlite.writing.generated_rows import _APART, _ROOM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOAT, TEA, CLOCK = (f"bank/entities/{name}.md" for name in ("Boat", "Tea", "Clock"))
LINES = (
    "- O(c=0.80) @Tea: Is best with mint. ^o-4m7k",
    "  - for, 0.96: [2025-12-04](../memory/2025-12-04.md) ^p2m8ve",
    "  - for, 0.96: [2025-12-05](../memory/2025-12-05.md) ^p2m8vf",
    "## Lately",
    "- 2025-11-28: Tea with mint",
    "- W @Boat: The mast is new. ^mast01",
    "- W @Clock: The mast is new. ^mast02",
    "- @Clock and @Boat",
    "- …",
    "tea " * (LONGEST_LINE // 3),
)
WORDS = ("mint", "mast", "p2m8vf", "lately", "tea", "2025-12-04")


def page(lines: Sequence[str], own: str = "") -> str:
    """A page with these lines of ours, and one of a person's among them if that is wanted."""
    text = renew("# A page\n", "entity", lines).text
    above, below = text.split("\n")[:3], text.split("\n")[3:]
    return "\n".join([*above, *([own] if own else []), *below])


def put(index: Index, pages: Mapping[str, str]) -> None:
    documents = ((parse(path, text), f"{hash(text)}", opinion_reader.read(path, text)) for path, text in pages.items())
    index.transaction(lambda: index.writer.put(documents))


def told(index: Index) -> list[object]:
    """What the index says of these pages, and where their rows stand, but for where each page begins."""
    places: dict[int, tuple[str, int]] = {}
    apart: list[tuple[int, int]] = []
    for path in (BOAT, TEA, CLOCK):
        rows = index.rows_in(path)
        ours = [row for row in rows if row < WRITTEN]
        assert ours == [*range(ours[0], ours[0] + len(ours))] if ours else True, "one below the other, in their order"
        apart += [(ours[0], ours[-1])] if ours else []
        places |= {row: (path, at) for at, row in enumerate(rows)}
    apart.sort()
    assert all(two[0] - one[1] > _APART for one, two in pairwise(apart))
    matches = [term.match for word in WORDS for term in query_terms(word)]
    found = [
        sorted(places[row] for row in index.match(match, among=RowRange(0, LAST), limit=WRITTEN)) for match in matches
    ]
    everywhere = index.one("select count(*) from terms where terms match 'mint OR mast OR p2m8vf OR lately OR tea'")
    return [index.dump(), found, everywhere, index.documents()]


def fresh(pages: Mapping[str, str]) -> list[object]:
    with Index(":memory:") as index:
        put(index, pages)
        return told(index)


VERSIONS = st.lists(
    st.dictionaries(
        st.sampled_from((BOAT, TEA, CLOCK)),
        st.none()
        | st.tuples(st.lists(st.sampled_from(LINES), max_size=9, unique=True), st.sampled_from(("", "My own tea."))),
        min_size=1,
    ),
    max_size=6,
)


@settings(max_examples=150)
@given(VERSIONS)
def test_pages_written_anew_are_indexed_as_by_a_rebuild(
    versions: list[dict[str, tuple[list[str], str] | None]],
) -> None:
    pages: dict[str, str] = {}
    with Index(":memory:") as index:
        put(index, {"memory/2025-12-04.md": "- mint\n"})
        for version in versions:
            changed = {path: page(*made) for path, made in version.items() if made is not None}
            for path in version.keys() - changed.keys():
                index.transaction(lambda path=path: index.writer.remove(path))  # type: ignore[misc]
                pages.pop(path, None)
            put(index, changed)
            pages |= changed
        index.transaction(lambda: index.writer.remove("memory/2025-12-04.md"))
        assert told(index) == fresh(pages)


def lines(first: int, last: int) -> list[str]:
    return [f"- 2025-11-28: tea number {number}" for number in range(first, last)]


def rows_that_stayed(index: Index, change: Mapping[str, str], path: str) -> int:
    """How many rows of a page say after a change what they said before."""
    before = {row: line.line.content for row, line in index.lines(index.rows_in(path)).items()}
    put(index, change)
    after = {row: line.line.content for row, line in index.lines(index.rows_in(path)).items()}
    return len(before.items() & after.items())


@pytest.mark.parametrize("at", [0, 20, 100, 180, 200])
def test_what_stands_above_a_change_or_below_it_stays_where_it_is(at: int) -> None:
    pages = {path: page(lines(0, 200)) for path in (BOAT, TEA, CLOCK)}
    with Index(":memory:") as index:
        put(index, pages)
        for news in (["- new"], ["- new", "- newer"], ["- newer", "- newest", "- last"], []):
            changed = page([*lines(0, at), *news, *lines(at, 200)])
            assert rows_that_stayed(index, {TEA: changed}, TEA) >= max(at, 200 - at)
            assert told(index) == fresh(pages | {TEA: changed})


@pytest.mark.parametrize("together", [True, False])
def test_pages_that_grow_and_shrink_beside_each_other_never_meet(together: bool) -> None:
    """Each takes the room that is there, and then goes behind all."""
    pages: dict[str, str] = {}
    with Index(":memory:") as index:
        for size in (3, _ROOM // 2, _ROOM - 3, 2 * _ROOM, 5):
            changed = {
                BOAT: page(lines(0, size)),
                TEA: page([*lines(0, size)[::-1], "- last"]),
                CLOCK: page(["- first", *lines(0, size)]),
            }
            for change in [changed] if together else [{path: text} for path, text in changed.items()]:
                put(index, change)
                pages |= change
                assert told(index) == fresh(pages)


def test_where_the_rows_of_our_lines_are_used_up_a_rebuild_is_asked_for() -> None:
    with Index(":memory:") as index:
        put(index, {"memory/2025-12-04.md": "- mint\n"})
        index.run("insert into blocks values (?, ?, 7)", (WRITTEN - _ROOM - 3, WRITTEN - _ROOM - 2))
        put(index, {BOAT: page(["- last"])})
        with pytest.raises(apsw.CorruptError):
            put(index, {TEA: page(["- one more"])})
