"""Whether a line says that something which it names was given up or replaced: what was decided on it before has passed.

The words are data (`ended`, `ending`, `between`, `after` of `data/LANGUAGE/topics.json`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

_CLAUSE = lazy_pattern(r"[:：;；。，,、|—–!！?？()（）]|\.(?:\s|$)|\s-\s")
_LONGEST = 240
"""Characters of a line that are read."""
_SIGNS_BETWEEN = 8
"""Signs between a name and what says that it ended, at most, in scripts without spaces."""
_QUOTES = "\"'“”‘’「」『』《》"
"""What ended is not something within a quotation of which only the name is a part."""
_NOT = "不没沒未"
"""Chinese signs before what did not end."""
_WITH_OBJECT = "[为為成]$|^被"
"""How Chinese words look that say by what something was replaced; behind the others an object is what was given up."""
_NO_OBJECT = r"(?=[了掉后後]?(?![\u4e00-\u9fffa-z0-9]))"
"""Behind a verb of giving up: nothing more, or only a sign that it is done."""
_NAMED = "\0"
"""Stands in a clause for the name that is asked for; a file that has this sign is not read as text."""


class Endings(NamedTuple):
    """A text as it is searched for what was given up: read once, asked for many names."""

    text: str
    """Its clauses, one after the other: most names stand in none."""
    clauses: tuple[str, ...]
    """Folded."""
    languages: tuple[str, ...]
    spaced: bool

    def of(self, key: str) -> bool:
        """Return whether it says that what a name means was given up or replaced: `Radio is no longer used`; not that
        of something which only belongs to it: `The radio licence was cancelled`.

        Args:
            key: the name, as of `entity_key`.
        """
        if key not in self.text:
            return False
        naming = [f" {clause} ".replace(key, _NAMED) for clause in self.clauses if key in clause]
        return any(_says(code, spaced=self.spaced).search(clause) for clause in naming for code in self.languages)


def read_endings(text: str) -> Endings:
    """Return a text as read for what was given up."""
    spaced, others = _by_script(identify(text).code)
    clauses = tuple(entity_key(clause).strip(" *`.") for clause in _CLAUSE.split(text[:_LONGEST]))
    return Endings("\n".join(clauses), clauses, others, spaced)


def may_end(text: str) -> bool:
    """Return whether a text has one of the words which say that something was given up, of whatever it is."""
    said = f" {entity_key(text[:_LONGEST])} "
    return any(_ended(code).search(said) for code in _by_script(identify(text).code)[1])


@cache
def _ended(language: str) -> re.Pattern[str]:
    known = table("topics", language)
    return re.compile(_any(_words(known["ended"]) + _words(known["ending"])))


def _by_script(language: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a language parts its words, and the languages that may be meant: of Chinese and Japanese both."""
    if LANGUAGES[language].spaced:
        return True, (language,)
    return False, tuple(code for code in LANGUAGES if not LANGUAGES[code].spaced)


@cache
def _says(language: str, *, spaced: bool) -> re.Pattern[str]:
    """Return what a clause has that says so of the name in whose place a sign stands: compiled once, for any name."""
    known = table("topics", language)
    ended, ending = _words(known["ended"]), _words(known["ending"])
    if not spaced:
        whole = rf"(?<![a-z0-9]){_NAMED}(?![a-z0-9])"
        to_its_end = rf"[{_QUOTES}]?[^{_QUOTES}{_NOT}]{{0,{_SIGNS_BETWEEN}}}"
        if language == "zh":
            alone = [word for word in ended if not re.search(_WITH_OBJECT, word)]
            told = f"(?:{_any(alone)}){_NO_OBJECT}|{_any([word for word in ended if word not in alone])}"
        else:
            told = _any(ended)
        return re.compile(rf"{whole}{to_its_end}(?:{told})|(?:{_any(ending)}){whole} $")
    between, after = _any(_words(known["between"])), _words(known["after"])
    end = rf"(?= $| (?:{_any(after)}) )"
    closed = [word for word in ended if word.rpartition(" ")[2] in after]  # `replaced by`
    told = rf"(?:{_any(closed)})(?= )|(?:{_any(ended)}){end}" if closed else rf"(?:{_any(ended)}){end}"
    return re.compile(
        rf" {_NAMED} (?:(?:{between}) ){{0,3}}(?:{told})| (?:{_any(ending)}) (?:(?:{between}) ){{0,2}}{_NAMED}{end}"
    )


def _words(listed: str) -> list[str]:
    return sorted(map(fold, listed.split(", ")), key=len, reverse=True)


def _any(words: list[str]) -> str:
    return "|".join(map(re.escape, words))
