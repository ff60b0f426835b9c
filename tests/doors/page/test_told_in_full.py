"""What a view must not lose: facts that are on no page, the line behind a quote, a long line, the file of a line."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from tests.doors.page.served import serving
from tests.doors.page.tabs import NARROW, Tabs

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.doors.page.served import Served

LONG = "The ferry was late and everybody waited on the pier. " * 60
KAYAK = "- W @Ida: Bought a **red kayak**, as [the core](../MEMORY.md) says.\n"
CORE = """\
# Memory

Kept since spring.

## 2025-11-10: The quay
- The quay was measured by three surveyors.
- A crane stands on it again.

## Boats
- **Keel:** *larch*, cut in the `north` wood.
- Skibet sejler kun om sommeren, når havnen er isfri.
- 船は夏にだけ港を出て、冬は倉庫で眠る。
- 渡船每天早上七点开，周日停航。
- 渡船每天早上七點開，週日停航。
- नाव केवल गर्मियों में बंदरगाह छोड़ती है।
- Паром ходит только летом, пока гавань свободна.

| Boat | Berth | Sold |
|------|-------|------|
| Heron | 14 | in May 2024 |
| Pelican | 7 | never |
"""


def _write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A reflected folder to which an editor has added facts since, on a day of the page and on an older one."""
    root = tmp_path_factory.mktemp("harbour")
    _write(root, "MEMORY.md", CORE)
    _write(root, "memory/2025-11-10.md", "# Monday\n\nRain all day.\n")
    _write(root, "memory/2025-11-10-quay.md", "# Quay\n\nThe stones were counted.\n")
    _write(root, "memory/2025-11-11.md", f"# Tuesday\n\n{LONG}\n")
    _write(root, "memory/2025-11-20.md", f"## Retain\n{KAYAK}- W @Ida: Repaired the slip.\n")
    with Memory(str(root)) as memory:
        memory.reflect(yes=True)
    with (root / "memory/2025-11-20.md").open("a", encoding="utf-8") as log:
        log.write(f"- W @Ida: Sold the green canoe.\n{KAYAK}")
    _write(root, "memory/2025-11-02.md", "## Retain\n- W @Ida: Moved to the old lighthouse.\n- W @Ole: Rowed.\n")
    with serving(root) as served:
        served.ready("entities")
        yield served


def _sections(body: str) -> dict[str, str]:
    """The rows below each heading of a view."""
    return {title: below for title, below in re.findall(r"<h2>([^<]+)</h2>(.*?)</section>", body, re.DOTALL)}


def test_a_fact_is_told_also_where_its_page_does_not_have_it(harbour: Served) -> None:
    shown = harbour.view("entity/Ida").body
    sections = _sections(shown)
    assert "Sold the green canoe." in sections["New, and not on its page"]
    assert "Moved to the old lighthouse." in sections["Facts that its page leaves out"]
    assert "red kayak" not in sections["New, and not on its page"]  # its page has these words
    assert "5 facts" in shown
    assert len(re.findall("canoe|lighthouse|slip|kayak", "".join(sections.values()))) >= 5


def test_since_when_it_is_named_and_where_to_ask_for_more(harbour: Served) -> None:
    shown = harbour.view("entity/Ida").body
    assert '<a href="day/2025-11-02">on 2 days</a>' in shown  # its facts are as old
    assert '<a href="ask?q=Ida">Ask</a>' in shown
    listed = harbour.view("entities").body
    count = re.search(r'Entities<span class="n">(\d+)<', listed)
    assert count
    assert int(count[1]) == listed.count('<li class="row"')


def test_a_name_that_was_read_in_a_question_leads_to_its_entity(harbour: Served) -> None:
    shown = harbour.view("ask?q=what+did+Ida+buy%3F").body
    assert re.search(r'about</span> <a class="name" href="entity/Ida">', shown)


def test_a_plot_explains_the_signs_that_it_has(harbour: Served) -> None:
    key = re.search(r'<p class="key".*?</p>', harbour.view("entity/Ida").body)
    assert key
    assert re.findall(r">([^<]+)</span>", key[0]) == ["a fact"]
    facts = "".join(f"- W @Kai: Painted stall number {number} of the hall.\n" for number in range(30))
    _write(harbour.root, "memory/2025-11-14.md", f"## Retain\n{facts}")
    key = re.search(r'<p class="key".*?</p>', harbour.view("entity/Kai").body)
    assert key
    assert re.findall(r">([^<]+)</span>", key[0]) == ["the higher, the more facts"]


@pytest.mark.parametrize(
    ("told", "begins"),
    [
        ("What We Know of Boats and How They Were Built: Keel: larch, cut in the north wood.", "**Keel:**"),
        (
            "Hvad vi har lært om alle både her i denne havn: Skibet sejler kun om sommeren, når havnen er isfri.",
            "Skibet",
        ),
        ("港 の 舟 に ついて 学んだ こと: 船は夏にだけ港を出て、冬は倉庫で眠る。", "船は"),
        ("重要 的 船只 安排：渡船: 渡船每天早上七点开，周日停航。", "渡船每天早上七点"),
        ("重要 的 船隻 安排: 渡船每天早上七點開，週日停航。", "渡船每天早上七點"),
        ("हमने इस साल सभी नावों और बंदरगाहों के बारे में क्या सीखा: नाव केवल गर्मियों में बंदरगाह छोड़ती है।", "नाव"),
        (
            "Что мы узнали за этот год обо всех судах нашей гавани: Паром ходит только летом, пока гавань свободна.",
            "Паром",
        ),
        ("Boats: Boat: Pelican; Berth: 7; Sold: never", "| Pelican"),
        ("Skibet sejler kun om sommeren …", "Skibet"),
    ],
)
def test_a_quote_of_a_page_finds_its_line(harbour: Served, told: str, begins: str) -> None:
    shown = unescape(harbour.view(f"at/MEMORY.md?find={quote(told)}").body)
    number = next(at for at, text in enumerate(CORE.split("\n"), 1) if text.removeprefix("- ").startswith(begins))
    assert re.findall(r'<li value="(\d+)" class="here"', shown) == [str(number)]
    assert "none of its lines" not in shown


@pytest.mark.parametrize("told", ["Boats: The zebra sang at dusk.", "斑马在黄昏唱歌。", "Зебра пела на закате."])
def test_of_words_that_are_in_no_line_that_is_said(harbour: Served, told: str) -> None:
    shown = harbour.view(f"at/MEMORY.md?find={quote(told)}").body
    assert "none of its lines has these words any more" in shown
    assert 'class="here"' not in shown


def test_a_day_begins_with_its_log_and_has_of_other_files_its_own_part(harbour: Served) -> None:
    shown = harbour.ready("day/2025-11-10")
    files = re.findall(r'<h2><a href="at/([^"?]+)', shown)
    assert files == ["memory/2025-11-10.md", "memory/2025-11-10-quay.md", "MEMORY.md"]
    assert "A crane stands on it again." in shown
    assert "lines 5–7 of " in shown
    assert "Kept since spring." not in shown
    assert "larch" not in shown
    assert "Rain all day." in shown


def test_a_long_line_is_read_in_full_where_it_is_asked_for(harbour: Served) -> None:
    whole = harbour.view("at/memory/2025-11-11.md?all=1").body
    assert whole.count("The ferry") < 30
    assert '<a href="at/memory/2025-11-11.md?line=3#here">the whole line</a>' in whole
    assert harbour.view("at/memory/2025-11-11.md?line=3").body.count("The ferry") == 60
    assert harbour.view("day/2025-11-11").body.count("the whole line</a>") == 1
    (harbour.root / "memory/2025-11-11.md").write_text(f"# Tuesday\n\n{LONG * 10}\n", encoding="utf-8")
    body = harbour.view("at/memory/2025-11-11.md?line=3").body
    assert len(body.encode()) < 60_000
    assert f"{len(LONG) * 10 - 20_000:,} more characters: open the file in an editor" in body


def test_a_long_statement_is_cut_in_a_list_and_not_in_its_line(harbour: Served) -> None:
    long = "Told at length that " + "the ferry was late, " * 50
    _write(harbour.root, "memory/2025-11-12.md", f"## Retain\n- W @Ole: {long}\n")
    shown = harbour.view("entity/Ole").body
    assert 10 < "".join(_sections(shown).values()).count("the ferry was late") < 30
    assert harbour.view("at/memory/2025-11-12.md?line=2").body.count("the ferry was late") == 50


def test_today_tells_of_the_logs_and_each_file_is_a_link(harbour: Served, tabs: Tabs) -> None:
    paths = [f"memory/2025-11-30-{name}.md" for name in ("a", "b", "c", "d", "e", "f")]
    for path in paths:
        _write(harbour.root, path, "The heron came back.\n")
    harbour.ready("")
    page = tabs.open(harbour)
    row = page.locator("main .ledger .row", has_text="6 lines written down")
    expect(row.locator(".when")).to_have_text("30 Nov")
    expect(row.get_by_role("link", name=paths[0])).to_have_attribute("href", f"at/{paths[0]}?all=1")
    row.locator("summary", has_text="and 2 more").click()
    row.get_by_role("link", name=paths[5]).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(paths[5])
    page.go_back()
    row.focus()
    page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sunday, 30 November 2025")


@pytest.mark.parametrize("size", [None, NARROW])
def test_no_place_is_wider_than_its_column(harbour: Served, tabs: Tabs, size: dict[str, int] | None) -> None:
    _write(harbour.root, "CHANNEL_PERSONAS.md", "# Personas\n\n- Ida likes the pelican more than the heron.\n")
    page = tabs.open(harbour, "ask?q=pelican+heron+crane", **({"viewport": size} if size else {}))
    expect(page.locator("#found .row").first).to_be_visible()
    wide = page.evaluate(
        """[...document.querySelectorAll(".row .when, .row .where")].filter(each => each.innerText
          && each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"""
    )
    assert wide == []
    assert page.locator(".where", has_text="MEMORY L").count() == 1
