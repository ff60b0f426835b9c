"""A question ready to be answered: its parts, and the weight of its terms in this workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from commonplace.core.recall.coverage import ASKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from commonplace.core.model import Query, Span
    from commonplace.core.recall.coverage import Scale
    from commonplace.core.recall.query_analysis import Reading


Window = Literal["days", "decisions"]


class AnalyzedQuestion(NamedTuple):
    """The input of every stage of a recall."""

    query: Query
    reading: Reading
    today: date
    scale: Scale
    frequencies: Mapping[str, int]
    """Key of a term of the question -> number of lines that have it."""
    lines: int
    """In the workspace."""
    wanted: frozenset[str] = frozenset()
    """Keys of the entities of the filter; empty: any."""
    window: Window | None = None
    """Set if it asks only for the lines of some days, or for the decisions of some days."""

    @property
    def days(self) -> Span | None:
        """The days asked about, by the question or else by a filter."""
        return self.reading.when.span if self.reading.when is not None else self.query.range

    @property
    def is_filtered(self) -> bool:
        """Whether there are filters by days, kinds or entities."""
        query = self.query
        return bool(query.range or query.as_of or query.kinds or query.entities)

    @property
    def only_days(self) -> bool:
        """Whether the question has days and no other term that any line has."""
        return self.reading.when is not None and not any(
            self.frequencies.get(key) for term in self.reading.terms if term.weight > ASKING for key in term.keys
        )
