"""The benchmarks run: what they print is not asserted to be fast, only to be there."""

from __future__ import annotations

import http.server
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from commonplace import Memory

Question = dict[str, object]
ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench"


def script(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{name}.py"), *arguments], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bench_module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_workspace_is_the_same_twice_and_another_by_another_seed(tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    counts = json.loads(script("corpus", str(first), "5"))
    script("corpus", str(again), "5")
    script("corpus", str(other), "5", "--seed", "2")
    assert files(first) == files(again) != files(other)
    assert counts["files"] == len(files(first))
    with Memory(str(first)) as memory:
        report = memory.index()
        assert (report.files, report.facts) == (counts["files"], counts["facts"])
        assert memory.check() == ()
        assert memory.recall("Harriet").hits


def test_a_longer_workspace_has_every_language_and_shape(tmp_path: Path) -> None:
    script("corpus", str(tmp_path / "w"), "120")
    text = "\n".join(each.decode() for each in files(tmp_path / "w").values())
    for sign in (
        "because",
        "fordi",
        "因为",
        "因為",
        "ので",
        "क्योंकि",
        "```",
        "| D-",
        "~~",
        "[x]",
        "**根因:**",
        "    - ",
        "\\n",
    ):
        assert sign in text, sign
    paths = "\n".join(files(tmp_path / "w"))
    for shape in (
        *(r"^memory/\d{4}-\d\d-\d\d\.md$", r"^memory/\d{4}-\d\d-\d\d-\w+-\w+\.md$"),
        *(r"^memory/\d{4}/\d\d/\d\d/", r"^memory/archived/", r"^memory/notebook-\d+\.md$", r"^memory/people/"),
    ):
        assert re.search(shape, paths, re.M), shape


def test_speed_prints_its_tables() -> None:
    said = script("speed", "--days", "3", "6", "--runs", "1")
    for size in ("**3 days**", "**6 days**"):
        assert size in said
    jobs = re.findall(r"^\| ([^|]+) \| [\d.]+ \| [\d.]+ \| \d+ \| [\d.]+ \((?:start|question|index)\)", said, re.M)
    assert len(jobs) == 18 and len(set(jobs)) == 9
    assert said.count("| recall, no sweep |") == said.count("| plain FTS5, any word |") == 2
    assert "the median grows by a factor of" in said


def test_processes_that_stay_are_measured_and_told(tmp_path: Path) -> None:
    root = str(tmp_path / "w")
    last = json.loads(script("corpus", root, "4"))["last day"]
    worker = json.loads(script("worker", root, "--today", last, "--recalls", "20"))
    server = json.loads(script("mcp_server", root, "--today", last, "--starts", "1"))
    for found, ways in ((worker, ("in the library", "through the worker")), (server, ("over stdio", "over HTTP"))):
        assert all(0 < found[f"recall {way}"]["p50"] <= found[f"recall {way}"]["max"] for way in ways)
    assert 0 < server["tokens"]["recall"] <= server["tokens"]["most"] <= 1_500
    assert server["tokens"]["tools"] <= 2_500
    said = subprocess.run(
        [sys.executable, "-c", f"import report; print(report.doors_told('7', {worker!r}, {server!r}))"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONPATH": str(BENCH)},
    ).stdout
    assert len(re.findall(r"^\| recall (?:in|through|over) [^|]+\| [\d.]+ \| [\d.]+ \| [\d.]+ \|", said, re.M)) == 5
    assert "memory at most, 20 recalls later" in said


@pytest.mark.parametrize("name", ["dates", "stance", "terms"])
def test_what_needs_data_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_EVALS", raising=False)
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{name}.py")], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "COMMONPLACE_EVALS is not set" in done.stderr


def test_the_page_has_every_part_of_its_template() -> None:
    """Written by `bench/report.py`: a heading changed by hand, or a blank left open, shows here."""

    def headings(text: str) -> list[str]:
        return re.findall(r"^#+ .*$", text, re.M)

    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    template = (BENCH / "benchmarks.template.md").read_text(encoding="utf-8")
    assert headings(page) == headings(template)
    assert "{{" not in page


LAYOUT = """
def build(sample, root):
    lines = [turn["text"] for turn in sample["conversation"]]
    (root / "memory").mkdir()
    (root / "memory" / "2025-01-01.md").write_text("# 2025-01-01\\n\\n" + "".join(f"- {line}\\n" for line in lines))
    return {str(at): f"memory/2025-01-01.md#L{at + 3}" for at in range(len(lines))}


def gold(question, cite):
    return {cite[at] for at in question["evidence"]}
"""
"""What bench/peers.py asks of the data sets' own script."""


def own_set(folder: Path, lines: tuple[str, ...], *questions: Question) -> None:
    log = folder / "workspace" / "memory" / "2026-01-05.md"
    log.parent.mkdir(parents=True)
    log.write_text("# 2026-01-05\n\n" + "".join(f"- {line}\n" for line in lines), encoding="utf-8")
    for name in ("questions", "held"):
        text = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in questions)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def test_others_answer_the_same_questions_over_the_same_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evals, own = tmp_path / "evals", tmp_path / "own"
    (evals / "data").mkdir(parents=True)
    (evals / "locomo.py").write_text(LAYOUT, encoding="utf-8")
    turns = [{"text": "Ann: I bought a red kayak"}, {"text": "Bo: my cat sleeps all day"}]
    asked = [
        {"question": "Who bought the kayak?", "evidence": ["0"], "category": 4},
        {"question": "Who bought a cat?", "evidence": ["1"], "category": 5},
    ]
    told = {"paragraphs": ["咖啡馆在河边", "图书馆在山上"], "questions": [["图书馆在哪里", 1], ["咖啡馆在哪里", 0]]}
    for name, data in (("talk", [{"conversation": turns, "qa": asked}]), ("zh", told)):
        (evals / "data" / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    at = "memory/2026-01-05.md#L3"
    answer: Question = {"id": "1", "language": "en", "type": "value", "question": "lantern", "answers": [at]}
    absent: Question = {"id": "2", "language": "en", "type": "absent", "question": "zeppelin", "answers": []}
    limited: Question = {**answer, "id": "3", "options": {"as_of": "2020-01-01"}}
    for each in ("planted", "wild"):
        own_set(own / each, ("The lantern hangs in the hall", "The tap drips"), answer, absent, limited)
    monkeypatch.setenv("COMMONPLACE_EVALS", str(evals))
    monkeypatch.delenv("COMMONPLACE_QMD", raising=False)
    said = json.loads(script("peers", "--data", str(own)))
    assert [*said] == ["conversations", "passages", "own"]
    talk = said["conversations"]["talk"]
    names = [*talk]
    assert [name.split()[0].rstrip(",") for name in names] == ["commonplace", "FTS5", "FTS5", "FTS5", "bm25s"]
    for name in names:
        assert (talk[name]["n"], talk[name]["hit@1"]) == (1, 1.0), name
        for part in ("planted, questions", "planted, held", "wild, questions", "wild, held"):
            row = said["own"][part][name]
            assert (row["n"], row["absent"], row["rec@10"], row["silent"], row["mute"]) == (1, 1, 1.0, 1.0, 0.0), name
    passages = said["passages"]["zh"]
    assert passages["commonplace"]["hit@1"] == passages["FTS5, trigram"]["hit@1"] == 1.0
    assert passages["FTS5, unicode61"]["mute"] == 1.0


def test_lives_are_the_same_twice_and_their_confidence_beats_the_prior_alone() -> None:
    told = [json.loads(script("life", "--seeds", "2", "--opinions", "20")) for _ in range(2)]
    assert told[0] == told[1]
    ways = [*told[0]["scripted"]]
    assert ways[:2] == ["our confidence", "stated prior alone"]
    assert told[0]["scripted"][ways[0]] < told[0]["scripted"][ways[1]]
    assert [*told[0]["generated"]] == ["all", "truth stayed", "truth changed"]
    for part in told[0]["generated"].values():
        assert [*part] == ways
        assert all(0 < each["mean"] < 1 for each in part.values())
    assert len(told[0]["constants"]) == 4


def test_the_page_has_a_row_for_each_other() -> None:
    row = {"n": 2, "absent": 1, "hit@1": 0.5, "rec@10": 0.75, "any@10": 1.0, "mrr": 0.6, "silent": 1.0, "mute": 0.25}
    rows = {"commonplace": row, "FTS5, porter": row}
    found = {
        "conversations": {"talk": rows},
        "passages": {"zh": rows, "hi": rows},
        "own": {"planted, questions": rows, "wild, questions": rows},
    }
    done = subprocess.run(
        [sys.executable, "-c", f"import report; print(report.beside({found!r}))"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONPATH": str(BENCH), "COMMONPLACE_QMD": ""},
    )
    lines = done.stdout.splitlines()
    assert "| FTS5, porter | 0.750 | 1.000 | 0.600 |" in lines
    assert lines.count("| FTS5, porter | 0.500 / 0.750 | 0.500 / 0.750 |") == 1
    assert "| FTS5, porter | 1.000 / 0.250 | 1.000 / 0.250 |" in lines
    assert "QMD was not measured" in lines[-1]


def test_writes_into_a_large_log_are_measured() -> None:
    rows = script("large_log", "--facts", "3000", "--runs", "1").splitlines()
    assert [row.split("`")[1] for row in rows[2:]] == ["index --rebuild", "retain", "append", "correct", "forget"]


def test_paraphrases_are_laid_out_where_they_are_cited_and_a_line_finds_itself(tmp_path: Path) -> None:
    paraphrases = bench_module("paraphrases")
    logs, questions = paraphrases.read()
    paraphrases.lay_out(logs, tmp_path / "w")
    for (_, text), citation in paraphrases.citations(logs).items():
        path, _, number = citation.partition("#L")
        line = (tmp_path / "w" / path).read_text(encoding="utf-8").split("\n")[int(number) - 1]
        assert line.removeprefix("- ") == text
    of = {citation: text for (_, text), citation in paraphrases.citations(logs).items()}
    literal = [each._replace(text=of[min(each.gold)]) for each in questions if each.gold][::12]
    found = paraphrases.shares(literal, paraphrases.recalled(tmp_path / "w", literal, max(logs)))
    assert {row["hit@1"] for row in found.values()} == {1.0}


def test_paraphrases_print_a_table_of_each_part() -> None:
    fitted, held = (script("paraphrases", "--part", part) for part in ("fitted", "held"))
    for said in (fitted, held):
        assert "| commonplace, words alone |" in said
        assert re.search(r"^\| all \| 36 \| [\d.]+ \| [\d.]+ \| 36 \| [\d.]+ \| [\d.]+ \| 18 \|", said, re.M)


JOB = {
    "corpora": [
        {"lines": ["the lantern hangs", "水管漏水", "नल टपकता है"], "questions": ["lantern", "漏水", "नल", "zeppelin"]}
    ],
    "sample": ["a line of a log"],
    "asked": ["a question"],
}


def embedded(name: str, job: dict[str, object]) -> dict[str, Any]:
    """By the interpreter of the tests: `bench/embedders.py` would make an environment."""
    done = subprocess.run(
        [sys.executable, str(BENCH / "one_embedder.py"), name],
        input=json.dumps(job),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_model_is_measured_in_a_process_of_its_own() -> None:
    said = embedded("bm25", JOB)
    assert said["ranked"] == [{"cosine": [[0], [1], [2], []]}]
    assert {*said["figures"]} == {"load s", "docs a second", "query ms", "MB"}


class Endpoint(http.server.BaseHTTPRequestHandler):
    """`/v1/embeddings` with a vector of letters, its rows in reverse order; it notes what it was asked."""

    asked: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({"path": self.path, **request})
        rows = [
            {"index": at, "embedding": [text.count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"]}
            for at, text in enumerate(request["input"])
        ]
        body = json.dumps({"data": rows[::-1]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_any_server_of_embeddings_is_measured_with_the_prefixes_of_its_model() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        where = {"url": url, "model": "letters", "query": "query: ", "passage": "passage: "}
        corpus = {"lines": ["jazz", "moss", "kiln"], "questions": ["moses", "link"]}
        said = embedded("server", {**JOB, "corpora": [corpus], "server": where})
        server.shutdown()
    assert [row[0] for row in said["ranked"][0]["cosine"]] == [1, 2]
    assert {each["path"] for each in Endpoint.asked} == {"/v1/embeddings"}
    assert {each["model"] for each in Endpoint.asked} == {"letters"}
    assert ["passage: jazz", "passage: moss", "passage: kiln"] in [each["input"] for each in Endpoint.asked]
    assert ["query: moses", "query: link"] in [each["input"] for each in Endpoint.asked]


def test_the_page_of_embedders_has_a_row_for_each_that_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONPLACE_EVALS", raising=False)
    languages = ("en", "da", "zh", "ja", "hi", "ru", "all")
    shares = {f"{language} {asks}": {"hit@5": 0.25} for language in languages for asks in ("own", "cross")}
    kept = {"name": "tiny", "quality": {"paraphrases": {"cosine": shares}}, "costs": {"licence": "MIT", "lines/s": "7"}}
    (tmp_path / "server-1.json").write_text(json.dumps(kept), encoding="utf-8")
    said = script("embedders", "--cache", str(tmp_path), "--only").splitlines()
    assert [line for line in said if line.startswith("| tiny ")] == [
        "| tiny | 0.25 | 0.25 | – | – |",
        f"| tiny |{' 0.25 / 0.25 / – |' * 6}",
        "| tiny | MIT | – | – | 7 | – | – |",
    ]
    assert sum("words alone" in line for line in said) == 2


def test_vectors_prints_a_row_for_each_size_and_rung() -> None:
    said = script("vectors", "--sizes", "300", "2500", "--queries", "10", "--rungs", "float32", "suco", "hnsw")
    rows = re.findall(r"^\| ([\d,]+) \| (\w+) \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$", said, re.M)
    assert [row[:2] for row in rows] == [
        (size, name) for size in ("300", "2,500") for name in ("float32", "suco", "hnsw")
    ]
    assert all(float(recall) > 0.9 for *_, recall in rows)


def test_a_model_that_answers_by_the_labels_is_right_and_chance_is_not() -> None:
    perfect = json.loads(script("decide", "--stub", "perfect", "--json"))
    assert all(found["right"] >= 59 and "wrong" not in found for found in perfect.values())
    coin = json.loads(script("decide", "--stub", "coin", "--json"))
    assert all(found.get("right", 0) <= 40 for found in coin.values())
    told = script("decide", "--stub", "reject", "--kind", "judge", "core", "--language", "ja", "--wrong")
    assert "| core | 10 | 0." in told
    assert "| judge | 10 | – | 1.00 |" in told
    assert "core (ja, " in told
