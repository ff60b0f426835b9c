"""What a page is made from tells every change that shows on the page."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from commonplace.core.model import Citation, Fact, Kind, Span
from commonplace.core.opinions.opinion_entry import Entry
from commonplace.core.pages.compose import Subject, entity_page
from commonplace.core.pages.current_facts import Known
from commonplace.core.pages.fingerprint import Made

DAY = date(2026, 1, 5)
LOG = f"memory/{DAY}.md"


def fact(id: str, content: str) -> Fact:
    return Fact(id, Kind.WORLD, content, ("Mona", "Rolf"), Citation(LOG, 3), DAY)


FACTS = (fact("boat", "Sold the boat to Rolf."), fact("rug", "Gave Rolf a rug."))
OPINION = Entry("o-1", "Drinks tea.", ("Mona",), 0.8, ())
LINE = FACTS[0]._replace(id="", content="Mona: I like tea.")
SUBJECT = Subject("Mona", "bank/entities/Mona.md", FACTS, (OPINION,), 1, (LINE,))
KNOWN = Known(DAY, pages={"mona": ("Mona", "bank/entities/Mona.md"), "rolf": ("Rolf", "bank/entities/Rolf.md")})


PAST = date(2026, 2, 5)
NEWEST = {"of a log that grows": DAY, "of a log that is long past": PAST}


def told(subject: Subject = SUBJECT, known: Known = KNOWN, *, file: str = "a", newest: date = PAST) -> str:
    return Made(known, {LOG: file}, ("mona", "rolf"), newest).of(subject)


@pytest.mark.parametrize("newest", NEWEST.values(), ids=NEWEST)
@pytest.mark.parametrize(
    "subject",
    [
        {"name": "Mona Lund"},
        {"path": "bank/Mona.md"},
        {"facts": FACTS[:1]},
        {"facts": FACTS[::-1]},
        {"opinions": (OPINION._replace(confidence=0.7),)},
        {"opinions": (OPINION._replace(statement="Drinks coffee."),)},
        {"opinions": ()},
        {"waiting": 2},
        {"said": ()},
        {"said": (), "named": (LINE,)},
    ],
    ids=", ".join,
)
def test_whatever_changes_of_the_entity_is_told(subject: dict[str, Any], newest: date) -> None:
    changed = SUBJECT._replace(**subject)
    assert told(changed, newest=newest) != told(newest=newest)
    assert entity_page(changed, KNOWN) != entity_page(SUBJECT, KNOWN) or "path" in subject


@pytest.mark.parametrize(
    "known",
    [
        {"superseded": {"boat": "rug"}},
        {"disputed": {"boat": "rug"}},
        {"claims": {"boat": frozenset({"residence"})}},
        {"pages": {"rolf": ("Rolf Lund", "bank/entities/Rolf.md")}},
        {"canonical": lambda name: "mona" if name.lower() == "mona" else "olga"},
    ],
    ids=", ".join,
)
def test_whatever_changes_of_the_workspace_is_told(known: dict[str, Any]) -> None:
    changed = KNOWN._replace(**known)
    assert told(known=changed) != told()
    assert entity_page(SUBJECT, changed) != entity_page(SUBJECT, KNOWN)


def test_the_same_is_told_the_same_and_a_file_that_changed_is_not() -> None:
    assert told() == told()
    for subject in (SUBJECT._replace(said=()), SUBJECT._replace(facts=())):
        assert told(subject, file="b") != told(subject)
        undated = subject._replace(
            facts=[fact._replace(recorded=None) for fact in subject.facts],
            said=[line._replace(recorded=None) for line in subject.said],
        )
        assert Made(KNOWN, {LOG: "b"}, (), None).of(undated) != Made(KNOWN, {LOG: "a"}, (), None).of(undated)


def test_a_log_that_grows_changes_what_is_told_of_those_alone_whom_its_new_line_names() -> None:
    assert told(newest=DAY, file="b") == told(newest=DAY)
    for field in ("facts", "said"):
        changes: tuple[dict[str, Any], ...] = (
            {"source": Citation(LOG, 4)},
            {"content": "Sold the boat."},
            {"confidence": 0.5},
            {"valid": Span(DAY, DAY)},
            {"speaker": "Olga"},
            {"mentions": ("Olga",)},
        )
        for change in changes:
            first, *rest = getattr(SUBJECT, field)
            lines: dict[str, Any] = {field: (first._replace(**change), *rest)}
            changed = SUBJECT._replace(**lines)
            assert told(changed, newest=DAY) != told(newest=DAY), change
