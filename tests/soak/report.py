"""What a campaign did and found: lines while it runs, a table for docs/faults.md, and a summary for programs."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

KINDS = {
    "kills": "killed at a system call of a verb that writes",
    "errors": "a system call that fails: `ENOSPC`, `EDQUOT`, `EROFS`, `EIO`, `EACCES`, a short write",
    "races": "command line, worker, two MCP servers, reflect and two kinds of editors at once",
    "hands": "pages edited by hand between reflects",
    "fuzz": "property tests with other seeds: parse, dates, questions, tools, setup files, merges",
}


class Step(NamedTuple):
    """What one step came to."""

    kind: str
    number: int
    area: str
    """The verb, page or test."""
    told: str
    found: tuple[str, ...]
    """What is wrong, in words."""


class Report:
    """The counts of a campaign."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.steps: Counter[str] = Counter()
        self.areas: dict[str, Counter[str]] = {}
        self.told: dict[str, set[str]] = {kind: set() for kind in KINDS}
        """What was done, each once."""
        self.findings: list[Step] = []
        self.missing: dict[str, str] = {}

    def add(self, step: Step) -> None:
        self.steps[step.kind] += 1
        self.areas.setdefault(step.kind, Counter())[step.area] += 1
        self.told[step.kind].add(step.told)
        if step.found:
            self.findings.append(step)

    def line(self) -> str:
        """How far it is, in one line."""
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.steps.items()))
        return f"{counts or 'nothing yet'}; {len(self.findings)} findings"

    def summary(self, seconds: float) -> dict[str, Any]:
        """All of it, for a program."""
        return {
            "seed": self.seed,
            "seconds": round(seconds),
            "steps": dict(self.steps),
            "different": {kind: len(told) for kind, told in self.told.items()},
            "areas": {kind: dict(sorted(areas.items())) for kind, areas in sorted(self.areas.items())},
            "not_run": self.missing,
            "findings": [
                {"repeat": again(self.seed, each), "step": each.told, "wrong": list(each.found)}
                for each in self.findings
            ],
        }

    def markdown(self, seconds: float) -> str:
        """The table for docs/faults.md."""
        head = "| Fault | Steps | Different ones | Findings |"
        rows = [f"Seed {self.seed}, {seconds / 60:.0f} minutes:", "", head, "|---|--:|--:|--:|"]
        found = Counter(each.kind for each in self.findings)
        for kind in (kind for kind in KINDS if self.steps[kind] or kind in self.missing):
            steps = f"{self.steps[kind]:,}" if kind not in self.missing else "not run"
            rows.append(f"| {self._words(kind)} | {steps} | {len(self.told[kind]):,} | {found[kind]} |")
        return "\n".join(rows)

    def _words(self, kind: str) -> str:
        """What a kind of fault is, and on how many things it was tried."""
        things = len(self.areas.get(kind, ()))
        examples = sum(int(number) for told in self.told[kind] for number in re.findall(r"(\d+) examples", told))
        tried = {"kills": f" ({things} verbs)", "errors": f" ({things} verbs)", "hands": f" ({things} pages)"}
        return KINDS[kind] + (f" ({examples:,} examples)" if kind == "fuzz" else tried.get(kind, ""))


def again(seed: str, step: Step) -> str:
    """The command that repeats a step."""
    return f"python -m tests.soak --seed {seed} --only {step.kind}:{step.number}"
