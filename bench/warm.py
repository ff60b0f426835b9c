"""What a question costs in a process that stays up, beside plain FTS5 with any word and bm25 in the same process.

    python bench/warm.py WORKSPACE [--today YYYY-MM-DD]

Asks the questions of `questions.py`, each once, after thirty others have warmed the process; without looking for
changes first, then fresh, as every recall is, then of a copy that reflect gave pages and opinions. Prints CPU
milliseconds as JSON: {what: {"p50", "p95", "max"}, "questions": n}.
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
from timing import drawn, parser, percentiles

from commonplace import Memory

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
        database = os.path.join(folder, "floor.sqlite")
        floor.index(options.workspace, database)
        connection = sqlite3.connect(database)
        found["plain FTS5, any word"] = spread(lambda text: floor.ask(connection, text, 10), asked, others)
        connection.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
