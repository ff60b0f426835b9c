"""What a heading or a line that ends in a colon announces: the quote, list or paragraph below it, shown with it.

Laws: it is of the same section, file and day, whole lines in their order, and short enough together; no filter lets a
line through; no line is in two hits.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from commonplace.core.model import Fact, Hit, Origin, Role
from commonplace.core.recall.hit_extent import LONG
from commonplace.core.recall.packing import count_tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from commonplace.core.model import Citation
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.index_rows import StoredLine
    from commonplace.store.sqlite import Index

_MOST = 12
"""Lines below it that are read."""
_FIRST = 3
"""Hits of which those are looked for that are headings: what stands below more of them costs others their place in the
budget."""
_COLONS = (":", "：")


def with_announced(index: Index, question: AnalyzedQuestion, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, each of the first that is a heading or ends in a colon with what it announces, which is no later
    hit."""
    first = hits[: question.query.limit]
    if question.is_filtered or question.window is not None:
        return list(hits)
    headings = {*_headings(index, hits[:_FIRST])}
    if not headings and not any(map(_announces, first)):
        return list(hits)
    found: list[Hit] = []
    taken: set[Citation] = set()
    shown = {place for hit in hits for place in hit.places if hit.also}
    joined = {each.line.source: {*hit.places} for hit in hits if hit.beside for each in (hit, *hit.beside)}
    for hit in hits:
        if hit.line.source in taken:
            continue
        shown.update(hit.places)
        if len(found) < len(first) and (hit.line.source in headings or _announces(hit)):
            below = _whole([*_below(index, hit, shown=shown)], joined)
            taken.update(each.line.source for each in below)
            shown |= taken
            found.append(hit._replace(beside=(*hit.beside, *below)))
        else:
            found.append(hit)
    return found


def _whole(below: list[Hit], joined: Mapping[Citation, Collection[Citation]]) -> list[Hit]:
    """The lines up to the first that is joined with one that is not among them."""
    sources = {each.line.source for each in below}
    return [*takewhile(lambda each: sources.issuperset(joined.get(each.line.source, ())), below)]


def _lines(hit: Hit) -> list[Hit]:
    """The lines of a hit in the order of the file."""
    return sorted((hit, *hit.beside), key=lambda each: each.line.source.line)


def _announces(hit: Hit) -> bool:
    """Whether the last line of a hit is a plain one that nobody says in talk and that ends in a colon."""
    line = _lines(hit)[-1].line
    plain = not isinstance(line, Fact) and line.origin is Origin.LOG and not (line.speaker or hit.opinion)
    return plain and not line.content.startswith("|") and line.content.rstrip(" *_").endswith(_COLONS)


def _headings(index: Index, hits: Sequence[Hit]) -> Iterator[Citation]:
    """Yield the places of the hits that end in a heading, which says of what something is told, and not what."""
    last = {hit.line.source: _lines(hit)[-1].line.source for hit in hits}
    rows = index.rows_at([*last.values()])
    lines = index.lines(rows.values())
    for source, end in last.items():
        if end in rows and rows[end] in lines and lines[rows[end]].role is Role.HEADING:
            yield source


def _below(index: Index, hit: Hit, *, shown: Collection[Citation]) -> Iterator[Hit]:
    """Yield the lines below a hit that its last line announces."""
    lines = _lines(hit)
    rows = [*index.rows_at([lines[-1].line.source]).values()]
    beside = index.neighbours(rows, before=0, after=_MOST)
    near = [row for row, *_ in beside[rows[0]][1]] if beside else []
    stored = index.lines([*rows, *near])
    tokens = sum(count_tokens(each.line.content) for each in lines)
    for each in _announced([stored[row] for row in (*rows, *near) if row in stored]):
        tokens += count_tokens(each.line.content)
        if tokens > LONG or each.line.source in shown:
            return
        yield Hit(each.line, hit.score, ())


def _announced(lines: Sequence[StoredLine]) -> Iterator[StoredLine]:
    """Yield, of the lines from an announcing one on, those that it announces: below a bullet what is under it, below
    anything else one paragraph, or the lines of one list."""
    if not lines:
        return
    first, *others = lines
    sections, end = {first.row, first.parent} if first.role is Role.TEXT else {first.row}, 0
    for each in others:
        line, role = each.line, each.role
        plain = not each.is_fact and not line.speaker and role in (Role.BULLET, Role.TEXT)
        if not plain or each.parent not in sections or role is not others[0].role or (end and line.source.line > end):
            return
        yield each
        if role is Role.TEXT:
            return
        sections.add(each.row)
        end = line.source.line + line.lines
