"""Which facts of an entity are current, which are ahead, and which one defines the entity."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Kind
from commonplace.core.stance import prepare
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.normalize import fold
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


def says_what(rest: str, *, of_a_log: bool = False) -> bool:
    """Whether a text, folded and without the name at its start, says who or what that is: ` is a …`.

    Args:
        of_a_log: whether it is no fact, but a line of a log, where a mere ` is …` also tells how it is that day.
    """
    if of_a_log and _apposition().match(rest):
        return True
    known = table("pages")
    for language, words in known["defines" if of_a_log else "is"].items():
        if rest.startswith(tuple(known["not"].get(language, ()))):
            continue
        if of_a_log and any(word in rest for word in known["undefined"].get(language, ())):
            continue
        for word in words:
            if rest.endswith((word, word + "।")) if language == "hi" else rest.startswith(word):
                return True
    return False


@cache
def _apposition() -> re.Pattern[str]:
    """Return what says behind a name, a dash or bracket and an article what that is: ` – a sloop of two masts`."""
    articles = "|".join(
        f"{word} (?=.{{8}})" if word.isascii() else word
        for words in table("pages")["articles"].values()
        for word in words
    )
    return re.compile(rf" ?(?:[-–—]+|[(（]) ?(?:{articles})")


def says_what_it_wants(rest: str) -> bool:
    """Whether a text, folded and without the name at its start, says what somebody wants or likes: ` prefers …`."""
    begins, ends = _wishes()
    plain = rest.rstrip("。.। ")
    return f"{plain} ".startswith(begins) or plain.endswith(ends)


@cache
def _wishes() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words for a wish that follow a name, and those that end a sentence with one, folded once."""
    begins: list[str] = []
    ends: list[str] = []
    for code, words in table("pages")["wants"].items():
        language = LANGUAGES[code]
        space = " " if language.spaced else ""
        if language.verb_last:
            ends += [space + fold(word) for word in words]
        else:
            begins += [space + fold(word) + space for word in words]
    return tuple(begins), tuple(ends)
