"""The ways in: which lines a question may be about, by words, names, pages and days.

Each channel brings rows with a rough worth; what they are really worth is said when they are read
(core/recall/scoring.py).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.recall.coverage import ASKING, WEAK, names, names_year
from commonplace.core.recall.scoring import WHOLE
from commonplace.core.recall.term_stats import Spread, idf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Query, Span
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.core.text.analyzer import Term
    from commonplace.store.sqlite import Index

MOST_TERMS = 16
"""Terms looked up: the rarest ones; a question of more is covered by them."""
MOST_PAIRS = 3
"""Of common terms, looked up together when there is no rare one."""
COMMON = 800
"""Lines above which a term alone brings no candidates, only with rarer ones: listing them is what would cost."""
MOST_ROWS = 1000
CANDIDATES = 160
"""Rows of which it is told apart which promise most."""
FEW_DAYS, FEW_ROWS, MOST_OF_DAYS = 8, 5, 60
"""Days asked about of which so many lines may answer in other words than the question's, when few have those."""
LAST = 1 << 62
"""Above every row."""


class Channels:
    """The channels of one question."""

    def __init__(self, index: Index, query: Query, reading: Reading) -> None:
        self._index = index
        self._query = query
        self._reading = reading
        terms = (*reading.terms, *reading.date_terms)
        self.frequencies = index.frequencies({key for term in terms for key in term.keys})
        """How many lines hold each key of the question's terms."""
        self.totals = index.totals()
        """(lines, terms in all of them)."""
        self._lines, _ = self.totals
        self._lowest = index.written
        self.said: dict[int, float] = {}
        """Of rows that hold terms of the question: the sum of weight × idf of those."""
        self.weak = 0.0
        """The same of all terms that alone are no reason to bring a line."""
        self.placed: frozenset[int] = frozenset()
        """Rows of facts that claim where an entity is that is asked for with where."""
        self.pages: dict[str, str] = {}
        """Path of a page of an entity that is asked about -> the entity's key."""
        self._named = (
            names(reading) if any(names(reading).isdisjoint(term.keys) for term in reading.terms) else frozenset()
        )
        self.spread = Spread(self._lines, index.documents())
        """Where the terms stand, of the rows found."""

    @property
    def only_days(self) -> bool:
        """Whether the question names days and nothing else that stands anywhere."""
        return self._reading.when is not None and not any(
            self.frequencies.get(key) for term in self._reading.terms if term.weight > ASKING for key in term.keys
        )

    def rows(self, lowest: int) -> dict[int, float]:
        """Rows that may be worth reading, with their rough worth, best first, by every channel that the question opens.

        They are the same whatever k is. None is below `lowest`.
        """
        index, reading, query = self._index, self._reading, self._query
        self._lowest = lowest
        self.said = self._lexical()
        found = dict(self.said)
        top = max(found.values(), default=1.0)
        if keys := reading.keys:
            for row in index.rows_of(keys, limit=200):
                found[row] = found.get(row, 0.0) + 0.5 * top
            if reading.asks & {"where", "lives"}:
                self.placed = frozenset(index.placed(keys, high=self._bounds()[1]))
                found.update((row, found.get(row, 0.0) + top) for row in self.placed)
            for row in self._page_rows(keys):
                found[row] = found.get(row, 0.0) + (1.0 if reading.asks & WHOLE else 0.3) * top
        if reading.when is not None:
            span = reading.when.span
            low, high = index.rows_between(span.start, span.end)
            for row in index.rows_valid(span.start, span.end, limit=200):
                found[row] = found.get(row, 0.0) + 0.5 * top
            for row in index.fact_rows_in(low, high, limit=200):
                found[row] = found.get(row, 0.0) + 0.5 * top
            if self._few_days(span) and sum(low <= row <= high for row in found) < FEW_ROWS:
                longest = sorted(index.telling_rows(low, high), key=lambda pair: pair[1], reverse=True)
                for row, _ in longest[:MOST_OF_DAYS]:
                    found.setdefault(row, 0.1 * top)
            if self.only_days:
                for row in (*index.line_rows_in(low, high, limit=100), *self.dated()):
                    found[row] = found.get(row, 0.0) + 0.2 * top
        if query.range is not None and not reading.terms and not found:
            low, high = index.rows_between(query.range.start, query.range.end)
            found.update(dict.fromkeys(index.fact_rows_in(low, high, limit=200), 1.0))
        ranked = sorted(sorted(found, reverse=True), key=found.__getitem__, reverse=True)  # of equals, the newest
        return {row: found[row] for row in ranked}

    def _few_days(self, span: Span) -> bool:
        """Whether a week or less is asked about."""
        return span.start is not None and span.end is not None and (span.end - span.start).days < FEW_DAYS

    def dated(self) -> list[int]:
        """Rows whose text has the question's date phrase with its year."""
        if not names_year(self._reading):
            return []
        low, high = self._bounds()
        together = " AND ".join(f"({term.match})" for term in self._reading.date_terms)
        return self._index.match(together, low=low, high=high, limit=100)

    @property
    def filtered(self) -> bool:
        """Whether the asker wants only lines of some days, kinds or entities."""
        query = self._query
        return bool(query.range or query.as_of or query.kinds or query.entities)

    def _lexical(self) -> dict[int, float]:
        """Row -> sum of weight × idf of the terms that it holds, for rows of the rarest terms."""
        low, high = self._bounds()
        worth = []
        for term in self._reading.terms:
            seen = max((self.frequencies[key] for key in term.keys), default=0)
            if seen:
                worth.append((seen, term, term.weight * idf(self._lines, seen)))
        worth.sort(key=lambda item: item[0])
        worth = worth[:MOST_TERMS]
        tells = any(term.weight > WEAK for _, term, _ in worth)
        self.weak = sum(value for _, term, value in worth if term.kind == "part" or (tells and term.weight <= WEAK))
        found = self._matches(worth, low, high)
        if self._reading.when is not None:
            span = self._reading.when.span
            inside = self._index.rows_between(span.start, span.end)
            self.spread.clear()  # inside the range, what is there counts
            for row, value in self._matches(worth, max(low, inside[0]), min(high, inside[1])).items():
                found[row] = max(found.get(row, 0.0), value)
        return found

    def _matches(self, worth: list[tuple[int, Term, float]], low: int, high: int) -> dict[int, float]:
        found: dict[int, float] = {}
        rare: list[str] = []
        common: list[tuple[int, Term, float]] = []
        for seen, term, value in worth:
            if seen > COMMON:
                common.append((seen, term, value))
                continue
            rare.append(term.match)
            self._note(found, term, value, self._index.match(term.match, low=low, high=high, limit=MOST_ROWS))
        if not rare and common:
            return self._common(common, low, high)
        for _, term, value in common:
            expression = f"({' OR '.join(rare)}) AND ({term.match})"
            self._note(found, term, value, self._index.match(expression, low=low, high=high, limit=MOST_ROWS))
        return found

    def _common(self, common: list[tuple[int, Term, float]], low: int, high: int) -> dict[int, float]:
        """Rows when every term is common: those of two neighbours in rarity count, the rarest one's alone may answer.

        A term stands in "A and B, or B and C, or C and D" where a pair of its own does, or a pair of others with it;
        with B, the third says no more than "B and C".
        """

        def match(expression: str, limit: int = MOST_ROWS) -> list[int]:
            return self._index.match(expression, low=low, high=high, limit=limit)

        terms = [term.match for _, term, _ in common]
        pairs = [f"({one}) AND ({other})" for one, other in pairwise(terms)][:MOST_PAIRS] or terms
        rows = [match(pair) for pair in pairs]
        alone = match(terms[0], MOST_ROWS // 2) if len(terms) > 1 else []
        found = {row: 0.0 for each in (alone, *rows) for row in each[: MOST_ROWS // 2]}
        for at, (_, term, value) in enumerate(common):
            own = [pair for pair in (at - 1, at) if 0 <= pair < len(pairs)]
            others = [f"({pairs[pair]})" for pair in range(len(pairs)) if all(abs(pair - each) > 1 for each in own)]
            found_in = [rows[pair] for pair in own]
            if others:
                found_in.append(match(f"({' OR '.join(others)}) AND ({term.match})"))
            newest = found_in[0] if len(found_in) == 1 else sorted(set().union(*found_in), reverse=True)[:MOST_ROWS]
            self._note(found, term, value, newest)
        return found

    def _note(self, found: dict[int, float], term: Term, value: float, rows: list[int]) -> None:
        """Note where a term stands; a name stands everywhere where one speaks, and tells of nothing else."""
        for row in rows:
            found[row] = found.get(row, 0.0) + value
        if self._named.isdisjoint(term.keys):
            self.spread.add(value, term.weight, rows, len(self._index.days_of(rows)))

    def _bounds(self) -> tuple[int, int]:
        """The rows that can be asked for at all."""
        query = self._query
        low, high = self._lowest, LAST
        if query.as_of is not None:
            high = self._index.rows_between(None, query.as_of)[1]
        return low, high

    def _page_rows(self, keys: tuple[str, ...]) -> Iterable[int]:
        """Rows of the pages of these entities."""
        for key in keys:
            for path in self._index.pages_of(key):
                self.pages[path] = key
                yield from (row for row in self._index.rows_in(path, limit=400) if row >= self._lowest)
