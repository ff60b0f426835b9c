"""Chooses the rows to read: those with the highest estimated score, and the neighbours of the best."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.recall.found_lines import Batch
from commonplace.core.recall.index_rows import chain, lineage
from commonplace.core.recall.scoring import ANSWERED, Ranker
from commonplace.core.recall.term_stats import NEAR
from commonplace.ops.recall.read_lines import lines_to_filter, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.diagnostics import Diagnostics
    from commonplace.core.recall.found_lines import Around, Found, ReadLine
    from commonplace.core.recall.index_rows import Above
    from commonplace.store.sqlite import Index

CANDIDATES = 160
"""Rows that are ordered by their estimated score."""
PROMISING = 36
"""Candidates whose text, headings and neighbours are read: those with the highest estimate."""
FEW = 60
"""The same if days are asked about, or what only the text of a line shows, or no more are found; all 160 candidates
would cost 15 ms more."""
SHOWN_BY_TEXT = ANSWERED | {Ask.WHEN}
"""What a question asks for that only the text of a line shows, such as a cause or a day; so do values."""
FURTHER = 24
"""Candidates read at a time if those first ones give fewer hits than asked for."""
MOST_AHEAD = 100
"""Candidates that are read at once from a store that is far away, if many hits are asked for."""
BELOW = 8
"""Lines below a heading or bullet that become candidates with it."""
BELOW_NAME = 24
"""The same below the name of the one asked about, in a note."""
REACH = 14
"""Lines before and after in which a cause, a fix or a decision is searched if the question asks for one."""


class Search:
    """A question with what its channels found, and what scores the lines."""

    def __init__(self, store: Index, question: AnalyzedQuestion, found: Found) -> None:
        self.store = store
        self.question = question
        self.found = found
        self.ranker = Ranker(question, has_notes=bool(found.in_notes))


def surroundings(search: Search, rows: Iterable[int]) -> dict[int, Around]:
    """Return what is around each of these rows."""
    found, total = search.found, search.question.scale.total
    around, documents = search.store.surroundings(rows, found.term_rows, reach=NEAR)
    worth = {number: found.spread.document(*counts) for number, counts in documents.items()}
    return {row: (near / total, worth[document], length) for row, (length, near, document) in around.items()}


def batches(search: Search) -> Iterator[Batch]:
    """Yield the lines worth reading, those with the highest estimate first.

    The batches do not depend on k, so a larger k only adds hits.
    """
    index, question = search.store, search.question
    rows_found = [*search.found.rows]
    width = 4 * CANDIDATES if question.is_filtered else CANDIDATES
    first = frozenset(rows_found[:CANDIDATES])
    tells = bool(question.reading.values or question.reading.asks & SHOWN_BY_TEXT)
    count = PROMISING if question.days is None and not tells and len(rows_found) > FEW else FEW
    most = 0.0
    for start in range(0, len(rows_found), width):
        wide = rows_found[start : start + width]
        if question.is_filtered or len(wide) <= FEW:  # all of them are read
            index.foresee(partial(lines_to_filter, index, question, wide))
        around = surroundings(search, wide)
        if start == 0:
            most = max((around[row][1] for row in first if row in around), default=0.0)
        batch = Batch({}, (), around, most, search.found.trust)
        newest = sorted(around, reverse=True)  # of equals, the newest
        rows = sorted(newest, key=_promises(search, batch).__getitem__, reverse=True)
        if start == 0:
            rows.sort(key=lambda row: (row in search.found.in_notes, row in first), reverse=True)
        lines: dict[int, ReadLine] | None = None
        if question.is_filtered:
            lines = read_lines(index, question, rows=rows)
            unwanted = [row for row in rows if row not in lines]
            rows = [row for row in rows if row in lines]
            batch = batch._replace(read=unwanted, around={row: around[row] for row in rows})
            yield batch
        elif start == 0:
            rows = _authors_too(index, rows, count=count)
        ahead = min(max(FURTHER, 2 * question.query.limit), MOST_AHEAD)
        if lines is None and question.query.limit > count:
            index.foresee(partial(index.lines, rows[: count + ahead]))
        for at in (0, *range(count, len(rows), FURTHER)):
            if lines is None and at and (at - count) % ahead < FURTHER:
                index.foresee(partial(index.lines, rows[at : at + ahead]))
            part = rows[at : at + FURTHER] if at else rows[:count]
            wanted = {row: lines[row] for row in part} if lines is not None else read_lines(index, question, rows=part)
            yield batch._replace(lines=wanted, read=part)


def _promises(search: Search, batch: Batch) -> dict[int, float]:
    found, ranker = search.found, search.ranker
    promises = {
        row: ranker.promise(found.rows[row], length=length, near=near, document=batch.document(said))
        for row, (near, said, length) in batch.around.items()
    }
    for row in found.signals.keys() & promises.keys():
        promises[row] += sum(signal.score for signal in found.signals[row])
    return promises


def _authors_too(index: Index, rows: list[int], *, count: int) -> list[int]:
    """The rows with at most half of the first `count` said by others, as long as there are any of the author's."""
    if len(rows) <= count:
        return rows
    others = index.said_by_others(rows[:count])
    if 2 * len(others) <= count:
        return rows
    others = index.said_by_others(rows)
    late = {*[row for row in rows if row in others][count // 2 :]}
    return sorted(rows, key=late.__contains__)


def answering_rows(search: Search, batch: Batch, *, known: Diagnostics) -> Iterator[int]:
    """Yield the rows, of those that may be read next, that answer for certain by their terms."""
    question, found, ranker = search.question, search.found, search.ranker
    if not (found.rows and ranker.judges_by_terms) or question.only_days:
        return
    when = question.reading.when
    days = search.store.rows_between(when.span) if when is not None else None
    for row, (near, said, length) in batch.around.items():
        worth = found.said.get(row, 0.0)
        if worth > found.weak and row not in known.read:
            outside = days is not None and not days.has(row)
            promise = ranker.promise(worth, length=length, near=near, document=batch.document(said))
            if ranker.surely(promise, known.best, outside=outside):
                yield row


def rows_near(search: Search, best: Sequence[int], *, around: Above) -> set[int]:
    """Return the rows beside and below the best ones, and nearby rows that tell what the question asks for.

    Args:
        around: texts read so far; new ones are added to it.
    """
    index, ranker = search.store, search.ranker
    asked = bool(search.question.reading.asks & ANSWERED)
    in_notes = search.found.in_notes
    before, after = (REACH, REACH) if asked else (1, BELOW)
    after = BELOW_NAME if in_notes else after
    beside = index.neighbours(best, around, before=before, after=after)
    lines = [line for each in beside.values() for line in (*each[0], *each[1])]
    index.ancestors({parent for _, parent, _ in lines}, around)
    found = {line[0] for each in beside.values() for line in (*each[0][:1], *each[1][:1])}
    for row, each in beside.items():
        below = each[1][: BELOW_NAME if row in in_notes else BELOW]
        found.update(other for other, parent, _ in below if row in lineage(parent, around))
    if asked:
        found.update(other for other, parent, text in lines if ranker.told(text, chain(parent, around)))
    return found
