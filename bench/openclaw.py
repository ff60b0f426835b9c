"""What the plugin costs OpenClaw, and what is found beside the host's own search on the same workspace.

    PYTHONPATH=. python bench/openclaw.py [--runs 5] [--turns 10] [--large WORKSPACE] [--quick]

Installs OpenClaw as its tests do, into two homes that nobody touched, each with a copy of `examples/workspace`: one
stays as the host is, with its memory-core, the other gets the plugin as docs/openclaw.md says. Prints Markdown: the
milliseconds that one question before a turn takes, cold (with the start of the process) and warm; the seconds of a
gateway's start and of whole turns against a model that answers at once, and the tokens of a request, of both homes,
taking turns; wall and CPU seconds of cold commands, medians of the runs; and, unless --quick, for each question whether
the fact that answers it is the first hit, or among the first five.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.openclaw.conftest import PROGRAMS, OpenClaw, node

from commonplace.core.recall.packing import count_tokens

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
    options.add_argument("--runs", type=int, default=5, help="at least 2")
    options.add_argument("--turns", type=int, default=10, help="of each kind, in each run")
    options.add_argument("--large", help="a workspace of many lines, for the time that a turn waits")
    options.add_argument("--quick", action="store_true", help="times alone")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = (OpenClaw(Path(folder, name)) for name in ("theirs", "ours"))
        for openclaw in (theirs, ours):
            configured(openclaw)
            shutil.copytree(HERE.parent / "examples" / "workspace", openclaw.workspace, dirs_exist_ok=True)
        ours.install()
        for title, root in (("the example", ours.workspace), ("the large one", given.large)):
            if root:
                waits(ours, title, root)
        commands(theirs, given.runs, {"host: memory search": ["memory", "search", "spare key", "--agent", "main"]})
        recall, bare = ["memory", "recall", "spare key"], ["config", "get", "gateway.port"]
        commands(ours, given.runs, {"openclaw memory recall": recall, "openclaw config get": bare})
        gateways({"with memory-core": theirs, "with the plugin": ours}, given.runs, given.turns)
        if not given.quick:
            quality(*({question: hits(each, question) for question in QUESTIONS} for each in (theirs, ours)))
        for openclaw in (theirs, ours):
            openclaw.stub.server_close()


def configured(openclaw: OpenClaw) -> None:
    """One agent, and turns over HTTP, whose client costs nothing beside a command's start; nothing of plugins."""
    file = openclaw.home / ".openclaw" / "openclaw.json"
    config = json.loads(file.read_text())
    config["agents"]["entries"] = {"main": config["agents"]["entries"]["main"]}
    config["gateway"]["http"] = {"endpoints": {"chatCompletions": {"enabled": True}}}
    file.write_text(json.dumps(config))


def gateways(hosts: dict[str, OpenClaw], runs: int, turns: int) -> None:
    """Starts and whole turns of both hosts, in turns so that both have the same machine."""
    found: dict[str, list[float]] = {}
    known = 0
    for run in range(-1, runs):  # the first is not counted: it fills the host's caches
        for how, openclaw in hosts.items():
            seconds = {"gateway start": [openclaw.start()], "CPU of a gateway's start": [cpu(openclaw)]}
            seconds["first turn of a gateway"] = [turn(openclaw, 0)]
            before = len(openclaw.stub.requests)
            spent = cpu(openclaw)
            seconds["turn"] = [turn(openclaw, at) for at in range(turns)]
            seconds["CPU of a turn"] = [(cpu(openclaw) - spent) / turns]
            seconds["tokens of a request"] = [float(tokens(each)) for each in openclaw.stub.requests[before:]]
            if how == "with the plugin":
                told = sum("<memory-" in json.dumps(each["messages"]) for each in openclaw.stub.requests[before:])
                known += told if run >= 0 else 0
                seconds["turn, its process killed before"] = [killed(openclaw, at) for at in range(turns // 2)]
            openclaw.stop()
            for what, times in seconds.items() if run >= 0 else ():
                found.setdefault(f"{what}, {how}", []).extend(times)
    print(f"{known} of {runs * turns} warm turns were told what is known")
    for what, times in sorted((what, times) for what, times in found.items() if times):
        cuts = statistics.quantiles(times, n=20, method="inclusive")
        print(f"| {what} ({len(times)}) | p50 {cuts[9]:.2f} | p95 {cuts[18]:.2f} |", flush=True)


def tokens(request: dict[str, Any]) -> int:
    """What a request costs, by our own counter: its messages and its tools."""
    return count_tokens(json.dumps([request["messages"], request.get("tools", [])], ensure_ascii=False))


def cpu(openclaw: OpenClaw) -> float:
    """The CPU seconds so far of a gateway and all that it started."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={openclaw.home}" in (process / "environ").read_text(errors="replace").split("\0"):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))  # utime, stime, and those of its children
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def turn(openclaw: OpenClaw, at: int) -> float:
    """The seconds of one turn in a session of its own, of which something is known."""
    asked = [question for question, answer in QUESTIONS.items() if answer]
    body = {"model": "openclaw/main", "messages": [{"role": "user", "content": asked[at % len(asked)]}]}
    port = json.loads((openclaw.home / ".openclaw" / "openclaw.json").read_text())["gateway"]["port"]
    url, head = f"http://127.0.0.1:{port}/v1/chat/completions", {"Content-Type": "application/json"}
    began = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), head), timeout=120) as answer:
        answer.read()
    return time.monotonic() - began


def killed(openclaw: OpenClaw, at: int) -> float:
    for each in openclaw.workers():
        os.kill(each, signal.SIGKILL)
    time.sleep(0.5)
    return turn(openclaw, at)


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
