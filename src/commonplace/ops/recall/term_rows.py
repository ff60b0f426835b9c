"""Finds rows by the rarest terms of a question."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.recall.term_stats import MEMBER, WEAK, idf, names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.index_rows import RowRange
    from commonplace.core.recall.term_stats import Members
    from commonplace.core.text.analyzer import Term
    from commonplace.store.sqlite import Index

    Worth = tuple[int, Term, float]
    """(number of lines with a term, the term, its weight × inverse document frequency)."""
    Matches = list[tuple[Term, float, list[int]]]
    """Terms with their worth and rows, newest first."""
    Read = Callable[[Sequence[list[int]]], tuple[dict[int, float], Matches]]
    """Reads the matches from the rows of each search."""

MOST_TERMS = 16
"""Maximum terms that are looked up: the rarest ones."""
MOST_PAIRS = 3
"""Maximum pairs of common terms that are looked up if there is no rare term."""
COMMON = 800
"""Number of lines above which a term finds candidates only together with rarer terms: listing them all costs most."""
MOST_ROWS = 1000


def rows_by_terms(
    index: Index, question: AnalyzedQuestion, *, among: RowRange
) -> tuple[dict[int, float], dict[int, float], Matches, float]:
    """Return the rows that have the rarest terms of the question, or members of its general words, in four parts.

    These are, by row, the sum of weight × idf of the terms that it has; the same with members; the terms with their
    rows; and that sum for all terms that alone are no reason to find a line.
    """
    reading = question.reading
    worth: list[Worth] = []
    for term in reading.terms:
        seen = max((question.frequencies[key] for key in term.keys), default=0)
        if seen:
            worth.append((seen, term, term.weight * idf(question.lines, seen)))
    worth.sort(key=lambda item: item[0])
    worth = worth[:MOST_TERMS]
    any_strong = any(term.weight > WEAK for _, term, _ in worth)
    weak = sum(value for _, term, value in worth if term.kind == "part" or (any_strong and term.weight <= WEAK))
    days = [among.both(index.rows_between(reading.when.span))] if reading.when is not None else []
    said: dict[int, float] = {}
    found: dict[int, float] = {}
    matches: Matches = []
    for of_terms, matches in _matches(index, worth, question.scale.members, ranges=(among, *days)):
        # the last statistics are those of the days asked about
        _keep_most(said, of_terms)
        _keep_most(found, _summed(of_terms, [match for match in matches if match[0].kind == MEMBER]))
    return said, found, _without_names(question, matches), weak


def _keep_most(kept: dict[int, float], values: Mapping[int, float]) -> None:
    if not kept:
        kept.update(values)
        return
    for row, value in values.items():
        if value > kept.get(row, -1.0):
            kept[row] = value


def _without_names(question: AnalyzedQuestion, matches: Matches) -> Matches:
    """The matches of terms that are no names: a speaker's name is in every line and says nothing about a line."""
    named = names(question.reading)
    if all(named.intersection(term.keys) for term in question.reading.terms):
        return matches
    return [match for match in matches if named.isdisjoint(match[0].keys)]


def _matches(
    index: Index, worth: Sequence[Worth], members: Sequence[Members], *, ranges: Sequence[RowRange]
) -> list[tuple[dict[int, float], Matches]]:
    """Return, of each of these ranges, the worth of its rows and the terms with their rows; all is searched at once."""
    searches, read = _searches(worth) if worth else ([], partial(_of_each, ()))
    wanted = [*searches, *(each.term.match for each in members)]
    if not wanted:
        return [({}, []) for _ in ranges]
    found = index.match_each([(search, among) for among in ranges for search in wanted], limit=MOST_ROWS)
    of_ranges = [found[at : at + len(wanted)] for at in range(0, len(found), len(wanted))]
    return [_with_members(read(rows[: len(searches)]), members, rows[len(searches) :]) for rows in of_ranges]


def _with_members(
    found: tuple[dict[int, float], Matches], members: Sequence[Members], rows: Sequence[list[int]]
) -> tuple[dict[int, float], Matches]:
    """The matches, and those of members of general words; a row with the general word itself is not among these."""
    of_terms, matches = found
    added: Matches = []
    for each, having in zip(members, rows, strict=True):
        own = {row for term, _, there in matches if term in each.own for row in there}
        added.append((each.term, each.worth, [row for row in having if row not in own]))
    return of_terms, [*matches, *added]


def _searches(worth: Sequence[Worth]) -> tuple[list[str], Read]:
    """The searches for these terms, and what reads the matches from their rows."""
    rare = [term.match for seen, term, _ in worth if seen <= COMMON]
    only = f"({' OR '.join(rare)}) AND "
    if not rare:
        return _of_common(worth)
    searches = [term.match if seen <= COMMON else f"{only}({term.match})" for seen, term, _ in worth]
    return searches, partial(_of_each, worth)


def _of_each(worth: Sequence[Worth], rows: Sequence[list[int]]) -> tuple[dict[int, float], Matches]:
    """The matches if each term is searched by itself."""
    matches = [(term, value, found) for (_, term, value), found in zip(worth, rows, strict=True)]
    return _summed({}, matches), matches


def _of_common(worth: Sequence[Worth]) -> tuple[list[str], Read]:
    """The searches if every term is common, and what reads the matches from their rows: lines with two terms that are
    neighbours in rarity, or with the rarest term.

    A term is in "A and B, or B and C, or C and D" if a pair with it is, or a pair of others together with it; with B,
    the third pair is no more than "B and C".
    """
    terms = [term.match for _, term, _ in worth]
    pairs = [f"({one}) AND ({other})" for one, other in pairwise(terms)][:MOST_PAIRS] or terms
    alone = terms[:1] if len(terms) > 1 else []
    own = [[pair for pair in (at - 1, at) if 0 <= pair < len(pairs)] for at in range(len(terms))]
    beside: dict[int, str] = {}
    for at, term in enumerate(terms):
        others = [f"({pairs[pair]})" for pair in range(len(pairs)) if all(abs(pair - each) > 1 for each in own[at])]
        if others:
            beside[at] = f"({' OR '.join(others)}) AND ({term})"

    def read(found: Sequence[list[int]]) -> tuple[dict[int, float], Matches]:
        of_pairs, of_one = found[: len(pairs)], found[len(pairs) : len(pairs) + len(alone)]
        with_others = dict(zip(beside, found[len(pairs) + len(alone) :], strict=True))
        matches: Matches = []
        for at, (_, term, value) in enumerate(worth):
            found_in = [of_pairs[pair] for pair in own[at]] + ([with_others[at]] if at in with_others else [])
            newest = found_in[0] if len(found_in) == 1 else sorted(set().union(*found_in), reverse=True)[:MOST_ROWS]
            matches.append((term, value, newest))
        return _summed({row: 0.0 for each in (*of_one, *of_pairs) for row in each[: MOST_ROWS // 2]}, matches), matches

    return [*pairs, *alone, *beside.values()], read


def _summed(found: Mapping[int, float], matches: Matches) -> dict[int, float]:
    summed = dict(found)
    for _, value, rows in matches:
        for row in rows:
            summed[row] = summed.get(row, 0.0) + value
    return summed
