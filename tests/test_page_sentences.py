"""The sentence at the head of a page: asked of a model, checked by its lines, shown while they hold."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from tests.chat_server import chat_server, everything, judging, remembering

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write
    from tests.embedding_server import EmbeddingServer

TODAY = date(2026, 2, 1)
LIFE = """
=== memory/2026-01-03.md
## Retain
- W @Ida: Ida is the bookkeeper of the mill. ^keeps1
- W @Ida: Lives in Bergen. ^lives1
- W @Ida: Has a boat called Tern. ^boat01
- W @Ida: Has gone to Rome. <!-- cp: src=web:example.org --> ^rome01

=== memory/2026-01-04.md
- We decided to oil the wheel of the mill every May.
"""
OSLO = "## Retain\n- W @Ida: Lives in Oslo. <!-- cp: supersedes=^lives1 --> ^lives2\n"
SENTENCE = "Ida is the bookkeeper of the mill [keeps1], and lives in Bergen [lives1]."


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with chat_server() as found:
        yield found


@pytest.fixture
def memory(workspace: Write, server: EmbeddingServer) -> Iterator[Memory]:
    with remembering(workspace(LIFE), server, today=TODAY) as found:
        yield found


def wording(text: str) -> Any:
    return judging(lambda id, asked: {"verdict": "edit", "text": text} if id.startswith("s-") else "")


def read(memory: Memory, path: str) -> str:
    with open(f"{memory.root}/{path}", encoding="utf-8") as file:
        return file.read()


def write(memory: Memory, path: str, text: str) -> None:
    with open(f"{memory.root}/{path}", "w", encoding="utf-8") as file:
        file.write(text)


PAGE = "bank/entities/Ida.md"
SHOWN = (
    "Ida is the bookkeeper of the mill ([2026-01-03](../../memory/2026-01-03.md) ^keeps1), "
    "and lives in Bergen ([2026-01-03](../../memory/2026-01-03.md) ^lives1). (by model:qwen3:8b)\n"
)


def test_a_page_that_tells_enough_gets_its_sentence(memory: Memory, server: EmbeddingServer) -> None:
    server.usual = wording(SENTENCE)
    before = everything(memory.root)
    done = memory.decide()
    told = server.asked[-1]["messages"][1]["content"]
    assert "## In one sentence" in told
    assert "  - [keeps1] 2026-01-03: “Ida is the bookkeeper of the mill.”" in told
    assert "Rome" not in told  # what outsiders say is no ground
    assert done.problems == ()
    assert SHOWN in read(memory, PAGE)
    (line,) = (each for each in read(memory, "bank/review.md").splitlines() if " ^s-" in each)
    stored = SENTENCE.replace("[", "(^").replace("]", ")")
    assert line.startswith(f"- [x] {stored} ([page](entities/Ida.md)) by=model:qwen3:8b 2026-02-01 ")
    assert memory.decide().asked == 0
    assert memory.reflect(yes=True).patches == ()
    memory.undo()
    assert everything(memory.root) == before


def test_it_stands_as_long_as_what_it_rests_on(memory: Memory, server: EmbeddingServer) -> None:
    server.usual = wording(SENTENCE)
    memory.decide()
    write(memory, "memory/2026-01-20.md", OSLO)
    memory.reflect(yes=True)
    assert "bookkeeper of the mill ([" not in read(memory, PAGE)
    server.usual = wording("Ida is the bookkeeper of the mill [keeps1], and lives in Oslo [lives2].")
    assert memory.decide().answered == 1
    assert "and lives in Oslo ([2026-01-20](../../memory/2026-01-20.md) ^lives2). (by model:qwen3:8b)" in read(
        memory, PAGE
    )
    assert read(memory, "bank/review.md").count(" ^s-") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ida is the bookkeeper of the mill.", "each clause must end"),
        ("Ida is the bookkeeper of the mill [keeps1], and rich.", "each clause must end"),
        ("Ida is the bookkeeper of the mill [keeps9].", "[keeps9] is not among"),
        ("Ida has gone to Rome [rome01].", "[rome01] is not among"),
        ("Ida is the bookkeeper of the bank of Norway [keeps1].", "Norway was not in the line"),
        ("Ida has 3 boats [boat01].", "3 was not in the line"),
        ("Ida does not live in Bergen [lives1].", "its line says the opposite"),
        ("Ida [keeps1] lives [lives1] in [boat01] the [keeps1] mill [keeps1] of [lives1].", "more than 5 clauses"),
    ],
)
def test_a_clause_that_its_lines_do_not_support_is_refused(
    memory: Memory, server: EmbeddingServer, text: str, why: str
) -> None:
    server.usual = wording(text)
    before = everything(memory.root)
    done = memory.decide()
    assert done.answered == 0
    assert any(why in each for each in done.problems), done.problems
    assert everything(memory.root) == before


def test_a_person_has_the_last_word(memory: Memory, server: EmbeddingServer) -> None:
    server.usual = wording(SENTENCE)
    memory.decide()
    (asked,) = (each.rpartition("^")[2] for each in read(memory, "bank/review.md").splitlines() if " ^s-" in each)
    memory.hear(f"{asked} edit Ida keeps the books of our mill [keeps1].")
    assert "Ida keeps the books of our mill ([2026-01-03](../../memory/2026-01-03.md) ^keeps1).\n" in read(memory, PAGE)
    assert "a person decided it" in memory.hear(f"{asked} edit {SENTENCE}", by="model:m").lines[0].problem
    memory.answer([asked], "reject")
    assert "of our mill ([" not in read(memory, PAGE)
    assert memory.decide().asked == 0


def test_a_sentence_that_somebody_deletes_from_the_page_is_not_asked_for_again(
    memory: Memory, server: EmbeddingServer
) -> None:
    server.usual = wording(SENTENCE)
    memory.decide()
    write(memory, PAGE, read(memory, PAGE).replace(SHOWN, ""))
    memory.reflect(yes=True)
    assert "(by model" not in read(memory, PAGE)
    memory.undo_model()
    assert memory.packet().pages == ()
    assert " ^s-" not in read(memory, "bank/review.md")


def test_what_models_worded_is_taken_back(memory: Memory, server: EmbeddingServer) -> None:
    server.usual = wording(SENTENCE)
    before = read(memory, PAGE)
    memory.decide()
    (asked,) = memory.undo_model().reopened
    assert read(memory, PAGE) == before
    assert [each.id for each in memory.packet().pages] == [asked]
    memory.hear(f"{asked} edit {SENTENCE}", by="model:other")
    assert SHOWN.replace("qwen3:8b", "other") in read(memory, PAGE)


def test_a_page_made_of_log_lines_has_one_too(workspace: Write, server: EmbeddingServer) -> None:
    logs = [
        f"=== memory/2026-01-{day:02}.md\n- {text}\n"
        for day, text in enumerate(
            (
                "**Kestrel**: our parts server, runs on the machine in the attic.",
                "We decided to move Kestrel to PostgreSQL 17, because the old disk fails.",
                "Kestrel now serves 40 parts a second, measured at noon.",
                "The cause of the outage of Kestrel was a full disk; fixed by log rotation.",
                "Backups of Kestrel go to the shed every night at 3.",
            ),
            4,
        )
    ]
    root = workspace("\n".join(logs))
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.packet().pages
        assert asked.name == "Kestrel"
        first = next(each for each in asked.told if "PostgreSQL" in each.text)
        said = f"We decided to move Kestrel to PostgreSQL 17 [{first.id}]."
        assert memory.hear(f"{asked.id} edit {said}", by="model:m").lines[0].problem == ""
        assert "We decided to move Kestrel to PostgreSQL 17 ([2026-01-05]" in read(memory, "bank/entities/Kestrel.md")
