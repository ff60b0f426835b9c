"""What is appended: it joins a Retain section only as facts, and changes nothing above."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.agent.memory_tool_view import inserted as inserted_by_tool
from commonplace.core.documents.append import appended, inserted, retain_at_end
from commonplace.core.documents.parse import parse

DATED = "memory/2025-11-27.md"
LOG = "# 2025-11-27\n\n## Retain\n- W @B: one. ^one111\n"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("", 0),
        (LOG, 2),
        (LOG + "\n### Noon\n", 2),
        (LOG + "\n## Noon\n", 0),
        (LOG + "\nNoon\n----\n", 0),
        (LOG + "\n```\n", 0),
        (LOG + "\nwords\n", 2),
        ("## Retain\n- W: one\n\nwords\n", 0),
        ("# Retain\n- W: one\n", 1),
        ("Retain\n------\n", 2),
        ("---\ntitle: Retain\n---\n- milk\n", 0),
    ],
)
def test_a_retain_section_at_the_end_of_a_text_is_known_with_its_level(text: str, level: int) -> None:
    assert retain_at_end(text) == level


@pytest.mark.parametrize(
    ("addition", "expected"),
    [
        ("- a zebra note", "\n## Notes\n\n- a zebra note\n"),
        ("Saw a zebra.", "\n## Notes\n\nSaw a zebra.\n"),
        ("\n\n- a zebra note\n", "\n## Notes\n\n- a zebra note\n"),
        ("### Noon\n- milk", "\n## Notes\n\n### Noon\n- milk\n"),
        ("```\nzebra\n```", "\n## Notes\n\n```\nzebra\n```\n"),
        ("| a | b |\n|---|---|", "\n## Notes\n\n| a | b |\n|---|---|\n"),
        ("- W: a fact\n- and no fact", "\n## Notes\n\n- W: a fact\n- and no fact\n"),
        ("- W: a fact\n- O(c=0.8) @B: so\n  on two lines", "- W: a fact\n- O(c=0.8) @B: so\n  on two lines\n"),
        ("  more of the fact above", "  more of the fact above\n"),
        ("## Noon\n- milk", "## Noon\n- milk\n"),
        ("Noon\n----\n- milk", "\nNoon\n----\n- milk\n"),
    ],
)
def test_what_is_no_fact_stands_below_a_heading_of_its_own(addition: str, expected: str) -> None:
    assert appended(LOG, addition) == LOG + expected
    assert appended(LOG.replace("\n", "\r\n"), addition) == (LOG + expected).replace("\n", "\r\n")
    if addition.startswith("- a"):
        assert inserted(LOG, addition, after=4) == inserted_by_tool(LOG, addition, after=4) == LOG + expected
        assert inserted(LOG, addition, after=3) == LOG.replace("- W @B", f"{addition}\n- W @B")


def test_words_above_are_not_underlined_by_what_is_appended() -> None:
    assert appended("# d\nIt rained.\n", "---\nNext.") == "# d\nIt rained.\n\n---\nNext.\n"
    assert appended("# d\nIt rained.\n", "Noon\n----") == "# d\nIt rained.\n\nNoon\n----\n"
    assert appended("# d\nIt rained.\n", "And hailed.") == "# d\nIt rained.\nAnd hailed.\n"


PIECES = st.lists(
    st.sampled_from(
        ["", "- milk, eggs", "- W: plain water", "- W @B: tagged", "Some words", "Evening", "-------", "---", "=======",
         "## Retain", "## Evening", "### Noon", "| a | b |", "***", "# d"]
    ),
    max_size=6,
).map("\n".join)  # fmt: skip


@given(st.sampled_from(["words\n", "# d\n", "## Retain\n"]), PIECES, PIECES.filter(str.strip))
def test_whatever_is_appended_no_line_above_is_read_otherwise(head: str, text: str, addition: str) -> None:
    text = head + text + "\n"
    before, after = (parse(DATED, each) for each in (text, appended(text, addition)))
    assert after.lines[: len(before.lines)] == before.lines
    assert after.problems[: len(before.problems)] == before.problems
    # by itself where it begins no front matter, and below a heading, where a Retain section goes on
    alone = [parse(DATED, f"{above}\n{addition}").problems for above in ("", "# d\n")]
    known = {each.code for problems in (before.problems, *alone) for each in problems}
    assert {problem.code for problem in after.problems} <= known
