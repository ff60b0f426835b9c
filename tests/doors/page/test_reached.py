"""What an owner must reach: a full day within its bounds, the pages by subject, what is not read, what was decided."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.doors.page.served import serving
from tests.doors.page.tabs import NARROW, Tabs

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.doors.page.served import Served

MOST = 60_000
"""Bytes of a view."""
FULL = "2025-11-12"
LOUD = "2025-11-02"
WORDS = {
    "en": "The crane lifted crate number {} over the wall.",
    "da": "Kranen løftede kasse nummer {} over muren.",
    "zh-Hans": "起重机把第{}只箱子吊过了墙。",
    "zh-Hant": "起重機把第{}隻箱子吊過了牆。",
    "ja": "クレーンは{}番目の箱を壁の向こうへ運んだ。",
    "hi": "क्रेन ने पेटी नंबर {} को दीवार के पार रखा।",
    "ru": "Кран перенёс ящик номер {} через стену.",
}


def _write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(exist_ok=True, parents=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A reflected folder with decisions, a day of many long files, an owner, a day to come, and files of no log."""
    root = tmp_path_factory.mktemp("yard")
    _write(
        root,
        "USER.md",
        "# USER\n\n- **Name:** Ida Holm\n- **Location:** the old lighthouse\n- **Timezone:** Europe/Oslo\n",
    )
    for number, words in enumerate(WORDS.values()):
        lines = "".join(f'- <b class="crate">{words.format(each)}</b>\n' for each in range(150))
        _write(root, f"memory/{FULL}{f'-crates-{number}' if number else ''}.md", f"# Log\n\n{lines}")
    _write(
        root,
        "memory/2025-11-13.md",
        "# Log\n\n- We decided to paint the crane red. See [the tools](../TOOLS.md).\n- Ida Holm called the crew.\n",
    )
    _write(
        root,
        "memory/2025-11-14.md",
        "# Log\n\n- Decided: invoices go out on Mondays.\n- Ida Holm paid the crew.\n"
        "- Ida Holm decided to sell the van.\n",
    )
    _write(root, "memory/2025-12-09.md", "# Log\n\n- The harbour fair begins.\n")
    _write(root, "TOOLS.md", "# Tools\n\n- We decided to paint the crane red.\n")
    for number in range(8):
        loud = ["[x](b.md) " * 110, "'\"" * 600, *["[y](b.md)"] * 99]
        _write(root, f"memory/{LOUD}-{'帳' * 40}-{number}.md", "\n".join(loud[number % 2 :]))
    _write(root, "letters/one.md", "# A letter\n")
    _write(root, "letters/two.md", "# A letter\n")
    with Memory(str(root)) as memory:
        memory.reflect(yes=True)
    with serving(root) as served:
        served.ready("")
        yield served


def test_a_day_of_many_long_files_is_bounded_and_each_file_has_its_beginning(yard: Served) -> None:
    shown = yard.ready(f"day/{FULL}")
    assert len(shown.encode()) <= MOST
    sections = re.findall(r'<section id="file-\d+">.*?</section>', shown, re.DOTALL)
    assert len(sections) == len(WORDS)
    for section in sections:
        rows = section.count('<li class="row')
        assert rows > 5
        left = re.search(r'\?all=1">and (\d+) more lines</a>', section)
        assert left
        assert 149 <= int(left[1]) + rows <= 152  # an empty line is no row


def test_a_day_of_long_lines_full_of_links_and_quotes_is_bounded(yard: Served) -> None:
    shown = yard.ready(f"day/{LOUD}")
    assert shown.count(f"memory/{LOUD}-") > 8
    assert '<a href="at/memory/b.md?find=' in shown
    assert len(shown.encode()) <= MOST


def test_a_small_day_is_shown_in_full(yard: Served) -> None:
    shown = yard.ready("day/2025-11-14")
    assert "paid the crew" in shown
    assert "more lines" not in shown


def test_the_day_after_the_last_log_until_now_is_not_one_to_come(yard: Served) -> None:
    assert 'rel="next"' not in yard.ready("day/2025-11-14")
    assert 'href="day/2025-11-14" rel="next"' in yard.ready("day/2025-11-13")
    assert 'href="day/2025-12-09"' in yard.ready("day/2025-11-14")  # its cell leads there


def test_a_day_is_chosen_by_its_date_also_without_javascript(yard: Served, tabs: Tabs) -> None:
    page = tabs.open(yard, "day/2025-11-14", java_script_enabled=False, viewport=NARROW)
    page.get_by_label("Day", exact=True).fill("2025-11-13")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thursday, 13 November 2025")
    for wrong in ("never", "2025-13-40", "../../etc"):
        assert yard.view(f"day/?day={wrong}").status == 200


@pytest.mark.parametrize("view", ["", "entities"])
def test_pages_by_subject_are_one_link_away(yard: Served, view: str) -> None:
    shown = yard.ready(view)
    assert re.search(r'<a href="at/bank/decisions.md\?all=1"><bdi>Decisions</bdi></a>', shown)
    assert "bank/experience.md" not in shown.partition("Pages by subject")[2].partition("</p>")[0]  # there is none


def test_a_link_in_a_line_leads_to_the_line_that_is_quoted_and_reads_as_it_is_written(yard: Served) -> None:
    page = yard.view("at/bank/decisions.md?all=1").body
    href = re.search(r'<a href="(at/memory/2025-11-14.md[^"]*)"><bdi>\[log\]\(\.\./memory/2025-11-14\.md\)', page)
    assert href
    line = yard.view(unescape(href[1]).removesuffix("#here")).body
    assert re.findall(r'<li value="(\d+)" class="here"', line) == ["3"]
    for view in ("at/memory/2025-11-13.md?all=1", "day/2025-11-13"):
        assert '<a href="at/TOOLS.md?find=' in yard.ready(view)


def test_a_link_out_of_the_folder_or_to_elsewhere_leads_nowhere(yard: Served) -> None:
    links = (
        *("../../etc/passwd.md", "https://evil.example/a.md", "//evil.example/a.md", "/etc/a.md", "javascript:a.md"),
        *("%2Fetc/a.md", "%2f%2fevil.example/a.md", "%2e%2e/%2e%2e/a.md", "..%2f..%2fa.md", "./.././..//a.md"),
        *("a%00.md", "%E2%80%AEa.md", "../commonplace.toml", "a.md%20"),
    )
    _write(yard.root, "memory/2025-11-01.md", "".join(f"- See [that]({each}).\n" for each in links))
    shown = yard.view("at/memory/2025-11-01.md?all=1").body
    code = "".join(re.findall(r"<code>.*?</code>", shown))
    assert code.count("See [that](") == len(links)
    assert "<a " not in code
    (yard.root / "memory/2025-11-01.md").unlink()


def test_what_is_not_read_is_told_in_words(yard: Served) -> None:
    shown = unescape(yard.ready("health"))
    assert "{'" not in shown
    row = re.search(r'<span class="when">2 files</span><p class="plain">letters/<small>([^<]+)</small>', shown)
    assert row
    assert row[1] == "not in include: commonplace init --include letters"


def test_an_entity_without_facts_tells_how_much_its_page_has(yard: Served) -> None:
    shown = yard.view("entity/Ida%20Holm").body
    count = re.search(r"(\d+) lines on its page", shown)
    assert count
    assert int(count[1]) == len(re.findall(r'<li class="row', shown))
    assert "no facts" not in shown


@pytest.mark.parametrize(
    ("asked", "words", "href"),
    [
        ("what happened on 2025-11-14?", "14 Nov", "day/2025-11-14"),
        ("what happened in November 2025?", "1 Nov–30 Nov", ""),
    ],
)
def test_a_day_that_a_question_names_is_a_link_and_reads_as_a_day(
    yard: Served, asked: str, words: str, href: str
) -> None:
    chip = re.search(r"time</span> (.*?)</li>", yard.view(f"ask?q={asked.replace(' ', '+')}").body)
    assert chip
    assert f"<bdi>{words}</bdi>" in chip[1]
    assert (f'href="{href}"' in chip[1]) if href else ('href="day' not in chip[1])


def test_a_person_decides_to_the_end_by_keys_and_goes_on(writing: Served, tabs: Tabs) -> None:
    writing.ready("review")
    page = tabs.open(writing, "review")
    questions = page.locator(".question")
    expect(questions.first).to_be_visible()
    count = questions.count()
    page.keyboard.press("j")
    for _ in range(count):
        page.keyboard.press("x")
    last = questions.last.locator("input:checked")
    expect(last).to_have_value("reject")
    page.keyboard.press("a")  # there is no further question: the last answer stands
    page.keyboard.press("a")
    expect(last).to_have_value("reject")
    expect(page.get_by_role("button", name="Show what these answers do")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What these answers do")
    words = page.locator("main .ledger").first.locator(".when").all_inner_texts()
    assert set(words) <= {"No name", "Drop", "Two", "Both hold", "Leave out"}
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")


def test_the_answers_of_a_question_come_before_what_it_folds_away(reading: Served, tabs: Tabs) -> None:
    for view in ("review", "entities", "health"):
        reading.ready(view)
    page = tabs.open(reading, "review")
    asked = page.locator(".question", has=page.locator("details.edit")).first
    asked.locator(".cite").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "radio"


def test_what_was_written_reads_as_words_and_its_day_is_explained(writing: Served, tabs: Tabs) -> None:
    writing.ready("review")
    page = tabs.open(writing, "review")
    page.locator(".question", has=page.locator("details.edit")).first.get_by_text("Keep", exact=True).click()
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Applied")
    written = page.locator("section", has=page.get_by_role("heading", name="What was written")).inner_text()
    assert "retained" in written
    assert not re.search(r"\b[WBOS](\(c=[\d.]+\))? @", written)
    writing.ready("reflect")
    assert "decided on the review page; the day is that of its line" in writing.ready("reflect")


def test_of_two_opinions_that_dispute_each_other_both_say_so(reading: Served) -> None:
    shown = reading.view("ask?q=does+Peter+prefer+Signal+or+WhatsApp%3F").body
    rows = re.findall(r'<li class="row.*?</li>', shown, re.DOTALL)
    for words, other in (("WhatsApp over Signal", "2025-10-24"), ("Signal over WhatsApp", "2025-11-")):
        (row,) = [each for each in rows if f"Prefers {words}" in each]
        assert re.search(rf'<a class="note disp" href="at/memory/{other}', row)
    assert sum("note disp" in each for each in rows) == 2
