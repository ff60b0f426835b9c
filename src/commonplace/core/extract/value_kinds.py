"""Which value a question asks for, and which lines have one: an amount, age, address, identifier or time of day.

The type of the expected answer is an old help in answering questions (Li & Roth 2002): it lifts lines that have a value
of the type, and lets a note say that none has. Patterns: data/values.json.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify, written_in
from commonplace.core.text.normalize import fold

_MOST_READ = 1000
"""Characters of a line in which a value is searched."""


class Value(StrEnum):
    """A kind of value."""

    AMOUNT = "amount"
    AGE = "age"
    ADDRESS = "address"
    IDENTIFIER = "identifier"
    CLOCK = "clock"
    DISTANCE = "distance"
    SHARE = "share"
    CONTACT = "contact"
    MAIL = "mail"
    BIRTHDAY = "birthday"
    """These three are asked for by phrases of data/questions.json, beside a name."""


CERTAIN = frozenset((Value.AMOUNT, Value.AGE))
"""Kinds whose look is so regular that a line without one has none."""


def values_asked(question: str) -> frozenset[Value]:
    """Return the kinds of value that a question asks for."""
    folded = fold(question)
    script = LANGUAGES[identify(question).code].script
    return frozenset(value for value, asked in _asked(script) if asked.search(folded))


def has_value(text: str, value: Value) -> bool:
    """Return whether a text has a value of this kind."""
    return _looks(value).search(text[:_MOST_READ]) is not None


def value_name(value: Value) -> str:
    """Return what a note calls a kind of value: `an amount of money`."""
    name: str = table("values")[value]["name"]
    return name


@cache
def _asked(script: str) -> tuple[tuple[Value, re.Pattern[str]], ...]:
    """Each kind with the pattern of a folded question in a script that asks for it; others are not compiled."""
    known = table("values")

    def pattern(value: Value) -> re.Pattern[str]:
        return re.compile("|".join(fold(each) for code in written_in(script) for each in known[value]["asked"][code]))

    return tuple((value, pattern(value)) for value in Value if "asked" in known[value])


@cache
def _looks(of: Value) -> re.Pattern[str]:
    return re.compile("|".join(table("values")[of]["looks"]))
