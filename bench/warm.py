"""What a question costs in a process that stays up, beside plain FTS5 with any word and bm25 in the same process.

    python bench/warm.py WORKSPACE [--today YYYY-MM-DD]

Asks the questions of `questions.py`, each once, after thirty others have warmed the process; without looking for
changes first, then fresh, as every recall is, then of a copy that reflect gave pages and opinions; and by meaning,
with the model of the extra `semantic`, which embeds each question. To embed a million lines takes half a day, so the
lines of that copy have vectors that were drawn around 2,000 centres: what is nearest is chance, what it costs to find
is not. Prints CPU milliseconds as JSON: {what: {"p50", "p95", "max"}, "questions": n}.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from typing import TYPE_CHECKING

import floor
import numpy as np
from timing import drawn, parser, percentiles

from commonplace import Memory
from commonplace.config import SETTINGS_FILE
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Callable


def spread(ask: Callable[[str], object], asked: list[str], others: list[str]) -> dict[str, float]:
    """Percentiles of what each question costs, in CPU milliseconds."""
    for question in others:
        ask(question)
    costs = []
    for question in asked:
        start = time.process_time()
        ask(question)
        costs.append(1000 * (time.process_time() - start))
    return percentiles(costs)


CENTRES = 2_000
AT_ONCE = 65_536
"""Vectors that are drawn together."""


def plant(memory: Memory) -> None:
    """Give every line of a memory with meaning a vector near one of the centres."""
    meaning = memory.meaning
    assert meaning is not None
    meaning.script_means(make=True)
    with Index(memory.workspace.index_path) as index:
        keys = [key for key, _ in index.all_passages()]
    vectors = meaning.search.vectors
    draw = np.random.default_rng(7)
    centres = draw.standard_normal((CENTRES, vectors.dimensions), np.float32)
    for at in range(0, len(keys), AT_ONCE):
        some = keys[at : at + AT_ONCE]
        drawn_near = centres[draw.integers(CENTRES, size=len(some))]
        drawn_near = drawn_near + draw.standard_normal(drawn_near.shape, np.float32)
        vectors.add(some, drawn_near / np.linalg.norm(drawn_near, axis=1, keepdims=True))


def main() -> None:
    options = parser("Measure warm recall").parse_args()
    asked, others = drawn(options.workspace)
    found: dict[str, object] = {"questions": len(asked)}
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(options.workspace, os.path.join(folder, "copy"))
        with Memory(copy, today=options.today) as memory:
            memory.reflect(yes=True)
        for label, root, sync in (
            ("recall, no sweep", options.workspace, False),
            ("recall, fresh", options.workspace, True),
            ("recall after a reflect, no sweep", copy, False),
        ):
            with Memory(root, today=options.today) as memory:
                memory.index()
                found[label] = spread(lambda text, on=sync, of=memory: of.recall(text, sync=on), asked, others)  # type: ignore[misc]
        shutil.rmtree(copy)
        shutil.copytree(options.workspace, copy)
        with open(os.path.join(copy, SETTINGS_FILE), "a", encoding="utf-8") as settings:
            settings.write('\n[semantic]\nembedder = "local"\n')
        with Memory(copy, today=options.today) as memory:
            memory.index()
            plant(memory)
        with Memory(copy, today=options.today) as memory:
            label = "recall by meaning, no sweep"
            found[label] = spread(lambda text: memory.recall(text, sync=False), asked, others)
            assert memory.meaning is not None
            assert not memory.meaning.failed
        database = os.path.join(folder, "floor.sqlite")
        floor.index(options.workspace, database)
        connection = sqlite3.connect(database)
        found["plain FTS5, any word"] = spread(lambda text: floor.ask(connection, text, 10), asked, others)
        connection.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
