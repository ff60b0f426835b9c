"""The data set of paraphrases itself: no question shares a word with its line, and each language has its share."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from commonplace.core.text.analyzer import occurrences, query_terms

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "paraphrases.json").read_text(encoding="utf-8"))
LOGS: dict[str, list[str]] = DATA["logs"]
QUESTIONS: list[dict[str, Any]] = DATA["questions"]
ANSWERED = [each for each in QUESTIONS if each["gold"]]
LANGUAGES = ("en", "da", "zh", "ja", "hi", "ru")
ONLY_KANA = re.compile("[ぁ-ゖ]{1,2}")
"""Grammar, in Japanese: content is written with kanji or katakana."""
FUNCTION_WORDS = {"न"}
"""Those that the analyzer does not know as such."""


def of(language: str, asks: str) -> list[dict[str, Any]]:
    return [each for each in QUESTIONS if (each["language"], each["asks"]) == (language, asks)]


def shared(question: str, line: str) -> list[str]:
    """The words of a question that recall could find the line by; stems, pairs of characters and other forms too."""
    there = set(occurrences(line))
    names = {term for name in DATA["names"] for term in occurrences(name)}
    return [
        term.text
        for term in query_terms(question)
        if not ONLY_KANA.fullmatch(term.text)
        and term.text not in FUNCTION_WORDS
        and any(
            key in there or (key.endswith("*") and any(each.startswith(key[:-1]) for each in there))
            for key in set(term.keys) - names
        )
    ]


def test_what_shares_a_stem_or_a_pair_of_characters_is_noticed() -> None:
    assert shared("Who repaired the boilers?", "The boiler was mended") == ["boilers"]
    assert shared("面包车在哪里", "送货的面包坏了") == ["面包"]
    assert shared("Кто чинил котлы?", "Котёл починил сосед") == []
    assert shared("Who saw Tom?", "Tom left") == []


@pytest.mark.parametrize("row", ANSWERED, ids=lambda row: f"{row['language']}-{row['asks']}-{row['topic']}")
def test_no_question_shares_a_word_with_its_line(row: dict[str, Any]) -> None:
    for day, text in row["gold"]:
        assert shared(row["question"], text) == []
        assert shared(row["question"], day) == []


def test_each_gold_line_is_there_once() -> None:
    lines = Counter((day, text) for day, texts in LOGS.items() for text in texts)
    assert set(lines.values()) == {1}
    assert all((day, text) in lines for row in ANSWERED for day, text in row["gold"])


def test_logs_are_enough_days_and_lines_of_one_row_each() -> None:
    lines = [text for texts in LOGS.values() for text in texts]
    assert len(LOGS) == 40
    assert len(lines) >= 250
    assert [*LOGS] == sorted(date.fromisoformat(day).isoformat() for day in LOGS)
    assert all(text == text.strip() != "" and "\n" not in text for text in lines)
    for letters in ("[a-z]{3}", "[æøå]", "[一-鿿]{4}", "[ぁ-ゖ]", "[ऀ-ॿ]", "[а-я]"):
        assert sum(bool(re.search(letters, text)) for text in lines) >= 30, letters


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_asks_enough_of_each_kind(language: str) -> None:
    assert [len(of(language, asks)) for asks in ("own", "cross", "absent")] == [12, 12, 6]
    assert all(len(row["gold"]) == 1 for asks in ("own", "cross") for row in of(language, asks))
    assert not any(row["gold"] for row in of(language, "absent"))


def test_a_line_is_asked_for_in_its_language_and_in_one_other() -> None:
    asked: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for row in ANSWERED:
        asked.setdefault(tuple(row["gold"][0]), []).append((row["asks"], row["language"]))
    for pair in asked.values():
        assert sorted(asks for asks, _ in pair) == ["cross", "own"]
        assert len({language for _, language in pair}) == 2


def test_questions_are_unique_and_few_have_a_name() -> None:
    texts = [row["question"] for row in QUESTIONS]
    assert len(set(texts)) == len(texts)
    assert sum(any(name in text for name in DATA["names"]) for text in texts) <= len(texts) / 5


def test_half_of_the_questions_of_each_kind_is_held() -> None:
    topics = [topic for row in DATA["topics"] for topic in row]
    assert {row["topic"] for row in QUESTIONS} == set(topics)
    assert len(set(topics)) == len(topics) == 36
    held = {topic for row in DATA["topics"][1::2] for topic in row}
    for language in LANGUAGES:
        for asks in ("own", "cross", "absent"):
            rows = of(language, asks)
            assert 2 * sum(row["topic"] in held for row in rows) == len(rows), (language, asks)
    by_line = {tuple(row["gold"][0]): row["topic"] for row in ANSWERED}
    assert all(by_line[tuple(row["gold"][0])] == row["topic"] for row in ANSWERED)
