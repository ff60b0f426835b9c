"""The fleet that a memory asked last, whose connection serves its next question, too."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from psycopg import Error

from commonplace.errors import FleetUnusable
from commonplace.memory.fleet import fleet_access
from commonplace.memory.fleet.fleet_access import open_connection, refusals
from commonplace.store.postgres.fleet_admin import require_member
from commonplace.store.postgres.fleet_index import FleetIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.memory import Memory
    from commonplace.store.postgres.patient_connection import PatientConnection

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
def fleet_index(memory: Memory, url: str) -> Iterator[FleetIndex]:
    """What answers questions. Its connection stays open for those of the next minute: to open one, and to learn there
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
            yield fleet.answers
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
