"""Renewals that cross each other, or do not arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.doors.page.served import TODAY

if TYPE_CHECKING:
    from playwright.sync_api import Route
    from tests.doors.page.served import Served
    from tests.doors.page.tabs import Tabs

VIEW = f"day/{TODAY}"
HEIGHT = "document.querySelector('#news').offsetHeight"
LOST = "() => document.querySelector('main').textContent.includes('The pelican sings.') || lost++"


def _log(served: Served, words: str) -> None:
    with (served.root / f"memory/{TODAY}.md").open("a", encoding="utf-8") as log:
        log.write(f"\n- {words}\n")


def test_a_slow_renewal_does_not_undo_a_later_one(writing: Served, tabs: Tabs) -> None:
    writing.ready(VIEW)
    page = tabs.open(writing, VIEW)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    older = writing.view(VIEW).body
    page.route(writing.at(VIEW), hold)
    with page.expect_request(writing.at(VIEW)):
        _log(writing, "The pelican sings.")
    _log(writing, "The heron listens.")  # a second renewal, while the first one waits
    expect(page.get_by_role("main")).to_contain_text("The heron listens.")
    page.evaluate(
        f"window.lost = 0; new MutationObserver({LOST}).observe(document.body, {{childList: true, subtree: true}})"
    )
    with page.expect_response(writing.at(VIEW)):
        held[0].fulfill(body=older, content_type="text/html; charset=utf-8")
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    assert page.evaluate("lost") == 0


@pytest.mark.parametrize("view", ["", VIEW, "entity/Peter", "ask?q=pelican", "opinions"])
def test_an_open_view_is_renewed_once_or_twice_after_a_save(writing: Served, view: str) -> None:
    times = writing.told(view, lambda: _log(writing, "The pelican sings."), 4)
    assert times
    assert len(times) <= 2 + times[-1] - times[0], times  # where answers take long, one more each second


def test_a_second_save_soon_after_the_first_is_shown(writing: Served, tabs: Tabs) -> None:
    writing.ready(VIEW)
    page = tabs.open(writing, VIEW)
    _log(writing, "The pelican sings.")
    expect(page.get_by_role("main")).to_contain_text("The pelican sings.")
    log = writing.root / f"memory/{TODAY}.md"
    log.write_text(log.read_text(encoding="utf-8").replace("pelican", "ostrich"), encoding="utf-8")  # as many bytes
    expect(page.get_by_role("main")).to_contain_text("The ostrich sings.")


def test_a_view_whose_renewal_fails_stays_and_says_so(writing: Served, tabs: Tabs) -> None:
    line = f"at/memory/{TODAY}.md?line=1"
    _log(writing, "The pelican sings.")
    writing.ready(line)
    page = tabs.open(writing, line)
    main, news = page.get_by_role("main"), page.locator("#news")
    expect(main).to_contain_text("The pelican sings.")
    log = writing.root / f"memory/{TODAY}.md"
    log.rename(writing.root / "aside")
    expect(news).to_contain_text("This could not be renewed")
    expect(news).to_contain_text(f"memory/{TODAY}.md")
    expect(main).to_contain_text("The pelican sings.")
    with page.expect_response(writing.at(line)):
        page.keyboard.press(".")
    expect(news).to_contain_text("This could not be renewed")
    page.wait_for_function(f"() => {{ const high = {HEIGHT}; return high > 0 && high < 60 }}")
    (writing.root / "aside").rename(log)
    _log(writing, "The heron listens.")
    expect(main).to_contain_text("The heron listens.")
    expect(news).to_be_hidden()
    expect(news).to_contain_text("There is something new")


def test_what_was_an_error_is_renewed_by_a_view_and_by_another_error(writing: Served, tabs: Tabs) -> None:
    line = "at/memory/2025-11-30-late.md?line=1"
    page = tabs.open(writing, line)
    main = page.get_by_role("main")
    expect(main).to_contain_text("That did not work")
    generation = page.locator("html").get_attribute("data-generation")
    _log(writing, "The pelican sings.")
    expect(page.locator("html")).not_to_have_attribute("data-generation", generation or "")
    expect(page.locator("#news")).to_be_hidden()
    (writing.root / "memory/2025-11-30-late.md").write_text("# Late\n\nThe heron listens.\n", encoding="utf-8")
    expect(main).to_contain_text("The heron listens.")


def test_news_that_did_not_arrive_is_offered(writing: Served, tabs: Tabs) -> None:
    writing.ready(VIEW)
    page = tabs.open(writing, VIEW)
    page.route(writing.at(VIEW), lambda route: route.abort())
    _log(writing, "The pelican sings.")
    news = page.locator("#news")
    expect(news).to_be_visible()
    page.unroute(writing.at(VIEW))
    page.keyboard.press(".")
    expect(page.get_by_role("main")).to_contain_text("The pelican sings.")
    expect(news).to_be_hidden()
    tabs.wrong = [each for each in tabs.wrong if "ERR_FAILED" not in each]
