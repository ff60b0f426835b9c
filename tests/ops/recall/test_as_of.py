"""As of a day: what was recorded by then, what people wrote without a day, and nothing of our own pages."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

FILES = """\
=== MEMORY.md
# Core

- The house rule is no meetings before ten.
=== bank/held.md
| Opinion | Confidence | Evidence | Updated |
|---|---|---|---|
| Rye bread keeps best in linen | 0.8 | tried it | 2026-01-20 |
| Starters want warm water | 0.7 | tried it | 2025-10-02 |
=== memory/2025-11-10.md
## Retain
- O(c=0.9) @Peter: Prefers concise replies on WhatsApp.
- W @Peter: Lives in Oslo.
=== memory/2026-01-14.md
## Retain
- W @Peter: Moved to Rome.
- O(c=0.8) @Peter: Prefers long replies on WhatsApp.
- O(c=0.8) @Peter: Likes trams.
- S @Peter: Became a baker.
- B @Peter: I sent him the oven manual.
- B @Peter: I mended the oven.
"""


@pytest.fixture
def memory(workspace: Write) -> Memory:
    found = Memory(str(workspace(FILES)), today=date(2026, 3, 1))
    found.reflect(yes=True)
    return found


@pytest.mark.parametrize(
    "question",
    ["Rome", "baker", "trams", "oven manual", "long replies", "last_updated", "Peter", "what does Peter like?"],
)
@pytest.mark.parametrize("kinds", [[], ["opinion"]])
def test_our_own_pages_know_the_future(memory: Memory, question: str, kinds: list[str]) -> None:
    hits = memory.recall(question, as_of="2025-12-01", kinds=kinds).hits
    assert all(hit.line.source.path == "memory/2025-11-10.md" for hit in hits)


def test_what_people_wrote_without_a_day_is_known_at_any_time(memory: Memory) -> None:
    path = Path(memory.workspace.root, "bank/entities/Peter.md")
    path.write_text(path.read_text() + "\nCall him on Sundays only.\n")
    assert memory.recall("house rule", as_of="2020-01-01").hits
    (call,) = memory.recall("call on Sundays", as_of="2020-01-01").hits
    assert call.line.content == "Call him on Sundays only."


def test_an_opinion_kept_by_hand_is_known_from_its_own_day(memory: Memory) -> None:
    assert memory.recall("rye bread in linen", as_of="2026-02-01").hits
    assert not memory.recall("rye bread in linen", as_of="2025-12-01").hits
    assert memory.recall("starters want warm water", as_of="2025-12-01").hits


def test_opinions_as_they_were_held(memory: Memory) -> None:
    then = memory.opinions(as_of="2025-12-01")
    assert [opinion.statement for opinion in then] == [
        "Prefers concise replies on WhatsApp.",
        "Starters want warm water",
    ]
    assert then[0].confidence == 0.9
    assert not then[0].disputed_by


TOUCHES = [
    ("bank/opinions.md", "O(c=0.80) @Peter: Likes trams.", "O(c=0.60) @Peter: Likes trams."),
    ("bank/opinions.md", "Likes trams. ^", "Likes trams a lot. ^"),
    ("bank/entities/Peter.md", "Became a baker.", "Became a proud baker."),
    ("bank/entities/Peter.md", "I mended the oven. ([log]", "I mended the big oven. ([log]"),
    ("bank/entities/Peter.md", "8 facts from 2025-11-10 to 2026-01-14.", "Eight facts, Rome is his home."),
    ("bank/world.md", "Moved to Rome.", "Moved to Rome for good."),
    ("bank/experience.md", "I mended the oven.", "I mended the oven well."),
]


@pytest.mark.parametrize("moved", [False, True], ids=["in place", "moved out"])
@pytest.mark.parametrize(("page", "ours", "typed"), TOUCHES)
@pytest.mark.parametrize("question", ["Rome", "baker", "trams", "oven", "Peter", ""])
def test_what_people_changed_of_our_lines_still_knows_the_future(
    memory: Memory, question: str, page: str, ours: str, typed: str, *, moved: bool
) -> None:
    path = Path(memory.workspace.root, page)
    text = path.read_text()
    assert ours in text
    line = next(line for line in text.splitlines() if ours in line)
    if moved and "](" not in line and "^o-" not in line:
        return  # nothing in such a line says that it was ours
    touched = line.replace(ours, typed)
    text = text.replace(line + "\n", "", 1) + f"\n{touched}\n" if moved else text.replace(line, touched, 1)
    path.write_text(text)
    hits = memory.recall(question, as_of="2025-12-01", k=50, since=None if question else "1900-01-01").hits
    assert all(hit.line.source.path == "memory/2025-11-10.md" or hit.line.recorded is None for hit in hits)
    assert not any(typed.split(".", maxsplit=1)[0] in hit.line.content for hit in hits)
    assert not any(hit.line.source.path == page for hit in hits)


def test_a_ticked_proposal_still_knows_the_future(workspace: Write) -> None:
    day = "# 2026-01-14\n\nWe decided to move the bakery from Aarhus to Rome because of the light.\n"
    with Memory(str(workspace({"memory/2026-01-14.md": day})), today=date(2026, 3, 1)) as memory:
        memory.reflect(yes=True)
        path = Path(memory.workspace.root, "bank/review.md")
        assert "- [ ]" in path.read_text()
        path.write_text(path.read_text().replace("- [ ]", "- [x]"))
        assert not memory.recall("bakery Rome", as_of="2026-01-13").hits
