"""What a server has: tables of ours, and pgvector. Needs no numpy, which the extra `fleet` does not bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow


def has_table(db: psycopg.Connection[TupleRow], table: str) -> bool:
    """Return whether there is a table of the fleet."""
    found = db.execute("select to_regclass('fleet.' || %s) is not null", (table,)).fetchone()
    return bool(found and found[0])


def schema_of_pgvector(db: psycopg.Connection[TupleRow]) -> str:
    """Return the schema in which pgvector is; empty if it is nowhere."""
    found = db.execute("select extnamespace::regnamespace::text from pg_extension where extname = 'vector'").fetchone()
    return str(found[0]) if found else ""
