"""Reads a question with the names that the index knows, and with the days of which it has lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.questions.ask_phrases import OF_ONE, Ask, asks_for_the_agent, of_the_owner
from commonplace.core.questions.query_analysis import read
from commonplace.core.recall.term_stats import WEAK
from commonplace.core.text.known_languages import identify
from commonplace.ops.days.lines_naming_days import FEW_LINES, rows_naming
from commonplace.ops.recall.introducing_files import names_introduced, tells_preferences

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.model import Span
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.recall.index_rows import RowRange
    from commonplace.core.text.analyzer import Term
    from commonplace.store.sqlite import Index


_SOON = 31
"""Days ahead that somebody means who asks for plans, whatever was on such a day before."""
_OF_SOMEBODY = OF_ONE | {Ask.WHO}
_OF_NO_PAGE = frozenset((Ask.TASKS, Ask.DUE, Ask.AHEAD, Ask.OVERDUE, Ask.DECISION))
"""What is asked of no page of owner or agent: "what are my open tasks?"."""
_LAST = 8
"""Questions of which it is noted how they are read, the last: a page asks for the words and the hits of one."""


def read_question(index: Index, text: str, *, today: date, as_of: date | None = None) -> Reading:
    """Return how a question is read; noted, because a page that shows its answer shows that, too."""
    noted, asked = index.noted(), (text, today, as_of)
    known: dict[tuple[str, date, date | None], Reading] = noted.get("read", {})
    if asked not in known:
        last = list(known.items())[1 - _LAST :]
        noted["read"] = known = {**dict(last), asked: read_with(index, text, today=today, as_of=as_of)}
    return known[asked]


def read_with(index: Index, text: str, *, today: date, as_of: date | None = None, plainly: bool = False) -> Reading:
    """Return how a question is read. Of "on Friday", whose verb does not say which, the one of which there are lines is
    meant, else the nearer; of plans the one to come, if it has lines or is near; of what is due the one to come.

    Args:
        as_of: the day up to which lines count.
        plainly: by its words, where no note tells what it asks of somebody.
    """
    reading = _of_owner_or_agent(index, read(text, today, index.tagged, plainly=plainly))
    if reading.when is None or (Ask.DUE in reading.asks and (reading.when.span.end or today) >= today):
        return reading
    other = when.read_otherwise(text, reading.when, today)
    if other is None:
        return reading
    spans = (reading.when.span, other.span)
    known = index.rows_known(as_of)
    index.foresee(lambda: [_rows_of(index, span, today, known) for span in spans])
    has, has_other = (_has_lines(index, span, today, known) for span in spans)
    chosen, left = reading.when, other
    ahead, has_ahead = (chosen, has) if chosen.span > other.span else (other, has_other)
    if when.asks_for_plans(text) and (has_ahead or _distance(ahead.span, today) <= _SOON):
        chosen, left = (chosen, left) if ahead is chosen else (left, chosen)
    elif has_other > has or (has is has_other and _distance(other.span, today) < _distance(chosen.span, today)):
        chosen, left = left, chosen
    return reading._replace(when=chosen, or_else=left.span if has is has_other else None)


def _of_owner_or_agent(index: Index, reading: Reading) -> Reading:
    """The reading, of the owner if it asks for nothing but who they are, what they prefer or what else a note tells of
    somebody, and of the agent if it asks who that is: "where do I live?", "who are you?". Its words are not searched
    then, nor what they include. "What are my preferences?" asks what the owner prefers, and not who that is; if no file
    about the owner tells it, all that is preferred answers."""
    who = bool(reading.asks & _OF_SOMEBODY)
    of_a_page = bool(reading.asks & (OF_ONE | {Ask.OPINION})) or (who and not reading.asks & _OF_NO_PAGE)
    if reading.entities or not of_a_page:
        return reading
    agent = who and asks_for_the_agent(reading.query)
    others: tuple[Term, ...] = ()
    if not agent:
        speaks = of_the_owner(reading.query, identify(reading.query).code)
        if speaks is None:
            return reading
        others = tuple(term for term in reading.terms if not speaks(term.text))
    if any(term.weight > WEAK for term in others):
        return reading
    told = not reading.kinds or tells_preferences(index)
    names = names_introduced(index, owner=not agent) if told else ()
    keys = tuple(dict.fromkeys(key for each in index.tagged([*map(entity_key, names)]).values() for key in each))
    asks = reading.asks - {Ask.WHO} if reading.kinds else reading.asks
    if not keys:
        return reading._replace(terms=others, asks=asks, general=()) if reading.kinds else reading
    return reading._replace(entities=((names[0], keys),), terms=others, asks=asks, general=())


def _rows_of(index: Index, days: Span, today: date, among: RowRange) -> tuple[bool, list[int]]:
    """Whether anything was recorded on some days; if nothing was, the rows that may name them."""
    if index.line_rows_in(among.both(index.rows_between(days)), limit=FEW_LINES):
        return True, []
    return False, rows_naming(index, days, among=among, today=today)


def _has_lines(index: Index, days: Span, today: date, among: RowRange) -> bool:
    """Whether anything was recorded on some days, or names them."""
    recorded, rows = _rows_of(index, days, today, among)
    if not rows:
        return recorded
    from commonplace.core.when.day_search import days_named  # here, because few questions find such lines

    texts = index.texts(rows).items()
    return any(days_named(text, index.day_of(row), days, today=today) for row, (_, _, text) in texts)


def _distance(days: Span, today: date) -> int:
    """Days from today to the nearest of these."""
    start, end = days
    assert start is not None and end is not None
    return (start - today).days if start > today else (today - end).days
