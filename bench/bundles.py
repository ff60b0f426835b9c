"""What a bundle of the default size holds of the evidence, what it costs, and how often nothing is said of nothing.

    python bench/bundles.py

Over the conversations in the folder that COMMONPLACE_EVALS names, laid out by its own `locomo.py`; then questions about
names that stand nowhere, over those conversations and over a workspace of `corpus.py` in six languages. Prints JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import tempfile
from datetime import date
from typing import TYPE_CHECKING, Any

from datasets import folder, given, read
from floor import lines_of

import corpus
from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable

UNKNOWN = 20
"""Questions about unknown names for each workspace and language."""
DAYS = 90


def unknown(root: str, tongue: str, seed: int) -> list[str]:
    """Questions about invented names of which the workspace holds none."""
    text = "\n".join(line for line, _ in lines_of(root)).casefold()
    voice = corpus.Voice(random.Random(seed), tongue, corpus.LAST)
    asked: list[str] = []
    while len(asked) < UNKNOWN:
        template = voice.pick.choice(corpus.words(tongue)["absent"])
        names: list[str] = []
        while "{name}" in template:
            names.append(voice.name("stranger"))
            template = template.replace("{name}", names[-1], 1)
        if not any(name.casefold() in text for name in names):
            asked.append(voice.fill(template))
    return asked


def empty(memory: Memory, questions: Iterable[str]) -> list[bool]:
    """Whether each question is answered by nothing."""
    return [not memory.recall(question).hits for question in questions]


def conversations(path: str) -> tuple[list[dict[str, float]], list[bool]]:
    """Figures of each question with evidence (the unanswerable ones left out), and of those about unknown names."""
    sys.path.insert(0, folder())
    locomo: Any = importlib.import_module("locomo")
    from pathlib import Path  # what locomo.py's own functions take

    rows, silent = [], []
    for number, sample in enumerate(read(path)):
        with tempfile.TemporaryDirectory() as root:
            cite = locomo.build(sample, Path(root))
            last = date.fromisoformat(max(cite.values())[7:17])
            with Memory(root, today=last) as memory:
                for question in sample["qa"]:
                    gold = locomo.gold(question, cite)
                    if gold and question["category"] < 5:
                        bundle = memory.recall(question["question"])
                        found = {str(at) for hit in bundle.hits for at in hit.places} & gold
                        row = {"evidence": len(found) / len(gold), "hits": len(bundle.hits), "tokens": bundle.tokens}
                        rows.append({**row, "found": bool(found)})
                silent += empty(memory, unknown(root, "en", number))
    return rows, silent


def main() -> None:
    every: list[dict[str, float]] = []
    silent: dict[str, list[bool]] = {"conversations, en": []}
    for path in given(sys.argv[1:], "conversations"):
        rows, quiet = conversations(path)
        every += rows
        silent["conversations, en"] += quiet
    with tempfile.TemporaryDirectory() as root:
        corpus.write(os.path.join(root, "own"), DAYS)
        with Memory(os.path.join(root, "own"), today=corpus.LAST) as memory:
            for tongue in corpus.TONGUES:
                silent[f"own workspace, {tongue}"] = empty(memory, unknown(memory.root, tongue, 1))
    mean = {name: sum(row[name] for row in every) / len(every) for name in every[0]}
    mean["answers per 1,000 tokens"] = 1000 * mean["found"] / mean["tokens"]
    abstained = {where: [sum(quiet), len(quiet)] for where, quiet in silent.items()}
    print(json.dumps({"questions": len(every), **mean, "abstained": abstained}, indent=1))


if __name__ == "__main__":
    main()
