"""Finds known names in the lines of logs, however they are written there; fast enough for every line of a workspace.

What the index holds of a line are names in capitals, links and tags. A name in Han or kana within a sentence and the
other names of a page (`aliases`) are found by this.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import add
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import stands
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.memo import DIGEST_SIZE
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST = 2
_WORD = lazy_pattern(r"\w+")


class NameFinder:
    """Names by how they begin, so that few are compared at each word or character."""

    def __init__(self, names: Iterable[str]) -> None:
        """Take folded names; ordinary words among them are left out, since they mostly mean themselves."""
        self._words: dict[str, list[str]] = {}
        self._signs: dict[str, list[str]] = {}
        self._names = sorted(names)
        for name in self._names:
            if len(name) < _SHORTEST:
                continue
            if name[0] >= FAR_EAST:
                self._signs.setdefault(name[:2], []).append(name)
            elif not is_ordinary(name) and (first := _WORD.match(name)):
                self._words.setdefault(first[0], []).append(name)

    def digest(self) -> bytes:
        """Return a digest of the names: with the same, the same names are found."""
        said = "\n".join(self._names).encode("utf-8", "surrogatepass")
        return blake2b(said, digest_size=DIGEST_SIZE).digest()

    def find(self, text: str) -> list[str]:
        """Return the names that stand in a text by themselves, not as a part of another word or of another of them."""
        if not self._words and not self._signs:
            return []
        folded = fold(text)
        found = [name for word in self._words.keys() & _WORD.findall(folded) for name in self._words[word]]
        if self._signs and max(folded, default="") >= FAR_EAST:
            pairs = set(map(add, folded, folded[1:]))
            found += [name for pair in self._signs.keys() & pairs for name in self._signs[pair] if name in folded]
        sure = [name for name in found if stands(name, text)]
        return sorted(name for name in sure if not any(name != other and name in other for other in sure))
