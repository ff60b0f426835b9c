"""What the plugin costs OpenClaw, and what is found beside the host's own search on the same workspace.

    PYTHONPATH=. python bench/openclaw.py [--runs 5] [--large WORKSPACE]

Installs OpenClaw as its tests do, into a home of its own, with a copy of `examples/workspace`. Prints Markdown: the
milliseconds that one question before a turn takes, cold (with the start of the process) and warm; the seconds of a
gateway's start with the plugin and without; wall and CPU seconds of cold commands, medians of the runs; and for each
question whether the fact that answers it is the first hit, or among the first five.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.openclaw.conftest import PROGRAMS, OpenClaw, node

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
QUESTIONS = {
    "tell me about The Castle": "farmhouse near Krems",
    "where was Peter in November 2025?": "Currently in Marrakech",
    "what happened around November 12, 2025?": "2025-11-12",
    "when does the flight to Marrakech leave?": "now leaves Vienna at 11:20",
    "when do the backups at The Castle run?": "02:15",
    "commit e18c4d5": "e18c4d5",
    "王芳住在哪里？": "杭州",
    "由紀はどこに住んでいますか": "大阪に住んでいる",
    "प्रिया कहाँ रहती हैं?": "पुणे में रहती",
    "hvornår blev Ingrids faktura betalt?": "INV-2025-1043",
    "what does Peter prefer on WhatsApp?": "Prefers concise replies",
    "who keeps the spare key?": "spare key",
    "what did we decide about Redis?": "Redis",
    "what is the capital of Peru?": "",
}
"""What is asked, and words that only the answer has; empty: there is none, and nothing should be found."""


def main() -> None:
    """Print what was found."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--large", help="a workspace of many lines, for the time that a turn waits")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        openclaw = OpenClaw(Path(folder))
        shutil.copytree(HERE.parent / "examples" / "workspace", openclaw.workspace, dirs_exist_ok=True)
        for title, root in (("the example", openclaw.workspace), ("the large one", given.large)):
            if root:
                waits(openclaw, title, root)
        openclaw("config", "set", "plugins.entries.memory-core.enabled", "true")
        theirs = {question: hits(openclaw, question) for question in QUESTIONS}
        commands(openclaw, given.runs, {"host: memory search": ["memory", "search", "spare key", "--agent", "main"]})
        without = start(openclaw, given.runs)
        openclaw("config", "set", "plugins.entries.memory-core.enabled", "false")
        openclaw.install()
        ours = {question: hits(openclaw, question) for question in QUESTIONS}
        commands(openclaw, given.runs, {"openclaw memory recall": ["memory", "recall", "spare key"]})
        row("gateway start", without, "without the plugin")
        row("gateway start", start(openclaw, given.runs), "with it")
        quality(theirs, ours)
        openclaw.stub.server_close()


def waits(openclaw: OpenClaw, title: str, root: str | Path) -> None:
    """The milliseconds that a turn waits for its memory."""
    file = openclaw.home / "questions.json"
    file.write_text(json.dumps(list(QUESTIONS)))
    words = [str(node() / "node"), str(HERE / "openclaw.ts"), str(root), str(file)]
    found = json.loads(subprocess.run(words, env=openclaw.env, check=True, capture_output=True).stdout)
    for kind, times in found.items():
        cuts = statistics.quantiles(times, n=20, method="inclusive")
        print(f"| a turn's wait, {title}, {kind} | p50 {cuts[9]:.0f} ms | p95 {cuts[18]:.0f} ms |", flush=True)


def commands(openclaw: OpenClaw, runs: int, words: dict[str, list[str]]) -> None:
    """The seconds of cold commands, each beside ours, which is run in turn with it."""
    ours = [str(PROGRAMS / "commonplace"), "recall", "spare key", "--workspace", str(openclaw.workspace)]
    for name, each in words.items():
        found: dict[str, list[tuple[float, float]]] = {name: [], "commonplace recall": []}
        for _ in range(runs):
            found[name].append(timed(lambda each=each: openclaw(*each)))  # type: ignore[misc]
            found["commonplace recall"].append(
                timed(lambda: subprocess.run(ours, env=openclaw.env, check=True, capture_output=True))
            )
        for shown, times in found.items():
            wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"| {shown} | {wall:.2f} s | CPU {cpu:.2f} s |", flush=True)


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of a call that waits for its processes."""
    before, began = os.times(), time.monotonic()
    call()
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - began, spent


def start(openclaw: OpenClaw, runs: int) -> list[float]:
    found = []
    for _ in range(min(runs, 3)):
        found.append(openclaw.start())
        openclaw.stop()
    return found


def row(what: str, times: list[float], how: str) -> None:
    print(f"| {what}, {how} | {statistics.median(times):.1f} s | {', '.join(f'{each:.1f}' for each in times)} |")


def hits(openclaw: OpenClaw, question: str) -> list[dict[str, Any]]:
    """The first five hits of the host's own search, or of ours behind the same command."""
    done = openclaw.run("memory", "search", question, "--agent", "main", "--max-results", "5", "--json")
    found: list[dict[str, Any]] = json.loads(done.stdout).get("results", [])
    return found


def quality(theirs: dict[str, list[dict[str, Any]]], ours: dict[str, list[dict[str, Any]]]) -> None:
    print("\n| asked | the host's own search | with the plugin |\n|---|---|---|")
    for question, answer in QUESTIONS.items():
        print(f"| {question} | {judged(theirs[question], answer)} | {judged(ours[question], answer)} |")


def judged(found: list[dict[str, Any]], answer: str) -> str:
    """Where the answer stands among the hits, and how many characters a model reads for them."""
    size = sum(len(hit["snippet"]) for hit in found)
    if not answer:
        return "rightly nothing" if not found else f"{len(found)} hits, {size:,} characters"
    places = [at for at, hit in enumerate(found, 1) if answer in hit["snippet"] + hit["path"]]
    return f"{f'hit {places[0]}' if places else 'not found' if found else 'nothing'}, {size:,} characters"


if __name__ == "__main__":
    main()
