"""What an administrator of the PostgreSQL does once: makes the tables, and roles for each tenant."""

from __future__ import annotations

import secrets
from importlib.resources import files
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from commonplace.errors import FleetUnusable, UsageError
from commonplace.store.postgres.patient_connection import has_table, said, schema_of_pgvector

if TYPE_CHECKING:
    from psycopg.rows import TupleRow

VERSION = 5
"""Of the tables: the number of the newest migration."""
_OLDEST = 150_000
"""Of PostgreSQL, as `server_version_num` has it: older ones have no `merge`."""
IDLE = 120_000
"""Milliseconds after which the server ends a kept connection that is asked nothing, so that its place is free."""


_NO_TENANT = ("this role belongs to no tenant", "ask the administrator: commonplace fleet tenant NAME --url …")


def migrations(after: int = 0) -> list[tuple[int, str]]:
    """Return (number, SQL) of each migration that comes after one."""
    found = []
    for each in files("commonplace.store.postgres").joinpath("migrations").iterdir():
        number = each.name.partition("_")[0]
        if number.isdecimal() and int(number) > after:
            found.append((int(number), each.read_text(encoding="utf-8")))
    return sorted(found)


def version(db: psycopg.Connection[TupleRow]) -> int:
    """Return the version of the tables; 0 if there are none."""
    if not has_table(db, "made"):
        return 0
    made = db.execute("select max(version) from fleet.made").fetchone()
    return int(made[0]) if made and made[0] else 0


def require_version(db: psycopg.Connection[TupleRow]) -> None:
    """Raise FleetUnusable unless the tables are of this program's version: before anything is read or written."""
    _require(version(db))


def require_member(db: psycopg.Connection[TupleRow], *, kept: bool = False) -> None:
    """Raise FleetUnusable unless the same holds and the role belongs to a tenant, as an administrator's does not.

    Args:
        kept: whether the connection stays open after what it is opened for: it ends when it is idle.
    """
    try:
        asked = db.execute(
            _ASKED % (_ENDS % (IDLE, IDLE) if kept else b"")
        )  # each wait costs a round trip, before every verb
        while asked.nextset() and not asked.description:
            pass
        found, tenant, *_ = asked.fetchone() or (0, None)
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        found, tenant = 0, 0
    except psycopg.errors.InsufficientPrivilege:
        raise FleetUnusable(*_NO_TENANT) from None
    _require(found or 0)
    if tenant is None:
        raise FleetUnusable(*_NO_TENANT)


_ASKED = (
    b"begin read only; set local search_path = pg_catalog, pg_temp;"
    b" select (select max(version) from fleet.made), fleet.tenant()%s; commit"
)
_ENDS = (
    b", set_config('idle_session_timeout', case when current_setting('idle_session_timeout')::interval"
    b" between '1 ms' and '%d ms' then current_setting('idle_session_timeout') else '%d' end, false)"
)
"""Sets what `IDLE` says, unless an administrator has set less."""


def _require(found: int) -> None:
    if found > VERSION:
        raise FleetUnusable("a newer commonplace made the fleet's tables", "install the newer version")
    if found < VERSION:
        what = "has no tables of ours" if not found else "has tables of an older version"
        raise FleetUnusable(f"the database {what}", "its administrator makes them: commonplace fleet init --url …")


def make(db: psycopg.Connection[TupleRow]) -> tuple[int, bool]:
    """Bring the tables to this version; return (number of migrations that were run, whether the server has pgvector).

    Raises FleetUnusable.
    """
    if db.info.server_version < _OLDEST:
        raise FleetUnusable("the fleet needs PostgreSQL 15 or newer", "use a newer server: older ones have no merge")
    try:
        with db.transaction():
            db.execute("select pg_advisory_xact_lock(hashtext('commonplace fleet'))")
            found = version(db)
            if found > VERSION:
                raise FleetUnusable("a newer commonplace made the fleet's tables", "install the newer version")
            todo = migrations(found)
            for _, text in todo:
                db.execute(text.encode())
            has_vectors = _make_vectors(db)
    except psycopg.Error as error:
        raise FleetUnusable(
            f"the tables cannot be made: {said(error)}", "log in as a role that may create a schema"
        ) from None
    return len(todo), has_vectors


def _make_vectors(db: psycopg.Connection[TupleRow]) -> bool:
    """Make the tables of vectors, unless they are there; return whether the server has pgvector."""
    if has_table(db, "vectors"):
        return True
    try:
        with db.transaction():
            db.execute("create extension if not exists vector with schema fleet")
            schema = sql.Identifier(schema_of_pgvector(db)).as_string(db)
            text = files("commonplace.store.postgres").joinpath("vectors.sql").read_text(encoding="utf-8")
            db.execute(text.replace("{vector}", f"{schema}.vector").replace("{schema}", schema).encode())
    except (psycopg.errors.UndefinedFile, psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege):
        return False
    return True


def add_tenant(db: psycopg.Connection[TupleRow], name: str) -> tuple[str, str]:
    """Make a tenant with two roles, one that pushes and one that reads, without passwords. Raises FleetUnusable.

    Their names tell nothing, for every role can list them.
    """
    require_version(db)
    drawn = secrets.token_hex(5)
    pushes, reads = f"cp_{drawn}_w", f"cp_{drawn}_r"
    try:
        with db.transaction():
            made = db.execute("insert into fleet.tenants (name) values (%s) returning tenant", (name,)).fetchone()
            assert made is not None
            db.execute("insert into fleet.turns (tenant) values (%s)", made)
            for role, writes in ((pushes, True), (reads, False)):
                db.execute(sql.SQL("create role {} login").format(sql.Identifier(role)))
                db.execute("insert into fleet.members values (%s, %s, %s)", (role, made[0], writes))
                db.execute("select fleet.give_rights(%s)", (role,))
    except psycopg.errors.InsufficientPrivilege:
        raise FleetUnusable(
            "this role may not make tenants",
            "log in as a superuser, or as the owner of the tables with createrole and bypassrls",
        ) from None
    except psycopg.errors.UniqueViolation:
        raise UsageError(f"there is a tenant {name}", "choose another name") from None
    except psycopg.Error as error:
        raise FleetUnusable(
            f"the roles cannot be made: {said(error)}", "log in as a role that may create roles"
        ) from None
    return pushes, reads


def pushing_role(db: psycopg.Connection[TupleRow], name: str) -> str:
    """Return the role with which a tenant pushes; empty if there is no such tenant."""
    sql = "select m.role from fleet.members m join fleet.tenants t using (tenant) where t.name = %s and m.writes"
    found = db.execute(sql, (name,)).fetchone()
    return str(found[0]) if found else ""
