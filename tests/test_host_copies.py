"""What a host dreams is found where nothing else answers, and is indexed the same in parts and at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

START, END = "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->"
LOG = "memory/2026-04-01.md"


def opened(workspace: Write, files: dict[str, str]) -> Memory:
    return Memory(str(workspace(files)))


def found(memory: Memory, question: str) -> list[str]:
    return [hit.line.content for hit in memory.recall(question).hits]


def test_a_copied_line_is_found_only_where_nothing_else_answers(workspace: Write) -> None:
    region = f"{START}\n- Candidate: the harbour opens in May, said Quibnor\n{END}\n"
    promoted = "<!-- openclaw-memory-promotion:memory:x -->\n- the lighthouse is Ebbe's\n"
    memory = opened(workspace, {LOG: f"# Log\n\n- quiet rain\n\n{region}", "MEMORY.md": f"# Core\n\n{promoted}"})
    assert found(memory, "Quibnor") == ["Candidate: the harbour opens in May, said Quibnor"]
    assert found(memory, "lighthouse") == ["the lighthouse is Ebbe's"]
    memory = opened(workspace, {"memory/2026-04-02.md": "# Log\n\n- the harbour opens in June\n"})
    assert found(memory, "when does the harbour open?") == ["the harbour opens in June"]


def test_a_page_is_found_when_its_log_is_gone(workspace: Write) -> None:
    memory = opened(workspace, {LOG: "## Retain\n- W @Quibnor: lives in Vardø. ^q1\n- W @Quibnor: mends clocks. ^q2\n"})
    memory.reflect()
    memory = opened(workspace, {LOG: "# Log\n\n- quiet rain\n"})
    assert any("Vardø" in text for text in found(memory, "Vardø"))


def test_a_fact_in_a_region_is_a_fact_and_can_be_forgotten(workspace: Write) -> None:
    memory = opened(workspace, {LOG: f"# Log\n\n{START}\n- W @Anna: works at Nordwind. ^k7f3qb\n{END}\n"})
    assert memory.show("k7f3qb").line.recorded is not None
    memory.forget("k7f3qb")
    assert "Nordwind" not in Path(memory.root, LOG).read_text(encoding="utf-8")


def test_a_large_log_that_loses_the_mark_of_a_region_is_as_if_indexed_at_once(workspace: Write) -> None:
    def text(mark: str) -> str:
        before, after = (f"- line {at} of the log\n" for at in range(1023)), (f"- row {at}\n" for at in range(1577))
        return f"# Log\n\n{''.join(before)}{mark}{''.join(after)}{END}\n"

    memory = opened(workspace, {LOG: text(f"{START}\n")})
    memory.index()
    memory = opened(workspace, {LOG: text("")})
    memory.index()
    kept = memory.status().lines
    memory.index(rebuild=True)
    assert memory.status().lines == kept


def test_a_note_that_nowhere_says_its_own_name_gets_along(workspace: Write) -> None:
    lines = "".join(f"- The shop of the bakery sells bread number {at}\n" for at in range(5))
    files = {"memory/projects/Kestrel.md": lines, "memory/people/Zorblax.md": "- Baker in Lund\n  - tall\n"}
    memory = opened(workspace, files)
    memory.reflect()
    assert memory.entity("Zorblax").name == "Zorblax"
