"""Speed, memory and size, beside a floor measured in the same run; prints Markdown tables.

    python bench/speed.py [--days 365 3650] [--workspace DIR] [--cli CMD] [--runs 9]

Whole processes: CPU seconds (user + system) and peak memory of each command, as the system counts them; medians. The
commands take turns, so that a noisy minute falls on all of them. Floors are what `floor.py` does with the same lines,
or one question of it, or a bare interpreter that starts and stops. Workspaces are written by `corpus.py`, one for each
number of days; --workspace measures a copy of that folder instead.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
SEVERAL = 3
"""Runs of what takes seconds."""
SETTLED = 2.5
"""Seconds after which a file's time stamp is trusted: a folder that was copied just now is no one's daily case."""


class Cost(NamedTuple):
    """What one process took."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    peak: float
    """MB of memory."""


def cost(argv: list[str]) -> Cost:
    """Run a command to its end. Raises SystemExit when it fails."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            raise SystemExit(f"{shlex.join(argv)} exited {child.returncode}: {said.read()[-2000:].decode()}")
    unit = 1e6 if sys.platform == "darwin" else 1e3  # ru_maxrss is bytes there, kilobytes elsewhere
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / unit)


def median(runs: list[Cost]) -> Cost:
    """Of each figure alone."""
    return Cost(*(sorted(column)[len(column) // 2] for column in zip(*runs, strict=True)))


def told(*arguments: str) -> Any:
    """What one of our scripts prints, read as JSON. They run apart: memory of a parent counts as its children's."""
    script, *rest = arguments
    argv = [sys.executable, os.path.join(HERE, script), *rest]
    return json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout)


def append(root: str, line: str) -> None:
    """One more line at the end of the last dated log."""
    memory = os.path.join(root, "memory")
    last = max(name for name in os.listdir(memory) if name.startswith("20") and name.endswith(".md"))
    with open(os.path.join(memory, last), "a", encoding="utf-8") as file:
        file.write(line)


def size(root: str, *, index: bool) -> float:
    """MB of the index, or of the Markdown."""
    total = 0
    for folder, _, names in os.walk(root):
        within = f"{os.sep}.memory" in folder[len(root) :]
        if within == index:
            wanted = [name for name in names if index or name.endswith(".md")]
            total += sum(os.path.getsize(os.path.join(folder, name)) for name in wanted)
    return total / 1e6


class Bench:
    """One workspace under measurement."""

    def __init__(self, root: str, cli: list[str], today: str, runs: int) -> None:
        self.root = root
        self.cli = cli
        self.today = ["--today", today] if today else []
        self.runs = runs
        self.costs: dict[str, list[Cost]] = {}
        self._floor = [sys.executable, os.path.join(HERE, "floor.py"), "--workspace", root]

    def ours(self, *arguments: str, root: str = "") -> list[str]:
        return [*self.cli, "--workspace", root or self.root, *self.today, *arguments]

    def run(self, label: str, argv: list[str]) -> None:
        self.costs.setdefault(label, []).append(cost(argv))

    def whole(self) -> None:
        """Measure every command."""
        several = min(SEVERAL, self.runs)
        for _ in range(several):
            self.run("floor: index", [*self._floor, "index"])
            self.run("full index", self.ours("index", "--rebuild"))
        asked = told("questions.py", self.root)
        word, sentence = asked["word"][0], asked["sentence"][0]
        cjk = (asked["CJK"] or asked["sentence"])[0]
        for number in range(self.runs):
            self.run("floor: start", [sys.executable, "-c", "pass"])
            self.run("floor: question", [*self._floor, "recall", word])
            self.run("`--help`", [*self.cli, "--help"])
            self.run("cold recall, one word", self.ours("recall", word))
            self.run("cold recall, a sentence", self.ours("recall", sentence))
            self.run("cold recall, Chinese or Japanese", self.ours("recall", cjk))
            if number < max(5, several):
                append(self.root, f"- One more line to index, number {number}.\n")
                self.run("touch one file, then recall", self.ours("recall", "one more line to index"))
        for number in range(several):
            self._reflect(number)

    def _reflect(self, number: int) -> None:
        """The first reflect of a copy, one with nothing new, and one over the last week."""
        copy = f"{self.root}-{number}"
        shutil.copytree(self.root, copy, ignore=shutil.ignore_patterns(".memory", ".floor.sqlite"))
        if self.runs > 1:
            time.sleep(SETTLED)
        cost(self.ours("index", root=copy))
        self.run("first reflect", self.ours("reflect", "--yes", root=copy))
        self.run("reflect, nothing new", self.ours("reflect", "--yes", root=copy))
        append(copy, "\n## Retain\n\n- W @Harriet: Found the blue notebook.\n")
        append(copy, "- O(c=0.8) @Harriet: Prefers a blue notebook.\n")
        self.run("`reflect --since 7d`", self.ours("reflect", "--yes", "--since", "7d", root=copy))
        shutil.rmtree(copy)

    def table(self) -> list[str]:
        """What the commands took, beside their floors."""
        middle = {label: median(runs) for label, runs in self.costs.items()}
        rows = [
            "| job | CPU s | wall s | peak MB | floor, CPU s | times the floor | runs |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for label, found in middle.items():
            if label.startswith("floor"):
                continue
            of = "start" if "help" in label else "question" if "recall" in label else "index"
            floor = middle[f"floor: {of}"].cpu
            rows.append(
                f"| {label} | {found.cpu:.3f} | {found.wall:.3f} | {found.peak:.0f} | {floor:.3f} ({of}) "
                f"| {found.cpu / floor:.1f} | {len(self.costs[label])} |"
            )
        return rows


def command() -> list[str]:
    """The command of this interpreter's environment, started as a user would."""
    beside = os.path.join(os.path.dirname(sys.executable), "commonplace")
    return [beside] if os.path.exists(beside) else [sys.executable, "-m", "commonplace"]


def compiled() -> None:
    """Compile the program first: what an installer does, and an editable checkout may lack."""
    found = find_spec("commonplace")
    for folder in (found.submodule_search_locations if found else None) or ():
        subprocess.run([sys.executable, "-m", "compileall", "-q", folder], check=False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure speed, memory and size; prints Markdown tables.")
    parser.add_argument("--days", type=int, nargs="+", default=[365, 3650], help="sizes of the workspaces written")
    parser.add_argument("--workspace", help="measure a copy of this folder instead")
    parser.add_argument("--cli", help="the command to measure (default: the one of this environment)")
    parser.add_argument(
        "--runs", type=int, default=9, help="runs of what is quick; what takes seconds runs three times"
    )
    options = parser.parse_args()
    cli = shlex.split(options.cli) if options.cli else command()
    compiled()
    warm: list[tuple[str, int, dict[str, Any]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for days in [0] if options.workspace else options.days:
            root = os.path.join(folder, f"workspace-{days}")
            if options.workspace:
                label, today = "the workspace", ""
                shutil.copytree(options.workspace, root, ignore=shutil.ignore_patterns(".memory"))
            else:
                made = told("corpus.py", root, str(days))
                label, today = f"{days:,} days", made["last day"]
                print(f"**{label}**: {made['files']:,} files, {made['lines']:,} lines that are not blank", end="")
                print(f" ({made['distinct lines']:,} distinct), {made['distinct words']:,} distinct words,", end="")
                print(f" {made['facts']:,} facts.\n", flush=True)
            bench = Bench(root, cli, today, options.runs)
            bench.whole()
            print("\n".join(bench.table()))
            text, derived = size(root, index=False), size(root, index=True)
            print(f"\nThe index takes {derived:.2f} MB for {text:.2f} MB of Markdown: {derived / text:.1f} times.\n")
            sys.stdout.flush()
            lines = told("floor.py", "--workspace", root, "count")
            warm.append((label, lines, told("warm.py", root, *bench.today)))
            shutil.rmtree(root)
    print("\n".join(spread(warm)))


def spread(warm: list[tuple[str, int, dict[str, Any]]]) -> list[str]:
    """The table of warm recall and, of two sizes, how it grows."""
    asked = warm[0][2].pop("questions")
    rows = [
        f"**Warm recall**: {asked} mixed questions in one process, CPU milliseconds each.\n",
        "| lines | what | p50 | p95 | most |",
        "|---|---|---:|---:|---:|",
    ]
    for label, lines, found in warm:
        found.pop("questions", None)
        for what, each in found.items():
            rows.append(f"| {lines:,} ({label}) | {what} | {each['p50']:.1f} | {each['p95']:.1f} | {each['max']:.1f} |")
    if len(warm) > 1:
        (_, few, small), (_, many, large) = warm[0], warm[-1]
        grown = ", ".join(f"{what} {large[what]['p50'] / small[what]['p50']:.1f}" for what in small)
        rows.append(f"\nFor {many / few:.1f} times the lines the median grows by a factor of: {grown}.")
    return rows


if __name__ == "__main__":
    main()
