"""Verbs of a fleet: share facts of this workspace in a PostgreSQL, and ask across those of a team.

No other verb connects to it. What others say is an outsider's word: it is shown, and changes nothing here.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.config.fleet_settings import require_no_password
from commonplace.errors import ExtensionMissing, FleetUnusable, NotFound, UsageError, WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date

    import psycopg
    from psycopg.rows import TupleRow

    from commonplace.config.fleet_settings import FleetSettings
    from commonplace.core.model import Bundle
    from commonplace.memory import Memory
    from commonplace.memory.fleet_state import FleetState, MadeFleet, TenantRoles
    from commonplace.ops.fleet.push import PushReport
    from commonplace.ops.fleet.share_policy import SharePolicy
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.push_record import PushRecord
    from commonplace.store.sqlite import Index

_TARGET = ("service", "host", "hostaddr", "port", "dbname")
"""Parts of an address that say where notes go."""
_PARTS = {*_TARGET, "user", "sslmode", "sslrootcert"}
_VERSION = "1"
"""Of what turns lines into rows, beside the schema of the index: raise it, and all is pushed anew."""


def fleet_init(*, url: str) -> MadeFleet:
    """Make the fleet's tables in a database, as its administrator. Raises FleetUnusable, UsageError."""
    with _open(url, as_administrator=True) as db:
        from commonplace.memory.fleet_state import MadeFleet
        from commonplace.store.postgres.fleet_admin import make

        return MadeFleet(make(db))


def fleet_tenant(name: str, *, url: str) -> TenantRoles:
    """Make a tenant with a role that pushes and one that only reads, as administrator."""
    from commonplace.config.fleet_settings import require_name

    require_name(name)
    with _open(url, as_administrator=True) as db:
        from commonplace.memory.fleet_state import TenantRoles
        from commonplace.store.postgres.fleet_admin import add_tenant

        return TenantRoles(name, *add_tenant(db, name))


def fleet_on(memory: Memory, *, url: str, name: str = "", share: Iterable[str] = ()) -> FleetState:
    """Name the PostgreSQL, and what is shared; nothing is pushed yet. The state.

    Only `commonplace.toml` is written, and only if the server answered; and the list of servers that this user allowed.

    Args:
        name: of this workspace there; by default that of its folder.
        share: `retained`, `inferred`, `lines`; by default retained facts.
    """
    from commonplace.config import read_settings
    from commonplace.config.allowed_servers import allow_server
    from commonplace.config.fleet_settings import FleetSettings, fleet_settings
    from commonplace.config.settings_edit import write_table
    from commonplace.memory.fleet_state import FleetState

    name = name or memory.settings.fleet.name or _name_of(os.path.basename(memory.root))
    entry = {"url": url, "name": name} | ({"share": list(share)} if share else {})
    settings = fleet_settings("commonplace.toml", entry, lenient=False)
    before = memory.settings.fleet._asdict() if memory.settings.fleet.url else {}
    with _open(url):
        pass
    defaults = FleetSettings()._asdict()
    kept = {key: list(value) if isinstance(value, tuple) else value for key, value in before.items()}
    table = {**{key: value for key, value in kept.items() if before[key] != defaults[key]}, **entry}
    if server := server_of(url):
        allow_server(server, "", os.environ)
    write_table(memory.root, "fleet", table)
    memory.reopen(read_settings(memory.root))
    return FleetState(on=True, url=settings.url, name=settings.name, share=memory.settings.fleet.share)


def fleet_off(memory: Memory) -> FleetState:
    """Share nothing any more; what was pushed stays until it is dropped. The state."""
    from commonplace.config import read_settings
    from commonplace.config.settings_edit import write_table
    from commonplace.memory.fleet_state import FleetState

    write_table(memory.root, "fleet", None)
    memory.reopen(read_settings(memory.root))
    return FleetState(on=False)


def fleet_push(
    memory: Memory,
    *,
    dry_run: bool = False,
    take_over: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> PushReport:
    """Bring the fleet to what this workspace shares now; killed anywhere, the next push goes on.

    Args:
        dry_run: only count. take_over: adopt what another folder pushed under this name.
        progress: told (transactions done, of).
    """
    from commonplace.ops.fleet.push import push
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = _on(memory)
    workspace = memory.workspace

    def read(path: str) -> tuple[str, str] | None:
        try:
            page = workspace.shown(path)
        except (NotFound, WorkspaceError):
            return None
        return page.text, page.digest

    from commonplace.store.fs.lock import Lock

    one_at_a_time = Lock(lambda: os.path.join(workspace.ensure_kept("fleet"), "lock"), who="another push")
    with one_at_a_time, _writer(memory, settings) as (writer, record):

        def work(index: Index) -> PushReport:
            return push(
                SharedRows(index),
                writer,
                _policy(settings),
                name=settings.name,
                record=record,
                read=read,
                version=_version(),
                dry_run=dry_run,
                take_over=take_over,
                progress=memory._tells(progress),
            )

        return memory._access.reads(work)


def fleet_status(memory: Memory) -> FleetState:
    """How this workspace stands to its fleet: what waits, when it was pushed, which others there are."""
    from commonplace.errors import CommonplaceError
    from commonplace.memory.fleet_state import FleetState
    from commonplace.ops.fleet.push import difference
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = memory.settings.fleet
    if not settings.url:
        return FleetState(on=False)
    state = FleetState(on=True, url=settings.url, name=settings.name, share=settings.share)
    try:
        with _writer(memory, _on(memory)) as (writer, record):
            there = writer.pushed()
            found = memory._access.reads(
                lambda index: difference(
                    SharedRows(index), writer, there, _policy(settings), version=_version(), record=record
                )
            )
            told = writer.workspaces()
    except CommonplaceError as error:
        return state._replace(problem=f"{error.message}: {error.hint}" if error.hint else error.message)
    another = there is not None and there.state not in record.states
    return state._replace(
        problem="another folder pushed last under this name: commonplace fleet push says more" if another else "",
        waits=len(found.changed),
        gone=len(found.gone),
        same=found.same,
        pushed=told.get(settings.name, ""),
        workspaces=tuple(told),
    )


def fleet_recall(
    memory: Memory,
    query: str,
    *,
    k: int | None = None,
    budget: int | None = None,
    since: str | date | None = None,
    until: str | date | None = None,
    during: str | date | None = None,
    as_of: str | date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
) -> Bundle:
    """What the workspaces of the team have on a question, ranked as a recall here, cited as `alpha:memory/….md#L12`.

    Args: as of `recall`.
    """
    from commonplace.memory.recall_verbs import asked_for
    from commonplace.ops.fleet.mark_others import marked
    from commonplace.ops.recall.recall import recall

    settings = _on(memory)
    asked = asked_for(
        memory, query, k=k, budget=budget, since=since, until=until, during=during, as_of=as_of, kinds=kinds,
        entities=entities,
    )  # fmt: skip
    with _open(settings.url) as db:
        from commonplace.store.postgres.fleet_index import FleetIndex

        index = FleetIndex(db)
        return marked(index.reading(lambda: recall(index, asked, today=memory.today)), settings.name)


def fleet_drop(memory: Memory, name: str = "") -> str:
    """Remove what a workspace shared, by default this one, from the fleet; its name. Backups may still have it."""
    settings = _on(memory)
    with _writer(memory, settings, name) as (writer, record):
        if writer.pushed() is None:
            raise NotFound(f"the fleet has no workspace {name or settings.name}", "commonplace fleet status lists them")
        writer.drop()
        record.forget()
    return name or settings.name


# -- what the verbs share


def _on(memory: Memory) -> FleetSettings:
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


def _name_of(folder: str) -> str:
    import re

    return re.sub(r"[^a-z0-9]+", "-", folder.casefold()).strip("-")[:40] or "workspace"


@contextmanager
def _open(url: str, *, as_administrator: bool = False) -> Iterator[psycopg.Connection[TupleRow]]:
    """A connection; what PostgreSQL refuses is told as FleetUnusable."""
    server_of(url)
    from psycopg import Error
    from psycopg.errors import InsufficientPrivilege

    from commonplace.store.postgres.fleet_admin import require_version
    from commonplace.store.postgres.fleet_index import connected, said

    db = connected(url)
    try:
        if not as_administrator:
            require_version(db)
        yield db
    except InsufficientPrivilege:
        hint = "push with the role that ends in _w" if not as_administrator else "log in as an administrator"
        raise FleetUnusable("this role may not do that", hint) from None
    except Error as error:
        raise FleetUnusable(f"the fleet refused: {said(error)}", "nothing is half written; try again") from error
    finally:
        db.close()


@contextmanager
def _writer(memory: Memory, settings: FleetSettings, name: str = "") -> Iterator[tuple[FleetWriter, PushRecord]]:
    with _open(settings.url) as db:
        from commonplace.store.postgres.fleet_writer import FleetWriter
        from commonplace.store.postgres.push_record import PushRecord

        name = name or settings.name
        yield FleetWriter(db, name), PushRecord(os.path.join(memory.workspace.memory_dir, "keep", "fleet"), name)


def _policy(settings: FleetSettings) -> SharePolicy:
    from commonplace.core import argument_values
    from commonplace.ops.fleet.share_policy import SharePolicy, heading

    return SharePolicy(
        frozenset(settings.share),
        frozenset(map(argument_values.kind, settings.kinds)),
        settings.folders,
        frozenset(map(heading, settings.private)),
    )


def _version() -> str:
    from commonplace.store.sqlite import SCHEMA

    return f"{_VERSION}.{SCHEMA}"
