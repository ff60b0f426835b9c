"""Dates in words: strict and anchor accuracy of `core.when.read` on files of cases, and its speed.

    python bench/dates.py [-v] [FILE.json …]

Without files, those in the folder that COMMONPLACE_EVALS names. A file holds {"cases": [{"text", "today", "from",
"to"}]}: days inclusive, null = open, "to" lists every end that passes. strict: both ends right. anchor: the found
range overlaps the expected one and is at most twice as long.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import date
from typing import TYPE_CHECKING

from datasets import given

from commonplace.core.when import read

if TYPE_CHECKING:
    from commonplace.core.model import Span


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _anchors(found: Span, start: str | None, end: str | None) -> bool:
    low, high = found.start or date.min, found.end or date.max
    first = date.fromisoformat(start) if start else date.min
    last = date.fromisoformat(end) if end else date.max
    return low <= last and first <= high and (high - low).days <= 2 * (last - first).days + 2


def main() -> None:
    verbose = "-v" in sys.argv
    for name in given([argument for argument in sys.argv[1:] if argument != "-v"], "dates"):
        with open(name, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        strict = anchor = 0
        began = time.perf_counter()
        answers = [read(case["text"], date.fromisoformat(case["today"])) for case in cases]
        took = time.perf_counter() - began
        for case, when in zip(cases, answers, strict=True):
            right = when is not None and _iso(when.span.start) == case["from"] and _iso(when.span.end) in case["to"]
            strict += right
            near = when is not None and _anchors(when.span, case["from"], case["to"][0])
            anchor += near
            if verbose and not right:
                got = f"{when.span} ({when.phrase!r}, {when.relation})" if when is not None else "nothing"
                print(
                    f"  {'~' if near else '-'} {case['text']}  ({case['today']})"
                    f"  want {case['from']}..{case['to']}  got {got}"
                )
        count = max(len(cases), 1)
        shown = name.rsplit("/", 1)[-1]
        print(
            f"{shown:28s} n={count:<5d}strict {strict / count:.3f}  "
            f"anchor {anchor / count:.3f}  {1e6 * took / count:.0f} µs"
        )


if __name__ == "__main__":
    main()
