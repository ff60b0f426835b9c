"""The planted questions are only as good as their citations: each has to be exact, and every sort has to be there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent / "data" / "planted"
WORKSPACE = HERE / "workspace"
LANGUAGES = {"en", "da", "zh-Hans", "zh-Hant", "ja", "hi"}
TYPES = {"identifier", "entity", "opinion", "decision", "last_time", "conflict", "as_of", "dated", "now"}
TYPES |= {"inflection", "mixed", "crosslingual", "multi", "absent"}
KEYS = {"id", "language", "type", "question", "today", "options", "answers", "contains", "expect", "sort"}
OPTIONS = {"as_of", "since", "until", "during", "kinds", "entities"}
WEEKDAYS = {
    name: number
    for names in (
        "Mon Tue Wed Thu Fri Sat Sun",
        "man tir ons tor fre lør søn",
        "一 二 三 四 五 六 日",
        "月 火 水 木 金 土 日",
        "सोम मंगल बुध गुरु शुक्र शनि रवि",
    )
    for number, name in enumerate(names.split())
}


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


PLANTED, HELD = read("questions.jsonl"), read("held.jsonl")
QUESTIONS = PLANTED + HELD


def line_of(citation: str) -> str:
    path, _, number = citation.partition("#L")
    lines = (WORKSPACE / path).read_text(encoding="utf-8").split("\n")
    return lines[int(number) - 1]


def where(path: str, text: str) -> list[int]:
    """Numbers of the lines of `path` that hold `text`: what a failing citation should have said."""
    lines = (WORKSPACE / path).read_text(encoding="utf-8").split("\n")
    return [number for number, line in enumerate(lines, 1) if text in line]


def test_there_are_enough_of_each() -> None:
    assert len(PLANTED) >= 190
    assert len(HELD) >= 80
    assert set(Counter(one["language"] for one in QUESTIONS)) == LANGUAGES
    assert min(Counter(one["language"] for one in PLANTED).values()) >= 25
    assert {one["type"] for one in PLANTED} == TYPES
    assert {one["type"] for one in HELD} == TYPES
    absent = Counter(one["language"] for one in PLANTED if one["type"] == "absent")
    assert absent.total() >= 30
    assert all(absent[language] >= 4 for language in LANGUAGES)


def test_no_question_is_asked_twice() -> None:
    assert len({one["id"] for one in QUESTIONS}) == len(QUESTIONS)
    asked = Counter((one["question"], one.get("today"), json.dumps(one.get("options"))) for one in QUESTIONS)
    assert [question for question, times in asked.items() if times > 1] == []


@pytest.mark.parametrize("one", QUESTIONS, ids=[one["id"] for one in QUESTIONS])
def test_a_question_cites_what_it_says(one: dict[str, Any]) -> None:
    assert set(one) <= KEYS
    assert set(one.get("options", {})) <= OPTIONS
    if "today" in one:
        date.fromisoformat(one["today"])
    answers, expect = one["answers"], one.get("expect", {})
    if one["type"] == "absent":
        assert answers == []
        assert one["sort"] in {"name", "topic", "scattered"}
        return
    assert len(answers) == len(set(answers)) > 0
    assert all(line_of(citation).strip() for citation in answers)
    path = answers[0].partition("#L")[0]
    assert answers[0] in [f"{path}#L{number}" for number in where(path, one["contains"])]
    if one["type"] == "multi":
        assert len(answers) >= 2
    assert expect.get("first", answers[0]) in answers
    old = expect.get("superseded", [])
    assert all(line_of(citation).strip() for citation in old)
    assert not set(old) & set(answers)
    if "range" in expect:
        ends = [expect["range"][key] for key in ("from", "to")]
        days = [date.fromisoformat(end) for end in ends if end]
        assert days
        assert days == sorted(days)


def test_no_question_is_copied_out_of_the_logs() -> None:
    """Identifiers are asked as they are, and a few options have a single word for a question."""
    copied = [
        one["id"]
        for one in QUESTIONS
        if one["type"] not in {"identifier", "absent"} and "options" not in one
        for citation in one["answers"]
        if one["question"].strip("?？.").casefold() in line_of(citation).casefold()
    ]
    assert copied == []


def test_weekdays_are_those_of_the_calendar() -> None:
    named = re.compile(r"^#+ (\d{4})-(\d\d)-(\d\d) \(([^)]+)\)", re.MULTILINE)
    found = 0
    for page in WORKSPACE.rglob("*.md"):
        for year, month, day, name in named.findall(page.read_text(encoding="utf-8")):
            found += 1
            assert date(int(year), int(month), int(day)).weekday() == WEEKDAYS[name], (page.name, name)
    assert found > 50


def test_check_finds_no_problem(tmp_path: Path) -> None:
    copy = shutil.copytree(WORKSPACE, tmp_path / "otter")
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", "check", "--workspace", str(copy)],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no problems\n"
