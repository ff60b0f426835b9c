"""Verbs of a fleet: share facts of this workspace in a PostgreSQL, and ask across those of a team.

Only these, a recall with that scope and `doctor` connect to it. What others say is an outsider's word: it is shown, and
changes nothing here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError, NotFound, UsageError, WorkspaceError
from commonplace.memory.fleet import fleet_access
from commonplace.memory.fleet.fleet_access import (
    allowed,
    fleet_open,
    fleet_writer,
    in_fleet,
    kept,
    name_of,
    one_at_a_time,
    policy,
    server_of,
    version,
)
from commonplace.memory.forget_facts import FLEET_HAS_IT, forget

__all__ = [
    "fleet_drop",
    "fleet_forget",
    "fleet_init",
    "fleet_off",
    "fleet_on",
    "fleet_push",
    "fleet_recall",
    "fleet_status",
    "fleet_tenant",
    "in_fleet",
]

_NOT_OURS = "choose another name (commonplace fleet on), or adopt it here (commonplace fleet push --take-over)"

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from commonplace.core.model import Bundle, Query
    from commonplace.memory import Memory
    from commonplace.memory.fleet.fleet_state import FleetForgotten, FleetState, MadeFleet, TenantRoles
    from commonplace.memory.line_meaning import Meaning
    from commonplace.ops.fleet.push import PushReport
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.push_record import PushRecord
    from commonplace.store.sqlite import Index


def fleet_init(*, url: str = "", local: bool = False) -> MadeFleet:
    """Make the fleet's tables in a database, as its administrator. Raises FleetUnusable, UsageError.

    Args:
        local: in a PostgreSQL of the user's own, which is started; in place of `url`.
    """
    if _is_local(url, local):
        from commonplace.memory.fleet.local_fleet import local_fleet

        return local_fleet()
    with fleet_open(url, patience=fleet_access.WRITES, as_administrator=True) as db:
        from commonplace.memory.fleet.fleet_state import MadeFleet
        from commonplace.store.postgres.fleet_admin import make

        return MadeFleet(*make(db))


def fleet_tenant(name: str, *, url: str) -> TenantRoles:
    """Make a tenant with a role that pushes and one that only reads, as administrator."""
    from commonplace.config.fleet_settings import require_name

    require_name(name)
    with fleet_open(url, patience=fleet_access.WRITES, as_administrator=True) as db:
        from commonplace.memory.fleet.fleet_state import TenantRoles
        from commonplace.store.postgres.fleet_admin import add_tenant

        return TenantRoles(name, *add_tenant(db, name))


def _is_local(url: str, local: bool) -> bool:
    """Whether the server is the user's own. Raises UsageError unless one of both is given."""
    if bool(url) == local:
        raise UsageError(
            "no PostgreSQL is named" if not url else "a PostgreSQL is named, and --local is another",
            "--url postgresql://ROLE@HOST/DATABASE, or --local to try it on this machine",
        )
    return local


def fleet_on(
    memory: Memory, *, url: str = "", local: bool = False, name: str = "", share: Iterable[str] = ()
) -> FleetState:
    """Name the PostgreSQL, and what is shared; nothing is pushed yet. The state.

    Only `commonplace.toml` is written, and only if the server answered; and the list of servers that this user allowed.

    Args:
        url, local: the server; with `local` one of this user's own, which is made and started if need be.
        name: of this workspace there; by default that of its folder.
        share: `retained`, `inferred`, `lines`; by default retained facts.
    """
    from commonplace.config import read_settings
    from commonplace.config.allowed_servers import allow_server
    from commonplace.config.fleet_settings import FleetSettings, fleet_settings
    from commonplace.config.settings_edit import write_table
    from commonplace.memory.fleet.fleet_state import FleetState

    if _is_local(url, local):
        from commonplace.memory.fleet.local_fleet import local_fleet

        url = local_fleet().url
    name = name or memory.settings.fleet.name or name_of(os.path.basename(memory.root))
    entry = {"url": url, "name": name} | ({"share": list(share)} if share else {})
    settings = fleet_settings("commonplace.toml", entry, lenient=False)
    before = memory.settings.fleet._asdict() if memory.settings.fleet.url else {}
    with fleet_open(url, patience=fleet_access.ANSWERS):
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
    from commonplace.memory.fleet.fleet_state import FleetState

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
    from commonplace.store.postgres.waiting_tombstones import WaitingTombstones
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = allowed(memory)
    from commonplace.memory.fleet.open_fleet import pushing_writer

    workspace = memory.workspace

    def read(path: str) -> tuple[str, str] | None:
        try:
            page = workspace.shown(path)
        except (NotFound, WorkspaceError):
            return None
        return page.text, page.digest

    def work(index: Index) -> PushReport:
        # connected once the index is fresh: a server ends a connection that waits for that
        with pushing_writer(memory, settings) as (writer, record):
            report = push(
                SharedRows(index),
                writer,
                policy(settings),
                name=settings.name,
                record=record,
                read=read,
                version=version(memory),
                notes=WaitingTombstones(kept(memory)).notes(),
                dry_run=dry_run,
                take_over=take_over,
                progress=memory._tells(progress),
            )
            if dry_run or memory.meaning is None:
                return report
            return report._replace(vectors=_push_vectors(memory.meaning, writer, record))

    with one_at_a_time(memory):
        return memory._access.reads(work)


def _push_vectors(meaning: Meaning, writer: FleetWriter, record: PushRecord) -> int:
    """Send the vectors that the fleet lacks; return how many. Words do not wait for an embedder that fails."""
    try:
        vectors = meaning.search.vectors.refresh()
    except CommonplaceError:
        return 0
    there = writer.pushed()
    state = f"{vectors.name} {vectors.state} {there.state if there else ''}"
    if state == record.embedded:
        return 0
    sent = writer.vectors(vectors.name).send(vectors.read, dimensions=vectors.dimensions)
    if sent is not None:
        record.embedded = state
        record.write(*record.states)
    return sent or 0


def fleet_status(memory: Memory) -> FleetState:
    """How this workspace stands to its fleet: what waits, when it was pushed, which others there are."""
    from commonplace.memory.fleet.fleet_state import FleetState
    from commonplace.ops.fleet.push import difference
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = memory.settings.fleet
    if not settings.url:
        return FleetState(on=False)
    state = FleetState(on=True, url=settings.url, name=settings.name, share=settings.share)
    try:
        with fleet_writer(memory, allowed(memory), patience=fleet_access.ANSWERS) as (writer, record):
            there = writer.pushed()
            found = memory._access.reads(
                lambda index: difference(
                    SharedRows(index), writer, there, policy(settings), version=version(memory), record=record
                )
            )
            told = writer.workspaces()
    except CommonplaceError as error:
        return state._replace(problem=str(error))
    another = there is not None and there.state not in record.states
    return state._replace(
        problem=f"another folder pushed {settings.name}: {_NOT_OURS}" if another else "",
        waits=len(found.changed),
        gone=len(found.gone),
        same=found.same,
        pushed=told.get(settings.name, ""),
        workspaces=tuple(told),
    )


def fleet_recall(memory: Memory, asked: Query) -> Bundle:
    """What the workspaces of the team have on a question, ranked as a recall here, cited as `alpha:memory/….md#L12`."""
    from commonplace.ops.fleet.mark_others import marked
    from commonplace.ops.recall.recall import recall

    settings = allowed(memory)
    from commonplace.memory.fleet.open_fleet import fleet_index

    with fleet_index(memory, settings) as index:
        index.meaning = memory.meaning
        return marked(index.reading(lambda: recall(index, asked, today=memory.today)), settings.name)


def fleet_forget(memory: Memory, id: str, *, again: bool = False) -> FleetForgotten:
    """Delete a fact here as `forget` does, and from the fleet, with a tombstone that keeps older copies of it away.

    If the fleet cannot be reached, it is forgotten here all the same, and the tombstone goes with the next push.

    Args: as of `forget`.
    """
    from commonplace.memory.fleet.fleet_state import FleetForgotten
    from commonplace.ops.fleet.push import bury
    from commonplace.store.postgres.waiting_tombstones import WaitingTombstones
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = allowed(memory)
    done = forget(memory, id, again=again)
    done = done._replace(notes=tuple(note for note in done.notes if note != FLEET_HAS_IT))
    notes = WaitingTombstones(kept(memory)).notes()
    try:
        with one_at_a_time(memory), fleet_writer(memory, settings, patience=fleet_access.WRITES) as (writer, record):
            struck = memory._access.reads(lambda index: bury(SharedRows(index), writer, record=record, notes=notes))
    except CommonplaceError as error:
        return FleetForgotten(done, 0, str(error))
    return FleetForgotten(done, struck)


def fleet_drop(memory: Memory, name: str = "") -> str:
    """Remove what a workspace shared, by default this one, from the fleet; its name. Backups may still have it."""
    from commonplace.ops.fleet.push import bury
    from commonplace.store.postgres.waiting_tombstones import WaitingTombstones
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings = allowed(memory)
    with one_at_a_time(memory), fleet_writer(memory, settings, name, patience=fleet_access.WRITES) as (writer, record):
        if writer.pushed() is None:
            raise NotFound(f"the fleet has no workspace {name or settings.name}", "commonplace fleet status lists them")
        if name in ("", settings.name):  # what was forgotten stays away, also from a later push
            notes = WaitingTombstones(kept(memory)).notes()
            memory._access.reads(lambda index: bury(SharedRows(index), writer, record=record, notes=notes))
        writer.drop()
        record.forget()
    return name or settings.name
