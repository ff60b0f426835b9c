"""Entities that may be one: asked in the review page, merged only where a person says so, and never asked twice."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.store.sqlite import Index
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.conftest import Write

    from commonplace.store.sqlite.narrative_queries import ToldLine

TODAY = date(2026, 2, 1)
REVIEW = "bank/review.md"
TWO = """
=== memory/2026-01-02.md
## Retain
- W @Peter-Hansen: Lives in Ribe. ^ribe1
- W @Peter-Hansen: Works at the harbour. ^work1
- W @Peter: Owns a red van. ^van01
- W @Mona: Pete is Peter. ^pete1
=== memory/2026-01-03.md
- Slept late.

## Retain
- W @TheCastle: Has a new roof. ^roof1
- W @The-Castle: Stands in Ribe. ^stan1
- W @The-Castle: Opens in May. ^open1
- W @server-1: Runs the shop. ^srv01
- W @server-2: Runs the mail. ^srv02
"""


@pytest.fixture
def memory(workspace: Write) -> Memory:
    found = Memory(str(workspace(TWO)), today=TODAY)
    assert found.reflect().applied
    return found


def page(memory: Memory) -> str:
    return (Path(memory.root) / REVIEW).read_text()


def asked(memory: Memory) -> dict[str, str]:
    return {each.text: each.id for each in memory.review().same}


def tick(memory: Memory, text: str, box: str) -> None:
    path = Path(memory.root) / REVIEW
    before = path.read_text()
    assert before.count(f"- [ ] {text}") == 1
    path.write_text(before.replace(f"- [ ] {text}", f"- [{box}] {text}"))


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*.md") if ".commonplace" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def test_what_looks_alike_is_asked_and_merged_by_nobody(memory: Memory) -> None:
    assert list(asked(memory)) == ["TheCastle is The Castle", "Peter is Peter Hansen"]
    told = page(memory)
    assert "## Same entity?\n" in told
    assert (
        f"- [ ] Peter is Peter Hansen (the only one of that first name) ^{asked(memory)['Peter is Peter Hansen']}"
        in told
    )
    assert not memory.reflect().applied
    assert memory.entity("Peter").name == "Peter"


def test_a_ticked_box_merges_by_the_next_reflect_and_once(memory: Memory) -> None:
    tick(memory, "Peter is Peter Hansen", "x")
    tick(memory, "TheCastle is The Castle", "x")
    done = memory.reflect()
    assert {"merged: Peter into Peter Hansen", "merged: TheCastle into The Castle"} <= set(done.notes)
    assert {fact.id for fact in memory.entity("Peter").facts} == {"ribe1", "work1", "van01"}
    assert memory.entity("TheCastle").name.replace("-", " ") == "The Castle"
    assert page(memory).split("## Decided")[1].count("- [x] ") == 2
    assert asked(memory) == {}
    before = files(Path(memory.root))
    assert not memory.reflect().applied
    shutil.rmtree(Path(memory.root) / ".commonplace", ignore_errors=True)
    again = Memory(memory.root, today=TODAY)
    again.index(rebuild=True)
    assert not again.reflect().applied
    assert files(Path(memory.root)) == before


def test_a_person_may_turn_the_question_round(memory: Memory) -> None:
    id = asked(memory)["Peter is Peter Hansen"]
    memory.answer([id], "accept", text="Peter-Hansen is Peter")
    assert (Path(memory.root) / "bank/entities/Peter.md").exists()
    assert memory.entity("Peter Hansen").name == "Peter"


def test_other_names_than_those_asked_about_wait_and_say_so(memory: Memory) -> None:
    id = asked(memory)["Peter is Peter Hansen"]
    done = memory.answer([id], "accept", text="Mona is Peter")
    assert done.answers[0].outcome == "waits"
    assert any(note.startswith("not merged: Mona is Peter") for note in done.notes)
    assert memory.entity("Mona").name == "Mona"


def test_a_rejection_is_remembered_without_the_index(memory: Memory) -> None:
    id = asked(memory)["Peter is Peter Hansen"]
    assert memory.answer([id], "reject").answers[0].outcome == "done"
    assert f"^{id}" in page(memory).split("## Decided")[1]
    tick(memory, "TheCastle is The Castle", "-")
    memory.reflect()
    again = Memory(memory.root, today=TODAY)
    again.index(rebuild=True)
    assert not again.reflect().applied
    assert not again.review().same
    assert again.entity("Peter").name == "Peter"


def test_a_deleted_line_counts_as_rejected(memory: Memory) -> None:
    path = Path(memory.root) / REVIEW
    path.write_text("".join(line for line in path.read_text().splitlines(True) if "Peter is Peter Hansen" not in line))
    memory.reflect()
    assert list(asked(memory)) == ["TheCastle is The Castle"]


def test_answers_come_from_a_list_and_the_packet_asks(memory: Memory) -> None:
    id = asked(memory)["TheCastle is The Castle"]
    told = memory.packet(budget=4000)
    assert f"- {id}: “TheCastle is The Castle” (spelled alike)" in told.text
    heard = memory.hear(f"{id} accept\n")
    assert heard.answered is not None
    assert heard.answered.answers[0].outcome == "done"
    assert len(memory.entity("The Castle").facts) == 3


def test_a_log_line_says_it_with_a_link(workspace: Write) -> None:
    log = (
        "=== memory/2026-01-04.md\n- Bobby is an alias of Peter-Hansen.\n\n## Retain\n- W @Bobby: Has a boat. ^boat1\n"
    )
    found = Memory(str(workspace(TWO + log)), today=TODAY)
    found.reflect()
    line = next(line for line in page(found).split("\n") if "Bobby is Peter Hansen" in line)
    assert "(said, [2026-01-04](../memory/2026-01-04.md)) ^a-" in line
    tick(found, "Bobby is Peter Hansen", "x")
    assert "merged: Bobby into Peter Hansen" in found.reflect().notes


def test_ten_stand_on_the_page_and_the_rest_waits(workspace: Write) -> None:
    lines = "".join(f"- W @Red-Lamp{n}: Is red.\n- W @RedLamp{n}: Is lit.\n" for n in range(13))
    found = Memory(str(workspace(f"=== memory/2026-01-02.md\n## Retain\n{lines}")), today=TODAY)
    found.reflect()
    assert page(found).count(" ^a-") == 10
    assert "- 3 more wait behind these" in page(found)
    assert len(found.review().same) == 13


def test_names_on_two_pages_are_not_asked_about(workspace: Write) -> None:
    pages = (
        "=== bank/entities/Peter.md\n# Peter\n"
        "=== bank/entities/Peter-Hansen.md\n---\naliases: [Peter]\n---\n# Peter Hansen\n"
    )
    found = Memory(str(workspace(TWO + pages)), today=TODAY)
    assert list(asked(found)) == ["TheCastle is The Castle"]


def test_two_without_a_page_get_one_that_is_renewed(workspace: Write) -> None:
    text = "=== memory/2026-01-02.md\n## Retain\n- W @Red-Lamp: Is red. ^red01\n- W @RedLamp: Is lit. ^lit01\n"
    found = Memory(str(workspace(text + "- W @Rolf: Is here.\n- W @Rolf: Is tall.\n")), today=TODAY)
    found.reflect()
    (id,) = asked(found).values()
    done = found.answer([id], "accept")
    assert done.answers[0].outcome == "done"
    (merged,) = (path for path in (Path(found.root) / "bank/entities").iterdir() if "Lamp" in path.name)
    assert "Is lit." in merged.read_text()
    assert not found.reflect().waits


TOLD = {
    f"memory/2026-01-{day:02}.md": f"# Log\n\n- {log}\n"
    for day, log in enumerate(
        [
            "李明决定去汉堡，因为船坏了。",
            "We deployed {} with a new cache, because sailors wait",
            "李明把报告交给了港口。",
        ]
        * 3,
        1,
    )
}


def introduced(value: str, other: str, workspace: Write, **also: str) -> Memory:
    """A workspace whose USER.md introduces somebody so, after a reflect; `also`: further files by name."""
    files = {path: text.replace("{}", other) for path, text in TOLD.items()}
    files |= {f"{name}.md": text for name, text in also.items()}
    found = Memory(str(workspace({"USER.md": f"# User\n\n- 姓名：{value}\n- 工作：船厂\n"} | files)), today=TODAY)
    found.reflect(yes=True)
    return found


def entity_pages(memory: Memory) -> list[Path]:
    return [*(Path(memory.root) / "bank" / "entities").glob("*.md")]


def names_on(memory: Memory, stem: str) -> str:
    return (Path(memory.root) / "bank" / "entities" / f"{stem}.md").read_text(encoding="utf-8").partition("<!--")[0]


@pytest.mark.parametrize("value", ["李明，Kvikmar", "李明 - Kvikmar", "李明；Kvikmar"])
def test_what_stands_behind_a_name_is_no_other_name_of_it(value: str, workspace: Write) -> None:
    memory = introduced(value, "Kvikmar", workspace)
    assert asked(memory) == {}
    assert names_on(memory, "李明") == "# 李明\n\n"
    told = {path.stem: "工作：船厂" in path.read_text(encoding="utf-8") for path in entity_pages(memory)}
    assert told.pop("李明")
    assert not any(told.values())


def test_a_person_is_asked_whether_a_name_in_brackets_is_the_same(workspace: Write) -> None:
    memory = introduced("李明 (Kvikmar)", "Kvikmar", workspace)
    assert names_on(memory, "李明") == "# 李明\n\n"
    (text,) = asked(memory)
    tick(memory, text, "x")
    memory.reflect()
    assert asked(memory) == {}
    (page,) = entity_pages(memory)
    assert {"李明", "Kvikmar"} == {page.stem, *page.read_text(encoding="utf-8").split("aliases: [")[1].split("]")[:1]}


def test_a_name_of_somebody_in_another_script_needs_no_question(workspace: Write) -> None:
    memory = introduced("李明 (Wei Ming)", "Kvikmar", workspace)
    assert asked(memory) == {}
    assert "aliases: [Wei Ming]" in names_on(memory, "李明")
    before = files(Path(memory.root))
    memory.reflect(yes=True)
    assert files(Path(memory.root)) == before


@pytest.mark.parametrize(
    "also",
    [
        {"MEMORY": "# Memory\n\n## Projects\n\n- **Wei Ming**: a site\n"},
        {"memory/projects/wei-ming": "# Wei Ming\n\n- a site\n"},
        {"memory/2026-01-20": "# Log\n\n- We flew to Wei Ming, near the coast\n"},
        {"memory/2026-01-20": "# Log\n\n- The Wei Ming repo has a new build\n"},
    ],
)
def test_a_name_that_is_used_for_something_else_is_asked_about(also: dict[str, str], workspace: Write) -> None:
    memory = introduced("李明 (Wei Ming)", "Kvikmar", workspace, **also)
    assert len(asked(memory)) == 1
    assert names_on(memory, "李明") == "# 李明\n\n"


COMPANY = {
    f"memory/2026-01-{day:02}.md": f"# Log\n\n- {log}\n"
    for day, log in enumerate(
        [
            "We sent the plans to Harbour Quill because the pier leaks",
            "The bill of Harbour Quill Ltd is paid because it was due",
            "We got new plans from Harbour Quill, because the pier moved",
        ]
        * 3,
        1,
    )
}


@pytest.mark.parametrize(
    ("told", "joined"),
    [
        ({}, True),
        ({"MEMORY.md": "# Memory\n\n## People\n\n- **Harbour Quill**: mends nets\n"}, False),
        ({"memory/people/harbour-quill.md": "# Harbour Quill\n\n- mends nets\n"}, False),
        ({"memory/2026-01-20.md": "# Log\n\n- Harbour Quill said no\n- Harbour Quill thinks so\n"}, False),
        ({"bank/entities/Harbour-Quill.md": "---\nkind: person\n---\n# Harbour Quill\n"}, False),
        ({"bank/entities/Harbour-Quill.md": "---\naliases: [Harbour Quill Ltd]\n---\n# Harbour Quill\n"}, True),
    ],
)
def test_a_company_is_not_whom_a_file_lists_or_lines_tell_of(
    told: dict[str, str], joined: bool, workspace: Write
) -> None:
    root = workspace(COMPANY | told)
    with Memory(str(root), today=TODAY) as memory:
        memory.index()
    index = Index(str(root / ".memory" / "index.sqlite"))
    got = gather(index, FileTexts(Workspace(str(root))), today=TODAY)
    index.close()
    assert (got.canonical("harbour quill ltd") == got.canonical("harbour quill")) == joined


@pytest.mark.parametrize("companies", [1, 4])
def test_the_lists_are_read_once_for_all_companies(
    companies: int, workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["Harbour", "Meadow", "Willow", "Copper"][:companies]
    told = {path: "".join(text.replace("Harbour", name) for name in names) for path, text in COMPANY.items()}
    root = workspace(told | {"MEMORY.md": "# Memory\n\n## People\n\n- **Nora**: mends nets\n"})
    with Memory(str(root), today=TODAY) as memory:
        memory.index()
    read: list[str] = []
    told_lines = Index.told_lines

    def noted(self: Index, paths: Iterable[str]) -> Iterator[ToldLine]:
        read.extend(paths := list(paths))
        return told_lines(self, paths)

    monkeypatch.setattr(Index, "told_lines", noted)
    index = Index(str(root / ".memory" / "index.sqlite"))
    got = gather(index, FileTexts(Workspace(str(root))), today=TODAY)
    index.close()
    for name in names:
        assert got.canonical(f"{name} quill ltd".casefold()) == got.canonical(f"{name} quill".casefold())
    assert read == ["MEMORY.md"]


@pytest.mark.parametrize(
    ("value", "other", "told"),
    [
        ("李明 (Beijing)", "Beijing", "We took the train to Beijing"),
        ("李明 (北京)", "Beijing", "We took the train to Beijing"),
        ("李明 (Kvikmar)", "Kvikmar", "We moved to Kvikmar, we flew to Kvikmar, the trip to Kvikmar was long"),
        ("李明 (Kvikmar)", "Kvikmar", "Mona works for Kvikmar, and the invoice went to the company Kvikmar"),
    ],
)
def test_where_somebody_lives_or_works_is_no_other_name_of_theirs(
    value: str, other: str, told: str, workspace: Write
) -> None:
    also = {f"memory/2026-01-{day}": f"# Log\n\n- {told}\n" for day in (20, 21, 22)}
    assert asked(introduced(value, other, workspace, **also)) == {}


FIRM = {path: text.replace("Harbour Quill", "Rose Garden") for path, text in COMPANY.items()}


def test_a_company_with_a_first_name_in_front_is_asked_about(workspace: Write) -> None:
    memory = Memory(str(workspace(FIRM)), today=TODAY)
    memory.reflect(yes=True)
    (text,) = asked(memory)
    assert {"Rose Garden Ltd", "Rose Garden"} == {*text.split(" (")[0].split(" is ")}
    assert "the same but for the legal form" in (Path(memory.root) / REVIEW).read_text(encoding="utf-8")
    tick(memory, text, "x")
    memory.reflect()
    assert asked(memory) == {}
    assert len(entity_pages(memory)) == 1


@pytest.mark.parametrize(
    "told",
    [
        {"MEMORY.md": "# Memory\n\n## People\n\n- **Rose Garden**: mends nets\n"},
        {"bank/entities/Rose-Garden.md": "---\nkind: person\n---\n# Rose Garden\n"},
    ],
)
def test_a_company_is_not_asked_about_where_the_other_is_a_person(told: dict[str, str], workspace: Write) -> None:
    memory = Memory(str(workspace(FIRM | told)), today=TODAY)
    memory.reflect(yes=True)
    assert asked(memory) == {}
