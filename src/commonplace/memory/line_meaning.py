"""How close lines are to a question in meaning: the embedder of the settings, and the vectors that it made.

Law: whatever fails here, a recall answers by words. Why it failed is kept for `status`.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from commonplace.config.semantic_settings import SemanticSettings
    from commonplace.core.recall.index_rows import RowRange
    from commonplace.ops.index.embed_passages import Embedded
    from commonplace.store.embedders.embedder_port import Embedder, Vectors
    from commonplace.store.sqlite import Index
    from commonplace.store.vectors.script_means import ScriptMeans
    from commonplace.store.vectors.vector_search import VectorSearch

NEAREST = 60
"""Passages nearest to a question that become candidates."""
_AGAIN = 30.0
"""Seconds after a failure before the embedder is tried again: a server that hangs would delay every question."""
_NEWEST = 64
"""Passages of the newest lines that are looked at before a question …"""
_AT_ONCE = 3
"""… and how many of them may lack a vector to be embedded at once: that takes less than 100 ms."""


class Meaning:
    """The meaning of one workspace's lines. Opening one of these loads nothing.

    Args:
        settings: of `[semantic]`, with an embedder.
        memory_dir: gives the folder `.memory`.
    """

    def __init__(self, settings: SemanticSettings, memory_dir: Callable[[], str]) -> None:
        self.settings = settings
        self._memory_dir = memory_dir
        self._embedder: Embedder | None = None
        self._search: VectorSearch | None = None
        self._means: ScriptMeans | None = None
        self._asked: tuple[str, Vectors] | None = None
        """The last question, and its vector: a recall may look for it twice."""
        self.failed = ""
        """Why the last try failed; empty if it did not."""
        self._failed_at = -_AGAIN

    @property
    def embedder(self) -> Embedder:
        """The embedder, opened. Raises CommonplaceError."""
        if self._embedder is None:
            from commonplace.config.allowed_servers import is_allowed
            from commonplace.store.embedders.open_embedder import open_embedder

            self._embedder = open_embedder(self.settings, allowed=is_allowed)
        return self._embedder

    @property
    def search(self) -> VectorSearch:
        """The vectors of the embedder, which may have to ask its server for a fingerprint. Raises CommonplaceError."""
        if self._search is None:
            embedder = self.embedder  # first: the local one lets numpy start no threads
            from commonplace.store.vectors.vector_search import VectorSearch
            from commonplace.store.vectors.vector_set import VectorSet

            vectors = VectorSet(self._memory_dir(), fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
            self._search = VectorSearch(vectors, wanted=self.settings.search)
        return self._search

    def script_means(self, *, make: bool = False) -> ScriptMeans | None:
        """What the model adds to a text for its script, as kept beside its vectors; None if that is not known yet.

        Args:
            make: find it out, which takes some seconds once. Raises EmbedderUnavailable.
        """
        if self._means is None:
            path = os.path.join(self.search.vectors.folder, "means")
            from commonplace.store.vectors.script_means import ScriptMeans

            self._means = ScriptMeans.read(path, dimensions=self.embedder.dimensions)
            if self._means is None and make:
                self._means = ScriptMeans.made(self.embedder)
                with suppress(OSError):
                    self._means.write(path)
        return self._means

    def closeness(
        self, index: Index, text: str, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[Mapping[int, float], Mapping[int, float]]:
        """Return the rows nearest to a question, and those and the given rows, each with how near: in standard
        deviations above the mean of all passages. Both are empty if that failed.

        The question is embedded once.

        Args:
            among: the only rows that may be nearest; None: any.
            rows: further rows whose nearness is asked for.
        """
        if time.monotonic() < self._failed_at + _AGAIN:
            return {}, {}
        try:
            if self._asked is None or self._asked[0] != text:
                self._asked = text, self.embedder.query(text)
            means = self.script_means()
        except CommonplaceError as error:
            self.failed, self._failed_at = str(error), time.monotonic()
            return {}, {}
        self.failed = ""
        if means is None:  # nothing is embedded yet
            return {}, {}
        [query] = means.asked(self._asked[1], text)
        return index.nearest_rows(self.search, query, NEAREST, among=among, rows=rows)

    def embed_newest(self, index: Index) -> None:
        """Embed the passages of lines written a moment ago, if they are few; more are left to `embed`."""
        newest = index.newest_passages(_NEWEST)
        if not newest or time.monotonic() < self._failed_at + _AGAIN:
            return
        try:
            if self.script_means() is None:
                return
            missing = {*self.search.vectors.refresh().missing([key for key, _ in newest])}
            if 0 < len(missing) <= _AT_ONCE:
                self.embed_part(index, [each for each in newest if each[0] in missing])
        except CommonplaceError as error:
            self.failed, self._failed_at = str(error), time.monotonic()

    def embed(self, index: Index, *, progress: Callable[[int, int], None] | None = None) -> Embedded:
        """Embed what has no vector yet. Raises CommonplaceError; what was embedded before stays."""
        from commonplace.ops.index.embed_passages import Embedded, pending

        todo, count = pending(index, self.search.vectors)
        with self.search.vectors.embedding() as alone:
            # a second one begins at the other end, so that no passage is embedded by both
            added = self.embed_part(index, todo if alone else todo[::-1], progress=progress)
        return Embedded(added, count, len(todo) - added)

    def embed_part(
        self, index: Index, todo: Sequence[tuple[int, int]], *, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Embed these passages, each as (key, row); return how many. Raises CommonplaceError."""
        from commonplace.ops.index.embed_passages import embed

        told = progress or (lambda done, of: None)
        means = self.script_means(make=True)
        assert means is not None

        def vectors_of(texts: Sequence[str]) -> Vectors:
            return means.centred(self.embedder.passages(texts), texts)

        return embed(index, vectors_of, self.search.vectors, todo=todo, progress=told)
