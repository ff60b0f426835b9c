"""Views of what there is much of: bounded in size, the rest one link away, and as of now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.doors.page.served import serving

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Write
    from tests.doors.page.served import Served

MOST = 60_000
"""Bytes of a view."""
THINGS = ("tea", "rain", "maps", "bread", "chess", "ferries", "paint", "soup", "clocks", "tents", "kites", "plums")


def _log(root: Path, day: str, lines: list[str]) -> None:
    (root / "memory").mkdir(exist_ok=True)
    (root / f"memory/{day}.md").write_text("\n".join(["## Retain", *lines, ""]), encoding="utf-8")


@pytest.fixture(scope="module")
def much(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A workspace in which one entity has a hundred facts and opinions, and more questions wait than are shown."""
    root = tmp_path_factory.mktemp("much")
    for month in range(1, 11):
        facts = [f"- W @Ida: Repaired the {thing} stall number {month} with Ole." for thing in THINGS]
        _log(root, f"2025-{month:02}-03", facts)
    _log(root, "2025-11-03", [f"- O(c=0.8) @Ida: Likes {thing}." for thing in THINGS])
    _log(root, "2025-11-04", [f"- O(c=0.8) @Ole: Likes {thing}." for thing in THINGS])
    said = [f"- W @{name}: Said that the talk of {thing} was long." for name in ("Ida", "Ole") for thing in THINGS]
    _log(root, "2025-11-05", said)
    decided = "## Decisions\n- Decided to sell the old van.\n- Decided that invoices go out on Mondays.\n"
    (root / "memory/2025-11-06.md").write_text(decided, encoding="utf-8")
    with Memory(str(root)) as memory:
        memory.reflect(yes=True)
    with serving(root) as served:
        for view in ("review", "opinions", "entity/Ida"):
            served.ready(view)
        yield served


def test_an_entity_shows_its_newest_lines_and_surest_opinions_and_links_the_rest(much: Served) -> None:
    shown = much.view("entity/Ida").body
    assert len(shown.encode()) <= MOST
    assert shown.count('<li class="row"') <= 80
    assert re.search(r'<a href="at/bank/entities/Ida.md\?all=1">Its page</a> has \d+ more', shown)
    assert shown.count('<li class="op"') == 10
    assert "All 12</a>" in shown
    listed = much.view("opinions?order=surest&about=Ida").body
    assert listed.count('<li class="op') == 12
    assert "Ole ·" not in listed
    assert much.view("opinions").body.count('<li class="op') == 24
    assert "No opinion is held on Nobody." in much.view("opinions?about=Nobody").body


def test_a_review_shows_some_of_each_kind_and_counts_the_rest(much: Served) -> None:
    shown = much.view("review").body
    counts = {what: int(count) for count, what in re.findall(r"(\d+) × ([^,<]+)", shown)}
    assert len(counts) > 1
    assert sum(counts.values()) > 24
    assert shown.count('<li class="row question"') == 24
    assert all(f"<h2>{what.strip()}" in shown for what in counts)
    assert f"{sum(counts.values()) - 24} more wait behind these" in shown
    assert len(shown.encode()) <= MOST


def test_what_was_saved_a_moment_ago_is_on_the_next_view(much: Served) -> None:
    for view, path, told in (
        ("entity/Ida", "memory/2025-11-20.md", "Bought a blue kayak."),
        ("at/memory/2025-11-20.md?all=1", "memory/2025-11-20.md", "Sold the green kayak."),
        ("", "MEMORY.md", "Ida keeps the red kayak."),
    ):
        assert told not in much.view(view).body
        (much.root / path).write_text(f"## Retain\n- W @Ida: {told}\n", encoding="utf-8")
        assert told in much.view(view).body, view


def test_an_entity_shows_the_rules_of_its_page_and_names_their_files(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    rules = "- Tidebook: always save before noon, never during a sync\n- Tidebook is the ledger of the harbour\n"
    (tmp_path / "MEMORY.md").write_text(f"# Memory\n\n## Tidebook\n{rules}", encoding="utf-8")
    for day in range(1, 6):
        told = f"- We moved berth {day} into Tidebook because the old list lost its {THINGS[day]} twice a week.\n"
        (tmp_path / f"memory/2025-11-{day:02}.md").write_text(told, encoding="utf-8")
    with Memory(str(tmp_path)) as memory:
        memory.reflect(yes=True)
    with serving(tmp_path) as served:
        shown = served.ready("entity/Tidebook")
    assert "<h2>Preferences</h2>" in shown
    assert "always save before noon" in shown
    assert re.search(r"always save before noon.*?>MEMORY<", shown, re.DOTALL)
    assert re.search(r"because the old list.*?>log<", shown, re.DOTALL)


def test_of_the_core_what_the_agent_gets_is_shown_and_the_rest_counted(workspace: Write) -> None:
    rules = "".join(
        f"- Rule {at}: berth {at} of the harbour is swept before {at} boats come in.\n" for at in range(900)
    )
    with serving(workspace({"MEMORY.md": f"# Memory\n\n{rules}", "SOUL.md": "# Soul\n\nCalm.\n"})) as served:
        shown = served.ready("")
        told = re.search(r"no room for ([\d,]+) lines", shown)
        left = [int(each.replace(",", "")) for each in re.findall(r"([\d,]+) more lines are left out", shown)]
        assert told
        assert sum(left) == int(told[1].replace(",", "")) > 0
        given = len(re.findall(r"Rule \d+: berth", shown))
        assert 0 < given == 900 - left[0]
        assert '<a href="at/MEMORY.md?all=1">the whole file</a>' in shown
        assert len(shown.encode()) <= MOST
    with serving(workspace({"MEMORY.md": "# Memory\n\n- One.\n"})) as served:
        assert "no room" not in served.ready("")
        assert "left out" not in served.ready("")
