"""What the measures of a process that stays up share: what they are told, what they ask, and how they sum up."""

from __future__ import annotations

import argparse
from datetime import date

from questions import questions


def parser(description: str) -> argparse.ArgumentParser:
    """What each is told: a workspace, and the day to take for today."""
    options = argparse.ArgumentParser(description=f"{description}; prints JSON.")
    options.add_argument("workspace")
    options.add_argument("--today", type=date.fromisoformat)
    return options


def drawn(root: str) -> tuple[list[str], list[str]]:
    """The questions to measure, and some thirty others that warm the process."""
    asked, others = ([question for kind in questions(root, seed).values() for question in kind] for seed in (1, 2))
    return asked, others[::7]


def percentiles(costs: list[float]) -> dict[str, float]:
    """The middle, the worst but for one in twenty, and the worst."""
    measured = sorted(costs)
    return {"p50": measured[len(measured) // 2], "p95": measured[len(measured) * 95 // 100], "max": measured[-1]}
