"""Recall: analyze -> retrieve -> read -> score -> rerank -> pack, each stage from values to values.

Channels (channels.py) find rows for a question (core/recall/analyzed_question.py). Those with the highest estimated
score are read (promising_lines.py, read_lines.py), scored (core/recall/scoring.py), reranked (core/recall/rerank.py)
and packed (core/recall/packing.py). What the stages found out is one record (core/recall/diagnostics.py).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Fact, Kind, Span
from commonplace.core.questions.ask_phrases import OF_A_NOTE, Ask
from commonplace.core.questions.question_parts import parts
from commonplace.core.recall.analyzed_question import (
    AnalyzedQuestion,
    asks_for_days,
    asks_for_decisions,
    asks_for_opinions,
)
from commonplace.core.recall.diagnostics import Diagnostics
from commonplace.core.recall.hit_extent import as_one, excerpted
from commonplace.core.recall.index_rows import chain
from commonplace.core.recall.packing import LEFT_OUT, pack
from commonplace.core.recall.rerank import (
    ANSWERING,
    FIRST,
    RERANKERS,
    authors_first,
    current_first,
    disputed,
    diverse,
    on_days_asked,
    order,
    reranked,
    taken_in_turn,
    without_twins,
    word_for_word,
)
from commonplace.core.recall.scored_lines import shown
from commonplace.core.recall.scoring import TELLS, TOLD_OR_NOT
from commonplace.core.recall.term_stats import scale
from commonplace.ops.recall.announced_lines import with_announced
from commonplace.ops.recall.attach_opinions import with_opinions
from commonplace.ops.recall.channels import naming_days, retrieve
from commonplace.ops.recall.conflicting_facts import with_conflicting, with_newer
from commonplace.ops.recall.near_names import respellings, respelt
from commonplace.ops.recall.promising_lines import Search, answering_rows, batches, rows_near, surroundings
from commonplace.ops.recall.question_reading import read_question, read_with
from commonplace.ops.recall.read_lines import read_lines
from commonplace.ops.recall.recall_notes import note_on, unknown_entities

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Bundle, Citation, Hit, Query
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.recall.analyzed_question import Window
    from commonplace.core.recall.found_lines import Batch
    from commonplace.core.recall.index_rows import Above
    from commonplace.store.sqlite import Index

SILENT = 12
"""Consecutive candidates without a hit after which no more are read."""
WIDENED = 10
"""Hits of the first batch whose neighbours become candidates: an answer is often on the line after its question."""
FEW_TERMS = 4
"""Maximum terms of a question that asks for opinions and nothing else."""


def recall(index: Index, query: Query, *, today: date) -> Bundle:
    """Return the lines that answer a question, best first, within its token budget."""
    answers = [answer(index, question) for question in analyze(index, query, today=today)]
    (_, known, _), *others = answers
    elsewhere = {row for _, part, _ in others for row in part.read}
    sure = [row for row in known.sure if row not in elsewhere] if known.more is None else []
    index.foresee(lambda: index.distinct(sure, beside=known.read) if sure else 0, later=True)
    hits = taken_in_turn([_finished(index, question, hits=found) for found, _, question in answers])
    answering = [each for hit in _answering(hits, query.limit) for each in (hit, *hit.beside)]
    note = note_on(index, query, hits=answering, known=known)
    worth = known.question.scale.with_members
    hits = [*(as_one(excerpted(hit, worth)) for hit in hits[: query.limit]), *hits[query.limit :]]
    more = known.more
    if more is None:
        more = index.distinct(sure, beside=known.read) if sure else 0
    at_least = any(each.is_partly_read for _, each, _ in answers)
    bundle = pack(query.text, hits, limit=query.limit, budget=query.budget, note=note, more=more, at_least=at_least)
    if at_least and not note and (known.question.days is not None or known.more is not None):
        left = f"at least {bundle.omitted} more are" if bundle.omitted else "more may be"
        bundle = bundle._replace(note=f"{left} {LEFT_OUT}")
    return bundle


def _answering(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The hits within the limit, and those that one of them supersedes or disputes."""
    within = {place for hit in hits[:limit] for place in hit.places}
    further = (hit for hit in hits[limit:] if (hit.superseded_by or hit.disputed_by) in within)
    return [*hits[:limit], *further]


# -- analyze


def analyze(index: Index, query: Query, *, today: date) -> list[AnalyzedQuestion]:
    """Return the question, then the questions in it if there are several."""
    texts = dict.fromkeys((query.text, *parts(query.text)))

    def look_up() -> None:
        for text in texts:
            index.frequencies(read_with(index, text, today=today, as_of=query.as_of).sought)
        index.named([entity_key(name) for name in query.entities])

    index.foresee(look_up)
    readings = [read_question(index, text, today=today, as_of=query.as_of) for text in texts]
    found = [_question(index, query, reading=reading, today=today) for reading in readings]
    index.foresee(lambda: unknown_entities(index, query), later=True)
    return found


def _question(index: Index, query: Query, *, reading: Reading, today: date) -> AnalyzedQuestion:
    """An analyzed question, or part of one; a word that no line has and that is one letter off a name, or sounds like
    one in another script, is read as it."""
    question = _weighed(index, query, reading=reading, today=today)
    unknown = [term.text for term in reading.terms if term.kind == "word" and not question.has(term)]

    def look_up(text: str) -> None:
        index.frequencies(read_with(index, text, today=today, as_of=query.as_of).sought)

    respelled = respellings(index, reading.query, unknown, ahead=look_up) if unknown else {}
    if not respelled:
        return question
    text = respelt(reading.query, respelled)
    if text != reading.query:
        index.foresee(lambda: look_up(text))
        question = _weighed(index, query, reading=read_with(index, text, today=today, as_of=query.as_of), today=today)
    return question._replace(respelled=tuple(respelled.items()))


def _weighed(index: Index, query: Query, *, reading: Reading, today: date) -> AnalyzedQuestion:
    """A question with the weight of its terms; the entities of the filter come first."""
    beside = reading
    if query.entities:
        keys = {name: entity_key(name) for name in query.entities}
        known = index.named(list(keys.values()))
        given = tuple((name, known.get(key, (key,))) for name, key in keys.items())
        reading = reading._replace(entities=(*given, *reading.entities))
    wanted = frozenset(key for _, keys in reading.entities[: len(set(query.entities))] for key in keys)
    frequencies = index.frequencies(reading.sought)
    lines, length = index.totals()
    worth = scale(reading, frequencies, lines, length)
    question = AnalyzedQuestion(query, reading, today, worth, frequencies, lines, wanted)
    window, kinds = _window(question, beside)
    return question._replace(window=window, query=query._replace(kinds=kinds) if kinds else query)


def _window(question: AnalyzedQuestion, beside: Reading) -> tuple[Window | None, tuple[Kind, ...]]:
    """What kind of window the question asks for, if it has no search terms; and the kinds that it asks for.

    Args:
        beside: the reading without the entities of the filter.
    """
    query, kinds = question.query, question.query.kinds or question.reading.kinds
    if question.reading.asks & {Ask.TASKS, Ask.DUE}:
        return None, query.kinds
    if question.days is None and not kinds and len(question.reading.terms) > FEW_TERMS:
        return None, query.kinds
    if asks_for_opinions(beside):
        return "days", query.kinds or (Kind.OPINION,)
    if (question.days is not None or bool(query.kinds)) and asks_for_days(beside):
        return "days", query.kinds
    decisions = question.days is not None and not kinds and asks_for_decisions(beside)
    return "decisions" if decisions else None, query.kinds


# -- answer


def answer(index: Index, question: AnalyzedQuestion) -> tuple[list[Hit], Diagnostics, AnalyzedQuestion]:
    """Return every relevant hit, best first, twins merged, the diagnostics, and the question as it was answered: if no
    note tells what it asks of somebody, by its words."""
    found, asks = _answer(index, question), question.reading.asks
    untold = asks & TOLD_OR_NOT
    told = any(TELLS[ask] in hit.why for ask in untold for hit in found[0])
    if asks.isdisjoint(OF_A_NOTE) or told or (found[0] and not untold) or question.query.limit < 1:
        return found
    query, today = question.query, question.today
    reading = read_with(index, question.reading.query, today=today, as_of=query.as_of, plainly=True)
    return _answer(index, _question(index, query, reading=reading, today=today))


def _answer(index: Index, question: AnalyzedQuestion) -> tuple[list[Hit], Diagnostics, AnalyzedQuestion]:
    """As `answer`, by one reading.

    Each stage reads more of fewer lines: the rows of the terms, then text, headings and neighbours of the rows with the
    highest estimates, then the neighbours of the best hits as candidates of their own.
    """
    known = Diagnostics(question)
    limit = question.query.limit
    if limit < 1:
        return [], known, question
    if question.window is not None:
        from commonplace.ops.recall.time_windows import days_of, tell

        naming = partial(naming_days, index, question, among=index.rows_known(question.query.as_of))
        told = tell(index, question, naming=naming)
        if told.hits or question.window == "days":
            hits = told.hits
            if Kind.OPINION in question.query.kinds:
                oldest = days_of(question.query, question.reading, today=question.today).oldest
                hits = _with_disputes(question, hits, oldest_first=oldest)
            known = known._replace(more=told.more, is_partly_read=told.at_least)
            return hits, known, question
    search = Search(index, question, retrieve(index, question))
    coming = batches(search)
    batch, known = _next(coming, known)
    if batch is None and question.query.as_of is None:
        # no line that a person or host wrote: perhaps one that we generated while there was one
        index.foresee(lambda: _with_generated(index, question))
        question = _with_generated(index, question)
        search = Search(index, question, retrieve(index, question, generated=True))
        coming = batches(search)
        batch, known = _next(coming, known)
    if batch is None:
        return [], known, question
    hits, known = _first(search, batch, known=known)
    few = len(hits)
    while not (silent := _falls_silent(search, batch, known=known, hits=hits)) and len(hits) < limit:
        following, known = _next(coming, known)
        if following is None:
            break
        batch = following
        later, known = _further(search, batch, known=known, hits=hits)
        hits += later
    if few < limit and len(hits) > few:
        hits = [*current_first(authors_first(hits[:limit])), *hits[limit:]]
    if question.reading.kinds:
        hits = _with_disputes(question, hits)
    if not silent:
        unread = not known.read.issuperset(search.found.rows)
        known = known._replace(sure=tuple(answering_rows(search, batch, known=known)), is_partly_read=unread)
    return hits, known, question


def _next(coming: Iterator[Batch], known: Diagnostics) -> tuple[Batch | None, Diagnostics]:
    """The next batch with lines, None at the end; its rows are noted as read."""
    for batch in coming:
        known = known._replace(read=known.read.union(batch.read))
        if batch.lines:
            return batch, known
    return None, known


def _with_generated(index: Index, question: AnalyzedQuestion) -> AnalyzedQuestion:
    """Return a question in which a word counts that only generated lines have, which are counted nowhere; one of which
    they have another form alone does not.
    """
    among, seen = index.rows_known(None, generated=True), dict(question.frequencies)
    for term in question.reading.terms:
        key = term.keys[0]
        if not seen.get(key) and not key.endswith("*") and index.match(f'"{key}"', among=among, limit=1):
            seen[key] = 1
    return question._replace(frequencies=seen)


def _first(search: Search, batch: Batch, *, known: Diagnostics) -> tuple[list[Hit], Diagnostics]:
    """The hits of the first batch and of the lines around its best; they do not depend on k."""
    around: Above = {}
    hits, known = _scored(search, batch, known=known, around=around)
    rows = {hit.line.source: row for row, hit in hits.items()}
    best = [rows[hit.line.source] for hit in order(hits.values())[:WIDENED]]
    near = rows_near(search, [*best, *search.found.in_notes.difference(best)], around=around) - hits.keys()
    lines = read_lines(search.store, search.question, rows=near)
    beside = batch._replace(lines=lines, read=(), around=surroundings(search, near))
    widened, known = _scored(search, beside, known=known, around=around, widened=True)
    hits |= widened
    content = [hit for hit in hits.values() if hit.line.source not in known.titles]
    known = known._replace(
        read=known.read.union(widened),
        best=max((hit.score for hit in content or hits.values()), default=0.0),
        has_content=bool(word_for_word(on_days_asked(content, known), known)),
        stays=_stays(search, hits),
    )
    found = reranked(order(hits.values()), (*ANSWERING, *RERANKERS), found=known)
    paired, added = with_conflicting(search.store, search.question, found)
    return paired, known._replace(read=known.read.union(added))


def _further(search: Search, batch: Batch, *, known: Diagnostics, hits: Sequence[Hit]) -> tuple[list[Hit], Diagnostics]:
    """Further hits, without known ones; they come after those, so a larger k only adds."""
    later, known = _scored(search, batch, known=known, around={})
    found = without_twins(reranked(order(later.values()), ANSWERING, found=known), hits)
    found = diverse(found, known.question.reading.sought)
    paired, added = with_conflicting(search.store, search.question, found, known=hits)
    return paired, known._replace(read=known.read.union(added))


def _falls_silent(search: Search, batch: Batch, *, known: Diagnostics, hits: Sequence[Hit]) -> bool:
    """Whether the last of these lines, with the lowest estimates, are no hits: then later ones are none either."""
    last = [*batch.lines.values()][-SILENT:]
    answering = {place for hit in hits for place in hit.places}
    if len(last) < SILENT or any(each.stored.line.source in answering for each in last):
        return False
    return next(answering_rows(search, batch, known=known), None) is None


def _scored(
    search: Search, batch: Batch, *, known: Diagnostics, around: Above, widened: bool = False
) -> tuple[dict[int, Hit], Diagnostics]:
    """Row -> hit of these lines, scored with their headings, parent bullets and neighbours.

    Args:
        around: texts read so far; new ones are added to it.
    """
    index, found = search.store, search.found
    beside = index.neighbours(batch.lines, around)
    index.ancestors((stored.parent for stored, _ in batch.lines.values()), around)
    scored = {}
    for row, (stored, candidate) in batch.lines.items():
        (near, said, _), (before, after) = batch.around[row], beside[row]
        context = chain(stored.parent, around)
        in_place = candidate._replace(
            line=stored.line._replace(context=context) if context else stored.line,
            before=before[0][2] if before else "",
            after=after[0][2] if after else "",
            page_of="" if row in found.framing else found.pages.get(stored.line.source.path, ""),
            near=near,
            document=batch.document(said),
            widened=widened,
            placed=row in found.placed,
            naming=row in found.naming,
            signals=found.signals.get(row, ()),
        )
        scored[row] = search.ranker.score(in_place)
    hits = {row: each.hit for row, each in scored.items() if each.hit is not None}
    return hits, known.scored(scored.values())


def _with_disputes(question: AnalyzedQuestion, hits: Sequence[Hit], *, oldest_first: bool = False) -> list[Hit]:
    """The hits, disputes among the first ten, or as many as asked for, marked: so the newer leads for a small k too."""
    most = max(question.query.limit, FIRST)
    return [*current_first(disputed(hits[:most]), oldest_first=oldest_first), *hits[most:]]


def _stays(search: Search, hits: Mapping[int, Hit]) -> frozenset[Citation]:
    """For where somebody is: the hits that say so for the days asked about, or for today."""
    question, reading = search.question, search.question.reading
    if Ask.WHERE not in reading.asks or Ask.LIVES in reading.asks or not reading.keys:
        return frozenset()
    from commonplace.core.recall.whereabouts import is_stay

    now, keys = question.query.as_of or question.today, set(reading.keys)
    facts = {
        row: hit.line
        for row, hit in hits.items()
        if isinstance(hit.line, Fact)
        and hit.line.valid is not None
        and hit.line.valid.end is not None
        and hit.superseded_by is None
        and keys & {*map(entity_key, hit.line.entities)}
    }
    asked, claimed = question.days or Span(now, now), search.store.claimed(facts) if facts else {}
    return frozenset(fact.source for row, fact in facts.items() if is_stay(fact, asked, claimed=claimed.get(row, ())))


def _finished(index: Index, question: AnalyzedQuestion, *, hits: Sequence[Hit]) -> list[Hit]:
    """The hits as returned; those after k are only counted."""
    limit, hits = question.query.limit, with_newer(index, question, with_announced(index, question, hits))
    return [*map(shown, with_opinions(index, hits[:limit], as_of=question.query.as_of)), *hits[limit:]]
