"""How much a hit shows: of a long line the part that answers best, of short lines side by side all of them.

One message should not take the budget of ten, and one hit with its neighbours reads better than three that leave no
room for others. Laws: an excerpt is one piece of its line, word for word, so that the citation still contains it. A
joined hit has its lines whole, in the order of the file, and cites all of them; only hits are joined, so that a filter
lets no other line through; no line is in two hits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Fact, Origin
from commonplace.core.recall.packing import count_tokens
from commonplace.core.recall.term_match import Sought
from commonplace.core.when.words.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from commonplace.core.model import Citation, Hit
    from commonplace.core.text.analyzer import Term

LONG = 160
"""Tokens above which a line is long: its excerpt and nine others fit into the default budget."""
SHORT = 90
"""Maximum tokens of an excerpt; a sentence that alone is longer is divided at a space, if it has one."""
_PIECE = 40
"""Tokens of a sentence above which it is divided."""
_AGAIN = 0.1
"""Worth of a term that the excerpt has already, as a share."""
_MOST = 60_000
"""Characters that are searched, from the start."""
ASIDE = 35
"""Maximum tokens of a line that is joined with those beside it; a longer one is a passage of its own."""
_AS_GOOD = 0.6
"""Minimum share of the best score among lines that are joined."""
BETWEEN = "\n- "
"""What is between the lines of a joined hit: as in the file, so that each reader sees a list."""


def excerpted(hit: Hit, terms: Sequence[tuple[Term, float]]) -> Hit:
    """Return the hit, of a long line that is no fact with an excerpt as its content.

    Args:
        terms: the terms of the question with their worth.
    """
    line = hit.line
    if line.origin is not Origin.LOG or hit.opinion is not None or count_tokens(line.content) <= LONG:
        return hit
    start, end = _best(line.content[:_MOST], terms)
    return hit._replace(line=line._replace(content=line.content[start:end].strip()), excerpt=True)


def _best(text: str, terms: Sequence[tuple[Term, float]]) -> tuple[int, int]:
    """The consecutive pieces of a text with the most worth that are short enough together; of equals the first."""
    pieces = [piece for start, end in sentences(text) for piece in _divided(text, start, end=end)]
    costs = [count_tokens(text[start:end]) for start, end in pieces]
    sought = Sought([term for term, _ in terms])
    counts = [sought.hits(text[start:end])[0] for start, end in pieces]
    best, chosen = -1.0, (0, 1)
    for first in range(len(pieces)):
        last, spent = first, 0
        while last < len(pieces) and (last == first or spent + costs[last] <= SHORT):
            spent += costs[last]
            last += 1
        within = [sum(each) for each in zip(*counts[first:last], strict=True)]
        worth = sum(
            value * (1 + _AGAIN * (min(count, 3) - 1)) for (_, value), count in zip(terms, within, strict=True) if count
        )
        if worth > best + 1e-9:
            best, chosen = worth, (first, last)
    return pieces[chosen[0]][0], pieces[chosen[1] - 1][1]


def _divided(text: str, start: int, *, end: int) -> list[tuple[int, int]]:
    """A sentence as pieces of about `_PIECE` tokens."""
    cost = count_tokens(text[start:end])
    if cost <= _PIECE:
        return [(start, end)]
    step = max(1, (end - start) * _PIECE // cost)
    found = []
    while end - start > step:
        space = text.rfind(" ", start + 1, start + step)
        cut = space if space > 0 else start + step
        found.append((start, cut))
        start = cut
    return [*found, (start, end)]


def side_by_side(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, each plain line with those directly above and below it in `beside`, as long as all are short.

    Joined are lines of one section with the same day, below the headings and bullets of the first of them. A fact and a
    row of a table stand alone, and so does what somebody says in a conversation.
    """
    at_line = {(hit.line.source.path, hit.line.source.line): at for at, hit in enumerate(hits) if _is_plain(hit)}
    ends = {(path, line + hits[at].line.lines): at for (path, line), at in at_line.items()}
    taken: set[int] = set()
    joined: list[Hit] = []
    for at, hit in enumerate(hits):
        if at in taken:
            continue
        run = [at]
        while wider := _wider(run, hits, at_line=at_line, ends=ends, taken=taken):
            run = wider
        taken.update(run)
        joined.append(hit._replace(beside=tuple(hits[each] for each in run if each != at)))
    return joined


def _wider(
    run: list[int],
    hits: Sequence[Hit],
    *,
    at_line: Mapping[tuple[str, int], int],
    ends: Mapping[tuple[str, int], int],
    taken: Collection[int],
) -> list[int]:
    """The places of a run of hits with the better of the two beside it that may be joined; empty if neither may be."""
    top, last = hits[run[0]].line, hits[run[-1]].line
    if (top.source.path, top.source.line) not in at_line:
        return []
    above = ends.get((top.source.path, top.source.line))
    below = at_line.get((last.source.path, last.source.line + last.lines))
    for beside in sorted(each for each in (above, below) if each is not None and each not in taken):
        wider = [beside, *run] if beside == above else [*run, beside]
        if _is_one([hits[each] for each in wider]):
            return wider
    return []


def _is_plain(hit: Hit) -> bool:
    """Whether a hit is a line that may be joined: nothing is said of it that holds for it alone."""
    line = hit.line
    alone = isinstance(line, Fact) or line.origin is not Origin.LOG or line.speaker or line.trailer.outsider
    marked = hit.opinion or hit.superseded_by or hit.disputed_by or hit.outdated_by
    return not (alone or marked or line.content.startswith("|")) and count_tokens(line.content) <= ASIDE


def _is_one(hits: Sequence[Hit]) -> bool:
    """Whether lines in the order of the file are of one section and day, about equally good, and short together."""
    first = hits[0].line
    return (
        all(each.line.context[: len(first.context)] == first.context for each in hits)
        and all(each.line.timestamp == first.timestamp for each in hits)
        and min(each.score for each in hits) >= _AS_GOOD * max(each.score for each in hits)
        and sum(count_tokens(each.line.content) for each in hits) <= LONG
    )


def apart(hits: Sequence[Hit], outdated: Collection[Citation]) -> list[Hit]:
    """Return the hits, each line of a joined one by itself again if one of its lines is outdated."""
    found: list[Hit] = []
    for hit in hits:
        lines = (hit, *hit.beside)
        parts = hit.beside and any(each.line.source in outdated for each in lines)
        found += [each._replace(beside=()) for each in lines] if parts else [hit]
    return found


def as_one(hit: Hit) -> Hit:
    """Return a joined hit as it is shown: with the text of all its lines, from the first of them on."""
    if not hit.beside:
        return hit
    run = sorted((hit, *hit.beside), key=lambda each: each.line.source.line)
    first, last = run[0].line, run[-1].line
    line = hit.line._replace(
        content=BETWEEN.join(each.line.content for each in run),
        source=first.source,
        lines=last.source.line + last.lines - first.source.line,
        context=first.context,
        entities=tuple(dict.fromkeys(name for each in run for name in each.line.entities)),
        mentions=tuple(dict.fromkeys(name for each in run for name in each.line.mentions)),
    )
    also = tuple(place for each in run for place in each.also)
    return hit._replace(line=line, also=also, beside=tuple(each._replace(also=()) for each in run[1:]))
