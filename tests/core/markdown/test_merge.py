"""Two who wrote at the same time: nobody's line is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.markdown.merge import merge, union
from commonplace.core.markdown.text_edits import lines_of

LINE = st.sampled_from(["", "- a", "- b", "- c", "# Head", "王芳"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n"])
TEXTS = st.builds(
    lambda lines, last: "".join(word + end for word, end in lines) + last,
    st.lists(st.tuples(LINE, ENDS), max_size=9),
    st.sampled_from(["", "", "- last"]),
)


def bare(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\nd\n", "a\nB\nc\nd\n"),
        ("a\n", "a\nmine\n", "a\ntheirs\n", "a\ntheirs\nmine\n"),
        ("a", "a\nmine", "a\ntheirs\n", "a\ntheirs\nmine"),
        ("x\n", "mine\n", "theirs\n", "theirs\nmine\n"),
        ("h\nx\nt\n", "h\nmine\nt\n", "h\ntheirs\nt\n", "h\ntheirs\nmine\nt\n"),
        ("a\nb\n", "a\nB\n", "A\nb\n", "A\nB\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb!\nc\n", "a\nb!\nc\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"),
        ("a\n", "a\nsame\n", "a\nsame\n", "a\nsame\n"),
        ("a\n", "a\nsame\nmore\n", "a\nsame\n", "a\nsame\nmore\n"),
        ("", "# Day\n- mine\n", "# Day\n- theirs\n", "# Day\n- theirs\n# Day\n- mine\n"),
        ("a\nb\n", "a\nb\nmine\n", "a\r\nb\r\n", "a\r\nb\r\nmine\r\n"),
        ("a\r\nb\r\n", "a\r\nb\r\nmine\r\n", "a\nB", "a\nB\nmine\n"),
        ("a\nb\n", "a\r\nb\r\n", "a\nb\ntheirs\n", "a\r\nb\r\ntheirs\r\n"),
        ("a\r\nb\n", "a\r\nb\nmine\n", "a\r\nb\r\n", "a\r\nb\r\nmine\n"),
        ("a\nb\n", "a\nb", "a\nb\nc\n", "a\nb\nc\n"),
        ("a\nb\n", "", "a\nb\nnew\n", "new\n"),
    ],
)
def test_each_example_merges_to_its_text(base: str, mine: str, theirs: str, expected: str) -> None:
    assert merge(base, mine, theirs) == expected


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_gives_way(base: str, other: str) -> None:
    assert merge(base, base, other) == other
    assert merge(base, other, base) == other
    assert merge(base, other, other) == other


@given(TEXTS, TEXTS, TEXTS)
def test_every_line_of_both_survives(base: str, mine: str, theirs: str) -> None:
    result = merge(base, mine, theirs)
    lines = bare(result)
    written = (set(bare(mine)) | set(bare(theirs))) - set(bare(base))
    assert written <= set(lines)
    assert set(lines) <= set(bare(base)) | set(bare(mine)) | set(bare(theirs))
    kept_by_both = [line for line in set(bare(base)) if line in bare(mine) and line in bare(theirs)]
    for line in kept_by_both:  # a line that each side has as often as the base is on no side removed
        if bare(base).count(line) == bare(mine).count(line) == bare(theirs).count(line) == 1:
            assert line in lines


@given(TEXTS, st.lists(st.sampled_from(["- x", "- y"]), max_size=3), st.lists(st.sampled_from(["- z"]), max_size=3))
def test_appends_of_both_sides_are_both_kept_theirs_first(base: str, mine: list[str], theirs: list[str]) -> None:
    base = base if not base or base.endswith("\n") else base + "\n"
    added = ["".join(line + "\n" for line in lines) for lines in (mine, theirs)]
    result = merge(base, base + added[0], base + added[1])
    assert result == base + added[1] + added[0]


@given(TEXTS, TEXTS)
def test_union_holds_both(mine: str, theirs: str) -> None:
    lines = Counter(bare(union(mine, theirs)))
    assert lines == Counter(bare(mine)) | Counter(bare(theirs))
    assert union(mine, mine) == mine
    assert bare(union("", theirs)) == bare(theirs)


def test_union_keeps_an_order_of_both() -> None:
    assert union("a\nb\n", "b\nc\n") == "a\nb\nc\n"
    assert union("x\nmine\ny\n", "x\r\ntheirs\r\ny\r\n") == "x\r\ntheirs\r\nmine\r\ny\r\n"
    assert union("x\nmine\ny\n", "x\ntheirs\ny\n") == "x\ntheirs\nmine\ny\n"
    assert union("x\nb\na\n", "x\na\nb\n") in ("x\na\nb\n", "x\nb\na\n")


def test_repeated_lines_are_matched_in_order() -> None:
    base = "- a\n\n- a\n\n- a\n"
    assert merge(base, "- a\n\n- a\n\n- a\n- m\n", "- t\n- a\n\n- a\n\n- a\n") == "- t\n- a\n\n- a\n\n- a\n- m\n"


def test_a_large_page_without_one_common_line_merges() -> None:
    base, mine = "".join(f"b{i}\n" for i in range(3000)), "".join(f"m{i % 7}\n" for i in range(3000))
    theirs = "".join(f"t{i % 5}\n" for i in range(3000))
    result = merge(base, mine, theirs)
    assert set(bare(result)) == set(bare(mine)) | set(bare(theirs))
