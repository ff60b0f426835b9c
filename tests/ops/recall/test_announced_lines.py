"""A hit that is a heading or ends in a colon is shown with the quote, list or paragraph that it announces."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 6, 1)
DAY = "memory/2026-05-04.md"


def first(workspace: Write, log: str, question: str, **flags: object) -> str:
    files = {"MEMORY.md": "# Memory\n", DAY: log}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall(question, **flags).hits  # type: ignore[arg-type]
    return hits[0].line.content if hits else ""


@pytest.mark.parametrize(
    ("log", "question", "answer"),
    [
        (
            "Tove wrote her motto on the wall:\n> Sail by the stars alone.\n",
            "what is Tove's motto?",
            "Sail by the stars",
        ),
        (
            "Tove wrote her motto on the wall:\n\nSail by the stars alone.\n",
            "what is Tove's motto?",
            "Sail by the stars",
        ),
        ("- Packing list:\n  - tent\n  - two lamps\n", "what is on the packing list?", "two lamps"),
        ("Packing list:\n\n- tent\n- two lamps\n", "what is on the packing list?", "two lamps"),
        ("**Packing list:**\n\n- tent\n- two lamps\n", "what is on the packing list?", "two lamps"),
        ("## Packing for Lofoten\n\n- tent\n- two lamps\n\n## Rest\n", "packing Lofoten", "two lamps"),
        ("## Pakning til Lofoten\n\n- telt\n- to lamper\n\n## Rest\n", "pakning til Lofoten", "to lamper"),
        ("## 露营装备\n\n- 帐篷\n- 两盏灯\n\n## 其余\n", "露营装备", "两盏灯"),
        ("## キャンプ道具\n\n- テント\n- ランプ二つ\n\n## 残り\n", "キャンプ道具", "ランプ二つ"),
        ("Toves valgsprog er:\n> Sejl efter stjernerne.\n", "hvad er Toves valgsprog?", "Sejl efter stjernerne"),
        ("小美的座右铭：\n> 只看星星航行。\n", "小美的座右铭是什么？", "只看星星航行"),
        ("小美的座右銘：\n> 只看星星航行。\n", "小美的座右銘是什麼？", "只看星星航行"),
        ("由紀の座右の銘：\n> 星だけを頼りに進め。\n", "由紀の座右の銘は？", "星だけを頼りに"),
        ("मीरा का आदर्श वाक्य:\n> तारों को देखकर चलो।\n", "मीरा का आदर्श वाक्य क्या है?", "तारों को देखकर"),
        ("Девиз Миры такой:\n> Плыви по звёздам.\n", "какой девиз у Миры?", "Плыви по звёздам"),
    ],
)
def test_a_line_that_ends_in_a_colon_comes_with_what_it_announces(
    log: str, question: str, answer: str, workspace: Write
) -> None:
    content = first(workspace, f"# Day\n\n{log}\nSomething else.\n", question)
    assert answer in content
    assert "Something else" not in content


@pytest.mark.parametrize(
    "log",
    [
        "Tove wrote her motto on the wall.\n> Sail by the stars alone.\n",
        "Tove wrote her motto on the wall:\n\n## Boats\n\nSail by the stars alone.\n",
        "- Tove wrote her motto on the wall:\n- Sail by the stars alone.\n",
        "Tove wrote her motto on the wall:\n\n## Retain\n- W @Bo: Sail by the stars alone.\n",
        "Tove wrote her motto on the wall:\n\n" + "Sail by the stars alone. " * 60 + "\n",
    ],
)
def test_nothing_else_comes_with_it(log: str, workspace: Write) -> None:
    assert "stars" not in first(workspace, f"# Day\n\n{log}", "what is Tove's motto?")


def test_a_filter_lets_no_line_through(workspace: Write) -> None:
    log = "# Day\n\nTove wrote her motto on the wall:\n> Sail by the stars alone.\n"
    assert "stars" not in first(workspace, log, "what is Tove's motto?", as_of=date(2026, 5, 20))


def test_what_is_announced_is_no_hit_of_its_own(workspace: Write) -> None:
    log = "# Day\n\nThe motto of the club:\n> The motto is to sail by the stars and, when there are none, by the coast,"
    files = {
        "MEMORY.md": "# Memory\n",
        DAY: f"{log} slowly and with a lamp at the bow, whatever the others in the harbour say.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("what is the motto of the club?").hits
    places = [place for hit in hits for place in hit.places]
    assert len(places) == len(set(places))
    assert any(hit.place == f"{DAY}#L3-L4" for hit in hits)


def test_what_stands_below_a_heading_does_not_depend_on_how_many_hits_are_asked_for(workspace: Write) -> None:
    log = "".join(
        f"## Contract with {bank} bank\n\n- since {2024 + at}\n- N-{77120 + at}\n\n"
        for at, bank in enumerate(("South", "North", "East", "West"))
    )
    with Memory(str(workspace({"MEMORY.md": "# Memory\n", DAY: f"# Day\n\n{log}"})), today=TODAY) as memory:
        told = [memory.recall("contract number of South bank", k=most).hits for most in range(1, 9)]
    whole = [(hit.line.source, hit.places) for hit in told[-1]]
    for hits in told:
        assert [(hit.line.source, hit.places) for hit in hits] == whole[: len(hits)]


def test_of_many_headings_the_first_three_come_with_what_is_below(workspace: Write) -> None:
    log = "".join(f"## Boat mast {at}\n\n- varnished {at} times\n\n" for at in range(1, 8))
    with Memory(str(workspace({"MEMORY.md": "# Memory\n", DAY: f"# Day\n\n{log}"})), today=TODAY) as memory:
        hits = memory.recall("boat mast").hits
    assert [bool(hit.beside) for hit in hits if "Boat mast" in hit.line.content] == [True] * 3 + [False] * 4
