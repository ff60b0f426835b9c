"""The labelled questions for a model: each kind and language has its share of traps, and no verdict is always right."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data" / "decide"
KINDS = ("judge", "inferred", "add", "core", "same", "names", "changes", "sentence")
LANGUAGES = ("en", "da", "zh", "ja", "hi", "ru")


def questions(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kind", KINDS)
def test_each_language_has_ten_of_a_kind_and_half_are_traps(kind: str) -> None:
    found = questions(kind)
    assert Counter(each["language"] for each in found) == dict.fromkeys(LANGUAGES, 10)
    assert Counter(each["language"] for each in found if each["trap"]) == dict.fromkeys(LANGUAGES, 5)
    assert len({frozenset(each) for each in found}) == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("add", "sentence")])
def test_no_verdict_is_right_most_of_the_time(kind: str) -> None:
    for traps in (True, False):
        given = Counter(each["verdict"] for each in questions(kind) if bool(each["trap"]) == traps)
        assert max(given.values()) <= 0.6 * 30, (kind, traps, given)


@pytest.mark.parametrize("kind", KINDS)
def test_no_question_is_there_twice(kind: str) -> None:
    shapes = [
        {text[at : at + 4] for text in (json.dumps(each, ensure_ascii=False),) for at in range(len(text) - 3)}
        for each in questions(kind)
    ]
    keys = {run for run, count in Counter(run for each in shapes for run in each).items() if count > len(shapes) / 2}
    for one, other in combinations([each - keys for each in shapes], 2):
        assert len(one & other) < 0.6 * min(len(one), len(other))


def test_what_is_asked_for_is_there() -> None:
    for each in questions("add"):
        assert all(0 <= at < len(each["lines"]) and at != each["asked"] for at in each["missed"])
        for at, words in zip(each["missed"], each["words"], strict=True):
            assert all(word.casefold() in each["lines"][at].casefold() for word in words)
        assert bool(each["missed"]) != bool(each["trap"])
    for each in questions("sentence"):
        assert each["on"]
        assert not {*each["on"]} & {*each["never"]}
        assert {*each["on"], *each["never"]} <= {*range(len(each["facts"]))}
        assert bool(each["never"]) == bool(each["trap"])
    for each in questions("inferred"):
        assert bool(each["names"]) == (each["verdict"] == "edit")
