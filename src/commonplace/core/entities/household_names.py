"""Names that everybody knows, such as those of cities, programs and terms: they alone are no sign of anything."""

from __future__ import annotations

from functools import lru_cache

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST

_VERSION = lazy_pattern(r" v?[0-9]+(?:\.[0-9]+)*$")


def is_household(name: str) -> bool:
    """Return whether everybody knows a name, or the term beside which it says only what that is one of: `SIP protocol`,
    `протокол SIP`, `SIP协议`, or a version of a tool: `Python 3.13`. `SOAP Kitchen` is the name of something."""
    key = entity_key(name)
    known = key in household_keys() or key in _household("measures", "terms")
    if known or _VERSION.sub("", key) in _household("tools"):
        return True
    sorts, words = _household("sorts"), key.split()
    while len(words) > 1 and words[-1] in sorts:
        words.pop()
    while len(words) > 1 and words[0] in sorts:
        words.pop(0)
    term = " ".join(words)
    if term[-1:] >= FAR_EAST:
        term = next((term[:at] for at in range(1, len(term)) if term[at:] in sorts), term)
    return term in _household("terms")


def household_keys() -> frozenset[str]:
    """Return the keys of such names of places, platforms, tools and money."""
    return _household("places", "platforms", "tools", "money")


@lru_cache(16)  # with room for all: else each is made anew for each name
def _household(*kinds: str) -> frozenset[str]:
    """Return the keys of names that everybody knows, of these kinds, or of the words of `sorts`."""
    known = table("household")
    return frozenset(entity_key(name) for kind in kinds for name in known[kind].split(", "))
