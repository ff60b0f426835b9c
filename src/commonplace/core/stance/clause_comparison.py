"""Two clauses side by side: how much they share, what is opposite in them, and what they count.

Nothing here decides a stance; the rules do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.stance.stance_clause import LOCAL_NEGATION, Clause, Quantity

if TYPE_CHECKING:
    from commonplace.core.model import Stance
    from commonplace.core.stance.stance_lexicon import StanceLexicon

_WHO_DOES_WHOM = 3
_STEM = 4
"""Minimum letters of a word that a prefix can turn into its opposite."""
_FRAME = 0.6
"""Minimum shared part of the rest of each clause for a difference to count."""


class Weighing(NamedTuple):
    """The stance of a fact on an opinion."""

    stance: Stance
    reason: str
    """In words, for people."""


def kana_replaced(held: Clause, said: Clause) -> bool:
    """Whether a word of one side meets only function words on the other: a noun in hiragana, mistaken for particles."""
    return any(
        one.content - other.content and len(other.light - other.content - one.light) > 1
        for one, other in ((held, said), (said, held))
    )


def coverage(one: Clause, other: Clause, *, words: StanceLexicon) -> float:
    """Return the share of one clause's content that the other contains.

    A missing leading name counts only against another name.
    """
    if not one.content:
        return 0.0
    missing = one.content - other.content
    if not missing:
        return 1.0
    found = len(one.content) - len(missing)
    size = len(one.content)
    for word in missing:
        if any(word in words.kinds.get(specific, ()) for specific in other.content):
            found += 1
        elif (word in words.carriers and size > 1) or (
            word in one.name and (not other.lead or other.lead in one.content) and size > 1
        ):
            size -= 1
    return found / size


def opposites(held: Clause, said: Clause, *, words: StanceLexicon) -> list[tuple[str, str]]:
    """Return pairs of opposite words, each only on its own side."""
    found = []
    rest = said.light - held.light
    for word in held.light - said.light:
        meet = rest & words.opposites.get(word, frozenset())
        if not meet:
            meet = rest & {word.removeprefix(LOCAL_NEGATION), LOCAL_NEGATION + word}
        for prefix in words.prefixes if not meet else ():
            bare = word.removeprefix(prefix)
            if len(bare) >= _STEM:
                meet = meet | (rest & {prefix + word, bare})
        if meet:
            found.append((word, min(meet)))
    return found


def same_frame(left: frozenset[str], right: frozenset[str], *, words: StanceLexicon, least: float = _FRAME) -> bool:
    """Whether most words around a difference are the same; frequencies and light verbs do not count."""
    if left == right:
        return True
    often = {word for word in left ^ right if words.exclusive.get(word) == "frequency"}
    if len({word in left for word in often}) == 1:  # only one side has a frequency
        left, right = left - often, right - often
    left, right = left - (words.carriers - right), right - (words.carriers - left)
    shared = len(left & right)
    return shared >= least * len(left) and shared >= least * len(right)


def same_subject(held: Clause, said: Clause, *, words: StanceLexicon, but: frozenset[str]) -> bool:
    """Whether the first content word of one side, `but` for what differs, is also in the other."""
    mine, theirs = (
        next((word for word in clause.words if word not in but and word not in words.carriers), "")
        for clause in (held, said)
    )
    return not mine or not theirs or mine in said.content or theirs in held.content


def quantities_differ(held: Clause, said: Clause) -> tuple[Quantity, Quantity] | None:
    """Return two counts of the same unit that exclude each other; None if any count is shared."""
    for old in held.quantities:
        same = [new for new in said.quantities if new.unit == old.unit]
        if same and all(excludes(old, new) for new in same):
            return old, same[0]
    return None


def units_differ(held: Clause, said: Clause) -> bool:
    """Whether both sides count, with no unit in common."""
    units = {one.unit for one in held.quantities}
    return bool(units and said.quantities) and units.isdisjoint(one.unit for one in said.quantities)


def excludes(old: Quantity, new: Quantity) -> bool:
    """Whether two counts of one unit exclude each other: at most five, at least five."""
    if old.bound == new.bound:
        return old.value != new.value
    if old.bound == "=":
        old, new = new, old
    if new.bound != "=":
        return old.value <= new.value if old.bound == "<" else old.value >= new.value
    return new.value > old.value if old.bound == "<" else new.value < old.value


def roles_differ(held: Clause, said: Clause) -> bool:
    """Whether the shared words are in another order, which may swap who does what to whom."""
    if held.passive != said.passive:
        return False
    shared = held.content & said.content
    return [word for word in held.words if word in shared] != [word for word in said.words if word in shared]


def preference(clause: Clause) -> str:
    """Return what is chosen over what, as written."""
    return f"{as_written(clause, clause.words)} over {as_written(clause, clause.rejected)}"


def turned(one: Clause, other: Clause, *, but: frozenset[str] = frozenset()) -> bool:
    """Whether subject and object are swapped around the same verb, `but` for what differs."""
    shared = (one.content & other.content) - but
    mine, theirs = ([word for word in clause.words if word in shared] for clause in (one, other))
    return len(mine) == _WHO_DOES_WHOM and mine == theirs[::-1] and one.passive == other.passive


def as_written(clause: Clause, concepts: tuple[str, ...] | frozenset[str]) -> str:
    """Return concepts in the words of a clause; those of a set in the order of the text."""
    if isinstance(concepts, frozenset):
        concepts = (*(word for word in clause.surface if word in concepts), *sorted(concepts - clause.surface.keys()))
    return " ".join(clause.surface.get(concept, concept) for concept in concepts)
