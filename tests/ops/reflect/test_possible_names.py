"""*Who or what?*: names that the logs use too little are asked about, and tag nothing until then."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 3, 20)
LOGS = (
    "=== memory/2026-03-02.md\n- We drove the crane to Montold before noon.\n- Took the accuracy of the scale.\n"
    "=== memory/2026-03-05.md\n- Montold wants the crane back.\n- Nobody reads the Accuracy of it.\n"
    "=== memory/2026-03-06.md\n- Accuracy is fine.\n- Weather: the roof leaks.\n"
    "=== memory/2026-03-09.md\n- Montold paid for the crane, by transfer.\n"
)
"""Montold stands once within a sentence; Accuracy too, and without a capital elsewhere."""


@pytest.fixture
def memory(workspace: Write) -> Memory:
    found = Memory(str(workspace(LOGS)), today=TODAY)
    found.reflect()
    return found


def page(memory: Memory) -> str:
    return (Path(memory.root) / "bank/review.md").read_text(encoding="utf-8")


def tick(memory: Memory, before: str, after: str) -> None:
    text = page(memory)
    assert text.count(before) == 1
    (Path(memory.root) / "bank/review.md").write_text(text.replace(before, after), encoding="utf-8")


def test_a_name_of_several_days_is_asked_about_and_tags_nothing(memory: Memory) -> None:
    assert [each.text for each in memory.review().names] == ["Montold is a name"]
    assert "## Who or what?\n- [ ] Montold is a name ([2026-03-09](../memory/2026-03-09.md), on 3 days) ^e-" in page(
        memory
    )
    assert not memory.reflect().applied
    assert [each.name for each in memory.entities()] == []


@pytest.mark.parametrize("name", ["Oregon", "Python", "TASK-B2.1", "Garden Market", "Montold"])
def test_nobody_is_asked_about_what_everybody_knows_a_numbered_item_or_ordinary_words(
    workspace: Write, name: str
) -> None:
    first = f"=== memory/2026-03-02.md\n- We drove the crane to {name} before noon.\n"
    logs = f"{first}=== memory/2026-03-05.md\n- {name} is late.\n"
    found = Memory(str(workspace(logs)), today=TODAY)
    found.reflect()
    assert [each.text for each in found.review().names] == [f"{name} is a name"] * (name == "Montold")


@pytest.mark.parametrize(
    ("last", "asked"), [("Painted Mission Brovin again with oil", []), ("met Brovin", ["Brovin is a name"])]
)
def test_nobody_is_asked_about_what_is_only_a_part_of_a_known_name(
    workspace: Write, last: str, asked: list[str]
) -> None:
    said = ("the Mission Brovin is late", "we paid the Mission Brovin", last)
    logs = "".join(
        f"=== memory/2026-03-0{day}.md\n- {text}\n- Mission Brovin is dry\n" for day, text in enumerate(said, 2)
    )
    found = Memory(str(workspace(logs)), today=TODAY)
    found.reflect()
    assert [each.text for each in found.review().names] == asked


@pytest.mark.parametrize(("name", "asked"), [("Рольфа", []), ("Ольгерда", ["Ольгерда is a name"])])
def test_nobody_is_asked_about_a_case_of_a_known_name(workspace: Write, name: str, asked: list[str]) -> None:
    logs = f"=== memory/2026-03-02.md\n- мы везли кран для {name} утром\n=== memory/2026-03-05.md\n- {name} нет.\n"
    found = Memory(str(workspace(f"=== USER.md\n- **Имя:** Рольф\n{logs}")), today=TODAY)
    found.reflect()
    assert [each.text for each in found.review().names] == asked


def test_a_ticked_name_gets_a_page_with_its_kind(memory: Memory) -> None:
    tick(memory, "- [ ] Montold is a name", "- [x] Montold is an investor")
    done = memory.reflect()
    assert "page made: bank/entities/Montold.md" in done.notes
    made = Path(memory.root) / "bank/entities/Montold.md"
    assert made.read_text(encoding="utf-8").startswith("---\nkind: investor\n---\n\n# Montold\n")
    (known,) = memory.entities()
    assert (known.name, known.kind, known.days) == ("Montold", "investor", 3)
    assert "- [x] Montold is an investor" in page(memory).split("## Decided")[1]
    assert memory.review().names == ()
    assert not memory.reflect().applied


def test_the_same_is_so_without_the_index(memory: Memory) -> None:
    (asked,) = memory.review().names
    assert memory.answer([asked.id], "accept").answers[0].outcome == "done"
    shutil.rmtree(Path(memory.root) / ".memory")
    again = Memory(memory.root, today=TODAY)
    assert not again.reflect().applied
    assert [each.name for each in again.entities()] == ["Montold"]


def test_a_rejected_or_deleted_name_is_not_asked_again(memory: Memory) -> None:
    (asked,) = memory.review().names
    assert memory.answer([asked.id], "reject").answers[0].outcome == "done"
    assert memory.review().names == ()
    assert not memory.reflect().applied
    assert not (Path(memory.root) / "bank/entities").exists()


def test_another_name_waits_and_says_so(memory: Memory) -> None:
    (asked,) = memory.review().names
    done = memory.answer([asked.id], "accept", text="Mountain is a project")
    assert done.answers[0].outcome == "waits"
    assert any(note.startswith("no page: Mountain is a project") for note in done.notes)
    assert not (Path(memory.root) / "bank/entities").exists()


def test_a_name_with_a_page_is_not_asked_about(memory: Memory) -> None:
    made = Path(memory.root) / "bank/entities/Montold.md"
    made.parent.mkdir(parents=True)
    made.write_text("# Montold\n\nMine.\n", encoding="utf-8")
    tick(memory, "- [ ] Montold is a name", "- [x] Montold is a name")
    memory.reflect()
    assert memory.review().names == ()
    assert made.read_text(encoding="utf-8") == "# Montold\n\nMine.\n"


def test_a_model_may_answer(memory: Memory) -> None:
    (asked,) = memory.review().names
    assert (
        f"- {asked.id}: “Montold is a name” (on 3 days, last 2026-03-09, memory/2026-03-09.md)" in memory.packet().text
    )
    heard = memory.hear(f"{asked.id} edit Montold is a place\n")
    assert heard.answered is not None
    assert heard.answered.answers[0].outcome == "done"
    assert memory.entities()[0].kind == "place"


def test_undo_says_that_the_page_stays_and_removes_it_next(memory: Memory) -> None:
    (asked,) = memory.review().names
    memory.answer([asked.id], "accept")
    undone = {each.path: each.outcome for each in memory.undo()}
    assert undone["bank/review.md"] == f"restored; ^{asked.id} keeps its page: --undo again removes it"
    memory.undo()
    assert not (Path(memory.root) / "bank/entities/Montold.md").exists()
