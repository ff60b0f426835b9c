"""What is kept of lines by file: only time depends on it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.entities.name_finder import NameFinder
from commonplace.memory import Memory
from commonplace.ops.quotes.weighed_lines import weighed_lines

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

TODAY = date(2026, 3, 9)
LOGS = {
    f"memory/2026-03-0{day}.md": f"# Day {day}\n\n"
    f"- Kite Bay: decided to repair pier {day} because of the storm\n"
    f"- The lesson of day {day} is to moor the ferry at Kite Bay twice\n"
    f"- Status: {day} of 9 piers repaired\n"
    f"- 桟橋は海猫さんが直した、第{day}号\n"
    for day in range(1, 7)
}


def pages(folder: Path, *, today: date = TODAY) -> dict[str, str]:
    """The bank after a reflect, but for what waits in review: that stays there."""
    with Memory(str(folder), today=today) as memory:
        memory.reflect(yes=True)
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((folder / "bank").rglob("*.md"))
        if path.name != "review.md"
    }


def anew(folder: Path) -> dict[str, str]:
    """The same from the logs alone."""
    for path in sorted((folder / "bank").rglob("*.md")):
        path.unlink()
    with Memory(str(folder), today=TODAY) as memory:
        memory.index(rebuild=True)
    return pages(folder)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/2026-03-07.md", "- Kite Bay: decided to close pier 7, because nobody moors there\n"),
        ("memory/2026-03-02.md", "- Kite Bay was quiet\n"),
        ("memory/2026-03-02.md", ""),
        ("MEMORY.md", "- Kite Bay is the harbour of the ferry\n"),
        ("USER.md", "- **Name:** Vibeke\n"),
        ("memory/2026-03-07.md", "## Retain\n\n- W @海猫さん: 桟橋を直した\n- O(c=0.9) @海猫さん: 海が好き\n"),
        (
            "memory/2026-03-08.md",
            "".join(f"- Kite Bay: decided to repair pier {n} because of the storm\n" for n in range(9)),
        ),
    ],
)
def test_a_reflect_with_what_was_kept_makes_the_pages_of_one_without(workspace: Write, path: str, text: str) -> None:
    folder = workspace(LOGS)
    pages(folder)
    (folder / path).write_text(text, encoding="utf-8")
    found = pages(folder)
    assert any("Kite Bay" in page for page in found.values())
    assert found == anew(folder)


def test_names_that_become_known_are_found_in_the_lines_that_were_kept(workspace: Write) -> None:
    said = {f"memory/2026-02-0{day}.md": f"- 決定：桟橋{day}の修理は海猫に任せる\n" for day in range(1, 5)}
    folder = workspace(LOGS | said)
    pages(folder)
    told = "## Retain\n\n- W @海猫: 桟橋を三つ直した\n- O(c=0.9) @海猫: 海が好き\n"
    (folder / "memory/2026-03-07.md").write_text(told, encoding="utf-8")
    assert "桟橋3の修理" in pages(folder)["海猫.md"]


def test_what_is_quoted_on_a_new_page_is_not_chosen_again_once_it_stands(workspace: Write) -> None:
    folder = workspace(LOGS)
    assert "Kite-Bay.md" in pages(folder)
    known = chosen(folder)
    (folder / "memory/2026-03-08.md").write_text("- The sea was calm\n", encoding="utf-8")
    pages(folder)
    assert known
    assert chosen(folder) <= known


def chosen(folder: Path) -> set[bytes]:
    """The digests of what choices depended on, of those that chose something: lists of rows."""
    with Memory(str(folder), today=TODAY) as memory:
        kept = memory._access.fresh().cached("findings")
    lists = ((digest, result) for digest, result in kept.items() if isinstance(result, list))
    return {digest for digest, result in lists if any(isinstance(each, tuple) for each in result)}


def test_what_is_kept_of_a_file_that_went_is_forgotten(workspace: Write) -> None:
    folder = workspace(LOGS)
    pages(folder)
    for path in list(LOGS)[3:]:
        (folder / path).unlink()
    assert pages(folder) == anew(folder)


def test_a_page_is_renewed_since_a_day_by_log_lines_alone(workspace: Write) -> None:
    folder = workspace(LOGS)
    before = pages(folder)["Kite-Bay.md"]
    (folder / "memory/2026-03-08.md").write_text(
        "- Kite Bay: decided to sell the crane, because it rusts\n", encoding="utf-8"
    )
    with Memory(str(folder), today=TODAY) as memory:
        memory.reflect(since="3d")
    after = (folder / "bank/entities/Kite-Bay.md").read_text(encoding="utf-8")
    assert "sell the crane" in after and "sell the crane" not in before


def test_a_plan_is_over_on_its_page_once_a_log_is_newer(workspace: Write) -> None:
    plan = "- Kite Bay: the crane moves to the north pier on March 8, 2026, because the old one leaks\n"
    folder = workspace(LOGS | {"memory/2026-03-05.md": f"{LOGS['memory/2026-03-05.md']}{plan}"})
    pages(folder)
    for day in (7, 8, 9):
        (folder / f"memory/2026-03-0{day}.md").write_text("- The sea was calm\n", encoding="utf-8")
        assert pages(folder) == anew(folder)


def test_another_list_of_core_files_is_seen_without_a_change_of_a_log(workspace: Write) -> None:
    folder = workspace(LOGS | {"MEMORY.md": "- Kite Bay is the harbour of the ferry\n"})
    pages(folder)
    (folder / "commonplace.toml").write_text('core = ["memory/2026-03-02.md", "MEMORY.md"]\n', encoding="utf-8")
    assert pages(folder) == anew(folder)


def test_a_transcript_tells_by_what_the_user_says(workspace: Write) -> None:
    said = "decided to close the pier of Kite Bay, because nobody moors there"
    told = {
        "memory/2026-03-07.md": f"# Session\n\nassistant: Good morning!\n\nWe {said}.\nuser: we {said} in winter\n",
        "memory/2026-03-08.md": f"- We {said} in autumn\n",
    }
    with Memory(str(workspace(LOGS | told)), today=TODAY) as memory:
        memory.index()
        index = memory._access.fresh()
        finder = NameFinder(frozenset())
        lines, _ = weighed_lines(index, memory.workspace, finder, index.names_in_rows(), above=finder)
        texts = index.texts({each.rows[0] for each in lines})
        scores = {texts[each.rows[0]][2]: each.score for each in lines}
    by_end = {text.split()[-1]: score for text, score in scores.items()}
    assert by_end["there."] < by_end["autumn"] - 1 < by_end["winter"]


def test_what_stands_in_a_log_is_no_fact_of_the_world_and_less_worth_if_a_commit_changed_it(workspace: Write) -> None:
    lasting = "The harbour master lives at Pier Street 4 with his sister Vibeke"
    done = "Fixed the socket of the lamp at the harbour club, and replaced its fuse"
    changed = f"{lasting} (commit `4b90e99`)"
    with Memory(
        str(workspace({"memory/2026-03-07.md": f"- {lasting}\n- {done}\n- {changed}\n"})), today=TODAY
    ) as memory:
        memory.index()
        index = memory._access.fresh()
        finder = NameFinder(frozenset())
        lines, _ = weighed_lines(index, memory.workspace, finder, index.names_in_rows(), above=finder)
        texts = index.texts({each.rows[0] for each in lines})
        told = {texts[each.rows[0]][2]: each for each in lines}
    assert told[lasting].topic == told[done].topic == ""
    assert told[changed].score <= told[lasting].score - 1
