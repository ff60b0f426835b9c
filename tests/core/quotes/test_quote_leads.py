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


def lead(content: str, *above: str, key: str = "", path: str = "") -> str:
    line = quote(content, *above).line
    return quote_leads.lead(line._replace(source=Citation(path or line.source.path, 3)), key)


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("Issue timeline", "Leak in the boathouse"),
        ("🏆 Key milestones", "Leak in the boathouse"),
        ("Day 3 (dry again!)", "Leak in the boathouse"),
        ("Lessons and decisions", "Leak in the boathouse"),
        ("Hændelser og problemer", "Læk i bådehuset"),
        ("Beslutninger og regler", "Læk i bådehuset"),
        ("常见问题", "船屋漏水的处理"),
        ("常見問題", "船屋漏水的處理"),
        ("重要决定、教训", "船屋漏水的处理"),
        ("よくある問題", "ボート小屋の水漏れ"),
        ("重要な決定・教訓", "ボート小屋の水漏れ"),
        ("मुख्य समस्याएँ", "नावघर में रिसाव और मरम्मत"),
        ("Частые проблемы", "Течь в эллинге"),
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
        "History notes",
        "Project Discovery",
        "Project Impact",
        "Innovation Day",
        "Work days of the club",
        "Historie noter",
        "Projekt Gennembrud",
        "历史笔记",
        "歷史筆記",
        "历史和项目",
        "プロジェクト発見",
        "履歴メモ",
        "आम नोट्स",
        "परियोजना विवरण",
        "День открытия",
        "Заметки истории",
        "Harbour rules",
        "Weekend policy",
        "Havnens regler",
        "码头的规则",
        "桟橋のルール",
        "घाट के नियम",
        "Правила причала",
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
        ("1. 🎯 Goals of the club", "Goals of the club"),
        ("⚠️ 09:30 ✅ Leak in the boathouse", "Leak in the boathouse"),
        ("Leak in the boathouse ✔️", "Leak in the boathouse"),
        ("船屋的方案①", "船屋的方案①"),
        ("ボート小屋の案②", "ボート小屋の案②"),
        ("⌘K and its boats", "⌘K and its boats"),
        ("The pier ★★★★", "The pier ★★★★"),
        ("The pier 5 ⭐", "The pier 5 ⭐"),
        ("The pier 5 🚤", "The pier 5 🚤"),
        ("🇩🇰 Ferry of the town", "🇩🇰 Ferry of the town"),
        ("Ferry of the town 🇩🇰", "Ferry of the town 🇩🇰"),
        ("Berths ♀", "Berths ♀"),
        ("Соната до♯", "Соната до♯"),
        ("⌀20 rope of the pier", "⌀20 rope of the pier"),
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
            "Day 3 - the pump of the boathouse was replaced by a new one from the yard",
            "Day 3 - the pump of the boathouse was replaced by a new…",
        ),
        (
            "Lessons learned – the pump of the boathouse freezes when it is left on",
            "Lessons learned – the pump of the boathouse freezes when…",
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


ANNOUNCED = pytest.mark.parametrize(
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


@ANNOUNCED
def test_who_the_owner_is_needs_no_heading_that_announces_it(label: str, heading: str) -> None:
    assert lead(f"**{label}:** Rolf", "About your human", heading, path="USER.md") == ""


@ANNOUNCED
def test_of_others_the_heading_above_the_one_that_announces_it_is_shown(label: str, heading: str) -> None:
    assert lead(f"**{label}:** Rolf", "Boat club of Ribe", heading) == "Boat club of Ribe"


@pytest.mark.parametrize(
    ("label", "heading"),
    [
        ("Address", "Anna Berg / profile"),
        ("Address", "Anna Berg, background"),
        ("Adresse", "Anna Berg, baggrund"),
        ("地址", "林小雨、背景"),
        ("職業", "林小雨、身份"),
        ("役職", "山田花子・経歴"),
        ("भूमिका", "अन्ना बर्ग, परिचय"),
        ("Роль", "Анна Берг, роль"),
    ],
)
def test_whose_trait_it_is_is_shown(label: str, heading: str) -> None:
    assert lead(f"**{label}:** 4", "Boat club of Ribe", heading) == heading
    assert lead(f"**{label}:** 4", heading, path="USER.md") == heading


def test_of_a_person_other_labels_and_headings_are_shown() -> None:
    assert lead("**Ropes:** two for each boat", "About your human", "Identity and current role") != ""
    assert lead("**Role:** holds the rope", "Crew of the ferry") == "Crew of the ferry"


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("船屋的水泵换新方案已付款", "船屋的水泵换新方案二"),
        ("ボート小屋のポンプ場を買った", "ボート小屋のポンプ場北館"),
    ],
)
def test_what_tells_two_things_apart_is_shown(line: str, heading: str) -> None:
    assert lead(line, heading) == heading


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


def test_a_long_line_that_says_it_gets_nothing_of_its_list() -> None:
    long = quote("The pump of the boathouse costs 900 " * 6, "Pump of the boathouse")
    short = quote("Costs 900", "Pump of the boathouse")._replace(below="Pump of the boathouse")
    assert quote_leads.with_siblings([short, long])[1].below == ""


@pytest.mark.parametrize(
    ("above", "shown"),
    [
        ("船屋的水泵。", "船屋的水泵"),
        ("ボート小屋のポンプ。", "ボート小屋のポンプ"),
        ("नावघर का पंप।", "नावघर का पंप"),
        ("Hull Yard Ltd.", "Hull Yard Ltd."),
        ("Smith & Co.", "Smith & Co."),
        ("Wait...", "Wait..."),
    ],
)
def test_a_heading_is_shown_without_a_full_stop_that_ends_no_word(above: str, shown: str) -> None:
    row = page_quotes.rows([quote("Costs 900")._replace(below=above)], "bank/world.md")
    assert row[0][0] == f"- 2026-03-01: {shown}: Costs 900 ([log](../memory/2026-03-01.md))"


def test_a_heading_may_have_very_many_signs() -> None:
    signs = "🎯 " * 20000
    assert quote_leads.brief(f"{signs}Pier {signs}") == "Pier"
    assert quote_leads.brief(f"Pier {signs}x").startswith("Pier")


def test_a_hindi_heading_keeps_the_vowel_sign_at_its_end() -> None:
    assert heading_name("**भूमिका:**") == heading_name("भूमिका") == "भूमिका"
    assert heading_name("🎯 2. योजना!") == "योजना"


@pytest.mark.parametrize(
    ("section", "heading"),
    [
        ("Rules", "Never"),
        ("Preferences", "Red lines"),
        ("Правила", "Запрещено"),
        ("规则", "反感"),
        ("Regler", "Aldrig"),
        ("About Mona and her boats", "**Dislikes:**"),
        ("Om Mona og hendes både", "Hvad hun IKKE kan lide"),
        ("莫娜和她的船", "禁止事项"),
        ("モナと彼女の船について", "好みではない・禁止ルール"),
        ("मोना और उसकी नावें", "मोना की नापसंद"),
        ("Мона и её лодки", "Не входит в правила"),
    ],
)
def test_a_heading_of_what_is_not_liked_is_always_shown(section: str, heading: str) -> None:
    shown = lead("Short answers about the pier and its ropes", section, heading)
    assert shown == heading.strip("*:")
    line = quote("Short answers about the pier and its ropes", section, heading).line
    assert quote_leads.shown_heading(line, section, "") == shown
