"""What the MCP server costs a host, through the official client; not called `mcp`, which is the client's own package.

    python bench/mcp_server.py WORKSPACE [--today YYYY-MM-DD] [--starts 9]

Prints JSON: {"tools": n, "tokens": {"tools", "instructions", "recall", "most"}, "starts": n, "first answer":
{transport: s}, "CPU": {"first", "recall"}, "questions": n, what: {"p50", "p95", "max"} in wall milliseconds, "MB":
{transport: peak}}. Tokens are those of the documented counter: of what is sent for all tools, of the instructions, and
of the text of an average and of the longest answer. A first answer is that to a recall, from the start of the server's
process, over an index that is up to date; the median of so many starts. CPU is that of the server over stdio: seconds
until its first answer, and milliseconds of a recall, mean; a busy machine moves it least.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from timing import drawn, parser, percentiles
from worker import memory

from commonplace import Memory
from commonplace.core.recall.packing import count_tokens

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import date

TRANSPORTS = ("stdio", "HTTP")


class Server(AsyncExitStack):
    """`commonplace mcp` over a workspace, in this interpreter's environment, and a client of it."""

    def __init__(self, root: str, today: date | None, transport: str) -> None:
        super().__init__()
        self._argv = [sys.executable, "-m", "commonplace", "mcp", "--workspace", root]
        self._argv += ["--today", str(today)] if today else []
        self._http = transport == "HTTP"
        self.client: Client
        self.pid = 0

    async def __aenter__(self) -> Server:
        await super().__aenter__()
        before = children()
        if self._http:
            pipe = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            server = self.enter_context(subprocess.Popen([*self._argv, "--http", "0"], **pipe))  # type: ignore[call-overload]
            self.callback(server.terminate)
            self.client = Client(server.stderr.readline().decode().split()[-1])
        else:
            command, *rest = self._argv
            self.client = Client(stdio_client(StdioServerParameters(command=command, args=rest, env=dict(os.environ))))
        await self.enter_async_context(self.client)
        (self.pid,) = children() - before
        return self

    async def recall(self, query: str) -> Any:
        """The text of the answer to a question. Raises RuntimeError when it is an error."""
        answer = await self.client.call_tool("recall", {"query": query})
        (content,) = answer.content
        if answer.is_error or content.type != "text":
            raise RuntimeError(f"{query!r}: {answer.content}")
        return content.text


def children() -> set[int]:
    """The processes that this one has started."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return set(map(int, file.read().split()))


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has taken."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def first(root: str, today: date | None, transport: str, query: str) -> tuple[float, float]:
    """Seconds from the start of a server to its first answer, and those of its CPU."""
    start = time.perf_counter()
    async with Server(root, today, transport) as server:
        await server.recall(query)
        return time.perf_counter() - start, cpu(server.pid)


async def cost(ask: Callable[[str], Awaitable[object]], query: str) -> float:
    """Milliseconds of one question."""
    start = time.perf_counter()
    await ask(query)
    return 1000 * (time.perf_counter() - start)


async def each(ask: Callable[[str], Awaitable[object]], asked: list[str], others: list[str]) -> list[float]:
    """Milliseconds of each question, after others that warm the process."""
    for query in others:
        await ask(query)
    return [await cost(ask, query) for query in asked]


async def measured(root: str, today: date | None, starts: int) -> dict[str, object]:
    asked, others = drawn(root)
    firsts = {
        transport: [await first(root, today, transport, asked[0]) for _ in range(starts)] for transport in TRANSPORTS
    }
    costs: dict[str, list[float]] = {}
    peaks: dict[str, float] = {}
    with Memory(root, today=today) as library:

        async def directly(query: str) -> None:
            library.recall(query)

        costs["recall in the library"] = await each(directly, asked, others)
    for transport in TRANSPORTS:  # one after the other: a host keeps one server, whose memory nobody else's displaces
        async with Server(root, today, transport) as server:
            before = cpu(server.pid)
            costs[f"recall over {transport}"] = await each(server.recall, asked, others)
            if transport == "stdio":
                spent = cpu(server.pid) - before
                answers = [count_tokens(await server.recall(question)) for question in asked]
                listed = (await server.client.list_tools()).tools
                told = server.client.instructions or ""
            peaks[transport] = memory(server.pid)["peak"]
    sent = json.dumps([tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed])
    return {
        "tools": len(listed),
        "tokens": {
            "tools": count_tokens(sent),
            "instructions": count_tokens(told),
            "recall": statistics.mean(answers),
            "most": max(answers),
        },
        "starts": starts,
        "first answer": {each: statistics.median(wall for wall, _ in took) for each, took in firsts.items()},
        "CPU": {
            "first": statistics.median(used for _, used in firsts["stdio"]),
            "recall": 1000 * spent / (len(others) + len(asked)),
        },
        "questions": len(asked),
        **{what: percentiles(took) for what, took in costs.items()},
        "MB": peaks,
    }


def main() -> None:
    told = parser("Measure the MCP server")
    told.add_argument("--starts", type=int, default=9)
    options = told.parse_args()
    with Memory(options.workspace, today=options.today) as library:
        library.index()
    print(json.dumps(anyio.run(measured, options.workspace, options.today, options.starts)))


if __name__ == "__main__":
    main()
