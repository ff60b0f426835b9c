"""Where the weights of data/worth.json come from, and how well the measure tells what is worth remembering.

    COMMONPLACE_EVALS=DIR MIRROR=DIR python bench/worth.py [--write]

Fitted by logistic regression on lines that people judged: those of real workspaces in `DIR/data/wild*.json`, whose
clones are below MIRROR, and of tests/data/inferred/development. Each workspace is judged by the weights that the
others give. Prints JSON: for each workspace left out, and for tests/data/inferred/held, the lines, the share worth
keeping, the area under the curve (AUC: how often a line worth keeping is above one that is not), the share worth
keeping among the best fifth, and how many of the picked lines are in it. `--write` writes the weights of all.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import Counter
from datetime import date
from math import exp
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import infer
from datasets import folder, read

from commonplace import Memory
from commonplace.core.extract.line_worth import features, repeats
from commonplace.core.tables import table
from commonplace.ops.quotes.weighed_lines import only_defining, quotable

RIDGE = 40.0
"""Penalty on the squares of the weights, of features scaled to a deviation of 1."""
PICKED = 2.0
"""Weight of a line that people picked as one of the best of its workspace."""
ROUNDS = 12
WEIGHTS = Path(infer.DATA).parents[2] / "src" / "commonplace" / "core" / "data" / "worth.json"


class Judged(NamedTuple):
    """A line that people judged."""

    found: dict[str, float]
    """Its features."""
    keep: bool
    picked: bool


def lines(root: str, today: date, judged: dict[tuple[str, int], tuple[bool, bool]]) -> list[Judged]:
    """Return the judged lines of a workspace that are read, with their features."""
    with Memory(root, today=today) as memory:
        memory.index()
        index = memory._access.fresh()
        files = index.told_files()
        told = list(quotable(index, files, only_defining(files, memory.workspace)))
        named = index.names_in_rows()
    alike = repeats(each.line.content for each in told)
    rows = []
    for line, stands, *_ in told:
        names = named.get(stands[0], ())
        at = range(line.source.line, line.source.line + line.lines)
        verdict = next((found for number in at if (found := judged.get((line.source.path, number)))), None)
        if verdict is not None:
            core = not line.source.path.startswith("memory/")
            rows.append(Judged(features(line, alike, names=len(names), core=core), *verdict))
    return rows


def workspaces() -> dict[str, list[Judged]]:
    """Return the judged lines by workspace."""
    sys.path.insert(0, folder())
    wild: Any = importlib.import_module("wild")
    found: dict[str, list[Judged]] = {}
    for path in sorted(Path(folder(), "data").glob("wild*.json")):
        for each in read(str(path)):
            with tempfile.TemporaryDirectory() as root:
                if wild.export(each["repo"], each["commit"], root):
                    judged = {
                        (source, int(place.split("-")[0])): (line["keep"] == "yes", bool(line.get("picked")))
                        for line in each["lines"]
                        for source, _, place in (line["source"].partition("#L"),)
                    }
                    found[each["repo"]] = lines(root, date.fromisoformat(each["today"]), judged)
    return found


def own(half: str) -> list[Judged]:
    """Return the judged lines of one half of the project's own set."""
    judged = {place: (label["propose"], False) for place, label in infer.labels(half).items()}
    with tempfile.TemporaryDirectory() as root:
        copy = copytree(os.path.join(infer.DATA, half), os.path.join(root, "w"), ignore=lambda *_: [".memory"])
        return lines(copy, date(2026, 11, 1), judged)


def fitted(rows: list[Judged]) -> dict[str, float]:
    """Return the weights of a logistic regression with a ridge, by Newton's method."""
    names = sorted({name for row in rows for name in row.found})
    at = {name: number for number, name in enumerate(names, 1)}
    size = len(names) + 1
    scale = [1.0] * size
    for name in names:
        values = [row.found.get(name, 0.0) for row in rows]
        mean = sum(values) / len(values)
        scale[at[name]] = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5 or 1.0
    vectors = [[(0, 1.0), *((at[name], value / scale[at[name]]) for name, value in row.found.items())] for row in rows]
    weights = [0.0] * size
    for _ in range(ROUNDS):
        slope = [-RIDGE / 2 * weight if number else 0.0 for number, weight in enumerate(weights)]
        bend = [[0.0] * size for _ in range(size)]
        for number in range(1, size):
            bend[number][number] = RIDGE / 2
        for row, vector in zip(rows, vectors, strict=True):
            counts = PICKED if row.picked else 1.0
            odds = 1 / (1 + exp(-sum(weights[number] * value for number, value in vector)))
            for number, value in vector:
                slope[number] += counts * (row.keep - odds) * value
                for other, more in vector:
                    bend[number][other] += counts * odds * (1 - odds) * value * more
        weights = [weight + step for weight, step in zip(weights, solved(bend, slope), strict=True)]
    named = {name: weights[at[name]] / scale[at[name]] for name in names}
    return {"any line": weights[0], **named}


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations by Gaussian elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda number: abs(rows[number][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            if factor := rows[below][at] / rows[at][at]:
                rows[below] = [value - factor * top for value, top in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][-1] - sum(rows[at][n] * found[n] for n in range(at + 1, size))) / rows[at][at]
    return found


def score(weights: dict[str, float], row: Judged) -> float:
    """The worth of a line."""
    return weights["any line"] + sum(weights.get(name, 0.0) * value for name, value in row.found.items())


def figures(weights: dict[str, float], rows: list[Judged]) -> dict[str, float]:
    """What weights tell of lines that they were not fitted on."""
    ranked = sorted(rows, key=lambda row: -score(weights, row))
    good = [score(weights, row) for row in rows if row.keep]
    poor = [score(weights, row) for row in rows if not row.keep]
    above = sum((one > other) + (one == other) / 2 for one in good for other in poor)
    best = ranked[: len(ranked) // 5]
    found = {
        "n": len(rows),
        "worth keeping": round(len(good) / len(rows), 2),
        "AUC": round(above / max(1, len(good) * len(poor)), 3),
        "best fifth": round(sum(row.keep for row in best) / max(1, len(best)), 2),
    }
    picked = sum(row.picked for row in rows)
    return {**found, "picked in it": round(sum(row.picked for row in best) / picked, 2)} if picked else found


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit and measure the worth of lines.")
    parser.add_argument("--write", action="store_true", help="write data/worth.json")
    options = parser.parse_args()
    groups = {**workspaces(), "development": own("development")}
    every = [row for rows in groups.values() for row in rows]
    told = {}
    for name, rows in groups.items():
        others = [row for other, those in groups.items() if other != name for row in those]
        told[name] = figures(fitted(others), rows)
    weights = fitted(every)
    told["held"] = figures(weights, own("held"))
    seen = Counter(name for row in every for name in row.found)
    print(json.dumps(told, indent=1))
    if options.write:
        kept = {name: round(weight, 2) for name, weight in weights.items() if round(weight, 2)}
        order = sorted(kept, key=lambda name: (name != "any line", -kept[name]))
        said = table("worth")["provenance"]
        text = json.dumps({"provenance": said, "weights": {name: kept[name] for name in order}}, indent=2)
        WEIGHTS.write_text(text + "\n", encoding="utf-8")
        print(f"{len(kept)} weights of {len(seen)} features written to {WEIGHTS}", file=sys.stderr)


if __name__ == "__main__":
    main()
