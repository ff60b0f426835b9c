"""The index: everything derived, in one SQLite file that may be deleted at any moment. All SQL is in this room.

May import: no other room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.store.sqlite.cache import CacheQueries
from commonplace.store.sqlite.claim_queries import ClaimQueries
from commonplace.store.sqlite.fact_queries import Entity
from commonplace.store.sqlite.index_schema import SCHEMA
from commonplace.store.sqlite.maintenance import ReportQueries
from commonplace.store.sqlite.passage_queries import PassageQueries

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.memory.line_meaning import Meaning
    from commonplace.store.sqlite.writing.splicing import IndexWriter

__all__ = ["SCHEMA", "Entity", "Index"]


class Index(ReportQueries, ClaimQueries, CacheQueries, PassageQueries):
    """The index of one workspace. Each query is a method of one of its bases, by what it is about."""

    meaning: Meaning | None = None
    """Answers by the vectors of passages; None if meaning is off."""

    def foresee(self, work: Callable[[], object], *, later: bool = False) -> None:
        """Told what will be asked, as far as it depends on no answer, a store that is far away asks it at once, or
        later together with what is asked next. This one does nothing."""

    @property
    def writer(self) -> IndexWriter:
        """What writes lines and files; imported here because a recall without changed files does not need it.

        Made for each use: kept here, the two would form a cycle, and the file would stay open until a collection.
        """
        from commonplace.store.sqlite.writing.splicing import IndexWriter

        return IndexWriter(self)
