"""Edits change nothing outside their range, whatever the line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.markdown.text_edits import append, append_apart, append_bullet, insert, lines_of, replace
from commonplace.errors import TextNotFound, TextNotUnique, UsageError

ENDS = st.sampled_from(["\n", "\r\n"])
WORDS = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=8)
TEXTS = st.builds(
    lambda lines, last: "".join(word + end for word, end in lines) + last,
    st.lists(st.tuples(WORDS, ENDS), max_size=8),
    WORDS,
)


def test_lines_end_where_editors_and_git_end_them() -> None:
    assert lines_of("a\u2028b\x85c\rd\r\ne\n\nf") == ["a\u2028b\x85c\rd\r\n", "e\n", "\n", "f"]
    assert lines_of("") == []


@given(TEXTS)
def test_lines_joined_are_the_text(text: str) -> None:
    assert "".join(lines_of(text)) == text


@pytest.mark.parametrize(
    ("text", "addition", "expected"),
    [
        ("", "a", "a\n"),
        ("a", "b", "a\nb\n"),
        ("a\n", "b\n", "a\nb\n"),
        ("a\r\n", "b\nc", "a\r\nb\r\nc\r\n"),
        ("a\r\nb", "c", "a\r\nb\r\nc\r\n"),
        ("a\n\n\n", "b", "a\n\n\nb\n"),
        ("a  \t", "b", "a  \t\nb\n"),
        ("a\n", "", "a\n"),
        ("a", "", "a"),
    ],
)
def test_each_appended_text_gives_the_text_expected(text: str, addition: str, expected: str) -> None:
    assert append(text, addition) == expected


@given(TEXTS, TEXTS)
def test_append_leaves_what_stands_there(text: str, addition: str) -> None:
    result = append(text, addition)
    assert result.startswith(text)
    if addition:
        assert result.endswith("\n")
        added = result[len(text) :].replace("\r\n", "\n").lstrip("\n")
        assert added.rstrip("\n") == addition.replace("\r\n", "\n").strip("\n")


@pytest.mark.parametrize(
    ("after", "expected"),
    [(0, "x\na\r\nb\nc"), (1, "a\r\nx\r\nb\nc"), (2, "a\r\nb\nx\nc"), (3, "a\r\nb\nc\nx\n")],
)
def test_insert_takes_the_line_end_of_its_neighbour(after: int, expected: str) -> None:
    text = "a\r\nb\nc"
    result = insert(text, "x", after=after)
    assert result == (expected if after else "x\r\na\r\nb\nc")


@given(TEXTS, st.integers(0, 9))
def test_insert_leaves_what_stands_around(text: str, after: int) -> None:
    lines = lines_of(text)
    if after > len(lines):
        with pytest.raises(UsageError, match=f"has {len(lines)} lines"):
            insert(text, "new", after=after)
        return
    result = insert(text, "new", after=after)
    head, tail = "".join(lines[:after]), "".join(lines[after:])
    assert result.startswith(head)
    assert result.endswith(tail)
    assert result[len(head) : len(result) - len(tail)].strip("\r\n") == "new"


def test_inserting_nothing_changes_nothing_and_a_line_out_of_range_is_refused() -> None:
    assert insert("a\nb\n", "", after=1) == "a\nb\n"
    with pytest.raises(UsageError):
        insert("a\n", "x", after=-1)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("one two three", "two", "2", "one 2 three"),
        ("a\tb\n", "b", "c", "a\tc\n"),
        ("a\r\nb\r\nc\n", "a\nb", "x\ny", "x\r\ny\r\nc\n"),
        ("a\r\nb\nc\n", "a\nb\nc", "1\n2\n3\n4", "1\r\n2\n3\n4\n"),
        ("a\r\nb\r\n", "b", "b\nc", "a\r\nb\r\nc\r\n"),
        ("a\nb", "b", "b\nc", "a\nb\nc"),
        ("a\r\n\r\nb", "\n\n", "\n", "a\r\nb"),
        ("word", "word", "", ""),
        ("x", "x", "1\n2", "1\n2"),
        ("no final newline", "no", "yes\r\n", "yes\n final newline"),
        ("王芳在北京\r\n", "北京", "上海", "王芳在上海\r\n"),
    ],
)
def test_each_replacement_gives_the_text_expected(text: str, old: str, new: str, expected: str) -> None:
    assert replace(text, old, new) == expected


def test_replace_names_the_lines_when_it_cannot() -> None:
    with pytest.raises(TextNotUnique, match=r"2 times, in lines 1, 3"):
        replace("tea\nmilk\nmore tea\n", "tea", "coffee")
    with pytest.raises(TextNotUnique, match=r"2 times"):
        replace("aaa", "aa", "b")
    with pytest.raises(TextNotUnique, match=r"30 times.*20, …"):
        replace("tea\n" * 30, "tea", "coffee")
    with pytest.raises(TextNotFound, match=r"similar text is in lines 2, 4"):
        replace("x\n  Likes   Tea\ny\nlikes tea too\n", "likes tea\n\n", "")
    with pytest.raises(TextNotFound, match=r"similar text is in line 1:"):
        replace("Likes  tea", "likes tea", "")
    with pytest.raises(TextNotFound, match=r"similar text is in line 2:"):
        replace("x\n- “Peter’s” tea — green\n", '- "Peter\'s" tea - green', "")
    with pytest.raises(TextNotFound, match="read the file again"):
        replace("x\n", "likes tea", "")
    with pytest.raises(TextNotFound):
        replace("x\n", "\n\n", "")
    with pytest.raises(UsageError):
        replace("x\n", "", "y")


@given(TEXTS, WORDS.filter(bool), TEXTS)
def test_replace_changes_only_its_range(text: str, new: str, tail: str) -> None:
    mark = "\ue000mark\ue001"
    if mark in text + tail + new:
        return
    assert replace(text + mark + tail, mark, new) == text + new + tail


def test_a_list_item_joins_a_list_and_stands_apart_from_anything_else() -> None:
    assert append_bullet("", "a") == "- a\n"
    assert append_bullet("# Core\n", "a") == "# Core\n\n- a\n"
    assert append_bullet("- x\n  - y", "a") == "- x\n  - y\n- a\n"
    assert append_bullet("- x\n\n", "a") == "- x\n\n- a\n"
    assert append_bullet("Words.\r\n", "a") == "Words.\r\n\r\n- a\r\n"


@pytest.mark.parametrize(
    ("text", "addition", "after"),
    [
        ("- W: x", "Words.", "- W: x\n\nWords.\n"),
        ("- W: x\r\n  y\r\n", "Words.\nMore.", "- W: x\r\n  y\r\n\r\nWords.\r\nMore.\r\n"),
        ("- W: x\n", "- W: y", "- W: x\n- W: y\n"),
        ("- W: x\n", "1. y", "- W: x\n1. y\n"),
        ("- W: x\n", "## Later", "- W: x\n## Later\n"),
        ("- W: x\n", "\nWords.", "- W: x\n\nWords.\n"),
        ("- W: x\n", "  goes on", "- W: x\n  goes on\n"),
        ("- W: x\n\n", "Words.", "- W: x\n\nWords.\n"),
        ("Words.\n", "More.", "Words.\nMore.\n"),
        ("", "Words.", "Words.\n"),
    ],
)
def test_words_behind_a_list_stand_apart_from_its_last_item(text: str, addition: str, after: str) -> None:
    assert append_apart(text, addition) == after


def test_a_line_with_several_occurrences_is_named_once() -> None:
    with pytest.raises(TextNotUnique, match=r"occurs 4 times, in lines 1, 3:"):
        replace("a a\nb\na a\n", "a", "c")
