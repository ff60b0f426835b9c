"""Half a minute of everybody at once: two MCP servers, a command line and a person's editor, all on one workspace.

Every write that was acknowledged stands, or was replaced by a later one; every line that the person saved is there;
nothing is left over, nothing is wrong with the Markdown, and the index says what one made anew says.
`SEVERAL_SECONDS` says for how long: `make test` takes the half minute, and `make soak` as many of them as it is given.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from tests.mcp_client import PATIENCE, TODAY, client_of, connected, http

from commonplace import Memory
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from mcp import Client
    from tests.conftest import Write

    Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]

EDITOR = os.path.join(os.path.dirname(__file__), "editor.py")
SECONDS = float(os.environ.get("SEVERAL_SECONDS", "8"))
NOTES, CORE, LOG = "bank/notes.md", "MEMORY.md", f"memory/{TODAY}.md"
FILES = {
    CORE: "# Memory\n\n- Tea, not coffee.\n- Turn 0.\n"
    + "".join(f"- {name} counts 0.\n" for name in ("Server", "Socket", "Shell", "Worker")),
    NOTES: "# Notes\n\n- The first note.\n",
    LOG: f"# {TODAY}\n\n- Met Clara at the harbour.\n\n## Retain\n- W @Clara: Repairs boats. ^boats1\n",
    "memory/2025-11-27.md": "# 2025-11-27\n\n## Retain\n- W @Peter: Lives in Oslo. ^oslo1\n",
    "bank/entities/Peter.md": "# Peter\n\nCall him on Sundays.\n",
}
BY_HAND = (NOTES, CORE, LOG, "bank/entities/Peter.md")
OFTEN = ("retain", "retain", "append", "append", "insert", "tally", "turn", "correct", "recall")
REFUSED = ("changed-underneath", "text-not-found", "not-found")
"""What a write may be told while others write: nothing of it was written."""


class Refused(Exception):
    """A call was refused because of what others wrote."""


class Writer:
    """One of those who write by calls, and what was acknowledged to it."""

    def __init__(self, name: str, ask: Ask, seed: str) -> None:
        self.name = name
        self._ask = ask
        self._chance = random.Random(name + seed)
        self.lines: list[str] = []
        """Whole lines that it appended or inserted."""
        self.facts: dict[str, str] = {}
        """Id to what was retained."""
        self.corrected: dict[str, str] = {}
        """Id of a fact to that of the one that supersedes it."""
        self.count = 0
        """How far it has counted in its own line."""
        self.counted = ""
        """That line as it replaced it last."""
        self.turns: list[int] = []
        """Numbers that it gave to the line of all."""
        self.refused = 0

    async def work(self, until: float) -> None:
        number = 0
        while time.monotonic() < until:
            number += 1
            try:
                await getattr(self, self._chance.choice(OFTEN))(f"{self.name} {number}")
                if number % 40 == 0:
                    await self._ask("reflect", {"yes": True})
            except Refused:
                self.refused += 1
            await anyio.sleep(self._chance.uniform(0, 0.03))

    async def retain(self, what: str) -> None:
        text = f"Heard about {what} at the market."
        done = await self._ask("retain", {"text": f"W @Peter: {text}"})
        self.facts[done["id"]] = text

    async def correct(self, what: str) -> None:
        old = next((id for id in self.facts if id not in self.corrected), None)
        if old is not None:
            text = f"Rather, it was {what} at the fair."
            done = await self._ask("correct", {"target": old, "text": text})
            self.facts[done["id"]], self.corrected[old] = text, done["id"]

    async def append(self, what: str) -> None:
        path, line = self._chance.choice((NOTES, CORE, LOG)), f"- B @Clara: I appended {what}."
        await self._ask("append", {"path": path, "text": line})
        self.lines.append(line)

    async def insert(self, what: str) -> None:
        line = f"- inserted by {what}"
        await self._ask("insert", {"path": NOTES, "text": line, "after": 2})
        self.lines.append(line)

    async def tally(self, what: str) -> None:
        """Replace its own line; another may have been put back by an editor that never saw it."""
        head = f"- {self.name} counts "
        line, _ = await self._line(head)
        self.count = max(self.count, int(line[len(head) : -1])) + 1
        await self._ask("replace", {"path": CORE, "old": line, "new": f"{head}{self.count}."})
        self.counted = f"{head}{self.count}."

    async def turn(self, what: str) -> None:
        """Read a number and write the next, only if nobody wrote in between."""
        line, digest = await self._line("- Turn ")
        number = int(line[len("- Turn ") : -1])
        asked = {"path": CORE, "old": f"- Turn {number}.", "new": f"- Turn {number + 1}.", "digest": digest}
        await self._ask("replace", asked)
        self.turns.append(number + 1)

    async def _line(self, head: str) -> tuple[str, str]:
        """The line of the core that starts so, and the digest of the file; refused while that is half saved."""
        seen = await self._ask("get", {"target": CORE})
        line = next((line for line in seen["text"].split("\n") if line.startswith(head) and line.endswith(".")), None)
        if line is None:
            raise Refused
        return line, seen["digest"]

    async def recall(self, what: str) -> None:
        await self._ask("recall", {"query": what, "budget": 300})


def client(asks: Client) -> Ask:
    """Calls of a server's tools."""

    async def ask(name: str, arguments: dict[str, Any]) -> Any:
        answer = await asks.call_tool(name, arguments)
        if answer.is_error:
            refuse(answer.structured_content)
        return answer.structured_content

    return ask


def shell(root: Path) -> Ask:
    """Calls of the command line, each a process."""

    async def ask(name: str, arguments: dict[str, Any]) -> Any:
        given = dict(arguments)
        words = [given.pop(key) for key in ("target", "path", "old", "new", "text", "query") if key in given]
        flags = [f"--{key}" if value is True else f"--{key}={value}" for key, value in given.items()]
        argv = [sys.executable, "-m", "commonplace", name, "--workspace", str(root), "--today", TODAY, "--json", *flags]
        done = await anyio.run_process([*argv, "--", *words], check=False)
        assert done.returncode in (0, 1) and b"Traceback" not in done.stderr, (name, arguments, done.stderr)
        if done.returncode == 1:
            refuse(json.loads(done.stdout or done.stderr))
        return json.loads(done.stdout)

    return ask


def working(root: Path, stack: ExitStack) -> Ask:
    """Calls of a worker, one JSON line each."""
    argv = [sys.executable, "-m", "commonplace", "worker", "--workspace", str(root), "--today", TODAY]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = stack.enter_context(subprocess.Popen(argv, **pipes))  # type: ignore[call-overload]
    stack.callback(process.stdin.close)

    def said(line: bytes) -> Any:
        process.stdin.write(line)
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    async def ask(name: str, arguments: dict[str, Any]) -> Any:
        line = json.dumps({"id": 1, "verb": name, **arguments}).encode() + b"\n"
        answer = await anyio.to_thread.run_sync(said, line)
        if "error" in answer:
            refuse(answer)
        return answer["result"]

    return ask


def refuse(told: Any) -> None:
    assert told["error"]["code"] in REFUSED, told
    raise Refused


def test_servers_shell_and_editor_at_once_lose_nothing(workspace: Write) -> None:
    editor = [sys.executable, EDITOR, str(SECONDS), "7", *BY_HAND]
    everybody(workspace(FILES), SECONDS, [editor], "")


def everybody(root: Path, seconds: float, editors: Sequence[Sequence[str]], seed: str, *, worker: bool = False) -> str:
    """Let all of them write for a while, and see that nothing is lost; what was done, in words.

    Args:
        root: a workspace that holds FILES.
        seconds: how long.
        editors: command lines of editors; the paths of FILES in them are made whole.
        seed: of what the writers choose.
        worker: whether one writes by a worker as well.
    """
    writers: list[Writer] = []

    async def work() -> None:
        with http(root) as (url, _), ExitStack() as stack:
            async with connected(root) as server, client_of(url) as socket:
                asks = {"Server": client(server), "Socket": client(socket), "Shell": shell(root)}
                if worker:
                    asks["Worker"] = working(root, stack)
                writers.extend(Writer(name, ask, seed) for name, ask in asks.items())
                until = time.monotonic() + seconds
                async with anyio.create_task_group() as tasks:
                    for writer in writers:
                        tasks.start_soon(writer.work, until)

    lost: set[str] = set()
    saved: dict[str, list[str]] = {}
    with ExitStack() as stack:
        argvs = [[str(root / word) if word in FILES else word for word in argv] for argv in editors]
        persons = [stack.enter_context(subprocess.Popen(argv, stdout=subprocess.PIPE)) for argv in argvs]
        anyio.run(work)
        for person in persons:
            told, _ = person.communicate(timeout=PATIENCE)
            assert person.returncode == 0
            saved |= json.loads(told)["saved"]
            lost |= set(json.loads(told)["lost"])
    settle(root)
    texts = {str(path): path.read_text(encoding="utf-8") for path in root.rglob("*.md")}
    there = Counter(line for text in texts.values() for line in text.splitlines())

    for path, lines in saved.items():
        assert set(lines) <= set(texts[path].splitlines()), "a person's line"
        facts = {line for line in texts[path].splitlines() if line.startswith("- ") and line.endswith("^boats1")}
        assert len(facts) == (path == str(root / LOG)), "a line that stood there, once"
    for writer in writers:
        assert set(writer.lines) - there.keys() <= lost, writer.name
        assert not writer.counted or writer.counted in there.keys() | lost, writer.name
    turns = Counter(number for writer in writers for number in writer.turns)
    last = max(turns, default=0)
    assert f"- Turn {last}." in there.keys() | lost
    assert {f"- Turn {number}." for number, times in turns.items() if times > 1} <= lost

    done = sum(len(writer.lines) + len(writer.facts) + len(writer.turns) + writer.count for writer in writers)
    assert done > seconds and len(lost) < done / 10, (done, len(lost))
    facts_are_there(root, writers, lost)
    assert not [path for path in root.rglob("*") if path.name.endswith((".tmp", "~", "~new"))]
    return f"{done} writes, {sum(map(len, saved.values()))} lines by hand"


def settle(root: Path) -> None:
    """What an editor saved into a file at the very moment when it was replaced is merged by the next write."""
    time.sleep(1)
    with Memory(str(root)) as memory:
        memory.append(NOTES, "- The last note.")


def facts_are_there(root: Path, writers: list[Writer], lost: set[str]) -> None:
    """Every fact that was acknowledged is found by its id, and what superseded it is known."""
    gone = " ".join(lost)
    with Memory(str(root)) as memory:
        assert memory.check() == ()
        for writer in writers:
            for id, text in writer.facts.items():
                if f"^{id}" not in gone:
                    found = memory.show(id)
                    assert found.line.content == text
                    if (newer := writer.corrected.get(id)) and f"^{newer}" not in gone:
                        assert found.superseded_by == memory.show(newer).line.source
        path = memory.status().index_path
    with Index(path) as index:
        before = index.dump()
    with Memory(str(root)) as memory:
        memory.index(rebuild=True)
    with Index(path) as index:
        assert index.dump() == before
