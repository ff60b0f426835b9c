"""What the verbs of a fleet share: the settings that this user allowed, an address that is safe, a connection."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.config import home
from commonplace.config.fleet_settings import require_no_password
from commonplace.errors import CommonplaceError, ExtensionMissing, FleetUnusable, NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from commonplace.config.fleet_settings import FleetSettings
    from commonplace.memory import Memory
    from commonplace.ops.fleet.share_policy import SharePolicy
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.patient_connection import PatientConnection
    from commonplace.store.postgres.push_record import PushRecord

_TARGET = ("service", "host", "hostaddr", "port", "dbname")
"""Parts of an address that say where notes go."""
_PARTS = {*_TARGET, "user", "sslmode", "sslrootcert"}
_VERSION = "1"
"""Of what turns lines into rows, beside the schema of the index: raise it, and all is pushed anew."""
WITHIN = 5
"""Seconds that a verb waits for the connection, to each host of the address."""
ANSWERS = 25.0
"""Seconds that a question waits for each answer of the server, which itself gives up after 20."""
WRITES = 160.0
"""Seconds that a push waits: for the server's turn up to 30, for a statement up to 120."""


def allowed(memory: Memory) -> FleetSettings:
    """The settings of a fleet that this user has allowed. Raises UsageError."""
    from commonplace.config.allowed_servers import is_allowed

    settings = memory.settings.fleet
    if not settings.url:
        raise UsageError("no fleet is named", "commonplace fleet on --url postgresql://ROLE@HOST/DATABASE --name NAME")
    if (server := server_of(settings.url)) and not is_allowed(server, ""):
        raise UsageError(
            "this workspace names a PostgreSQL that you have not allowed",
            f"look at [fleet] in commonplace.toml; to allow it: commonplace fleet on --url '{settings.url}'",
        )
    return settings


def in_fleet(memory: Memory) -> bool:
    """Whether a fleet is on that this user has allowed."""
    if not memory.settings.fleet.url:
        return False
    try:
        return bool(allowed(memory))
    except CommonplaceError:
        return False


def server_of(url: str) -> str:
    """The server and database of an address, as this user allows them; empty for a service, which is the user's own.

    Raises UsageError for what is no address, for a password, and for what could send notes elsewhere unseen.
    """
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise ExtensionMissing("a fleet needs psycopg", "fleet") from None
    require_no_password(url)
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError:
        raise UsageError(
            "this is no address of a PostgreSQL", "postgresql://ROLE@HOST/DATABASE, or service=NAME"
        ) from None
    if parts.keys() == {"service"}:
        return ""
    if unknown := sorted(parts.keys() - _PARTS):
        raise UsageError(f"the address sets {unknown[0]}", "leave it out, or name a service of ~/.pg_service.conf")
    return "postgresql " + " ".join(f"{key}={parts[key]}" for key in _TARGET if parts.get(key))


def local_folder(env: Mapping[str, str]) -> str:
    """The folder of the server: below `~/.local/state`, or by XDG_STATE_HOME."""
    base = env.get("XDG_STATE_HOME", "").strip()
    if not os.path.isabs(base):
        base = os.path.join(home(env, os.path.abspath(os.sep)), ".local", "state")
    return os.path.join(base, "commonplace", "fleet")


def not_here(memory: Memory, target: str, *, verb: str) -> NotFound | None:
    """The error for an id or a citation that a recall of the fleet printed: `alpha:memory/2026-01-09.md#L12`."""
    name, colon, here = target.partition(":")
    if not (colon and memory.settings.fleet.url) or name != name_of(name):
        return None
    said = f"{target} is of the workspace {name} of the fleet"
    if name == memory.settings.fleet.name:
        return NotFound(f"{said}, which is this folder", f"here it is {here}: commonplace {verb} {here}")
    return NotFound(f"{said}, not of this folder", f"in the folder of {name}: commonplace {verb} {here}")


def name_of(folder: str) -> str:
    """The name of a workspace by that of its folder."""
    import re

    return re.sub(r"[^a-z0-9]+", "-", folder.casefold()).strip("-")[:40] or "workspace"


@contextmanager
def fleet_open(
    url: str, *, patience: float, as_administrator: bool = False, within: int = 0
) -> Iterator[PatientConnection]:
    """A connection; what PostgreSQL refuses is told as FleetUnusable.

    Args:
        patience: seconds to wait for each answer. within: seconds to wait for the connection, if not as always.
    """
    db = open_connection(url, patience=patience, within=within)
    from commonplace.store.postgres.fleet_admin import require_member

    try:
        with refusals(as_administrator=as_administrator):
            if not as_administrator:
                require_member(db)
            yield db
    finally:
        db.close()


def open_connection(url: str, *, patience: float, within: int = 0) -> PatientConnection:
    """A connection to the server of an address that is one. Raises FleetUnusable."""
    server_of(url)
    from commonplace.store.postgres.patient_connection import connected

    try:
        return connected(url, patience=patience, within=within or WITHIN)
    except FleetUnusable as error:
        if f"host={local_folder(os.environ)} " in f"{server_of(url)} ":
            error.say(error.message, "start it: commonplace fleet init --local; this folder works without it")
        raise


@contextmanager
def refusals(*, as_administrator: bool = False) -> Iterator[None]:
    """What PostgreSQL refuses is told as FleetUnusable."""
    from psycopg import Error
    from psycopg.errors import InsufficientPrivilege

    from commonplace.store.postgres.patient_connection import said

    try:
        yield
    except InsufficientPrivilege:
        hint = "push with the role that ends in _w" if not as_administrator else "log in as an administrator"
        raise FleetUnusable("this role may not do that", hint) from None
    except Error as error:
        raise FleetUnusable(f"the fleet refused: {said(error)}", "nothing is half written; try again") from error


@contextmanager
def fleet_writer(
    memory: Memory, settings: FleetSettings, name: str = "", *, patience: float
) -> Iterator[tuple[FleetWriter, PushRecord]]:
    """What writes one workspace's rows, by default of this one, and what this folder knows of its state there."""
    with fleet_open(settings.url, patience=patience) as db:
        from commonplace.store.postgres.fleet_writer import FleetWriter
        from commonplace.store.postgres.push_record import PushRecord

        name = name or settings.name
        yield FleetWriter(db, name), PushRecord(kept(memory), name)


def kept(memory: Memory) -> str:
    """The folder of what this workspace knows of its fleet; it need not exist."""
    return os.path.join(memory.workspace.memory_dir, "keep", "fleet")


@contextmanager
def one_at_a_time(memory: Memory) -> Iterator[None]:
    """Nobody else pushes from this folder meanwhile. Raises Busy."""
    from commonplace.store.fs.lock import Lock

    with Lock(lambda: os.path.join(memory.workspace.ensure_kept("fleet"), "lock"), who="another push"):
        yield


def policy(settings: FleetSettings) -> SharePolicy:
    """Which lines are shared."""
    from commonplace.core import argument_values
    from commonplace.ops.fleet.share_policy import SharePolicy, heading

    return SharePolicy(
        frozenset(settings.share),
        frozenset(map(argument_values.kind, settings.kinds)),
        settings.folders,
        frozenset(map(heading, settings.private)),
    )


def version(memory: Memory) -> str:
    """Of what turns lines into rows: another one, and all is pushed anew."""
    from commonplace.store.sqlite import SCHEMA

    return f"{_VERSION}.{SCHEMA}{'+passages' if memory.embeds else ''}"
