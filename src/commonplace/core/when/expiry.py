"""When a fact is over by its own words; yearly days never end."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.tables import table
from commonplace.core.text.normalize import fold
from commonplace.core.when.words.sentences import sentences

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.model import AnyLine


def end_of(fact: AnyLine) -> date | None:
    """Return the last day on which a fact holds, if it names one for all that it says; else None.

    "Works at Acme. The lease of the flat ends on March 3." goes on, and so does a birthday.
    """
    valid = fact.valid
    if valid is None or valid.end is None or _is_yearly(fact.content, one_day=valid.start == valid.end):
        return None
    places = sentences(fact.content)
    if len(places) < 2:
        return valid.end
    ends = []
    for start, stop in places:
        said = fact.content[start:stop]
        days = when.valid(said, fact.recorded) if when.may_hold(said) else None
        if days is not None and days.end is not None:
            ends.append(days.end)
        elif days is not None or not (_says_little(said) or when.told(said)):
            return None
    return max(ends, default=valid.end)


def comes_again(text: str) -> bool:
    """Return whether a text tells of what comes again: every year, each week, on Fridays, a birthday."""
    folded = f" {fold(text)} "
    return any(word in folded for word in _again())


@cache
def _again() -> tuple[str, ...]:
    return tuple(fold(word) for key in ("each", "day", "often") for word in table("yearly")[key])


def is_of_a_part(fact: AnyLine) -> bool:
    """Whether the days that a fact names are of one of its sentences, and the rest goes on."""
    return (
        fact.valid is not None and fact.valid.end is not None and len(sentences(fact.content)) > 1 and not end_of(fact)
    )


def _says_little(sentence: str) -> bool:
    """Whether a sentence is a word or two: "Great fun." is nothing that goes on."""
    return len(sentence.split()) < _SAYS and max(sentence, default="") < "\u2e80"


_SAYS = 3
"""Words from which a sentence says something of its own."""


@lru_cache(1 << 14)
def _is_yearly(content: str, *, one_day: bool) -> bool:
    """Whether the day of a fact comes again each year: a birthday, an anniversary, what is due every year; no party of
    one. Kept: each page asks again."""
    folded = f" {fold(content)} "
    words = table("yearly")
    if any(word in folded for word in words["each"]):
        return True
    if not one_day or not any(word in folded for word in words["day"]):
        return False
    return _once().search(folded) is None


@cache
def _once() -> re.Pattern[str]:
    return re.compile("|".join(table("yearly")["once"]))
