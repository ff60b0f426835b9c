"""What may be quoted: the quotes of weighed lines, each read once and only when a page may show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.extract.readable_line import table_row
from commonplace.core.memo import Findings
from commonplace.core.quotes.page_quotes import quote
from commonplace.core.quotes.quote_leads import is_title, leads_in
from commonplace.core.quotes.quote_topics import topic_of
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Citation, Line
    from commonplace.core.quotes.lines_by_entity import WeighedLine
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.store.sqlite import Index


class QuoteReader:
    """Reads the quotes of lines, but for those that no page may repeat or show."""

    def __init__(
        self,
        index: Index,
        lines: Sequence[WeighedLine],
        *,
        withheld: Withheld,
        accepted: Iterable[str] = (),
        findings: Findings | None = None,
    ) -> None:
        """Read none yet.

        Args:
            lines: all of them, by their worth.
            withheld: what must not be repeated.
            accepted: proposals that a person let reflect write into the core: what they come from is on pages already.
            findings: what earlier passes found in the same lines.
        """
        self.newest = max((day for day in {line.day for line in lines} if isinstance(day, int)), default=0)
        """Ordinal of the newest log's day."""
        self._index, self._withheld = index, withheld
        self._findings = findings or Findings()
        self._ours = frozenset(map(fold, accepted))
        self._parents = {above[0] for above in {line.above for line in lines} if above}
        self._quotes: dict[int, Quote] = {}
        self._weighed: dict[Citation, WeighedLine] = {}
        """Place of a read line -> that line by its worth."""
        self.rests_on = repr((sorted(self._ours), sorted(withheld.lines.items())))
        """What the quotes depend on, beside their lines and the newest day."""

    def of(self, lines: Iterable[WeighedLine]) -> dict[int, Quote]:
        """Row -> the quote of each line that may be repeated."""
        wanted = {line.rows[0]: line for line in lines}
        missing = [line for row, line in wanted.items() if row not in self._quotes]
        for told in self._index.told_at(row for line in missing for row in line.rows):
            line = wanted[told.rows[0]]
            if (
                self.shows(told.line)
                and not leads_in(told.line)
                and not (told.rows[0] in self._parents and is_title(told.line))
                and not (line.core and fold(told.line.content) in self._ours)
            ):
                self._quotes[told.rows[0]] = quote(
                    told.line,
                    line.score,
                    line.topic or line.tells or topic_of(told.line, who=line.tells_who),
                    tells_who=line.tells_who,
                    core=line.core,
                    newest=self.newest,
                    findings=self._findings,
                )
                self._weighed[told.line.source] = line
        return {row: self._quotes[row] for row in wanted if row in self._quotes}

    def shows(self, line: Line) -> bool:
        """Return whether a line may be repeated and is no row of a table without a head."""
        return self._withheld.shows(line) and (line.content[:1] != "|" or table_row(line) is not None)

    def row(self, place: Citation) -> int:
        """Return the row of a read line, 0 of another."""
        return self._weighed[place].rows[0] if place in self._weighed else 0

    def names(self, place: Citation) -> tuple[str, ...]:
        """Return the folded known names in a read line."""
        return self._weighed[place].names if place in self._weighed else ()

    def above(self, place: Citation) -> int:
        """Return the row of the nearest heading or bullet above a read line, 0 for none."""
        return next(iter(self._weighed[place].above), 0) if place in self._weighed else 0
