"""What the core is offered: durable, repeated, about the owner, unsaid, and while there is room."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Citation, Fact, Kind, Span, Trailer
from commonplace.core.opinions.opinion_entry import FOR, PRIOR, Entry, Mark
from commonplace.core.pages.core_proposals import CoreFile, CoreProposal, core_proposals, fitting, names_told
from commonplace.core.review import review_page
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

DAYS = [date(2026, 1, day) for day in (1, 2, 5)]
ANYBODY = CoreFile(frozenset(), (), 0)
MONAS = CoreFile(frozenset({"mona"}), (), 0)


def opinion(statement: str, *names: str, confidence: float = 0.95, days: int = 3) -> Entry:
    marks = tuple(Mark(FOR if at else PRIOR, 0.9, day, "memory/x.md", f"f{at}") for at, day in enumerate(DAYS[:days]))
    return Entry("o-4m7k", statement, names, confidence, marks)


def fact(text: str, day: date | None, *names: str, **more: object) -> Fact:
    path = f"memory/{day}.md"
    stated = Fact(f"f{day}", Kind.WORLD, text, names or ("Mona",), Citation(path, 3), day)
    return stated._replace(**more)  # type: ignore[arg-type]


def asked(entries: Sequence[Entry], facts: Sequence[Fact], core: CoreFile = ANYBODY) -> list[str]:
    return [
        each.text
        for each in core_proposals(
            entries, [(fold(each.content), each) for each in facts], core=core, canonical=entity_key
        )
    ]


def test_a_sure_opinion_of_three_days_is_worth_it() -> None:
    assert asked([opinion("Drinks green tea.", "Mona")], []) == ["Mona: Drinks green tea."]
    assert asked([opinion("Mona drinks green tea.", "Mona")], []) == ["Mona drinks green tea."]
    assert asked([opinion("Monaco is loud.", "Mona")], []) == ["Mona: Monaco is loud."]
    assert asked([opinion("Drinks green tea.", "Mona", days=2)], []) == []
    assert asked([opinion("Drinks green tea.", "Mona", confidence=0.89)], []) == []
    assert asked([opinion("Drinks green tea.", "Mona")._replace(disputed_by="o-9t2c")], []) == []


def test_a_world_fact_of_three_days_is_worth_it_with_its_days() -> None:
    said = [
        fact("Is allergic to nuts.", DAYS[0]),
        fact("is allergic to nuts", DAYS[2]),
        fact("Is allergic to nuts.", DAYS[1]),
    ]
    (found,) = core_proposals([], [(fold(each.content), each) for each in said], core=ANYBODY, canonical=entity_key)
    assert found[1:-1] == ("Mona: is allergic to nuts", None, "", "memory/2026-01-05.md", DAYS[2], (DAYS[1], DAYS[0]))
    line = review_page.core_line(found)
    assert line.startswith("- [ ] Mona: is allergic to nuts ([2026-01-05](../memory/2026-01-05.md), also on 2026-01-02")
    (decided,) = review_page.decisions(line.replace("[ ]", "[x]"))
    assert (decided.id, decided.text) == (found.id, "Mona: is allergic to nuts")


@pytest.mark.parametrize(
    "more",
    [
        {"kind": Kind.EXPERIENCE},
        {"valid": Span(DAYS[0], DAYS[2])},
        {"trailer": Trailer(src="web:example.org")},
        {"entities": ()},
        {"recorded": DAYS[0]},
        {"recorded": None},
    ],
    ids=str,
)
def test_what_ends_or_an_outsider_says_or_one_day_repeats_is_not(more: dict[str, object]) -> None:
    said = [fact("Is allergic to nuts.", day) for day in DAYS]
    assert asked([], said) == ["Mona: Is allergic to nuts."]
    assert asked([], [*said[:2], said[2]._replace(**more)]) == []  # type: ignore[arg-type]


def test_a_fact_that_begins_and_does_not_end_is_durable() -> None:
    assert asked([], [fact("Works at the mill since March.", day, valid=Span(DAYS[0], None)) for day in DAYS])
    accepted = Trailer(src="inferred:memory/x.md")
    assert asked([], [fact("Is allergic to nuts.", day, trailer=accepted) for day in DAYS])


def test_only_the_owner_counts_where_it_is_known() -> None:
    others = [fact("Is allergic to nuts.", day, "Rolf", "Mona") for day in DAYS]
    assert asked([opinion("Drinks tea.", "Rolf"), opinion("Tea is good.")], others, MONAS) == []
    assert len(asked([opinion("Drinks tea.", "Rolf")], others)) == 2
    own = [fact("Is allergic to nuts.", day) for day in DAYS]
    assert asked([opinion("Drinks tea.", "Mona")], [*own, *others], MONAS) == [
        "Mona: Drinks tea.",
        "Mona: Is allergic to nuts.",
    ]


def test_what_the_core_says_is_not_asked() -> None:
    core = MONAS._replace(said=["Mona is allergic to nuts!"])
    assert asked([], [fact("Is allergic to nuts.", day) for day in DAYS], core) == []


def test_nothing_is_asked_for_which_there_is_no_room() -> None:
    many = [CoreProposal(f"c-{at}", "x" * 97) for at in range(4)]
    assert fitting(many, 0) == (many, "")
    kept, full = fitting(many, 20_000 - 250)
    assert kept == many[:2]
    assert full == "the core is full: 19,750 of 20,000 characters; 2 more proposals do not fit"
    assert fitting(many[:1], 20_000)[1].endswith("1 more proposal does not fit")
    assert fitting([], 30_000) == ([], "")


def test_names_are_told_by_headings_labels_and_front_matter() -> None:
    front = "---\nname: Mona\naliases: [Mo, モナ]\ntags: [boat]\n---\n"
    page = f"{front}# About Mona\n\n- **Name:** Mona B.\n- Pet: Rex\n名前：モナ\n"
    assert names_told(page) == ("Mona", "Mo", "モナ", "About Mona", "Mona B.", "モナ")
    assert names_told("---\nname: Mona\n") == ("Mona",)
    assert names_told("") == ()
