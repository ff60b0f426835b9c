"""Two who wrote at the same time: each line stands under the headings where its author put it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.markdown.merge import merge, union
from commonplace.ops.write.retain import with_bullet

DATED = "memory/2025-11-27.md"
DAY = "# Day\n- met Clara\n"
RETAIN = "\n## Retain\n\n- W @Peter: Rows. ^rows01\n"
LOG = DAY + RETAIN


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        (DAY, DAY + "- by hand\n", LOG, DAY + "- by hand\n" + RETAIN),
        (DAY, LOG, DAY + "- by hand\n", DAY + "- by hand\n" + RETAIN),
        (DAY, LOG, DAY + "\nIt rained.\n", DAY + "\nIt rained.\n" + RETAIN),
        (DAY, LOG, DAY + "- by hand\n  - below it\n", DAY + "- by hand\n  - below it\n" + RETAIN),
        (DAY, LOG, DAY + "### Noon\n- soup\n", DAY + "### Noon\n- soup\n" + RETAIN),
        (DAY, LOG, DAY + "## Talk\n- soup\n", DAY + "## Talk\n- soup\n" + RETAIN),
        (DAY, LOG, DAY + "```\n# no heading\n```\n", DAY + "```\n# no heading\n```\n" + RETAIN),
        ("", "- by hand\n", LOG, DAY + "- by hand\n" + RETAIN),
        ("", "# Else\n- by hand\n", LOG, LOG + "# Else\n- by hand\n"),
        ("---\na: b\n---\n- x\n", "---\na: b\n---\n- x\n- y\n", "---\na: b\n---\n- x\n## Retain\n- W: z\n",
         "---\na: b\n---\n- x\n- y\n## Retain\n- W: z\n"),
        (LOG, LOG + "- W @Ann: Sings.\n", LOG + "## Later\n- tea\n",
         LOG + "- W @Ann: Sings.\n## Later\n- tea\n"),
        (LOG, LOG + "- W @Ann: Sings.\n", LOG.replace("## Retain", "## Retain (facts)"),
         LOG.replace("## Retain", "## Retain (facts)") + "- W @Ann: Sings.\n"),
        (LOG + "## Talk\n- t\n", LOG + "## Talk\n- t\n- u\n", LOG, LOG + "## Talk\n- u\n"),
        ("- a\n## Retain\n- W: b\n", "- a\n## Retain\n### Noon\n- W: b\n", "- a\n- W: b\n- by hand\n",
         "- a\n- by hand\n### Noon\n- W: b\n"),
        ("### N\n", "## Retain\n### N\n", "### N\n- a\n### N\n- b\n", "### N\n- b\n- a\n## Retain\n### N\n"),
        ("# P\n<!-- commonplace: x -->\n## A\n- a\n<!-- /commonplace -->\n- t\n",
         "# P\n<!-- commonplace: x -->\n## A\n- a\n## B\n- b\n<!-- /commonplace -->\n- t\n",
         "# P\n<!-- commonplace: x -->\n## A\n- a\n<!-- /commonplace -->\n- t\n- by hand\n",
         "# P\n<!-- commonplace: x -->\n## A\n- a\n## B\n- b\n<!-- /commonplace -->\n- t\n- by hand\n"),
        (DAY, LOG, DAY + "<!--\n# no heading\n-->\n- by hand\n", DAY + "<!--\n# no heading\n-->\n- by hand\n" + RETAIN),
        (DAY, LOG, DAY + "\n- by hand\n", DAY + "\n- by hand\n" + RETAIN),
        (DAY, DAY + "\n- by hand\n", LOG, DAY + "\n- by hand\n" + RETAIN),
        (DAY + "```\nx\n", DAY + "```\nx\n- y\n", "## Retain\n- W: a\n" + DAY + "```\nx\n",
         "## Retain\n- W: a\n" + DAY + "```\nx\n- y\n"),
    ],
)  # fmt: skip
def test_a_line_stands_under_the_headings_where_its_author_put_it(
    base: str, mine: str, theirs: str, expected: str
) -> None:
    assert merge(base, mine, theirs) == expected


TITLED, BARE = "# d\n\n## Retain\n- W @B: one thing here.\n", "## Retain\n- W @B: one thing here.\n"
UNDERLINED = "Thursday\n========\n\nRetain\n------\n- W @B: one thing here.\n"
FACT = "- W: Quagga is extinct today. ^quagga\n"
LATE = (
    "\nEvening\n=======\n\nSaw a zebra.\n",
    "\nEvening\n-------\n\nSaw a zebra.\n- milk, eggs\n",
    "\n\nzebra prose\n- W: zebra bullet\n",
    "\n```\n- W: zebra code\n",
    "\n~~~ text\n# zebra\n",
    "\n<!-- a zebra\n",
    "Zebra words right below\n",
    "\n***\n- W: zebra bullet\n",
    "\n| a | zebra |\n|---|---|\n\n- milk, eggs\n",
)


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("base", [TITLED, BARE, UNDERLINED])
def test_a_fact_stays_a_fact_whatever_is_saved_behind_its_list(base: str, late: str) -> None:
    theirs = parse(DATED, base + late)
    for whole in (merge(base, base + FACT, base + late), union(base + FACT, base + late)):
        assert Counter(whole.splitlines()) == Counter((base + FACT + late).splitlines())
        found = parse(DATED, whole)
        assert {fact.content for fact in found.facts} == {
            *(fact.content for fact in theirs.facts), "Quagga is extinct today."
        }  # fmt: skip
        assert [each.code for each in found.problems] == [each.code for each in theirs.problems]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        ("words\n", "words\n\n## Retain\n\n" + FACT, "words\n```\ncode\n",
         "words\n```\ncode\n```\n\n## Retain\n\n" + FACT),
        ("words\n```\ncode\n", "words\n```\ncode\n```\n\n## Retain\n\n" + FACT,
         "words\n```\ncode\nmore\n```\nwords\n", "words\n```\ncode\nmore\n```\nwords\n\n## Retain\n\n" + FACT),
        ("# d\nwords\n\n## Retain\n- W: one\n", "# d\nwords\n\n## Retain\n- W: one\n" + FACT,
         "# d\n```\nwords\n\n## Retain\n- W: one\n",
         "# d\n```\nwords\n\n## Retain\n- W: one\n```\n## Retain\n" + FACT),
        ("- a\n## Retain\n- W: one\n", "- a\n## Retain\n- W: one\n" + FACT, "- a\n- W: one\n",
         "- a\n- W: one\n## Retain\n" + FACT),
    ],
)  # fmt: skip
def test_a_fact_that_would_lie_in_code_or_under_no_heading_gets_what_it_needs(
    base: str, mine: str, theirs: str, expected: str
) -> None:
    assert merge(base, mine, theirs) == expected


PIECES = st.lists(
    st.sampled_from(
        ["", "- milk, eggs", "- W: plain water", "- W @B: tagged", "Some words", "Evening", "-------", "---", "=======",
         "## Retain", "## Evening", "### Noon", "```", "<!-- open", "-->", "| a | b |", "  indented", "    ## Retain"]
    ),
    max_size=6,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([TITLED, BARE, UNDERLINED, "# d\nwords\n"]), PIECES, PIECES)
@example(TITLED, [], ["| a | b |", "-->", "---", "- W: plain water"])  # the underlined words came below the new fact
def test_no_save_makes_or_undoes_a_fact_that_its_author_did_not(base: str, above: list[str], late: list[str]) -> None:
    base += "".join(f"{line}\n" for line in above)
    mine, _ = with_bullet(
        DATED, base, bullet=FACT.rstrip(), id="quagga", day=date(2025, 11, 27), read=partial(parse, DATED)
    )
    theirs = base + "".join(f"{line}\n" for line in late)
    facts = {*(fact.content for fact in parse(DATED, theirs).facts), "Quagga is extinct today."}
    for whole in (merged := merge(base, mine, theirs), union(mine, merged)):
        assert {fact.content for fact in parse(DATED, whole).facts} == facts, (theirs, whole)


@pytest.mark.parametrize("base", ["", DAY[:3], DAY[:-4], DAY, DAY + "\n"])
def test_a_torn_save_and_a_retain_leave_no_bullet_under_retain_that_is_no_fact(base: str) -> None:
    """An editor's half-saved log got a fact, a line of a person behind it, and then the rest came."""
    by_hand = base + ("" if base.endswith("\n") or not base else "\n") + "- by hand\n"
    for whole in (merge(base, by_hand, LOG), union(by_hand, LOG), union(LOG, by_hand)):
        assert "- by hand\n" in whole
        assert not parse("memory/2025-12-01.md", whole).problems


HEADING = st.sampled_from(["## Retain", "## Talk", "### Noon", "## Retain (2)", "#### Hour"])
EDITS = st.lists(st.tuples(st.sampled_from("idr"), st.integers(0, 12), st.one_of(st.just(""), HEADING)), max_size=5)


def edited(lines: list[str], edits: list[tuple[str, int, str]], side: str) -> list[str]:
    lines = lines[:]
    for number, (how, at, heading) in enumerate(edits):
        at = min(at, len(lines))  # noqa: PLW2901
        if how == "i" or at == len(lines):
            lines.insert(at, heading or f"- {side} {number}")
        elif how == "d":
            del lines[at]
        else:
            lines[at] = heading or f"- {side} {number}"
    return lines


def above(lines: list[str]) -> list[tuple[str, ...]]:
    """The headings above each line, those of the first level left off."""
    found, stack = [], list[str]()
    for line in lines:
        level = len(line) - len(line.lstrip("#"))
        if level:
            stack = [each for each in stack if len(each) - len(each.lstrip("#")) < level]
        found.append(tuple(each for each in stack))
        if level:
            stack.append(line)
    return found


@settings(max_examples=400)
@given(
    st.booleans(),
    st.lists(st.one_of(st.just(""), HEADING), max_size=6),
    EDITS,
    EDITS,
)
def test_every_line_that_a_side_wrote_is_under_its_own_headings(
    titled: bool, skeleton: list[str], mine: list[tuple[str, int, str]], theirs: list[tuple[str, int, str]]
) -> None:
    base = (["# Day"] if titled else []) + [each or f"- base {number}" for number, each in enumerate(skeleton)]
    sides = [edited(base, mine, "mine"), edited(base, theirs, "theirs")]
    texts = ["".join(line + "\n" for line in lines) for lines in (base, *sides)]
    for whole in (merge(*texts), union(*texts[1:])):
        lines = whole.splitlines()
        stands, there = above(lines), set(above(lines))
        for side in sides:
            for line, home in zip(side, above(side), strict=True):
                if line.startswith(("- mine", "- theirs")) and home in there:
                    untitled = [
                        tuple(each for each in chain if each != "# Day") for chain in (home, stands[lines.index(line)])
                    ]
                    assert untitled[0] == untitled[1], (line, whole)
    assert Counter(union(*texts[1:]).splitlines()) == Counter(sides[0]) | Counter(sides[1])
