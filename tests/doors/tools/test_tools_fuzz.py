"""Arguments of every tool, generated from its own schema, right, nearly right and hostile, to real doors.

Whatever is asked: an answer, or an error of ours with code, message and hint. Nothing outside the workspace is read or
written, nor what in it is hidden or no Markdown: canaries lie there, and links in the workspace lead to them.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import Cli
from tests.mcp_client import PATIENCE, Wire, process

from commonplace import errors
from commonplace.doors.tools import tool_calls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from commonplace.doors.table.verb_fields import Verb

CANARY = "Zx9canary41"
"""Stands in every file that nobody may read, and in no argument."""
FILES = {
    "MEMORY.md": "# Memory\n\n- Peter is asked before anything is bought.\n",
    "SOUL.md": "Be kind.\n",
    "memory/2025-11-27.md": "## Retain\n- W @Peter: Lives in Oslo. ^oslo1\n- O(c=0.9) @Peter: Likes tea. ^tea22\n",
    "memory/2025-11-28.md": "- We chose oak.\n\n## Retain\n- O(c=0.8) @Peter: Does not like tea. ^tea33\n",
    "memory/2025-11-26.md": "## Retain\n- W @Andy: Sells boats.\n",
    "bank/entities/Peter.md": "---\naliases: [Pete]\n---\n# Peter\n\nCall on Sundays.\n",
    "bank/crlf.md": "\ufeff# One\r\ntwo\r\n",
}
PARTS = (
    *("..", ".", "", "~", "memory", "bank", "entities", "MEMORY.md", "2025-11-27.md", "Peter.md", "SOUL.md", "new.md"),
    *(
        "out",
        "link.md",
        "loop.md",
        "dangling.md",
        "keys.txt",
        "up",
        "pipe.md",
        "folder.md",
        "inside.md",
        "alias",
        "secret.md",
    ),
    *(".hidden.md", ".obsidian", ".memory", "keep", "index.sqlite", "lock", ".git", "node_modules", "commonplace.toml"),
    *("outside", "workspace", "etc", "passwd", "C:", "..\\..\\outside", "%2e%2e", "\u2025", "．．", "CON.md", "a:b.md"),
    *("x" * 255 + ".md", "é" * 120 + ".md", "e\u0301.md", "a\0.md", "a\n.md", "\ud800.md", "\udcff.md", "\u202edm.x"),
)
ODD = (
    *(
        "",
        " ",
        "\0",
        "\ud800",
        "\udcff\udc80",
        "\u202e\u2066كتب",
        "e" + "\u0301" * 300,
        "\ufeff",
        "\u2028\u0085\x1b[2J",
    ),
    *(
        "x" * 100_001,
        "- " * 40_000,
        "[" * 5_000,
        "<!-- " * 2_000,
        "```\n" * 500,
        "@a" * 3_000,
        "\n" * 9_000,
        "中" * 20_000,
    ),
    *(
        "9" * 400,
        "-1",
        "0",
        "NaN",
        "1e400",
        "null",
        "true",
        "{}",
        '{"a": 1}',
        "%s%n",
        "${HOME}",
        "$(id)",
        "'; drop table",
    ),
    *("2025-02-30", "9999-12-31", "0000-00-00", "-999999999d", "99999999999999d", "last week", "2025-11", "yesterday"),
    *("NEAR(a b)", '"', "*", "a:b", "AND OR NOT", "<!-- commonplace: opinions -->", "<!-- /commonplace 0 -->"),
    *("---\naliases: [a, b\n---", "## Retain\n- W @X: y. ^oslo1", "^oslo1 1=for", "o-1 j-1 against", "- [x] ^r-1"),
)
PLAIN = (
    *("Peter", "@Peter", "Pete", "oslo1", "^tea22", "o-0000", "where does Peter live?", "tea", "Oslo", "oak"),
    *("W @Peter: Lives in Bergen.", "O(c=0.4) @Peter: Likes coffee.", "Bought a kettle.", "# Memory", "tea.", "vault"),
    *(
        "2025-11-27",
        "MEMORY.md",
        "keys.txt",
        "memory/2025-11-27.md#L2",
        "memory/2025-11-27.md#L1-L3",
        "bank/crlf.md",
        "last",
    ),
)
CODES = {"not-utf8", "unconfirmed", "unreadable", "not-a-file"}


def codes(kind: type[errors.CommonplaceError]) -> set[str]:
    return {kind.code, *(code for each in kind.__subclasses__() for code in codes(each))}


TRAPS = (
    *(
        "../outside/secret.md",
        "memory/../../outside/secret.md",
        "../outside/new.md",
        "bank/../../outside/memory/new.md",
    ),
    *("out/secret.md", "out/new.md", "bank/out/memory/2025-11-27.md", "up/outside/secret.md", "up/workspace/MEMORY.md"),
    *("link.md", "memory/link.md", "memory/2025-11-30.md", "bank/secret.md", "bank/entities/Andy.md", "dangling.md"),
    *(".hidden.md", ".obsidian/secret.md", ".git/secret.md", "node_modules/secret.md", ".memory/new.md", "keys.txt"),
    *("loop.md", "pipe.md", "folder.md", "folder.md/new.md", "MEMORY.md/new.md", "alias/link.md", "/etc/passwd"),
)
"""What leads out of the workspace, or to what is none of its memory."""


def paths() -> st.SearchStrategy[str]:
    ends = st.sampled_from(("", "", "", ".md", "#L1", "#L1-L999999999", "#L0", "#", "/", "\\..", "\0.md", "#L2#L1"))
    starts = st.sampled_from(("", "", "", "", "/", "~/", "./", "../", "//", "file:///", "\\\\?\\", "memory/", "bank/"))
    parts = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("/".join)
    traps = st.sampled_from(TRAPS)
    return traps | traps | st.tuples(starts, parts | traps, ends).map("".join)


PATHS = paths()
TEXTS = st.one_of(st.sampled_from(PLAIN), st.sampled_from(ODD), PATHS, st.text(max_size=30))
NUMBERS = st.one_of(
    st.integers(0, 20),
    st.sampled_from((-1, 0, 1, 2**31, 2**63, 2**64, 10**30, -(2**63), 0.5, 1.0, -0.0, 1e308, 5e-324, True)),
)
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PLAIN), inner, max_size=3),
    max_leaves=6,
)


def deep(levels: int) -> Any:
    found: Any = "x"
    for _ in range(levels):
        found = [found]
    return found


SENSIBLE = {
    "query": ("where does Peter live?", "tea since last week", "what does Peter prefer?", "vault", "decisions on oak"),
    "text": ("W @Peter: Lives in Bergen.", "O(c=0.4) @Pete: Dislikes tea.", "Bought oak.", "^j-1 for", "- [[Peter]]\n"),
    "path": (
        "MEMORY.md",
        "bank/crlf.md",
        "bank/new.md",
        "memory/2025-11-29.md",
        "memory/new.md",
        "inside.md",
        "alias/a.md",
    ),
    "target": (
        "oslo1",
        "^tea22",
        "memory/2025-11-28.md#L4",
        "MEMORY.md",
        "memory/2025-11-27.md#L1-L9",
        "bank/crlf.md#L2",
    ),
    "ids": ("oslo1", "^tea33", "memory/2025-11-27.md#L3"),
    "name": ("Peter", "@Pete", "bank/entities/Peter.md"),
    "entities": ("Peter", "@Andy", "王芳"),
    "old": ("# Memory", "Peter is", "One", "two\n"),
    "new": ("# Core", "", "Two\nlines"),
    "digest": ("0000000000000000",),
    "into": ("Peter", "Pete", "Andy"),
    "other": ("Andy", "@Oslo"),
    "reason": ("it was a joke",),
    "opinion": ("Peter likes tea.", "王芳 prefers oak."),
    "fact": ("oslo1", "Peter does not like tea.", "o-0000"),
    "source": ("web:example.org", "a guest"),
}
"""Words with which a call gets far."""
DAYS = ("2025-11-27", "2025-11", "30d", "last week", "last", "2025-11-20/2025-11-28", "since March")


def sensible(name: str, shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mean something to the field of that name."""
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    if shape["type"] == "array":
        return st.lists(sensible(name, shape["items"]), max_size=2)
    if shape["type"] == "string":
        words = SENSIBLE["ids"] if name in ("supersedes", "contradicts", "supports") else SENSIBLE.get(name, DAYS)
        return st.sampled_from(words)
    return {"integer": st.integers(1, 40), "number": st.floats(0, 1), "boolean": st.booleans()}[shape["type"]]


def fitting(name: str, shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows, hostile ones above all."""
    if "enum" in shape:
        return st.sampled_from(shape["enum"]) | TEXTS
    if shape["type"] == "array":
        return st.lists(fitting(name, shape["items"]), max_size=4)
    if shape["type"] in ("integer", "number"):
        return NUMBERS
    if shape["type"] == "boolean":
        return st.booleans()
    return PATHS if name in ("path", "target") else TEXTS


@st.composite
def arguments(draw: st.DrawFn, tool: Verb, agent: bool) -> Any:
    """Arguments for a tool: all sensible but for at most a few, so that those get far."""
    shape = tool_calls.schema(tool, agent=agent)
    asked: dict[str, Any] = {}
    for name, inner in shape["properties"].items():
        if name not in shape.get("required", ()) and draw(st.integers(0, 3)):
            continue
        how = draw(st.integers(0, 11))
        strange = ANYTHING | st.sampled_from((deep(800), [*PLAIN] * 60))
        asked[name] = draw(sensible(name, inner) if how < 7 else fitting(name, inner) if how < 11 else strange)
    return asked


@st.composite
def calls(draw: st.DrawFn, agent: bool) -> tuple[str, Any]:
    known = [tool for tool in tool_calls.tools() if tool.agent or not agent]
    files = [tool for tool in known if {"path", "target"} & {field.name for field in tool.fields}]
    tool = draw(st.sampled_from(known) | st.sampled_from(files))
    asked = draw(arguments(tool, agent))
    odd = draw(st.integers(0, 29))
    if odd == 29:
        asked[draw(TEXTS)] = draw(ANYTHING)
    elif odd == 28 and asked:
        del asked[draw(st.sampled_from(sorted(asked)))]
    return tool.name, asked


class Ground:
    """A workspace full of traps, canaries beside and within it, and what must be so of both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "workspace"
        self.guarded = (folder / "outside", self.root / ".obsidian", self.root / "node_modules", self.root / ".git")
        for place in self.guarded:
            (place / "memory").mkdir(parents=True)
            for name in ("secret.md", "MEMORY.md", "memory/2025-11-27.md"):
                (place / name).write_text(f"- W @Peter: The vault opens with {CANARY}. ^vault\n", encoding="utf-8")
        self.unread = (self.root / ".hidden.md", self.root / "keys.txt")
        self.set_back()

    def set_back(self) -> None:
        """Make the workspace anew."""
        for path in self.root.iterdir():
            if path not in self.guarded:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(text.encode())
        for path in self.unread:
            path.write_text(f"The vault opens with {CANARY}.\n", encoding="utf-8")
        self.links = {
            "link.md": "../outside/secret.md",
            "memory/link.md": str(self.folder / "outside" / "secret.md"),
            "memory/2025-11-30.md": "../../outside/new-log.md",
            "bank/out": "../../outside",
            "out": "../outside",
            "up": "..",
            "bank/entities/Andy.md": "../../.hidden.md",
            "dangling.md": "../outside/new.md",
            "loop.md": "loop.md",
            "inside.md": "bank/crlf.md",
            "alias": "memory",
            "bank/secret.md": "/etc/passwd",
        }
        for name, target in self.links.items():
            (self.root / name).symlink_to(target)
        os.mkfifo(self.root / "pipe.md")
        (self.root / "folder.md").mkdir()
        self.before = self.canaries()

    def canaries(self) -> dict[str, tuple[int, bytes]]:
        """All that nobody may touch: what lies beside the workspace, and what in it is hidden or no Markdown."""
        beside = [path for path in self.folder.iterdir() if path != self.root]
        found = [*self.unread, *beside, *(path for place in self.guarded for path in place.rglob("*"))]
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in found}

    def judge(self, asked: object, answer: Any) -> None:
        """An answer, or an error of ours; in neither what nobody may read."""
        said = json.dumps(answer)
        assert CANARY not in said and "root:x:0" not in said, asked
        assert "a bug in commonplace" not in said and "Traceback" not in said, (asked, answer)
        if isinstance(answer, dict) and "error" in answer:
            told = answer["error"]
            assert told["code"] in CODES | codes(errors.CommonplaceError) - {"error"}, (asked, answer)
            assert told["message"] and told["hint"], (asked, answer)

    def check(self, asked: object) -> None:
        """Nothing but the workspace was touched, and nothing half done was left in it."""
        assert self.canaries() == self.before, asked
        for name, target in self.links.items():
            assert os.readlink(self.root / name) == target, (name, asked)
        left = [str(path) for path in self.root.rglob("*") if path.name.endswith(".tmp")]
        assert not left, (left, asked)


@pytest.fixture
def ground(quick: Path) -> Ground:
    return Ground(quick)


EXAMPLES = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@EXAMPLES
@given(st.lists(calls(agent=False), min_size=5, max_size=20))
def test_whatever_a_host_asks_the_worker_answers(ground: Ground, asked: list[tuple[str, Any]]) -> None:
    ground.set_back()
    lines = [json.dumps({"id": number, **fields, "verb": verb}) for number, (verb, fields) in enumerate(asked)]
    done = Cli(ground.root)("worker", "--today", "2025-11-29", stdin="\n".join(lines))
    assert (done.status, done.err) == (0, "")
    answers = done.lines
    assert len(answers) == len(asked)
    for number, (call, answer) in enumerate(zip(asked, answers, strict=True)):
        assert answer.keys() in ({"id", "result"}, {"id", "error"}) and answer["id"] == number, (call, answer)
        ground.judge(call, answer)
    ground.check(asked)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ground, Wire]]:
    """An MCP server that stays for all examples; its standard error, where it tells what nobody foresaw, is empty."""
    ground = Ground(tmp_path_factory.mktemp("served"))
    with process(ground.root) as server:
        wire = Wire(server)
        wire.greet()
        yield ground, wire
        assert server.stdin is not None and server.stderr is not None
        server.stdin.close()
        assert server.wait(PATIENCE) == 0
        assert server.stderr.read() == b""
        server.stdin = None


def unreadable(fields: Any) -> bool:
    """Whether arguments hold half a character, or are nested too deeply."""
    written = json.dumps(fields, ensure_ascii=False)
    return any("\ud800" <= character <= "\udfff" for character in written) or "[" * 200 in written


@settings(EXAMPLES, max_examples=25)
@given(st.lists(calls(agent=True), min_size=5, max_size=15))
def test_whatever_a_model_asks_the_server_answers(served: tuple[Ground, Wire], asked: list[tuple[str, Any]]) -> None:
    ground, wire = served
    ground.set_back()
    for name, fields in asked:
        answer = wire.ask("tools/call", name=name, arguments=fields)
        if "error" in answer:  # no JSON for the protocol
            assert answer["error"]["code"] == -32700 and unreadable(fields), (name, fields, answer)
            continue
        assert answer.keys() == {"jsonrpc", "id", "result"}, (name, fields, answer)
        result = answer["result"]
        data = result["structuredContent"]
        assert result.get("isError", False) is ("error" in data), (name, fields, answer)
        assert [each["type"] for each in result["content"]] == ["text"]
        ground.judge((name, fields), data)
        ground.judge((name, fields), result["content"])
    ground.check(asked)
