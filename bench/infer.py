"""How much of what a log tells in narrative is rightly proposed as facts.

    python bench/infer.py [--missed] [--held]

Over the labelled logs of tests/data/inferred, each half a workspace of its own. Prints JSON: per half and language the
lines labelled, those proposed, precision (P) and recall (R), and of what was rightly proposed the share whose kind and
whose first entity are right too. `--missed` prints the lines of `development` that were told wrongly, with `--held`
those of `held`: for looking at once, never for tuning.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter
from datetime import date
from shutil import copytree
from typing import TYPE_CHECKING, Any

from commonplace import Memory
from commonplace.core.entities.entity_names import entity_key
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.propose import open_questions

if TYPE_CHECKING:
    from commonplace.core.extract.infer import Proposal

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "data", "inferred")
HALVES = ("development", "held")
Labels = dict[tuple[str, int], dict[str, Any]]
"""Path and line -> label."""


def labels(half: str) -> Labels:
    """What each line of a half is worth."""
    with open(os.path.join(DATA, half, "labels.jsonl"), encoding="utf-8") as file:
        return {(each["path"], each["line"]): each for each in map(json.loads, file)}


def proposed(root: str) -> dict[tuple[str, int], Proposal]:
    """What is proposed over a copy of a workspace, by path and line, whatever its age."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copytree(root, os.path.join(folder, "w"), ignore=lambda *_: [".memory"])
        with Memory(copy) as memory:
            memory.index()
            index = memory._access.fresh()
            got = gather(index, FileTexts(memory.workspace), today=memory.today)
            found = open_questions(index, got, text="", since=date.min).found.inferred
            return {(each.source.path, each.source.line): each for each in found}


def figures(told: Labels, found: dict[tuple[str, int], Proposal], language: str | None = None) -> dict[str, float]:
    """Precision and recall, in one language or in all."""
    chosen = {at: label for at, label in told.items() if language in (None, label["language"])}
    count = Counter[str]()
    for at, label in chosen.items():
        proposal = found.get(at)
        count["worth"] += label["propose"]
        if proposal is None:
            continue
        count["proposed"] += 1
        if label["propose"]:
            about = {entity_key(name) for name in label["about"]}
            count["right"] += 1
            count["kind"] += proposal.kind.letter == label["kind"]
            count["about"] += bool(about & {entity_key(name) for name in proposal.entities}) or not about
    right = count["right"]
    return {
        "n": len(chosen),
        "worth": count["worth"],
        "proposed": count["proposed"],
        "P": round(right / max(1, count["proposed"]), 3),
        "R": round(right / max(1, count["worth"]), 3),
        "kind right": round(count["kind"] / max(1, right), 3),
        "entity right": round(count["about"] / max(1, right), 3),
    }


def measure(half: str) -> dict[str, dict[str, float]]:
    """Figures of a half: `all`, then each language."""
    told, found = labels(half), proposed(os.path.join(DATA, half))
    languages = sorted({label["language"] for label in told.values()})
    return {"all": figures(told, found), **{language: figures(told, found, language) for language in languages}}


def missed(half: str) -> list[str]:
    """The lines that were told wrongly, with what was proposed or should have been."""
    found = proposed(os.path.join(DATA, half))
    lines = []
    for (path, line), label in labels(half).items():
        proposal = found.get((path, line))
        if (proposal is not None) is label["propose"]:
            continue
        with open(os.path.join(DATA, half, path), encoding="utf-8") as file:
            text = file.read().split("\n")[line - 1].strip()
        said = f"wrong: {proposal.text}" if proposal else f"missed {label['kind']}"
        lines.append(f"{label['language']} {path}#L{line} {said} | {text} | {label['why']}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what is proposed from narrative.")
    parser.add_argument("--missed", action="store_true", help="print what was told wrongly, of development")
    parser.add_argument("--held", action="store_true", help="with --missed: of held instead")
    options = parser.parse_args()
    if options.missed:
        print("\n".join(missed(HALVES[options.held])))
    else:
        print(json.dumps({half: measure(half) for half in HALVES}, indent=1))


if __name__ == "__main__":
    main()
