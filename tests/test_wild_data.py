"""The wild data set itself: each citation points at the line that it claims, and there is enough of each kind."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

WILD = Path(__file__).parent / "data" / "wild"
WORKSPACE = WILD / "workspace"
LANGUAGES = {"en", "zh-Hans", "zh-Hant", "ja", "hi", "da"}
TYPES = {"identifier", "entity", "decision", "preference", "cause", "fix", "value", "state", "when", "dated", "absent"}
SETS = {  # file: least number of questions, answerable ones, absent ones, and questions a language
    "questions.jsonl": (110, 80, 18, 15),
    "held.jsonl": (60, 45, 10, 10),
}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (WILD / name).read_text(encoding="utf-8").splitlines()]


def test_workspace_is_large_enough() -> None:
    pages = [path.read_text(encoding="utf-8") for path in WORKSPACE.rglob("*.md")]
    assert len(pages) >= 32
    assert sum(len(page.splitlines()) for page in pages) >= 1600
    assert all(page.endswith("\n") and page.strip() for page in pages)


@pytest.mark.parametrize("name", SETS)
def test_each_citation_is_the_line_it_claims(name: str) -> None:
    for row in rows(name):
        assert len(row["answers"]) == len(row["contains"]) == len(set(row["answers"])), row["id"]
        for citation, part in zip(row["answers"], row["contains"], strict=True):
            path, _, number = citation.rpartition("#L")
            lines = (WORKSPACE / path).read_text(encoding="utf-8").split("\n")
            assert part.strip(), row["id"]
            assert part in lines[int(number) - 1], (row["id"], citation)


@pytest.mark.parametrize("name", SETS)
def test_fields_are_sound(name: str) -> None:
    for row in rows(name):
        assert set(row) == {"id", "language", "type", "question", "answers", "contains", "today"}, row["id"]
        assert row["language"] in LANGUAGES, row["id"]
        assert row["type"] in TYPES, row["id"]
        assert row["question"] == row["question"].strip() != "", row["id"]
        assert (row["type"] == "absent") == (not row["answers"]), row["id"]
        date.fromisoformat(row["today"])


@pytest.mark.parametrize("name", SETS)
def test_there_is_enough_of_each(name: str) -> None:
    every, answerable, absent, each = SETS[name]
    found = rows(name)
    types = Counter(row["type"] for row in found)
    languages = Counter(row["language"] for row in found)
    assert len(found) >= every
    assert types["absent"] >= absent
    assert len(found) - types["absent"] >= answerable
    assert set(languages) == LANGUAGES
    assert min(languages.values()) >= each
    assert set(types) == TYPES


def test_ids_and_questions_are_unique() -> None:
    both = [row for name in SETS for row in rows(name)]
    for key in ("id", "question"):
        assert not [value for value, times in Counter(row[key] for row in both).items() if times > 1]


def test_held_questions_do_not_ask_for_the_same_lines_in_the_same_language() -> None:
    looked_at = {(row["language"], *sorted(row["answers"])) for row in rows("questions.jsonl") if row["answers"]}
    assert not [
        row["id"]
        for row in rows("held.jsonl")
        if row["answers"] and (row["language"], *sorted(row["answers"])) in looked_at
    ]
