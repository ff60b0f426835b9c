"""Which things an undated line says there are, and whether a dated one says that they were removed.

    MEMORY.md   ## Cron jobs                        2026-03-09  Tide table mail cron deleted
                - Tide table mail, berth reminder   2026-03-11  Removed: berth reminder, old logo
    MEMORY.md   - Berths are kept in pier/berths.json   2026-04-02  Deleted: index.html, berths.json

Only what is named in full is removed: the mail, not a draft of it. A word of the heading above may stand beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP, generic_terms, small_terms
from commonplace.core.changes.stated_states import BRACKET, ITEM, label_and_value, subject_of
from commonplace.core.model import Role
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Collection

    from commonplace.core.changes.stated_states import ToldStates

OFF = "off"
"""The state of what was removed."""
_THERE = ("on", "has", "works", "runs")
_FEWEST, _MOST, _MOST_THINGS = 2, 8, 6
_LONGEST_THING = 6
"""Words of a thing; with more a text is a sentence. In scripts without spaces signs are not counted."""
_FILE = lazy_pattern(
    r"(?<![\w./-])(?:[\w.~-]*/)*(\w{2}[\w-]*\.(?!log|lock|tmp|temp|pid|bak|cache)[a-z]{2,5})(?![\w/.-])"
)
"""A file with its folders, but for those that come and go."""


class NamedThings(NamedTuple):
    """What a line says there is, each as terms."""

    items: tuple[frozenset[str], ...]
    """Of a line that only lists things, those, or what its label names; else none."""
    files: tuple[frozenset[str], ...]
    """The names of the files in it."""


def named_things(text: str) -> NamedThings:
    """Return the things that a line says there are."""
    plain = fold(MARKUP.sub("", text))
    files = tuple(dict.fromkeys(subject_of(found) for found in _FILE.findall(plain)))
    label, _ = label_and_value(plain, Role.BULLET)
    named = subject_of(BRACKET.sub("", label)) - generic_terms()
    parts = [label] if named else ITEM.split(BRACKET.sub("", plain).strip(" ."))
    items = tuple(subject_of(BRACKET.sub("", part)) for part in parts)
    brief = max(len(part.split()) for part in parts) <= _LONGEST_THING
    listed = brief and "?" not in plain and len(items) <= _MOST_THINGS and all(map(_is_thing, items))
    return NamedThings(items if listed else (), tuple(filter(_is_thing, files)))


def _is_thing(terms: frozenset[str]) -> bool:
    telling = any(len(term) > 1 for term in terms - generic_terms())
    return telling and _FEWEST <= len(terms) <= _MOST


def says_of(told: ToldStates, thing: frozenset[str], beside: Collection[str]) -> bool | None:
    """Return whether a line says that a thing was removed, or that it is there; None if neither.

    Args:
        beside: terms that may stand beside its own: those of the heading above it.
    """
    if told.doubtful:
        return None
    states = {each.state for each in told.statements if _is_of(each.subject, thing, beside)}
    return True if OFF in states else False if states.intersection(_THERE) else None


def _is_of(subject: frozenset[str], thing: frozenset[str], beside: Collection[str]) -> bool:
    """Whether a subject is a thing: two signs of a script without spaces of which one is a particle tell no more."""
    small = small_terms()
    signs = {term for term in thing ^ subject if term > "\u2e80" and (len(term) == 1 or term[-1] in small)}
    return thing - signs <= subject and subject - signs <= thing.union(beside, generic_terms())
