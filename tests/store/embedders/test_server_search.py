"""Which servers of embeddings there are on this machine, each by its own protocol."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.embedding_server import EmbeddingServer, embedding_server, ollama

from commonplace.store.embedders.server_search import PORTS, FoundServer, found_servers

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as found:
        yield found


def everywhere(server: EmbeddingServer) -> dict[str, tuple[int, ...]]:
    """Each kind of server is looked for at this one's port."""
    return {kind: (server.port,) for kind in PORTS}


def test_the_usual_ports_are_theirs() -> None:
    assert PORTS == {"ollama": (11434,), "lmstudio": (1234,), "llama.cpp": (8080,), "tei": (8080, 3000)}


def test_ollama_tells_by_model_whether_it_embeds(server: EmbeddingServer) -> None:
    ollama(server, nomic_embed_text=["embedding"], llama3=["completion", "tools"], odd_one=["embedding"])
    found = found_servers(ports=everywhere(server), seconds=10)
    assert found == (FoundServer(server.url, "ollama", ("nomic-embed-text:latest", "odd-one:latest")),)


def test_an_older_ollama_is_understood_by_names(server: EmbeddingServer) -> None:
    server.pages["/api/tags"] = (
        200,
        {
            "models": [
                {"name": "mxbai-embed-large:latest", "details": {"family": "x"}},
                {"name": "all-minilm:l6", "details": {"family": "bert"}},
                {"name": "mistral:7b", "details": {"family": "llama"}},
                {"name": "strange"},
            ]
        },
    )
    (found,) = found_servers(ports=everywhere(server), seconds=10)
    assert found.models == ("mxbai-embed-large:latest", "all-minilm:l6")


def test_lm_studio_has_a_type_for_each_model(server: EmbeddingServer) -> None:
    models = [{"id": "text-embedding-nomic", "type": "embeddings"}, {"id": "qwen3", "type": "llm"}]
    server.pages["/api/v0/models"] = (200, {"object": "list", "data": models})
    found = found_servers(ports=everywhere(server), seconds=10)
    assert found == (FoundServer(server.url, "lmstudio", ("text-embedding-nomic",)),)


def test_llama_cpp_names_itself_as_owner(server: EmbeddingServer) -> None:
    server.pages["/v1/models"] = (200, {"data": [{"id": "bge-m3.gguf", "object": "model", "owned_by": "llamacpp"}]})
    found = found_servers(ports=everywhere(server), seconds=10)
    assert found == (FoundServer(server.url, "llama.cpp", ("bge-m3.gguf",)),)


def test_tei_has_one_model_and_says_what_it_is_for(server: EmbeddingServer) -> None:
    told = {"model_id": "intfloat/multilingual-e5-small", "model_type": {"embedding": {"pooling": "mean"}}}
    server.pages["/info"] = (200, told)
    found = found_servers(ports=everywhere(server), seconds=10)
    assert found == (FoundServer(server.url, "tei", ("intfloat/multilingual-e5-small",)),)
    server.pages["/info"] = (200, {**told, "model_type": {"reranker": {}}})
    assert found_servers(ports=everywhere(server), seconds=10)[0].models == ()


@pytest.mark.parametrize(
    "answer", [(404, {}), (200, b"<html>"), (200, []), (200, {"models": 3, "data": "x"}), (200, {"data": [1, "a"]})]
)
def test_another_program_on_their_port_is_none_of_them(server: EmbeddingServer, answer: tuple[int, object]) -> None:
    for path in ("/api/tags", "/api/v0/models", "/v1/models", "/info"):
        server.pages[path] = answer
    found = found_servers(ports=everywhere(server), seconds=10)
    assert all(each.models == () for each in found)
    assert not [each.kind for each in found if each.kind in ("llama.cpp", "tei")]


def test_one_that_never_answers_costs_its_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begin = time.monotonic()
        assert found_servers(ports={"ollama": (silent.getsockname()[1],)}, seconds=0.1) == ()
        assert time.monotonic() - begin < 5


def test_where_nothing_listens_nothing_is_found(server: EmbeddingServer) -> None:
    ports = everywhere(server)
    server.shutdown()
    server.server_close()
    assert found_servers(ports=ports, seconds=10) == ()


def test_importing_it_opens_no_connection() -> None:
    code = "import sys\nseen = []\nsys.addaudithook(lambda event, args: seen.append(event))\n"
    code += "import json, commonplace.store.embedders.server_search, commonplace.store.embedders.open_embedder\n"
    code += "print(json.dumps([each for each in seen if each.startswith('socket.')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
