"""Which lines somebody else said: the whole statement that a trailer stands in, and no other."""

from __future__ import annotations

import pytest

from commonplace.core.documents.conflict_copies import marked
from commonplace.core.documents.hearsay import said_by_other
from commonplace.core.documents.merge_markers import unsettled
from commonplace.core.documents.parse import parse
from commonplace.core.model import Origin

SRC = "<!-- cp: src=web:x -->"


def others(text: str) -> list[int]:
    """Numbers of the lines that somebody else said."""
    return [line.number for line in parse("memory/2026-01-30.md", text).lines if said_by_other(line) == "web:x"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"- one {SRC}\n- two\n", [1]),
        (f"- one\n  goes on {SRC}\n- two\n", [1, 2]),
        (f"- one\n  goes on\n  {SRC}\n- two\n", [1, 2, 3]),
        ("- one\n  <!-- cp:\n  src=web:x\n  -->\n- two\n", [1, 2, 3, 4]),
        (f"- one\n  - below\n  {SRC}\n- two\n", [1, 2, 3]),
        (f"- one\n  - below\n    {SRC}\n- two\n", [2, 3]),
        (f"- one {SRC}\n  - below\n    - deeper\n- two\n", [1, 2, 3]),
        (f"one\ntwo {SRC}\nthree\n\nfour\n", [1, 2, 3]),
        (f"one\n{SRC}\n\nfour\n", [1, 2]),
        (f"one\n\n{SRC}\n", []),
        (f"He says: {SRC}\n- one\n- two\n\n## Next\n- three\n", [1, 2, 3]),
        (f"## Head {SRC}\n- one\n", [1]),
        (f"| a | b |\n|---|---|\n| c | d | {SRC}\n| e | f |\n", [3]),
        (f"| a | b |\n|---|---|\n| c | d {SRC} |\n", [3]),
        (f"| a | b |\n|---|---|\n| c | d |\n| e | f |\n{SRC}\n", [3, 4, 5]),
        (f"Ida: one\nMona: two {SRC}\nIda: three\n", [2]),
        (f"```\n- one {SRC}\n{SRC}\n```\n{SRC}\n", []),
        (f"Write `{SRC}` behind it.\n", []),
        (f"- W @Rolf: Is a fact. {SRC}\n  - below\n- two\n", [1, 2]),
        (f"- W @Rolf: Is a fact. {SRC}\n  - O @Rolf: below\n    1. W @Rolf: deeper\n- W @Rolf: two\n", [1, 2, 3]),
        (f"- says {SRC}\n\n  - O @Rolf: below\n- W @Rolf: two\n", [1, 3]),
        (f"He says: {SRC}\n- W @Rolf: one\n  - W @Rolf: two\n\nOn.\n- W @Rolf: three\n", [1, 2, 3]),
        (f"## Retain\n- W @Rolf: one {SRC}\n- W @Rolf: two\n### Head {SRC}\n- W @Rolf: three\n", [2, 4]),
        (f"- says\n  - W @Rolf: one\n  - two\n  {SRC}\n- W @Rolf: three\n", [1, 2, 3, 4]),
        (f"- says\n  - W @Rolf: one\n  - W @Rolf: two\n  {SRC}\n- W @Rolf: three\n", [1, 2, 3]),
        (f"- says\n  - W @Rolf: one\n  - W @Rolf: two\n    {SRC}\n- W @Rolf: three\n", [3]),
        ("- one <!-- cp: src=inferred:memory/2026-01-03.md -->\n", []),
        (f"## Retain\n- X @Rolf: one {SRC}\n- O(c=7) @Rolf: two\n  goes on {SRC}\n- no kind {SRC}\n", [2, 3, 4, 5]),
    ],
)
def test_a_trailer_is_of_the_statement_that_it_stands_in(text: str, said: list[int]) -> None:
    assert others(text) == said


def test_no_line_shows_its_trailer() -> None:
    text = f"# Head {SRC}\n\n- one {SRC}\n\ntwo {SRC}\n\n| a | b |\n|---|---|\n| c | d | {SRC}\n"
    lines = parse("memory/2026-01-30.md", text).lines
    assert [line.text for line in lines] == ["Head", "one", "two", "| a | b |", "| c | d |"]


def test_what_is_escaped_is_text() -> None:
    (line,) = parse("memory/2026-01-30.md", "- About &lt;!-- cp: src=web:x --&gt; and more.\n").lines
    assert (line.text, line.outsider) == ("About <!-- cp: src=web:x --> and more.", "")


@pytest.mark.parametrize("src", ["inferred:memory/2026-01-03.md", "import:Vault/a.md"])
def test_what_is_nested_below_somebody_elses_words_is_theirs_though_it_names_the_author(src: str) -> None:
    text = f"## Retain\n- W @Rolf: one {SRC}\n  - W @Rolf: two <!-- cp: src={src} --> ^two2\n"
    _, below = parse("memory/2026-01-30.md", text).facts
    assert (below.trailer.src, below.origin, below.id) == ("web:x", Origin.RETAINED, "two2")


def test_of_two_outsiders_the_nearer_said_it() -> None:
    text = f"- says {SRC}\n  - W @Rolf: two <!-- cp: src=web:y -->\n    - W @Rolf: three\n"
    assert [fact.trailer.src for fact in parse("a.md", text).facts] == ["web:y", "web:y"]


SOLD = f"## Retain\n- W @Peter: Sold the boat. {SRC} ^s1aa\n  - O @Peter: Hates boats.\n- W @Peter: Has money.\n"
MARKERS = "<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n"


@pytest.mark.parametrize("text", [SOLD + MARKERS, MARKERS + SOLD], ids=["above", "below"])
def test_what_they_said_stays_theirs_in_a_log_with_merge_markers(text: str) -> None:
    document = parse("memory/2026-01-02.md", text)
    assert document.conflict and not document.facts
    told = [(line.text, line.outsider) for line in document.lines if "oat" in line.text]
    assert told == [("W @Peter: Sold the boat.", "web:x"), ("O @Peter: Hates boats.", "web:x")]
    assert [line.outsider for line in document.lines if "money" in line.text] == [""]


def test_what_they_said_stays_theirs_in_a_conflict_copy_and_where_a_merge_waits() -> None:
    path, text = "memory/2026-01-02.md", SOLD + MARKERS
    copy = marked(parse("memory/2026-01-02 2.md", SOLD), path)
    waiting = unsettled(parse(path, text), text, [], [])
    for document in (copy, waiting):
        told = [(line.text, line.outsider) for line in document.lines if line.text[:1] in "WO"]
        assert told[:2] == [("W @Peter: Sold the boat.", "web:x"), ("O @Peter: Hates boats.", "web:x")]
        assert told[2][1] == "" and not document.facts


@pytest.mark.parametrize("comment", ["<!-- a remark -->", "  <!-- a remark -->", "<!-- one -->\n\n<!-- two -->"])
@pytest.mark.parametrize("heading", ["## Retain", "## Notes"])
@pytest.mark.parametrize("bullet", ["- W @Ann: Says. <!-- cp: src=web:x --> ^id1", "- Says. <!-- cp: src=web:x -->"])
def test_a_comment_within_a_bullet_changes_nothing_of_who_said_what_hangs_below(
    heading: str, bullet: str, comment: str
) -> None:
    for between in ("\n", "\n\n"):
        text = f"{heading}\n{bullet}{between}{comment}{between}  - Sold the mill.\n"
        lines = parse("memory/2026-01-03.md", text).lines
        assert [line.number for line in lines] == sorted(line.number for line in lines)
        assert lines[-1].text == "Sold the mill." and lines[-1].outsider == "web:x"
        assert "Says." in lines[lines[-1].parent].text or lines[lines[-1].parent].fact
