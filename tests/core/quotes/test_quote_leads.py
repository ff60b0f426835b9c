"""What is shown before a quoted line."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.extract.line_labels import heading_name
from commonplace.core.model import Citation, Line
from commonplace.core.quotes import page_quotes, quote_leads
from commonplace.core.quotes.page_quotes import LOGGED, Quote

DAY = date(2026, 3, 1)


def quote(content: str, *above: str) -> Quote:
    return Quote(Line(content, (), Citation(f"memory/{DAY}.md", 3), DAY, context=above), 1.0, LOGGED, LOGGED)


def lead(content: str, *above: str, key: str = "") -> str:
    return quote_leads.lead(quote(content, *above).line, key)


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("Issue timeline", "Leak in the boathouse"),
        ("Project history", "Leak in the boathouse"),
        ("🏆 Major breakthrough", "Leak in the boathouse"),
        ("Day 3 (dry again!)", "Leak in the boathouse"),
        ("Work performed today", "Leak in the boathouse"),
        ("Lessons and decisions", "Leak in the boathouse"),
        ("Hændelser og problemer", "Læk i bådehuset"),
        ("Projektets historik", "Læk i bådehuset"),
        ("Beslutninger og regler", "Læk i bådehuset"),
        ("常见问题", "船屋漏水的处理"),
        ("項目歷史", "船屋漏水的處理"),
        ("重要决定、教训", "船屋漏水的处理"),
        ("よくある問題", "ボート小屋の水漏れ"),
        ("プロジェクトの経緯", "ボート小屋の水漏れ"),
        ("重要な決定・教訓", "ボート小屋の水漏れ"),
        ("आम समस्याएँ", "नावघर में रिसाव और मरम्मत"),
        ("परियोजना का इतिहास", "नावघर में रिसाव और मरम्मत"),
        ("Частые проблемы", "Течь в эллинге"),
        ("История проекта", "Течь в эллинге"),
        ("Уроки и решения", "Течь в эллинге"),
    ],
)
def test_where_a_heading_says_nothing_the_next_one_above_is_shown(heading: str, subject: str) -> None:
    assert lead("Costs 900", subject, heading) == subject


@pytest.mark.parametrize(
    "heading",
    [
        "Problems with the pier",
        "Day trip to Ribe",
        "History of the ferry",
        "Rules and ropes",
        "Problemer med molen",
        "Færgens historie",
        "码头的问题",
        "渡輪的歷史",
        "桟橋の問題",
        "船の履歴",
        "घाट की समस्याएँ",
        "नाव का इतिहास",
        "Проблемы причала",
        "История парома",
    ],
)
def test_a_heading_that_names_what_it_is_about_is_shown(heading: str) -> None:
    assert lead("Costs 900", "Leak in the boathouse", heading) == heading


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("🚨 Leak in the boathouse ✅", "Leak in the boathouse"),
        ("⚠️ 船屋漏水", "船屋漏水"),
        ("ボート小屋の水漏れ🎉", "ボート小屋の水漏れ"),
        ("2️⃣ Leak in the boathouse", "Leak in the boathouse"),
        ("③ 船屋漏水", "船屋漏水"),
        ("The boathouse has 5⭐", "The boathouse has 5⭐"),
        ("Step 2: pump of the boathouse", "pump of the boathouse"),
        ("Trin 2: pumpen i bådehuset", "pumpen i bådehuset"),
        ("步骤2：船屋的水泵", "船屋的水泵"),
        ("步驟2：船屋的水泵", "船屋的水泵"),
        ("ステップ2：ボート小屋のポンプ", "ボート小屋のポンプ"),
        ("चरण 2: नावघर का पंप", "नावघर का पंप"),
        ("Шаг 2: насос эллинга", "насос эллинга"),
        ("Steps of the pier: two", "Steps of the pier: two"),
        ("`pier.toml` and its rules", "`pier.toml` and its rules"),
        ("The ★ of the pier", "The ★ of the pier"),
        ("#3 berth and its rope", "3 berth and its rope"),
        ("Daily memory - 2026-03-01 - Pump of the boathouse", "Pump of the boathouse"),
        ("Dagbog – 2026-03-01 – Pumpen i bådehuset", "Pumpen i bådehuset"),
        ("工作日志 - 2026-03-01 - 船屋的水泵", "船屋的水泵"),
        ("工作日誌 - 2026-03-01 - 船屋的水泵", "船屋的水泵"),
        ("作業ログ - 2026-03-01 - ボート小屋のポンプ", "ボート小屋のポンプ"),
        ("डायरी - 2026-03-01 - नावघर का पंप", "नावघर का पंप"),
        ("Дневник - 2026-03-01 - Насос эллинга", "Насос эллинга"),
        ("Memory - 16 GB or 32 GB", "Memory - 16 GB or 32 GB"),
        ("Ferry - 2026-03-01 - Pump of the boathouse", "Ferry - 2026-03-01 - Pump of the boathouse"),
        (
            "Pump of the boathouse - a new one from the yard in the north, bought by all of us",
            "Pump of the boathouse",
        ),
        (
            "Pump - a new one from the yard in the north of the town, bought by all of us",
            "Pump - a new one from the yard in the north of the town…",
        ),
        ("Key incident: the pump of the boathouse was blocked", "Key incident: the pump of the boathouse was blocked"),
        ("Vigtig hændelse: pumpen i bådehuset var tilstoppet", "Vigtig hændelse: pumpen i bådehuset var tilstoppet"),
        ("Важный инцидент: насос эллинга был засорён льдом", "Важный инцидент: насос эллинга был засорён льдом"),
        ("重要事件：船屋的水泵被水草和冰块完全堵住了很久", "重要事件：船屋的水泵被水草和冰块完全堵住了很久"),
        ("重要な事件：ボート小屋のポンプが氷で止まった", "重要な事件：ボート小屋のポンプが氷で止まった"),
        ("मुख्य घटना: नावघर का पंप बर्फ से बंद हो गया था आज", "मुख्य घटना: नावघर का पंप बर्फ से बंद हो गया था आज"),
        ("Pump house: nobody opens the pump of the boathouse", "Pump house"),
    ],
)
def test_of_a_heading_what_tells_its_subject_is_shown(heading: str, shown: str) -> None:
    assert quote_leads.brief(heading) == shown


@pytest.mark.parametrize(
    ("label", "heading"),
    [
        ("Role", "Identity and current role"),
        ("Rolle", "Identitet og rolle"),
        ("职业", "身份"),
        ("職業", "身份"),
        ("役職", "経歴"),
        ("भूमिका", "परिचय और भूमिका"),
        ("Роль", "Роль"),
    ],
)
def test_who_somebody_is_needs_no_heading_that_announces_it(label: str, heading: str) -> None:
    assert lead(f"**{label}:** Rolf", "About your human", heading) == ""


def test_of_a_person_other_labels_and_headings_are_shown() -> None:
    assert lead("**Ropes:** two for each boat", "About your human", "Identity and current role") != ""
    assert lead("**Role:** holds the rope", "Crew of the ferry") == "Crew of the ferry"


def test_what_a_chinese_or_japanese_line_says_nearly_itself_is_not_shown() -> None:
    assert lead("给船屋的水泵换了一个新的", "船屋的水泵换新") == ""
    assert lead("ボート小屋のポンプを買い替えた", "ボート小屋のポンプ交換") == ""
    assert lead("给船屋买了一个新的", "船屋的水泵换新") == "船屋的水泵换新"
    assert lead("小屋を買い替えた", "ボート小屋のポンプ交換") == "ボート小屋のポンプ交換"


@pytest.mark.parametrize(
    ("section", "label"),
    [
        ("Rules for the boathouse", "When it freezes:"),
        ("Regler for bådehuset", "Når det fryser:"),
        ("船屋的水泵", "结冰的时候："),
        ("船屋的水泵", "結冰的時候："),
        ("ボート小屋のポンプ", "凍結したとき："),
        ("नावघर का पंप", "जब बर्फ जमे:"),
        ("Насос эллинга", "Когда замерзает:"),
    ],
)
def test_what_leads_to_a_list_is_shown_below_its_section(section: str, label: str) -> None:
    assert lead("Costs 900", section, f"**{label}**") == f"{section} – {label.strip(':：')}"
    assert lead("Costs 900", section, label, key="ferry") == label.strip(":：")
    assert lead("Costs 900", "Important notes", label) == label.strip(":：")
    assert lead("Costs 900", "Step 2: 分析", label) == label.strip(":：")
    assert lead("Costs 900", section, label.strip(":：")) == label.strip(":：")


def test_a_long_line_is_shown_with_what_another_of_its_list_is() -> None:
    long = quote("Costs 900 " * 20, "Pump of the boathouse")
    short = quote("Costs 900", "Pump of the boathouse")._replace(below="Pump of the boathouse")
    elsewhere = quote("Costs 800 " * 20, "Pump of the ferry")
    below = [
        each.below
        for each in quote_leads.with_siblings([long, short, elsewhere, quote("Wet", "Pump of the boathouse")])
    ]
    assert below == ["Pump of the boathouse", "Pump of the boathouse", "", ""]
    mine = long._replace(below="Its problem")
    assert quote_leads.with_siblings([short, mine])[1].below == "Its problem"


@pytest.mark.parametrize("label", ["Root cause", "Årsag", "原因", "根因", "कारण", "Причина"])
def test_a_long_cause_is_shown_with_what_it_is_the_cause_of(label: str) -> None:
    said = "900 meters of rope were laid out by all of us " * 4
    assert lead(f"**{label}**: {said}", "Leak in the boathouse") == "Leak in the boathouse"
    assert lead(f"**Rope**: {said}", "Leak in the boathouse") == ""


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("2026-03-01 - Sloop launched", "Notes"),
        ("2026-03-01 - Sloop søsat", "Noter"),
        ("2026-03-01 - Sloop下水", "备注"),
        ("2026-03-01 - Sloop下水", "備註"),
        ("2026-03-01 - Sloop進水", "メモ"),
        ("2026-03-01 - Sloop पानी में", "नोट"),
        ("2026-03-01 - Sloop на воде", "Заметки"),
    ],
)
def test_a_note_of_a_day_that_names_something_else_is_not_about_the_title_of_the_day(title: str, section: str) -> None:
    note = quote("Costs 900 (Ferry)", title, section)
    assert page_quotes.below(note, title, "sloop", names=("ferry",)) is None
    assert page_quotes.below(note, title, "sloop") is not None
    assert page_quotes.below(quote("Costs 900 (Ferry)", title), title, "sloop", names=("ferry",)) is not None
    mast = quote("Costs 900 (Ferry)", title, "The mast")
    assert page_quotes.below(mast, title, "sloop", names=("ferry",)) is not None
    below = quote("Costs 900 (Ferry)", "2026-03-01", "Sloop", section)
    assert page_quotes.below(below, "Sloop", "sloop", names=("ferry",)) is not None
    undated = note._replace(line=note.line._replace(recorded=None))
    assert page_quotes.below(undated, title, "sloop", names=("ferry",)) is not None


def test_a_heading_is_shown_without_its_full_stop() -> None:
    row = page_quotes.rows([quote("Costs 900")._replace(below="Yard of Hull, shipwright.")], "bank/world.md")
    assert row[0][0] == "- 2026-03-01: Yard of Hull, shipwright: Costs 900 ([log](../memory/2026-03-01.md))"


def test_a_hindi_heading_keeps_the_vowel_sign_at_its_end() -> None:
    assert heading_name("**भूमिका:**") == heading_name("भूमिका") == "भूमिका"
    assert heading_name("🎯 2. योजना!") == "योजना"
