"""The index of a workspace: its queries and writes in one class."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from commonplace.errors import Busy
from commonplace.store.sqlite import claim_queries, fact_queries, recall_queries
from commonplace.store.sqlite.database import Database
from commonplace.store.sqlite.index_schema import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.documents.chunking import Chunk
    from commonplace.core.documents.parse import Document
    from commonplace.core.documents.reread import Part
    from commonplace.core.model import Citation, Opinion, Problem, Unread
    from commonplace.store.sqlite.maintenance import Stand


class Index(Database):
    """The index of one workspace. Its methods are the functions of `searching` and `reading`, and those below."""

    written = WRITTEN
    """The first row that a person or host wrote; below it stand our own lines."""

    # -- what a recall asks
    totals = recall_queries.totals
    frequencies = recall_queries.frequencies
    named = recall_queries.named
    match = recall_queries.match
    rows_between = recall_queries.rows_between
    rows_known = recall_queries.rows_known
    undated_rows = recall_queries.undated_rows
    days_of = recall_queries.days_of
    documents = recall_queries.documents
    placed_in = recall_queries.placed_in
    rows_of = recall_queries.rows_of
    rows_valid = recall_queries.rows_valid
    rows_of_kind = recall_queries.rows_of_kind
    rows_in = recall_queries.rows_in
    fact_rows_in = recall_queries.fact_rows_in
    line_rows_in = recall_queries.line_rows_in
    said_by_others = recall_queries.said_by_others
    telling_rows = recall_queries.telling_rows
    day_of = recall_queries.day_of
    pages_of = recall_queries.pages_of
    lines = recall_queries.lines
    texts = recall_queries.texts
    neighbours = recall_queries.neighbours
    distinct = recall_queries.distinct
    ancestors = recall_queries.ancestors
    context = recall_queries.context
    against = recall_queries.against
    claimed = claim_queries.claimed
    slots = claim_queries.slots
    every_slot = claim_queries.every_slot
    placed = claim_queries.placed
    lasting = claim_queries.lasting

    # -- one fact, and all of them
    row_of = fact_queries.row_of
    row_at = fact_queries.row_at
    fact = fact_queries.fact
    facts = fact_queries.facts
    facts_of = fact_queries.facts_of
    facts_on = fact_queries.facts_on
    log_lines = fact_queries.log_lines
    last_log_day = fact_queries.last_log_day
    same_days = fact_queries.same_days
    aliases = fact_queries.aliases
    entities = fact_queries.entities
    strangers = fact_queries.strangers
    entity_pages = fact_queries.entity_pages
    twins = fact_queries.twins
    spoken = fact_queries.spoken
    days_named = fact_queries.days_named
    lines_naming = fact_queries.lines_naming
    opinions = fact_queries.opinions
    opinions_on = fact_queries.opinions_on
    opinions_at = fact_queries.opinions_at
    places = fact_queries.places

    # -- what a sync knows and changes
    states = fact_queries.states
    unread = fact_queries.unread
    said_in = fact_queries.said_in
    looked = fact_queries.looked
    sizes = fact_queries.sizes
    digests = fact_queries.digests
    copies = fact_queries.copies
    regions = fact_queries.regions

    # a recall that finds nothing new never loads what writes, what checks, nor what reflect keeps

    def problems(self) -> list[Problem]:
        """Every problem, in order of path and line, ids that stand twice included."""
        from commonplace.store.sqlite import maintenance

        return maintenance.problems(self)

    def dangling(self) -> list[tuple[Citation, str, str]]:
        """Trailers that name a fact or opinion that is not there: (place, relation, id)."""
        from commonplace.store.sqlite import maintenance

        return maintenance.dangling(self)

    def stands(self, ids: Iterable[str]) -> dict[str, Stand]:
        """Where facts stand, by id."""
        from commonplace.store.sqlite import maintenance

        return maintenance.stands(self, ids)

    def counts(self) -> dict[str, int]:
        """How much the index holds."""
        from commonplace.store.sqlite import maintenance

        return maintenance.counts(self)

    def dump(self) -> list[str]:
        """Everything the index says, without row numbers: two indexes of the same Markdown dump alike."""
        from commonplace.store.sqlite import maintenance

        return maintenance.dump(self)

    def cached(self, name: str) -> Any:
        """What this very program left under a name with `cache`, or None."""
        from commonplace.store.sqlite import cache

        return cache.cached(self, name)

    def cache(self, name: str, value: Any) -> None:
        """Leave a value of plain types for next time; that it cannot be written is no harm."""
        from commonplace.store.sqlite import cache

        with suppress(Busy, *self.refused):
            self.transaction(lambda: cache.keep(self, name, value))

    def clear(self) -> None:
        """Forget everything; inside a transaction readers keep the old snapshot until it ends."""
        from commonplace.store.sqlite import indexer

        indexer.clear(self)

    def remove(self, path: str) -> None:
        """Forget one file."""
        from commonplace.store.sqlite import indexer

        indexer.remove(self, path)

    def put(self, documents: Iterable[tuple[Document, str, tuple[Opinion, ...]]]) -> None:
        """Index documents, each with its digest and the opinions its page holds, in place of what was held of them."""
        from commonplace.store.sqlite import indexer

        indexer.put(self, documents)

    def chunks(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of a file as indexed; none of a small one."""
        from commonplace.store.sqlite import splicing

        return splicing.chunks(self, path)

    def splice(self, part: Part, digest: str) -> bool:
        """Put what was read of a large file again in its place; False: the whole file must be put, nothing changed."""
        from commonplace.store.sqlite import splicing

        return splicing.splice(self, part, digest)

    def keep_states(
        self, states: Mapping[str, tuple[int, int, int, int]], looked: int, unread: Iterable[Unread] = ()
    ) -> None:
        """Remember what the sync saw, when it looked, in ns, and what it could not read."""
        from commonplace.store.sqlite import indexer

        indexer.keep_states(self, states, looked, unread)
