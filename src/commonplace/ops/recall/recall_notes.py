"""Notes beside the hits of a recall: terms without a match, or why there is no hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.value_kinds import CERTAIN, has_value, value_name
from commonplace.core.model import Span
from commonplace.core.questions.ask_phrases import OF_ONE, Ask
from commonplace.core.questions.unknown_names import strangers
from commonplace.core.recall.coverage import named_in, said_in, untold
from commonplace.core.recall.scoring import OPEN_TASK, TELLS
from commonplace.core.recall.term_match import Sought
from commonplace.core.recall.term_stats import ASKING, WEAK, names
from commonplace.core.text.analyzer import document_terms
from commonplace.ops.recall.introducing_files import INTRODUCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.core.model import Hit, Query, When
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.diagnostics import Diagnostics
    from commonplace.core.recall.term_stats import Members
    from commonplace.core.text.analyzer import Term
    from commonplace.store.sqlite import Index

_FEWEST_ASKED = 2
"""Words beside the names of a question, from which a hit should have one of them together with a name."""
_PARTICLE = 0.2
"""Weight up to which a word such as a particle tells nothing of what is asked."""
_GOOD_PART = 0.4
"""Share of a question from which a line is about its subject."""


def note_on(index: Index, query: Query, *, hits: Sequence[Hit], known: Diagnostics) -> str:
    """Return the note beside these hits; empty if there is nothing to say.

    Args:
        query: as it was asked.
    """
    found = (
        unknown_entities(index, query),
        _respelled(known.question),
        _on_words(index, hits=hits, known=known),
        _on_other_days(known.question, hits),
        _on_tasks(known.question, hits),
        _on_days_asked(known.question, hits),
        _on_last_day(index, known.question),
    )
    return "; ".join(filter(None, found)) or ("" if hits else "the question has no search terms")


def unknown_entities(index: Index, query: Query) -> str:
    """Return which entities were asked for and do not exist, with similar names."""
    known = index.named([entity_key(name) for name in query.entities]) if query.entities else {}
    unknown = [name for name in query.entities if entity_key(name) not in known]
    if not unknown:
        return ""
    from commonplace.ops.recall.near_names import near

    similar = ", ".join(dict.fromkeys(found for name in unknown for found in near(index, name)))
    return f"no entity is known as {' or '.join(unknown)}" + (f"; similar names: {similar}" if similar else "")


def _respelled(question: AnalyzedQuestion) -> str:
    """Which names the question has one letter off, and how they were read."""
    return "; ".join(
        f"no line has {typed}: read as {names[0]}" if len(names) == 1 else f"names like {typed}: {', '.join(names)}"
        for typed, names in question.respelled
    )


def _on_words(index: Index, *, hits: Sequence[Hit], known: Diagnostics) -> str:
    """What of the question has no match."""
    reading = known.question.reading
    if missing := untold(reading, (hit.line for hit in hits)):
        return f"no match for: {', '.join(f'“{thing}”' for thing in missing)}"
    if not hits:
        return _nothing(known.question)
    if phrases := _inexact(reading, hits):
        said = ", ".join(f"“{phrase}”" for phrase in phrases)
        return f"no exact match for: {said}" + ("" if known.exact else "; these have words of it")
    if known.more is not None:
        return ""
    unknown = _unknown(known.question)
    if known.is_far(hits):
        return f"no match for: {_listed(unknown) if unknown else 'most of the question'}; these are the closest"
    lacking = (
        _untold_detail(reading, hits)
        or _without_value(known.question, hits)
        or _untold_of_one(reading, hits)
        or _without_name(index, known, hits)
    )
    untold_words = [word for word in unknown if word not in _by_members(known.question, hits)]
    return f"no line has: {_listed(untold_words)}" if untold_words and not lacking else lacking


def _on_tasks(question: AnalyzedQuestion, hits: Sequence[Hit]) -> str:
    """What is missing if the question asks what is to do and no hit is an open task."""
    if not hits or Ask.TASKS not in question.reading.asks or any(OPEN_TASK in hit.why for hit in hits):
        return ""
    return "none of these is an open task"


def _on_other_days(question: AnalyzedQuestion, hits: Sequence[Hit]) -> str:
    """How a date phrase is read that may mean other days as well."""
    asked, other = question.reading.when, question.reading.or_else
    if asked is None or other is None:
        return ""
    if not hits and not question.is_filtered:
        return f"nor for {_days(other)}"
    return f"“{asked.phrase}” is read as {_days(asked.span)}, not {_days(other)}"


def _on_last_day(index: Index, question: AnalyzedQuestion) -> str:
    """The last day recorded, if a question of days alone asks about later ones that have begun."""
    if question.window != "days":
        return ""
    from commonplace.ops.recall.time_windows import last_day

    last = last_day(index, question)
    return f"the last day recorded is {last}" if last is not None else ""


def _on_days_asked(question: AnalyzedQuestion, hits: Sequence[Hit]) -> str:
    """What is missing if no hit tells of the days that the question asks about, or comes again on those to come. Of
    days that have begun it is known only where each hit has a day: an undated note may have it in its headings."""
    asked = question.reading.when
    if not hits or asked is None or asked.span.start is None:
        return ""
    is_ahead = asked.span.start > question.today
    if not is_ahead and any(hit.line.recorded is None for hit in hits):
        return ""
    if any(_may_tell_of(hit, asked.span, question.today) for hit in hits):
        return ""
    return f"{'nothing is dated' if is_ahead else 'none of these is of'} {_named_days(asked)}"


def _may_tell_of(hit: Hit, days: Span, today: date) -> bool:
    """Whether a hit is recorded on, holds on or names some of these days, or comes again."""
    from commonplace.core.when.expiry import comes_again  # here, because few questions ask for it

    line = hit.line
    spans = [Span(line.recorded, line.recorded)] if line.recorded else []
    spans += [line.valid] if line.valid else []
    spans += [found.span for found in when.find(line.content, line.recorded or today)]
    held = any(why.startswith(("holds ", "held ")) for why in hit.why)
    return held or any(span.overlaps(days) for span in spans) or comes_again(line.content)


def _by_members(question: AnalyzedQuestion, hits: Sequence[Hit]) -> set[str]:
    """The terms of general words of which a hit has a member, together with the rest of the question."""
    found = question.scale.members
    lines = [said for hit in hits if _has_names(question, said := said_in(hit.line))] if found else []
    return {
        term.text
        for each in found
        if any(said & _keys(each.term) and _has_rest(question, each, said) for said in lines)
        for term in each.own
    }


def _has_rest(question: AnalyzedQuestion, members: Members, said: frozenset[str]) -> bool:
    """Whether a line with these terms has all that a question asks beside a general word."""
    rest = [term for term in question.reading.terms if term not in members.own and term.weight > WEAK]
    return all(said & _keys(term) for term in rest)


def _without_value(question: AnalyzedQuestion, hits: Sequence[Hit]) -> str:
    """The kind of value that the question asks for and that no hit about its subject has; empty if one may have it."""
    asked = question.reading.values & CERTAIN
    having = [hit for hit in hits if any(has_value(hit.line.content, value) for value in asked)]
    reasons = {TELLS[ask] for ask in question.reading.asks & OF_ONE}
    if not asked or any(_about(question, hit) or not reasons.isdisjoint(hit.why) for hit in having):
        return ""
    named = " or ".join(value_name(value) for value in sorted(asked))
    return f"none of these has {named}{' together with the rest of the question' if having else ''}"


def _untold_detail(reading: Reading, hits: Sequence[Hit]) -> str:
    """The words by which a detail of somebody is asked for, if no hit has one; empty if one may."""
    asking = [term for term in reading.terms if _PARTICLE < term.weight <= ASKING and term.kind == "word"]
    said = any(said_in(hit.line) & _keys(term) for hit in hits for term in asking)
    if said or not reading.asks & {Ask.DETAIL, Ask.HOW_TO}:
        return ""
    return f"no match for: {_listed([term.text for term in asking])}; these are the closest"


def _untold_of_one(reading: Reading, hits: Sequence[Hit]) -> str:
    """What the question asks of somebody and no hit tells; empty if one may."""
    asked = reading.asks & OF_ONE if reading.keys else frozenset[Ask]()
    if any(TELLS[ask] in hit.why for ask in asked for hit in hits):
        return ""
    return f"none of these {' or '.join(TELLS[ask] for ask in sorted(asked))}" if asked else ""


def _about(question: AnalyzedQuestion, hit: Hit) -> bool:
    """Whether a line, with the headings above it, has a good part of the question and the names in it, if it has names:
    any of an entity, and each word that the question writes as one."""
    said = said_in(hit.line)
    if not _has_names(question, said):
        return False
    worth = sum(worth for term, worth in question.scale.terms if said & _keys(term))
    worth += sum(members.worth for members in question.scale.members if said & _keys(members.term))
    return worth >= _GOOD_PART * question.scale.total


def _has_names(question: AnalyzedQuestion, said: frozenset[str]) -> bool:
    """Whether a line with these terms has a name of the question's entities, and each word that it writes as a name."""
    called = names(question.reading)
    if called and called.isdisjoint(said):
        return False
    return not any(_keys(term).isdisjoint(said) for term in _written_as_names(question.reading))


def _without_name(index: Index, known: Diagnostics, hits: Sequence[Hit]) -> str:
    """The names that no hit has, in itself or around it, together with anything else that is asked; empty if one has.

    Of owner and agent the logs speak without their names.
    """
    reading = known.question.reading
    written = _written_as_names(reading)
    called = {*names(reading), *(key for term in written for key in _keys(term))}
    asked = [term for term in reading.terms if term.weight > WEAK and called.isdisjoint(_keys(term))]
    if not called or len(asked) < _FEWEST_ASKED or reading.when is not None:
        return ""
    for hit in hits:
        said = said_in(hit.line) | frozenset(document_terms(hit.line.source.path).split())
        covered = known.covered.get(hit.line.source)
        told = {*covered.words, *covered.around} if covered else set[str]()
        named = not called.isdisjoint(said) or any(name in told for name, _ in reading.entities)
        if not (named or any(term.text in told for term in written)):
            continue
        if any(term.text in told or not _keys(term).isdisjoint(said) for term in asked):
            return ""
    keys = {key for _, keys in reading.entities for key in keys}
    if index.is_somebody(INTRODUCE, keys):
        return ""
    whom = [*named_in(reading, reading.query), *(term.text for term in written)]
    return f"none of these has {' or '.join(dict.fromkeys(whom))} together with the rest of the question"


def _written_as_names(reading: Reading) -> list[Term]:
    """The terms that the question writes as names, without those of entities."""
    written, called = strangers(reading, reading.terms), names(reading)
    return [term for term in reading.terms if term.text in written and called.isdisjoint(_keys(term))]


def _keys(term: Term) -> frozenset[str]:
    return frozenset(key.rstrip("*") for key in term.keys)


def _unknown(question: AnalyzedQuestion) -> list[str]:
    """The words with content in the question that no line has."""
    if all(_is_known(question, term) for term in question.reading.terms):
        return []
    from commonplace.core.recall.missing_words import missing_words  # here, because most answers match

    return missing_words(question.reading, is_known=lambda term: _is_known(question, term), above=WEAK)


def _inexact(reading: Reading, hits: Sequence[Hit]) -> list[str]:
    """The quoted phrases of the question that no hit has word for word, without titles in Japanese brackets."""
    phrases = [term for term in reading.terms if term.kind == "phrase" and f"「{term.text}" not in reading.query]
    if not phrases:
        return []
    sought = Sought(phrases)
    held = [any(counts) for counts in zip(*(sought.hits(hit.line.content)[0] for hit in hits), strict=True)]
    return [term.text for term, there in zip(phrases, held, strict=True) if not there]


def _is_known(question: AnalyzedQuestion, term: Term) -> bool:
    """Whether any line has a term, or it is of a name of an entity."""
    return question.has(term) or not names(question.reading).isdisjoint(term.keys)


def _nothing(question: AnalyzedQuestion) -> str:
    """Why there is no hit."""
    from commonplace.core.recall.missing_words import missing_words

    query, reading = question.query, question.reading
    called = names(reading)
    asked = missing_words(reading, is_known=lambda term: bool(reading.keys) and not called.isdisjoint(term.keys))
    whom = f" about {', '.join(name for name, _ in reading.entities)}" if reading.entities else ""
    parts = []
    if asked and question.window is None:
        parts.append(f"no match{whom} for: {_listed(asked)}")
    elif whom:
        parts.append(f"no match{whom}")
    if reading.when is not None:
        parts.append(f"nothing found for {_named_days(reading.when)}")
    if query.kinds and not parts:
        parts.append(f"no line is of kind {' or '.join(kind.value for kind in query.kinds)}")
    if query.range is not None:
        parts.append(f"only {query.range} was searched")
    return "; ".join(parts)


def _named_days(asked: When) -> str:
    """The days of a date phrase, with the phrase."""
    days = _days(asked.span)
    return days if asked.phrase == days else f"“{asked.phrase}” ({days})"


def _days(span: Span) -> str:
    start, end = span
    return str(span) if start == end or start is None or end is None else f"{start} to {end}"


def _listed(words: Sequence[str]) -> str:
    """The first of these words."""
    return ", ".join(words[:8])
