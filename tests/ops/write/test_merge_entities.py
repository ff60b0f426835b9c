"""Join: two names become one entity, in Markdown, and nothing that a person wrote is lost."""

from __future__ import annotations

import os
import re
import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import ChangedUnderneath, NotFound, UsageError, WorkspaceError
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 2, 1)
TWO = """
=== memory/2026-01-02.md
## Retain
- W @Peter: Owns a red van. ^van
- W @Peter-Hansen: Lives in Ribe. ^ribe
- O(c=0.9) @Peter-Hansen: Prefers tea over coffee. ^tea
- W @Mona: Asked Peter Hansen for the van. ^mona
=== bank/entities/Peter.md
---
tags: [person]  # mine
aliases: [Pete]
---
# Peter

Call him on Sundays.
=== bank/entities/Peter-Hansen.md
---
aliases:
  - ピーター
phone: 12
---
# Peter Hansen

He hates eels.

## Boats
- one
"""


@pytest.fixture
def memory(workspace: Write) -> Memory:
    return Memory(str(workspace(TWO)), today=TODAY)


def files(memory: Memory) -> dict[str, str]:
    root = Path(memory.root)
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in root.rglob("*.md")}


def test_the_name_becomes_an_alias_and_a_persons_text_moves(memory: Memory) -> None:
    before = files(memory)
    done = memory.merge("Peter", "Peter Hansen")
    assert (done.name, done.alias, done.applied) == ("Peter", "Peter Hansen", True)
    after = files(memory)
    assert after == {
        "memory/2026-01-02.md": before["memory/2026-01-02.md"],
        "bank/entities/Peter.md": """\
---
tags: [person]  # mine
aliases: [Pete, Peter Hansen, ピーター]
---
# Peter

Call him on Sundays.

## Peter Hansen

```yaml
phone: 12
```

He hates eels.

## Boats
- one
""",
    }


def test_facts_under_both_names_are_one_entitys_in_every_verb_and_after_a_rebuild(memory: Memory) -> None:
    memory.reflect(yes=True)
    memory.merge("Peter", "Peter Hansen")
    memory.reflect(yes=True)
    page = files(memory)["bank/entities/Peter.md"]
    assert "^van" in page
    assert "^ribe" in page
    assert "Prefers tea over coffee." in page
    assert memory.reflect().patches == ()
    for _ in range(2):
        for name in ("Peter", "peter hansen", "ピーター"):
            view = memory.entity(name)
            assert view.name == "Peter"
            assert {fact.id for fact in view.facts} == {"van", "ribe", "tea"}
            assert [opinion.statement for opinion in memory.opinions(name)] == ["Prefers tea over coffee."]
            assert memory.recall("tea", entities=[name]).hits[0].id == "tea"
            assert {hit.id for hit in memory.recall("", entities=[name]).hits} >= {"van", "ribe", "tea"}
        memory.close()
        shutil.rmtree(f"{memory.root}/.memory/", ignore_errors=True)


def test_a_merge_above_our_region_keeps_the_region(memory: Memory) -> None:
    memory.reflect(yes=True)
    note = "- mine, inside"
    path = Path(memory.root, "bank/entities/Peter-Hansen.md")
    path.write_text(
        path.read_text().replace("<!-- commonplace: entity -->\n", f"<!-- commonplace: entity -->\n{note}\n")
    )
    was = files(memory)["bank/entities/Peter.md"]
    memory.merge("Peter", "Peter Hansen")
    now = files(memory)["bank/entities/Peter.md"]
    at = was.index("<!-- commonplace: entity -->")
    assert now.endswith(was[at:])
    assert note in now[: now.index("<!-- commonplace: entity -->")]
    assert "Lives in Ribe" not in now


def test_undo_takes_it_back_and_a_dry_run_writes_nothing(memory: Memory) -> None:
    before = files(memory)
    shown = memory.merge("Peter", "Peter Hansen", dry_run=True)
    assert [(patch.path, patch.after is None) for patch in shown.patches] == [
        ("bank/entities/Peter.md", False),
        ("bank/entities/Peter-Hansen.md", True),
    ]
    assert files(memory) == before
    memory.merge("Peter", "Peter Hansen")
    assert [each.outcome for each in memory.undo()] == ["restored", "restored"]
    assert files(memory) == before


@pytest.mark.parametrize("edited", ["bank/entities/Peter.md", "bank/entities/Peter-Hansen.md"])
def test_a_merge_is_taken_back_whole_or_not_at_all(memory: Memory, edited: str) -> None:
    memory.merge("Peter", "Peter Hansen")
    with open(f"{memory.root}/{edited}", "a", encoding="utf-8") as page:
        page.write("Mine, written since.\n")
    after = files(memory)
    for _ in range(2):
        with pytest.raises(ChangedUnderneath, match=rf"^{edited} .*only be undone as a whole"):
            memory.undo()
    assert files(memory) == after


def test_a_merge_can_be_taken_back_once_the_edit_is_gone_and_after_the_reflect_that_followed(memory: Memory) -> None:
    before = files(memory)
    memory.merge("Peter", "Peter Hansen")
    path = Path(memory.root, "bank/entities/Peter.md")
    merged = path.read_bytes()
    assert memory.reflect(yes=True).applied
    memory.undo()
    path.write_bytes(merged + b"Mine.\n")
    with pytest.raises(ChangedUnderneath):
        memory.undo()
    path.write_bytes(merged)
    assert [each.outcome for each in memory.undo()] == ["restored", "restored"]
    assert files(memory) == before


def test_an_alias_with_a_page_of_its_own_is_told_and_can_be_merged(memory: Memory, workspace: Write) -> None:
    assert memory.check() == ()
    workspace("=== bank/entities/Pete.md\n# Pete\n\nSings.\n")
    (told,) = memory.check()
    assert (told.code, told.source.path) == ("alias-has-page", "bank/entities/Peter.md")
    assert "bank/entities/Pete.md" in told.message
    memory.merge("Peter", "Pete")
    assert memory.check() == ()
    assert "Sings." in files(memory)["bank/entities/Peter.md"]


def test_an_entity_without_a_page_gets_one_or_is_only_an_alias(memory: Memory, workspace: Write) -> None:
    memory.merge("Peter", "Mona")
    assert "aliases: [Pete, Mona]" in files(memory)["bank/entities/Peter.md"]
    memory.undo()
    workspace("=== memory/2026-01-03.md\n## Retain\n- W @The-Castle: Has a moat.\n")
    memory.merge("The-Castle", "Mona")
    assert "\n# The Castle\n" in files(memory)["bank/entities/The-Castle.md"]
    memory.undo()
    memory.merge("Mona", "Peter Hansen")
    assert files(memory)["bank/entities/Mona.md"].startswith(
        "---\naliases: [Peter Hansen, ピーター]\n---\n# Mona\n\n## Peter"
    )


@pytest.mark.parametrize(
    ("names", "error", "says"),
    [
        (("Peter", "Nobody"), NotFound, "no entity 'Nobody'"),
        (("Nobody", "Peter"), NotFound, "no entity 'Nobody'"),
        (("Peter", "peter"), UsageError, "already means Peter"),
        (("Peter", "Pete"), UsageError, "already means Peter"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    memory: Memory, names: tuple[str, str], error: type[Exception], says: str
) -> None:
    before = files(memory)
    with pytest.raises(error, match=says):
        memory.merge(*names)
    assert files(memory) == before


def test_an_ambiguous_name_is_refused(memory: Memory, workspace: Write) -> None:
    workspace("=== bank/entities/Rolf.md\n---\naliases: [ピーター]\n---\n# Rolf\n")
    with pytest.raises(UsageError, match="may mean"):
        memory.merge("Mona", "ピーター")
    with pytest.raises(UsageError, match=r"also a name on .*Rolf\.md"):
        memory.merge("Mona", "Peter Hansen")


def test_a_damaged_page_or_one_in_an_editor_is_refused(memory: Memory, workspace: Write) -> None:
    sign = Path(memory.root, "bank/entities/.Peter-Hansen.md.swp")
    sign.touch()
    with pytest.raises(WorkspaceError, match="it"):
        memory.merge("Peter", "Peter Hansen")
    sign.unlink()
    with open(f"{memory.root}/bank/entities/Peter-Hansen.md", "a", encoding="utf-8") as page:
        page.write("<<<<<<< mine\n=======\n>>>>>>> theirs\n")
    with pytest.raises(WorkspaceError, match="merge conflict"):
        memory.merge("Peter", "Peter Hansen")
    assert len(files(memory)) == 3


def test_two_pages_of_one_entity_are_told_left_alone_and_can_be_made_one(memory: Memory, workspace: Write) -> None:
    workspace("=== bank/entities/peter_hansen.md\n# peter_hansen\n\nHas a dog.\n")
    both = ("bank/entities/Peter-Hansen.md", "bank/entities/peter_hansen.md")
    told = [problem.source.path for problem in memory.check() if problem.code == "two-pages"]
    assert sorted(told) == sorted(both)
    done = memory.reflect(yes=True)
    assert not {patch.path for patch in done.patches} & {*both}
    review = files(memory)["bank/review.md"]
    assert all(f"- {path}: " in review for path in both)
    with pytest.raises(UsageError, match="has 2 pages"):
        memory.merge("Peter", "PETER HANSEN")
    memory.merge("Peter-Hansen", "peter_hansen")
    assert not os.path.exists(f"{memory.root}/{both[1]}")
    assert "Has a dog." in files(memory)[both[0]]
    assert [problem for problem in memory.check() if problem.code == "two-pages"] == []
    memory.reflect(yes=True)
    assert "^ribe" in files(memory)[both[0]]
    assert memory.reflect().patches == ()


def test_links_to_the_opinions_page_lead_to_the_heading_of_the_entity_that_stays(
    memory: Memory, workspace: Write
) -> None:
    said = "".join(
        f"=== memory/2026-01-{day}.md\n## Retain\n- O(c=0.95) @ピーター: Prefers night trains.\n"
        for day in range(10, 20)
    )
    workspace(said)
    memory.merge("Peter-Hansen", "Peter")
    memory.reflect(yes=True)
    after = files(memory)
    assert [line for line in after["bank/opinions.md"].split("\n") if line.startswith("## ")] == ["## Peter Hansen"]
    for page in ("bank/entities/Peter-Hansen.md", "bank/review.md"):
        assert set(re.findall(r"opinions\.md#([^)]*)\)", after[page])) == {"peter-hansen"}, page
