"""The page as a browser meets it: the way back, a program that ends, the keys of every view."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from tests.doors.page.served import PATIENCE, TODAY, commonplace, serving
from tests.doors.page.tabs import NARROW

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.conftest import Write
    from tests.doors.page.served import Served
    from tests.doors.page.tabs import Tabs


def gone(page: Page, by: int) -> None:
    """Have the browser go back or forward; the view may load itself anew."""
    page.evaluate(f"void setTimeout(() => history.go({by}))")


def test_the_way_back_from_a_search_leads_to_where_it_was_typed(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "opinions")
    page.goto(reading.at("review"))
    expect(page.locator(".question").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.keyboard.press("/")
    page.keyboard.type("when do the backups run", delay=5)
    expect(page.locator("#found .row").first).to_be_visible()
    expect(page).to_have_url(reading.at("ask?q=when+do+the+backups+run"))

    gone(page, -1)
    expect(page).to_have_url(reading.at("review"))
    expect(page.locator("#pending")).to_have_text("1 decided, not applied")
    gone(page, 1)
    expect(page.locator("#found .row").first).to_be_visible()
    gone(page, -2)
    expect(page.get_by_role("heading", level=1)).to_have_text("Opinions")


def test_an_emptied_field_shows_no_hits_of_before(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "ask?q=backups")
    expect(page.locator("#found .row").first).to_be_visible()
    page.locator("#q").fill("")
    expect(page.locator("#found .row")).to_have_count(0)
    expect(page).to_have_url(reading.at("ask"))

    page.goto(reading.at("health"))
    page.locator("#q").press(" ")
    page.locator("#q").fill("")
    page.wait_for_timeout(300)
    expect(page).to_have_url(reading.at("health"))


def test_a_link_within_a_view_loads_nothing_anew(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "health")
    page.evaluate("window.same = true")
    page.evaluate("location.hash = 'main'")
    page.go_back()
    page.wait_for_timeout(300)
    assert page.evaluate("window.same") is True


def test_a_program_that_has_ended_is_told_and_no_form_is_sent_to_it(writing: Served, tabs: Tabs) -> None:
    context = tabs.context(writing)
    page, other = context.new_page(), context.new_page()
    other.goto(writing.at("health"))
    page.goto(writing.at("review"))
    expect(page.locator(".question").first).to_be_visible()
    expect(page.locator("#ended")).to_be_hidden()
    page.wait_for_timeout(300)
    writing.process.send_signal(signal.SIGTERM)
    for each in (page, other):
        expect(each.locator("#ended")).to_be_visible()
    expect(page.locator("#ended code")).to_have_text("commonplace serve")
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(300)
    expect(page).to_have_url(writing.at("review"))
    expect(page.locator("#pending")).to_have_text("1 decided, not applied")
    tabs.wrong = [each for each in tabs.wrong if "ERR_CONNECTION_REFUSED" not in each]  # Chromium reports it


def test_the_end_of_the_program_is_quiet_while_pages_listen(tabs: Tabs, reading: Served) -> None:
    words = ["serve", "--no-browser", "--workspace", str(reading.root), "--today", TODAY]
    with subprocess.Popen(
        [sys.executable, "-m", "commonplace", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        page = tabs.context(None).new_page()
        page.goto(address)
        expect(page.get_by_role("heading", level=1).first).to_be_attached()
        page.wait_for_timeout(1_000)  # it listens
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert "Traceback" not in said, said
    assert "Exception" not in said, said
    page.close()  # it has heard of the end by now, and asks no more
    tabs.requests.clear()  # of a server that is none of the fixture's
    tabs.wrong = [each for each in tabs.wrong if "ERR_CONNECTION_REFUSED" not in each]


def test_a_line_says_how_it_is_corrected_and_deleted(reading: Served) -> None:
    log = (reading.root / "memory/2025-11-26.md").read_text(encoding="utf-8").split("\n")
    stated = next(number for number, line in enumerate(log, 1) if line.startswith("- W @"))
    told = next(number for number, line in enumerate(log, 1) if line.startswith("- Family call"))
    shown = reading.view(f"at/memory/2025-11-26.md?line={stated}").body
    id = re.search(r"<code>commonplace correct (\w+) ", shown)
    assert id
    assert f'data-copy="commonplace forget {id[1]}"' in shown
    assert json.loads(commonplace(reading.root, "show", id[1], "--json"))["source"].endswith(f"#L{stated}")

    plain = reading.view(f"at/memory/2025-11-26.md?line={told}").body
    assert "Change or delete this line in its file" in plain
    for other in (f"at/memory/2025-11-26.md?line={told}", "at/bank/entities/Peter.md?line=5", "at/MEMORY.md?all=1"):
        assert "commonplace correct" not in reading.view(other).body, other


def test_a_name_that_nobody_knows_is_asked_for_one_click_away(reading: Served) -> None:
    for name, address in (("Nobody at all", "ask?q=Nobody%20at%20all"), ("無名", "ask?q=%E7%84%A1%E5%90%8D")):
        answer = reading.view(f"entity/{quote(name)}")
        assert answer.status == 404
        assert f'href="{address}"' in answer.body
    assert "commonplace recall" not in answer.body
    assert 'href="ask?q=' not in reading.view("nowhere").body


def test_a_merge_that_cannot_be_keeps_what_was_typed(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "entity/Peter")
    field = page.get_by_label("Another name of it")
    field.fill("Petronella")
    field.press("Enter")
    expect(page.locator(".refusal")).to_contain_text("Petronella")
    expect(page.locator(".refusal")).to_be_in_viewport()
    expect(field).to_have_value("Petronella")
    expect(page.locator("h1")).to_have_text("Peter")
    assert reading.view("merge?into=Petronella&other=Peter").status == 404


def test_what_is_left_out_is_counted_once_and_a_link_shows_more(workspace: Write) -> None:
    days = {
        f"memory/2025-11-{day:02}.md": "".join(f"- Painted boat {day}-{at} of the harbour.\n" for at in range(40))
        for day in range(24, 31)
    }
    with serving(workspace(days)) as served:
        (told,) = re.findall(r'role="status">(\d+ lines.*?)</p>', served.view("ask?q=what+happened+last+week").body)
        assert re.fullmatch(r"10 lines, at least \d+ more were found", told), told
        assert "k=20" in served.view("ask?q=what+happened+last+week").body
        assert "· " in served.view("ask?q=zeppelins+harbour").body


def test_health_says_first_what_is_wrong_once_and_where(workspace: Write, tabs: Tabs) -> None:
    root = workspace({"memory/2025-11-24.md": "- The password of the boat shed is hunter2hunter2.\n- W @Ida: Sold.\n"})
    with (root / "memory/2025-11-24.md").open("ab") as log:
        log.write(b"- A stray \xff byte.\n")
    with serving(root) as served:
        shown = served.ready("health")
        (headings) = re.findall(r"<h2>(.*?)</h2>", shown)
        assert headings[:2] == ["The Markdown", "Program and system"]
        assert "(not-utf8)" not in shown
        assert "× not utf8" in shown
        assert shown.count("is not UTF-8 at byte") == 1
        page = tabs.open(served, "health")
        row = page.locator(".row", has_text="is not UTF-8 at byte")
        row.focus()
        page.keyboard.press("o")
        expect(row.locator(".file.opened .here")).to_contain_text("stray")
        tabs.close()


def test_on_a_phone_more_leads_to_ask_reflect_and_health(tabs: Tabs, reading: Served) -> None:
    for scripts in (True, False):
        page = tabs.open(reading, "", viewport=NARROW, java_script_enabled=scripts)
        bar = page.get_by_role("navigation", name="Views, short")
        for name in ("Ask", "Reflect", "Health"):
            page.goto(reading.at("entities"))
            bar.get_by_role("button", name="More").click()
            bar.get_by_role("link", name=name).click()
            expect(page).to_have_url(reading.at(name.lower()))
            expect(bar.get_by_role("button", name=name)).to_have_attribute("aria-current", "page")


def test_on_a_phone_what_is_pressed_is_large_and_the_day_stands_in_one_row(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "review", viewport=NARROW)
    expect(page.locator(".verdicts label").first).to_be_visible()
    heights = page.locator(".verdicts span").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert min(heights) >= 40, heights
    page.goto(reading.at("ask?q=backups"))
    tops = page.locator(".asof-form > *").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(each => [each.top + each.height / 2, each.right])"
    )
    assert max(top for top, _ in tops) - min(top for top, _ in tops) < 6, tops
    assert tops[-1][1] > 360, tops  # it ends where the lines end


def test_the_head_of_an_opened_line_is_one_even_row(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "ask?q=when+do+the+backups+run")
    page.locator("#found .row").first.focus()
    page.keyboard.press("o")
    parts = page.locator(".file.opened figcaption > span")
    expect(parts).to_have_count(2)
    tops = parts.evaluate_all("all => all.map(each => each.getBoundingClientRect()).map(each => each.top)")
    assert abs(tops[0] - tops[1]) < 3, tops


def test_a_folder_that_tells_nothing_leads_from_the_log_to_reflect_and_review(tmp_path: Path, reading: Served) -> None:
    commonplace(tmp_path, "init")
    with serving(tmp_path) as served:
        for view in ("", "entities", "opinions", "review", "reflect"):
            shown = served.ready(view).partition("<main")[2]
            assert f"<code>memory/{TODAY}.md</code>" in shown, view
            assert shown.index('<a href="reflect">') < shown.index('<a href="review">'), view
            assert shown.count("Nothing waits for you.") == (view == "review"), view
            assert "O(c=" not in shown, view
    for view in ("ask?q=zeppelin", "entity/Peter", "day/2025-06-15"):
        assert "next to nothing" not in reading.view(view).body, view


@pytest.mark.parametrize("width", [390, 1280])
def test_the_words_below_an_opinion_end_before_its_course(workspace: Write, tabs: Tabs, width: int) -> None:
    said = "- O(c=0.8) @Marguerite-of-the-Harbour: Prefers {} mode over {} mode.\n"
    logs = {
        "memory/2025-11-05.md": said.format("dark", "light"),
        "memory/2025-11-18.md": said.format("light", "dark"),
    }
    root = workspace({path: f"## Retain\n{text}" for path, text in logs.items()})
    commonplace(root, "reflect", "--yes")
    with serving(root) as served:
        served.ready("opinions")
        page = tabs.open(served, "opinions", viewport={"width": width, "height": 900})
        expect(page.locator(".op .spark").first).to_be_visible()
        over = page.locator(".op").evaluate_all(
            """all => all.filter(each => {
              const words = document.createRange();
              words.selectNodeContents(each.querySelector("small"));
              return words.getBoundingClientRect().right > each.querySelector(".spark").getBoundingClientRect().left;
            }).length"""
        )
        assert over == 0
        tabs.close()
