"""Problems of a whole file by code: one table of what follows from each.

docs/format.md lists the codes and what a person can do about each.
"""

from typing import NamedTuple

from commonplace.core.model import Level

NOT_UTF8 = "not-utf8"
UNREADABLE = "unreadable"
NOT_A_FILE = "not-a-file"
NOT_DOWNLOADED = "not-downloaded"
TOO_LARGE = "too-large"
SAME_NAME = "same-name"
LINK_BROKEN = "link-broken"
LINK_OUTSIDE = "link-outside"
CONFLICT_COPY = "conflict-copy"
MERGE = "merge-conflict"
WAITING = "waiting-save"
SECRET = "secret"  # a code, not a password


class Fault(NamedTuple):
    """What follows from a problem of a file or folder."""

    area: str
    """The area under which doctor reports it."""
    level: Level = Level.WARN
    """The severity in doctor's report."""
    unread: bool = True
    """Whether nothing of it is read."""
    there: bool = True
    """Whether what was read from it before stays valid, because it exists and only cannot be read."""
    told: bool = False
    """Whether every answer mentions it even if it was never read before; else it may be intended, as a pipe may be."""
    hides: bool = False
    """Whether it may contain, or be, files that were read elsewhere before."""


FAULTS = {
    UNREADABLE: Fault("files", level=Level.WRONG, told=True, hides=True),
    NOT_UTF8: Fault("files", level=Level.WRONG, told=True, hides=True),
    NOT_A_FILE: Fault("files", level=Level.WRONG),
    NOT_DOWNLOADED: Fault("sync", told=True, hides=True),
    TOO_LARGE: Fault("files"),
    LINK_BROKEN: Fault("files", hides=True),
    LINK_OUTSIDE: Fault("files"),
    SAME_NAME: Fault("files", there=False),
    CONFLICT_COPY: Fault("sync", unread=False, there=False),
    MERGE: Fault("sync", level=Level.WRONG, unread=False, there=False, told=True),
    WAITING: Fault("leftovers", unread=False, there=False),
    SECRET: Fault("secrets", unread=False, there=False),
}
UNREAD = frozenset(code for code, fault in FAULTS.items() if fault.unread)
THERE = frozenset(code for code, fault in FAULTS.items() if fault.there)
TOLD = frozenset(code for code, fault in FAULTS.items() if fault.told)
HIDING = frozenset(code for code, fault in FAULTS.items() if fault.hides)
