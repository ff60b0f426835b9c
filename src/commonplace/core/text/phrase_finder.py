"""Finds which of many phrases a text has, by a look at each word and pair of words rather than one for each phrase.

For scripts with spaces between words. What a word begins is kept: lines share most of their words.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

MOST_WORDS = 20_000
"""Words that are kept."""


class _Begun(NamedTuple):
    """What begins with a word."""

    sure: tuple[str, ...]
    """Signs of phrases that the word alone is."""
    phrases: tuple[tuple[str, str], ...]
    """Phrases that may follow, each with its sign."""


class PhraseFinder(dict[str, _Begun | None]):
    """Phrases with their signs; as a dict, a word -> what begins with it."""

    def __init__(self, phrases: Iterable[tuple[str, str]], *, opening: Collection[str] = ()) -> None:
        """Take phrases with their signs.

        Args:
            phrases: each has a space before it, and one behind it unless its last word may go on.
            opening: signs of phrases that count only at the start of a text.
        """
        super().__init__()
        self._opening = frozenset(opening)
        self._words: dict[str, list[tuple[str, str]]] = {}
        """First word -> phrases of one word, or whose second may go on."""
        self._open: list[tuple[str, str]] = []
        """Phrases whose first word may go on."""
        self._pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
        """First two words -> other phrases."""
        for phrase, sign in phrases:
            whole = phrase.split() if phrase.endswith(" ") else phrase.split()[:-1]
            if len(whole) > 1:
                self._pairs.setdefault((whole[0], whole[1]), []).append((phrase, sign))
            elif whole:
                self._words.setdefault(whole[0], []).append((phrase, sign))
            else:
                self._open.append((phrase, sign))
        self._stems = tuple(phrase for phrase, _ in self._open)

    def __missing__(self, word: str) -> _Begun | None:
        whole = f" {word} "
        begun = self._words.get(word, [])
        if whole.startswith(self._stems):
            begun = begun + [each for each in self._open if whole.startswith(each[0])]
        sure = {sign for phrase, sign in begun if whole.startswith(phrase) and sign not in self._opening}
        more = tuple((phrase, sign) for phrase, sign in begun if sign not in sure)
        if len(self) >= MOST_WORDS:
            self.clear()
        self[word] = found = _Begun(tuple(sure), more) if begun else None
        return found

    def signs(self, words: Sequence[str]) -> set[str]:
        """Return the signs of the phrases in a text.

        Args:
            words: of the text, folded and without marks.
        """
        found: set[str] = set()
        likely: list[tuple[str, str]] = []
        for sure, phrases in filter(None, map(self.__getitem__, {*words})):
            found.update(sure)
            likely += phrases
        for pairs in filter(None, map(self._pairs.get, pairwise(words))):
            likely += pairs
        folded = f" {' '.join(words)} " if likely else ""
        for phrase, sign in likely:
            if sign not in found and (folded.startswith(phrase) if sign in self._opening else phrase in folded):
                found.add(sign)
        return found
