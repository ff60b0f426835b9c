"""What a write costs in a log of 100,000 facts; prints a Markdown table.

    python bench/large_log.py [--facts 100000] [--runs 5] [--cli CMD]

Whole processes, as in `speed.py`; the first row reads and indexes the whole log. One log takes all of them in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

from speed import Cost, cost, median

DAY = "2025-12-01"
LOG = f"memory/{DAY}.md"
NAMES = ("Peter", "Clara", "Andy", "The-Castle", "warelay", "Alice")


def written(root: str, facts: int) -> None:
    """A log of so many facts, each another one."""
    os.mkdir(os.path.join(root, "memory"))
    with open(os.path.join(root, LOG), "w", encoding="utf-8") as file:
        file.write(f"# {DAY}\n\n## Retain\n")
        for number in range(facts):
            name, thing = NAMES[number % len(NAMES)], number * 7919 % 100_003
            file.write(f"- W @{name}: Statement number {number} about thing {thing} at the harbour.\n")


def measured(root: str, cli: list[str], facts: int, runs: int) -> dict[str, list[Cost]]:
    """The costs of each job."""
    words = [*cli, "--workspace", root, "--today", DAY]
    found: dict[str, list[Cost]] = {"index --rebuild": [cost([*words, "index", "--rebuild"])]}
    for number in range(runs):
        told = subprocess.run(
            [*words, "--json", "retain", f"W @Peter: To be forgotten, {number}."], stdout=subprocess.PIPE, check=True
        )
        jobs = {
            "retain": ["retain", f"W @Peter: Said at the end, {number}."],
            "append": ["append", LOG, f"Said beside the facts, {number}."],
            "correct": ["correct", f"{LOG}#L{facts // 2 + number}", f"Statement that is right, {number}."],
            "forget": ["forget", json.loads(told.stdout)["id"]],
        }
        for name, job in jobs.items():
            found.setdefault(name, []).append(cost([*words, *job]))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description="Measure writes into a large log.")
    options.add_argument("--facts", type=int, default=100_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--cli", default=f"{shlex.quote(sys.executable)} -m commonplace")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as root:
        written(root, given.facts)
        found = measured(root, shlex.split(given.cli), given.facts, given.runs)
    print(f"| job, {given.facts:,} facts in one log | CPU s | wall s | peak MB | runs |\n|---|---:|---:|---:|---:|")
    for name, runs in found.items():
        middle = median(runs)
        print(f"| `{name}` | {middle.cpu:.2f} | {middle.wall:.2f} | {middle.peak:.0f} | {len(runs)} |")


if __name__ == "__main__":
    main()
