from datetime import date

import pytest

from commonplace.core.review.possible_names import NameAnswer, PossibleName, name_id, name_line, read_name
from commonplace.core.review.review_page import decisions, parted


def asked(kind: str | None) -> PossibleName:
    return PossibleName("kite bay", "Kite Bay", kind, 3, "memory/2026-01-12.md", date(2026, 1, 12))


def test_the_question_is_a_statement_with_the_last_day() -> None:
    line = name_line(asked("project"))
    assert line == (
        f"- [ ] Kite Bay is a project ([2026-01-12](../memory/2026-01-12.md), on 3 days) ^{name_id('kite bay')}"
    )
    assert asked("organisation").text == "Kite Bay is an organisation"
    assert asked(None).text == "Kite Bay is a name"


def test_a_ticked_line_is_read_without_its_source() -> None:
    line = name_line(asked("project")).replace("[ ]", "[x]")
    (decision,) = decisions(line)
    assert (decision.text, decision.path, decision.day) == (
        "Kite Bay is a project",
        "memory/2026-01-12.md",
        "2026-01-12",
    )
    assert (read := parted(line)) is not None
    assert read.source == " ([2026-01-12](../memory/2026-01-12.md), on 3 days)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Kite Bay is a project", NameAnswer("Kite Bay", "project")),
        ("kite-bay is an old ferry.", NameAnswer("kite-bay", "old ferry")),
        ("Kite Bay is ferry", NameAnswer("Kite Bay", "ferry")),
        ("Kite Bay is a name", NameAnswer("Kite Bay", "")),
        ("Kite Cove is a project", None),
        ("Kite Bay", None),
        ("Kite Bay is a ", None),
        ("Kite Bay is a kind: other", None),
        ("Kite Bay is a " + "very " * 20 + "long kind", None),
    ],
)
def test_the_kind_may_be_reworded_and_the_name_not(text: str, said: NameAnswer | None) -> None:
    assert read_name(name_id("kite bay"), text) == said
