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

STEPS = {"kills": 52, "errors": 52, "races": 1, "hands": 6, "fuzz": 2}


@pytest.mark.parametrize("kind", STEPS)
def test_nothing_is_found_in_the_first_steps_of(kind: str, tmp_path: Path) -> None:
    summary, steps = tmp_path / "soak.json", STEPS[kind]
    words = ["--kind", kind, "--steps", str(steps), "--jobs", "1", "--seed", "1", "--seconds", "600"]
    argv = [sys.executable, "-m", "tests.soak", *words, "--summary", str(summary)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(summary.read_text(encoding="utf-8"))
    assert told["findings"] == []
    assert told["steps"] == ({kind: steps} if can_trace() or kind not in ("kills", "errors") else {})
