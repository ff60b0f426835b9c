"""Diagnostics of one recall: what was found out between the question and its hits, for notes and `explain`."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Self

from commonplace.core.model import Citation, Hit
from commonplace.core.recall.analyzed_question import AnalyzedQuestion
from commonplace.core.recall.coverage import Covered
from commonplace.core.recall.scored_lines import Scored
from commonplace.core.recall.scoring import OPEN_TASK, TELLS, wants_more
from commonplace.core.text.normalize import FAR_EAST

MUCH = 0.4
"""Share of a question, names apart, from which a line probably answers it."""
_MOST_IN_A_LINE = 8
"""Words of a question that a line may have; of a longer one a smaller share is as much."""
_PAIR = 0.5
"""Words of a term of Chinese or Japanese: most are pairs of signs, which overlap."""


class Diagnostics(NamedTuple):
    """What rerankers, notes and counts are made from; each stage returns a copy with more in it."""

    question: AnalyzedQuestion
    covered: Mapping[Citation, Covered] = {}
    """What each scored line covers of the question, hit or not."""
    exact: frozenset[Citation] = frozenset()
    """Lines with a quoted phrase of the question word for word."""
    dated: frozenset[Citation] = frozenset()
    """Lines with the question's date phrase and its year."""
    titles: frozenset[Citation] = frozenset()
    """Headings with only the name of their file or of an entity of the question."""
    has_content: bool = False
    """Whether a hit of the lines read first is more than such a title."""
    stays: frozenset[Citation] = frozenset()
    """Hits that say where somebody is on the days asked about."""
    best: float = 0.0
    """The highest score of the lines read first; it does not depend on k."""
    read: frozenset[int] = frozenset()
    """Rows that were read."""
    is_partly_read: bool = False
    """Whether some of the rows found were not read, so that the number of hits is unknown."""
    more: int | None = None
    """Number of further lines with content, for a question of days alone."""
    sure: tuple[int, ...] = ()
    """Rows that were not read and answer for certain by their terms."""

    def scored(self, lines: Collection[Scored]) -> Self:
        """Return the record with the results of scoring these lines."""
        covered = {each.source: each.covered for each in lines}
        return self._replace(
            covered={**self.covered, **covered},
            exact=self.exact.union(source for source, each in covered.items() if each.is_exact),
            titles=self.titles.union(each.source for each in lines if each.is_title),
            dated=self.dated.union(source for source, each in covered.items() if each.is_dated),
        )

    def known(self, hits: Iterable[Hit]) -> list[Hit]:
        """Return the hits that were scored for this part of the question."""
        return [hit for hit in hits if hit.line.source in self.covered]

    def is_far(self, hits: Iterable[Hit]) -> bool:
        """Return whether no hit covers much of the question or is an open task or has a reason in `TELLS`."""
        reading = self.question.reading
        if reading.when is not None or not wants_more(reading):
            return False
        reasons = {*TELLS.values(), OPEN_TASK}
        words = sum(_PAIR if term.text[0] >= FAR_EAST else 1.0 for term in reading.terms)
        much = MUCH * min(1.0, _MOST_IN_A_LINE / max(1.0, words))
        return all(
            self.covered[hit.line.source].told < much and reasons.isdisjoint(hit.why) for hit in self.known(hits)
        )
