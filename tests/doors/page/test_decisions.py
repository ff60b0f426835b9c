"""What a person decides on the page: what is asked reads as words, and nothing that was typed is lost."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from tests.doors.page.served import commonplace, serving
from tests.doors.page.test_guard import sent

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.conftest import Write
    from tests.doors.page.served import Served
    from tests.doors.page.tabs import Tabs

MINE = "The pelican keeps the harbour books."


def proposals(served: Served) -> list[dict[str, Any]]:
    """The inferred facts that wait."""
    found: list[dict[str, Any]] = json.loads(commonplace(served.root, "review", "--json"))["inferred"]
    return found


def question(page: Page, id: str) -> Locator:
    return page.locator(f'.question[data-id="{id}"]')


def unreadable(served: Served, proposal: dict[str, Any]) -> str:
    """Have the log of a proposal hold a byte that is not UTF-8; its path."""
    path: str = proposal["source"].partition("#")[0]
    with (served.root / path).open("ab") as log:
        log.write(b"\nA stray \xff byte.\n")
    return path


def decided(page: Page, id: str, word: str) -> None:
    question(page, id).get_by_text(word, exact=True).click()


def test_an_answer_that_cannot_be_written_is_told_as_words_and_what_was_typed_is_kept(
    writing: Served, tabs: Tabs
) -> None:
    first, *others = proposals(writing)
    path = unreadable(writing, first)
    second = next(each for each in others if not each["source"].startswith(path))
    page = tabs.open(writing, "review")
    expect(question(page, first["id"])).to_be_visible()
    question(page, first["id"]).focus()
    page.keyboard.press("e")
    page.keyboard.press("Control+a")
    page.keyboard.type(f"W @Ida: {MINE}")
    decided(page, second["id"], "Drop")
    page.keyboard.press("Control+Enter")

    wrong = page.locator(".refusal")
    expect(wrong).to_contain_text(f"Not written: {', '.join(first['entities'])}")
    expect(wrong).to_contain_text(first["content"][:60])
    expect(wrong).to_contain_text(f"{path} is not UTF-8")
    expect(wrong).to_contain_text("convert it with your editor")
    assert first["id"] not in wrong.inner_text()
    expect(page.locator("main .ledger").first.locator(".row")).to_have_count(1)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    expect(wrong).to_contain_text("is not UTF-8")

    page.goto(writing.at("review"))
    expect(question(page, first["id"]).locator("textarea")).to_have_value(f"W @Ida: {MINE}")
    expect(page.locator("#pending")).to_have_text("1 decided, not applied")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    page.get_by_role("link", name="Back to the review").click()
    expect(page.locator("#pending")).to_have_text("1 decided, not applied")


def test_what_was_applied_is_not_decided_again(writing: Served, tabs: Tabs) -> None:
    first, second = proposals(writing)[:2]
    page = tabs.open(writing, "review")
    expect(question(page, first["id"])).to_be_visible()
    decided(page, first["id"], "Drop")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    assert page.evaluate("sessionStorage.review") == "{}"
    page.goto(writing.at("review"))
    expect(question(page, second["id"])).to_be_visible()
    expect(page.locator("#pending")).to_have_text("")


def test_to_decide_nothing_is_said_at_the_button(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "review")
    expect(page.locator(".question").first).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#pending")).to_have_text("Nothing is decided yet: choose an answer")
    expect(page).to_have_url(writing.at("review"))

    plain = tabs.context(writing, java_script_enabled=False).new_page()
    plain.goto(writing.at("review"))
    plain.get_by_role("button", name="Show what these answers do").click()
    expect(plain.locator("#pending")).to_have_text("Nothing is decided yet: choose an answer")
    expect(plain.locator(".question").first).to_be_visible()


def test_other_words_are_written_behind_those_that_stand_there(reading: Served, tabs: Tabs) -> None:
    page = tabs.open(reading, "review")
    asked = page.locator(".question", has=page.locator("details.edit")).first
    expect(asked).to_be_visible()
    asked.focus()
    page.keyboard.press("e")
    page.keyboard.type(" At dusk.")
    expect(asked.locator("textarea")).to_have_value(re.compile(r"^\S.+ At dusk\.$"))


def test_of_two_lines_each_has_its_day_and_place_and_the_answer_names_the_one_that_is_outdated(
    workspace: Write, tabs: Tabs
) -> None:
    root = workspace(
        {
            "memory/2025-11-05.md": "# 2025-11-05\n\n- **Stall roof**: Sora and Inter for all tarps\n",
            "memory/2025-11-16.md": "# 2025-11-16\n\n- Stall roof: Sora and Karla, chosen with Ida\n",
        }
    )
    with serving(root) as served:
        served.ready("review")
        page = tabs.open(served, "review")
        (asked,) = page.locator(".question").all()
        told = " ".join(asked.locator(".asked").inner_text().split())
        assert re.match(
            r"Newer: 16 Nov .*Stall roof: Sora and Karla.* Older: 5 Nov .*Stall roof: Sora and Inter", told
        ), told
        asked.get_by_text("The older is outdated", exact=True).click()
        page.keyboard.press("Control+Enter")
        row = page.locator("main .ledger .row").first
        expect(row).to_contain_text("(2025-11-16) replaces “Stall roof: Sora and Inter")
        assert not re.search(r"\*\*|\]\(", row.inner_text())
        tabs.close()


@pytest.mark.parametrize(("doors", "told"), [(14, "14 ×"), (160, "150+ ×")])
def test_where_more_waits_than_is_counted_that_is_said(workspace: Write, doors: int, told: str) -> None:
    lines = "".join(f"- We decided to paint door {at} of the boathouse green.\n" for at in range(doors))
    with serving(workspace({"memory/2025-11-21.md": f"# 2025-11-21\n{lines}"})) as served:
        for view in ("review", ""):
            shown = served.ready(view)
            assert f"{told} Worth keeping?" in shown
            assert f'{told.removesuffix(" ×")}<span class="vh"> waiting' in shown


def test_what_was_done_last_is_taken_back_from_any_view_and_no_old_number_stands_beside(
    writing: Served, tabs: Tabs
) -> None:
    before = (writing.root / "bank/opinions.md").read_text(encoding="utf-8")
    page = tabs.open(writing, "opinion/o-6kq0")
    expect(page.locator("#undo")).to_have_count(0)
    page.get_by_label("Set it by hand").fill("0.9")
    page.get_by_label("Set it by hand").press("Enter")
    expect(page.locator("#undo")).to_have_text(re.compile("^Take back the 0.90 of “Prefers Signal"))
    for view in ("entity/Ingrid", "review", "reflect", "ask?q=backups", ""):
        page.goto(writing.at(view))
        expect(page.locator("#undo")).to_have_count(1)
        assert "o-6kq0" not in page.locator("#undo").inner_text()
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.keyboard.press("z")
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    assert (writing.root / "bank/opinions.md").read_text(encoding="utf-8") == before


def test_a_result_tells_no_number_of_before(workspace: Write) -> None:
    lines = "".join(f"- We decided to paint door {at} of the boathouse green.\n" for at in range(3))
    with serving(workspace({"memory/2025-11-21.md": f"# 2025-11-21\n{lines}"})) as served:
        (id, *_) = proposals(served)
        assert "3<span" in served.ready("review")
        form = {"field": served.field(), f"v-{id['id']}": "reject"}
        told = sent(served, form).headers["location"]
        answers = html.unescape(
            re.findall('name="answers" value="([^"]+)"', served.get(told, Cookie=served.cookie).body)[0]
        )
        applied = sent(served, {"field": form["field"], "do": "apply", "answers": answers}).headers["location"]
        assert "3<span" not in served.get(applied, Cookie=served.cookie).body
        assert "2<span" in served.ready("review")
