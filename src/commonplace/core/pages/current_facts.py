"""Which facts of an entity are current, which are ahead, and which one defines the entity."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Kind
from commonplace.core.quotes.definitions import says_what
from commonplace.core.stance import prepare
from commonplace.core.tables import table
from commonplace.core.timeline import order
from commonplace.core.when.expiry import end_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Fact

_MOST_DEFINED = 200
"""Maximum characters of a fact that defines an entity."""


class Known(NamedTuple):
    """What the composition of every page depends on."""

    today: date
    superseded: Mapping[str, str] = {}
    """Id of a fact -> id of the one that superseded it."""
    pages: Mapping[str, tuple[str, str]] = {}
    """Key of an entity -> its name and the path of its page, for those that have or earn one; empty if not written."""
    canonical: Callable[[str], str] = entity_key
    """Returns the key of the entity of a name or alias."""
    likes: Callable[[str], bool] = lambda statement: prepare(statement).likes
    """Whether a statement states a preference."""
    disputed: Mapping[str, str] = {}
    """Id of a fact -> id of one that excludes it, where it is unknown which is valid."""
    claims: Mapping[str, frozenset[str]] = {}
    """Id of a fact -> what it claims that is not over: `residence`, `employer`, …"""


def holds(fact: Fact, known: Known) -> bool:
    """Whether a fact is neither superseded nor over. A residence is not over after the day of the move."""
    if fact.id in known.superseded:
        return False
    if fact.valid is None or (fact.id in known.claims and rank(fact, known) < len(_lasting())):
        return True
    end = end_of(fact)
    return end is None or end >= known.today


def is_ahead(fact: Fact, known: Known) -> bool:
    """Whether a fact names days that are not all past."""
    valid = fact.valid
    if valid is None:
        return False
    to_come = valid.start is not None and valid.start > known.today
    return to_come or (valid.end is not None and valid.end >= known.today)


def begins(fact: Fact) -> tuple[int, tuple[int, str, int]]:
    """Sort key of facts with named days: the nearest first."""
    assert fact.valid is not None
    day = fact.valid.start or fact.valid.end
    assert day is not None
    return day.toordinal(), order(fact)


def rank(fact: Fact, known: Known) -> int:
    """Return the place of a fact on a page: 0 for a residence, then occupation, contact and price, the rest."""
    claims = known.claims.get(fact.id)
    if not claims:
        return len(_lasting())
    return next((at for at, slots in enumerate(_lasting()) if claims & slots), len(_lasting()))


@cache
def _lasting() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(slots) for slots in table("pages")["lasting"])


def is_past_stay(fact: Fact, known: Known) -> bool:
    """Whether a fact says where somebody was on past days."""
    if "stay" not in known.claims.get(fact.id, ()):  # as of most, and sooner told
        return False
    end = end_of(fact)
    return end is not None and end < known.today


def definition(name: str, facts: Sequence[Fact]) -> Fact | None:
    """Return the author's newest fact that says who or what an entity is and names no day; None if there is none.

    Args:
        facts: in the order of `timeline.order`.
    """
    key = entity_key(name)
    for fact in reversed(facts):
        if fact.kind is not Kind.WORLD or fact.valid is not None or fact.trailer.outsider:
            continue
        first = fact.content[:1].lower()
        if len(fact.content) > _MOST_DEFINED or (first != key[:1] and first.isascii() and first.isalnum()):
            continue  # as of nearly all that do not begin with its name
        said = entity_key(fact.content)
        if said.startswith(key) and says_what(said[len(key) :]):
            return fact
    return None
