"""A page of an entity read back: a person's words, and our lines with their day, source and id."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.markdown.page_links import quoted
from commonplace.core.markdown.page_sections import PageLine, page_content

PAGE = """\
---
aliases: [Pete]
---
# Peter

Call him on Sundays only.

<!-- commonplace: entity -->
2 facts from 2025-10-20 to 2025-11-27. 1 open question.

## Now and ahead
- 2025-11-27 to 12-01: In Marrakech: a week. ([log](../../memory/2025-11-27.md)) ^wy0p440a9p

## Preferences
- 0.83, disputed: Prefers tea. ([evidence](../opinions.md#peter))

## From the logs
- 2025-09-03: **Decision:** larch, no oak. ([log](../../memory/2025-09-03.md))
- 2025-11-04: Leaves at 09:05. ([log](../../memory/2025-11-04.md), replaced by ^flt112) ^flt905
- Mine, by hand.
<!-- /commonplace abc -->

He likes larch.
"""


def test_words_outside_our_region_are_a_persons() -> None:
    assert page_content(PAGE, path="bank/entities/Peter.md").words == "Call him on Sundays only.\n\n\nHe likes larch."


def test_each_line_has_its_day_or_confidence_its_words_its_file_and_its_id() -> None:
    sections = page_content(PAGE, path="bank/entities/Peter.md").sections
    assert [section.title for section in sections] == ["", "Now and ahead", "Preferences", "From the logs"]
    assert sections[1].lines == (
        PageLine("2025-11-27 to 12-01", "In Marrakech: a week.", "memory/2025-11-27.md", "", "wy0p440a9p"),
    )
    assert sections[2].lines == (PageLine("0.83, disputed", "Prefers tea.", "bank/opinions.md", "", ""),)
    assert sections[3].lines == (
        PageLine("2025-09-03", "Decision: larch, no oak.", "memory/2025-09-03.md", "", ""),
        PageLine("2025-11-04", "Leaves at 09:05.", "memory/2025-11-04.md", "replaced by ^flt112", "flt905"),
        PageLine("", "Mine, by hand.", "", "", ""),
    )


def test_a_link_in_words_or_a_note_is_its_words_and_the_file_that_it_leads_to() -> None:
    body = (
        "## Preferences\n- More stand in [Preferences and rules](../preferences.md).\n"
        "- 2025-11-04: Opens at nine. ([log](../../memory/2025-11-04.md), outdated by [2025-11-09](../../MEMORY.md))\n"
        "- 2025-11-05: See [the plan](plan.md) and [x]. ([log](../../memory/2025-11-05.md))\n"
    )
    page = f"# P\n\n<!-- commonplace: entity -->\n{body}<!-- /commonplace abc -->\n"
    [section] = page_content(page, path="bank/entities/P.md").sections
    log = "memory/2025-11-04.md"
    assert section.lines == (
        PageLine("", "More stand in Preferences and rules.", "", "", "", "bank/preferences.md"),
        PageLine("2025-11-04", "Opens at nine.", log, "outdated by 2025-11-09", "", "MEMORY.md"),
        PageLine("2025-11-05", "See [the plan](plan.md) and [x].", "memory/2025-11-05.md", "", ""),
    )


def test_a_page_without_a_region_is_all_a_persons() -> None:
    found = page_content("# Peter\nOnly mine.\n", path="bank/entities/Peter.md")
    assert (found.words, found.sections) == ("Only mine.", ())


def test_front_matter_and_title_alone_leave_no_words() -> None:
    assert page_content("---\naliases: [P]\n---\n# Peter\n", path="bank/entities/Peter.md").words == ""


@given(st.lists(st.text(min_size=1).map(quoted).filter(lambda text: text and "**" not in text), min_size=1))
def test_what_we_wrote_on_a_page_is_read_back(statements: list[str]) -> None:
    body = "\n".join(f"- 2025-09-03: {text} ([log](../../memory/2025-09-03.md)) ^k7f3qa" for text in statements)
    page = f"# P\n\n<!-- commonplace: entity -->\n## Facts\n{body}\n<!-- /commonplace abc -->\n"
    [section] = page_content(page, path="bank/entities/P.md").sections
    assert section.lines == tuple(
        PageLine("2025-09-03", text, "memory/2025-09-03.md", "", "k7f3qa") for text in statements
    )


@given(st.text())
def test_no_page_is_too_odd_to_be_read(text: str) -> None:
    found = page_content(text, path="bank/entities/Peter.md")
    assert found.words.replace("\r", "") in text.replace("\r", "")
