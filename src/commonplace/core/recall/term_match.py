"""Finds which terms of a question a text contains, how often, and which of them side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.text.analyzer import in_order, occurrences
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, variants

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from commonplace.core.text.analyzer import Term

BESIDE = 2
"""Maximum distance of two terms that are side by side: one word may be between them."""
_KATAKANA = lazy_pattern(r"[ァ-ヺー]+")
_CALLED = lazy_pattern(r"(?<=[\w,] )[^\W\d_]+")
"""A word within a sentence."""


class Occurrences(dict[str, list[str]]):
    """Cache: text -> its terms, as of `analyzer.occurrences`; a line is read for itself and for those beside it."""

    def __missing__(self, text: str) -> list[str]:
        found = self[text] = occurrences(text)
        return found


class Sought:
    """Terms to find in many texts.

    Args:
        known: terms of texts; new ones are added to it.
    """

    def __init__(self, terms: Sequence[Term], *, known: Occurrences | None = None) -> None:
        self._terms = terms
        self._known = Occurrences() if known is None else known
        self._keys = frozenset(key for term in terms for key in term.keys)
        self._plain = all(term.kind not in ("phrase", "prefix") and term.keys[0][-1] != "*" for term in terms)
        """Whether all of them are words of the analyzer."""
        self._follow = {
            pair: at
            for at, (one, other) in enumerate(pairwise(terms), 1)
            for first in one.keys
            for second in other.keys
            if first != second
            for pair in ((first, second), (second, first))
        }
        """Keys of two neighbours in the question, in either order -> position of the second term."""

    def hits(self, text: str) -> tuple[list[int], set[int]]:
        """Return the count of each term in a text, and the positions of terms that are next to the term before them.

        Words are found by the index's own analysis, phrases and prefixes in the text itself.
        """
        words = self._known[text]
        there = self._keys.intersection(words)
        if self._plain and not there:
            return [0] * len(self._terms), set()
        counts = {key: words.count(key) for key in there}
        beside = self._beside(text, there) if len(there) > 1 else set()
        if self._plain:
            return [max([counts.get(key, 0) for key in term.keys]) for term in self._terms], beside
        return [self._hits(term, text, words=words, counts=counts) for term in self._terms], beside

    def _beside(self, text: str, there: frozenset[str]) -> set[int]:
        stand = [(at, word) for at, word in enumerate(in_order(text)) if word in there]
        return {
            self._follow[word, other]
            for step in range(1, BESIDE + 1)
            for (at, word), (place, other) in zip(stand, stand[step:], strict=False)
            if place - at <= BESIDE and (word, other) in self._follow
        }

    def _hits(self, term: Term, text: str, *, words: list[str], counts: dict[str, int]) -> int:
        if term.kind == "phrase":
            return _count(fold(text), fold(term.text), whole=True)
        if term.kind == "prefix":
            return _count(fold(text), fold(term.text[:-1]), whole=False)
        if term.keys[0].endswith("*"):
            start = term.keys[0][:-1]
            return sum(word.startswith(start) for word in words)
        return max([counts.get(key, 0) for key in term.keys])


class SoughtMembers:
    """Members of a general word, to find one in many texts.

    Args:
        known: terms of texts; new ones are added to it.
    """

    def __init__(self, members: Iterable[Term], *, known: Occurrences) -> None:
        self._known = known
        self._by_key: dict[str, list[Term]] = {}
        for term in members:
            for key in term.keys[:1] if term.kind == "phrase" else term.keys:
                self._by_key.setdefault(key, []).append(term)
        self._alone = frozenset(key[0] for key in self._by_key if key[-1] == "*")
        """Members of one character, which count as a word where no other follows: 狗, not 狗尾草."""

    def first(self, text: str) -> str:
        """Return the first member in a text; empty if there is none. Names of people are none: Rose, in a sentence."""
        found = self._first(text)
        if found.islower() and (uncalled := _CALLED.sub(_without_name, text)) != text:
            return self._first(uncalled)
        return found

    def _first(self, text: str) -> str:
        words = self._known[text]
        for word in words:
            for term in self._by_key.get(word, ()):
                if term.kind != "phrase" or (_adjacent(term.keys, in_order(text)) and _is_whole(term.text, text)):
                    return term.text
            if word[:1] in self._alone and not "\u4e00" <= word[1:] < "\ua000":
                return self._by_key[f"{word[0]}*"][0].text
        return ""


def _without_name(found: re.Match[str]) -> str:
    return " " if found[0].istitle() else found[0]


def _is_whole(word: str, text: str) -> bool:
    """Whether a word, if it is in katakana, is no part of a longer one in a text: スキー is not in ウイスキー."""
    return not _KATAKANA.fullmatch(word) or word in _KATAKANA.findall(variants(text))


def _adjacent(keys: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand side by side in this order."""
    length = len(keys)
    return any(tuple(words[at : at + length]) == keys for at in range(len(words) - length + 1))


def _count(text: str, sought: str, *, whole: bool) -> int:
    """The count of a folded string in a folded text, where a word begins (and ends, if `whole`)."""
    count, at = 0, text.find(sought)
    while sought and at >= 0:
        end = at + len(sought)
        starts = not (at and _inside_word(text[at - 1], text[at]))
        count += starts and not (whole and end < len(text) and _inside_word(text[end - 1], text[end]))
        at = text.find(sought, end)
    return count


def _inside_word(left: str, right: str) -> bool:
    """Whether two neighbouring characters are in one word of a script with spaces."""
    return left.isalnum() and right.isalnum() and not (_unparted(left) or _unparted(right))


def _unparted(character: str) -> bool:
    return "\u3000" <= character < "\ua000" or "\uac00" <= character <= "\ud7a3" or "\u0e00" <= character < "\u10a0"
