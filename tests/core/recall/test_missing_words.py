"""Notes name whole words with content: no stop words, and no pairs of characters across the ends of words."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.questions.query_analysis import read
from commonplace.core.recall.missing_words import missing_words
from commonplace.core.text.analyzer import document_terms

TODAY = date(2026, 3, 12)


@pytest.mark.parametrize(
    ("question", "line", "expected"),
    [
        ("雷哥住在哪里？", "公开称呼用户为雷哥，不用真名", []),
        ("雷哥的汽车是什么颜色", "雷哥喜欢喝茶", ["汽车", "颜色"]),
        ("雷哥生日", "雷哥喜欢喝茶", ["生日"]),
        ("小明喜欢雷哥吗？", "小明, 雷哥, 喜欢", []),
        ("小明住在哪里", "", ["小明"]),
        ("會議在上海嗎", "", ["會議", "上海"]),
        ("猫？", "", ["猫"]),
        ("我应该做什么？", "", []),
        ("来週は何をすればいい？", "", []),
        ("由紀はどこに住んでいますか", "", ["由紀"]),
        ("由紀さんのツェッペリンはどこですか", "由紀はペリカンを見た", ["ツェッペリン"]),
        ("りんごはどこ", "", ["りんご"]),
        ("会議した場所", "会議は長い", ["場所"]),
        ("what should I do?", "", []),
        ("who are you", "", []),
        ("What should we do about the zeppelin of Peter?", "Peter repaired the fence.", ["zeppelin"]),
        ("what did we decide?", "", ["decide"]),
        ("what did we decide about the zeppelin?", "", ["zeppelin"]),
        ("ERR_9087 in src/relay/pool.py", "", ["ERR_9087", "src/relay/pool.py"]),
        ("hvad skal jeg gøre?", "", []),
        ("hvad skal jeg gøre med båden?", "", ["båden"]),
        ("मुझे क्या करना चाहिए?", "", []),
        ("что мне делать?", "", []),
    ],
)
def test_missing_words_are_whole_words_with_content(question: str, line: str, expected: list[str]) -> None:
    known = set(document_terms(line).split())
    reading = read(question, TODAY)
    assert missing_words(reading, is_known=lambda term: not known.isdisjoint(term.keys)) == expected


def test_a_word_below_a_weight_is_not_named() -> None:
    reading = read("zeppelin", TODAY)
    assert missing_words(reading, is_known=lambda _: False, above=1.0) == []
