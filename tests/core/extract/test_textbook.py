"""Copied knowledge: sections in which hardly any line is about something particular."""

from __future__ import annotations

import pytest

from commonplace.core.extract.line_worth import worth_alone
from commonplace.core.extract.textbook import copied, is_particular, tells_doings
from commonplace.core.model import Citation, Line

LESSON = ("Knots of sailors", "Kinds of knots")


@pytest.mark.parametrize(
    "text",
    [
        "Two ropes of 12 metres",
        "We tied the ferry twice",
        "Never tie it at the old pier",
        "The bowline holds because the loop is fixed",
        "They ask for Rolf Berg at the pier",
        "`tie --twice` does it",
        "必须系两次",
    ],
)
def test_a_line_with_a_figure_a_person_a_reason_or_an_order_is_particular(text: str) -> None:
    line = Line(text, (), Citation("memory/knots.md", 3), None)
    assert is_particular(line, worth_alone(line))


@pytest.mark.parametrize("text", ["Strong ties between the ends", "A loop that does not slip", "结实的绳结适合初学者"])
def test_a_line_that_is_so_in_general_is_not(text: str) -> None:
    line = Line(text, (), Citation("memory/knots.md", 3), None)
    assert not is_particular(line, worth_alone(line))


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("We moved the ferry to our new pier", True),
        ("We decided to sell the ferry", True),
        ("Strong ties between the ends", False),
    ],
)
def test_what_somebody_does_is_told_from_what_is_so_in_general(text: str, does: bool) -> None:
    assert tells_doings(worth_alone(Line(text, (), Citation("memory/2026-03-01.md", 3), None))) is does


def exempt(heading: str) -> bool:
    return heading == "Preferences"


def test_a_long_section_with_few_particulars_is_copied_and_others_are_not() -> None:
    sections = [LESSON] * 12 + [("Clients",)] * 12
    particular = [True] * 3 + [False] * 9 + [True] * 6 + [False] * 6
    assert copied(sections, particular, exempt=exempt) == [True] * 12 + [False] * 12


def test_a_short_section_proves_nothing() -> None:
    assert copied([LESSON] * 11, [False] * 11, exempt=exempt) == [False] * 11


def test_what_a_heading_announces_as_the_owners_is_not_copied() -> None:
    sections = [("Preferences", "In letters")] * 12
    assert copied(sections, [False] * 12, exempt=exempt) == [False] * 12
