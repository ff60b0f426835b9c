"""Aligns a folded text with the text as typed: comparisons use the first, output the second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_LONGEST = 16
"""Characters that fold together at most: more is noise, and folding them again with each further one is quadratic."""


class Typed:
    """A text folded by a function that works from left to right, and of each stretch of it what was typed."""

    __slots__ = ("_ends", "_starts", "folded", "text")

    def __init__(self, text: str, folding: Callable[[str], str]) -> None:
        self.text = text
        self.folded = folding(text)
        self._starts: Sequence[int] = range(len(text))
        self._ends: Sequence[int] = range(1, len(text) + 1)
        if self.folded != text and not _in_place(text, self.folded, folding=folding):
            places = _places(text, folding)
            if len(places) == len(self.folded):
                self._starts, self._ends = [start for start, _ in places], [end for _, end in places]
            else:  # what no place can be told for is shown folded
                self.text = self.folded
                self._starts, self._ends = range(len(self.folded)), range(1, len(self.folded) + 1)

    def __getitem__(self, part: slice) -> str:
        """Return what was typed for a stretch of the folded text."""
        first, stop, _ = part.indices(len(self.folded))
        return self.text[self._starts[first] : self._ends[stop - 1]] if first < stop else ""


def _in_place(text: str, folded: str, *, folding: Callable[[str], str]) -> bool:
    """Whether every character folds to one, alone as among the others."""
    return len(text) == len(folded) and all(a == b or folding(a) == b for a, b in zip(text, folded, strict=True))


def _places(text: str, folding: Callable[[str], str]) -> list[tuple[int, int]]:
    """Return the start and the end of each folded character in the text.

    Characters that fold otherwise together than alone (か and a voicing mark, the letters of a Korean syllable) stay
    together, and one that folds to nothing belongs to the one before it.
    """
    places: list[tuple[int, int]] = []
    cluster, folded, start = "", "", 0
    for at, character in enumerate(text):
        alone = folding(character)
        if 0 < len(cluster) < _LONGEST and (not alone or folding(cluster + character) != folded + alone):
            cluster += character
            folded = folding(cluster)
            continue
        places += [(start, at)] * len(folded)
        cluster, folded, start = character, alone, at
    return places + [(start, len(text))] * len(folded)
