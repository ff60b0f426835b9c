"""The fleet that a memory asked or pushed to last, whose connection serves its next question and push, too."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from psycopg import Error

from commonplace.errors import FleetUnusable
from commonplace.memory.fleet import fleet_access
from commonplace.memory.fleet.fleet_access import kept, open_connection, refusals
from commonplace.store.postgres.fleet_admin import require_member
from commonplace.store.postgres.fleet_index import FleetIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.config.fleet_settings import FleetSettings
    from commonplace.memory import Memory
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.patient_connection import PatientConnection
    from commonplace.store.postgres.push_record import PushRecord

IDLE = 60.0
"""Seconds for which a connection may wait for the next question: what is on the way may drop one that is silent."""
AGE = 600.0
"""Seconds for which one connection is asked: a role that may no longer log in then learns it."""


class OpenFleet(NamedTuple):
    """A fleet that was asked, and may be asked again."""

    url: str
    opened: float
    """When, by a clock that only runs."""
    asked: float
    db: PatientConnection
    answers: FleetIndex

    def close(self) -> None:
        """Close the connection."""
        self.db.close()


@contextmanager
def fleet_index(memory: Memory, settings: FleetSettings) -> Iterator[FleetIndex]:
    """What answers questions."""
    with _open_fleet(memory, settings.url) as fleet:
        fleet.answers.own = settings.name
        yield fleet.answers


@contextmanager
def pushing_writer(memory: Memory, settings: FleetSettings) -> Iterator[tuple[FleetWriter, PushRecord]]:
    """What writes this workspace's rows, and what this folder knows of its state there."""
    from commonplace.store.postgres.fleet_writer import FleetWriter
    from commonplace.store.postgres.push_record import PushRecord

    with _open_fleet(memory, settings.url) as fleet:
        fleet.db.patience = fleet_access.WRITES
        yield FleetWriter(fleet.db, settings.name), PushRecord(kept(memory), settings.name)
        fleet.db.patience = fleet_access.ANSWERS


@contextmanager
def _open_fleet(memory: Memory, url: str) -> Iterator[OpenFleet]:
    """A connection, which stays open for what is asked or pushed in the next minute: to open one, and to learn there
    what our tables and statements are, takes a server longer than to answer.
    """
    before, memory.open_fleet = memory.open_fleet, None
    fleet = _still_open(before, url) if before is not None else None
    if fleet is None:
        db = open_connection(url, patience=fleet_access.ANSWERS)
        fleet = OpenFleet(url, monotonic(), 0, db, FleetIndex(db))
    try:
        with refusals():
            if fleet is not before:
                require_member(fleet.db, kept=True)
            yield fleet
    except BaseException:
        fleet.close()
        raise
    memory.open_fleet = fleet._replace(asked=monotonic())


def _still_open(fleet: OpenFleet, url: str) -> OpenFleet | None:
    """The same, if it answers that it may be asked still."""
    if fleet.url == url and monotonic() < min(fleet.asked + IDLE, fleet.opened + AGE):
        with suppress(Error, FleetUnusable):
            require_member(fleet.db, kept=True)
            return fleet
    fleet.close()
    return None
