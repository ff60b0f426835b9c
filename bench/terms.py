"""Speed, size and worth of the search terms alone, without the program around them.

    python bench/terms.py speed WORKSPACE [EVALUATION.json …]
    python bench/terms.py [recall [EVALUATION.json …]]

`speed` analyses every line of a folder of Markdown, then the sentences of the evaluation files, and puts the first
into an FTS5 table. `recall` asks the evaluation's questions over its paragraphs ({"paragraphs", "questions"}), ranked
once by FTS5 and once by the weights of the terms. Without files, those in the folder that COMMONPLACE_EVALS names.
CPU seconds of this process; trust ratios to about 15 %.
"""

import collections
import json
import math
import os
import re
import sys
import time

import apsw
from datasets import given

from commonplace.core.text.analyzer import TOKENIZER, document_terms, occurrences, query_terms


def lines_of(folder: str) -> list[str]:
    """Every line of every Markdown file that is not blank."""
    found = []
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".md"):
                with open(os.path.join(root, name), encoding="utf-8", newline="") as file:
                    found += [line for line in file.read().split("\n") if line.strip()]
    return found


def timed(label: str, lines: list[str]) -> list[str]:
    """Analyse the lines and print what it cost."""
    start = time.process_time()
    analysed = [document_terms(line) for line in lines]
    took = time.process_time() - start
    size = sum(len(line.encode()) for line in lines)
    out = sum(len(line.encode()) for line in analysed)
    print(
        f"{label:34s} {len(lines):7d} lines {size / 1e6:6.1f} MB  {took:6.3f} s"
        f"  {1e6 * took / len(lines):6.2f} µs a line  {1e9 * took / size:5.0f} ns a byte  terms {out / 1e6:5.1f} MB"
    )
    return analysed


def speed(folder: str, files: list[str]) -> None:
    """Print what analysis and indexing cost."""
    start = time.process_time()
    document_terms("first use loads the stemmers: Århus")
    print(f"first line {1000 * (time.process_time() - start):.1f} ms")
    analysed = timed("workspace, empty cache", lines_of(folder))
    timed("workspace, again", lines_of(folder))
    database = apsw.Connection(":memory:")
    database.execute(
        f'create virtual table t using fts5(terms, content="", contentless_delete=1, tokenize="{TOKENIZER}")'
    )
    start = time.process_time()
    with database:
        database.executemany("insert into t(rowid, terms) values (?, ?)", enumerate(analysed))
    took = time.process_time() - start
    size = database.execute("select sum(length(block)) from t_data").get
    print(f"FTS5 {took:.3f} s, {size / 1e6:.1f} MB")
    every = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            data = json.load(file)
        sentences = [
            sentence.strip()
            for paragraph in data["paragraphs"]
            for sentence in re.split(r"(?<=[.!?।。！？])\s*|(?<=[,，、;；])\s*", paragraph)
            if sentence.strip()
        ]
        every += timed(f"{os.path.basename(name)} ({data['language']})", sentences)
    print(len(every), "sentences in all")


def recall(name: str) -> None:
    """Print R@1, R@10 and MRR of one file, by FTS5's bm25 and by idf with the terms' weights."""
    with open(name, encoding="utf-8") as file:
        data = json.load(file)
    paragraphs = [" ".join(paragraph.split()) for paragraph in data["paragraphs"]]
    database = apsw.Connection(":memory:")
    database.execute(
        f'create virtual table t using fts5(terms, content="", contentless_delete=1, tokenize="{TOKENIZER}")'
    )
    database.executemany("insert into t(rowid, terms) values (?, ?)", enumerate(map(document_terms, paragraphs)))
    postings: dict[str, dict[int, int]] = collections.defaultdict(dict)
    for number, paragraph in enumerate(paragraphs):
        for term, count in collections.Counter(occurrences(paragraph)).items():
            postings[term][number] = count
    lengths = [len(paragraph.encode()) for paragraph in paragraphs]
    mean = sum(lengths) / len(lengths)

    def weighed(question: str) -> list[int]:
        scores: dict[int, float] = collections.defaultdict(float)
        for term in query_terms(question):
            if term.kind == "phrase":
                continue
            rows: collections.Counter[int] = collections.Counter()
            for key in term.keys:
                same = [key] if not key.endswith("*") else [known for known in postings if known.startswith(key[:-1])]
                for known in same:
                    rows |= collections.Counter(postings.get(known, {}))
            rarity = math.log(1 + (len(paragraphs) - len(rows) + 0.5) / (len(rows) + 0.5))
            for row, count in rows.items():
                scores[row] += term.weight * rarity * count * 1.9 / (count + 0.54 + 0.36 * lengths[row] / mean)
        return sorted(scores, key=scores.__getitem__, reverse=True)[:10]

    def plain(question: str) -> list[int]:
        match = " OR ".join(term.match for term in query_terms(question))
        if not match:
            return []
        ranked = database.execute("select rowid from t where t match ? order by rank limit 10", (match,))
        return [row for (row,) in ranked]

    for label, ask in (("FTS5 bm25", plain), ("weights", weighed)):
        first, tenth, reciprocal = 0, 0, 0.0
        for question, gold in data["questions"]:
            ranked = ask(question)
            first += ranked[:1] == [gold]
            tenth += gold in ranked
            reciprocal += 1 / (ranked.index(gold) + 1) if gold in ranked else 0
        count = len(data["questions"])
        print(
            f"{os.path.basename(name):20s} {label:10s} n={count:4d}  R@1 {first / count:.3f}  R@10 {tenth / count:.3f}"
            f"  MRR {reciprocal / count:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["speed"]:
        speed(sys.argv[2], sys.argv[3:])
    else:
        for argument in given(sys.argv[2:], "passages"):
            recall(argument)
