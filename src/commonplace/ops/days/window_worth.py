"""What the lines of a window are worth, by the one measure (`core/extract/line_worth.py`), each weighed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.extract.line_worth import (
    ASSISTANT,
    CHATTER,
    USER,
    Worth,
    label_of,
    repeats,
    shape_of,
    worth_alone,
    worth_apart,
    worth_below,
)
from commonplace.core.model import Citation, Line
from commonplace.core.recall.index_rows import chain
from commonplace.core.text.analyzer import query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.recall.index_rows import RowRange
    from commonplace.store.sqlite import Index

_FACT = 3.0
"""How much more a fact is worth: its author chose it."""
_ROW = 2.0
"""How much less a row of a table is worth, which is read with its header."""
_ENOUGH, _OF_A_TERM = 40, 0.05
"""Number of terms above which a longer line is probably worth no more, and what each is worth below that."""
_MOST_READ = 450
"""Characters of a line that are read: the time is that of reading them, and a longer line is too long to tell a day."""
_MOST_SAID = 200
"""Lines with the word of an assistant's messages, by which transcripts are known."""
_NOWHERE = Citation("", 0)


class WindowWorth:
    """Weighs lines by their rows; how often lines of one form recur is counted in the first that are weighed."""

    def __init__(self, index: Index, *, facts: Iterable[int], among: RowRange) -> None:
        """Weigh nothing yet.

        Args:
            facts: rows of facts.
            among: rows of the days.
        """
        self._index = index
        self._facts = frozenset(facts)
        self._alike = repeats(())
        self._known: dict[int, Worth] = {}
        (speaker,) = query_terms(ASSISTANT)
        said = index.texts(index.match(speaker.match, among=among, limit=_MOST_SAID))
        self._transcripts = {file for _, file, text in said.values() if text.startswith(ASSISTANT)}

    def promising(self, parents: Mapping[int, int], lengths: Mapping[int, int]) -> dict[int, float]:
        """Return row -> what a line is probably worth, by its length and the headings and bullets above it.

        Args:
            parents: row -> row of the heading or bullet above it.
            lengths: row -> number of terms.
        """
        over = {parents.get(row, 0) for row in lengths}
        above = self._index.ancestors(over)
        below = {parent: worth_below(chain(parent, above)) for parent in over}
        return {row: _OF_A_TERM * min(length, _ENOUGH) + below[parents.get(row, 0)] for row, length in lengths.items()}

    def weigh(self, rows: Iterable[int]) -> dict[int, Worth]:
        """Return row -> worth."""
        rows = list(rows)
        missing = [row for row in rows if row not in self._known]
        if missing:
            self._read(missing)
        return {row: self._known[row] for row in rows if row in self._known}

    def _read(self, missing: Sequence[int]) -> None:
        self._index.foresee(lambda: (self._index.texts(missing), self._index.names_in_rows(missing)))
        texts = self._index.texts(missing)
        above = self._index.ancestors(parent for parent, _, _ in texts.values())
        names = self._index.names_in_rows(missing)
        forms = {row: (shape_of(text), label_of(text)) for row, (_, _, text) in texts.items()}
        if not self._known:
            self._alike.add((shape for shape, _ in forms.values()), (label for _, label in forms.values()))
        for row, (parent, file, text) in texts.items():
            day = self._index.day_of(row)
            alone = worth_alone(Line(text[:_MOST_READ], (), _NOWHERE, day, context=chain(parent, above)))
            score = worth_apart(alone, text) + self._alike.score(*forms[row], names=len(names.get(row, ())))
            score += _FACT * (row in self._facts) - _ROW * (text[:1] == "|")
            score -= CHATTER * (file in self._transcripts and not text.startswith(USER))
            self._known[row] = alone._replace(score=score)
