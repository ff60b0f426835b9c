"""The floor: a bare interpreter and SQLite's own full-text search over the same lines, and nothing else.

    python bench/floor.py --workspace DIR index
    python bench/floor.py --workspace DIR recall QUESTION
    python bench/floor.py --workspace DIR recall - --json
    python bench/floor.py --workspace DIR count

What anyone would write in ten minutes: one FTS5 row a line, Porter's stemmer, any word, bm25. No dates, no entities, no
freshness, no budget. It speaks enough of commonplace's command line for the same evaluations to drive it. Nothing is
imported that is not needed: this is also what time is measured against.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[str, str]
"""A line's text and its citation."""


def lines_of(root: str) -> Iterator[Row]:
    """Every line of every Markdown file that is not blank, in order of path."""
    for folder, below, names in sorted(os.walk(root)):
        below[:] = [name for name in below if not name.startswith(".")]
        for name in sorted(names):
            if name.endswith(".md") and "/." not in folder[len(root) :]:
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", newline="") as file:
                    for number, line in enumerate(file.read().split("\n"), 1):
                        if line.strip():
                            yield line, f"{path[len(root) + 1 :]}#L{number}"


def index(root: str, database: str) -> None:
    """Put every line into a new table."""
    if os.path.exists(database):
        os.unlink(database)
    connection = sqlite3.connect(database)
    connection.execute("create virtual table line using fts5(text, source unindexed, tokenize='porter unicode61')")
    connection.executemany("insert into line values (?, ?)", lines_of(root))
    connection.commit()
    connection.close()


def ask(connection: sqlite3.Connection, question: str, limit: int) -> list[Row]:
    """The best lines that hold any word of the question."""
    words = [f'"{word}"' for word in question.replace('"', " ").split()]
    if not words:
        return []
    found = "select text, source from line where line match ? order by rank limit ?"
    return connection.execute(found, (" OR ".join(words), limit)).fetchall()


def main() -> None:
    root, verb, *rest = sys.argv[2:]
    database = os.path.join(root, ".floor.sqlite")
    if verb == "index":
        index(root, database)
        return
    if verb == "count":
        print(sum(1 for _ in lines_of(root)))
        return
    connection = sqlite3.connect(database)
    if rest[0] != "-":
        for text, source in ask(connection, rest[0], 10):
            print(f"{text} ({source})")
        return
    import json

    for line in sys.stdin:
        request = json.loads(line)
        hits = ask(connection, request["query"], request.get("k", 10))
        print(json.dumps({"hits": [{"content": text, "source": source} for text, source in hits]}))


if __name__ == "__main__":
    main()
