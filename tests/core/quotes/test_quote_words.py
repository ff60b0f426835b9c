"""What a line is by its label or the headings above it."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Citation, Line
from commonplace.core.quotes.quote_words import (
    announces_a_plan,
    is_material,
    tells_that_all_is_fine,
)

DAY = date(2026, 3, 1)


def line(text: str, *above: str) -> Line:
    return Line(text, (), Citation("memory/2026-03-01.md", 3), DAY, context=above)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Sails of hemp must be washed", "Article ideas"),
        ("Sejl af hamp skal vaskes", "Dagens overskrifter"),
        ("麻帆必须清洗", "今日热点"),
        ("麻帆必須清洗", "今日熱點"),
        ("麻の帆は必ず洗う", "今日のニュース"),
        ("सन के पाल धोने होंगे", "आज की खबरें"),
        ("Паруса из льна надо мыть", "Дайджест новостей"),
    ],
)
def test_below_a_heading_of_news_or_ideas_for_articles_a_line_is_material(text: str, heading: str) -> None:
    assert is_material(line(text, "Tuesday", heading))
    assert is_material(line(text, "Tuesday", f"09:30 – {heading}", "Hemp", "Why it matters"))
    assert not is_material(line(text, heading, "Tuesday", "Boats", "Hemp"))


@pytest.mark.parametrize(
    "text",
    [
        "**Core argument**: sails of hemp must be washed",
        "Artiklens pointe: sejl af hamp skal vaskes",
        "**核心论点**：麻帆必须清洗",
        "**核心論點**：麻帆必須清洗",
        "記事の主張：麻の帆は必ず洗う",
        "लेख का मुख्य तर्क: सन के पाल धोने होंगे",
        "Тезис статьи: паруса из льна надо мыть",
    ],
)
def test_a_label_of_what_an_article_is_to_say_makes_material(text: str) -> None:
    assert is_material(line(text, "Tuesday"))


@pytest.mark.parametrize(
    "heading",
    [
        "Fixed the news digest",
        "Bug in top stories",
        "Deployed the news scan",
        "Rettede fejl i dagens nyheder",
        "Ny version af nyhedsoverblik",
        "修复新闻摘要",
        "修復新聞摘要",
        "改修 今日のニュース",
        "बदला गया समाचार सार",
        "Исправил дайджест новостей",
    ],
)
def test_work_on_what_lists_news_is_none(heading: str) -> None:
    assert not is_material(line("Sails", "Tuesday", heading))


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Sails of hemp must be washed", "Rules for articles"),
        ("The hotspot must stay on", "Mobile hotspot"),
        ("Angle: 30 degrees", "Hull"),
        ("必须保持开启", "手机热点"),
        ("论文选题：麻帆的历史", "大学"),
        ("体重は減っている", "トレンド"),
        ("Вода тёплая", "Новости от Мары"),
        ("Mara is well", "News from Mara"),
    ],
)
def test_other_headings_and_labels_announce_none(text: str, heading: str) -> None:
    assert not is_material(line(text, "Tuesday", heading))


@pytest.mark.parametrize(
    "heading",
    [
        "Next session priorities",
        "Immediate (while the tide is out)",
        "Bådens næste fase",
        "立即执行",
        "立即執行",
        "今日 P0 任务",
        "明天要做的一件事",
        "待优化",
        "次回セッション",
        "来週の重点",
        "आज के कार्य",
        "Задачи на завтра",
    ],
)
def test_what_is_to_be_done_at_once_or_next_is_a_plan(heading: str) -> None:
    assert announces_a_plan(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Our priorities",
        "Next week",
        "Næste uge",
        "下周",
        "来週",
        "अगले सप्ताह",
        "На следующей неделе",
        "The session of the board",
        "Immediate family",
        "Bådens opgaver i havnen",
        "水泵的任务",
        "执行委员会",
        "優先席の規則",
        "परिवार के कार्य",
        "Срочность ремонта",
    ],
)
def test_other_headings_with_such_words_are_none(heading: str) -> None:
    assert not announces_a_plan(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Upkeep of the pier (from phase 3 on)",
        "Second mast (Next 6 weeks)",
        "Radar — a better one (later)",
        "Molens drift (fra fase 3)",
        "Ny radar (senere)",
        "Содержание причала (с этапа 3)",
        "Новый радар (позже)",
        "码头维护（第3阶段以后）",
        "碼頭維護（第3階段以後）",
        "新雷达（待定）",
        "桟橋の保守（フェーズ3以降）",
        "新しいレーダー（予定）",
        "घाट का रखरखाव (चरण 3 से)",
        "नया रडार (बाद में)",
    ],
)
def test_a_heading_that_says_in_brackets_later_is_a_plan(heading: str) -> None:
    assert announces_a_plan(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Upkeep of the pier (phase 3)",
        "Upkeep of the pier (from 3 March on)",
        "Second mast (two days later it broke)",
        "From phase 3 on",
        "Molens drift (fase 3)",
        "Molens drift (fra 3. marts)",
        "Содержание причала (этап 3)",
        "Содержание причала (с 3 марта)",
        "码头维护（第3阶段）",
        "碼頭維護（3月以後）",
        "桟橋の保守（フェーズ3）",
        "桟橋の保守（2026年3月以降）",
        "घाट का रखरखाव (चरण 3)",
        "घाट का रखरखाव (3 मार्च से)",
        "Visitors (after launch)",
        "Faults that we found (after phase 2)",
        "Besøg (efter lanceringen)",
        "Fejl (efter fase 2)",
        "Посетители (после запуска)",
        "Ошибки (после этапа 2)",
        "访问量（上线后）",
        "訪問量（上線後）",
        "アクセス数（リリース後）",
        "नाव का पाल (आगे)",
        "भूलें (चरण 2 के बाद)",
    ],
)
def test_a_heading_that_says_there_since_when_or_in_which_phase_is_none(heading: str) -> None:
    assert not announces_a_plan(heading)


@pytest.mark.parametrize(
    "text",
    [
        "**Decision**: the text is good, no changes needed",
        "Conclusion: everything works, three pumps run",
        "Konklusion: alt kører, ingen ændringer nødvendige",
        "**结论**：一切正常，三台水泵运转",
        "決定：文字很好，無需修改",
        "**結論**: 全体は正常に稼働しており、三台のポンプが動く",
        "निष्कर्ष: सब ठीक चल रहा है",
        "Вывод: всё работает, изменений не требуется",
    ],
)
def test_a_verdict_that_nothing_is_to_be_done_says_so(text: str) -> None:
    assert tells_that_all_is_fine(text)


@pytest.mark.parametrize(
    "text",
    [
        "**Decision**: the text goes to Rolf, who prints it on the press in Ribe; no changes needed",
        "The pump works since it has a new valve",
        "Konklusion: pumpen kører på diesel",
        "Færgen kører normalt fra kaj 3",
        "**结论**：水泵要换新的阀门",
        "決定：文字交給羅爾夫修改",
        "**結論**: ポンプは新しい弁で動く",
        "निष्कर्ष: पंप को नया वाल्व चाहिए",
        "Вывод: насос работает на дизеле",
    ],
)
def test_other_verdicts_do_not(text: str) -> None:
    assert not tells_that_all_is_fine(text)
