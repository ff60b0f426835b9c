"""A few of the kills that bench/fleet_kills.py makes by the hundred."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[3] / "bench"


def test_killed_pushes_forgets_and_migrations_leave_nothing_half() -> None:
    words = [sys.executable, str(BENCH / "fleet_kills.py"), "--files", "120"]
    words += ["--pushes", "3", "--forgets", "4", "--migrations", "3"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = dict(re.findall(r"^\| (.+) \| (\d+) \|$", done.stdout, re.MULTILINE))
    assert sum(int(counts[f"{what}: killed"]) for what in ("pushes", "forgets", "migrations")) > 0
    assert int(counts["facts that an old copy tried to bring back, and could not"]) > 0
