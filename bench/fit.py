"""Where the weights of data/rank.json come from: what each does to the questions that they are fitted on.

    python bench/fit.py                      the figures as they stand, fitted on and held out, as JSON
    python bench/fit.py WEIGHT [WEIGHT ...]  each of these weights taken down and up, or `all`

Fitted on the first three conversations in the folder that COMMONPLACE_EVALS names and on `questions.jsonl` of the
project's own sets; held out are the other conversations and `held.jsonl`. The aim is the mean of three shares: the
evidence among the first ten hits, the planted questions met, the wild answers among the first ten. A weight is moved by
hand when the aim rises by more than a question or two; nothing here writes.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from asked import TODAY, Asked
from asked import questions as own
from datasets import files, folder, read

from commonplace import Memory
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FITTED = 3
"""Conversations fitted on, the first ones; the others are held out."""
STEPS = (0.7, 1.4)


class Conversation(NamedTuple):
    """One conversation as a workspace, and its questions with their evidence."""

    memory: Memory
    asked: list[tuple[str, set[str], int]]


def conversations(root: str) -> Iterator[Conversation]:
    """Every conversation of the public set, laid out by its own script below `root`."""
    sys.path.insert(0, folder())
    locomo: Any = importlib.import_module("locomo")
    for sample in (sample for path in files("conversations") for sample in read(path)):
        place = Path(tempfile.mkdtemp(dir=root)) / "workspace"
        cite = locomo.build(sample, place)
        memory = Memory(str(place), today=date.fromisoformat(max(cite.values())[7:17]))
        memory.index()
        gold = [(each["question"], locomo.gold(each, cite), each["category"]) for each in sample["qa"]]
        yield Conversation(memory, [each for each in gold if each[1] and each[2] < 5])


def evidence(talks: Iterable[Conversation]) -> dict[str, float]:
    """rec@10, any@10, MRR and multi-hop rec@10 over conversations."""
    rows, several = [], []
    for talk in talks:
        for question, gold, category in talk.asked:
            hits = talk.memory.recall(question, k=20, budget=100_000, sync=False).hits
            found = [str(hit.line.source) in gold for hit in hits]
            cited = list(dict.fromkeys(str(hit.line.source) for hit in hits))[:10]
            share = len(gold.intersection(cited)) / len(gold)
            rows.append((share, float(share > 0), 1 / (found.index(True) + 1) if any(found) else 0.0))
            several += [share] if category == 1 else []
    names = ("rec@10", "any@10", "MRR")
    return {name: mean(row[at] for row in rows) for at, name in enumerate(names)} | {"multi-hop": mean(several)}


def mean(values: Iterable[float]) -> float:
    """Of no values: 0."""
    found = list(values)
    return sum(found) / len(found) if found else 0.0


class Own(NamedTuple):
    """One of the project's own sets, open."""

    name: str
    memories: dict[str, Memory]

    def score(self, file: str) -> dict[str, float]:
        """Mean score of what can be answered, and share of the absent that is answered by nothing, or told to be."""
        asked = [Asked.of(each, self.memories[each.get("today", TODAY)]) for each in own(self.name, file)]
        absent = [each for each in asked if each.question["type"] == "absent"]
        answered = [each for each in asked if each.question["type"] != "absent"]
        return {
            self.name: mean(each.score for each in answered),
            f"{self.name}, doubted": mean(each.told for each in answered),
            f"{self.name}, absent": mean(each.score for each in absent),
            f"{self.name}, absent, told": mean(each.told for each in absent),
        }


def figures(talks: list[Conversation], sets: list[Own], file: str) -> dict[str, float]:
    """All figures of one side."""
    found = evidence(talks) if talks else {}
    for each in sets:
        found |= each.score(file)
    return found


def aim(found: dict[str, float]) -> float:
    """What the weights are fitted to."""
    return mean(found[name] for name in ("rec@10", "planted", "wild") if name in found)


def shown(found: dict[str, float]) -> str:
    """One line."""
    return "  ".join(f"{name} {value:.3f}" for name, value in found.items())


def main() -> None:
    weights = table("rank")
    with tempfile.TemporaryDirectory() as root:
        talks = list(conversations(root)) if folder() else []
        sets = [Own(name, Asked.memories(name, root)) for name in ("planted", "wild")]
        fitted = figures(talks[:FITTED], sets, "questions.jsonl")
        held = figures(talks[FITTED:], sets, "held.jsonl")
        print(json.dumps({"fitted": fitted, "held": held}), flush=True)
        names = [name for name in weights if name != "provenance"] if sys.argv[1:] == ["all"] else sys.argv[1:]
        for name in names:
            stands = weights[name]
            for step in STEPS:
                weights[name] = stands * step
                moved = figures(talks[:FITTED], sets, "questions.jsonl")
                print(f"{name} {weights[name]:.3g}  aim {aim(moved) - aim(fitted):+.4f}  {shown(moved)}", flush=True)
            weights[name] = stands


if __name__ == "__main__":
    main()
