"""Workspaces of a fleet, for tests: folders that push into a database of a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace import Memory, TenantRoles

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from tests.postgres_server import FleetServer


EVERYTHING = ("retained", "inferred", "lines")


class Team(NamedTuple):
    """A tenant in a database."""

    server: FleetServer
    database: str
    roles: TenantRoles

    def url(self) -> str:
        """As a workspace names it."""
        return self.server.url(self.roles.pushes, self.database)

    def member(
        self, root: Path, name: str, *, share: tuple[str, ...] = ("retained",), today: date | None = None
    ) -> Memory:
        """A workspace that belongs to it; nothing is pushed yet."""
        memory = Memory(str(root), today=today)
        memory.fleet_on(url=self.url(), name=name, share=share)
        return memory


def team(server: FleetServer, name: str = "harbour", database: str = "") -> Team:
    """A new tenant, in a new database unless one is given."""
    database = database or server.database()
    return Team(server, database, TenantRoles(name, *server.tenant(database, name)))
