"""Parses a large file again after a small change: only the changed chunks and their neighbours.

Otherwise a log of 100,000 facts that gains one would take five seconds at each write. Law: the kept lines and those
that were read again equal the result of `parse` for the whole text; if that is not certain, nothing is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.chunking import Chunk, ScanState, has_chunk, shifted
from commonplace.core.documents.host_copies import has_copies
from commonplace.core.documents.line_scanner import is_top_item
from commonplace.core.documents.parse import parse, parse_from, title_by_name
from commonplace.core.markdown.structure_scanner import CONFLICTING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.documents.parsed_document import Document


class Part(NamedTuple):
    """The part of a file that was read again."""

    document: Document
    """Its lines, after `above` lines that were not read: the headings and the introducing line above."""
    above: int
    start: int
    """Number of the first line that was read, now and before."""
    stop: int
    """Number that the first line after the part had before; 0: the part reaches to the end."""
    shift: int
    """Number of lines added; negative if removed."""
    chunks: tuple[Chunk, ...]
    """The chunks of the whole file as it is now."""


def reread(path: str, text: str, *, known: Sequence[Chunk]) -> Part | None:
    """Read again the changed part of a text whose chunks are known; None: all of it must be read."""
    first, begin = _same(path, text, known)
    if not first:
        return None
    end, last = len(text), len(known)
    while last > first + 1 and has_chunk(text, end - known[last - 1].size, chunk=known[last - 1]):
        last -= 1
        end -= known[last].size
    if end < begin:
        return None
    found = _part(path, text[begin:end], known=known, first=first, last=last)
    return found or (
        _part(path, text[begin:], known=known, first=first, last=len(known)) if last < len(known) else None
    )


def end_of(path: str, text: str, *, known: Sequence[Chunk]) -> Document:
    """Parse a text whose chunks are known, only from the first chunk that changed, or the last chunk, on."""
    first, begin = _same(path, text, known)
    part = _part(path, text[begin:], known=known, first=first, last=len(known)) if first else None
    return parse(path, text) if part is None else part.document


def _same(path: str, text: str, known: Sequence[Chunk]) -> tuple[int, int]:
    """Return the number of unchanged chunks at the beginning, except the last chunk, and their length in characters; 0
    if all of it must be read.
    """
    first = begin = 0
    if has_copies(path, text):
        return 0, 0
    # what is added after the last line may belong to its item: that chunk is always read
    while first < len(known) - 1 and has_chunk(text, begin, chunk=known[first]):
        begin += known[first].size
        first += 1
    if first and not is_top_item(text[begin : begin + 3]):  # it belongs to the line above
        first -= 1
        begin -= known[first].size
    if first and any(not number for _, number, *_ in known[1].mark.headings) != bool(title_by_name(path, text)):
        return 0, 0  # a title that was added, or is gone, is above all lines or none
    return first, begin


def _part(path: str, text: str, *, known: Sequence[Chunk], first: int, last: int) -> Part | None:
    """Read the text that replaces these chunks; None if it affects what is before or after it."""
    start, stop = known[first].mark, known[last].mark if last < len(known) else None
    document = _read(path, text, start=start, stop=stop)
    if document is None:
        return None
    above = len(start.headings) + (start.intro[0] > 0)
    # an empty one would be before any line, even one that belongs to the chunk above
    kept = (*known[:first], *(chunk for chunk in document.chunks if chunk.size))
    if stop is None:
        return Part(document, above, start.number, 0, 0, kept)
    shift = text.count("\n") - (stop.number - start.number)
    behind = (shifted(chunk, stop.number, shift=shift) for chunk in known[last:])
    return Part(document, above, start.number, stop.number, shift, (*kept, *behind))


def _read(path: str, text: str, *, start: ScanState, stop: ScanState | None) -> Document | None:
    """Parse a part; None if what is before or after it would be read differently, too."""
    if ("<!--" in text and "commonplace" in text) or "\0" in text or any(mark in text for mark in CONFLICTING):
        return None
    if not any(number for _, number, *_ in start.headings):  # the first heading is the title
        return None
    if stop is not None and text[text.rfind("\n", 0, -1) + 1 :].startswith("**"):
        return None  # it may be the title of the list that begins right behind the part
    document, end = parse_from(start, path, text=text)
    if document.unclosed or not document.chunks:
        return None
    if stop is not None:
        lines_above = (end.intro[0], *(number for _, number, _, _ in end.headings))
        if end._replace(number=stop.number) != stop or max(lines_above) >= start.number:
            return None
    return document
