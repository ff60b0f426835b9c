"""Large logs and edits of them, for what reads only the part of a file that changed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = (
    "- W @Peter: Lives in Oslo.",
    "- W @Clara: Repairs boats. ^boats1",
    "- nothing that is a fact",
    "- O(c=7) @Peter: Broken.",
    "- Peter: called at noon",
    "- Clara: was out",
    "- elise: did you call?",
    "- bob_42: not yet",
    "- a plain item",
    "  - an item below it",
    "  and its second line",
    "Andy: hello there",
    "The plan:",
    "**Bold**",
    "text",
    "====",
    "",
    "# Day",
    "## Retain",
    "### People",
    "## 2025-11-30",
    "## Feb 12",
    "| day | what |",
    "| Mon | call |",
    "```",
    "<!-- open",
    "a comment ends -->",
    "<<<<<<< HEAD",
    "- W @Peter: In Marrakech, Nov 27–Dec 1. <!-- cp: supersedes=^boats1 -->",
    "- 王芳在成都开了一家茶馆 @王芳",
    "confidence: 0.8",
    "<!-- cp: src=web:example.org -->",
    "<!-- cp:",
    "supersedes=^boats1 -->",
    "<!-- commonplace: entity -->",
    "Evening",
    "-------",
    "---",
    "Retain",
    "    ## Retain",
    "* * *",
    "**Tern** – a dinghy",
)
LOGS = st.lists(st.sampled_from(LINES[:23] + LINES[-7:] + LINES[:9] * 12), min_size=12, max_size=60)
"""Mostly lists, as logs that grow large are."""
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 4), st.lists(st.sampled_from(LINES), max_size=4)), min_size=1, max_size=3
)
"""Where, how many lines go, and which come."""


def edited(lines: list[str], edit: tuple[float, int, list[str]]) -> list[str]:
    """The lines after an edit; at 1 it is an append."""
    where, gone, come = edit
    at = round(where * len(lines))
    return [*lines[:at], *come, *lines[at + gone :]]


@contextmanager
def small_chunks() -> Iterator[None]:
    """Files of a few lines count as large."""
    with (
        patch("commonplace.core.documents.line_scanner.CHUNK", 3),
        patch("commonplace.core.documents.line_scanner.LARGE", 4),
    ):
        yield
