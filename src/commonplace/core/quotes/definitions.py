"""Whether what follows a name says who or what that is, or what it wants."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.normalize import fold

_OPENING = 100
"""Characters at the start of a line in which a name may stand with what it is."""


def says_what(rest: str, *, of_a_log: bool = False) -> bool:
    """Whether a text, folded and without the name at its start, says who or what that is: ` is a …`.

    Args:
        of_a_log: whether it is no fact, but a line of a log, where a mere ` is …` also tells how it is that day.
    """
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


def may_define(text: str) -> bool:
    """Whether a line has near its start what may say behind a name who or what that is, as of `says_what` and
    `is_apposition`."""
    said = fold(text)
    opening = said[:_OPENING]
    begins, ends = _defining()
    if any(word in opening for word in begins) or said.endswith(ends):
        return True
    return _apposition(identify(text).code).search(opening) is not None


@cache
def _defining() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of definitions: those behind a name, and those at the end."""
    words = table("pages")["defines"]
    begins = [word for code, those in words.items() for word in those if not LANGUAGES[code].verb_last or code == "ja"]
    return tuple(begins), tuple(each for word in words["hi"] for each in (word, f"{word}।", f"{word}."))


def is_apposition(rest: str) -> bool:
    """Whether a text, folded and without the name at its start, says behind a dash or bracket and an article what that
    is: ` – a sloop of two masts`."""
    return _apposition(identify(rest).code).match(rest) is not None


@cache
def _apposition(language: str) -> re.Pattern[str]:
    known = table("pages")["articles"]
    words = (f"{word} (?=.{{8}})" if word.isascii() else word for word in (*known.get(language, ()), *known["other"]))
    return re.compile(rf" ?(?:[-–—]+|[(（]) ?(?:{'|'.join(words)})")


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
