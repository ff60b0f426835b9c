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
    assert all(hit.fact.source.path == "memory/2025-11-10.md" for hit in hits)


def test_what_people_wrote_without_a_day_is_known_at_any_time(memory: Memory) -> None:
    path = Path(memory.workspace.root, "bank/entities/Peter.md")
    path.write_text(path.read_text() + "\nCall him on Sundays only.\n")
    assert memory.recall("house rule", as_of="2020-01-01").hits
    (call,) = memory.recall("call on Sundays", as_of="2020-01-01").hits
    assert call.fact.content == "Call him on Sundays only."


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
