"""A file without a title has that of its name."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.documents.parse import parse
from commonplace.core.model import Role
from commonplace.errors import NotFound
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

    from commonplace.core.documents.parsed_document import ParsedLine

LINE = "Bought the red one.\n"


def titled(path: str, text: str = LINE) -> list[ParsedLine]:
    return [line for line in parse(path, text).lines if not line.number]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("notes/kayak.md", "kayak"),
        ("notes/kayak-trip_plan.md", "kayak trip plan"),
        ("people/Nadia Holm.md", "Nadia Holm"),
        ("notes/Holm-Berg kayak.md", "Holm-Berg kayak"),
        ("memory/2026-03-05-kayak.md", "kayak"),
        ("memory/2026-03-05 kayak.md", "kayak"),
        ("kayak_20260305.md", "kayak"),
        ("notes/05.03.2026 kayak.md", "kayak"),
        ("notes/皮划艇.md", "皮划艇"),
        ("notes/2026-03-05_カヤック.md", "カヤック"),
        ("notes/байдарка.md", "байдарка"),
        ("notes/नाव.md", "नाव"),
    ],
)
def test_the_name_of_the_file_is_the_heading_of_its_lines(path: str, title: str) -> None:
    (above,) = titled(path)
    assert (above.text, above.role) == (title, Role.HEADING)
    lines = parse(path, f"{LINE}\n## Costs\n\n- 300 for the harbour\n").lines
    contexts = {line.text: lines[line.parent].text for line in lines if line.number}
    assert contexts == {"Bought the red one.": title, "Costs": title, "300 for the harbour": "Costs"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("notes/kayak.md", "# Boats\n\nBought the red one.\n"),
        ("notes/kayak.md", "A first line.\n\n# Boats\n"),
        ("notes/kayak.md", "Boats\n=====\n\nBought the red one.\n"),
        ("memory/2026-03-05.md", LINE),
        ("memory/2026-03-05-2.md", LINE),
        ("memory/20260305-1807.md", LINE),
        ("journal/2026/03/05.md", LINE),
        ("README.md", LINE),
        ("memory/MEMORY.md", LINE),
        ("notes/日记.md", LINE),
        ("bank/entities/Kayak.md", LINE),
        ("", LINE),
    ],
)
def test_a_title_of_its_own_a_day_and_a_name_of_any_folder_make_none(path: str, text: str) -> None:
    assert titled(path, text) == []


def test_other_names_and_a_title_in_front_matter_count() -> None:
    (above,) = titled("people/Nadia Holm.md", f"---\naliases: [Nadia, NH, nadia holm]\n---\n{LINE}")
    assert above.text == "Nadia Holm (Nadia, NH)"
    (above,) = titled("notes/x17.md", f"---\ntitle: The kayak\n---\n{LINE}")
    assert above.text == "The kayak"


def test_the_title_stays_above_what_follows_a_section_of_facts() -> None:
    lines = parse("notes/kayak.md", "## Retain\n- W @Nadia: She rows.\n\nThe kayak is red.\n").lines
    assert [lines[line.parent].text for line in lines if line.text == "The kayak is red."] == ["kayak"]


def test_lines_are_found_by_the_name_of_their_file_and_the_title_itself_is_no_hit(workspace: Write) -> None:
    root = workspace(
        {
            "notes/kayak.md": "Bought the red one in Oslo.\n\n## Care\n\nRinse the hull with fresh water.\n",
            "notes/people/Nadia Holm.md": "---\naliases: [Nadia]\n---\nPrefers short letters.\n",
            "memory/2026-03-10.md": "# 2026-03-10\n\n- The kettle is new.\n- Nadia wrote.\n",
            "commonplace.toml": 'include = ["notes/**/*.md"]\n',
        }
    )
    with Memory(str(root), today=date(2026, 3, 12)) as memory:
        found = [hit.line.content for hit in memory.recall("what about the kayak?").hits]
        assert sorted(found) == ["Bought the red one in Oslo.", "Rinse the hull with fresh water."]
        assert "Prefers short letters." in [hit.line.content for hit in memory.recall("Who is Nadia Holm?").hits]
        assert all(hit.line.source.line for hit in memory.recall("kayak Nadia Holm", k=20).hits)


KEY = "ghp_" + "AbCdEfGhIjKlMnOpQrSt" + "UvWxYz0123456789"


@pytest.mark.parametrize(
    ("path", "front"),
    [
        (f"notes/{KEY}.md", ""),
        ("notes/password=" + "hunter2secret99.md", ""),
        ("notes/boat.md", f"---\ntitle: {KEY}\n---\n"),
        ("notes/boat.md", "---\ntitle: password: " + "hunter2secret99\n---\n"),
        ("notes/boat.md", f"---\naliases: [{KEY}]\n---\n"),
    ],
)
def test_no_title_repeats_a_secret(path: str, front: str) -> None:
    assert titled(path, front + LINE) == []


def test_the_title_by_the_name_is_no_line_that_a_citation_names(workspace: Write) -> None:
    root = workspace({"memory/2026-03-10-kayak.md": LINE})
    with Memory(str(root), today=date(2026, 3, 12)) as memory:
        assert memory.show("memory/2026-03-10-kayak.md#L1").line.content == LINE.strip()
        with pytest.raises(NotFound):
            memory.show("memory/2026-03-10-kayak.md#L0")
