"""What stands above each line of a file."""

from __future__ import annotations

import pytest

from commonplace.core.documents.parse import parse

ITEM = "lies at the west quay"


def above(text: str) -> str:
    """The line above the only item of a text."""
    lines = parse("memory/2026-03-01.md", text).lines
    return next(lines[line.parent].text for line in lines if line.text == ITEM)


@pytest.mark.parametrize(
    "title",
    [
        "**The Tern**",
        "**The Tern:**",
        "**The Tern** ⛵",
        "**The Tern** (tern.example) – our dinghy",
        "**海燕号** — 我们的小艇",
        "The Tern:",
    ],
)
@pytest.mark.parametrize("mark", ["- ", "* ", "1. "])
def test_a_title_in_bold_stands_above_the_list_right_below_it(title: str, mark: str) -> None:
    assert above(f"# Boats\n\n{title}\n{mark}{ITEM}\n") == title


@pytest.mark.parametrize(
    "text",
    [
        f"**Status:** afloat\n- {ITEM}",
        f"**状态**：在水上\n- {ITEM}",
        f"**The Tern** – our dinghy\n\n- {ITEM}",
        f"**The Tern** is afloat\nsince May\n- {ITEM}",
        f"**We moored the Tern.** It took an hour.\n- {ITEM}",
        f"**泊了海燕号**，花了一小时。\n- {ITEM}",
        f"**The Tern** – our dinghy\n- leaks\n\n- {ITEM}",
        f"The **Tern** is afloat\n- {ITEM}",
    ],
)
def test_what_is_no_title_or_has_no_list_right_below_it_stands_above_nothing(text: str) -> None:
    assert above(f"# Boats\n\n{text}\n") == "Boats"
