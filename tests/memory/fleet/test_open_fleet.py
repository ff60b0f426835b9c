"""The connection of a recall across workspaces: it serves the next one, too, and is opened anew where it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.fleets import EVERYTHING, TODAY, Team, team

from commonplace.errors import FleetUnusable
from commonplace.memory.fleet import open_fleet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write
    from tests.postgres_server import FleetServer

    from commonplace import Memory

LOG = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak. ^k7f3qa\n- W @Zed: Sold the boat.\n"}


@pytest.fixture
def made(server: FleetServer) -> Team:
    return team(server)


@pytest.fixture
def memory(made: Team, workspace: Write) -> Iterator[Memory]:
    with made.member(workspace(LOG), "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        yield memory


def process(memory: Memory) -> int:
    """The process of the server that answers a question."""
    assert memory.recall("kayak", scope="fleet").hits
    assert memory.open_fleet is not None
    return memory.open_fleet.db.info.backend_pid


def test_the_next_question_of_a_minute_has_the_same_connection(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    first = process(memory)
    assert process(memory) == first
    monkeypatch.setattr(open_fleet, "IDLE", 0.0)
    second = process(memory)
    assert second != first
    monkeypatch.undo()
    assert process(memory) == second
    memory.close()
    assert memory.open_fleet is None
    assert process(memory) != second


def test_a_connection_that_the_server_ended_is_opened_anew(server: FleetServer, made: Team, memory: Memory) -> None:
    first = process(memory)
    with server.as_role("postgres", made.database) as admin:
        admin.execute("select pg_terminate_backend(%s, 5000)", (first,))
    assert process(memory) != first


def test_a_role_that_left_its_team_asks_nothing_by_a_connection_from_before(
    server: FleetServer, made: Team, memory: Memory
) -> None:
    process(memory)
    with server.as_role("postgres", made.database) as admin:
        admin.execute("delete from fleet.members where role = %s", (made.roles.pushes,))
    with pytest.raises(FleetUnusable):
        memory.recall("kayak", scope="fleet")
    assert memory.open_fleet is None


def test_what_others_pushed_meanwhile_is_found(made: Team, memory: Memory, workspace: Write) -> None:
    process(memory)
    with made.member(
        workspace({"memory/2025-11-02.md": "- Ida has a kayak as well.\n"}), "beta", share=EVERYTHING
    ) as b:
        b.fleet_push()
    assert len(memory.recall("kayak", scope="fleet").hits) == 2
