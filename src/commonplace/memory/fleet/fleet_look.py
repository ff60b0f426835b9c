"""What `status` and `doctor` say of a fleet. Only `doctor` connects to it, and not for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Finding, Level
from commonplace.errors import CommonplaceError
from commonplace.memory.fleet import fleet_access

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.model import Citation
    from commonplace.memory import Memory
    from commonplace.store.sqlite import Index

_WITHIN = 2
"""Seconds that doctor waits for a connection."""
_MOST_NAMED = 3
"""Headings that doctor names."""
_PATIENCE = 3.0
"""Seconds that doctor waits for an answer."""


def fleet_told(memory: Memory, index: Index) -> str:
    """The state of the fleet in one line, without connecting to it; empty if none is on."""
    settings = memory.settings.fleet
    if not settings.url:
        return ""
    try:
        fleet_access.allowed(memory)
    except CommonplaceError as error:
        return f"{settings.name}: {error.message}"
    return f"{settings.name}: {_waits(memory, index)}"


def _waits(memory: Memory, index: Index) -> str:
    """When this workspace was pushed, and what waits since."""
    from commonplace.ops.fleet.push import changed_since, wanted_files
    from commonplace.store.postgres.push_record import PushRecord
    from commonplace.store.postgres.waiting_tombstones import WaitingTombstones
    from commonplace.store.sqlite.shared_rows import SharedRows

    settings, folder = memory.settings.fleet, fleet_access.kept(memory)
    record = PushRecord(folder, settings.name)
    forgets = len(WaitingTombstones(folder).notes().keys() - record.buried)
    waits = f"; {forgets:,} forget{'' if forgets == 1 else 's'} to tell it" if forgets else ""
    pushed = record.pushed()
    if pushed is None:
        return f"never pushed{waits}"
    policy = fleet_access.policy(settings)
    wanted = wanted_files(SharedRows(index), policy, version=fleet_access.version(memory), salt=record.salt)
    changed = changed_since(pushed, wanted)
    return f"pushed {record.when()}, {changed:,} file{'' if changed == 1 else 's'} changed since{waits}"


def _almost_private(memory: Memory, index: Index) -> list[tuple[Citation, str]]:
    """The first headings that somebody could take for private ones."""
    from commonplace.ops.fleet.share_policy import looks_private
    from commonplace.store.sqlite.shared_rows import SharedRows

    policy = fleet_access.policy(memory.settings.fleet)
    found = SharedRows(index).headings()
    return [each for each in found if policy.file(each[0].path) and looks_private(each[1], policy)][:_MOST_NAMED]


def fleet_findings(memory: Memory) -> Iterator[Finding]:
    """Check the settings of a fleet, whether its server answers, and whether it has what this folder pushed."""
    if not memory.settings.fleet.url:
        return
    for place, text in memory._access.reads(lambda index: _almost_private(memory, index)):
        hint = "name it exactly as one of `private` in [fleet], or add it there"
        yield Finding("fleet", Level.WARN, f"what is below “{text}” ({place}) is shared: no private heading", hint)
    try:
        settings = fleet_access.allowed(memory)
        with fleet_access.fleet_open(settings.url, patience=_PATIENCE, within=_WITHIN) as db:
            from commonplace.store.postgres.fleet_writer import FleetWriter
            from commonplace.store.postgres.push_record import PushRecord

            there = FleetWriter(db, settings.name).pushed()
            record = PushRecord(fleet_access.kept(memory), settings.name)
    except CommonplaceError as error:
        yield Finding("fleet", Level.WARN, error.message, error.hint)
        return
    if there is None and record.states:
        said = f"it has nothing of {settings.name}: somebody dropped it, or the tables were made anew"
        yield Finding("fleet", Level.WARN, said, "commonplace fleet push")
    elif there is not None and there.state not in record.states:
        said = f"another folder pushed {settings.name} last: a second machine, or this is a restored copy"
        hint = "choose another name in [fleet], or adopt it here: commonplace fleet push --take-over"
        yield Finding("fleet", Level.WARN, said, hint)
    else:
        yield Finding(
            "fleet", Level.OK, f"{settings.name}: {memory._access.reads(lambda index: _waits(memory, index))}"
        )
