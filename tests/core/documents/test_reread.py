"""Reading a large file again: what is kept and what is read make the lines of the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.logs import CHANGES, LOGS, edited, small_chunks

from commonplace.core.documents.parse import parse
from commonplace.core.documents.reread import end_of, reread

if TYPE_CHECKING:
    from commonplace.core.documents.chunking import Chunk
    from commonplace.core.documents.parsed_document import Document, ParsedLine

LOG = "memory/2025-11-27.md"
FACT, NESTED = "- W @Peter: Lives in Oslo.", "  - an item below it"
HEADS = (["# 2025-11-27", "", "## Retain"], ["## Retain"], ["2025-11-27", "===", "", "Retain", "------"])


def told(document: Document, lines: tuple[ParsedLine, ...], shift: int = 0) -> list[Any]:
    """What lines say, each with the number of the line above it in place of its position."""
    numbers = [line.number for line in document.lines]
    found = []
    for line in lines:
        fact = line.fact and line.fact._replace(source=line.fact.source._replace(line=line.fact.source.line + shift))
        above = numbers[line.parent] if line.parent >= 0 else 0
        found.append(line._replace(number=line.number + shift, parent=above, fact=fact))
    return found


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(HEADS), LOGS, CHANGES)
@example(HEADS[0], ["- a plain item"] * 12, [(1.0, 0, ["- another"]), (0.5, 1, [])])
@example(HEADS[0], ["- a plain item"] * 12, [(0.5, 0, ["## Retain", "- W @Peter: Lives in Oslo."])])
@example(HEADS[0], ["- Peter: called at noon"] * 12, [(1.0, 0, ["  and its second line"])])
@example(HEADS[0], ["- a plain item"] * 12, [(1.0, 0, ["", "Evening", "-------"]), (1.0, 0, ["- by hand"])])
@example(HEADS[0], ["- a plain item"] * 6 + ["", "Evening"] + ["- a plain item"] * 6, [(0.5, 0, ["-------"])])
@example(HEADS[1], ["- a plain item"] * 12, [(0.5, 0, ["Afterwards."]), (1.0, 0, ["## Evening", "- by hand"])])
@example(
    HEADS[0],
    [FACT, FACT, FACT, NESTED, FACT, FACT, FACT, FACT, NESTED, *[FACT] * 15],
    [(0.25, 2, [NESTED, NESTED]), (0.21875, 4, [NESTED, NESTED, NESTED]), (0.25, 0, [NESTED])],
)  # a part that is gone, and then an item where it was
@example(HEADS[0], [FACT] * 12, [(0.0, 0, ["---"]), (1.0, 0, ["---"])])
@example(HEADS[0], ["- a plain item"] * 12, [(0.5, 0, ["**Tern** – a dinghy"]), (0.5, 1, []), (0.5, 0, ["* one"])])
@example(HEADS[0], ["- a plain item"] * 12, [(0.4, 0, ["", "**Tern** – a dinghy"])])  # right above what is kept
def test_what_is_kept_and_what_is_read_are_the_lines_of_the_whole(
    head: list[str], lines: list[str], edits: list[tuple[float, int, list[str]]]
) -> None:
    with small_chunks():
        lines = head + lines
        before = parse(LOG, "\n".join(lines) + "\n")
        chunks: tuple[Chunk, ...] = before.chunks
        for edit in edits:
            lines = edited(lines, edit)
            text = "\n".join(lines) + "\n"
            whole = parse(LOG, text)
            part = reread(LOG, text, known=chunks)
            if part is None:
                chunks, before = whole.chunks, whole
                continue
            stop = part.stop or 1 << 60
            kept = tuple(line for line in before.lines if line.number < part.start)
            behind = tuple(line for line in before.lines if line.number >= stop)
            now = [
                *told(before, kept),
                *told(part.document, part.document.lines[part.above :]),
            ]
            later = told(before, behind, part.shift)
            all_of_it = told(whole, whole.lines)
            assert now == all_of_it[: len(now)]
            # the headings above are those before the part, whose numbers did not change
            moved = [line._replace(parent=line.parent + (part.shift if line.parent >= stop else 0)) for line in later]
            assert moved == all_of_it[len(now) :]
            chunks, before = part.chunks, whole


def test_of_a_log_that_grew_only_the_end_is_read() -> None:
    text = "# 2025-11-27\n\n## Retain\n" + "".join(f"- W @Peter: Said {number}.\n" for number in range(5000))
    chunks = parse(LOG, text).chunks
    part = reread(LOG, text + "- W @Clara: Repairs boats.\n", known=chunks)
    assert part is not None and len(part.document.lines) < 600
    assert part.document.facts[-1].entities == ("Clara",)
    assert end_of(LOG, text + "- W @Clara: Repairs boats.\n", known=chunks).facts[-1] == part.document.facts[-1]


def test_of_a_line_that_went_only_what_is_near_is_read() -> None:
    lines = [f"- W @Peter: Said {number}.\n" for number in range(5000)]
    text = "# 2025-11-27\n\n## Retain\n" + "".join(lines)
    part = reread(LOG, text.replace(lines[2500], ""), known=parse(LOG, text).chunks)
    assert part is not None and part.shift == -1 and len(part.document.lines) < 600


def test_no_chunk_begins_where_a_comment_above_may_end() -> None:
    """Whether a trailer ends is told by the lines below it: they are in its chunk."""
    for plain in range(12):
        head = ["# 2025-11-27", "", "## Retain", *(f"- W @Tom: Parcel {number}." for number in range(plain))]
        said = ["- W @Peter: Lives in Oslo.", "  <!-- cp: src=web:example.org", "- W @Clara: Sees the --> arrow."]
        rest = [f"- W @Tom: Box {number}." for number in range(12)]
        with small_chunks():
            chunks = parse(LOG, "\n".join([*head, *said, *rest])).chunks
            after = "\n".join([*head, *said[:2], "- W @Clara: Sees the arrow.", *rest])
            part = reread(LOG, after, known=chunks)
            assert part is None or part.start <= len(head) + 1


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("## Care\n{}", "## Care\n{}# Boats\n- by hand\n", True),
        ("## Care\n{}# Boats\n- by hand\n", "## Care\n{}", True),
        ("## Care\n{}", "## Care\n{}- by hand\n\nBoats\n=====\n", True),
        ("{}", "{}## Care\n- by hand\n", True),
        ("## Care\n{}", "## Care\n{}- by hand\n", False),
        ("# Boats\n{}", "# Boats\n{}# More\n- by hand\n", False),
    ],
)
def test_a_title_that_comes_or_goes_bears_on_the_title_by_the_name(before: str, after: str, whole: bool) -> None:
    items = "".join(f"- item {number}\n" for number in range(3000))
    known = parse("notes/kayak.md", before.format(items)).chunks
    text = after.format(items)
    assert (reread("notes/kayak.md", text, known=known) is None) is whole
    if whole:
        assert end_of("notes/kayak.md", text, known=known) == parse("notes/kayak.md", text)


def test_a_part_whose_chunks_cannot_be_told_is_not_kept() -> None:
    head, tail = "# 2025-11-27\n\n## Notes\n", "".join(f"- item {number}\n" for number in range(60))
    said = "\nThe page says: <!-- cp: src=web:x -->\n" + "".join(f"- O @Mia: {at}\n" for at in range(40)) + "\n## On\n"
    with small_chunks():
        chunks = parse(LOG, head + tail).chunks
        after = (head + tail).replace("- item 30\n", said)
        part = reread(LOG, after, known=chunks)
    assert chunks and (part is None or sum(chunk.size for chunk in part.chunks) == len(after))
