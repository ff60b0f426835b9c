"""What the verbs of a fleet answer."""

from __future__ import annotations

from typing import NamedTuple


class FleetState(NamedTuple):
    """How this workspace stands to its fleet."""

    on: bool
    url: str = ""
    name: str = ""
    share: tuple[str, ...] = ()
    problem: str = ""
    """Why the fleet cannot be asked; empty: it can."""
    waits: int = 0
    """Files that are new or changed since the last push."""
    gone: int = 0
    """Files of the fleet that are no longer shared."""
    same: int = 0
    pushed: str = ""
    """When the server took the last push; empty: never."""
    workspaces: tuple[str, ...] = ()
    """The names of all workspaces of the tenant."""


class MadeFleet(NamedTuple):
    """What an administrator made."""

    migrations: int
    """How many were run; 0: the tables were there."""


class TenantRoles(NamedTuple):
    """The login roles of a tenant. Their names tell nothing, for every role can list them."""

    tenant: str
    pushes: str
    """Reads and pushes."""
    reads: str
