"""A pass over many facts or lines: a cache of its results by the digest of their input, which the next one uses, and
reports of how far it is."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Progress = Callable[[int, int], None]
    """Called with (done, of) for one stretch of work; what it raises ends the work."""

T = TypeVar("T")
_PARTS = 64
"""Reports of one pass, about."""

DIGEST_SIZE = 12
"""Bytes: among ten million results, the chance of a collision is 10^-15."""


class Findings:
    """Earlier results by the digest of their input. A cache: without it the results are the same, only slower."""

    def __init__(self, known: Mapping[bytes, Any] | None = None) -> None:
        self.known = known or {}
        self.met: dict[bytes, Any] = {}
        """Results that this pass used."""

    def of(self, digest: bytes, find: Callable[[], Any]) -> Any:
        """Return the result for the input with this digest; `find` computes it if it is not known."""
        if digest not in self.met:
            self.met[digest] = self.known[digest] if digest in self.known else find()
        return self.met[digest]

    def in_text(self, what: str, text: str, find: Callable[[str], Any]) -> Any:
        """Return `find(text)`, which must depend on the text alone; `what` distinguishes such functions."""
        return self.of(_of_text(what, text), lambda: find(text))

    def in_texts(self, what: str, texts: Iterable[str], find: Callable[[], Any]) -> Any:
        """Return the same of what depends on several texts alone."""
        return self.of(_of_text(what, "\x1f".join(texts)), find)

    def page(self, text: str) -> int | None:
        """Return how many lines of a page with this text are ours, if nobody else wrote on it; None: not known."""
        digest = _of_text("page", text)
        found: int | None = self.known.get(digest)
        if found is not None:
            self.met[digest] = found
        return found

    def note_page(self, text: str, ours: int) -> None:
        """Record that a page with this text contains so many lines of ours, and that nobody else wrote on it."""
        self.met[_of_text("page", text)] = ours


def _of_text(what: str, text: str) -> bytes:
    return blake2b(f"{what}\x1f{text}".encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def reported(items: Iterable[T], progress: Progress | None, *, of: int) -> Iterator[T]:
    """Yield the items, and report how many are done about 64 times.

    Args:
        of: the number of items, about.
    """
    if progress is None:
        yield from items
        return
    every = max(1, of // _PARTS)
    progress(0, of)
    for done, item in enumerate(items, 1):
        yield item
        if done % every == 0:
            progress(min(done, of), of)
    progress(of, of)
