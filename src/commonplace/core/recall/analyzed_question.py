"""A question ready to be answered: its parts, and what its terms are worth in this workspace."""

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
    """What every stage of a recall is given."""

    query: Query
    reading: Reading
    today: date
    scale: Scale
    frequencies: Mapping[str, int]
    """How many lines hold each key of the question's terms."""
    lines: int
    """In the workspace."""
    wanted: frozenset[str] = frozenset()
    """Keys of the entities that were asked for beside the question; empty: of any."""
    window: Window | None = None
    """Whether it asks what certain days tell, or what was decided on them, and for nothing else."""

    @property
    def days(self) -> Span | None:
        """The days that are asked about, in words or besides."""
        return self.reading.when.span if self.reading.when is not None else self.query.range

    @property
    def is_filtered(self) -> bool:
        """Whether the asker wants only lines of some days, kinds or entities."""
        query = self.query
        return bool(query.range or query.as_of or query.kinds or query.entities)

    @property
    def only_days(self) -> bool:
        """Whether the question names days and nothing else that stands anywhere."""
        return self.reading.when is not None and not any(
            self.frequencies.get(key) for term in self.reading.terms if term.weight > ASKING for key in term.keys
        )
