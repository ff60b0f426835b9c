"""The property tests of the suite with other seeds: parsing, dates, questions, tools, setup files, merges and the rest.

A step is one test with a seed of its own, in a process of its own: `pytest --hypothesis-seed=N FILE::TEST`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

TESTS = Path(__file__).parents[1]
AREAS = {
    "parse": (
        "core/documents/test_fact_syntax.py",
        "core/markdown/test_page_regions.py",
        "core/opinions/test_opinion_reader.py",
        "core/review/test_review_page.py",
        "core/review/test_review_answers.py",
        "core/markdown/test_text_edits.py",
        "core/markdown/test_frontmatter.py",
        "core/extract/test_infer.py",
        "test_format.py",
    ),
    "dates": ("core/when/test_when.py",),
    "questions": ("core/questions/test_query_analysis.py", "core/text/test_analyzer.py", "ops/recall/test_recall.py"),
    "tools": ("doors/tools/test_tools_fuzz.py", "doors/anthropic/test_memory_tool.py"),
    "setup files": ("doors/setup/test_setup.py",),
    "merges": (
        "core/markdown/test_merge.py",
        "core/markdown/test_section_merge.py",
        "ops/index/test_sync.py",
        "store/workspace/test_workspace_writes.py",
    ),
}
"""Files with property tests, by what they feed with odd input."""
PATIENCE = 600


@cache
def tests() -> tuple[tuple[str, str], ...]:
    """Every property test of these files: its area, and its name for pytest."""
    found = []
    for area, files in AREAS.items():
        for file in files:
            if not (TESTS / file).exists():
                continue
            text = (TESTS / file).read_text(encoding="utf-8")
            for match in re.finditer(r"^@given\(.*?^def (test_\w+)", text, re.M | re.S):
                found.append((area, f"{file}::{match[1]}"))
    return tuple(found)


class Fuzz:
    """One property test after the other, again and again."""

    kind = "fuzz"
    available = True

    def __init__(self, top: Path) -> None:
        self._top = top

    def step(self, number: int, chance: Random) -> tuple[str, str, list[str]]:
        """The area, the command that repeats the step, and what failed."""
        area, test = tests()[number % len(tests())]
        seed = chance.randrange(10**9)
        words = ["-m", "pytest", "-n", "0", "-q", f"--hypothesis-seed={seed}", "--hypothesis-show-statistics"]
        argv = [sys.executable, *words, f"tests/{test}", f"--basetemp={self._top}/pytest{number}"]
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        done = subprocess.run(
            argv, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=TESTS.parent, env=env
        )
        ran = sum(map(int, re.findall(r"(\d+) passing", done.stdout)))
        told = f"pytest --hypothesis-seed={seed} tests/{test}: {ran} examples"
        return area, told, [] if done.returncode == 0 else [done.stdout[-2500:] + done.stderr[-500:]]
