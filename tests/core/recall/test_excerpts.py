"""Excerpts of long lines: one piece of the line, with what answers."""

from datetime import date

import pytest

from commonplace.core.model import Citation, Hit, Line, Origin
from commonplace.core.recall.excerpts import LONG, SHORT, excerpted
from commonplace.core.recall.packing import count_tokens
from commonplace.core.text.analyzer import query_terms

SAID = {
    "en": (
        "The weather was calm and we walked along the shore. ",
        "The boiler pressure must stay below 2 bar. ",
        "boiler pressure",
    ),
    "da": (
        "Vejret var roligt, og vi gik en tur langs stranden. ",
        "Kedlens tryk skal holdes under 2 bar. ",
        "kedlens tryk",
    ),
    "zh-Hans": (
        "天气很好，我们沿着海边走了很久。",
        "锅炉的压力必须保持在两巴以下。",
        "锅炉压力",
    ),
    "zh-Hant": (
        "天氣很好，我們沿著海邊走了很久。",
        "鍋爐的壓力必須保持在兩巴以下。",
        "鍋爐壓力",
    ),
    "ja": (
        "天気がよかったので海辺を長く歩いた。",
        "ボイラーの圧力は二バール以下に保つこと。",
        "ボイラーの圧力",
    ),
    "hi": (
        "मौसम अच्छा था और हम किनारे पर चले। ",
        "बॉयलर का दबाव दो बार से कम रहे। ",
        "बॉयलर का दबाव",
    ),
    "ru": (
        "Погода была хорошая, и мы гуляли по берегу. ",
        "Давление котла должно быть ниже двух бар. ",
        "давление котла",
    ),
}


def hit(content: str, origin: Origin = Origin.LOG) -> Hit:
    line = Line(content, (), Citation("memory/2025-11-03.md", 3), date(2025, 11, 3), None, origin, 1, (), (), "")
    return Hit(line, 1.0, ("words",))


@pytest.mark.parametrize("language", SAID)
def test_a_long_line_is_cut_to_the_sentence_that_answers(language: str) -> None:
    filler, answer, question = SAID[language]
    long = hit(filler * 20 + answer + filler * 20)
    cut = excerpted(long, [(term, 1.0) for term in query_terms(question)])
    assert cut.excerpt
    assert answer.strip() in cut.line.content
    assert cut.line.content in long.line.content
    assert cut.line.source == long.line.source
    assert count_tokens(cut.line.content) <= SHORT + 1


def test_a_short_line_and_generated_text_stay_whole() -> None:
    terms = [(term, 1.0) for term in query_terms("boiler pressure")]
    for whole in (hit("The boiler pressure must stay below 2 bar."), hit("A boiler. " * 200, Origin.GENERATED)):
        assert excerpted(whole, terms) == whole


def test_text_without_sentences_is_divided() -> None:
    long = hit("x" * 3000 + " boiler " + "y" * 3000)
    cut = excerpted(long, [(term, 1.0) for term in query_terms("boiler")])
    assert "boiler" in cut.line.content
    assert count_tokens(cut.line.content) < LONG


def test_without_terms_the_excerpt_is_the_beginning() -> None:
    cut = excerpted(hit("First we met. " + "Then we walked on. " * 60), [])
    assert cut.line.content.startswith("First we met.")
