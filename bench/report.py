"""Measure everything and print docs/benchmarks.md.

    python bench/report.py [--days 365 3650] [--runs 9] [--parts DIR] > page && mv page docs/benchmarks.md

Runs `speed.py`, and the evaluations in the folder that COMMONPLACE_EVALS names where there is one: once with
commonplace, and once with the floor where the floor can answer; those that read clones or raw data if MIRROR and RAW
name their folders. Takes about forty minutes on a quiet machine; standard error tells what is being measured. With
--parts each part is kept in a folder once it is measured, and a run that was ended goes on from there; with --only
besides, a second core can measure what no other work disturbs, as qualities.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import apsw
from datasets import MISSING, VARIABLE, files, folder
from speed import HERE, command, compiled

import commonplace

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = dict[str, dict[str, str]]
"""What an evaluation says: label -> name -> figure, as printed; `n` is the number of questions."""
CATEGORIES = ("all (1-4)", "single-hop", "multi-hop", "temporal", "open-domain", "all (5)")
MEASURES = ("rec@10", "any@10", "all@10", "mrr", "ndcg@10", "day-rec@10")
PART = {"all (1-4)": "all of categories 1–4", "all (5)": "category 5 (adversarial), apart"}
QMD = "COMMONPLACE_QMD"
"""Names the folder in which `peers.py` finds QMD."""
NEED = f"*Not measured: {MISSING}.*"


def said(*argv: str, **environment: str) -> str:
    """What one of our scripts, or an evaluation, prints."""
    print(*(os.path.basename(part) for part in argv), file=sys.stderr, flush=True)
    within = folder() if argv[0].startswith(folder() or "\0") else None
    done = subprocess.run(
        [sys.executable, *argv],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=within,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(argv)} exited {done.returncode}")
    return done.stdout.strip()


def evaluation(script: str, *arguments: str, cli: list[str]) -> str:
    """What one of the black-box evaluations says of a command."""
    return said(os.path.join(folder(), script), *arguments, MEMORY_CLI=shlex.join(cli))


def figures(text: str) -> Rows:
    """The lines `label n=… name figure name figure …` of an evaluation."""
    rows: Rows = {}
    for label, count, rest in re.findall(r"^(\S.*?) +n=(\d+) *(.*)$", text, re.M):
        rows[label] = {"n": count, **dict(re.findall(r"([a-z@-]+\d*) ([\d.]+)", rest))}
    return rows


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; all but the first column to the right."""
    ruler = f"|---|{'---:|' * (len(head) - 1)}"
    top, *body = (f"| {' | '.join(row)} |" for row in (head, *rows))
    return "\n".join((top, ruler, *body))


def commit() -> str:
    """Which tree is measured."""

    def git(*arguments: str) -> str:
        argv = ["git", "-C", os.path.dirname(HERE), *arguments]
        return subprocess.run(argv, capture_output=True, encoding="utf-8", check=False).stdout.strip()

    found = git("rev-parse", "--short", "HEAD") or "unknown"
    return found + (
        ", with changes that were not committed" if git("status", "--porcelain", "--", "src", "bench") else ""
    )


def machine() -> str:
    """On what this is measured, and when."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = {
        "Date": f"{datetime.now(UTC):%Y-%m-%d}",
        "Commit": commit(),
        "Machine": f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GB of memory",
        "System": f"{platform.system()} {platform.release().split('-')[0]}",
        "Load when it began": f"{os.getloadavg()[0]:.1f}",
        "commonplace": commonplace.__version__,
        "Python": platform.python_version(),
        "SQLite": f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()}); the floor has {sqlite3.sqlite_version}",
    }
    return table(["", ""], [[f"**{name}**", value] for name, value in facts.items()]).replace("---:", "---")


def processor() -> str:
    """The model's name, as far as the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def goals(elsewhere: dict[str, Any]) -> str:
    """What was aimed at, and the fastest peer."""
    rows = [[job, each.get("peer", "–"), each["goal"]] for job, each in elsewhere["speed"].items()]
    head = ["job, 91,000 lines", "fastest peer, CPU s (measured elsewhere)", "our goal, CPU s"]
    warm = (
        "The goal for warm recall without the sweep is p50 ≤ 5 ms and p95 ≤ 12 ms, and ≤ 10 and ≤ 30 ms over ten times"
        " the lines."
    )
    return f"{table(head, rows)}\n\n{warm}"


def repeated(elsewhere: dict[str, Any]) -> str:
    """The same jobs over a workspace that repeats itself, by an evaluation that is not ours."""
    if not folder():
        return ""
    text = evaluation("speed.py", "--days", "3650", cli=command())
    rows = []
    for label, cpu, wall, peak in re.findall(
        r"^(.+?) +cpu +([\d.]+) s +wall +([\d.]+) s +peak +([\d.]+) MB", text, re.M
    ):
        peer = elsewhere["speed"].get(label, {}).get("peer", "–")
        rows.append([label, cpu, wall, peak, peer])
    closing = " ".join(
        f"{line[0].upper()}{line[1:]}." for line in text.split("\n") if line.startswith(("ratios", "index"))
    )
    head = ["job", "CPU s", "wall s", "peak MB", "fastest peer, CPU s (measured elsewhere)"]
    lead = "Another synthetic workspace of 3,650 days, mostly English, whose lines repeat a few patterns:"
    return f"{lead}\n\n{table(head, rows)}\n\n{closing}"


def ten_times() -> str:
    """What a question costs in a process that stays up, over 91,000 and 910,000 lines of that evaluation."""
    if not folder():
        return ""
    rows = []
    for days in ("3370", "33700"):
        with tempfile.TemporaryDirectory() as root:
            said(os.path.join(folder(), "workspaces.py"), root, days)
            lines = json.loads(said(os.path.join(HERE, "floor.py"), "--workspace", root, "count"))
            found = json.loads(said(os.path.join(HERE, "warm.py"), root))
            asked = found.pop("questions")
            rows += [
                [f"{lines:,}", what, *(f"{each[of]:.1f}" for of in ("p50", "p95", "max"))]
                for what, each in found.items()
            ]
    lead = f"**Warm recall** in such workspaces, one ten times the other, {asked} questions, CPU milliseconds each:"
    return f"{lead}\n\n{table(['lines', 'what', 'p50', 'p95', 'most'], rows)}"


def doors() -> str:
    """What a host pays for a process that it keeps: the worker, and the MCP server over both transports."""
    with tempfile.TemporaryDirectory() as root:
        made = json.loads(said(os.path.join(HERE, "corpus.py"), root, "3650"))
        last = ["--today", made["last day"]]
        worker = json.loads(said(os.path.join(HERE, "worker.py"), root, *last))
        server = json.loads(said(os.path.join(HERE, "mcp_server.py"), root, *last))
        page = said(os.path.join(HERE, "page.py"), root, *last)
    told = doors_told(f"{made['lines']:,}", worker, server) + repeated_doors()
    return f"{told}\n\nThe local page over the same lines, in Chromium (`bench/page.py`):\n\n{page}"


def repeated_doors() -> str:
    """The server's times over the other synthetic workspace, whose size the goal names."""
    if not folder():
        return ""
    with tempfile.TemporaryDirectory() as root:
        said(os.path.join(folder(), "workspaces.py"), root, "3370")
        found = json.loads(said(os.path.join(HERE, "mcp_server.py"), root, "--starts", "3"))
    rows = [
        [what, *(f"{took[of]:.1f}" for of in ("p50", "p95", "max")), "–" if what.endswith("library") else "12 / 40"]
        for what, took in found.items()
        if what.startswith("recall ")
    ]
    lead = "Over the other workspace above of 91,000 lines, whose lines repeat a few patterns:"
    return f"\n\n{lead}\n\n{table(['what', 'p50', 'p95', 'most', 'goal, p50 / p95'], rows)}"


def doors_told(lines: str, worker: dict[str, Any], server: dict[str, Any]) -> str:
    """The tables of what `worker.py` and `mcp_server.py` found."""
    rows = []
    for beside, found, goal in (("the worker", worker, "–"), ("MCP", server, "12 / 40")):
        for what, each in found.items():
            if what.startswith("recall "):
                library = what.endswith("library")
                label = f"{what}, beside {beside}" if library else what
                rows.append([label, *(f"{each[of]:.1f}" for of in ("p50", "p95", "max")), "–" if library else goal])
    tokens, first, kept = server["tokens"], server["first answer"], worker["MB"]
    costs = [
        ["worker, from its start to its first answer", f"{worker['first answer']:.2f} s", "–"],
        ["MCP over stdio, from its start to its first answer", f"{first['stdio']:.2f} s", "0.6 s"],
        ["MCP over stdio, CPU of the server until then", f"{server['CPU']['first']:.2f} s", "–"],
        ["MCP over stdio, CPU of the server a recall, mean", f"{server['CPU']['recall']:.1f} ms", "–"],
        ["MCP over HTTP, from its start to its first answer", f"{first['HTTP']:.2f} s", "–"],
        [f"tokens of all that is said of {server['tools']} tools", f"{tokens['tools']:,}", "2,500"],
        ["tokens of the instructions", f"{tokens['instructions']:,}", "–"],
        ["tokens of an answer to a recall, mean / most", f"{tokens['recall']:.0f} / {tokens['most']}", "1,500"],
        ["worker, memory once it is warm", f"{kept['warm']:.0f} MB", "–"],
        [f"worker, memory at most, {worker['recalls']:,} recalls later", f"{kept['peak']:.0f} MB", "90 MB"],
        ["MCP over stdio, memory at most", f"{server['MB']['stdio']:.0f} MB", "–"],
    ]
    lead = f"Over {lines} lines, {server['questions']} mixed questions, wall milliseconds each; the load of the machine"
    lead += f" was {os.getloadavg()[0]:.1f} when it ended:"
    head = ["what", "p50", "p95", "most", "goal, p50 / p95"]
    return f"{lead}\n\n{table(head, rows)}\n\n{table(['', 'measured', 'goal'], costs)}"


def conversations(floor: list[str], elsewhere: dict[str, Any]) -> str:
    """Recall over long conversations."""
    if not files("conversations"):
        return NEED
    parts = []
    for path in files("conversations"):
        ours, theirs = (evaluation("locomo.py", "--data", path, cli=cli) for cli in (command(), floor))
        found, plain = figures(ours), figures(theirs)
        rows = []
        for label in CATEGORIES:
            cells = [f"{found[label][name]} / {plain[label][name]}" for name in MEASURES]
            rows.append([PART.get(label, label), found[label]["n"], *cells])
        parts.append(table(["questions", "n", *MEASURES], rows))
        took = re.search(r"([\d.]+) ms a question", ours)
        name = os.path.splitext(os.path.basename(path))[0]
        parts.append(f"{name}: {took[1]} ms a question, in batch." if took else name)
    rows = [
        [PART.get(label, label), name, *pair]
        for label, wanted in elsewhere["conversations"].items()
        for name, pair in wanted.items()
    ]
    parts.append(table(["questions", "measure", "BM25, measured elsewhere", "our goal"], rows))
    return "\n\n".join(parts)


def chats() -> str:
    """Recall over real chats, and chats with an assistant."""
    if not os.path.isdir(os.path.join(folder() or "\0", "outside")) or "RAW" not in os.environ:
        return f"*Not measured: {VARIABLE} has no folder `outside`, or RAW names no folder with its data.*"
    rows = []
    for name, script, label in (("REALTALK", "realtalk.py", "ALL"), ("BEAM 100K", "beam.py", "CORE")):
        printed = evaluation(os.path.join("outside", script), "--part", "all", cli=command())
        found = {tuple(each.split()): row for each, row in figures(printed).items()}
        for engine in ("commonplace", "fts5", "bm25s"):
            if row := found.get((engine, label)):
                measures = ("rec@10", "mrr", "day@10", "bundle")
                rows.append([f"{name}, {engine}", row["n"], *(row.get(each, "") for each in measures)])
    return table(["chats", "n", "rec@10", "mrr", "days@10", "in the default bundle"], rows)


def workspaces() -> str:
    """What is made of workspaces of strangers, by language."""
    if not files("workspaces") or "MIRROR" not in os.environ:
        return f"*Not measured: {VARIABLE} has no labels of workspaces, or MIRROR names no folder with their clones.*"
    counts: dict[str, dict[str, list[int]]] = {}
    for path in files("workspaces"):
        for language, rest in re.findall(r"^\S+ \((\w+)\) (.*)$", evaluation("wild.py", path, cli=command()), re.M):
            for measure, right, of in re.findall(r"(\S.*?) (\d+)/(\d+)(?:  |$)", rest):
                for column in (language, "all"):
                    counted = counts.setdefault(measure, {}).setdefault(column, [0, 0])
                    counted[0] += int(right)
                    counted[1] += int(of)
    columns = [*sorted({column for row in counts.values() for column in row} - {"all"}), "all"]
    rows = [[name, *(share(*row.get(column, (0, 0))) for column in columns)] for name, row in counts.items()]
    return table(["", *columns], rows)


def share(right: int, of: int) -> str:
    """A share with its counts; empty of nothing."""
    return f"{right / of:.2f} ({right} of {of})" if of else ""


def bundles() -> str:
    """What a default bundle holds, and silence."""
    if not files("conversations"):
        return NEED
    found = json.loads(said(os.path.join(HERE, "bundles.py")))
    rows = [
        ["questions", str(found["questions"])],
        ["share of the evidence in the bundle (goal 0.70)", f"{found['evidence']:.3f}"],
        ["questions with a right line in the bundle", f"{found['found']:.3f}"],
        ["hits, mean", f"{found['hits']:.1f}"],
        ["tokens, mean", f"{found['tokens']:.0f}"],
        ["answers found per 1,000 tokens", f"{found['answers per 1,000 tokens']:.2f}"],
    ]
    quiet = [[where, f"{silent} of {asked}"] for where, (silent, asked) in found["abstained"].items()]
    lead = "Asked about invented names that stand nowhere, the right answer is none. Over those conversations, and"
    lead += "\nover 90 days of our own workspace, this many got none:"
    return f"{table(['', ''], rows)}\n\n{lead}\n\n{table(['asked over', 'answered by nothing'], quiet)}"


def passages(floor: list[str], elsewhere: dict[str, Any]) -> str:
    """Recall of paragraphs."""
    if not files("passages"):
        return NEED
    ours, plain = (figures(evaluation("passages.py", *files("passages"), cli=cli)) for cli in (command(), floor))
    rows = []
    for label, row in ours.items():
        cells = [f"{row[name]} / {plain[label][name]}" for name in ("rec@1", "rec@10", "mrr")]
        known: dict[str, list[str]] = next(
            (each for name, each in elsewhere["passages"].items() if label.startswith(name)), {}
        )
        for at in (0, 1):
            cells.append(", ".join(f"{pair[at]} ({name.replace('rec', 'R')})" for name, pair in known.items()) or "–")
        rows.append([label, row["n"], *cells])
    return table(["set", "n", "R@1, ours / FTS5", "R@10", "MRR", "BM25, measured elsewhere", "our goal"], rows)


def beside(found: dict[str, Any]) -> str:
    """What `peers.py` found: a row a system, a table a kind of data."""
    parts = []
    for name, rows in found["conversations"].items():
        cells = [
            [who, *(f"{row[measure]:.3f}" for measure in ("rec@10", "any@10", "mrr"))] for who, row in rows.items()
        ]
        parts.append(table([f"{name}, n = {count(rows)}", "rec@10", "any@10", "MRR"], cells))
    if found["passages"]:
        head = [f"{name}, n = {count(rows)}" for name, rows in found["passages"].items()]
        parts.append(table(["R@1 / R@10", *head], across(found["passages"], ("hit@1", "rec@10"))))
    if not parts:
        parts.append(NEED)
    planted, wild = (
        {part: rows for part, rows in found["own"].items() if part.startswith(name)} for name in ("planted", "wild")
    )
    for sets, measures, words in (
        (planted, ("hit@1", "rec@10"), "first hit right / share of the answers in ten"),
        (wild, ("rec@10", "any@10"), "share of the answers in ten / any of them"),
        (found["own"], ("silent", "mute"), "silent where nothing answers / where something does"),
    ):
        head = [f"{name}, n = {count(rows)}" for name, rows in sets.items()]
        if measures[0] == "silent":
            head = [f"{name}, n = {count(rows, 'absent')} / {count(rows)}" for name, rows in sets.items()]
        parts.append(table([words, *head], across(sets, measures)))
    if not os.environ.get(QMD):
        parts.append(f"*QMD was not measured: {QMD} is not set; `bench/peers.py` tells how to install it.*")
    return "\n\n".join(parts)


def count(rows: dict[str, dict[str, float]], of: str = "n") -> int:
    """How many questions all systems were asked."""
    return int(next(iter(rows.values()))[of])


def across(sets: dict[str, dict[str, dict[str, float]]], measures: tuple[str, ...]) -> list[list[str]]:
    """A row a system, a cell a set with its measures."""
    systems = next(iter(sets.values()))
    return [
        [who, *(" / ".join(f"{rows[who][measure]:.3f}" for measure in measures) for rows in sets.values())]
        for who in systems
    ]


def fitted() -> str:
    """What the weights were fitted on, beside what was held out."""
    found = json.loads(said(os.path.join(HERE, "fit.py")).splitlines()[0])
    rows = [
        [name, f"{value:.3f}", f"{found['held'][name]:.3f}", f"{found['held'][name] - value:+.3f}"]
        for name, value in found["fitted"].items()
    ]
    return table(["share", "fitted on", "held out", "gap"], rows)


def dates() -> str:
    """Dates in words."""
    if not files("dates"):
        return NEED
    rows = figures(evaluation("dates.py", *files("dates"), cli=command()))
    cells = [[label, row["n"], row["strict"], row["anchor"]] for label, row in rows.items()]
    return table(["set", "n", "strict (goal 0.85)", "anchor (goal 0.92)"], cells)


def own_stance() -> str:
    """Support and contradiction of our own pairs, by language; those written blind last."""
    pairs = os.path.join(HERE, "..", "tests", "core", "stance")
    sets = (os.path.join(pairs, f"{name}.json") for name in ("more", "held", "fresh"))
    text = said(os.path.join(HERE, "stance.py"), *sets)
    rows, name = [], ""
    for line in text.strip("\n").split("\n"):
        if not line.startswith(" "):
            name = line.partition(".json")[0]
            continue
        label, _, rest = line.partition("n=")
        shares = re.findall(r"[PR] ([\d.]+)", rest)
        neither = re.findall(r"unrelated decided (\d+ of \d+)", rest)
        rows.append([f"{name}, {label.strip()}", rest.split()[0], *shares, *neither])
    head = ["set", "n", *(f"{what}, {each}" for what in ("contradicts", "supports") for each in ("P", "R"))]
    return table([*head, "neither, yet decided"], rows)


def stance() -> str:
    """Support and contradiction."""
    if not files("stance"):
        return NEED
    text = evaluation("stance.py", *files("stance"), cli=command())
    rows = []
    for line in text.split("\n"):
        label, _, rest = line.partition("n=")
        count = rest.split("contradicts")[0].strip()
        rows.append([label.strip(), count, *re.findall(r"(?:P|R|F1) ([\d.]+)", rest)])
    head = ["set", "n", *(f"{what}, {name}" for what in ("contradicts", "supports") for name in ("P", "R", "F1"))]
    return table(head, rows)


def succession() -> str:
    """Facts that replace or dispute others."""
    text = said(os.path.join(HERE, "succession.py"))
    line = r"^(\S[^=]*?) +n=(\d+) +(\w+) +P ([\d.]+) R ([\d.]+)  said (\d+) right \d+ of (\d+)$"
    head = ["pairs", "n", "label", "P", "R", "told", "labelled so"]
    rows = [[name, count, label, *rest] for name, count, label, *rest in re.findall(line, text, re.M)]
    rest = " ".join(f"{each[0].upper()}{each[1:]}." for each in text.split("\n") if "n=" not in each)
    return f"{table(head, rows)}\n\n{rest}"


def lives() -> str:
    """Confidence against what holds."""
    found = json.loads(said(os.path.join(HERE, "life.py")))
    parts = found["generated"]
    rows = [
        [way, *(f"{parts[part][way]['mean']:.3f} ± {parts[part][way]['spread']:.3f}" for part in parts), f"{score:.3f}"]
        for way, score in found["scripted"].items()
    ]
    head = ["Brier score (0 is best; ± between seeds)", *(f"generated, {part}" for part in parts), "scripted"]
    others = [[name, f"{each['mean']:.3f} ± {each['spread']:.3f}"] for name, each in found["constants"].items()]
    lead = f"{found['seeds']} generated lives of {found['opinions']} opinions each; of the scripted life"
    lead += f" {found['scripted months']} ends of a month, counted for each opinion:"
    other = table(["our confidence with other constants", "generated, all"], others)
    return f"{lead}\n\n{table(head, rows)}\n\n{other}"


def inference() -> str:
    """What is proposed from narrative."""
    rows = [
        [half, language, str(row["n"]), *(f"{row[name]:.3f}" for name in ("P", "R", "kind right", "entity right"))]
        for half, each in json.loads(said(os.path.join(HERE, "infer.py"))).items()
        for language, row in each.items()
    ]
    return table(["logs", "language", "n", "P", "R", "kind right", "entity right"], rows)


class Parts:
    """The parts of the page, each kept in a folder as it is measured, so that a run that was ended goes on.

    Args:
        folder: of one commit alone; empty keeps nothing.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        if folder:
            os.makedirs(folder, exist_ok=True)
            if (of := self.text("commit", commit)) != commit():
                raise SystemExit(f"{folder} has parts of commit {of}: delete it, or name another folder")

    def text(self, name: str, measure: Callable[[], str]) -> str:
        """What was measured before under this name, else what is measured now."""
        path = os.path.join(self._folder, f"{name}.md") if self._folder else ""
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
        found = measure()
        if path:
            with open(f"{path}.new", "w", encoding="utf-8") as file:
                file.write(found)
            os.replace(f"{path}.new", path)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure everything and print docs/benchmarks.md.")
    parser.add_argument("--days", nargs="+", default=["365", "3650"], help="sizes of the workspaces for speed")
    parser.add_argument("--runs", default="9", help="runs of what is quick")
    parser.add_argument("--parts", default="", metavar="DIR", help="keep each part there; a second run goes on")
    parser.add_argument("--only", nargs="+", default=(), metavar="PART", help="measure only these, into --parts")
    options = parser.parse_args()
    compiled()
    with open(os.path.join(HERE, "data", "elsewhere.json"), encoding="utf-8") as file:
        elsewhere = json.load(file)
    with open(os.path.join(HERE, "benchmarks.template.md"), encoding="utf-8") as file:
        page = file.read()
    floor = [sys.executable, os.path.join(HERE, "floor.py")]
    kept = Parts(options.parts)
    measured: dict[str, Callable[[], str]] = {
        "machine": machine,
        "speed": lambda: said(os.path.join(HERE, "speed.py"), "--days", *options.days, "--runs", options.runs),
        "goals": lambda: goals(elsewhere),
        "evals_speed": lambda: f"{repeated(elsewhere)}\n\n{ten_times()}",
        "large_log": lambda: said(os.path.join(HERE, "large_log.py")),
        "doors": doors,
        "conversations": lambda: conversations(floor, elsewhere),
        "chats": chats,
        "workspaces": workspaces,
        "bundles": bundles,
        "passages": lambda: passages(floor, elsewhere),
        "beside": lambda: beside(json.loads(said(os.path.join(HERE, "peers.py")))),
        "fitted": fitted,
        "dates": dates,
        "stance": stance,
        "own_stance": own_stance,
        "succession": succession,
        "inference": inference,
        "life": lives,
    }
    texts = {name: kept.text(name, measured[name]) for name in options.only or measured}
    if options.only:
        return
    words = re.findall(r"([\d,]+ distinct words)", texts["speed"])
    texts["words"] = f"{words[-1]} in the largest" if words else "thousands of words"
    for blank, text in texts.items():
        page = page.replace(f"{{{{{blank}}}}}", text)
    print(re.sub(r"\n{3,}", "\n\n", page).rstrip())


if __name__ == "__main__":
    main()
