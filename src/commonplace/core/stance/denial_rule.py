"""The rule for a denial: one side says what the other says is not so, and not of something more particular."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.model import Stance
from commonplace.core.stance.clause_comparison import (
    Weighing,
    as_written,
    coverage,
    opposites,
    quantities_differ,
    turned,
)

if TYPE_CHECKING:
    from commonplace.core.stance.stance_clause import Clause
    from commonplace.core.stance.stance_lexicon import StanceLexicon

_DENIED_COVERED = ((7, 0.75), (5, 0.8), (1, 1.0))
"""(minimum words of a denial, share of them that the other side must contain): a long one has more asides."""
_COMPOUNDING = frozenset(("zh",))
_LAPSED = 2
"""Minimum words that a denial of an earlier state must share with it; it may add one."""
_STATED_COVERED = 0.5
"""Minimum share of the stated content that the denial must contain."""


def denied(held: Clause, said: Clause, words: StanceLexicon) -> Weighing | None:
    """Contradicts: one side denies what the other states."""
    if held.negations + said.negations != 1:
        return None
    denial, stated = (held, said) if held.negations else (said, held)
    if (
        not _is_about(denial, stated, words=words)
        or quantities_differ(held, said)
        or opposites(held, said, words=words)
    ):
        return None
    if stated.quantities and any(one.bound != "=" for one in denial.quantities):
        return None  # nothing over 2 GB, at most 2 GB
    if denial.liking and denial.cue == denial.liking and stated.liking:
        return Weighing(Stance.CONTRADICTS, f"antonyms: {held.liking}/{said.liking}")
    side = "the fact" if denial is said else "the opinion"
    return Weighing(
        Stance.CONTRADICTS, f"negation on one side: {side} says {denial.cue} … {as_written(denial, denial.words)}"
    )


def _is_about(denial: Clause, stated: Clause, *, words: StanceLexicon) -> bool:
    """Whether the denied content is the stated content, and not something more specific."""
    if not denial.content or not stated.content or _is_besides(denial, stated, words=words) or turned(denial, stated):
        return False
    if _apart(denial, stated, words=words) or (
        words.language in _COMPOUNDING and _compounded(denial, stated, words=words)
    ):
        return False
    if denial.lapsed and len(denial.content & stated.content) >= _LAPSED:
        extra = denial.content - stated.content - words.carriers
        if len(extra) < _LAPSED and not stated.content - denial.content - words.carriers - words.habits:
            return True  # no longer, in other circumstances
    verbs = words.carriers | words.habits
    if denial.lapsed and denial.content - verbs - words.acquires <= stated.content | denial.name:
        rest = stated.content - denial.content - verbs
        if (denial.content & stated.content) - verbs and all(word in words.exclusive for word in rest):
            return True  # no more tennis, where it was tennis on Sundays
    least = next(share for size, share in _DENIED_COVERED if len(denial.content) >= size)
    if coverage(denial, stated, words=words) < least:
        return False
    if not stated.content.isdisjoint(words.acquires):
        stated = stated._replace(content=stated.content - words.acquires)  # has none, bought one
    return coverage(stated, denial, words=words) >= _STATED_COVERED


def _apart(denial: Clause, stated: Clause, *, words: StanceLexicon) -> bool:
    """Whether the first denied word is not in the stated content: does not list what has worked well."""
    first = denial.denied
    if not first or first in stated.content or first in words.carriers:
        return False
    return words.kinds.get(first, frozenset()).isdisjoint(stated.content) and not any(
        first in words.kinds.get(word, ()) for word in stated.content
    )


def _compounded(denial: Clause, stated: Clause, *, words: StanceLexicon) -> bool:
    """Whether the statement extends a denied word to a compound: an apple, an apple computer."""
    last = len(stated.words) - 1
    return any(
        word in denial.content
        and following not in denial.content
        and following not in words.carriers
        and following not in words.opposites
        and (
            place + 1 == last
            or len(stated.surface[following]) == 1
            or stated.surface[following][0] == stated.surface[word][-1]  # overlapping pairs of characters
        )
        for place, (word, following) in enumerate(pairwise(stated.words))
    )


def _is_besides(denial: Clause, stated: Clause, *, words: StanceLexicon) -> bool:
    """Whether both may be true, though one denies words that the other states."""
    if denial.changing == "ends" or _only_disliked(denial, stated, words=words):
        return True  # is not cancelled
    if denial.event and _only_once(denial, stated):
        return True
    more = stated.content - denial.content
    if more & words.lacks:
        return True  # nobody is there and the place is empty; it does not work and is broken
    if denial.nobody and more - {stated.lead} and not any(words.kinds.get(word) for word in more):
        return True
    if stated.changing == "ends" or (stated.only and not stated.only <= denial.content):
        return True
    return bool(stated.liking and not denial.liking and denial.copula)  # what is not so may still be wanted


def _only_once(denial: Clause, stated: Clause) -> bool:
    """Whether the denial is about one event or wish, which denies neither a preference nor a habit."""
    if denial.liking:
        return denial.once and not (stated.once or denial.lapsed or denial.change)
    return bool(stated.liking) or not stated.event


def _only_disliked(denial: Clause, stated: Clause, *, words: StanceLexicon) -> bool:
    """Whether something disliked in general merely occurs on the other side: dislikes meetings, has one at nine."""
    if not denial.liking or stated.liking:
        return False
    rest = stated.content - denial.content - words.carriers - words.habits
    return bool(stated.quantities or (rest and len(denial.content) == 1))
