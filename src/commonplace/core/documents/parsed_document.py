"""A parsed file as values: its lines, the facts among them, and what is known of the file as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.documents.chunking import Chunk
    from commonplace.core.model import Fact, Problem, Role


class ParsedLine(NamedTuple):
    """A line written by a person or host, or a fact's bullet with its continuation lines."""

    number: int
    """From 1."""
    height: int
    """The number of lines in the file."""
    text: str
    """Without list marker, heading marks, block id and trailer; entities decoded; white space collapsed."""
    parent: int
    """Position in `Document.lines` of the heading, bullet or table header above it; -1 at the top."""
    role: Role
    day: date | None
    speaker: str = ""
    generated: bool = False
    fact: Fact | None = None
    outsider: str = ""
    """The outsider who said a line that is no fact (`core.documents.hearsay`); empty: the author."""


class Document(NamedTuple):
    """One parsed file."""

    path: str
    day: date | None
    lines: tuple[ParsedLine, ...]
    problems: tuple[Problem, ...]
    title: str
    aliases: tuple[str, ...]
    conflict: bool
    """A file with merge markers or a sync tool's copy (`documents.conflict_copies`): searchable, never evidence."""
    unclosed: str = ""
    """What would close the code fence or comment in which the file ends; empty if it ends in neither."""
    copy_of: str = ""
    """The path of the file that this one is a sync tool's conflict copy of."""
    entity: str = ""
    """The name of the entity, if this is its page."""
    chunks: tuple[Chunk, ...] = ()
    """For a large file without regions of ours."""
    regions: tuple[tuple[int, int], ...] = ()
    """The first and last line of each region of ours."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts, in order."""
        return tuple(line.fact for line in self.lines if line.fact is not None)
