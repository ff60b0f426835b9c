"""Passages of the index: noted while meaning is on, and the same after any changes as after a rebuild."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.documents.reread import reread
from commonplace.core.meaning.passages import passage_key
from commonplace.core.recall.index_rows import RowRange
from commonplace.store.sqlite import Index
from commonplace.store.vectors.vector_search import VectorSearch
from commonplace.store.vectors.vector_set import VectorSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from commonplace.store.vectors.vector_set import Vectors

LOG, NEXT, CORE = "memory/2025-11-27.md", "memory/2025-11-28.md", "MEMORY.md"
TEXTS = (
    "# A day\n\n## Sink\n- The plumber came.\n  - He found the worn valve.\n- ok\n\n"
    "## Retain\n- W @Peter: In Lisbon.\n",
    "# Another day\n\n```\nprint('nothing of this')\n```\n\n- The plumber came.\n",
    "- The plumber came.\n- The plumber came.\n",
    "# Sink works of this house in November\n\nA word.\n",
)


def noted(files: Mapping[str, str], *, embeds: bool = True) -> Index:
    index = Index(":memory:")
    index.transaction(lambda: index.writer.clear(embeds=embeds))
    put(index, files)
    return index


def put(index: Index, files: Mapping[str, str]) -> None:
    documents = [(parse(path, text), f"digest of {text}", ()) for path, text in files.items()]
    index.transaction(lambda: index.writer.put(documents))


def test_each_line_that_tells_something_has_a_passage_with_its_headings() -> None:
    index = noted({LOG: TEXTS[0]})
    keys = {key for key, _ in index.all_passages()}
    assert keys == {
        passage_key(text)
        for text in (
            "A day\nSink\nThe plumber came.",
            "A day\nSink\nThe plumber came.\nHe found the worn valve.",
            "A day\nPeter In Lisbon.",
        )
    }
    assert index.count_passages() == 3
    assert index.embeds


def test_a_turn_of_a_conversation_has_the_turn_before_it() -> None:
    turns = [f"{name}: Crate {number} is at the pier." for number in range(6) for name in ("Anna", "Bob")]
    index = noted({LOG: "# A call\n\n" + "".join(f"- {turn}\n" for turn in turns)})
    with_before = [f"{before}\n{turn}" for before, turn in pairwise(turns)]
    keys = {key for key, _ in index.all_passages()}
    assert keys == {passage_key(f"A call\n{text}") for text in (turns[0], *with_before)}


def test_a_label_that_names_no_speaker_is_told_alone() -> None:
    index = noted({LOG: "- Status: The crates are at the pier.\n- Cost: Twenty crowns a day.\n"})
    keys = {key for key, _ in index.all_passages()}
    assert keys == {passage_key("Status: The crates are at the pier."), passage_key("Cost: Twenty crowns a day.")}


def test_handles_in_small_letters_speak_where_they_take_turns() -> None:
    turns = ["elise: did the crate come?", "bob_42: it did", "elise: good", "bob_42: bye"]
    index = noted({LOG: "".join(f"- {turn}\n" for turn in turns)})
    assert {key for key, _ in index.all_passages()} == {
        passage_key(text) for text in (turns[0], *(f"{before}\n{turn}" for before, turn in pairwise(turns)))
    }
    lines = index.lines(row for _, row in index.all_passages()).values()
    assert {stored.line.speaker for stored in lines} == {"elise", "bob_42"}


def test_facts_come_first_then_the_newest_lines() -> None:
    index = noted({NEXT: TEXTS[2], LOG: TEXTS[0]})
    first, second, *_ = index.all_passages()
    lines = index.lines([first[1], second[1]])
    assert lines[first[1]].line.content == "In Lisbon."
    assert lines[second[1]].line.source.path == NEXT


def test_nothing_is_noted_while_meaning_is_off() -> None:
    index = noted({LOG: TEXTS[0]}, embeds=False)
    assert not index.embeds
    assert index.all_passages() == []


def test_passages_are_dropped_when_meaning_is_turned_off() -> None:
    index = noted({LOG: TEXTS[0]})
    index.drop_passages()
    assert not index.embeds
    assert index.count_passages() == 0
    assert index.dump() == noted({LOG: TEXTS[0]}, embeds=False).dump()


def test_rows_and_keys_find_each_other() -> None:
    index = noted({LOG: TEXTS[1], NEXT: TEXTS[2]})
    pairs = index.all_passages()
    rows = [row for _, row in index.passage_rows([key for key, _ in pairs])]
    assert sorted(index.passage_keys(rows)) == sorted(index.passage_rows([key for key, _ in pairs]))
    assert len(rows) == 3 and index.count_passages() == 2
    assert index.passages_among(RowRange(rows[0], rows[0])) == [index.passage_keys([rows[0]])[0][0]]
    assert len(index.newest_passages(2)) == 2


def test_rows_are_as_near_as_their_nearest_passage(tmp_path: Path) -> None:
    index = noted({LOG: TEXTS[1], NEXT: TEXTS[2]})
    vectors = VectorSet(str(tmp_path), fingerprint="m", dimensions=2)
    keys = sorted({key for key, _ in index.all_passages()})
    vectors.add(keys, np.array([[1, 0], [0, 1]], np.float32))
    search, query = VectorSearch(vectors), np.array([1, 0], np.float32)
    of_one = [row for _, row in index.passage_rows(keys[:1])]
    others = [row for _, row in index.passage_rows(keys[1:])]
    nearest, beside = index.nearest_rows(search, query, 60, among=None, rows=others)
    assert nearest.keys() == beside.keys() == {*of_one, *others}
    assert min(nearest[row] for row in of_one) > max(nearest[row] for row in others)
    among = RowRange(others[0], others[0])
    nearest, beside = index.nearest_rows(search, query, 60, among=among, rows=of_one)
    assert [*nearest] == others[:1] and beside.keys() == {*of_one, others[0]}


class Told(VectorSearch):
    """Keeps whether the search was among some passages."""

    def __init__(self, vectors: VectorSet) -> None:
        super().__init__(vectors)
        self.among: list[bool] = []

    def nearest(
        self, query: Vectors, k: int, *, keys: Sequence[int] | None = None, others: Sequence[int] = ()
    ) -> tuple[dict[int, float], dict[int, float]]:
        self.among.append(keys is not None)
        return super().nearest(query, k, keys=keys, others=others)


def test_a_range_of_rows_is_searched_by_itself_only_where_too_few_of_the_nearest_are_in_it(tmp_path: Path) -> None:
    index = noted({LOG: "# A day\n\n" + "".join(f"- Crate {number} is at the pier.\n" for number in range(60))})
    pairs = index.all_passages()
    vectors = VectorSet(str(tmp_path), fingerprint="m", dimensions=8)
    drawn = np.random.default_rng(3).standard_normal((len(pairs), 8)).astype(np.float32)
    vectors.add([key for key, _ in pairs], drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    rows, query = sorted(row for _, row in pairs), vectors.vectors[5]
    _, nearness = index.nearest_rows(VectorSearch(vectors), query, 5, among=None, rows=rows)
    for first, last in ((0, 59), (10, 59), (0, 29), (30, 34), (7, 7)):
        among, search = RowRange(rows[first], rows[last]), Told(vectors)
        nearest, _ = index.nearest_rows(search, query, 5, among=among, rows=())
        inside = sorted(filter(among.has, rows), key=nearness.__getitem__, reverse=True)[:5]
        assert nearest == {row: nearness[row] for row in inside}
        assert search.among == ([False] if last - first > 20 else [False, True])


CHANGES = st.lists(
    st.tuples(st.sampled_from([LOG, NEXT, CORE]), st.sampled_from([None, *TEXTS])), max_size=10
)  # fmt: skip


@settings(max_examples=60)
@given(CHANGES)
def test_passages_after_any_changes_equal_those_of_a_rebuild(changes: list[tuple[str, str | None]]) -> None:
    files: dict[str, str] = {}
    index = noted({})
    for path, text in changes:
        index.transaction(lambda path=path: index.writer.remove(path))  # type: ignore[misc]
        files.pop(path, None)
        if text is not None:
            put(index, {path: text})
            files[path] = text
    assert index.dump() == noted(files).dump()


def test_the_changed_part_of_a_large_file_has_the_passages_of_the_whole() -> None:
    text = "# A day\n\n## Sink\n" + "".join(f"- Said {number} times.\n  - Yes, {number}.\n" for number in range(2500))
    index = noted({LOG: text})
    grown = text.replace("Said 1200 times.", "Heard 1200 times.")
    part = reread(LOG, grown, known=index.writer.chunks(LOG))
    assert part is not None
    assert index.transaction(lambda: index.writer.splice(part, digest=f"digest of {grown}"))
    assert index.dump() == noted({LOG: grown}).dump()
