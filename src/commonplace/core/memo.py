"""A cache of results by the digest of their input, filled by one pass over the facts and used by the next."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DIGEST_SIZE = 12
"""Bytes: among ten million findings two are alike once in 10^15 times."""


class Findings:
    """What was found before, by digest of what it was found from. A cache: without it all is the same, but slower."""

    def __init__(self, known: Mapping[bytes, Any] | None = None) -> None:
        self.known = known or {}
        self.met: dict[bytes, Any] = {}
        """Those that this pass needed."""

    def of(self, digest: bytes, find: Callable[[], Any]) -> Any:
        """What is found from what has this digest; `find` is called where that is not known."""
        if digest not in self.met:
            self.met[digest] = self.known[digest] if digest in self.known else find()
        return self.met[digest]

    def in_text(self, what: str, text: str, find: Callable[[str], Any]) -> Any:
        """What `find` finds in a text, and in nothing else; `what` tells one such function from others."""
        return self.of(_of_text(what, text), lambda: find(text))

    def page(self, text: str) -> int | None:
        """Our lines on a page with this text, where nobody else wrote there; None: not known."""
        digest = _of_text("page", text)
        found: int | None = self.known.get(digest)
        if found is not None:
            self.met[digest] = found
        return found

    def note_page(self, text: str, ours: int) -> None:
        """Note how many lines of ours a page with this text has, to which nobody else wrote."""
        self.met[_of_text("page", text)] = ours


def _of_text(what: str, text: str) -> bytes:
    return blake2b(f"{what}\x1f{text}".encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()
