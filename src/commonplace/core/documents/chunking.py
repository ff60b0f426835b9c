"""Splits a large file into chunks of some hundred lines, each with its digest and the scanner's state at its start.

They show what part of a file changed, and where reading it again can begin (`core.documents.reread`).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CHUNK = 512
"""Lines of a chunk, or a few more: the next one begins at an unindented list item."""
LARGE = 4 * CHUNK
"""Lines of a file above which chunks are worth it."""


class ScanState(NamedTuple):
    """The state of a scan before an unindented list item. Days are proleptic ordinals, 0 if there is none."""

    number: int
    """The number, from 1, of the line before which it was taken."""
    headings: tuple[tuple[int, int, str, int], ...]
    """For each heading above, outermost first: level, line number, text, and the day before it."""
    intro: tuple[int, str]
    """Line number and text of the line that introduces the list; (0, "") if there is none."""
    day: int
    near: int
    retain: int
    """Level of the Retain heading above, or 0."""
    headless: bool
    """Whether all headings so far are Retain headings."""


START = ScanState(1, (), (0, ""), 0, 0, 0, headless=True)


class Chunk(NamedTuple):
    """Lines of a file as they were read."""

    mark: ScanState
    """The state before its first line."""
    size: int
    """In characters."""
    digest: bytes


def chunks(text: str, *, first: ScanState | None, marks: Sequence[ScanState]) -> tuple[Chunk, ...]:
    """Split a text, with this state before it if it is no whole file, into chunks from one mark to the next; none if
    there are no marks.
    """
    if first is None and not marks:
        return ()
    found, at = [], 0
    begins = (first or START, *marks)
    for mark, behind in zip(begins, (*marks, None), strict=True):
        end = len(text)
        if behind is not None:
            end = at
            for _ in range(behind.number - mark.number):
                end = text.index("\n", end) + 1
        found.append(Chunk(mark, end - at, _digest(text[at:end])))
        at = end
    return tuple(found)


def has_chunk(text: str, at: int, *, chunk: Chunk) -> bool:
    """Whether a text contains a chunk at this offset, from the beginning of a line."""
    if at < 0 or (at and text[at - 1] != "\n"):
        return False
    return _digest(text[at : at + chunk.size]) == chunk.digest


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def shifted(chunk: Chunk, stop: int, *, shift: int) -> Chunk:
    """Return a chunk with its line numbers shifted, from number `stop` on."""

    def moved(number: int) -> int:
        return number + shift if number >= stop else number

    mark = chunk.mark
    headings = tuple((level, moved(number), text, before) for level, number, text, before in mark.headings)
    intro = (moved(mark.intro[0]), mark.intro[1])
    return chunk._replace(mark=mark._replace(number=mark.number + shift, headings=headings, intro=intro))
