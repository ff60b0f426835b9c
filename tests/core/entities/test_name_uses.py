"""Possible names in lines, and how each stands there."""

from __future__ import annotations

import pytest

from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.model import Role

INSIDE, START, LABEL, HEAD, TITLE, WHOLE = Place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("met Ann Lee at the harbour", [("Ann Lee", INSIDE)]),
        ("user: [Signal R B (@rolf) id:482 +1m 2026-03-04 11:13 UTC] we met Ann Lee", [("Ann Lee", INSIDE)]),
        ("see [Ticket for Brovin id:12]", [("Brovin", INSIDE)]),
        ("Ann Lee met us at the harbour.", [("Ann Lee", START)]),
        ("We moved the site to Hetzner. Bjarne paid.", [("Hetzner", INSIDE), ("Bjarne", START)]),
        ("Deployed Lighthouse on the new server", [("Lighthouse", INSIDE)]),
        ("then Brovin 9km again, and Kvik 7.5kg", [("Brovin", INSIDE), ("Kvik", INSIDE)]),
        ("with Brovin 7B and Kvik 3", [("Brovin 7B", INSIDE), ("Kvik 3", INSIDE)]),
        ("周日：Brovin 12km 慢跑", [("Brovin", INSIDE)]),
        ("настроил SSH-ключ и серверы MCP-агентов для Brovin", [("Brovin", INSIDE)]),
        ("отдали Brovin CRM-отчёт, спросили про IT-отдел Ростова", [("Brovin", INSIDE), ("Ростова", INSIDE)]),
        ("поехали в Ростов-Папа и Brovin-Кемь", [("Ростов-Папа", INSIDE), ("Brovin-Кемь", INSIDE)]),
        ("the gate is GREEN, so Brovin reads the Wiki on SOTA", [("Brovin", INSIDE)]),
        (
            "met Amber and June Green at the Co-op, later Mae",
            [(name, INSIDE) for name in ("Amber", "Green", "Co-op", "Mae")],
        ),
        ("met Brovin on Mittwoch, with Respekt and Infrastruktur, as GF", [("Brovin", INSIDE)]),
        ("los agentes de IA y de Brovin", [("Brovin", INSIDE)]),
        ("用 Cross-nautical 与 Brovin-guided 的 Brovin-Kvik", [("Brovin-Kvik", INSIDE)]),
        ("asked Brovin-wise, then met Cross-Berg and Cross Brovin", [("Cross-Berg", INSIDE), ("Cross Brovin", INSIDE)]),
        ("昨日のツイートとスパムとトヨナカ", [("トヨナカ", INSIDE)]),
        ("the Bank of Oslo wrote to Vincent van Gogh", [("Bank of Oslo", INSIDE), ("Vincent van Gogh", INSIDE)]),
        ("Mission Brovin is late", [("Brovin", START), ("Mission Brovin", WHOLE)]),
        ("Mission Brovin: late", [("Brovin", LABEL), ("Mission Brovin", WHOLE)]),
        ("met the Mission Brovin", [("Mission Brovin", INSIDE)]),
        ("met the **Mission Brovin** crew", [("Brovin", INSIDE), ("Mission Brovin", WHOLE)]),
        ("Painted Mission Brovin again with oil", [("Brovin", INSIDE), ("Mission Brovin", WHOLE)]),
        ("and then **Ask Rolf** about it", [("Rolf", INSIDE), ("Ask Rolf", WHOLE)]),
        ("asked Maria's brother", [("Maria", INSIDE)]),
        ("Lighthouse: the build is red", [("Lighthouse", LABEL)]),
        ("**Lighthouse:** the build is red", [("Lighthouse", LABEL)]),
        ("10:30 Bjarne called", [("Bjarne", START)]),
        ("Med Bjarne i byen", [("Bjarne", INSIDE)]),
        ("Для Рольфа Берга сделали сайт", [("Рольфа Берга", INSIDE), ("Для Рольфа Берга", WHOLE)]),
        ("ждём НЕ Рольфа, а Романа", [("Рольфа", INSIDE), ("Романа", INSIDE)]),
        ("заказ в ОЗОН пришёл", [("ОЗОН", INSIDE)]),
        ("met Hans and Min Choi today", [("Hans", INSIDE), ("Min Choi", INSIDE)]),
        ("Den Haag is far", [("Den Haag", START)]),
        ("met Ned, Ved and Ville today", [("Ned", INSIDE), ("Ved", INSIDE), ("Ville", INSIDE)]),
        ("| Bjarne | carpenter |", [("Bjarne", HEAD)]),
        ("Bjarne", [("Bjarne", HEAD)]),
        ("restarted mem0 and GitHub again", [("GitHub", INSIDE), ("mem0", INSIDE)]),
        ("restarted `harbour-sync` twice", [("harbour-sync", INSIDE)]),
        ("moved to eu-feed-sync today", [("eu-feed-sync", INSIDE)]),
        ("купили билеты у Марины", [("Марины", INSIDE)]),
        ("昨天和王老师一起去 GitHub 大会", [("GitHub", INSIDE), ("王老师", INSIDE)]),
        ("田中さんとトヨナカで会った", [("トヨナカ", INSIDE), ("田中さん", INSIDE)]),
        ("आज सीमा जी आईं", [("सीमा जी", INSIDE)]),
        ("小陈，明天到", [("小陈", INSIDE)]),
        ("他说：老陳，早", [("老陳", INSIDE)]),
        ("昨天和李经理谈了", [("李经理", INSIDE)]),
        ("昨天和李經理談了", [("李經理", INSIDE)]),
        ("みゆちゃんと散歩した", [("みゆちゃん", INSIDE)]),
        ("株式会社ミナトヤに電話した", [("ミナトヤ", INSIDE), ("株式会社ミナトヤ", INSIDE)]),
        ("老虎来了", []),
        ("昨天和王先生吃饭", [("王先生", INSIDE)]),
        ("昨天和陳先生吃飯", [("陳先生", INSIDE)]),
        ("昨日の会合で話したのは田中先生", [("田中先生", INSIDE)]),
        ("昨日はJohn Smithさんと話した", [("John Smith", INSIDE), ("John Smithさん", INSIDE)]),
        ("担当看護師さんと話した、お隣さんとも", []),
        ("高级经理住在柏林", []),
        ("गुरु जी आए, चाचा जी भी", []),
        ("flew to New York today", [("New York", INSIDE)]),
        ("asked both HVKs and the HVK", [("HVK", INSIDE), ("HVK", INSIDE)]),
        ("she joined DRS Engineering in May", [("DRS Engineering", INSIDE)]),
        ("saw two DRs at work", []),
        ("saw Dr. Patel and St. Olav", [("Patel", INSIDE), ("Olav", INSIDE)]),
        ("Łukasz met Žofie at the harbour", [("Łukasz", START), ("Žofie", INSIDE)]),
        ("昨日、佐々木さんが来た", [("佐々木さん", INSIDE)]),
        ("asked in #harbour-watch and #12", [("harbour-watch", INSIDE)]),
        ("昨日 harbour-watch を再起動した", [("harbour-watch", INSIDE)]),
        ("买了东岸花木(600123)一百股", []),
        ("分析：东岸花木（600123）持仓", [("东岸花木", INSIDE)]),
        ("- 鹭洲导航(600123)：6370股", [("鹭洲导航", INSIDE)]),
        ("自动导航(600123)和买入鹭洲(600123)", []),
        ("昨天在飞书发了文档", [("飞书", INSIDE)]),
        ("文件從小紅書下載", [("小紅書", INSIDE)]),
        ("飞书：已连接", [("飞书", LABEL)]),
        ("把书飞快地读完", []),
        ("an iPhone for Ann", [("Ann", INSIDE), ("iPhone", INSIDE)]),
        ("the gate is open ✅ Criei a porta", [("Criei", START)]),
        ("the forecast for Ribe. ### Resumo for today", [("Ribe", INSIDE), ("Resumo", START)]),
        ("they asked ¿Cuánto?", [("Cuánto", START)]),
        ("see kann.md, and docs/wird for Zephyr", [("Zephyr", INSIDE)]),
        ("dann (nur) die Segel streichen", [("Segel", START)]),
        ("die Segel, „auch“ heute", [("Segel", START)]),
        ("die Segel€und so weiter", [("Segel", START)]),
        ("met Zephyr about the und-app", [("Zephyr", INSIDE)]),
        ("neue Segel nähen", [("Segel", START)]),
        ("Segelreparatur, dann Verankerung", [("Segelreparatur", START), ("Verankerung", START)]),
        ("checked Verankerungen twice, then the Zephyr", [("Verankerungen", START), ("Zephyr", INSIDE)]),
        ("moved the Tide Relay App", [("Tide Relay App", INSIDE), ("Tide Relay", WHOLE)]),
        (
            "wir haben neue Segel für Julia und GitHub",
            [("Segel", START), ("Julia", INSIDE), ("GitHub", INSIDE)],
        ),
    ],
)
def test_a_name_is_found_with_its_place(text: str, expected: list[tuple[str, Place]]) -> None:
    assert [tuple(use) for use in name_uses(text, Role.BULLET)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Fixed the build. Updated the docs, and I'm done.",
        "Status: done",
        "**Next Steps:** test it",
        "the API returned JSON over HTTP",
        "see README.md, /etc/Hosts, src/Main.py and https://Example.org/Path",
        "at commit 3fa9c1e of v2.1",
        "`CODE_NAME` and `value` stand in Config.yaml",
        "on Monday in March",
        "the wifi password is Xk29" + "fLmQ88zRt",
        "error ERR-20260401-001, invoice INV-2025-1043",
        "set `fooBar`, localStorage and foo_bar",
        "A follow-up in real-time",
        "ファイルとシステムのテスト",
        "お客さんとお母さん",
        "@Peter and [[Ann Lee]] are tags",
        "Ideas Q001, I13 and B2",
        "Δ and Я stand alone",
        "a firm, Ltd. or LLC",
        "это НЕ сервис, а ТОЛЬКО парсер",
        "поле в БД по ТЗ, без НДС",
        "det er IKKE slut, vi SKAL videre",
        "mehr Umsatz, neue Preise",
        "an RPG in the browser, no MMORPG",
        "ターン制RPGを作る",
        "Short-term it is CPU-only, with Multi-tenant later",
        "Фаза 1 закрыта, в Фазе 2 осталось мало",
        "I Fase 2 og Uge 12 sker der mere",
    ],
)
def test_ordinary_words_paths_and_tags_are_no_names(text: str) -> None:
    assert name_uses(text, Role.BULLET) == []


def test_in_a_title_a_capital_says_nothing() -> None:
    assert name_uses("Harbour Walls And Towers", Role.BULLET) == [("Harbour Walls And Towers", HEAD)]
    assert name_uses("met Bjarne", Role.HEADING) == [("Bjarne", TITLE)]


def test_code_and_front_matter_name_nothing() -> None:
    assert name_uses("met Bjarne", Role.CODE) == name_uses("met Bjarne", Role.META) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| 龙湾海通 | 26.5 |", [("龙湾海通", HEAD)]),
        ("**林望舒**：明天到", [("林望舒", LABEL)]),
        ("「霧島みなと」と話した", [("霧島みなと", HEAD)]),
        ("フジノ製薬に電話した", [("フジノ製薬", INSIDE)]),
        ("りんちゃんと散歩", [("りんちゃん", INSIDE)]),
        ("霧島湊は「凪」", [("霧島湊", HEAD)]),
        ("**霧島湊の**「凪」", [("霧島湊", HEAD)]),
        ("「霧島湊みなも」", [("霧島湊みなも", HEAD)]),
        ("we opened the Action List again", [("Action List", INSIDE)]),
    ],
)
def test_a_name_is_found_by_itself_with_its_organisation_and_of_ordinary_words(
    text: str, expected: list[tuple[str, Place]]
) -> None:
    assert [tuple(use) for use in name_uses(text, Role.BULLET)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "「の霧島湊」",
        "「という霧島湊」",
        "**操作策略**：等",
        "| 成交额 | 最终更新 |",
        "## 決定事項",
        "**候選人**：三位",
        "「已聯繫」",
        "「次のステップ」",
        "使い方：",
    ],
)
def test_what_can_be_cut_into_ordinary_words_is_no_name(text: str) -> None:
    assert name_uses(text, Role.BULLET) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rope Lamp Tracker Fixes", [("Rope Lamp Tracker", TITLE), ("Rope Lamp", WHOLE)]),
        ("Tide Relay App", [("Tide Relay App", TITLE), ("Tide Relay", WHOLE)]),
        ("Relay App", [("Relay App", TITLE)]),
        ("潮汐表示板アプリ（続き）", [("潮汐表示板アプリ", TITLE)]),
        ("アプリの質問", []),
        ("青山Sails - 帆の修理", [("Sails", TITLE), ("青山Sails", TITLE)]),
        ("帆布周总结", []),
        ("更新Sails", [("Sails", TITLE)]),
    ],
)
def test_the_word_for_a_project_ends_a_name_of_ordinary_words(text: str, expected: list[tuple[str, Place]]) -> None:
    assert [tuple(use) for use in name_uses(text, Role.HEADING)] == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("今天在 Harborline 发了 3 帖", "Harborline"),
        ("今天发了 Harborline 3 帖", "Harborline"),
        ("Kestrel 4 個の設定を直した", "Kestrel"),
        ("新的 Kestrel 15 发布了", "Kestrel 15"),
    ],
)
def test_a_number_that_counts_what_follows_is_no_part_of_a_name(text: str, name: str) -> None:
    assert [use.name for use in name_uses(text, Role.BULLET)] == [name]
