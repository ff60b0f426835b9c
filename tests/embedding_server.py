"""A server of embeddings for tests: it speaks OpenAI's and Ollama's protocols, and can be told to answer wrongly."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reply = Callable[["Handler", dict[str, Any]], None]
    """Answers a request, of which it gets the JSON."""


def vector(text: str, *, dimensions: int = 16, model: str = "model") -> list[float]:
    """What our pretended model makes of a text: numbers that nothing else has."""
    seed = int.from_bytes(hashlib.sha256(f"{model} {text}".encode()).digest()[:8], "big")
    return [float(each) for each in numpy.random.default_rng(seed).normal(size=dimensions)]


def embeddings(
    asked: dict[str, Any], *, dimensions: int = 16, model: str = "model", noise: float = 0
) -> list[dict[str, Any]]:
    """What the API has below `data`."""
    rows = [numpy.array(vector(text, dimensions=dimensions, model=model)) for text in asked["input"]]
    shaken = [row + noise * numpy.random.default_rng().normal(size=dimensions) for row in rows]
    return [{"object": "embedding", "index": at, "embedding": row.tolist()} for at, row in enumerate(shaken)]


class Handler(BaseHTTPRequestHandler):
    """Answers as the server was told: by the next reply of its list, then by its usual one."""

    protocol_version = "HTTP/1.1"
    server: EmbeddingServer

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.answer(*self.server.pages.get(self.path, (404, {"error": "not found"})))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.paths.append(self.path)
        if (page := self.server.pages.get(f"{self.path} {asked.get('model')}")) is not None:
            self.answer(*page)
            return
        if self.path == "/api/show":  # only Ollama has it
            self.answer(404, {"error": "not found"})
            return
        self.server.asked.append(asked)
        self.server.keys.append(self.headers.get("Authorization", ""))
        reply = self.server.replies.pop(0) if self.server.replies else self.server.usual
        reply(self, asked)

    def answer(self, status: int, found: object, **headers: str) -> None:
        """Send JSON, or bytes as they are."""
        content = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        for name, value in {"Content_Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


def well(handler: Handler, asked: dict[str, Any]) -> None:
    """Answer as OpenAI does."""
    handler.answer(200, {"object": "list", "data": embeddings(asked), "model": asked["model"]})


class EmbeddingServer(ThreadingHTTPServer):
    """A server on a free port of 127.0.0.1; it remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.usual: Reply = well
        self.replies: list[Reply] = []
        self.pages: dict[str, tuple[int, object]] = {}
        """Answers to GET by path, and to POST by path and model."""
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def texts(self) -> list[str]:
        """All texts that it was asked to embed."""
        return [text for asked in self.asked for text in asked["input"]]

    def handle_error(self, *_: object) -> None:
        """Keep quiet: clients that hang up are what some tests are about."""


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ollama(server: EmbeddingServer, **abilities: list[str]) -> None:
    """Make it answer as Ollama does to `/api/tags`, `/api/show` and `/v1/embeddings`; models by name, `_` for `-`."""
    names = {name.replace("_", "-"): has for name, has in abilities.items()}
    server.pages["/api/tags"] = (
        200,
        {
            "models": [
                {
                    "name": f"{name}:latest",
                    "model": f"{name}:latest",
                    "modified_at": "2026-05-01T10:00:00Z",
                    "size": 274302450,
                    "details": {"format": "gguf", "family": "bert", "families": ["bert"], "quantization_level": "F16"},
                }
                for name in names
            ]
        },
    )
    for name, has in names.items():
        server.pages[f"/api/show {name}:latest"] = (200, {"details": {"family": "bert"}, "capabilities": has})

    def embed(handler: Handler, asked: dict[str, Any]) -> None:
        if asked["model"].removesuffix(":latest") not in names:
            what = {"message": f'model "{asked["model"]}" not found, try pulling it first', "type": "api_error"}
            handler.answer(404, {"error": {**what, "param": None, "code": None}})
        else:
            usage = {"prompt_tokens": 3, "total_tokens": 3}
            handler.answer(200, {"object": "list", "data": embeddings(asked), "model": asked["model"], "usage": usage})

    server.usual = embed
