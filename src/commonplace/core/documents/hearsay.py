"""Which lines of a file somebody else said, by a trailer in the line or above it.

A trailer applies to the whole statement that contains it: a bullet or paragraph with all its lines, a row, a heading;
on a line of its own, to the statement right above. Lines below a bullet, or below the line that introduces a list, are
by the same outsider, facts included, even if their own trailers name the author. Lines below a heading are not: anybody
may write under it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import render_bare, split_tail, trailed
from commonplace.core.documents.name_mentions import is_handle
from commonplace.core.markdown.syntax import indent_of
from commonplace.core.model import Origin, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.documents.parsed_document import ParsedLine

LINES_OF_A_TRAILER = 4
"""Most lines of a trailer that begins on a line of its own."""


def attributed(lines: list[ParsedLine], raw: Sequence[str], *, first: int) -> list[ParsedLine]:
    """Return the lines of a document, with the outsider for each that an outsider said.

    Args:
        raw: the unchanged lines of the text.
        first: the number of the first of them.
    """
    numbers = [line.number for line in lines]
    told: dict[int, str] = {}
    for number, text in enumerate(raw, first):
        if "<!--" not in text or not trailed(text):
            continue
        at = bisect_right(numbers, number) - 1
        if at < 0 or at in told or number >= lines[at].number + lines[at].height:
            continue
        if lines[at].fact is not None:
            said = _around(lines, at, number=number, raw=raw, first=first)
            trailer = _comment(raw, number - first)
        elif lines[at].role is Role.CODE:
            said = _above(lines, at, raw=raw, first=first)
            trailer = _comment(raw, number - first)
        else:
            said = _statement(lines, at)
            trailer = raw[numbers[said[0]] - first : numbers[said[-1]] + lines[said[-1]].height - first]
        if said and (who := split_tail("\n".join(trailer))[1].outsider):
            told.update(dict.fromkeys(said, who))
    if not told and not any(line.fact is not None and line.fact.trailer.src for line in lines):
        return lines
    found: list[ParsedLine] = []
    for at, line in enumerate(lines):
        who = told.get(at, "")
        if not who and 0 <= line.parent < at and line.role is not Role.HEADING:
            above = found[line.parent]
            if above.role is not Role.HEADING:
                who = said_by_other(above)
        found.append(_as_said(line, who) if who else line)
    return found


def said_by_other(line: ParsedLine) -> str:
    """Return the outsider who said a line, fact or not; empty: the author."""
    return line.outsider if line.fact is None else line.fact.trailer.outsider


def no_fact(line: ParsedLine) -> ParsedLine:
    """Return a line that is searchable but no fact: without trailer and block id, with the same outsider."""
    if line.fact is None:
        return line
    return line._replace(text=render_bare(line.fact), fact=None, outsider=said_by_other(line))


def _as_said(line: ParsedLine, who: str) -> ParsedLine:
    """Return a line as said by this outsider; a fact whose own trailer names another outsider is unchanged."""
    fact = line.fact
    if fact is None:
        return line._replace(outsider=who)
    if fact.trailer.outsider:
        return line
    origin = Origin.RETAINED if fact.origin is Origin.INFERRED else fact.origin
    return line._replace(fact=fact._replace(trailer=fact.trailer._replace(src=who), origin=origin))


def _comment(raw: Sequence[str], at: int) -> Sequence[str]:
    """Return the lines of a comment that begins on a line of its own."""
    for end in range(at, min(at + LINES_OF_A_TRAILER, len(raw))):
        if "-->" in raw[end]:
            return raw[at : end + 1]
    return []


def _around(lines: Sequence[ParsedLine], at: int, *, number: int, raw: Sequence[str], first: int) -> list[int]:
    """Return the lines of the bullet around a nested fact, if a trailer on a line of its own below the fact is indented
    no deeper than the fact, and so applies to both.
    """
    line, parent = raw[number - first], lines[at].parent
    alone = number > lines[at].number and line.lstrip().startswith("<!--")
    if not alone or not 0 < indent_of(line) <= indent_of(raw[lines[at].number - first]):
        return []
    while parent >= 0 and lines[parent].role is Role.BULLET:
        if indent_of(raw[lines[parent].number - first]) < indent_of(line):
            return _statement(lines, parent)
        parent = lines[parent].parent
    return []


def _above(lines: Sequence[ParsedLine], at: int, *, raw: Sequence[str], first: int) -> list[int]:
    """Return the lines to which a trailer on a line of its own applies, and its own; none if it applies to nothing or
    is in a fence.
    """
    start = at
    while _beside(lines, start) and lines[start - 1].role is Role.ROW:
        start -= 1
    if start < at:
        return [*range(start, at + 1)]  # below a table: all its rows
    depth = max(indent_of(raw[lines[at].number - first]), 1)
    while _below(lines, start) and lines[start - 1].role in (Role.BULLET, Role.TEXT):
        start -= 1
        if lines[start].role is Role.BULLET and indent_of(raw[lines[start].number - first]) < depth:
            return [*_statement(lines, start), at]  # the bullet that it is indented below, with all its lines
    return [*_statement(lines, at - 1), at] if start < at else []


def _statement(lines: Sequence[ParsedLine], at: int) -> list[int]:
    """Return the lines of the statement that this line is part of."""
    start, stop = at, at + 1
    while (
        lines[start].role is Role.TEXT and _beside(lines, start) and lines[start - 1].role in (Role.BULLET, Role.TEXT)
    ):
        start -= 1
    if lines[at].role in (Role.BULLET, Role.TEXT):
        while stop < len(lines) and lines[stop].role is Role.TEXT and _beside(lines, stop):
            stop += 1
    if _is_said(lines[start]):  # a chat: the lines of one speaker
        begins = [each for each in range(start, stop) if _is_said(lines[each])]
        start = max(each for each in begins if each <= at)
        stop = min((each for each in begins if each > at), default=stop)
    return [*range(start, stop)]


def _is_said(line: ParsedLine) -> bool:
    """Whether a line begins with a name. A label in small letters may be a field, and a trailer is of all fields."""
    return bool(line.speaker) and not is_handle(line.speaker)


def _below(lines: Sequence[ParsedLine], at: int) -> bool:
    """Whether a line is right below the line before it."""
    return at > 0 and lines[at - 1].number + lines[at - 1].height == lines[at].number


def _beside(lines: Sequence[ParsedLine], at: int) -> bool:
    """Whether a line is right below the line before it, and that is no fact."""
    return _below(lines, at) and lines[at - 1].fact is None
