"""The campaign of `make soak`, for a bounded number of steps by a fixed seed: nothing is found."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.soak.traced import can_trace

if TYPE_CHECKING:
    from pathlib import Path

STEPS = {"kills": 26, "errors": 26, "races": 1, "hands": 5, "fuzz": 2}
PARTS = [("kills", 1), ("kills", 2), ("errors", 1), ("errors", 2), ("races", 1), ("hands", 1), ("fuzz", 1)]
"""Kinds with their seeds: each verb is killed at two of its calls, and two others fail."""


@pytest.mark.parametrize(("kind", "seed"), PARTS)
def test_the_first_steps_of_the_campaign_find_nothing(kind: str, seed: int, tmp_path: Path) -> None:
    summary, steps = tmp_path / "soak.json", STEPS[kind]
    words = ["--kind", kind, "--steps", str(steps), "--jobs", "1", "--seed", str(seed), "--seconds", "600"]
    argv = [sys.executable, "-m", "tests.soak", *words, "--summary", str(summary)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(summary.read_text(encoding="utf-8"))
    assert told["findings"] == []
    assert told["steps"] == ({kind: steps} if can_trace() or kind not in ("kills", "errors") else {})
