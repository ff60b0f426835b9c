"""The list of who and what is known."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.memory import Memory
from commonplace.ops.views.lookup import KnownEntity

if TYPE_CHECKING:
    from tests.conftest import Write


def test_entities_lists_who_and_what_is_known_by_days(workspace: Write) -> None:
    files = {
        "memory/2025-11-03.md": "- @Petra met Torsten Wieland about the sloop.\n",
        "memory/2025-11-05.md": "- We saw @Petra and Torsten Wieland again.\n- Status: done\n",
        "memory/2025-11-06.md": "- @Petra said goodbye.\n- @Zoe wrote <!-- cp: src=web:example.org -->\n",
        "bank/entities/Sloop.md": "---\naliases: [the boat]\nkind: ketch\n---\n# Sloop\n",
    }
    with Memory(str(workspace(files))) as memory:
        found = memory.entities()
    days = date(2025, 11, 3), date(2025, 11, 6), date(2025, 11, 5)
    assert found == (
        KnownEntity("Petra", "person", (), None, 3, days[0], days[1]),
        KnownEntity("Torsten Wieland", None, (), None, 2, days[0], days[2]),
        KnownEntity("Sloop", "ketch", ("the boat",), "bank/entities/Sloop.md", 0, None, None),
    )
