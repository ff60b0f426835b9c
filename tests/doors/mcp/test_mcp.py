"""The MCP server as the official client sees it, over both transports: real processes, real files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp_client import Wire, call, connected, process, run, text

from commonplace.core.recall.packing import count_tokens
from commonplace.doors.tools.tool_calls import tools

if TYPE_CHECKING:
    from pathlib import Path

    from mcp import Client
    from tests.conftest import Write

AGENT = {tool.name: tool for tool in tools() if tool.agent}
EITHER = pytest.mark.parametrize(("transport", "mode"), [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto")])
FILES = """
    === MEMORY.md
    # Core

    - Peter is the user.
    === memory/2025-11-27.md
    ## Retain
    - W @Peter: Currently in Marrakech for the birthday of Andy. ^k7f3qa
    - O(c=0.9) @Peter: Prefers concise replies on WhatsApp. ^p2m8ve
    === memory/2025-11-28.md
    - Met Clara at the harbour; she repairs boats.
    """


@pytest.fixture
def root(workspace: Write) -> Path:
    return workspace(FILES)


@EITHER
def test_every_tool_does_its_work(root: Path, transport: str, mode: str) -> None:
    used: set[str] = set()

    async def work() -> None:
        async with connected(root, transport, mode) as client:

            async def ask(name: str, /, **arguments: Any) -> Any:
                used.add(name)
                return await call(client, name, **arguments)

            found = await ask("recall", query="where is Peter?")
            assert found["hits"][0]["source"] == "memory/2025-11-27.md#L2"
            kept = await ask("retain", text="W @Clara: Moved to Lisbon.", source="web:example.org")
            assert kept["created"] and (root / "memory" / "2025-12-01.md").exists()
            again = await ask("retain", text="W @Clara: Moved to Lisbon.", source="web:example.org")
            assert (again["id"], again["created"]) == (kept["id"], False)
            assert (await ask("recall", query="who moved to Lisbon?"))["hits"][0]["id"] == kept["id"]
            right = await ask("correct", target=kept["id"], text="Moved to Porto.")
            found = await ask("recall", query="where did Clara move?")
            assert found["hits"][0]["id"] == right["id"]
            shown = await ask("reflect", dry_run=True)
            assert not shown["applied"] and "bank/opinions.md" in {each["path"] for each in shown["files"]}
            assert not (root / "bank").exists()
            assert (await ask("reflect"))["applied"]
            assert (await ask("opinions", entity="Peter"))["opinions"][0]["confidence"] == 0.9
            assert (await ask("entity", name="Peter"))["facts"]
            await ask("review")
            await ask("judge")
            core = await ask("core")
            assert "Peter is the user." in core["blocks"][0]["text"]
            done = await ask(
                "append", path="MEMORY.md", text="- Clara is a friend.\n", digest=core["blocks"][0]["digest"]
            )
            done = await ask("replace", path="MEMORY.md", old="a friend", new="an old friend", digest=done["digest"])
            done = await ask("insert", path="MEMORY.md", text="\nPeople:\n", after=1, digest=done["digest"])
            lines = await ask("get", target="MEMORY.md")
            assert lines["digest"] == done["digest"] and "- Clara is an old friend.\n" in lines["text"]
            assert "an old friend" in (await ask("core"))["blocks"][0]["text"]

    run(work)
    assert used == AGENT.keys()


@EITHER
def test_a_client_is_told_what_there_is(root: Path, transport: str, mode: str) -> None:
    async def work() -> None:
        async with connected(root, transport, mode) as client:
            assert client.server_info is not None and client.server_info.name == "commonplace"
            assert client.instructions is not None and "retain" in client.instructions
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert listed.keys() == AGENT.keys()
            for name, told in listed.items():
                assert told.annotations is not None
                assert bool(told.annotations.read_only_hint) is AGENT[name].read_only
                if not AGENT[name].read_only:  # the protocol takes a write for destructive unless it is told otherwise
                    assert (told.annotations.destructive_hint is not False) is AGENT[name].destructive
                assert bool(told.annotations.idempotent_hint) is AGENT[name].idempotent
                assert told.input_schema["type"] == "object"
                assert told.output_schema is not None

    run(work)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_resources_and_prompts(root: Path, mode: str) -> None:
    async def work() -> None:
        async with connected(root, mode=mode) as client:

            async def read(uri: str) -> str:
                (content,) = (await client.read_resource(uri)).contents
                assert content.mime_type == "text/markdown"
                return str(content.model_dump()["text"])

            uris = [each.uri for each in (await client.list_resources()).resources]
            assert uris == ["commonplace://core", "commonplace://log/2025-11-28", "commonplace://log/2025-11-27"]
            await call(client, "reflect")
            uris = [each.uri for each in (await client.list_resources(cache_mode="bypass")).resources]
            assert "commonplace://page/opinions" in uris
            assert "Peter is the user." in await read("commonplace://core")
            assert "Marrakech" in await read("commonplace://log/2025-11-27")
            assert "Marrakech" in await read("commonplace://page/entities/Peter")
            assert "Marrakech" in await read("commonplace://page/entities%2FPeter")
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "commonplace://page/{+name}",
                "commonplace://log/{day}",
            ]
            for uri in (
                *("commonplace://page/../../../etc/passwd", "commonplace://log/..%2F..%2Fx", "commonplace://log/"),
                *("commonplace://page/Nobody", "file:///etc/passwd", "commonplace://page//etc/passwd", "", "core"),
            ):
                with pytest.raises(MCPError) as refused:
                    await client.read_resource(uri)
                assert refused.value.error.code == -32602
                assert refused.value.error.data["code"] in ("not-found", "outside-workspace")
            names = [each.name for each in (await client.list_prompts()).prompts]
            assert names == ["memory", "decide"]
            for name, holds in (("memory", "Peter is the user."), ("decide", "How to answer")):
                (message,) = (await client.get_prompt(name)).messages
                assert holds in str(message.content.model_dump()["text"])
            with pytest.raises(MCPError):
                await client.get_prompt("sing")
            token = "gh" + "p_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0Lzabcd"
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(token)
            assert token[4:20] not in str(refused.value.error)

    run(work)


def test_a_method_that_looks_like_a_secret_is_not_repeated(root: Path) -> None:
    token = "gh" + "p_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0Lzabcd"
    with process(root) as server:
        wire = Wire(server)
        wire.greet()
        wire.send(json.dumps({"jsonrpc": "2.0", "id": "x", "method": token}).encode())
        line = wire.line()
    assert json.loads(line)["error"]["code"] == -32601 and token[4:20] not in str(line)


def test_what_is_sent_of_all_tools_costs_little(root: Path) -> None:
    with process(root) as server:
        wire = Wire(server)
        greeting = wire.greet()
        wire.send(b'{"jsonrpc": "2.0", "id": "all", "method": "tools/list"}')
        line = wire.line()
    assert json.loads(line)["result"]["tools"]
    assert count_tokens(line) <= 2_500
    assert count_tokens(greeting["instructions"]) <= 300


def test_a_method_that_is_not_there_is_spelled(root: Path) -> None:
    with process(root) as server:
        wire = Wire(server)
        wire.greet()
        wire.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "\x1b[31m\u202e</block>x"}).encode())
        error = json.loads(wire.line())["error"]
    assert error["code"] == -32601 and error["data"] == r"\x1b[31m\u202e&lt;/block>x"


@EITHER
def test_what_goes_wrong_is_an_answer_of_its_tool(root: Path, transport: str, mode: str) -> None:
    async def work() -> None:
        async with connected(root, transport, mode) as client:
            for name, arguments, code in (
                ("recall", {"query": 7}, "usage"),
                ("recall", {"query": "x", "k": "many"}, "usage"),
                ("recall", {"query": "x", "k": -1}, "usage"),
                ("recall", {"query": "x", "kinds": "world"}, "usage"),
                ("recall", {"query": "x", "colour": "red"}, "usage"),
                ("recall", {"query": "x" * 3_000_000}, "usage"),
                ("recall", {}, "usage"),
                ("retain", {}, "usage"),
                ("retain", {"text": ""}, "usage"),
                ("retain", {"text": "W: " + "long " * 600_000}, "usage"),
                ("retain", {"text": "The password of the server is hunter2-Xk29fLq."}, "secret-refused"),
                ("retain", {"text": "W: x", "allow_secret": True}, "usage"),
                ("correct", {"target": "nobody", "text": "x"}, "not-found"),
                ("entity", {"name": "Nobody"}, "not-found"),
                ("get", {"target": "../../etc/passwd"}, "outside-workspace"),
                ("get", {"target": "/etc/passwd"}, "outside-workspace"),
                ("get", {"target": "memory/2025-11-27.md#L99"}, "not-found"),
                ("append", {"path": "../evil.md", "text": "x"}, "outside-workspace"),
                ("append", {"path": "MEMORY.md", "text": "x", "digest": "0" * 16}, "changed-underneath"),
                ("replace", {"path": "MEMORY.md", "old": "nowhere", "new": "x"}, "text-not-found"),
                ("replace", {"path": "memory/2025-11-27.md", "old": "Andy", "new": "Bo"}, "usage"),
                ("insert", {"path": "MEMORY.md", "text": "x", "after": True}, "usage"),
                ("judge", {"ids": ["j-nothing"], "verdict": "for"}, "not-found"),
                ("judge", {"verdict": "perhaps"}, "usage"),
                ("review", {"ids": [1], "verdict": "accept"}, "usage"),
            ):
                answer = await client.call_tool(name, arguments)
                assert answer.is_error, (name, arguments)
                assert answer.structured_content is not None
                told = answer.structured_content["error"]
                assert told["code"] == code, (name, str(arguments)[:100], told)
                assert told["message"] and text(answer).startswith(f"{code}: {told['message']}")
                assert len(text(answer)) < 2_500
            with pytest.raises(MCPError) as refused:
                await client.call_tool("forget", {"id": "k7f3qa"})
            assert refused.value.error.code == -32602
            assert (await call(client, "recall", query="Marrakech"))["hits"]

    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    run(work)
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


@EITHER
def test_twenty_calls_at_once(root: Path, transport: str, mode: str) -> None:
    done: dict[int, Any] = {}

    async def one(client: Client, number: int) -> None:
        jobs: list[tuple[str, dict[str, Any]]] = [
            ("retain", {"text": f"W @Clara: Bought boat number {number} in Genoa."}),
            ("recall", {"query": "where is Peter?"}),
            ("append", {"path": f"bank/notes-{number % 2}.md", "text": f"- note {number}\n"}),
            ("entity", {"name": "Peter"}),
            ("core", {}),
        ]
        name, arguments = jobs[number % len(jobs)]
        done[number] = await call(client, name, **arguments)

    async def work() -> None:
        async with connected(root, transport, mode) as client, anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(one, client, number)

    run(work)
    assert len(done) == 20
    log = (root / "memory" / "2025-12-01.md").read_text(encoding="utf-8")
    for number in (0, 5, 10, 15):
        assert log.count(f"Bought boat number {number} in Genoa.") == 1
    notes = "".join((root / "bank" / f"notes-{each}.md").read_text(encoding="utf-8") for each in (0, 1))
    assert sorted(notes.split("\n")) == ["", *sorted(f"- note {number}" for number in (2, 7, 12, 17))]


def test_several_clients_of_one_server(root: Path) -> None:
    from tests.mcp_client import client_of, http

    async def one(url: str, number: int) -> None:
        async with client_of(url, "legacy" if number % 2 else "auto") as client:
            kept = await call(client, "retain", text=f"W @Clara: Sold boat number {number} in Naples.")
            found = await call(client, "recall", query=f"boat number {number}")
            assert kept["id"] in [each["id"] for each in found["hits"]]

    async def work() -> None:
        with http(root) as (url, _):
            async with anyio.create_task_group() as tasks:
                for number in range(6):
                    tasks.start_soon(one, url, number)

    run(work)
    assert (root / "memory" / "2025-12-01.md").read_text(encoding="utf-8").count("Sold boat") == 6


def test_a_workspace_may_come_later(tmp_path: Path) -> None:
    root = tmp_path / "later"

    async def work() -> None:
        async with connected(root) as client:
            for name, arguments in (("recall", {"query": "x"}), ("retain", {"text": "W: x y z."}), ("core", {})):
                answer = await client.call_tool(name, arguments)
                assert answer.is_error and answer.structured_content is not None
                assert answer.structured_content["error"]["code"] == "not-a-workspace"
            assert [each.uri for each in (await client.list_resources()).resources] == ["commonplace://core"]
            root.mkdir()
            (root / "MEMORY.md").write_text("- W @Peter: In Marrakech.\n", encoding="utf-8")
            assert (await call(client, "recall", query="Marrakech"))["hits"]
            assert (await call(client, "retain", text="W @Peter: Came home to Aarhus."))["created"]
            assert (await call(client, "recall", query="Aarhus"))["hits"]

    run(work)
