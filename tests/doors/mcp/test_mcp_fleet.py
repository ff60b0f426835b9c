"""A fleet over MCP: a model may ask it where it is on and allowed, and can push nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.fleets import TODAY, Team, team
from tests.mcp_client import connected, run

from commonplace import Memory
from commonplace.core.recall.packing import count_tokens
from commonplace.doors.tools import tool_calls
from commonplace.errors import FleetUnusable, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write
    from tests.postgres_server import FleetServer

LOG = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak.\n"}


@pytest.fixture
def made(server: FleetServer, tmp_path: Path) -> Team:
    """A team of which another workspace has pushed."""
    found = team(server)
    other = tmp_path / "other/memory"
    other.mkdir(parents=True)
    (other / "2025-11-02.md").write_text("## Retain\n- W @Zed: Met ERR_WS_1006 in Lisbon.\n", encoding="utf-8")
    with found.member(tmp_path / "other", "beta", today=TODAY) as memory:
        memory.fleet_push()
    return found


def asked(root: Path, **arguments: Any) -> tuple[dict[str, Any], Any]:
    """The input of recall as the server lists it, and the answer to a call."""
    found: list[Any] = []

    async def work() -> None:
        async with connected(root) as client:
            listed = (await client.list_tools()).tools
            assert not [tool.name for tool in listed if "push" in tool.name or "fleet" in tool.name]
            found.append(next(tool.input_schema for tool in listed if tool.name == "recall"))
            found.append(await client.call_tool("recall", arguments))

    run(work)
    return found[0], found[1]


def test_recall_asks_the_fleet_where_it_is_on(made: Team, workspace: Write) -> None:
    root = workspace(LOG)
    made.member(root, "alpha").close()
    told, answer = asked(root, query="ERR_WS_1006", scope="fleet")
    assert told["properties"]["scope"]["enum"] == ["workspace", "fleet"]
    (hit,) = answer.structured_content["hits"]
    assert (hit["source"], hit["src"]) == ("beta:memory/2025-11-02.md#L2", "fleet:beta")
    assert hit["id"].startswith("beta:")
    assert "said by fleet:beta" in answer.content[0].text
    assert not asked(root, query="ERR_WS_1006")[1].structured_content["hits"]


def test_without_a_fleet_the_scope_is_not_offered_and_refused_with_the_next_step(workspace: Write) -> None:
    told, answer = asked(workspace(LOG), query="kayak", scope="fleet")
    assert "scope" not in told["properties"]
    assert answer.is_error
    assert "no fleet is named" in answer.content[0].text
    assert "commonplace fleet on" in answer.content[0].text


def test_a_fleet_that_nobody_allowed_is_not_offered_either(
    made: Team, workspace: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = workspace(LOG)
    made.member(root, "alpha").close()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    with Memory(str(root)) as memory:
        assert not memory.in_fleet
        with pytest.raises(UsageError, match="have not allowed"):
            memory.recall("kayak", scope="fleet")


def test_the_command_line_has_one_verb_with_two_names(made: Team, workspace: Write, cli: Cli) -> None:
    made.member(workspace(LOG), "alpha").close()
    words = ("ERR_WS_1006", "--kind", "world", "--k", "3")
    answers = [cli(*verb, *words, "--json").json for verb in (("recall", "--scope", "fleet"), ("fleet", "recall"))]
    assert answers[0] == answers[1]
    assert answers[0]["hits"][0]["source"] == "beta:memory/2025-11-02.md#L2"
    assert cli("recall", "--scope", "moon", "kayak").status == 2
    (line,) = cli("recall", "-", "--json", stdin='{"query": "ERR_WS_1006", "scope": "fleet"}\n').lines
    assert line == answers[0]


def test_a_program_is_told_when_the_fleet_is_down(server: FleetServer, made: Team, workspace: Write) -> None:
    root = workspace(LOG)
    with made.member(root, "alpha") as memory:
        with server.as_role("postgres") as db:
            db.execute(f"alter database {made.database} allow_connections false".encode())
        with pytest.raises(FleetUnusable, match="cannot connect"):
            tool_calls.call(memory, "recall", {"query": "kayak", "scope": "fleet"})
        assert tool_calls.call(memory, "recall", {"query": "kayak"}).data["hits"]
        with pytest.raises(UsageError, match="there is no scope"):
            memory.recall("kayak", scope="moon")


def test_what_a_model_is_told_of_a_fleet_costs_little() -> None:
    assert count_tokens(json.dumps(tool_calls.listing(fleet=True))) <= 2_540
