"""What the local page promises, each tried in the system's Chromium with a real server over a real folder."""

from __future__ import annotations

import json
import re
import threading
import time
import webbrowser
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from tests.doors.mcp.test_mcp_life import large
from tests.doors.page.served import TODAY, VIEWS, Served, commonplace, serving
from tests.doors.page.tabs import FOREIGN, NARROW, WIDE, Tabs
from tests.registry import unpacked

from commonplace.doors.page import serve_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route
    from tests.conftest import Write

AXE = "axe-core@4.14.1"
SOON = 5_000
"""Milliseconds for what takes one second on a machine without other work."""
LOG = f"memory/{TODAY}.md"

expect.set_options(timeout=20_000)


def truth(root: Path) -> dict[str, bytes]:
    """Every file that people own, by its path."""
    files = (each for each in root.rglob("*.md") if ".memory" not in each.parts)
    return {str(each.relative_to(root)): each.read_bytes() for each in files}


def settled(page: Page) -> None:
    """Wait until everything in a view is known."""
    expect(page.locator("main progress")).to_have_count(0)


def written(root: Path, path: str, text: str) -> None:
    """Add to a file, as an editor does."""
    file = root / path
    file.write_text((file.read_text(encoding="utf-8") if file.exists() else "") + text, encoding="utf-8")


@contextmanager
def another_site(body: str) -> Iterator[int]:
    """The port of a page that is not ours."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = body.encode() if self.path == "/" else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


# ---------------------------------------------------------------------- security


def test_1_the_address_opens_the_page_once(tabs: Tabs, reading: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    address = reading.address()
    page = tabs.context(reading).new_page()
    page.context.clear_cookies()

    def opened(file: str) -> bool:
        page.goto(file)
        page.wait_for_url(reading.at(""))
        return True

    monkeypatch.setattr(webbrowser, "open", opened)
    serve_page._browse(address, 0)  # a file of this user, which leads on to the address
    expect(page.get_by_role("heading", level=1)).to_have_text("Monday, 1 December 2025")
    tabs.requests = [each for each in tabs.requests if not each.url.startswith("file:")]

    page.goto(address)
    expect(page.locator("body")).to_contain_text("was used before")
    page.goto(reading.at("review"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")

    stranger = tabs.context(None).new_page()  # a bookmark of an earlier run, or another account
    stranger.goto(reading.at("review"))
    expect(stranger.locator("code")).to_have_text("commonplace serve")


def test_2_a_foreign_name_for_this_machine_shows_nothing(tabs: Tabs, reading: Served) -> None:
    context = tabs.context(reading)
    for name in (FOREIGN, "localhost"):
        page = context.new_page()
        answer = page.goto(f"http://{name}:{reading.port}{reading.base}")
        assert answer is not None
        assert answer.status == 400
        expect(page.locator("p").first).to_have_text("This is not the address of the page.")
    tabs.requests.clear()  # they were our own attempts
    tabs.wrong = [each for each in tabs.wrong if "Cross-Origin-Opener-Policy" not in each]  # it asks for HTTPS


@pytest.mark.parametrize("site", ["127.0.0.1", FOREIGN])
def test_3_another_site_can_neither_write_nor_look(writing: Served, tabs: Tabs, site: str) -> None:
    page = tabs.open(writing, "review")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    before = truth(writing.root)
    body = f"""<!doctype html><title>elsewhere</title><iframe src="{writing.at("")}"></iframe>
      <script src="{writing.at("static/page.js")}" onerror="window.failed = 1" onload="window.loaded = 1"></script>
      <form method="post" action="{writing.at("review")}"><input name="field" value="{writing.field()}">
      <input name="do" value="undo"><button>Win a prize</button></form>"""
    with another_site(body) as port:
        page.goto(f"http://{site}:{port}/")
        assert page.evaluate("[window.failed, window.loaded]") == [1, None]
        # the origin of a frame that was refused is nobody's
        assert not any(frame.url.startswith(writing.origin) and frame.title() for frame in page.frames[1:])
        for options in (
            {"method": "POST", "mode": "no-cors", "credentials": "include", "body": "do=undo"},
            {"mode": "no-cors", "credentials": "include"},
            {"credentials": "include"},
        ):
            shown = page.evaluate(
                "async ([address, options]) => fetch(address, options).then(a => a.text()).catch(() => '')",
                [writing.at("review"), options],
            )
            assert shown == ""
        with page.expect_navigation() as sent:
            page.get_by_role("button").click()
        assert sent.value.status == 403
        expect(page.locator("p").first).to_contain_text(re.compile("Another page sent this|was not opened from here"))
    assert truth(writing.root) == before
    tabs.requests.clear()
    tabs.wrong.clear()  # what the other site said of its failures


def test_5_nothing_is_asked_of_anybody_else(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading)
    for view in VIEWS.values():
        page.goto(reading.at(view))
        settled(page)
    kinds = {each.resource_type for each in tabs.requests}
    assert kinds <= {"document", "stylesheet", "script", "image", "xhr", "eventsource", "other"}, kinds
    assert len(tabs.asked_of(reading, "")) >= len(VIEWS)
    assert page.context.cookies() == [
        {**page.context.cookies()[0], "httpOnly": True, "sameSite": "Strict", "path": reading.base, "expires": -1}
    ]
    assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]


# ---------------------------------------------------------------------- for everyone


def test_6_axe_finds_nothing(tabs: Tabs, reading: Served) -> None:
    axe = (unpacked(AXE) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = tabs.open(reading)
    devtools = page.context.new_cdp_session(page)
    found = []
    for name, view in VIEWS.items():
        page.goto(reading.at(view))
        settled(page)
        devtools.send("Runtime.evaluate", {"expression": axe})  # the policy of the page keeps scripts out
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}  # all others do not look at it
                asked = {"resultTypes": ["violations"], **rules}
                for each in page.evaluate("asked => axe.run(document, asked)", asked)["violations"]:
                    where = [node["target"] for node in each["nodes"]][:3]
                    found.append(f"{name}, {size['width']}, {scheme}: {each['id']} at {where}")
    assert found == []


def test_17_without_javascript_all_is_read_and_reviewed(writing: Served, tabs: Tabs) -> None:
    page = tabs.context(writing, java_script_enabled=False).new_page()
    for name, view in VIEWS.items():
        writing.ready(view)
        page.goto(writing.at(view))
        expect(page.get_by_role("heading", level=1).first, name).to_be_attached()
        assert len(page.locator("main").inner_text()) > 20, name
    assert not [each for each in tabs.requests if each.resource_type in ("xhr", "eventsource")]

    page.goto(writing.at("ask"))
    page.get_by_label("Ask the memory").fill("backups of The Castle")
    page.get_by_label("Ask the memory").press("Enter")
    expect(page.locator("#found .row").first).to_be_visible()

    before = truth(writing.root)
    page.goto(writing.at("review"))
    page.locator(".question", has=page.locator("details.edit")).first.get_by_text("Drop", exact=True).click()
    page.get_by_role("button", name="Show what these answers do").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    assert truth(writing.root) == before
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    assert truth(writing.root) != before
    page.get_by_role("button", name="Take back 1 answer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    assert truth(writing.root) == before


def test_18_nothing_is_wider_than_the_window(tabs: Tabs, reading: Served) -> None:
    small = tabs.open(reading, viewport={"width": 320, "height": 640})
    zoomed = tabs.open(reading, viewport={"width": 640, "height": 450}, device_scale_factor=2)  # 200 % of 1280
    wider = []
    for name, view in VIEWS.items():
        for page in (small, zoomed):
            page.goto(reading.at(view))
            settled(page)
            inside, outside = page.evaluate(
                "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
            )
            if outside > inside:
                wider.append(f"{name}: {outside} in {inside}")
    assert wider == []
    expect(small.get_by_role("navigation", name="Views, short")).to_be_visible()


def test_19_print_drops_what_is_no_content_and_shows_citations(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, color_scheme="dark")
    page.emulate_media(media="print")
    for view in ("", VIEWS["answers"], "entity/Peter", "opinion/o-6kq0", "day/2025-11-26", "review"):
        page.goto(reading.at(view))
        settled(page)
        for each in page.locator(".top, nav, .tabs, .act, .list, .ask .btn").all():
            expect(each).to_be_hidden()
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    page.goto(reading.at(VIEWS["answers"]))
    cited = page.locator(".cite").first
    box = cited.bounding_box()
    assert box is not None
    assert re.search(r"\w+\.md#L\d+", cited.inner_text()), cited.inner_text()
    assert box["width"] > 60, box
    assert page.pdf().startswith(b"%PDF")


SAMPLES = {
    "ja": "連絡はチャットよりメールを好む",
    "zh-Hans": "不喜欢语音消息，更喜欢文字",
    "zh-Hant": "週三把發票寄給會計師",
    "hi": "लंबे संदेशों के बजाय छोटी सूचियाँ पसंद हैं",
    "da": "Foretrækker te frem for kaffe",
    "en": "Prefers small commits with one idea each",
}
"""BCP 47 -> a statement in that language."""


def test_20_six_languages_are_marked_and_have_their_glyphs(writing: Served, tabs: Tabs) -> None:
    written(writing.root, LOG, "\n## Retain\n" + "".join(f"- W @Glossar: {each}\n" for each in SAMPLES.values()))
    page = tabs.open(writing, f"day/{TODAY}", java_script_enabled=False)  # it stays as it is
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    fonts = {}
    for tag, text in SAMPLES.items():
        line = page.locator("bdi", has_text=text).first
        marked = line.evaluate("each => each.closest('[lang]').lang")
        assert marked == ("en" if tag == "da" and marked == "en" else tag)
        line.evaluate("each => (each.id = 'sample')")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "#sample"})["nodeId"]
        used = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        fonts[tag] = max(used, key=lambda each: each["glyphCount"])["familyName"]
        line.evaluate("each => each.removeAttribute('id')")
        assert page.evaluate(TOFU, text) == [], (tag, fonts[tag])
    assert len({fonts["ja"], fonts["zh-Hans"], fonts["zh-Hant"]}) == 3, fonts  # one ideograph, three shapes
    assert "Devanagari" in fonts["hi"] or "Deva" in fonts["hi"] or fonts["hi"] != fonts["en"], fonts


TOFU = r"""text => {
  const pixels = character => {
    const paper = new OffscreenCanvas(48, 48).getContext("2d");
    paper.font = `32px ${getComputedStyle(document.querySelector("#main bdi")).fontFamily}`;
    paper.fillText(character, 4, 36);
    return [...paper.getImageData(0, 0, 48, 48).data].join();
  };
  const missing = pixels("\u{10fff0}");
  return [...new Set(text)].filter(each => /\p{L}/u.test(each) && pixels(each) === missing);
}"""
"""The letters of a text that are drawn as a letter is that no font has."""


# ---------------------------------------------------------------------- ask


def test_7_asks_by_keys_and_opens_the_line(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading)
    settled(page)
    page.keyboard.press("/")
    page.keyboard.type("when do the backups at The Castle run", delay=5)
    first = page.locator("#found .row").first
    expect(first).to_contain_text(re.compile("backup", re.I))
    expect(page).to_have_url(re.compile(r"ask\?q=when.*run$"))
    expect(page).to_have_title(re.compile("^when do the backups at The Castle run – "))

    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(first).to_be_focused()
    page.keyboard.press("o")
    expect(first.locator(".file.opened .here")).to_contain_text(re.compile("backup", re.I))
    page.keyboard.press("o")
    expect(page.locator(".file.opened")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".file.opened")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".file.opened")).to_have_count(0)

    for key, title in (("t", "Monday, 1 December 2025"), ("e", "Entities"), ("o", "Opinions"), ("h", "Health")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.goto(reading.at("day/2025-11-26"))
    page.keyboard.press("[")
    expect(page).to_have_url(reading.at("day/2025-11-25"))
    page.keyboard.press("]")
    expect(page).to_have_url(reading.at("day/2025-11-26"))


def test_8_why_it_believes_something_is_two_clicks_away(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading)
    page.get_by_role("navigation", name="Views", exact=True).get_by_role("link", name="Opinions").click()
    page.get_by_role("link", name=re.compile("Prefers Signal over WhatsApp")).first.click()
    steps = page.locator(".evidence .row")
    expect(steps.first).to_contain_text("first stated")
    assert steps.count() >= 4
    expect(steps.last.locator(".did")).to_contain_text(re.compile(r"0\.\d\d → 0\.51"))
    for each in steps.all():
        expect(each.locator(".cite")).to_have_attribute("href", re.compile(r"^at/memory/[\d-]+\.md\?line=\d+#here$"))
    steps.last.locator(".cite").click()
    expect(page.locator(".file .here")).to_be_in_viewport()

    page.goto(reading.at("entity/Peter"))
    page.locator(".side .op", has_text="Prefers Signal over WhatsApp").get_by_role("link").click()
    expect(steps.first).to_contain_text("first stated")

    page.goto(reading.at("ask?q=Signal+over+WhatsApp"))
    page.locator("#found .row", has_text="Prefers Signal over WhatsApp").get_by_role(
        "link", name="held at"
    ).first.click()
    expect(page.locator(".detail .title")).to_contain_text("Prefers Signal over WhatsApp")
    expect(steps.first).to_contain_text("first stated")


def test_8b_a_confidence_is_set_by_hand_unless_its_line_has_changed(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "opinion/o-6kq0")
    field = page.get_by_label("Set it by hand")
    expect(field).to_have_value("0.51")
    opinions = writing.root / "bank/opinions.md"
    before = opinions.read_text(encoding="utf-8")
    field.fill("0.9")
    field.press("Enter")
    expect(page.locator(".verdict b").first).to_have_text("0.90")
    after = opinions.read_text(encoding="utf-8")
    changed = [(old, new) for old, new in zip(before.split("\n"), after.split("\n"), strict=True) if old != new]
    assert [new for _, new in changed] == [old.replace("(c=0.51)", "(c=0.90)") for old, _ in changed]
    assert len(changed) == 1

    page.get_by_role("button", name=re.compile("Take back the 0.90 of “Prefers Signal")).click()
    expect(page.locator("main")).to_contain_text("restored")
    assert opinions.read_text(encoding="utf-8") == before

    page.goto(writing.at("opinion/o-6kq0"))
    field.fill("0.9")
    field.press("Enter")
    expect(page.locator(".verdict b").first).to_have_text("0.90")
    opinions.write_text("Mine, above all.\n\n" + after, encoding="utf-8")  # the line is another one's now
    field.fill("0.2")
    field.press("Enter")
    expect(page.locator(".refusal")).to_contain_text("does not stand in that line any more")
    assert opinions.read_text(encoding="utf-8") == "Mine, above all.\n\n" + after
    opinions.write_text(after.replace("(c=0.90)", "(c=0.40)"), encoding="utf-8")
    page.goto(writing.at("opinion/o-6kq0"))
    page.get_by_role("button", name=re.compile("Take back the 0.90 of “Prefers Signal")).click()
    expect(page.locator("main")).to_contain_text("left")
    assert opinions.read_text(encoding="utf-8") == after.replace("(c=0.90)", "(c=0.40)")
    tabs.wrong = [each for each in tabs.wrong if "409" not in each]  # Chromium reports the refusal


def test_8c_what_counted_before_a_confidence_was_set_by_hand_is_still_told(writing: Served, tabs: Tabs) -> None:
    (signal,) = re.findall(r"Signal over WhatsApp[^^]*\^(o-\w+)", (writing.root / "bank/opinions.md").read_text())[:1]
    page = tabs.open(writing, f"opinion/{signal}")
    rows = page.locator(".evidence .row, .ledger .row")
    before = [text.replace("\n", " ") for text in rows.all_inner_texts()]
    assert any("against" in text for text in before)
    page.get_by_label("Set it by hand").fill("0.2")
    page.keyboard.press("Enter")
    expect(page.locator(".role.hand")).to_have_count(1)
    after = [text.replace("\n", " ") for text in rows.all_inner_texts()]
    assert after[: len(before)] == before
    expect(page.locator(".verdict")).to_contain_text("spoke against it")
    expect(page.locator(".verdict")).to_contain_text("Set by hand since")
    expect(page.locator(".list .op.cur small")).to_contain_text("against, set by hand")
    assert page.locator("svg.plot.wide text", has_text="0.20").count() == 1  # at the end of its line, not twice
    assert "its line is gone" not in page.locator("main").inner_text()


def test_8d_of_what_has_no_fact_and_no_page_the_lines_are_shown(tabs: Tabs, reading: Served) -> None:
    known = json.loads(commonplace(reading.root, "entity", "--json"))["entities"]
    bare = [each["name"] for each in known if not each["page"]]
    found = next(name for name in bare if not json.loads(commonplace(reading.root, "entity", name, "--json"))["facts"])
    page = tabs.open(reading, f"entity/{quote(found)}")
    expect(page.get_by_role("heading", name="What the logs say")).to_be_visible()
    assert page.locator(".ledger .row").count() >= 1


def test_9_as_of_changes_the_answers(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "ask?q=Prefers+WhatsApp+over+Signal+for+family+messages")
    rows = page.locator("#found .row")
    expect(rows.filter(has_text="over Signal for family").first).to_be_visible()
    page.get_by_label("as known on").fill("2025-10-31")
    page.get_by_label("as known on").press("Enter")
    expect(page).to_have_url(re.compile("as_of=2025-10-31"))
    expect(rows.first).to_be_visible()
    days = [each.get_attribute("datetime") for each in page.locator("#found time").all()]
    assert days
    assert all(each is not None and each <= "2025-10-31" for each in days), days
    expect(rows.filter(has_text="Prefers WhatsApp over Signal for family")).to_have_count(0)

    page.locator("#q").fill("family messages")  # a search while typing keeps the day
    expect(page).to_have_url(re.compile("q=family.messages&as_of=2025-10-31"))

    page.goto(reading.at("opinion/o-6kq0"))
    now = page.locator("article b.c").first.inner_text()
    page.goto(reading.at("opinion/o-6kq0?as_of=2025-11-15"))
    settled(page)
    expect(page.locator("article b.c").first).not_to_have_text(now)


def test_10_composing_with_an_input_method_presses_no_key_and_asks_nothing(tabs: Tabs, reading: Served) -> None:
    page = tabs.open(reading, "ask")
    settled(page)
    method = page.context.new_cdp_session(page)
    page.locator("#q").focus()
    for part in ("g", "ぎ", "ぎj", "ぎじ", "議事"):
        event = {"key": "Process", "code": "KeyJ", "windowsVirtualKeyCode": 229}
        method.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **event})
        method.send("Input.imeSetComposition", {"text": part, "selectionStart": len(part), "selectionEnd": len(part)})
        method.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})
    assert (
        page.evaluate("new Promise(done => setTimeout(() => done(document.querySelector('#q').value), 300))") == "議事"
    )
    assert tabs.asked_of(reading, "ask?q=") == []
    expect(page).to_have_url(reading.at("ask"))

    method.send("Input.insertText", {"text": "バックアップ"})  # what was composed is chosen: now it is asked
    expect(page).to_have_url(re.compile(r"ask\?q=%E3%83%90"))
    assert len(tabs.asked_of(reading, "ask?q=")) == 1


# ---------------------------------------------------------------------- decide


def test_11_reviews_by_keys_applies_and_takes_back(writing: Served, tabs: Tabs) -> None:
    before = truth(writing.root)
    page = tabs.open(writing, "review")
    questions = page.locator(".question", has=page.locator("details.edit"))
    expect(questions.nth(2)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator(".question").first).to_be_focused()
    page.keyboard.press("a")  # a name, which gets a page of its own
    questions.first.focus()
    page.keyboard.press("a")
    expect(questions.nth(1)).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("x")
    page.keyboard.press("k")
    page.keyboard.press("u")
    expect(page.locator("#pending")).to_have_text("3 decided, not applied")
    page.reload()
    expect(page.locator("#pending")).to_have_text("3 decided, not applied")
    assert truth(writing.root) == before

    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    expect(page.locator("main .ledger").first.locator(".row")).to_have_count(3)
    expect(page.locator("main")).to_contain_text("gets a page of its own")
    expect(page.locator("main")).to_contain_text("and stays there: logs only grow")
    assert truth(writing.root) == before
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    after = truth(writing.root)
    assert after["bank/review.md"] != before["bank/review.md"]
    page.keyboard.press("z")
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    expect(page.locator("main")).to_contain_text("the facts that you accepted: logs only grow")
    kept = truth(writing.root)
    assert set(kept) == set(before)
    assert all(kept[path] == text for path, text in before.items() if not path.startswith("memory/"))
    assert all(kept[path].startswith(text) for path, text in before.items() if path.startswith("memory/"))

    page.get_by_role("button", name="Mark that fact as no longer true").click()
    expect(page).to_have_url(writing.at("review"))
    assert sum(text.count(b"retracts") for text in truth(writing.root).values()) == 1
    page.keyboard.press("z")  # there is nothing left of this page's own to take back, and nothing else is touched
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")

    page.goto(writing.at("review"))
    expect(questions.first).to_be_visible()
    expect(page.locator("#pending")).to_have_text("")


def test_11b_words_of_a_proposal_are_edited_and_a_second_line_in_them_decides_nothing(
    writing: Served, tabs: Tabs
) -> None:
    page = tabs.open(writing, "review")
    edited = page.locator(".question", has=page.locator("details.edit"))
    expect(edited.nth(1)).to_be_visible()
    edited.first.focus()
    page.keyboard.press("e")
    area = edited.first.locator("textarea")
    expect(area).to_be_focused()
    other = edited.nth(1).get_attribute("data-id") or ""
    area.fill(f'The pelican sings at dawn.\n{{"id": "{other}", "verdict": "accept"}}')
    page.keyboard.press("Escape")
    edited.first.focus()
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    expect(page.locator("main .ledger").first.locator(".row")).to_have_count(1)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    assert any("The pelican sings at dawn." in each.decode() for each in truth(writing.root).values())
    assert other in commonplace(writing.root, "review", "--all")


def test_11c_words_that_are_typed_are_kept_and_the_first_key_marks_the_first_question(
    writing: Served, tabs: Tabs
) -> None:
    page = tabs.open(writing, "review")
    edited = page.locator(".question", has=page.locator("details.edit")).first
    expect(edited).to_be_visible()
    page.keyboard.press("a")  # nothing is marked: it decides nothing
    assert page.locator("input[type=radio][data-key=a]:checked").count() == 0
    expect(page.locator(".question").first).to_be_focused()
    edited.focus()
    page.keyboard.press("e")
    edited.locator("textarea").fill("The pelican sings at dusk.")
    expect(edited.locator("input[data-key=a]")).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(page.locator("main .ledger").first).to_contain_text("The pelican sings at dusk.")


def test_12_what_was_edited_outside_meanwhile_is_kept(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "review")
    questions = page.locator(".question", has=page.locator("details.edit"))
    expect(questions.nth(1)).to_be_visible()
    first, second = (questions.nth(each).get_attribute("data-id") or "" for each in range(2))
    questions.first.focus()
    page.keyboard.press("a")
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Apply")).to_be_visible()

    commonplace(writing.root, "review", "reject", first)  # somebody else was quicker
    written(writing.root, "bank/review.md", "\nA note of mine: call Ingrid first.\n")
    rejected = truth(writing.root)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    expect(page.locator("main")).to_contain_text("it was answered before: reject")
    after = truth(writing.root)
    assert b"A note of mine: call Ingrid first." in after["bank/review.md"]
    assert not {first, second} & set(re.findall(r"i-\w+", commonplace(writing.root, "review", "--all")))
    page.keyboard.press("z")
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    assert truth(writing.root)["bank/review.md"] == rejected["bank/review.md"]


def test_12b_of_two_tabs_the_first_answer_stands_and_the_way_back_sends_no_form(writing: Served, tabs: Tabs) -> None:
    first, second = tabs.open(writing, "review"), tabs.open(writing, "review")
    asked = [page.locator(".question", has=page.locator("details.edit")).first for page in (first, second)]
    id = asked[0].get_attribute("data-id")
    for page, question, word in ((first, asked[0], "Keep"), (second, asked[1], "Drop")):
        question.get_by_text(word, exact=True).click()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    for page in (first, second):
        page.get_by_role("button", name="Apply").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    expect(second.locator(".refusal")).to_contain_text("it was answered before: accepted; that stands")
    assert "[x]" in next(
        line for line in (writing.root / "bank/review.md").read_text().splitlines() if f"^{id}" in line
    )
    expect(second.get_by_role("button", name=re.compile("Take back"))).to_have_text("Take back 1 answer")
    expect(first.get_by_role("heading", name="Pages renewed")).to_be_visible()
    first.go_back()
    expect(first.get_by_role("heading", level=1)).not_to_have_text("Applied")
    first.go_forward()
    expect(first.get_by_role("heading", level=1)).to_have_text("Applied")


def test_13_reflect_is_shown_written_and_taken_back(writing: Served, tabs: Tabs) -> None:
    written(writing.root, LOG, "\n## Retain\n- W @Peter: Landed in Vienna on December 1, 2025 with KP 418.\n")
    before = truth(writing.root)
    page = tabs.open(writing, "reflect")
    settled(page)
    added = page.locator(".diff .plus", has_text="KP 418").first
    expect(added).to_be_visible()
    assert truth(writing.root) == before

    page.keyboard.press("Control+Enter")
    expect(page.locator(".refusal.good")).to_be_visible()
    after = truth(writing.root)
    assert b"KP 418" in after["bank/entities/Peter.md"]
    assert b"KP 418" not in before["bank/entities/Peter.md"]
    page.get_by_role("button", name=re.compile("Take back the reflect")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    assert truth(writing.root) == before


def test_13_what_another_program_changed_since_is_not_taken_back(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "review")
    page.locator(".question", has=page.locator("details.edit")).first.get_by_text("Drop", exact=True).click()
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    rejected = truth(writing.root)["bank/review.md"]
    commonplace(writing.root, "entity", "merge", "Peter", "Andy")  # another program
    merged = truth(writing.root)
    page.get_by_role("button", name="Take back 1 answer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken back")
    after = truth(writing.root)
    assert after.pop("bank/review.md") != rejected
    assert {path: text for path, text in merged.items() if path != "bank/review.md"} == after


def test_16_a_reflect_is_cancelled_and_has_written_nothing(workspace: Write, tabs: Tabs) -> None:
    root = large(workspace, people=80, days=60)
    before = truth(root)
    with serving(root) as served:
        served.ready("reflect")
        page = tabs.open(served, "reflect")
        page.get_by_role("button", name="Write these").click()
        expect(page.get_by_role("progressbar", name="Reflecting")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".refusal")).to_contain_text("was cancelled")
        assert truth(root) == before
        page.goto(served.at("ask?q=who+repaired+boat+3%3F"))  # the next is served
        expect(page.locator("#found .row").first).to_be_visible()
        tabs.close()


# ---------------------------------------------------------------------- live


def test_14_a_save_shows_within_a_second_and_takes_nothing_that_is_being_written(writing: Served, tabs: Tabs) -> None:
    context = tabs.context(writing)
    day, review = context.new_page(), context.new_page()
    day.goto(writing.at("day/2025-11-26"))
    review.goto(writing.at("review"))
    expect(review.locator(".question").first).to_be_visible()
    expect(day.locator(".log")).to_be_visible()
    review.locator("details.edit summary").first.click()
    review.locator("textarea").first.fill("Half a sentence")

    written(writing.root, "memory/2025-11-26.md", "\n- W @Peter: The pelican sings at noon.\n")
    expect(day.get_by_text("The pelican sings at noon.")).to_be_visible(timeout=SOON)
    expect(review.locator("#news")).to_be_visible(timeout=SOON)
    expect(review.locator("textarea").first).to_have_value("Half a sentence")
    expect(review.locator("textarea").first).to_be_focused()
    review.keyboard.press("Escape")
    shown = review.locator("html").get_attribute("data-generation")
    news = review.locator("#news")
    for _ in range(20):  # a view that is renewed late is news again
        review.keyboard.press(".")
        review.wait_for_timeout(300)
        if news.is_hidden():
            break
    expect(news).to_be_hidden()
    expect(review.locator("html")).not_to_have_attribute("data-generation", shown or "")
    expect(review.locator("textarea").first).to_have_value("Half a sentence")

    (writing.root / "memory/2025-11-26.md").write_text("# Anew\n\nThe heron answers.\n", encoding="utf-8")
    expect(day.get_by_text("The heron answers.")).to_be_visible(timeout=SOON)
    expect(day.get_by_text("The pelican sings at noon.")).to_have_count(0)


def _restate(served: Served) -> None:
    """Change what an opinion says: a line of a log need not change its view."""
    opinions = served.root / "bank/opinions.md"
    said = opinions.read_text(encoding="utf-8")
    opinions.write_text(said.replace("Prefers Signal over", "Prefers Signal to"), encoding="utf-8")


def test_14b_a_number_that_is_typed_is_kept_when_what_is_new_is_shown(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "opinion/o-6kq0")
    page.get_by_label("Set it by hand").fill("0.77")
    _restate(writing)
    writing.ready("opinion/o-6kq0")  # else its answer comes after the click, and is news
    page.locator("#news button").click()
    expect(page.locator("#news")).to_be_hidden()
    expect(page.get_by_label("Set it by hand")).to_have_value("0.77")


def test_14c_what_is_new_while_the_page_is_renewed_is_no_news_once_it_is_shown(writing: Served, tabs: Tabs) -> None:
    page = tabs.open(writing, "opinion/o-6kq0")
    page.get_by_label("Set it by hand").fill("0.77")
    _restate(writing)
    expect(page.locator("#news")).to_be_visible(timeout=SOON)

    def more(route: Route) -> None:
        written(writing.root, "memory/2025-11-26.md", "\n- W @Peter: The heron answers.\n")
        writing.ready("opinion/o-6kq0")
        time.sleep(2)  # the browser hears of it meanwhile
        route.continue_()

    page.route("**/opinion/o-6kq0", more, times=1)
    page.locator("#news button").click()
    expect(page.locator("#news")).to_be_hidden()


def test_an_empty_folder_is_told_how_to_begin_and_shown_when_it_has(tmp_path: Path, tabs: Tabs) -> None:
    with serving(tmp_path) as empty:
        page = tabs.open(empty)
        expect(page.locator("main")).to_contain_text("commonplace init")
        written(tmp_path, "MEMORY.md", "- Tea at four.\n")
        page.reload()
        expect(page.locator("main")).to_contain_text("Tea at four.")
        tabs.close()
    tabs.wrong = [each for each in tabs.wrong if "503" not in each]  # Chromium reports the refusal


def test_15_eight_tabs_are_open_at_once(writing: Served, tabs: Tabs) -> None:
    context = tabs.context(writing)
    pages = []
    for view in ["", "entities", "opinions", "review", "health", "day/2025-11-26", "entity/Peter", "reflect"]:
        page = context.new_page()
        page.goto(writing.at(view))
        expect(page.get_by_role("heading", level=1).first).to_be_attached()
        settled(page)
        pages.append(page)
    written(writing.root, "memory/2025-11-26.md", "\n- W @Peter: The pelican sings at noon.\n")
    expect(pages[5].get_by_text("The pelican sings at noon.")).to_be_visible(timeout=SOON)
    for page in pages:
        page.reload()
        expect(page.get_by_role("heading", level=1).first).to_be_attached()
