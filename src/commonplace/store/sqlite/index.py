"""The index of a workspace: what can be asked of it and done to it, in one list."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from commonplace.errors import Busy
from commonplace.store.sqlite import claiming, reading, searching
from commonplace.store.sqlite.database import Database
from commonplace.store.sqlite.schema import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.chunk import Chunk
    from commonplace.core.model import Citation, Opinion, Problem, Unread
    from commonplace.core.parse import Document
    from commonplace.core.reread import Part
    from commonplace.store.sqlite.checking import Stand


class Index(Database):
    """The index of one workspace. Its methods are the functions of `searching` and `reading`, and those below."""

    written = WRITTEN
    """The first row that a person or host wrote; below it stand our own lines."""

    # -- what a recall asks
    totals = searching.totals
    frequencies = searching.frequencies
    named = searching.named
    match = searching.match
    rows_between = searching.rows_between
    days_of = searching.days_of
    documents = searching.documents
    placed_in = searching.placed_in
    rows_of = searching.rows_of
    rows_valid = searching.rows_valid
    rows_of_kind = searching.rows_of_kind
    rows_in = searching.rows_in
    fact_rows_in = searching.fact_rows_in
    line_rows_in = searching.line_rows_in
    said_by_others = searching.said_by_others
    telling_rows = searching.telling_rows
    day_of = searching.day_of
    pages_of = searching.pages_of
    lines = searching.lines
    texts = searching.texts
    distinct = searching.distinct
    ancestors = searching.ancestors
    context = searching.context
    against = searching.against
    claimed = claiming.claimed
    slots = claiming.slots
    every_slot = claiming.every_slot
    placed = claiming.placed
    lasting = claiming.lasting

    # -- one fact, and all of them
    row_of = reading.row_of
    row_at = reading.row_at
    fact = reading.fact
    facts = reading.facts
    facts_of = reading.facts_of
    facts_on = reading.facts_on
    log_lines = reading.log_lines
    last_log_day = reading.last_log_day
    same_days = reading.same_days
    aliases = reading.aliases
    entities = reading.entities
    strangers = reading.strangers
    entity_pages = reading.entity_pages
    twins = reading.twins
    spoken = reading.spoken
    days_named = reading.days_named
    lines_naming = reading.lines_naming
    opinions = reading.opinions
    opinions_on = reading.opinions_on
    opinions_at = reading.opinions_at
    places = reading.places

    # -- what a sync knows and changes
    states = reading.states
    unread = reading.unread
    said_in = reading.said_in
    looked = reading.looked
    sizes = reading.sizes
    digests = reading.digests
    copies = reading.copies
    regions = reading.regions

    # a recall that finds nothing new never loads what writes, what checks, nor what reflect keeps

    def problems(self) -> list[Problem]:
        """Every problem, in order of path and line, ids that stand twice included."""
        from commonplace.store.sqlite import checking

        return checking.problems(self)

    def dangling(self) -> list[tuple[Citation, str, str]]:
        """Trailers that name a fact or opinion that is not there: (place, relation, id)."""
        from commonplace.store.sqlite import checking

        return checking.dangling(self)

    def stands(self, ids: Iterable[str]) -> dict[str, Stand]:
        """Where facts stand, by id."""
        from commonplace.store.sqlite import checking

        return checking.stands(self, ids)

    def counts(self) -> dict[str, int]:
        """How much the index holds."""
        from commonplace.store.sqlite import checking

        return checking.counts(self)

    def dump(self) -> list[str]:
        """Everything the index says, without row numbers: two indexes of the same Markdown dump alike."""
        from commonplace.store.sqlite import checking

        return checking.dump(self)

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
        from commonplace.store.sqlite import writing

        writing.clear(self)

    def remove(self, path: str) -> None:
        """Forget one file."""
        from commonplace.store.sqlite import writing

        writing.remove(self, path)

    def put(self, documents: Iterable[tuple[Document, str, tuple[Opinion, ...]]]) -> None:
        """Index documents, each with its digest and the opinions its page holds, in place of what was held of them."""
        from commonplace.store.sqlite import writing

        writing.put(self, documents)

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
        from commonplace.store.sqlite import writing

        writing.keep_states(self, states, looked, unread)
