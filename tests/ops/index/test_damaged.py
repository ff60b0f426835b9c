"""Pages that are damaged or cannot be told: left as they are to the byte, with the reason; the rest is renewed."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.core.opinions.opinion_entry import entries
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Write

    from commonplace.core.opinions.opinion_entry import Entry

LIFE = """
=== MEMORY.md
# Core

=== memory/2026-01-14.md
## Retain
- W @Rolf: Rolf is the carpenter. ^rolf
- W @Rolf: Lives in Bergen. ^bergen
- O(c=0.9) @Rolf: Likes oak. ^oak
"""
ROLF, OPINIONS, REVIEW, WORLD = "bank/entities/Rolf.md", "bank/opinions.md", "bank/review.md", "bank/world.md"


@pytest.fixture
def memory(workspace: Write) -> Memory:
    made = Memory(str(workspace(LIFE)), today=date(2026, 2, 1))
    made.reflect()
    return made


def page(memory: Memory, path: str) -> Path:
    return Path(memory.root, path)


def more(memory: Memory) -> None:
    with open(page(memory, "memory/2026-01-20.md"), "a", encoding="utf-8") as file:
        file.write(
            "## Retain\n- W @Rolf: Owns a saw. ^saw\n- W: It rained. ^rain\n- O(c=0.9) @Rolf: Likes oak. ^oak2\n"
        )


def conflict(text: str) -> str:
    """Both sides of a line, as a merge leaves them; inside our region where there is one."""
    line = next(each for each in text.split("\n") if each.startswith("- "))
    return text.replace(line, f"<<<<<<< HEAD\n{line}\n=======\n- Another.\n>>>>>>> theirs", 1)


def twice(text: str) -> str:
    return f"{text}\n{text[text.index('<!-- commonplace') :]}"


def misspelt(text: str) -> str:
    """A name in the first marker that is none of ours."""
    return text.replace("<!-- commonplace: ", "<!-- commonplace: my-", 1)


def without(marker: str) -> Callable[[str], str]:
    return lambda text: "".join(line for line in text.splitlines(keepends=True) if not line.startswith(marker))


DAMAGE: dict[str, tuple[Callable[[str], str], str]] = {
    "conflict markers": (conflict, "merge conflict markers"),
    "a region twice": (twice, "two regions have the same name"),
    "no first marker": (without("<!-- commonplace"), "an end marker has no start marker"),
    "no last marker": (without("<!-- /commonplace"), "the end marker of the region "),
    "a name misspelt": (misspelt, "its region is named my-"),
}


@pytest.mark.parametrize("damaged", [ROLF, OPINIONS, WORLD])
@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_page_is_left_alone_with_the_reason_and_the_rest_goes_on(
    memory: Memory, damaged: str, how: str
) -> None:
    damage, reason = DAMAGE[how]
    whole = page(memory, damaged).read_text(encoding="utf-8")
    broken = damage(whole)
    assert broken != whole
    page(memory, damaged).write_text(broken, encoding="utf-8")
    more(memory)
    done = memory.reflect()
    assert page(memory, damaged).read_text(encoding="utf-8") == broken
    assert done.waits == (damaged,)
    (note,) = done.notes
    assert note.startswith(f"not changed: {damaged}: {reason}")
    assert f"- {damaged}: {reason}" in page(memory, REVIEW).read_text(encoding="utf-8")
    (problem,) = memory.check()
    assert problem.source.path == damaged
    assert (problem.code, problem.message[: len(reason)]) in (("bad-marker", reason), ("merge-conflict", reason))
    shown = broken.split("\n")[problem.source.line - 1]
    assert shown.lstrip("</!- ").startswith(("commonplace", "HEAD"))
    others = {ROLF, OPINIONS, WORLD, REVIEW} - {damaged}
    assert {patch.path for patch in done.patches} >= others
    assert memory.reflect().patches == ()
    page(memory, damaged).write_text(whole, encoding="utf-8")
    mended = memory.reflect()
    assert {patch.path for patch in mended.patches} >= {damaged, REVIEW}
    assert (mended.waits, mended.notes, memory.check()) == ((), (), ())


def test_a_damaged_review_page_takes_no_decision_and_loses_none(memory: Memory) -> None:
    with open(page(memory, "memory/2026-01-14.md"), "a", encoding="utf-8") as file:
        file.write("\n## Notes\n- We decided to buy a lamp for the hall.\n")
    memory.reflect()
    ticked = page(memory, REVIEW).read_text(encoding="utf-8").replace("- [ ] W", "- [x] W")
    broken = twice(ticked)
    page(memory, REVIEW).write_text(broken, encoding="utf-8")
    done = memory.reflect()
    assert done.waits == (REVIEW,)
    assert page(memory, REVIEW).read_text(encoding="utf-8") == broken
    page(memory, REVIEW).write_text(ticked, encoding="utf-8")
    memory.reflect()
    logs = "".join(each.read_text(encoding="utf-8") for each in page(memory, "memory").glob("*.md"))
    assert logs.count("lamp for the hall") == 2  # the line, and the fact


def held(memory: Memory) -> Entry:
    (entry,) = entries(OPINIONS, page(memory, OPINIONS).read_text(encoding="utf-8"))
    return entry


def test_evidence_whose_fact_is_gone_weighs_nothing_and_says_so(memory: Memory) -> None:
    more(memory)
    memory.reflect()
    assert held(memory).confidence == 0.91
    log = page(memory, "memory/2026-01-20.md")
    log.write_text(log.read_text().replace("- O(c=0.9) @Rolf: Likes oak. ^oak2\n", ""))
    done = memory.reflect()
    assert "0.91 → 0.90" in done.summary
    assert "\n  - gone: for, 0.90: [2026-01-20]" in page(memory, OPINIONS).read_text(encoding="utf-8")
    assert [(mark.fact_id, mark.gone) for mark in held(memory).marks] == [("oak", False), ("oak2", True)]
    assert memory.reflect().patches == ()
    with open(log, "a", encoding="utf-8") as file:
        file.write("- O(c=0.9) @Rolf: Likes oak. ^oak2\n")
    memory.reflect()
    assert held(memory).confidence == 0.91
    assert "gone" not in page(memory, OPINIONS).read_text(encoding="utf-8")


def test_evidence_with_an_id_that_a_person_made_up_weighs_nothing(memory: Memory) -> None:
    text = page(memory, OPINIONS).read_text(encoding="utf-8")
    made_up = "  - against, 1.00: [2026-01-15](../memory/2026-01-15.md) ^nowhere\n<!-- /commonplace"
    page(memory, OPINIONS).write_text(text.replace("<!-- /commonplace", made_up), encoding="utf-8")
    memory.reflect()
    assert held(memory).confidence == 0.9
    assert "\n  - against, 1.00: [2026-01-15]" in page(memory, OPINIONS).read_text(encoding="utf-8")  # as they typed it
    assert memory.reflect().patches == ()
    assert [each.what for each in memory.log().log if "→" in each.what] == []


def test_two_pages_of_one_entity_are_both_left_alone(memory: Memory) -> None:
    folder = page(memory, "bank/entities")
    (folder / "Rolf-Berg.md").write_text("---\naliases: [Rolf]\n---\n# Rolf Berg\n\nMine.\n", encoding="utf-8")
    (folder / "ROLF.md").write_text("# ROLF\n\nOlder.\n", encoding="utf-8")
    if len(os.listdir(folder)) < 3:  # a file system where case does not count has one file for both
        (folder / "ROLF.md").write_text("", encoding="utf-8")
        return
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    more(memory)
    done = memory.reflect()
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    assert {"bank/entities/ROLF.md", ROLF} <= set(done.waits)
    assert memory.reflect().patches == ()
    os.unlink(folder / "ROLF.md")
    os.unlink(folder / "Rolf-Berg.md")
    assert "Owns a saw." not in page(memory, ROLF).read_text(encoding="utf-8")
    memory.reflect()
    assert "Owns a saw." in page(memory, ROLF).read_text(encoding="utf-8")
