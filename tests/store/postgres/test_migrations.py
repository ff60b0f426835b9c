"""Tables of an older version become those of this one, with their rows; a wrong program is refused before it reads."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.fleets import EVERYTHING, TODAY, Team

from commonplace import Memory, TenantRoles
from commonplace.errors import FleetUnusable
from commonplace.memory.fleet.fleet_verbs import fleet_init
from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.changed_terms import exchanging_terms

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write
    from tests.postgres_server import FleetServer

LOG = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak. ^k7f3qa\n- W @Zed: Sold the boat.\n"}


def first_version(server: FleetServer) -> Team:
    """A tenant as version 1 made it: its tables, and its roles with the rights of then."""
    name, drawn = f"fleet_{secrets.token_hex(4)}", secrets.token_hex(5)
    roles = TenantRoles("harbour", f"cp_{drawn}_w", f"cp_{drawn}_r")
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute(f"create database {name}".encode())
    with server.as_role("postgres", name) as db:
        db.execute(dict(fleet_admin.migrations())[1].encode())
        db.execute("insert into fleet.tenants (name) values ('harbour')")
        db.execute("insert into fleet.turns (tenant) values (1)")
        for role, writes in ((roles.pushes, True), (roles.reads, False)):
            db.execute(
                f"create role {role} login; insert into fleet.members values ('{role}', 1, {writes});"
                f" select fleet.give_rights('{role}')".encode()
            )
    return Team(server, name, roles)


def test_roles_and_rows_of_the_first_version_go_on_after_init(
    server: FleetServer, workspace: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, made = workspace(LOG), first_version(server)
    with pytest.raises(FleetUnusable, match="tables of an older version"):
        made.member(root, "alpha", share=EVERYTHING, today=TODAY)
    assert fleet_init(url=server.url("postgres", made.database)).migrations == fleet_admin.VERSION - 1
    assert fleet_init(url=server.url("postgres", made.database)).migrations == 0
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        old = shutil.copytree(root, tmp_path / "old", ignore=shutil.ignore_patterns("index.sqlite*"))
        assert memory.fleet_forget("k7f3qa").struck == 1
    with Memory(str(old), today=TODAY) as memory:
        memory.fleet_push(take_over=True)
        assert not memory.recall("kayak", scope="fleet").hits
        assert memory.recall("boat", scope="fleet").hits


def test_rows_of_terms_are_packed_where_there_are_some(server: FleetServer) -> None:
    made = first_version(server)
    rows = [(740_000 << 41 | 3 << 26 | line) for line in (1, 2)] + [740_900 << 41 | 3 << 26 | 1]
    with server.as_role("postgres", made.database) as db:
        db.execute("insert into fleet.postings (tenant, term, row) select 1, 'kayak', unnest(%s::bigint[])", (rows,))
    fleet_init(url=server.url("postgres", made.database))
    with server.as_role(made.roles.pushes, made.database) as db:
        packed = db.execute("select term, rows, n from fleet.postings order by block").fetchall()
        assert packed == [("kayak", rows[:2], 2), ("kayak", rows[2:], 1)]
        db.ask_all(exchanging_terms("fleet.lines t where false", {}, [(rows[0] + 5, "kayak")]))
        assert db.execute("select n from fleet.postings order by block").fetchall() == [(3,), (1,)]


def test_an_owner_of_no_tenant_keeps_every_row(server: FleetServer) -> None:
    made, owner = first_version(server), f"own_{secrets.token_hex(4)}"
    with server.as_role("postgres", made.database) as db:
        db.execute("insert into fleet.postings (tenant, term, row) values (1, 'kayak', 5)")
        db.execute(
            f"create role {owner} login createrole; grant create on database {made.database} to {owner}".encode()
        )
        db.execute(f"grant {made.roles.pushes}, {made.roles.reads} to {owner} with admin option".encode())
        db.execute(f"alter schema fleet owner to {owner}".encode())
        for kind, name in db.execute(
            "select case when relkind = 'S' then 'sequence' else 'table' end, relname from pg_class"
            " where relnamespace = 'fleet'::regnamespace and relkind in ('r', 'p')"
        ).fetchall():
            db.execute(f"alter {kind} fleet.{name} owner to {owner}".encode())
        for (function,) in db.execute(
            "select oid::regprocedure::text from pg_proc where pronamespace = 'fleet'::regnamespace"
        ).fetchall():
            db.execute(f"alter function {function} owner to {owner}".encode())
    fleet_init(url=server.url(owner, made.database))
    with server.as_role("postgres", made.database) as db:
        assert db.execute("select term, rows from fleet.postings").fetchall() == [("kayak", [5])]


def test_an_older_program_is_refused_before_it_reads_or_writes(
    server: FleetServer, workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = workspace(LOG)
    made = first_version(server)
    fleet_init(url=server.url("postgres", made.database))
    with made.member(root, "alpha", today=TODAY) as memory:
        memory.fleet_push()
        monkeypatch.setattr(fleet_admin, "VERSION", fleet_admin.VERSION - 1)
        for verb in (memory.fleet_push, memory.fleet_drop, lambda: memory.recall("kayak", scope="fleet")):
            with pytest.raises(FleetUnusable, match="a newer commonplace made"):
                verb()
        with pytest.raises(FleetUnusable, match="a newer commonplace made"):
            fleet_init(url=server.url("postgres", made.database))
        assert "a newer commonplace" in memory.fleet_forget("k7f3qa").waits


def test_numbers_of_migrations_have_no_gap_and_each_notes_its_own() -> None:
    found = fleet_admin.migrations()
    assert [number for number, _ in found] == [*range(1, fleet_admin.VERSION + 1)]
    assert all(f"insert into fleet.made values ({number});" in text for number, text in found)


def test_the_tables_are_made_where_numpy_is_not_installed(server: FleetServer) -> None:
    """The extra `fleet` does not bring it."""
    name = f"fleet_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute(f"create database {name}".encode())
    program = (
        "import sys; sys.modules['numpy'] = None; from commonplace.memory.fleet.fleet_verbs import fleet_init;"
        f" fleet_init(url={server.url('postgres', name)!r})"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    with server.as_role("postgres", name) as made:
        assert made.execute("select to_regclass('fleet.vectors') is not null").fetchone() == (True,)
