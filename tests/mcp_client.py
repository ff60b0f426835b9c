"""What the tests of the MCP server share: the server as a process, and the official client over either transport."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from mcp_types import CallToolResult

TODAY = "2025-12-01"
PATIENCE = 30.0
"""Seconds after which a server that says nothing is taken for dead: for busy machines, not a measure."""


def argv(root: Path, *flags: str) -> list[str]:
    return [sys.executable, "-m", "commonplace", "mcp", "--workspace", str(root), "--today", TODAY, *flags]


@contextmanager
def process(root: Path, *flags: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server with pipes; it has ended afterwards."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    server = subprocess.Popen(argv(root, *flags), **pipes)  # type: ignore[call-overload]
    try:
        yield server
    finally:
        server.kill()
        server.communicate()


@contextmanager
def http(root: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The server on a free port, and its URL; `header` has what it printed for writes."""
    with process(root, "--http", "0") as server:
        assert server.stderr is not None
        url = server.stderr.readline().decode().split()[-1]
        assert "writes need this header:" in server.stderr.readline().decode()
        name, _, value = server.stderr.readline().decode().strip().partition(": ")
        _HEADERS[url] = {name: value}
        yield url, server


_HEADERS: dict[str, dict[str, str]] = {}


def header(url: str) -> dict[str, str]:
    """The header that a server told people to send with writes."""
    return _HEADERS[url]


@asynccontextmanager
async def client_of(url: str, mode: Any = "auto") -> AsyncIterator[Client]:
    """The official client of a server over HTTP, with its token."""
    async with create_mcp_http_client(headers=header(url)) as line:
        started = streamable_http_client(url, http_client=line)
        async with Client(started, mode=mode, read_timeout_seconds=PATIENCE) as client:
            yield client


@asynccontextmanager
async def connected(root: Path, transport: str = "stdio", mode: Any = "auto") -> AsyncIterator[Client]:
    """The official client of a server of its own."""
    if transport == "http":
        with http(root) as (url, _):
            async with client_of(url, mode) as client:
                yield client
        return
    command, *rest = argv(root)
    with open(os.devnull, "w", encoding="utf-8") as errors:
        started = stdio_client(StdioServerParameters(command=command, args=rest, env=dict(os.environ)), errlog=errors)
        async with Client(started, mode=mode, read_timeout_seconds=PATIENCE) as client:
            yield client


def run(work: Callable[[], Awaitable[None]]) -> None:
    anyio.run(work)


async def call(client: Client, name: str, /, **arguments: Any) -> Any:
    """The data of an answer; that text and data stand in it is checked on the way."""
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, text(answer)
    assert text(answer)
    return answer.structured_content


def text(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert content.type == "text"
    return content.text


class Wire:
    """A client that writes lines, right or wrong, and reads what comes."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server
        self._number = 0

    def send(self, line: bytes) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(line + b"\n")
        self._server.stdin.flush()

    def line(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline().decode()

    def read(self) -> Any:
        return json.loads(self.line())

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a request, notifications passed over."""
        self._number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode())
        while True:
            answer = self.read()
            if answer.get("id") == self._number:
                return answer

    def greet(self) -> Any:
        """The handshake of a client of 2025."""
        info = {"name": "test", "version": "1"}
        answer = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return answer["result"]
