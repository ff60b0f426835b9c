"""Tombstones: what a workspace forgot, as salted digests, so that no older copy of its folder can share it again.

A tombstone is of the words of a fact, however they are spelled, and of its block id, which a reworded bullet keeps.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from commonplace.core.model import Fact
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Line


def tombstones_of(facts: Iterable[Fact], salt: str) -> tuple[str, ...]:
    """Return the digests of facts that are forgotten, sorted."""
    found = set()
    for fact in facts:
        if said := _said(fact.content):
            found.add(_digest(salt, "text", said))
        if fact.block_id:
            found.add(_digest(salt, "id", fact.id))
    return tuple(sorted(found))


class Buried:
    """What was forgotten, to be looked up by words and ids.

    Args:
        digests: (salt, digest) of each tombstone.
    """

    def __init__(self, digests: Iterable[tuple[str, str]]) -> None:
        self._digests: dict[str, set[str]] = {}
        for salt, digest in digests:
            self._digests.setdefault(salt, set()).add(digest)

    def has(self, text: str, id: str = "") -> bool:
        """Whether a line with these words, or a fact with this id, was forgotten."""
        if not self._digests:
            return False
        said = _said(text)
        return any(
            _digest(salt, "text", said) in digests or (bool(id) and _digest(salt, "id", id) in digests)
            for salt, digests in self._digests.items()
        )

    def line(self, line: Line | Fact) -> bool:
        """Whether a line was forgotten."""
        return self.has(line.content, line.id if isinstance(line, Fact) else "")


def _said(text: str) -> str:
    """The words of a line however they are spelled; of signs alone themselves."""
    return fold(text) or text.strip()


def _digest(salt: str, what: str, text: str) -> str:
    return blake2b(f"{salt}\0{what}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
