"""Others over the same lines and the same questions: plain FTS5, bm25s and QMD, without models.

    python bench/peers.py [--data DIR]

Every line that is not blank is one document, cited `path#Ln`. The public sets are those of the folder that
COMMONPLACE_EVALS names (without it they are left out); conversations are laid out by its own `locomo.py`. The
project's own sets stand in DIR (tests/data). Only citations are scored, for all alike: questions that give options to
recall are left out, and what a hit says of itself (superseded, disputed) does not count.

QMD takes part where COMMONPLACE_QMD names a folder made by `npm install --prefix FOLDER node@22 @tobilu/qmd@2.8.3`.
Prints JSON.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import asked
import bm25s
import floor
import Stemmer
from datasets import files, folder, read

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

LARGE = 100_000
"""A budget, in tokens, that leaves no hit out."""
QMD = "COMMONPLACE_QMD"


class Asking(NamedTuple):
    """Questions over one workspace, and what answers them."""

    root: str
    questions: Sequence[str]
    days: Sequence[str]
    """On which each is asked."""
    gold: Sequence[set[str]]
    """Citations that answer each; none when nothing does."""
    k: int


Ranked = list[list[str]]
"""Citations for each question, best first."""
System: TypeAlias = "Callable[[Asking, list[floor.Row]], Ranked]"


def ours(asking: Asking, _: list[floor.Row]) -> Ranked:
    """This library, from Python."""
    memories: dict[str, Memory] = {}
    ranked = []
    for question, day in zip(asking.questions, asking.days, strict=True):
        if day not in memories:
            memories[day] = Memory(asking.root, today=date.fromisoformat(day))
        bundle = memories[day].recall(question, k=asking.k, budget=LARGE)
        ranked.append([str(hit.line.source) for hit in bundle.hits])
    for memory in memories.values():
        memory.close()
    return ranked


def trigrams(text: str) -> str:
    """The words' runs of three characters, each once: how a trigram index is asked for any part of a question."""
    return " ".join(dict.fromkeys(word[at : at + 3] for word in text.split() for at in range(len(word) - 2)))


def fts(tokenizer: str, terms: Callable[[str], str] = str) -> System:
    """SQLite's full-text search with one of its own tokenizers: any term, bm25."""

    def search(asking: Asking, lines: list[floor.Row]) -> Ranked:
        connection = sqlite3.connect(":memory:")
        connection.execute(f"create virtual table line using fts5(text, source unindexed, tokenize='{tokenizer}')")
        connection.executemany("insert into line values (?, ?)", lines)
        rows = [floor.ask(connection, terms(question), asking.k) for question in asking.questions]
        connection.close()
        return [[source for _, source in found] for found in rows]

    return search


def bm25(asking: Asking, lines: list[floor.Row]) -> Ranked:
    """The package bm25s with its own tokenizer, stop words and the Snowball stemmer, all English."""

    def tokens(texts: Iterable[str]) -> Any:
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)

    index = bm25s.BM25()
    index.index(tokens(text for text, _ in lines), show_progress=False)
    found, scores = index.retrieve(tokens(asking.questions), k=min(asking.k, len(lines)), show_progress=False)
    return [
        [lines[at][1] for at, score in zip(row, values, strict=True) if score > 0]
        for row, values in zip(found, scores, strict=True)
    ]


def qmd(apart: bool) -> System:
    """`qmd search`: every word, as a prefix; Porter's stemmer, bm25. It finds files, so every line is one.

    Apart: each word is asked by itself and the scores are added up, as QMD does not, for any word to be enough.
    """

    def search(asking: Asking, lines: list[floor.Row]) -> Ranked:
        home, beside = Path(os.environ[QMD], "node_modules"), os.path.dirname(os.path.abspath(__file__))
        with tempfile.TemporaryDirectory() as place:
            held, database, request = (Path(place, name) for name in ("lines", "index.sqlite", "questions.json"))
            held.mkdir()
            for number, (text, _) in enumerate(lines):
                Path(held, f"zz{number}.md").write_text(text, encoding="utf-8")
            wanted = {"questions": asking.questions, "k": asking.k, "apart": apart}
            request.write_text(json.dumps(wanted), encoding="utf-8")
            script = [home / ".bin" / "node", Path(beside, "qmd.mjs"), home / "@tobilu" / "qmd"]
            done = subprocess.run(
                [*script, held, database, request],
                stdout=subprocess.PIPE,
                encoding="utf-8",
                env={**os.environ, "HOME": place, "NODE_NO_WARNINGS": "1"},
                check=True,
            )
        return [[lines[at][1] for at in found] for found in json.loads(done.stdout)]

    return search


def systems() -> dict[str, System]:
    """All that are here, by the name they are shown under."""
    every: dict[str, System] = {
        "commonplace": ours,
        "FTS5, unicode61": fts("unicode61"),
        "FTS5, porter": fts("porter unicode61"),
        "FTS5, trigram": fts("trigram", trigrams),
        f"bm25s {bm25s.__version__}": bm25,
    }
    if os.environ.get(QMD):
        about = read(os.path.join(os.environ[QMD], "node_modules", "@tobilu", "qmd", "package.json"))
        every[f"QMD {about['version']}, search"] = qmd(apart=False)
        every[f"QMD {about['version']}, each word"] = qmd(apart=True)
    return every


def conversations(path: str) -> Iterator[Asking]:
    """Each conversation of a file with its questions of categories 1 to 4."""
    sys.path.insert(0, folder())
    locomo: Any = importlib.import_module("locomo")
    for sample in read(path):
        with tempfile.TemporaryDirectory() as root:
            cite = locomo.build(sample, Path(root))
            pairs = [(each["question"], locomo.gold(each, cite)) for each in sample["qa"] if each["category"] < 5]
            questions, gold = zip(*(pair for pair in pairs if pair[1]), strict=True)
            yield Asking(root, questions, [max(cite.values())[7:17]] * len(questions), gold, 20)


def passages(path: str) -> Iterator[Asking]:
    """The paragraphs of a file, each one bullet of a log."""
    data = read(path)
    with tempfile.TemporaryDirectory() as root:
        log = Path(root, "memory", "2025-01-01.md")
        log.parent.mkdir()
        bullets = "".join(f"- {' '.join(text.split())}\n" for text in data["paragraphs"])
        log.write_text(f"# 2025-01-01\n\n{bullets}", encoding="utf-8")
        questions = [question for question, _ in data["questions"]]
        gold = [{f"memory/2025-01-01.md#L{number + 3}"} for _, number in data["questions"]]
        yield Asking(root, questions, ["2025-01-02"] * len(questions), gold, 10)


def own(data: Path, name: str, file: str) -> Iterator[Asking]:
    """A file of one of the project's own sets."""
    every = [json.loads(line) for line in (data / name / file).read_text(encoding="utf-8").splitlines()]
    every = [each for each in every if not each.get("options")]
    with tempfile.TemporaryDirectory() as place:
        yield Asking(
            shutil.copytree(data / name / "workspace", os.path.join(place, "workspace")),
            [each["question"] for each in every],
            [each.get("today", asked.TODAY) for each in every],
            [set() if each["type"] == "absent" else set(each["answers"]) for each in every],
            asked.FIRST,
        )


def scores(ranked: Sequence[str], gold: set[str]) -> dict[str, float]:
    """How well one question was answered; `silent` alone where nothing answers it, `mute` where something would."""
    if not gold:
        return {"silent": float(not ranked)}
    ranks = [rank for rank, citation in enumerate(ranked, 1) if citation in gold]
    within = sum(rank <= asked.FIRST for rank in ranks)
    return {
        "hit@1": float(ranks[:1] == [1]),
        "rec@10": within / len(gold),
        "any@10": float(within > 0),
        "mrr": 1 / ranks[0] if ranks else 0.0,
        "mute": float(not ranked),
    }


def measure(askings: Iterable[Asking]) -> dict[str, dict[str, float]]:
    """System -> measure -> mean over the questions that it applies to; with `n` and, where some are, `absent`."""
    rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for asking in askings:
        lines = list(floor.lines_of(asking.root))
        for name, system in systems().items():
            for ranked, gold in zip(system(asking, lines), asking.gold, strict=True):
                for measured, value in scores(ranked, gold).items():
                    rows[name][measured].append(value)
    return {
        name: {"n": len(values["mrr"]), "absent": len(values["silent"])}
        | {measured: round(sum(each) / len(each), 3) for measured, each in values.items() if each}
        for name, values in rows.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure others over the same lines and questions.")
    parser.add_argument("--data", type=Path, default=asked.DATA, help="the folder with the project's own sets")
    options = parser.parse_args()
    found: dict[str, Any] = {"conversations": {}, "passages": {}, "own": {}}
    for kind, laid in (("conversations", conversations), ("passages", passages)):
        for path in files(kind):
            found[kind][os.path.splitext(os.path.basename(path))[0]] = measure(laid(path))
    for name in asked.SETS:
        for file in ("questions.jsonl", "held.jsonl"):
            found["own"][f"{name}, {file.split('.')[0]}"] = measure(own(options.data, name, file))
    print(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
