"""What the verbs of a fleet answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from commonplace.ops.write.forget import Forgotten


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


class FleetForgotten(NamedTuple):
    """What was removed here and in the fleet."""

    here: Forgotten
    struck: int
    """Lines of the fleet that lost their words; of those that no push has sent there are none."""
    waits: str = ""
    """Why the fleet could not be told; the tombstone then goes with the next push. Empty: it was told."""


class MadeFleet(NamedTuple):
    """What an administrator made."""

    migrations: int
    """How many were run; 0: the tables were there."""
    vectors: bool = False
    """Whether the server has pgvector: then search by meaning works across workspaces."""
    url: str = ""
    """Of a server of the user's own: the address of its role that pushes."""
    stop: str = ""
    """The command that stops such a server."""


class TenantRoles(NamedTuple):
    """The login roles of a tenant. Their names tell nothing, for every role can list them."""

    tenant: str
    pushes: str
    """Reads and pushes."""
    reads: str
