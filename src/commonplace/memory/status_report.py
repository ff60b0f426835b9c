"""The state of a workspace and its index, as `status` reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from commonplace.store.fs.server_records import Server
    from commonplace.store.workspace.unread_files import LeftOut


class Status(NamedTuple):
    """What the workspace holds and how fresh the index is."""

    root: str
    index_path: str
    index_bytes: int
    fresh: bool
    """Whether the index knew every file before it was asked."""
    writable: bool
    exchange: bool
    """Whether writes are published by an atomic exchange; else by lock and compare."""
    files: int
    lines: int
    facts: int
    entities: int
    opinions: int
    problems: int
    read: dict[str, int]
    """How many files are read in each folder at the top; `./` is the workspace itself."""
    left_out: tuple[LeftOut, ...]
    """What is not read, by folder, and why."""
    servers: tuple[Server, ...]
    """MCP servers over HTTP that run for this workspace; writes through them need the token that each printed."""
    meaning: str
    """Whether recall searches by meaning: the embedder and how much is embedded, or why it does not work."""
    fleet: str
    """Whether a fleet is on, and what waits to be pushed, as far as this folder knows; empty: none is."""
    today: date
    zone: str
    notes: tuple[str, ...]
