"""Names the words of a question that no line has, for notes: whole words with content, as typed.

Text without spaces is searched by pairs of characters, which go across the ends of words. So of such a run only what no
known pair touches is named, without words like "should" and "do" (data/stopwords.json, `vague`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.recall.term_stats import ASKING
from commonplace.core.tables import table
from commonplace.core.text.analyzer import DROPPED
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.text.analyzer import Term

_HIRAGANA = "".join(map(chr, range(ord("ぁ"), ord("ゖ") + 1)))
_HIRAGANA_CHARACTERS = frozenset(_HIRAGANA)
_SHORTEST_HIRAGANA = 3
"""Characters of a word in hiragana alone; shorter ones are mostly endings."""
_FRAGMENT = 2
"""Characters of a stretch up to which one with hiragana in it is no word of its own."""
_STRETCHES = lazy_pattern("[ァ-ヺー]+")


class _Run(NamedTuple):
    """Consecutive terms of a question that overlap, or a term alone."""

    text: str
    terms: tuple[Term, ...]


def missing_words(reading: Reading, *, is_known: Callable[[Term], bool], above: float = 0.0) -> list[str]:
    """Return the words of the question's unknown terms.

    Args:
        above: the weight above which a word is named. Words that only ask ("happened") are named if no other is.
    """
    found: dict[str, float] = {}
    for run in _runs(reading):
        if run.text[0] >= FAR_EAST:
            named = _in_run(run, is_known)
        else:
            (term,) = run.terms
            inside = term.kind == "part" or any(term.text in word for word in found)  # of an identifier or a path
            named = [] if inside or is_known(term) or fold(term.text) in _vague() else [term.text]
        weight = max(term.weight for term in run.terms)
        if weight > max(above, DROPPED):
            found.update(dict.fromkeys(named, weight))
    return [word for word, weight in found.items() if weight > ASKING] or list(found)


@cache
def _vague() -> frozenset[str]:
    return frozenset(fold(word) for words in table("stopwords")["vague"].values() for word in words.split())


@cache
def _vague_runs() -> re.Pattern[str]:
    """Vague words in text without spaces; those in hiragana only as an ending: elsewhere they may be in a word."""
    words = sorted((word for word in _vague() if word[0] >= FAR_EAST), key=len, reverse=True)
    endings = "|".join(word for word in words if not word.strip(_HIRAGANA))
    others = "|".join(word for word in words if word.strip(_HIRAGANA))
    return re.compile(f"{others}|(?<![ぁ-ゖ])(?:{endings})$")


@lru_cache(maxsize=4)
def _single(least: int) -> re.Pattern[str]:
    """Single characters that are no part of a word at the ends of a stretch, and between two words.

    Args:
        least: the characters that remain at the other side.
    """
    stops, left = table("stopwords"), "." * least
    between, kana = stops["vague_between"], stops["vague_kana"]
    return re.compile(
        f"^[{stops['vague_first']}]+(?={left})|(?<={left})[{stops['vague_last']}]+$"
        f"|(?<=..)[{between}](?=..)|(?<=[ぁ-ゖ]{{3}})[{kana}]$"
    )


def _runs(reading: Reading) -> Iterator[_Run]:
    """Yield the terms of the question, pairs of characters that overlap joined."""
    run: _Run | None = None
    for term in reading.terms:
        if run is not None and _goes_on(run, term) and (joined := run.text + term.text[1:]) in reading.query:
            run = _Run(joined, (*run.terms, term))
            continue
        if run is not None:
            yield run
        run = _Run(term.text, (term,))
    if run is not None:
        yield run


def _goes_on(run: _Run, term: Term) -> bool:
    is_pair = len(term.text) == 2 == len(run.terms[-1].text)
    return is_pair and run.text[-1] == term.text[0] >= FAR_EAST and run.terms[0].kind == "word"


def _in_run(run: _Run, is_known: Callable[[Term], bool]) -> list[str]:
    """The words of a run without spaces that no known pair touches."""
    text, known = run.text, [is_known(term) for term in run.terms]
    if len(run.terms) == 1:
        rest = text if not known[0] else ""
    else:
        pairs = zip((False, *known), (*known, False), strict=True)  # the pairs that end and begin with a character
        rest = "".join(" " if any(pair) else character for character, pair in zip(text, pairs, strict=True))
        for word in _STRETCHES.finditer(text):  # a word in katakana is whole, whatever of it is in other words
            if not all(known[word.start() : max(word.start() + 1, word.end() - 1)]):
                rest = rest[: word.start()] + word[0] + rest[word.end() :]
    return [word for piece in rest.split() for word in _whole(piece, run)]


def _whole(piece: str, run: _Run) -> list[str]:
    """The words of a stretch: without the ending of the word before it, and without vague words."""
    if not run.text.startswith(piece):
        piece = piece.lstrip(_HIRAGANA)
    least = 1 if piece == run.text and len(run.terms) == 1 else 2
    if piece != run.text and len(piece) <= _FRAGMENT and not _HIRAGANA_CHARACTERS.isdisjoint(piece):
        return []  # 付い of 付いている, の次 of との次の
    single = _single(0 if len(piece) < len(run.text) else 2)
    words = [word for part in _vague_runs().sub(" ", piece).split() for word in single.sub(" ", part).split()]
    return [word for word in words if len(word) >= least and (word.strip(_HIRAGANA) or len(word) >= _SHORTEST_HIRAGANA)]
