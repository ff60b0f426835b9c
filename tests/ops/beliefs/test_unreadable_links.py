"""Which links of our pages say that a file cannot be read."""

from __future__ import annotations

import shutil
from datetime import date
from typing import TYPE_CHECKING

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write


def test_a_link_to_the_folder_of_many_entities_holds_no_page_back_once_the_index_is_gone(workspace: Write) -> None:
    facts = "".join(f"- W @Boat{at}: Lies at berth {at}.\n- W @Boat{at}: Has {at} sails.\n" for at in range(10, 90))
    root = workspace({"memory/2025-11-27.md": f"# 2025-11-27\n\n## Retain\n{facts}"})
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
    assert "others in [entities](entities)" in (root / "bank/world.md").read_text()
    shutil.rmtree(root / ".memory")
    with (root / "memory/2025-11-28.md").open("w") as log:
        log.write("# 2025-11-28\n\n## Retain\n- W @Boat10: Was sold.\n")
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        done = memory.reflect(yes=True)
        assert not done.held_back and not memory.check()
    assert "Was sold" in (root / "bank/entities/Boat10.md").read_text()
