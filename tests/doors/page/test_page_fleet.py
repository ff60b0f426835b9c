"""The page asks a fleet where one is on: a field of a form, an outsider's words, and this folder if nobody answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from playwright.sync_api import expect
from tests.doors.page.served import Served, serving
from tests.doors.page.tabs import NARROW, WIDE
from tests.fleets import TODAY, Team, team

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Write
    from tests.doors.page.tabs import Tabs
    from tests.postgres_server import FleetServer

OURS = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak and met ERR_WS_1006 at home.\n"}
THEIRS = "## Retain\n- O(c=0.8) @Zed: Met ERR_WS_1006 in Lisbon. <b>bold</b>\n"
ASKED = "ask?q=ERR_WS_1006"


@pytest.fixture
def made(server: FleetServer, tmp_path: Path) -> Team:
    """A team of which another workspace has pushed."""
    found = team(server)
    (other := tmp_path / "other/memory").mkdir(parents=True)
    (other / "2025-11-02.md").write_text(THEIRS, encoding="utf-8")
    with found.member(tmp_path / "other", "beta", today=TODAY) as memory:
        memory.fleet_push()
    return found


@pytest.fixture
def page(made: Team, workspace: Write) -> Iterator[Served]:
    """The page of a folder that belongs to it and has pushed nothing."""
    root = workspace(OURS)
    made.member(root, "alpha").close()
    with serving(root) as served:
        yield served


def test_the_team_is_asked_by_a_field_of_the_form_and_told_as_an_outsider(page: Served, tabs: Tabs) -> None:
    tab = tabs.open(page, ASKED, java_script_enabled=False)
    expect(tab.locator(".ledger li")).to_have_count(1)
    expect(tab.locator(".ledger li")).to_contain_text("at home")
    tab.get_by_label("in", exact=True).select_option("fleet")
    tab.get_by_role("button", name="Show").click()
    theirs = tab.locator("section.theirs")
    expect(theirs.locator("li")).to_have_count(1)
    expect(theirs).to_contain_text("Met ERR_WS_1006 in Lisbon. <b>bold</b>")
    expect(theirs).to_contain_text("says fleet:beta")
    expect(theirs).to_contain_text("held at 0.80")
    expect(theirs.locator(".cite")).to_have_text("beta:memory/2025-11-02.md#L2")
    expect(theirs.locator("a")).to_have_count(0)  # nothing of theirs is in this folder
    expect(tab.get_by_label("in", exact=True)).to_have_value("fleet")
    for size in (WIDE, NARROW):
        tab.set_viewport_size(size)  # type: ignore[arg-type]
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), size


def test_a_fleet_that_does_not_answer_is_told_and_this_folder_answers(made: Team, page: Served, tabs: Tabs) -> None:
    with psycopg.connect(made.server.url("postgres"), autocommit=True) as db:
        db.execute(f"drop database {made.database} with (force)".encode())
    tab = tabs.open(page, f"{ASKED}&scope=fleet")
    expect(tab.locator(".refusal")).to_contain_text("cannot connect")
    expect(tab.locator(".refusal")).to_contain_text("These are answers of this folder.")
    expect(tab.locator(".ledger li")).to_contain_text("at home")
    expect(tab.locator("section.theirs")).to_have_count(0)


def test_answers_of_the_team_are_renewed_only_on_request(page: Served, tabs: Tabs) -> None:
    tab = tabs.open(page, f"{ASKED}&scope=fleet")
    expect(tab.locator("section.theirs li")).to_have_count(1)
    (page.root / "memory/2025-11-03.md").write_text("- It rained all day.\n", encoding="utf-8")
    expect(tab.locator("#news")).to_be_visible()
    assert len(tabs.asked_of(page, "ask")) == 1
    with tab.expect_response(lambda answer: "scope=fleet" in answer.url):
        tab.locator("#news button").click()
    assert len(tabs.asked_of(page, "ask")) == 2
    (page.root / "memory/2025-11-04.md").write_text("- It rained again.\n", encoding="utf-8")
    expect(tab.locator("#news")).to_be_visible()
    tab.wait_for_timeout(1_000)
    assert len(tabs.asked_of(page, "ask")) == 2


def test_a_choice_that_was_not_sent_yet_is_kept_when_something_changes(page: Served, tabs: Tabs) -> None:
    tab = tabs.open(page, ASKED)
    chosen = tab.get_by_label("in", exact=True)
    chosen.select_option("fleet")
    chosen.blur()
    (page.root / "memory/2025-11-03.md").write_text("- Met ERR_WS_1006 in the rain.\n", encoding="utf-8")
    expect(tab.locator("#news")).to_be_visible()
    expect(chosen).to_have_value("fleet")
    tab.evaluate("document.querySelector('#main').dataset.old = 1")
    tab.locator("#news button").click()
    expect(tab.locator("#main[data-old]")).to_have_count(0)
    expect(chosen).to_have_value("fleet")


def test_a_day_that_is_none_is_told_whoever_is_asked(page: Served) -> None:
    answer = page.view(f"{ASKED}&scope=fleet&as_of=never")
    assert answer.status == 400
    assert "refusal" in answer.body


def test_without_a_fleet_there_is_no_such_field_and_the_folder_is_asked(workspace: Write) -> None:
    with serving(workspace(OURS)) as served:
        for view in (ASKED, f"{ASKED}&scope=fleet"):
            told = served.view(view).body
            assert 'name="scope"' not in told
            assert "at home" in told
