"""A few of the failures that bench/fleet_failover.py makes: failing over in mid-push, and a full disk."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[3] / "bench"


def test_failing_over_and_a_full_disk_in_mid_push_leave_nothing_half() -> None:
    words = [sys.executable, str(BENCH / "fleet_failover.py"), "--failovers", "2", "--full", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = dict(re.findall(r"^\| (.+) \| (\d+) \|$", done.stdout, re.MULTILINE))
    assert counts.pop("failed over in mid-push to a standby that had all, and the next push went on") == "1"
    assert counts.pop("… to one that lagged, and the next push was refused until `--take-over`") == "1"
    assert "not tried: this user may not mount a disk" in counts or len(counts) == len(("full", "ended"))
