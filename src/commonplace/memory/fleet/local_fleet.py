"""A fleet on this machine alone: a server of the user's own, its tables, and one tenant."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.memory.fleet.fleet_state import MadeFleet

_TENANT = "local"


def local_fleet() -> MadeFleet:
    """Start the server, and make what is missing; the address of the role that pushes is in the answer."""
    from commonplace.memory.fleet.fleet_access import WRITES, fleet_open, local_folder
    from commonplace.memory.fleet.fleet_state import MadeFleet
    from commonplace.store.postgres.local_server import LocalServer

    server = LocalServer(local_folder(os.environ))
    server.start()  # says which extra is missing, before psycopg is
    from commonplace.store.postgres.fleet_admin import add_tenant, make, pushing_role

    with fleet_open(server.url(), patience=WRITES, as_administrator=True) as db:
        ran, has_vectors = make(db)
        role = pushing_role(db, _TENANT) or add_tenant(db, _TENANT)[0]
    return MadeFleet(ran, has_vectors, server.url(role), server.stop_command)
