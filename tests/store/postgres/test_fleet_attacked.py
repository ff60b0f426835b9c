"""Another tenant's role tries to get, or to change, what is not its own; both tenants hold facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.fleets import Team, team

from commonplace.store.postgres import fleet_admin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.postgres_server import FleetServer

SECRET = "marzipan"
"""A word of the one tenant's lines alone."""
TABLES = (
    *("workspaces", "files", "blocks", "lines", "facts", "relations", "claims", "mentions", "known_in", "known"),
    *("aliases", "opinions", "evidence", "chunks", "postings", "frequency", "tombstones"),
    *("passages", "vectors"),
)
READS = (
    *(f"select * from fleet.{table} where tenant = {{theirs}}" for table in TABLES),
    "select * from fleet.vectors_of_{theirs}",
    "select key from fleet.vectors_of_small where tenant = {theirs}",
    "select key from fleet.vectors where tenant = {theirs} order by embedding <-> '[1,0,0]' limit 5",
    "create temp table vectors (like fleet.vectors); set search_path = pg_temp, fleet;"
    " select fleet.index_vectors('m', 3, 5000) where false; select key from fleet.vectors where tenant = {theirs}",
)
WRITES = (
    "delete from fleet.vectors_of_{theirs}",
    *(f"delete from fleet.{table} where tenant = {{theirs}}" for table in TABLES),
    *(f"update fleet.{table} set tenant = {{ours}} where tenant = {{theirs}}" for table in TABLES),
)
PLANTS = tuple(
    f"insert into fleet.{table} (tenant) values ({{theirs}})"
    for table in (
        "files",
        "lines",
        "facts",
        "claims",
        "mentions",
        "known",
        "postings",
        "frequency",
        "evidence",
        "passages",
    )
)
TRICKS = (
    "select * from fleet.tenants",
    "select * from fleet.members",
    "update fleet.members set tenant = {theirs} where role = session_user",
    "insert into fleet.members values (session_user, {theirs}, true)"
    " on conflict (role) do update set tenant = {theirs}",
    "set role {role}; select * from fleet.lines",
    "set session authorization {role}; select * from fleet.lines",
    "set row_security = off; select * from fleet.lines where text like '%marzipan%'",
    "alter table fleet.lines disable row level security",
    'drop policy "select" on fleet.lines',
    "create or replace function fleet.tenant() returns int language sql as 'select {theirs}'",
    "create function pg_temp.tenant() returns int language sql as 'select {theirs}';"
    " set search_path = pg_temp, fleet; select * from fleet.lines where text like '%marzipan%'",
    "create temp table lines as select * from fleet.lines; select * from lines where text like '%marzipan%'",
    "create temp view seen as select * from fleet.lines; select * from seen where tenant = {theirs}",
    "create function pg_temp.leak(text) returns bool language plpgsql cost 0.0000001 as"
    " 'begin raise notice ''%'', $1; return true; end'; select 1 from fleet.lines where pg_temp.leak(text)",
    "copy fleet.lines to stdout",
    "select * from fleet.lines tablesample system (100) where text like '%marzipan%'",
    "select * from fleet.named where key = 'marzi'",
    "select * from fleet.tagged where key = 'marzi'",
    "merge into fleet.frequency f using (values (1)) v on f.term = '" + SECRET + "' when matched then delete",
    "with gone as (delete from fleet.lines where tenant = {theirs} returning text) select * from gone",
    "select most_common_vals::text from pg_stats where schemaname = 'fleet'"
    " and most_common_vals::text like '%marzipan%'",
    "lock table fleet.lines in access exclusive mode",
    "create function pg_temp.evil() returns text language plpgsql as"
    " 'begin execute ''create table public.taken as select text from fleet.lines''; return ''lines''; end';"
    " create temp view pg_class as select pg_temp.evil()::name as relname, 'fleet'::regnamespace as relnamespace;"
    " select fleet.look_at_sizes()",
    "create temp table members (role name, tenant int, writes boolean);"
    " insert into members values (session_user, {theirs}, true); set search_path = pg_temp, fleet;"
    " select * from fleet.lines where text like '%marzipan%'",
    "select * from fleet.turns where tenant = {theirs} for update",
    "select max(rowid) from fleet.evidence where tenant = {theirs} having max(rowid) is not null",
    "truncate fleet.lines",
    "insert into fleet.tombstones (tenant, name, salt, digest) values ({theirs}, 'alpha', '', '')",
    "insert into fleet.vectors (tenant, model, key, embedding) values ({theirs}, 'm', 0, '[1,0,0]')",
    "select fleet.guard('vectors', array['update'])",
    "select fleet.guard('x; grant all on fleet.lines to public', array['insert'])",
    "select fleet.give_rights(session_user)",
    "alter table fleet.vectors detach partition fleet.vectors_of_{theirs}",
    "create index on fleet.vectors_of_{theirs} using hnsw ((embedding::vector(3)) vector_ip_ops)",
    "select 1 / (fleet.index_vectors('m', 3, 1000))::int",
    "delete from fleet.tombstones",
    "update fleet.tombstones set digest = ''",
    "insert into fleet.postings (term, block, rows) select '" + SECRET + "', block, rows from fleet.postings"
    " where tenant = {theirs}",
)


@pytest.fixture(scope="module")
def teams(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Team, Team]]:
    one = team(server, "one")
    other = team(server, "other", one.database)
    for made, word in ((one, SECRET), (other, "liquorice")):
        root = tmp_path_factory.mktemp(word)
        (root / "memory").mkdir()
        text = f"## Retain\n- W @Marzi: Sells {word} at the harbour.\n- O(c=0.9) @Marzi: Likes {word}.\n"
        (root / "memory/2025-11-01.md").write_text(text, encoding="utf-8")
        with (root / "memory/2025-11-01.md").open("a", encoding="utf-8") as log:
            log.write(f"- W @Marzi: Forgot {word}. ^f0rg0t\n")
        with made.member(root, "alpha") as memory:
            memory.fleet_push()
            memory.fleet_forget("f0rg0t")
        with made.server.as_role(made.roles.pushes, made.database) as db:
            db.execute("insert into fleet.passages (key, row) select at, at from generate_series(1, 1001) at")
            db.execute(
                "insert into fleet.vectors (model, key, embedding)"
                " select 'm', at, ('[1,' || at || ',0]')::fleet.vector from generate_series(1, 1001) at"
            )
            made_part = db.execute(
                "select fleet.index_vectors('m', 3, %s)", (1000 if word == SECRET else 5000,)
            ).fetchone()
            assert made_part == (word == SECRET,)
    yield one, other


def seen(teams: tuple[Team, Team], statement: str, *, role: str) -> list[str]:
    """Everything that a statement returns, says or raises to a role of the other tenant."""
    one, other = teams
    told: list[str] = []
    with one.server.as_role("postgres", one.database) as db:
        numbers = dict(db.execute("select name, tenant from fleet.tenants").fetchall())
    text = statement.replace("{theirs}", str(numbers["one"])).replace("{ours}", str(numbers["other"]))
    with psycopg.connect(other.server.url(role, other.database), autocommit=True) as db:
        db.add_notice_handler(lambda notice: told.append(str(notice.message_primary)))
        try:
            if text.startswith("copy"):
                with db.cursor().copy(text.encode()) as copied:
                    told += [str(row) for row in copied]
            else:
                cursor = db.execute(text.replace("{role}", one.roles.pushes).encode())
                while True:
                    if cursor.description:
                        told += [str(row) for row in cursor.fetchall()]
                    elif cursor.rowcount > 0:
                        told.append(f"changed {cursor.rowcount}")
                    if not cursor.nextset():
                        break
        except psycopg.Error as error:
            told.append(f"refused {error}")
    return told


def rows(made: Team) -> dict[str, int]:
    with made.server.as_role(made.roles.pushes, made.database) as db:
        return {table: db.execute(f"select count(*) from fleet.{table}".encode()).fetchall()[0][0] for table in TABLES}


@pytest.mark.parametrize("statement", (*READS, *WRITES, *PLANTS, *TRICKS))
def test_no_role_gets_or_changes_what_is_another_tenants(teams: tuple[Team, Team], statement: str) -> None:
    one, other = teams
    before = rows(one)
    assert before["postings"]
    for role in (other.roles.pushes, other.roles.reads):
        told = seen(teams, statement, role=role)
        assert not any(SECRET in each and not each.startswith("refused") for each in told), told
        if statement in READS:
            assert all(each.startswith("refused") for each in told), told
        if statement in (*WRITES, *PLANTS):
            assert all(each.startswith("refused") for each in told), told
    assert rows(one) == before


def test_what_somebody_made_in_public_is_never_found_before_what_postgresql_brings(
    server: FleetServer, tmp_path: Path
) -> None:
    """Where `public` is writable to all: an operator and a function that would copy lines with their user's rights."""
    one = team(server, "one")
    other = team(server, "other", one.database)
    with one.server.as_role("postgres", one.database) as db:
        db.execute("grant create on schema public to public")
    steals = (
        "create table public.stolen(text text); grant insert on public.stolen to public;"
        " create function public.theft(varchar, text) returns bool language plpgsql as $$ begin"
        " insert into public.stolen select l.text from fleet.lines l;"
        " return $1::text operator(pg_catalog.=) $2; end $$;"
        " create operator public.= (leftarg = varchar, rightarg = text, function = public.theft);"
        " create function public.format(text, name) returns text language plpgsql as $$ begin"
        " insert into public.stolen values (current_user); return pg_catalog.format($1, $2); end $$"
    )
    with psycopg.connect(other.server.url(other.roles.reads, other.database), autocommit=True) as db:
        db.execute(steals.encode())
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2025-11-01.md").write_text(
        f"## Retain\n- W @Marzi: Sells {SECRET}. ^f0rg0t\n", encoding="utf-8"
    )
    with one.member(tmp_path, "alpha") as memory:
        memory.fleet_push()
        memory.retain("@Marzi: Bakes.", kind="world")
        memory.fleet_push()
        memory.fleet_status()
        memory.recall(SECRET, scope="fleet")
        memory.fleet_forget("f0rg0t")
        memory.fleet_drop()
    with one.server.as_role("postgres", one.database) as db:
        db.execute("drop table fleet.vectors cascade")
        db.execute("drop function fleet.index_vectors(text, int, int)")
        fleet_admin.make(db)
        assert db.execute("select count(*) from public.stolen").fetchone() == (0,)


def test_a_role_that_reads_writes_nothing_of_its_own(teams: tuple[Team, Team]) -> None:
    _, other = teams
    before = rows(other)
    for table in TABLES:
        told = seen(teams, f"delete from fleet.{table}", role=other.roles.reads)
        assert told
        assert all("permission denied" in each for each in told), told
    assert rows(other) == before


def test_only_a_role_that_pushes_reads_tombstones_and_none_takes_one_away(teams: tuple[Team, Team]) -> None:
    one, _ = teams
    assert rows(one)["tombstones"] == 2
    with one.server.as_role(one.roles.reads, one.database) as db:
        assert not db.execute("select * from fleet.tombstones").fetchall()
    with one.server.as_role(one.roles.pushes, one.database) as db:
        for sql in ("delete from fleet.tombstones", "update fleet.tombstones set digest = ''"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(sql.encode())


def test_estimates_are_the_same_for_a_word_that_only_another_tenant_has(teams: tuple[Team, Team]) -> None:
    one, other = teams
    with one.server.as_role("postgres", one.database) as db:
        db.execute("analyze")
    plans = []
    with other.server.as_role(other.roles.reads, other.database) as db:
        for word in (SECRET, "nobodysword"):
            found = db.execute("explain select rows from fleet.postings where term = %s", (word,)).fetchall()
            plans.append(str(found).replace(word, "WORD"))
    assert plans[0] == plans[1]


def test_a_fleet_of_one_tenant_answers_nothing_of_another(teams: tuple[Team, Team], tmp_path: Path) -> None:
    _, other = teams
    (tmp_path / "memory").mkdir()
    with other.member(tmp_path, "gamma") as memory:
        assert next(hit.line.content for hit in memory.recall("what does Marzi sell?", scope="fleet").hits).startswith(
            "Sells liq"
        )
        assert not memory.recall(SECRET, scope="fleet").hits
        assert memory.fleet_status().workspaces == ("alpha",)
