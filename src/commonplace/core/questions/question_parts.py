"""The questions in a text, and the things that a question lists."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.questions.query_analysis import Reading, readable
from commonplace.core.tables import table
from commonplace.core.text.analyzer import query_terms
from commonplace.core.text.known_languages import ALPHABETIC, UNSPACED, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PARTS = 4
WHOLE_TERM = 0.5
"""Minimum weight of a search term."""
_NAME = lazy_pattern(r"(?<=\s)[A-ZÆØÅА-ЯЁ]\w+")
"""A capitalised word within a part."""


@lru_cache(maxsize=16)
def parts(query: str) -> tuple[str, ...]:
    """Return the questions in a text, each with a question word and a search term; the text itself if there is one.

    "Where does Inger live, and who is the apprentice?" is two; "Which part broke, and why?" is one, and so is "Who is
    Inger, and where does she live?", the second half of which asks about nobody without the first.
    """
    text = readable(query)
    low = text.casefold()
    if len(low) != len(text):
        return (query,)
    ends = (at + 1 for at, sign in enumerate(low) if sign in "?？")
    cuts = sorted({0, len(text), *ends, *(at for join, after in _joins() for at in _parts_at(low, join, after=after))})
    code = identify(text).code
    languages = UNSPACED if code in UNSPACED else (code,)
    found: list[str] = []
    for start, end in pairwise(cuts):
        if found and _points_back(text[start:end], languages):
            found[-1] += text[start:end]
        else:
            found.append(text[start:end])
    whole = 1 < len(found) <= MOST_PARTS and all(map(_asks_something, found))
    return tuple(part.strip(" ,，、") for part in found) if whole else (query,)


def listed(reading: Reading) -> tuple[str, ...]:
    """Return the things that a question lists, as typed: "Nora's bicycle and the boat's engine" is two; empty for one.

    A question with a question word lists things only if it is several questions, or each thing is an entity's.
    """
    asked = parts(reading.query)
    low = reading.query.casefold()
    if len(asked) > 1:
        return tuple(_without_join(part) for part in asked)
    if len(low) != len(reading.query) or len(low) > _LONGEST_LIST:
        return ()
    words = [word for words in table("parts")["lists"].values() for word in words]
    cuts = sorted(
        (at, at + len(word)) for word in words for at in _places(low, word) if _joins_things(low, at, word=word)
    )
    if not 0 < len(cuts) < MOST_PARTS:
        return ()
    edges = [0, *(edge for cut in cuts for edge in cut), len(low)]
    found = [reading.query[start:end].strip(_AROUND) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if _asks(low) and not all(any(name in fold(part) for name, _ in reading.entities) for part in found):
        return ()
    return tuple(found) if all(found) else ()


def _without_join(part: str) -> str:
    joins = (join for words in table("parts")["joins"].values() for join in words)
    first = next((join for join in joins if _places(part.casefold(), join)[:1] == [0]), "")
    return part[len(first) :].strip(_AROUND)


_LONGEST_LIST = 160
"""Maximum characters of a list of things to search for."""
_AROUND = " ,，、。.?？!！"


def _joins_things(low: str, at: int, *, word: str) -> bool:
    """Whether "and" is between two things: in kana or Han it may be part of another word."""
    if word[0] < FAR_EAST or not word[0].isalpha():
        return True
    before, after = low[at - 1 : at], low[at + len(word) : at + len(word) + 1]
    return all(each >= FAR_EAST and not "ぁ" <= each <= "ゖ" for each in (before, after) if each.strip())


def _asks(low: str) -> bool:
    return any(_places(low, word) for words in table("parts")["asking"].values() for word in words)


def _points_back(part: str, languages: Iterable[str]) -> bool:
    """Whether a part of a question has a word of these languages for what an earlier part asks about, before any name
    of its own, which may be what is meant: `when did Bo sell his boat`. A name may be such a word: `Hans`."""
    for word in table("parts")["not back"]:
        part = part.replace(word, " ")
    low = part.casefold()
    own = next((found.start() for found in _NAME.finditer(part)), len(part))
    words = (word for language in languages for word in table("parts")["back"].get(language, ()))
    return len(low) == len(part) and any(at < own for word in words for at in _places(low, word))


def _asks_something(part: str) -> bool:
    asking = _asks(part.casefold())
    return asking and any(term.weight >= WHOLE_TERM for term in query_terms(part))


@cache
def _joins() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(word that separates questions, the question words of which one must follow it; empty: anything may follow)."""
    joins, asking = table("parts")["joins"], table("parts")["asking"]
    return tuple(
        (join, tuple(asking[language]) if language in ALPHABETIC else ())
        for language, words in joins.items()
        for join in words
    )


def _parts_at(low: str, join: str, *, after: tuple[str, ...]) -> list[int]:
    """Positions where a question may be split before this word."""
    places = _places(low, join)
    if not after:
        return places
    return [at for at in places if low[at + len(join) :].lstrip().startswith(after)]


def _places(low: str, word: str) -> list[int]:
    """Positions of a word in a text; only whole words in scripts with spaces."""
    found, at = [], low.find(word)
    whole = word[0].isalpha() and word[0] < FAR_EAST
    while at >= 0:
        end = at + len(word)
        if not whole or not (low[at - 1 : at].isalnum() or low[end : end + 1].isalnum()):
            found.append(at)
        at = low.find(word, end)
    return found
