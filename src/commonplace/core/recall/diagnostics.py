"""Diagnostics of one recall: what was found out between the question and its hits, for notes and `explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.model import Citation, Hit
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.coverage import Covered
    from commonplace.core.recall.scoring import Scored


class Diagnostics(NamedTuple):
    """The one record that rerankers, notes and counts are made from; each stage returns a fuller one."""

    question: AnalyzedQuestion
    covered: Mapping[Citation, Covered] = {}
    """What each line that was scored covers of the question, hits or not."""
    exact: frozenset[Citation] = frozenset()
    """Where a quoted phrase of the question stands word for word."""
    dated: frozenset[Citation] = frozenset()
    """Where the question's date phrase stands with its year: a text may name days that nothing else tells of it."""
    stays: frozenset[Citation] = frozenset()
    """Hits that say where somebody is on just the days asked about."""
    best: float = 0.0
    """The highest score of what is read first, whatever k is."""
    read: frozenset[int] = frozenset()
    """Rows that were read."""
    is_partly_read: bool = False
    """Whether lines were found that were not read: how many of them answer nobody knows."""
    more: int | None = None
    """How many more lines tell something of the days asked about, where they alone are asked about."""
    sure: tuple[int, ...] = ()
    """Rows that were found and not read, and answer for certain by the terms that stand in them."""

    def scored(self, lines: Iterable[Scored]) -> Diagnostics:
        """The record with what scoring these lines told."""
        covered = {each.source: each.covered for each in lines}
        return self._replace(
            covered={**self.covered, **covered},
            exact=self.exact.union(source for source, each in covered.items() if each.is_exact),
            dated=self.dated.union(source for source, each in covered.items() if each.is_dated),
        )

    def known(self, hits: Iterable[Hit]) -> list[Hit]:
        """Those of the hits that were scored; others come from another part of the question."""
        return [hit for hit in hits if hit.line.source in self.covered]
