"""A value that is asked for stands below a heading with what it is of, and its own line has no word of the question."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

BUSY = "\n".join(f"- {{word}} {number} was fine on that day" for number in range(40))
"""Lines with the word of the question and nothing else."""


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("what is the address of the printer?", "Printer", "HP, 192.168.1.7"),
        ("what does the greenhouse cost?", "Greenhouse", "Deposit 40, in all €420"),
        ("hvad er adressen på printeren?", "Printeren", "HP, 192.168.1.7"),
        ("打印机的地址是什么？", "打印机", "HP 192.168.1.7"),
        ("印表機的網址是什麼？", "印表機", "HP 192.168.1.7"),
        ("プリンターのアドレスは？", "プリンター", "HP 192.168.1.7"),
        ("प्रिंटर का पता क्या है?", "प्रिंटर", "HP 192.168.1.7"),
        ("какой адрес у принтера?", "Принтер", "HP 192.168.1.7"),
    ],
)
def test_a_value_below_a_title_is_found(workspace: Write, question: str, title: str, value: str) -> None:
    notes = f"# Home\n\n## {title}\n\n- Upstairs\n- {value}\n\n## Garden\n\n- Pump 10.0.0.9, €30\n"
    log = f"# Log\n\n{BUSY.format(word=title)}\n"
    files = {"MEMORY.md": notes, "memory/2025-11-03.md": log}
    with Memory(str(workspace(files)), today=date(2025, 12, 1)) as memory:
        hits = memory.recall(question, k=5).hits
    assert any(value in part.line.content for hit in hits for part in (hit, *hit.beside))
