"""Whether a newer line outdates an older one: both state something of one subject that cannot hold at once.

Laws: a line in doubt outdates nothing; a line that only names another value of a counter or measurement outdates
nothing, for a change must be told; what both lines say is no change.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.changes.change_lexicon import REPLACED, conflicts, small_terms
from commonplace.core.changes.stated_states import VALUE

if TYPE_CHECKING:
    from commonplace.core.changes.stated_states import StatedState, ToldStates

_ALIKE = 0.6
"""Share of the terms of two subjects that they have in common at least."""
_WORDS = 2
"""Terms that two subjects have in common at least, if they are no labels; a sign of Chinese or Japanese is none."""
_MOSTLY = 0.5
"""Share of the terms of a line with a number that the line has which says that the number changed."""
_SWAPPED = 3
"""Terms of a value that may stand in another order: those of a day."""
_SPECIFIC = 4
"""Terms of a value that says alone which one is meant: an address, a path, a sentence."""


def corrects(line: ToldStates, other: ToldStates) -> bool:
    """Return whether a line says of a value of another that it is not so, or no longer: it need not be newer."""
    said = line._replace(replaced=tuple(each for each in line.replaced if each.is_said))
    return line.terms != other.terms and _replaces(said, other)


def outdates(newer: ToldStates, older: ToldStates) -> bool:
    """Return whether a line that is surely newer says that an older one no longer holds."""
    if newer.terms == older.terms:
        return False
    return _replaces(newer, older) or (
        not newer.doubtful
        and any(_excludes(one, other, older) for one in newer.statements for other in older.statements)
    )


def ended_by(older: ToldStates) -> frozenset[str]:
    """Return what a newer line must tell to outdate this one: that a value was replaced, or one of these states."""
    states = {each.state for each in older.statements}
    ended = {newer for state, newer in conflicts() if state in states}
    return frozenset((REPLACED, *ended, *(VALUES_END if VALUE in states else ())))


VALUES_END = ("off", "moved")
"""States that end any value of a label."""


def _excludes(newer: StatedState, older: StatedState, line: ToldStates) -> bool:
    shared = newer.subject & older.subject
    if _are_told_apart(newer, older) or len(shared) < _ALIKE * len(newer.subject | older.subject):
        return False
    if any(each.state == newer.state for each in line.statements if each.subject & newer.subject):
        return False
    if line.doubtful and older.state != "open":
        return False
    if older.state == VALUE:
        return newer.state in VALUES_END and newer.subject == older.subject
    if sum(len(term) > 1 for term in shared) < _WORDS and not (newer.labelled and older.labelled):
        return False
    return (older.state, newer.state) in conflicts()


def _are_told_apart(newer: StatedState, older: StatedState) -> bool:
    """Whether one word has other numbers in two subjects: pump 1, pump 2."""
    words = {word for word, _ in newer.numbers} & {word for word, _ in older.numbers}
    return bool(words) and newer.numbers.isdisjoint(older.numbers)


def _replaces(newer: ToldStates, older: ToldStates) -> bool:
    small = small_terms()
    labelled = bool(newer.label) and bool(older.label) and (newer.label <= older.label or older.label <= newer.label)
    for old, new, is_said, is_exact in newer.replaced:
        if labelled and newer.label == older.label and not is_said and _counts_on(old, new, older):
            return True
        if not _has(older.terms, old) or (new and _has(older.terms, new[:3])):
            continue
        if any(_has(each.old, old) for each in older.replaced):
            continue
        if not is_said:
            if labelled and any(map(str.isdigit, "".join(old))):
                return True
            continue
        shared = {*newer.terms} & {*older.terms} - {*old} - {*new} - small
        worth = len([term for term in old if term not in small])
        needed = 1.0 if any(map(_is_identifier, old)) else 2.0
        if all(map(str.isdecimal, old)):  # a number alone is that of many things
            needed = max(needed, len({*older.terms} - {*old} - small) * _MOSTLY)
        if labelled or is_exact or worth >= _SPECIFIC or len({term for term in shared if len(term) > 1}) >= needed:
            return True
    return False


def _counts_on(old: tuple[str, ...], new: tuple[str, ...], older: ToldStates) -> bool:
    """Whether `700→800 kg` follows a line with another number of kg, of which it is the next but one."""
    if not (old[-1].isdecimal() and len(new) > 1 and new[0].isdecimal()) or older.replaced:
        return False
    return any(one.isdecimal() and unit == new[1] and one != new[0] for one, unit in pairwise(older.terms))


def _is_identifier(term: str) -> bool:
    return term.isalnum() and not (term.isalpha() or term.isdecimal())


def _has(terms: tuple[str, ...], run: tuple[str, ...]) -> bool:
    """Whether terms have a run of others, in any order: 2 March is March 2."""
    size, wanted = len(run), sorted(run)
    return any(
        terms[at : at + size] == run or (size <= _SWAPPED and sorted(terms[at : at + size]) == wanted)
        for at in range(len(terms) - size + 1)
    )
