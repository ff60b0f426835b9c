"""What the worker costs a host: a recall through its pipe beside the same one in the library, and memory in a long run.

    python bench/worker.py WORKSPACE [--today YYYY-MM-DD] [--recalls 10000]

Asks the questions of `questions.py`, each once, after thirty others have warmed the process; with the freshness sweep,
as every recall. Prints JSON: {"questions": n, what: {"p50", "p95", "max"} in wall milliseconds, "first answer": s,
"recalls": n, "MB": {"warm", "after", "peak"}}: resident after the questions, and after so many recalls more.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from timing import drawn, parser, percentiles

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date


class Worker:
    """`commonplace worker` over a workspace, in this interpreter's environment."""

    def __init__(self, root: str, today: date | None) -> None:
        argv = [sys.executable, "-m", "commonplace", "worker", "--workspace", root]
        argv += ["--today", str(today)] if today else []
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, query: str) -> dict[str, Any]:
        """The answer to a question. Raises RuntimeError when it is an error."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"id": 1, "verb": "recall", "query": query}).encode() + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"{query!r}: {answer['error']}")
        return answer

    def close(self) -> None:
        """Let it end by the end of its input."""
        self.process.communicate()


def memory(pid: int) -> dict[str, float]:
    """MB of a process: what is resident now, and what was at most."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        kept = dict(line.split(":", 1) for line in file)
    return {name: int(kept[key].split()[0]) / 1024 for name, key in (("now", "VmRSS"), ("peak", "VmHWM"))}


def spread(
    ways: dict[str, Callable[[str], object]], asked: list[str], others: list[str]
) -> dict[str, dict[str, float]]:
    """Percentiles of how long each question takes each way, in milliseconds; they take turns."""
    costs: dict[str, list[float]] = {what: [] for what in ways}
    for question in (*others, *asked):
        for what, ask in ways.items():
            start = time.perf_counter()
            ask(question)
            costs[what].append(1000 * (time.perf_counter() - start))
    return {what: percentiles(each[len(others) :]) for what, each in costs.items()}


def main() -> None:
    told = parser("Measure the worker")
    told.add_argument("--recalls", type=int, default=10_000)
    options = told.parse_args()
    asked, others = drawn(options.workspace)
    found: dict[str, object] = {"questions": len(asked)}
    with Memory(options.workspace, today=options.today) as library:
        library.index()
        start = time.perf_counter()
        worker = Worker(options.workspace, options.today)
        worker.ask(asked[0])
        found["first answer"] = time.perf_counter() - start
        found |= spread(
            {"recall in the library": library.recall, "recall through the worker": worker.ask}, asked, others
        )
    warm = memory(worker.process.pid)["now"]
    for question in itertools.islice(itertools.cycle(asked), options.recalls):
        worker.ask(question)
    after = memory(worker.process.pid)
    found |= {"recalls": options.recalls, "MB": {"warm": warm, "after": after["now"], "peak": after["peak"]}}
    worker.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
