"""Verbs of a fleet: share facts of this workspace in a PostgreSQL, and ask across those of a team.

No other verb connects to it. What others say is an outsider's word: it is shown, and changes nothing here.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.errors import ExtensionMissing, NotFound, UsageError

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

_VERSION = "1"
"""Of what turns lines into rows, beside the schema of the index: raise it, and all is pushed anew."""


def fleet_init(memory: Memory, *, url: str) -> MadeFleet:
    """Make the fleet's tables in a database, as its administrator. Raises FleetUnusable, UsageError."""
    with _open(_checked(url)) as db:
        from commonplace.memory.fleet_state import MadeFleet
        from commonplace.store.postgres.fleet_admin import make

        return MadeFleet(make(db))


def fleet_tenant(memory: Memory, name: str, *, url: str) -> TenantRoles:
    """Make a tenant with a role that pushes and one that only reads, as administrator."""
    from commonplace.config.fleet_settings import require_name

    require_name(name)
    with _open(_checked(url)) as db:
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

    name = name or _name_of(os.path.basename(memory.root))
    entry = {"url": url, "name": name} | ({"share": list(share)} if share else {})
    settings = fleet_settings("commonplace.toml", entry, lenient=False)
    before = memory.settings.fleet._asdict() if memory.settings.fleet.url else {}
    with _open(url) as db:
        from commonplace.store.postgres.fleet_admin import require_version

        require_version(db)
    defaults = FleetSettings()._asdict()
    kept = {key: list(value) if isinstance(value, tuple) else value for key, value in before.items()}
    table = {**{key: value for key, value in kept.items() if before[key] != defaults[key]}, **entry}
    if _needs_consent(url):
        allow_server(server_of(url), "", os.environ)
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
    with _writer(memory, settings) as (writer, record):

        def work(index: Index) -> PushReport:
            return push(
                SharedRows(index),
                writer,
                _policy(settings),
                name=settings.name,
                record=record,
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
        with _writer(memory, settings) as (writer, record):
            there = writer.pushed()
            found = memory._access.reads(
                lambda index: difference(
                    SharedRows(index), writer, there, _policy(settings), version=_version(), empty=record.empty
                )
            )
            told = writer.workspaces()
    except CommonplaceError as error:
        return state._replace(problem=f"{error.message}: {error.hint}" if error.hint else error.message)
    return state._replace(
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
    from commonplace.store.postgres.fleet_index import FleetIndex

    settings = _on(memory)
    asked = asked_for(
        memory, query, k=k, budget=budget, since=since, until=until, during=during, as_of=as_of, kinds=kinds,
        entities=entities,
    )  # fmt: skip
    with _open(settings.url) as db:
        from commonplace.store.postgres.fleet_admin import require_version

        require_version(db)
        index = FleetIndex(db)
        return marked(index.reading(lambda: recall(index, asked, today=memory.today)), settings.name)


def fleet_drop(memory: Memory, name: str = "") -> str:
    """Remove what a workspace shared, by default this one, from the fleet; its name. Backups may still have it."""
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.push_record import PushRecord

    settings = _on(memory)
    name = name or settings.name
    with _open(settings.url) as db:
        from commonplace.store.postgres.fleet_admin import require_version

        require_version(db)
        writer = FleetWriter(db, name)
        if writer.pushed() is None:
            raise NotFound(f"the fleet has no workspace {name}", "commonplace fleet status lists them")
        writer.drop()
    PushRecord(memory.workspace.ensure_kept("fleet"), name).forget()
    return name


# -- what the verbs share


def _on(memory: Memory) -> FleetSettings:
    """The settings of a fleet that this user has allowed. Raises UsageError."""
    from commonplace.config.allowed_servers import is_allowed

    settings = memory.settings.fleet
    if not settings.url:
        raise UsageError("no fleet is named", "commonplace fleet on --url postgresql://ROLE@HOST/DATABASE --name NAME")
    if _needs_consent(settings.url) and not is_allowed(server_of(settings.url), ""):
        raise UsageError(
            "this workspace names a PostgreSQL that you have not allowed",
            f"look at [fleet] in commonplace.toml; to allow it: commonplace fleet on --url {settings.url}",
        )
    return settings


def _needs_consent(url: str) -> bool:
    """Whether an address comes from the workspace; a service is the user's own."""
    return not url.startswith("service=")


def server_of(url: str) -> str:
    """The server and database of an address, as this user allows them."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    return f"postgresql://{parts.hostname or 'localhost'}:{parts.port or 5432}{parts.path}"


def _name_of(folder: str) -> str:
    import re

    return re.sub(r"[^a-z0-9]+", "-", folder.casefold()).strip("-")[:40] or "workspace"


def _checked(url: str) -> str:
    from commonplace.config.fleet_settings import require_no_password

    require_no_password(url)
    return url


@contextmanager
def _open(url: str) -> Iterator[psycopg.Connection[TupleRow]]:
    try:
        from commonplace.store.postgres.fleet_index import connected
    except ImportError:
        raise ExtensionMissing("a fleet needs psycopg", "fleet") from None
    db = connected(url)
    try:
        yield db
    finally:
        db.close()


@contextmanager
def _writer(memory: Memory, settings: FleetSettings) -> Iterator[tuple[FleetWriter, PushRecord]]:
    from commonplace.store.postgres.fleet_admin import require_version
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.push_record import PushRecord

    _on(memory)
    with _open(settings.url) as db:
        require_version(db)
        yield FleetWriter(db, settings.name), PushRecord(memory.workspace.ensure_kept("fleet"), settings.name)


def _policy(settings: FleetSettings) -> SharePolicy:
    from commonplace.core import argument_values
    from commonplace.ops.fleet.share_policy import SharePolicy

    return SharePolicy(
        frozenset(settings.share),
        frozenset(map(argument_values.kind, settings.kinds)),
        settings.folders,
        frozenset(each.casefold() for each in settings.private),
    )


def _version() -> str:
    from commonplace.store.sqlite import SCHEMA

    return f"{_VERSION}.{SCHEMA}"
