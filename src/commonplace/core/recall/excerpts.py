"""Excerpts: of a long line the part that answers best, so that one message does not take the budget of ten.

Law: an excerpt is one piece of its line, word for word, so that the citation still contains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Origin
from commonplace.core.recall.packing import count_tokens
from commonplace.core.recall.term_match import Sought
from commonplace.core.when.words.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import Hit
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
