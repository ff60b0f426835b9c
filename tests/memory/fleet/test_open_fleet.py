"""The connection of a recall across workspaces: it serves the next one, too, and is opened anew where it is gone."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from psycopg import OperationalError
from tests.fleets import EVERYTHING, TODAY, Team, team

from commonplace.access import Access
from commonplace.errors import FleetUnusable
from commonplace.memory.fleet import fleet_access, open_fleet
from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.fleet_writer import FleetWriter
from commonplace.store.postgres.patient_connection import PatientConnection

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


def test_a_push_has_the_connection_of_the_questions_and_is_waited_for_longer(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, write = list[float](), FleetWriter.write

    def noted(writer: FleetWriter, *args: Any, **named: Any) -> str:
        waits.append(writer._db.patience)
        return write(writer, *args, **named)

    monkeypatch.setattr(FleetWriter, "write", noted)
    first = process(memory)
    memory.retain("@Zed: Paints the shed.", kind="world")
    assert memory.fleet_push().sent == 1
    assert process(memory) == first
    assert waits == [fleet_access.WRITES]
    assert memory.open_fleet is not None and memory.open_fleet.db.patience == fleet_access.ANSWERS


def test_a_push_whose_connection_has_ended_opens_another(server: FleetServer, made: Team, memory: Memory) -> None:
    first = process(memory)
    memory.retain("@Zed: Paints the shed.", kind="world")
    with server.as_role("postgres", made.database) as admin:
        admin.execute("select pg_terminate_backend(%s)", (first,))
    assert memory.fleet_push().sent == 1
    assert process(memory) != first


def test_a_push_that_is_refused_keeps_no_connection(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> str:
        raise FleetUnusable("no", "never")

    process(memory)
    memory.retain("@Zed: Paints the shed.", kind="world")
    with monkeypatch.context() as patched, pytest.raises(FleetUnusable, match="no"):
        patched.setattr(FleetWriter, "write", refused)
        memory.fleet_push()
    assert memory.open_fleet is None
    assert memory.fleet_push().sent == 1


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


@pytest.mark.parametrize("message", [b"begin isolation", b"execute commonplace"])
@pytest.mark.parametrize(
    "failing", [b"select pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid())", b"select 1 / 0"]
)
def test_a_message_that_fails_in_its_midst_refuses_that_question_alone(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, message: bytes, failing: bytes
) -> None:
    before = [process(memory) for _ in range(3)]  # its plans are made
    answer, execute, failed = repr(memory.recall("kayak", scope="fleet")), PatientConnection.execute, list[bytes]()

    def broken(db: PatientConnection, query: Any, *args: Any, **named: Any) -> Any:
        if query.startswith(message):
            first, _, others = query.partition(b";")
            query = b";".join((first, failing, others))
            failed.append(query)
        return execute(db, query, *args, **named)

    monkeypatch.setattr(PatientConnection, "execute", broken)
    with pytest.raises(FleetUnusable, match=r"division by zero|terminating connection"):
        memory.recall("kayak", scope="fleet")
    assert failed
    assert memory.open_fleet is None
    monkeypatch.undo()
    assert repr(memory.recall("kayak", scope="fleet")) == answer
    assert process(memory) not in before


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


def test_a_fork_asks_by_a_connection_of_its_own_and_leaves_that_of_its_parent(memory: Memory) -> None:
    first = process(memory)
    ends, told = os.pipe()
    if (child := os.fork()) == 0:
        status = 1
        try:
            os.write(told, b"%d" % process(memory))
            memory.close()
            status = 0
        finally:
            os._exit(status)
    os.close(told)
    with os.fdopen(ends, "rb") as answer:
        assert int(answer.read()) not in (0, first)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert process(memory) == first


def test_a_fork_that_closes_all_leaves_the_connection_of_its_parent(memory: Memory) -> None:
    first = process(memory)
    if (child := os.fork()) == 0:
        status = 1
        try:
            memory.close()
            gc.collect()
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert process(memory) == first


def test_a_fork_cannot_write_to_the_connection_of_its_parent(memory: Memory) -> None:
    first = process(memory)
    assert memory.open_fleet is not None
    db = memory.open_fleet.db
    if (child := os.fork()) == 0:
        status = 1
        try:
            with pytest.raises(OperationalError, match="another process"):
                db.execute("select 1")
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert process(memory) == first


def test_the_server_ends_a_connection_that_is_asked_nothing_and_nobody_sees_it(
    server: FleetServer, made: Team, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_admin, "IDLE", 100)
    first = process(memory)
    with server.as_role("postgres", made.database) as admin:
        alive = "select count(*) from pg_stat_activity where pid = %s"
        until = time.monotonic() + 60
        while admin.execute(alive, (first,)).fetchall() != [(0,)]:
            assert time.monotonic() < until
            time.sleep(0.05)
    monkeypatch.undo()
    assert process(memory) != first


def test_a_push_whose_index_takes_longer_than_a_server_waits_is_not_cut_off(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Access.fresh

    def slow(*args: Any, **named: Any) -> object:
        time.sleep(0.5)
        return fresh(*args, **named)

    memory.retain("@Zed: Paints the shed.", kind="world")
    monkeypatch.setattr(fleet_admin, "IDLE", 250)
    monkeypatch.setattr(Access, "fresh", slow)
    assert memory.fleet_push().sent == 1


@pytest.mark.parametrize(("of_the_role", "shown"), [("20s", "20s"), ("10min", "2min"), ("0", "2min")])
def test_an_administrator_may_end_it_sooner(
    server: FleetServer, made: Team, memory: Memory, of_the_role: str, shown: str
) -> None:
    with server.as_role("postgres", made.database) as admin:
        admin.execute(f"alter role {made.roles.pushes} set idle_session_timeout = '{of_the_role}'".encode())
    memory.close()  # it is for connections that are opened from now on
    for _ in range(2):
        process(memory)
        assert memory.open_fleet is not None
        assert memory.open_fleet.db.execute("show idle_session_timeout").fetchall() == [(shown,)]


def test_by_default_a_connection_ends_within_the_stated_times() -> None:
    told = (Path(__file__).parents[3] / "docs/fleet.md").read_text(encoding="utf-8")
    assert (open_fleet.IDLE, open_fleet.AGE, fleet_admin.IDLE) == (60.0, 600.0, 120_000)
    assert "after a minute without a" in told
    assert "after 2 minutes" in told
    assert "after 10 minutes" in told


def test_a_connection_is_renewed_at_an_age_however_often_it_is_asked(
    server: FleetServer, made: Team, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = process(memory)
    with server.as_role("postgres", made.database) as admin:
        admin.execute(f"alter role {made.roles.pushes} nologin".encode())
        assert process(memory) == first
        monkeypatch.setattr(open_fleet, "AGE", 0.0)
        with pytest.raises(FleetUnusable, match="not permitted to log in"):
            memory.recall("kayak", scope="fleet")
        assert memory.recall("kayak").hits
        admin.execute(f"alter role {made.roles.pushes} login".encode())
        assert process(memory) != first
        monkeypatch.undo()
