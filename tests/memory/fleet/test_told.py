"""What the verbs of a fleet tell beforehand, and what an id of a fleet is told to be elsewhere."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.fleets import TODAY, team

from commonplace.core.model import Level
from commonplace.errors import NotFound
from commonplace.store.postgres import fleet_admin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write
    from tests.postgres_server import FleetServer

LOG = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak. ^k7f3qa\n## Private {#p}\n- W @Zed: Snores.\n"}


@pytest.mark.parametrize("target", ["alpha:k7f3qa", "^alpha:k7f3qa", "alpha:memory/2025-11-01.md#L2"])
def test_show_and_forget_say_where_an_id_of_the_fleet_is(server: FleetServer, workspace: Write, target: str) -> None:
    named = target.removeprefix("^alpha:").removeprefix("alpha:")
    with team(server).member(workspace(LOG), "beta", today=TODAY) as memory:
        for verb, words in (
            (memory.show, "show"),
            (memory.forget, "fleet forget"),
            (memory.fleet_forget, "fleet forget"),
        ):
            with pytest.raises(NotFound, match="of the workspace alpha of the fleet, not of this folder") as told:
                verb(target)
            assert told.value.hint == f"in the folder of alpha: commonplace {words} {named}"
    with team(server).member(workspace(LOG), "alpha", today=TODAY) as memory:
        with pytest.raises(NotFound, match="which is this folder") as told:
            memory.show(target)
        assert told.value.hint == f"here it is {named}: commonplace show {named}"
        assert memory.show(named).line.content == "Owns a kayak."
        with pytest.raises(NotFound, match="there is no fact or line"):
            memory.show("zzzzzz")


def test_a_dry_run_lists_the_lines_if_asked(server: FleetServer, workspace: Write, cli: Cli) -> None:
    with team(server).member(workspace(LOG), "alpha", today=TODAY):
        pass
    line = "memory/2025-11-01.md#L2 Owns a kayak."
    assert line in cli("fleet", "push", "--dry-run", "--lines").out
    assert line not in cli("fleet", "push", "--dry-run").out
    assert line in cli("fleet", "push", "--dry-run", "--json").json["lines"]


def test_status_says_before_a_push_that_another_folder_has_the_name(
    server: FleetServer, workspace: Write, tmp_path: Path
) -> None:
    made = team(server)
    with made.member(workspace(LOG), "alpha", today=TODAY) as memory:
        memory.fleet_push()
        assert not memory.fleet_status().problem
    (tmp_path / "other/memory").mkdir(parents=True)
    with made.member(tmp_path / "other", "alpha", today=TODAY) as memory:
        assert memory.fleet_status().problem.startswith("another folder pushed alpha: choose another name")


def test_doctor_warns_of_a_heading_that_is_almost_private(server: FleetServer, workspace: Write) -> None:
    with team(server).member(workspace(LOG), "alpha", today=TODAY) as memory:
        found = [each for each in memory.doctor() if each.area == "fleet" and each.level is Level.WARN]
        assert "Private {#p}” (memory/2025-11-01.md#L3) is shared" in found[0].message
    exact = {"memory/2025-11-01.md": "## Private\n- W @Zed: Snores.\n## Privacy law\n- W @Zed: Reads it.\n"}
    with team(server).member(workspace(exact), "alpha", today=TODAY) as memory:
        assert not [each for each in memory.doctor() if "private" in each.message]


def test_init_says_whether_meaning_works_across_workspaces(
    server: FleetServer, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"fleet_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute(f"create database {name}".encode())
    url = server.url("postgres", name)
    assert "pgvector: found" in cli("fleet", "init", "--url", url).out
    monkeypatch.setattr(fleet_admin, "_make_vectors", lambda db: False)
    assert "pgvector: not found, so questions are answered by words" in cli("fleet", "init", "--url", url).out
