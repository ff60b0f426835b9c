"""How much of what logs tell is rightly proposed: floors, a little below what was reached."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench" / "infer.py"
HALVES = ("development", "held")
FLOORS = {"development": (0.95, 0.90), "held": (0.85, 0.65)}
"""Precision and recall, over all languages."""
LEAST = {"development": (0.92, 0.85), "held": (0.80, 0.45)}
"""In each language."""


@cache
def measured() -> dict[str, dict[str, dict[str, float]]]:
    done = subprocess.run([sys.executable, str(BENCH)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, dict[str, float]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("half", HALVES)
def test_what_is_proposed_is_worth_it_and_enough(half: str) -> None:
    for language, found in measured()[half].items():
        precision, recall = FLOORS[half] if language == "all" else LEAST[half]
        assert found["P"] >= precision, (language, found)
        assert found["R"] >= recall, (language, found)


@pytest.mark.parametrize("half", HALVES)
def test_most_proposals_are_of_the_right_kind_and_about_the_right_one(half: str) -> None:
    found = measured()[half]["all"]
    assert found["kind right"] >= 0.85
    assert found["entity right"] >= 0.70
