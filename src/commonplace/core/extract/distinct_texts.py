"""Texts of which none says nearly the same as another."""

from __future__ import annotations

from itertools import chain
from math import ceil
from typing import TYPE_CHECKING

from commonplace.core.text.analyzer import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SAME = 0.6
"""Share of common terms from which two texts say the same."""

_WITHIN, _FEWEST = 0.9, 4
"""Share of the terms of a text that another has, and how many it must have, from which that other says it, too."""


class Distinct:
    """A growing set of texts."""

    def __init__(self, said: Iterable[str] = (), *, same: float = _SAME, within: float = _WITHIN) -> None:
        """Begin with texts that are said already.

        Args:
            same, within: shares of terms from which two texts say the same.
        """
        self._same, self._within = same, within
        self._having: dict[str, list[frozenset[str]]] = {}
        """Term -> the terms of each text that has it."""
        for text in said:
            self._keep(frozenset(occurrences(text)))

    def add(self, text: str) -> bool:
        """Add a text that says something new; return whether it does."""
        terms = frozenset(occurrences(text))
        if any(self._alike(terms, other) for other in self._near(terms)):
            return False
        self._keep(terms)
        return True

    def _keep(self, terms: frozenset[str]) -> None:
        for term in terms:
            self._having.setdefault(term, []).append(terms)

    def _near(self, terms: frozenset[str]) -> Iterator[frozenset[str]]:
        """Yield the texts that may say the same: those that have so many of these terms have one of the few rarest."""
        others = sorted((self._having.get(term, ()) for term in terms), key=len)
        lacking = len(terms) - ceil(min(self._same, self._within) * len(terms))
        return chain.from_iterable(others[: lacking + 1])

    def _alike(self, one: frozenset[str], other: frozenset[str]) -> bool:
        size, others = len(one), len(other)
        near = self._same * others <= size if size <= others else self._same * size <= others
        may_be_within = _FEWEST <= size <= others
        if not (near or may_be_within) or one.isdisjoint(other):
            return False
        common = len(one & other)
        within = may_be_within and common >= self._within * size
        if not within and not (near and common >= self._same * (size + others - common)):
            return False
        new = one - other if within else one ^ other
        return not any(term[0].isdigit() for term in new)  # another number is another statement
