"""Channels: candidate rows for a question, by words, names, pages and days.

Each channel finds rows and a first estimate of their score, their `worth`; the score itself is computed when they are
read (core/recall/scoring.py).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.documents.name_mentions import introduced, named_alone, named_behind_label, named_in_brackets
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.value_kinds import Value, has_value
from commonplace.core.meaning.meaning_signal import signal, trust_in_words, worth_of
from commonplace.core.questions.ask_phrases import FAR, OF_ONE, Ask, answers, asks_who, phrases_of
from commonplace.core.recall.coverage import wants_more_than_names
from commonplace.core.recall.found_lines import Found
from commonplace.core.recall.index_rows import lineage
from commonplace.core.recall.scored_lines import likely_kind
from commonplace.core.recall.scoring import PROFILE, WHOLE
from commonplace.core.recall.term_match import Sought
from commonplace.core.recall.term_stats import WEAK, Spread, names_year
from commonplace.core.tables import table
from commonplace.core.text.analyzer import occurrences, query_terms
from commonplace.core.text.normalize import FAR_EAST
from commonplace.ops.days.lines_naming_days import rows_naming
from commonplace.ops.recall.introducing_files import (
    introducing_lines,
    naming_paths,
    preferring_lines,
    relative_terms,
)
from commonplace.ops.recall.open_tasks import by_task
from commonplace.ops.recall.term_rows import rows_by_terms

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from commonplace.core.model import Span
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.index_rows import Above, RowRange
    from commonplace.store.sqlite import Index

FEW_DAYS, FEW_ROWS, MOST_OF_DAYS = 8, 5, 60
"""Maximum days, rows with words of the question, and further rows, for `by_few_days`."""

_OWN = 2.0
"""Share of the best row's worth that what a file says of the one whom it introduces has: lines that only name them may
be many."""

FEW_NOTES = 20
"""Maximum rows of `by_introduction` that are read before all others."""
FEW_RELATIVES = 20
"""Maximum rows for `by_introduction` that call somebody a relative."""
MOST_NAMING = 200
"""Undated lines with the name, of which those that introduce it are for `by_introduction`."""

_OF_SOMEBODY = WHOLE | OF_ONE | {Ask.WHERE}
"""Questions that all lines answer that tell of somebody."""

_TOLD = (Ask.DECISION, Ask.CAUSE, Ask.FIX, Ask.STILL, Ask.OFTEN, *sorted(OF_ONE))
"""What is asked for that a line tells by a word of its own, for `by_answer`."""
FEW_ANSWERS = 20
"""Maximum rows for `by_answer`, the newest."""

MOST_SAID, MOST_TITLES, BELOW_TITLE = 400, 30, 8
"""Maximum rows with words of the question, headings and bullets among them, and lines below each, for `by_value`."""
_OF_THINGS = frozenset(Value) - {Value.AGE, Value.CONTACT, Value.MAIL, Value.BIRTHDAY}
"""Kinds of value for `by_value`; what is asked of somebody is looked for below their name by `by_introduction`."""
_OF_VALUE = 2.0
"""Worth of a line with the value below such a title, as a multiple of that of the title."""

MEASURED = 160
"""Rows of other channels whose nearness in meaning is looked up: those with the highest worth."""


def retrieve(index: Index, question: AnalyzedQuestion, *, generated: bool = False) -> Found:
    """Return the rows that may be worth reading by every channel, best first; the same for every k.

    Args:
        generated: include lines that we generated.
    """
    found = Found(index.rows_known(question.query.as_of, generated=generated), Spread(1, 1, ()))
    index.foresee(lambda: [channel(index, question, found) for channel in BY_QUESTION])
    for channel in CHANNELS:
        found = channel(index, question, found)
    rows = found.rows
    ranked = sorted(sorted(rows, reverse=True), key=rows.__getitem__, reverse=True)  # of equals, the newest
    return found._replace(rows={row: rows[row] for row in ranked})


def by_terms(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find lines with the rarest terms of the question, or with members of its general words."""
    said, worth, matches, weak = rows_by_terms(index, question, among=found.bounds)
    terms = [(term.weight, index.count_days(rows)) for term, _, rows in matches]
    return found._replace(
        rows=worth,
        said=said,
        top=max(worth.values(), default=1.0),
        weak=weak,
        spread=Spread(question.lines, index.documents(), terms),
        term_rows=tuple((tuple(sorted(rows)), value) for _, value, rows in matches),
        terms=tuple(term.text for term, _, _ in matches),
    )


def by_entity(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find facts about the question's entities; if a filter names one without facts, the lines that name it."""
    keys = question.reading.keys
    if not keys:
        return found
    rows = index.rows_of(keys, limit=200)
    if not rows and question.wanted:
        rows = index.rows_of(question.wanted, facts=False, limit=200)
    return found.plus(rows, 0.5)


def by_place(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find facts that claim where an entity is, if the question asks for a place."""
    keys = question.reading.keys
    if not (keys and question.reading.asks & {Ask.WHERE, Ask.LIVES}):
        return found
    placed = frozenset(index.placed(keys, among=found.bounds))
    return found.plus(placed, 1.0)._replace(placed=placed)


def by_page(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find lines of the pages of the question's entities; if it asks who or where one is, or what one prefers and not
    of what, also of the file that introduces owner or agent."""
    keys, asks = question.reading.keys, question.reading.asks
    pages = {path: key for key in keys for path in index.pages_of(key)}
    framing: frozenset[int] = frozenset()
    own: list[int] = []
    rows = [row for path in pages for row in index.rows_in(path, limit=400)]
    preferring = Ask.OPINION in asks and not wants_more_than_names(question.reading)
    introducing = bool(keys and (asks & _OF_SOMEBODY or preferring))
    naming = naming_paths(index, keys) if introducing else ()

    def look_up() -> None:
        for path in naming:
            introducing_lines(index, path, keys)
            if preferring:
                tuple(preferring_lines(index, path, frozenset()))

    index.foresee(look_up)
    for path in naming:
        if introduced := introducing_lines(index, path, keys):
            pages[path], told, others = introduced
            own += told if asks & _OF_SOMEBODY else ()
            framing |= others
            for page, preferred, rest in preferring_lines(index, path, told | others) if preferring else ():
                pages[page] = pages[path]
                own += preferred
                framing = (framing | rest) - preferred
    if not pages:
        return found
    rows, own = (list(filter(found.bounds.has, each)) for each in (rows, own))
    found = found.plus(rows, 1.0 if asks & WHOLE else 0.3)
    return found.plus(own, _OWN)._replace(pages=pages, framing=framing)


def by_introduction(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find the undated lines that introduce the one asked about, call somebody their wife, chief or dog, or tell what
    is asked of them: of the many lines that only name them none tells less by its words."""
    reading = question.reading
    who, of_one = asks_who(reading.asks), reading.asks & OF_ONE
    asked = [term for term in reading.terms if term.weight > WEAK]
    if not (asked and (who or reading.asks & PROFILE)):
        return found
    among = found.bounds.both(index.undated_rows())
    others = () if wants_more_than_names(reading) else (query_terms(name) for name, _ in reading.entities)
    called = (" AND ".join(f"({term.match})" for term in terms) for terms in (asked, *others) if terms)
    named = f"({' OR '.join(called)})"
    relatives = ((f"{named} AND ({relative_terms()})", among),) if who and reading.keys else ()
    rows, *of_relatives = index.match_each(((named, among), *relatives), limit=MOST_NAMING)
    sought = Sought(asked)

    def introduces(text: str) -> bool:
        said = (introduced(text)[0], named_alone(text), named_behind_label(text), named_in_brackets(text))
        return any(all(sought.hits(name)[0]) or entity_key(name) in reading.keys for name in said if name)

    def tells(text: str) -> bool:
        preferred = bool(reading.kinds) and likely_kind(text, ()) in reading.kinds
        return preferred or bool(answers(text, of_one)) or introduces(text)

    told = [row for row, (*_, text) in index.texts(rows).items() if tells(text)]
    close = {row for each in of_relatives for row in each[:FEW_RELATIVES]}
    found = found.plus(told, 1.0).plus(close, 1.0)
    if reading.asks == {Ask.ABOUT}:  # which the lines of logs tell as well
        return found
    return found._replace(in_notes=frozenset(told[:FEW_NOTES]))


def by_answer(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find the lines with all words of a question for a decision, cause or fix, and with a word for one: of the many
    lines of a log that have its words none promises more. What says little of its subject ("use") may lack."""
    far = max(question.query.text, default="") >= FAR
    told = [answer_terms(ask, far=far) for ask in _TOLD if ask in question.reading.asks]
    # a pair of Han or kana that no line has may be of two words
    there = (term for term in question.reading.terms if term.text[0] < FAR_EAST or question.has(term))
    asked = [term for term in there if term.weight > table("rank")["asking"]]
    strong = [term.match for term in asked if term.weight > table("rank")["light"]] or [term.match for term in asked]
    if not (told and strong):
        return found
    together = " AND ".join(f"({each})" for each in (*strong, " OR ".join(told)))
    share = _OWN if question.reading.asks & OF_ONE else 0.5
    return found.plus(index.match(together, among=found.bounds, limit=FEW_ANSWERS), share)


def by_value(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find lines with the kind of value that is asked for below a heading or bullet with words of the question: of
    *Printer* and `IP 192.168.1.7` below it neither tells the printer's address by its own words."""
    values, said = question.reading.values & _OF_THINGS, found.said
    if not values or question.reading.asks & OF_ONE:
        return found
    strong = (row for row, worth in said.items() if worth > found.weak)
    best = sorted(strong, key=said.__getitem__, reverse=True)[:MOST_SAID]
    following = index.texts(row + 1 for row in best)
    titles = [row for row in best if row + 1 in following and following[row + 1][0] == row][:MOST_TITLES]
    texts: Above = {}
    worth = dict(found.rows)
    for title, (_, below) in index.neighbours(titles, texts, before=0, after=BELOW_TITLE).items():
        for row, parent, text in below:
            under = found.bounds.has(row) and title in lineage(parent, texts)
            if under and any(has_value(text, value) for value in values):
                worth[row] = max(worth.get(row, 0.0), said.get(row, 0.0) + _OF_VALUE * said[title])
    return found._replace(rows=worth)


def by_days(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find facts valid or recorded on the days in the question, and other lines that may name them; lines of these days
    with its terms are worth as much more, as many other days may have as good ones."""
    if question.reading.when is None:
        return found
    days = question.reading.when.span
    of_days = index.rows_between(days)
    said = [row for row in found.rows if of_days.has(row)]
    found = found.plus(index.rows_valid(days, limit=200), 0.5)
    found = found.plus({*said, *index.fact_rows_in(of_days, limit=200)}, 0.5)
    due = Ask.DUE in question.reading.asks
    rows = rows_naming(index, days, among=found.bounds, today=question.today, within=due)
    found = found.plus(rows, 0.3)._replace(naming=frozenset(rows))
    return found.plus(_ahead(index, rows, days, question.today), 1.0) if due else found


def _ahead(index: Index, rows: list[int], days: Span, today: date) -> list[int]:
    """Return those of these rows that name some of these days beforehand: of what is due they come before words such as
    "due"."""
    from commonplace.core.when.day_search import days_named, is_ahead  # here, because few questions ask what is due

    found = []
    for row, (_, _, text) in index.texts(rows).items():
        day = index.day_of(row)
        named = days_named(text, day, days, today=today)
        if named is not None and is_ahead(named, day, days):
            found.append(row)
    return found


def by_few_days(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find the longest lines of a week or less, if few lines of it have words of the question."""
    if question.reading.when is None:
        return found
    days = question.reading.when.span
    if days.start is None or days.end is None or (days.end - days.start).days >= FEW_DAYS:
        return found
    among = index.rows_between(days)
    if sum(map(among.has, found.rows)) >= FEW_ROWS:
        return found
    longest = sorted(index.telling_rows(among), key=lambda line: line[1], reverse=True)
    return found.plus([row for row, *_ in longest[:MOST_OF_DAYS] if row not in found.rows], 0.1)


def by_days_alone(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find any line of the days in the question, or with its date phrase, if no line has its other terms."""
    if question.reading.when is None or not question.only_days:
        return found
    rows = index.line_rows_in(index.rows_between(question.reading.when.span), limit=100)
    return found.plus((*rows, *naming_days(index, question, among=found.bounds)), 0.2)


def by_date_words(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find lines with the date phrase of the question beside its other words: a line of April that says what changes in
    September is recorded and valid on other days."""
    terms = question.reading.date_terms
    if not (terms and question.reading.fixed) or question.only_days:
        return found
    return found.plus(
        index.match(" AND ".join(f"({term.match})" for term in terms), among=found.bounds, limit=100), 0.2
    )


def by_range(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find facts of the days of the filter, if the question has no terms."""
    asked = question.query.range
    if asked is None or question.reading.terms or found.rows:
        return found
    return found.plus(index.fact_rows_in(index.rows_between(asked), limit=200), 1.0)


def by_meaning(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find the lines nearest in meaning to the whole question, and weigh all others by it too, if meaning is on."""
    if index.meaning is None or question.reading.query != question.query.text or not question.reading.terms:
        return found
    asked = question.query.range
    among = found.bounds if asked is None else found.bounds.both(index.rows_between(asked))
    best = sorted(found.rows, key=found.rows.__getitem__, reverse=True)[:MEASURED]
    near, nearness = index.meaning.closeness(
        index, question.query.text, among=None if among == index.rows_known(None) else among, rows=best
    )
    if not nearness:
        return found
    rows = dict(found.rows)
    for row, each in near.items():
        rows[row] = rows.get(row, 0.0) + worth_of(each) * found.top
    terms = [term for term in question.reading.terms if term.kind != "part" and term.weight > WEAK]
    words, known = [term.text for term in terms if term.kind == "word"], sum(map(question.has, terms))
    said = {row: found.terms_in(row) for row in nearness}
    lacking = {row: [word for word in words if word not in there] for row, there in said.items()}
    covered = 1 - min(map(len, lacking.values()), default=0) / max(1, len(words))
    signals = {row: signal(each, lacking[row], covered=covered) for row, each in nearness.items()}
    trust = trust_in_words(known / len(terms)) if terms else 1.0
    return found._replace(rows=rows, trust=trust).plus((), 0.0, signals=signals)


@cache
def answer_terms(ask: Ask, *, far: bool) -> str:
    """Return an FTS5 expression for lines with a word that tells what is asked for, in any language.

    Args:
        far: of scripts other than Latin, too.
    """
    words = (phrase.strip() for phrase, told in phrases_of("answers", far=far) if told is ask)
    terms = (found[0] for word in words if " " not in word and (found := occurrences(word)))
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))


CHANNELS: tuple[Callable[[Index, AnalyzedQuestion, Found], Found], ...] = (
    by_terms,
    by_entity,
    by_place,
    by_page,
    by_introduction,
    by_answer,
    by_value,
    by_days,
    by_few_days,
    by_days_alone,
    by_date_words,
    by_range,
    by_task,
    by_meaning,
)
"""Applied in this order; each adds to what those before it found. `by_terms` is first: the worth of the others is a
share of its highest. A new one is a function like these and a line here."""
_AFTER_OTHERS = frozenset((by_value, by_few_days, by_range, by_task, by_meaning))
BY_QUESTION = tuple(channel for channel in CHANNELS if channel not in _AFTER_OTHERS)
"""Channels that look up what the question says, whatever others found."""


def naming_days(index: Index, question: AnalyzedQuestion, *, among: RowRange) -> list[int]:
    """Return rows with the question's date phrase and its year."""
    if not names_year(question.reading):
        return []
    together = " AND ".join(f"({term.match})" for term in question.reading.date_terms)
    return index.match(together, among=among, limit=100)
