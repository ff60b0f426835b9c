"""What a line is by its label or the headings above it."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Citation, Line
from commonplace.core.quotes.quote_words import is_material

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
    ("text", "heading"),
    [
        ("We decided to buy sails of hemp", "Article ideas"),
        ("Decision: no more sails of hemp", "Top stories"),
        ("Læring: vask sejl af hamp", "Dagens nyheder"),
        ("我们决定买麻帆", "今日热点"),
        ("決定: 麻の帆を買う", "今日のニュース"),
        ("हमने सन के पाल खरीदने का फ़ैसला किया", "आज की खबरें"),
        ("Мы решили купить паруса из льна", "Дайджест новостей"),
    ],
)
def test_a_decision_or_lesson_of_ones_own_is_none(text: str, heading: str) -> None:
    assert not is_material(line(text, "Tuesday", heading))


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
