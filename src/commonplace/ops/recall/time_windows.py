"""Answers a question that has only days or a kind: the best lines of a range of days.

Days take turns, each with its best lines. The order of reading does not depend on k, so that a larger k only adds hits
and `omitted` is counted alike.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.extract.line_worth import shape_of
from commonplace.core.model import Hit, Role, Span
from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.recall.scored_lines import naming_days
from commonplace.core.recall.window_order import (
    Days,
    asks_what_held,
    decided,
    decision_terms,
    in_logs,
    in_turn,
    oldest_first,
    reasons,
    tells,
)
from commonplace.core.text.normalize import fold
from commonplace.ops.days.day_rows import MOST_HELD, MOST_LINES, rows_of
from commonplace.ops.days.lines_naming_days import rows_naming
from commonplace.ops.recall.conflicting_facts import with_conflicting
from commonplace.ops.recall.read_lines import read_candidates, wanted_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import AnyLine, Query
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.found_lines import ReadLine
    from commonplace.core.recall.index_rows import StoredLine
    from commonplace.ops.days.day_rows import DayRows
    from commonplace.ops.days.window_worth import WindowWorth
    from commonplace.store.sqlite import Index

    Read = Callable[[Sequence[int]], list[ReadLine]]
    Paired = Callable[..., tuple[list[Hit], set[int]]]
    RowsInParts = Callable[[], list[list[int]]]

COUNTED = 60
"""Further lines whose text is checked at a time, to count those with content."""
AT_ONCE = 6 * COUNTED
"""Lines that are read at once after the first of these, if they are far away."""
MOST_YEARS = 3
"""Maximum years that are searched in undated lines."""
AROUND = 3
"""Days before and after an approximate day: "around November 27", "two weeks ago"."""
ONE_EVENT = 31
"""Days that an undated line may name and still be of one of them; a longer time is no event."""
BESIDE = 1.0
"""What a line loses for each better one below the same heading or bullet."""
SUPERSEDED = 1.0
"""What a line loses if a fact supersedes it."""
OWN_DAYS, TOLD_ELSEWHERE = 2.0, 4.0
"""What a fact gains by a valid range with both ends, and a line loses if it was recorded on none of the days."""
ROUTINE = 3
"""Number of days with the same line, apart from numbers, from which it is routine: shown if a day has no other."""
_LOOSE = frozenset(("around", "ago"))


def days_of(query: Query, reading: Reading, *, today: date) -> Days:
    """Return the days of a question and its filters; what happened since some day did so until today."""
    asked, oldest = reading.when, oldest_first(query.text)
    if asked is None:
        return Days(query.range or Span(None, None), query.range is None, oldest, None)
    span, around = asked.span, None
    if asked.relation in _LOOSE and span.start is not None and span.start == span.end:
        around = span.start
        span = Span(around - timedelta(AROUND), around + timedelta(AROUND))
    if span.end is None and span.start is not None and span.start <= today:
        span = Span(span.start, today)
    if query.range is not None:
        span = _both(span, query.range)
    return Days(span, False, oldest, around)


def _both(one: Span, other: Span) -> Span:
    starts = [day for day in (one.start, other.start) if day is not None]
    ends = [day for day in (one.end, other.end) if day is not None]
    return Span(max(starts, default=None), min(ends, default=None))


class WindowLines(NamedTuple):
    """The lines of a range of days."""

    hits: list[Hit]
    """The best line of each day, then the second of each, and so on; first all lines of an approximate day. Then, for a
    larger k, those of the lines read next."""
    more: int
    """Number of further lines with content, of those that were checked."""
    at_least: bool
    """Whether there are lines that were not checked."""


def tell(index: Index, question: AnalyzedQuestion, *, naming: Callable[[], Sequence[int]]) -> WindowLines:
    """Return the lines of the days asked about.

    Args:
        naming: looks up rows of other days, or undated ones, whose text has the date phrase.
    """
    query, keys, decisions = question.query, question.wanted, question.window == "decisions"
    read = partial(read_candidates, index, question)
    days = days_of(query, question.reading, today=question.today)
    paired = partial(with_conflicting, index, question, oldest_first=days.oldest)

    known = index.rows_known(query.as_of)

    def look_up() -> None:
        naming()
        last_day(index, question)
        if not keys:
            _undated(index, days.span)
            rows_naming(index, days.span, among=known, today=question.today)
        if decisions:
            index.match(decision_terms(), among=index.rows_between(days.span), limit=2 * MOST_LINES)

    rows = rows_of(index, query, days=days, keys=keys, also=look_up)
    named = naming()
    if decisions:
        among = index.rows_between(days.span)
        said = index.match(decision_terms(), among=among, limit=2 * MOST_LINES)
        rows = rows._replace(read=[*dict.fromkeys((*rows.read, *said))])
        rows.left.leave_out(said)
    undated = [] if keys else _undated(index, days.span)[: MOST_HELD - rows.held]
    may_name = [] if keys else rows_naming(index, days.span, among=known, today=question.today)
    first = [*dict.fromkeys((*rows.read, *named, *undated, *may_name))] if not keys else rows.read

    def ahead(parts: RowsInParts) -> None:
        index.foresee(lambda: [index.lines(each, named=True) for each in parts()])

    ahead(lambda: [*_in_parts(first), rows.left.next(COUNTED)])
    beside_it = {*undated, *may_name}.difference(rows.read, named)
    told_of = (
        _of_days(each, days.span, question.today) if each.stored.row in beside_it else each for each in read(first)
    )
    lines = _of_question(filter(None, told_of), question, days.span)
    if decisions:
        return _decided(lines, rows, days=days, read=read, ahead=ahead, paired=paired, limit=query.limit)
    rest = _Rest()
    hits, added = paired(_in_order(_telling(lines, days, rest=rest, worth=rows.worth), lines, days=days))
    rows.left.leave_out(added)
    more: list[int] = []
    at = 0
    while looked_at := rows.left.take(COUNTED):
        lines_there = wanted_lines(index, question, rows=looked_at)
        more += rest.telling([lines_there[row] for row in looked_at if row in lines_there])
        if len(hits) + len(more) >= query.limit:
            break
        if at % AT_ONCE == 0:
            ahead(lambda: [rows.left.next(AT_ONCE)])
        at += COUNTED
    if wanted := more[: max(0, query.limit - len(hits))]:
        found = _telling(read(wanted), days, rest=_Rest(), worth=rows.worth)
        later = [found[row].hit for row in wanted if row in found]
        later, added = paired(later, known=hits)
        more = [row for row in more if row not in added]
        hits += later
    return WindowLines(hits, len(set(more).difference(wanted)), rows.cut or bool(rows.left))


def last_day(index: Index, question: AnalyzedQuestion) -> date | None:
    """Return the last day of which lines are known, if it is before those asked about and these have begun."""
    start, now = question.days.start if question.days else None, question.query.as_of or question.today
    if start is None or start > now:
        return None
    newest = index.line_rows_in(index.rows_between(Span(None, now)), limit=1)
    day = index.day_of(newest[0]) if newest else None
    return day if day is not None and day < start else None


def _in_parts(rows: list[int]) -> list[list[int]]:
    """The rows in parts of as many as are read whole."""
    return [rows[at : at + COUNTED] for at in range(0, len(rows), COUNTED)]


def _of_days(read: ReadLine, span: Span, today: date) -> ReadLine | None:
    """A line that names some of these days, with those; None for others, but for what an undated note says of them."""
    line = read.candidate.line
    if (found := naming_days(line, span, today)) is not None:
        return read._replace(candidate=read.candidate._replace(line=found))
    own = line.told_of
    return read if own is not None and own.overlaps(span) and in_logs(line.source.path) else None


def _of_question(lines: Iterable[ReadLine], question: AnalyzedQuestion, span: Span) -> list[ReadLine]:
    """Leave out what began before these days and only goes on, if the question asks what happened on them."""
    if Ask.HAPPENED not in question.reading.asks or question.query.kinds or asks_what_held(question.query.text):
        return [*lines]
    return [each for each in lines if not _only_goes_on(each.candidate.line, span)]


def _only_goes_on(line: AnyLine, span: Span) -> bool:
    if line.valid is None or line.valid.end is not None or span.start is None:
        return False
    began = line.valid.start is not None and line.valid.start < span.start
    return began and (line.recorded is None or not Span(line.recorded, line.recorded).overlaps(span))


def _decided(
    lines: Sequence[ReadLine],
    rows: DayRows,
    *,
    days: Days,
    read: Read,
    ahead: Callable[[RowsInParts], None],
    paired: Paired,
    limit: int,
) -> WindowLines:
    """The decisions of these days, the days taking turns.

    Args:
        ahead: told which lines may be read next, in parts.
    """
    hits: list[Hit] = []
    at = 0
    while True:
        stating = ((each, each.candidate.line) for each in lines)
        told_of = [each for each, line in stating if decided(line.source.path, line.content, context=line.context)]
        known = {fold(hit.line.content) for hit in hits}
        found = _in_order(_telling(told_of, days, rest=_Rest(), worth=rows.worth), told_of, days=days)
        found = [hit for hit in found if fold(hit.line.content) not in known]
        hits += paired(found, known=hits)[0]
        if not rows.left or (at and len(hits) >= limit):
            return WindowLines(hits, 0, rows.cut or bool(rows.left))
        if at % AT_ONCE == COUNTED:
            ahead(lambda: _in_parts(rows.left.next(AT_ONCE)))
        lines = read(rows.left.take(COUNTED))
        at += COUNTED


class _Told(NamedTuple):
    """A line of a window."""

    hit: Hit
    worth: float
    routine: bool
    elsewhere: bool
    """Whether no log of these days has it: it only speaks of them, or stands in another file."""


def _in_order(found: Mapping[int, _Told], lines: Sequence[ReadLine], *, days: Days) -> list[Hit]:
    """The hits, the days taking turns."""
    by_day: dict[date | None, list[tuple[float, int]]] = {}
    beside: dict[tuple[int, int], int] = {}
    places = {line.row: (line.file, line.parent) for line, _ in lines}
    for row in sorted(found, key=lambda row: (-found[row].worth, row)):
        place = places[row]
        beside[place] = beside.get(place, -1) + 1
        worth = found[row].worth - BESIDE * beside[place]
        by_day.setdefault(days.of(found[row].hit.line), []).append((-worth, row))
    meant = _without_routine(by_day.pop(days.around, []), found) if days.around is not None else []
    turns = [_without_routine(by_day[day], found) for day in sorted(by_day, key=days.order)]
    turns.sort(key=lambda rows: found[rows[0]].elsewhere)  # a day that no log tells comes with the second lines
    late: list[list[int | None]] = [[None, *rows] if found[rows[0]].elsewhere else [*rows] for rows in turns]
    return [found[row].hit for row in (*meant, *in_turn(late))]


class _Rest:
    """Finds, among the lines that are not read first, those that say something new."""

    def __init__(self) -> None:
        self.on: dict[bytes, set[date | None]] = {}
        """Shape of a line -> the days that have it."""
        self.heads: set[int] = set()
        """Rows of table headers."""
        self.said: set[str] = set()
        self.eventful: set[date | None] = set()
        """Days with more than routine."""

    def telling(self, lines: Iterable[StoredLine]) -> list[int]:
        """Return the rows of lines that say something new, in their order; of an eventful day no routine."""
        telling = [line for line in lines if not line.conflict and (line.is_fact or tells(line.line.content))]
        patterns = self.noted(telling)
        routine = {row for row, said in patterns.items() if len(self.on[said]) >= ROUTINE}
        self.eventful.update(line.line.recorded for line in telling if line.row not in routine)
        found = []
        for line in telling:
            head = line.role is Role.ROW and line.row in self.heads
            if head or (line.row in routine and line.line.recorded in self.eventful):
                continue
            if (folded := fold(line.line.content)) not in self.said:
                self.said.add(folded)
                found.append(line.row)
        return found

    def noted(self, lines: Sequence[StoredLine]) -> dict[int, bytes]:
        """Return row -> shape of each line that is no fact, and note its day."""
        patterns = {line.row: shape_of(line.line.content) for line in lines if not line.is_fact}
        for line in lines:
            if not line.is_fact:
                self.on.setdefault(patterns[line.row], set()).add(line.line.recorded)
        self.heads.update(line.parent for line in lines if line.role is Role.ROW)
        return patterns


def _undated(index: Index, span: Span) -> list[int]:
    """Undated rows with a year of these days, newest first: a list of decisions, each with its date."""
    if span.start is None:
        return []
    last = span.end.year if span.end is not None else span.start.year + 1
    years = range(span.start.year, min(last, span.start.year + MOST_YEARS) + 1)
    if not years:  # the days of the question and those of the flags have none in common
        return []
    return index.match(" OR ".join(f'"{year}"' for year in years), among=index.undated_rows(), limit=MOST_HELD)


def _without_routine(rows: list[tuple[float, int]], found: Mapping[int, _Told]) -> list[int]:
    """A day's rows, best first; routine only if there is nothing else."""
    best = [row for _, row in sorted(rows)]
    return [row for row in best if not found[row].routine] or best


def _telling(lines: Sequence[ReadLine], days: Days, *, rest: _Rest, worth: WindowWorth) -> dict[int, _Told]:
    """Row -> each line with content, each text once; they are noted in `rest`."""
    patterns = rest.noted([line for line, _ in lines])
    telling = [
        (line, candidate)
        for line, candidate in lines
        if not line.conflict
        and (line.is_fact or tells(candidate.line.content))
        and not (line.role is Role.ROW and line.row in rest.heads)
    ]
    weighed = worth.weigh(line.row for line, _ in telling)
    bounded = days.span != Span(None, None)
    found: dict[int, _Told] = {}
    first: dict[str, int] = {}
    for line, candidate in telling:
        fact = candidate.line
        same = first.setdefault(fold(fact.content), line.row)
        if same != line.row:
            hit = found[same].hit
            found[same] = found[same]._replace(hit=hit._replace(also=(*hit.also, fact.source)))
            continue
        often = not line.is_fact and len(rest.on[patterns[line.row]]) >= ROUTINE
        routine = often or line.role is Role.HEADING
        if not routine:
            rest.eventful.add(fact.recorded)
        held = fact.valid is not None and days.of(fact) != fact.recorded and (line.is_fact or fact.recorded is not None)
        elsewhere = bounded and (held or not (line.is_fact or _logged(fact)))
        own = line.is_fact and fact.valid is not None and fact.valid.start is not None and fact.valid.end is not None
        score = weighed[line.row].score + OWN_DAYS * own - TOLD_ELSEWHERE * elsewhere
        score -= SUPERSEDED * (candidate.superseded_by is not None)
        when = f"holds {fact.valid}" if held else f"recorded {fact.recorded}" if fact.recorded else "without a day"
        hit = candidate.hit(score, (when, *reasons(weighed[line.row].signs)))
        found[line.row] = _Told(hit, score, routine, elsewhere)
    rest.said.update(first)
    return found


def _logged(line: AnyLine) -> bool:
    """Whether a log has a line, or an undated note that says on which days it was."""
    if line.recorded is None and line.valid is not None:
        start, end = line.valid
        if start is None or end is None or (end - start).days > ONE_EVENT:
            return False
    return in_logs(line.source.path)
