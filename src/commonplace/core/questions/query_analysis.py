"""Analyzes a question: its days, its entities, what it asks for, and the terms to look up."""

import re
from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta
from functools import cache
from itertools import groupby
from typing import NamedTuple

from commonplace.core import when
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.entities.entity_names import candidates, choose, entity_key, within
from commonplace.core.extract.value_kinds import Value, values_asked
from commonplace.core.model import Kind, Span, When
from commonplace.core.questions.ask_phrases import FAR, OF_A_NOTE, Ask, asked, owner_words, padded, phrases_of
from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term, query_terms
from commonplace.core.text.general_words import GeneralWord, general_words
from commonplace.core.text.known_languages import UNSPACED
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

LONGEST = 2_400
"""Characters of a question that are read, about 400 words; a longer text is a document with a question at an end."""
_END = 800
"""Characters read at the end of a longer text."""


_CLAUSES = lazy_pattern(r"(?<=[^\W\d_])\u2014(?=[^\W\d_])")
"""A dash that parts clauses, where a hyphen would join words: "a raise and a bonus—how much?"."""


class Reading(NamedTuple):
    """An analyzed question; `explain` prints it."""

    query: str
    when: When | None
    entities: tuple[tuple[str, tuple[str, ...]], ...]
    """(name as found, keys of the entities that it may mean)."""
    kinds: tuple[Kind, ...]
    """The kinds that the question asks for; empty: any."""
    asks: frozenset[Ask]
    terms: tuple[Term, ...]
    """The search terms."""
    date_terms: tuple[Term, ...]
    """The words of the date phrase: weak evidence that a text names the same day."""
    others: tuple[str, ...] = ()
    """Names of other entities within the names in `entities`: Ann, if the question names Ann Lee."""
    values: frozenset[Value] = frozenset()
    """The kinds of value that it asks for."""
    general: tuple[GeneralWord, ...] = ()
    fixed: bool = False
    """Whether the date phrase is of the same days of a year on any day: September, 3 May; not yesterday."""
    or_else: Span | None = None
    """Other days that it may mean, last Friday for the next one, if neither its words nor the lines say which."""

    @property
    def sought(self) -> set[str]:
        """The index terms that are looked up: those of its terms, its date phrase and the members of general words."""
        members = (term for word in self.general for term in word.members)
        return {key for term in (*self.terms, *self.date_terms, *members) for key in term.keys}

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all entities."""
        return tuple(dict.fromkeys(key for _, keys in self.entities for key in keys))


def read(
    query: str,
    today: date,
    known: Callable[[list[str]], dict[str, tuple[str, ...]]] | None = None,
    *,
    plainly: bool = False,
) -> Reading:
    """Analyze a question.

    Args:
        known: returns, of folded names, those that entities have, with the entities' keys; without it only `@X` and
            `[[X]]` are entities.
        plainly: by its words, where no note tells what it asks of somebody.
    """
    text = readable(query)
    found = when.read(text, today) if when.may_hold(text) else None
    rest, dated = text, ""
    if found is not None and known is not None and _is_a_name(found, known):
        found = None  # Jan and April are people where they have facts
    if found is not None and found.end > found.start:
        rest, dated = f"{text[: found.start]} {text[found.end :]}", text[found.start : found.end]
    entities: tuple[tuple[str, tuple[str, ...]], ...] = tuple((name, (entity_key(name),)) for name in mentions(text))
    others: tuple[str, ...] = ()
    if known is not None:
        names = candidates(rest)
        marked = tuple(entity for entity in entities if known([entity[1][0]]))
        there = known([named.name for named in names])
        entities = choose(names, there) or marked
        if len(there) > len(entities):
            others = within([name for name, _ in entities], there, keys={key for _, keys in entities for key in keys})
        rest = _parted(rest, [name for name, _ in entities])
    called, perhaps = [name for name, _ in entities], _capitalised(rest)
    phrases = asked(rest, names=_unasking(rest, called), perhaps=perhaps)
    if plainly or _asks_for_more(rest, phrases, names=(*called, *perhaps)):
        phrases = tuple(pair for pair in phrases if pair[1] not in OF_A_NOTE)
    if any(ask is Ask.TASKS for _, ask in phrases) and _is_of_past_tasks(rest, phrases, found, today):
        phrases = tuple(pair for pair in phrases if pair[1] is not Ask.TASKS)
    terms, said = _terms_of(rest, phrases), {ask for _, ask in phrases}
    if said & _DEADLINES:
        alone = not any(term.weight > table("rank")["asking"] for term in terms)
        due = _days_due(found, said, text, today=today, alone=alone)
        if due is None:
            phrases = tuple(pair for pair in phrases if pair[1] not in _DEADLINES)
            terms = _terms_of(rest, phrases)
        else:
            found = due
    asks = _with_due(frozenset(ask for _, ask in phrases)) or _of_a_name_alone(text, entities)
    return Reading(
        query,
        found,
        entities,
        (Kind.OPINION,) if Ask.OPINION in asks else (),
        asks,
        terms,
        query_terms(dated) if dated else (),
        others,
        values_asked(rest),
        general_words(rest, terms),
        found is not None and bool(dated) and _is_fixed(dated, today),
    )


def _asks_for_more(text: str, phrases: Collection[tuple[str, Ask]], *, names: Iterable[str]) -> bool:
    """Whether a question that asks something of somebody asks what happened or what is so now, or has other words that
    tell something: "what did I do on my birthday?"."""
    said = {ask for _, ask in phrases}
    if said.isdisjoint(OF_A_NOTE):
        return False
    own = {key for name in (*names, *owner_words(text)) for term in query_terms(name) for key in term.keys}
    others = [term for term in _terms_of(text, phrases) if own.isdisjoint(term.keys)]
    more = (
        term.weight > table("rank")["asking"] and term.text[0] < FAR_EAST for term in others
    )  # there pairs mix words
    return not said.isdisjoint(_OF_SOME_TIME) or any(more)


def _of_a_name_alone(text: str, entities: Iterable[tuple[str, tuple[str, ...]]]) -> frozenset[Ask]:
    """What a question asks for that is a known name and nothing else."""
    return frozenset((Ask.ABOUT,)) if any(entity_key(text) == entity_key(name) for name, _ in entities) else frozenset()


def _capitalised(text: str) -> list[str]:
    """Return what in a question is written like a name, folded; not its first word, as any sentence begins so."""
    runs = groupby(_WORDS.findall(text)[1:], key=lambda word: word[0].isupper() and len(word) > 1)
    return [fold(" ".join(run)) for is_name, run in runs if is_name]


_WORDS = lazy_pattern(r"[^\W_]+")
_ELSEWHEN = timedelta(45)
"""Longer than a month, and no number of weeks: what is said of today is of other days then."""


def _is_fixed(phrase: str, today: date) -> bool:
    """Whether a date phrase is of the same days of a year if it is said on another day."""
    there, then = when.read(phrase, today), when.read(phrase, today + _ELSEWHEN)
    if there is None or then is None:
        return False
    edges = ([day and (day.month, day.day) for day in (each.span.start, each.span.end)] for each in (there, then))
    return next(edges) == next(edges)


_OF_TASKS = frozenset((Ask.TASKS, Ask.AHEAD, Ask.OVERDUE))


def _terms_of(text: str, phrases: Collection[tuple[str, Ask]]) -> tuple[Term, ...]:
    """The search terms of a question, those lighter that only ask for what these phrases ask for."""
    asking = [phrase for phrase, ask in phrases if ask is not Ask.HOW]
    if any(ask in _OF_TASKS for _, ask in phrases):  # by any of these words
        asking += [phrase for phrase, ask in phrases_of("questions", far=max(text) >= FAR) if ask is Ask.TASKS]
    words = {phrase.strip() for phrase in asking} | {word for phrase in asking for word in phrase.split()}
    lighter, light = table("rank")["asking"], table("rank")["light"]
    trouble = _trouble_words() if any(ask is Ask.CAUSE for _, ask in phrases) else frozenset[str]()

    def weighed(term: Term) -> Term:
        word = fold(term.text)
        if _only_asks(word, words):
            return term._replace(weight=term.weight * lighter)
        if word in trouble:
            return term._replace(weight=term.weight * table("rank")["trouble"])
        return term._replace(weight=term.weight * light) if word in light_words() else term

    return tuple(map(weighed, query_terms(text)))


@cache
def _trouble_words() -> frozenset[str]:
    """Return the folded words for trouble: "why do the jobs fail?" presumes it, and the line with the cause may call it
    an error."""
    return _listed("trouble")


@cache
def light_words() -> frozenset[str]:
    """Return the folded words that say little of what a question is about, such as "use" and "still": of those that a
    question has, fewer stand in what answers it (term necessity, Zhao & Callan 2010)."""
    return _listed("light")


def _listed(kind: str) -> frozenset[str]:
    return frozenset(fold(word) for words in table("stopwords")[kind].values() for word in words.split())


_OF_SOME_TIME = frozenset((Ask.HAPPENED, Ask.CURRENT, Ask.LATEST))
_DEADLINES = frozenset((Ask.DUE, Ask.AHEAD, Ask.OVERDUE))
_SOON, _LATE = timedelta(13), timedelta(90)
"""How far ahead "coming up" looks, and how far back "overdue"."""


def _coming_up(today: date) -> When:
    return When(Span(today, today + _SOON), "coming up", "during", 0, 0)


def _overdue(today: date) -> When:
    return When(Span(today - _LATE, today - timedelta(1)), "overdue", "before", 0, 0)


def _with_due(asks: frozenset[Ask]) -> frozenset[Ask]:
    """What a question asks for; what is coming up or overdue is due, too, and overdue are open tasks."""
    if Ask.OVERDUE in asks:
        return asks | {Ask.DUE, Ask.TASKS}
    return asks | {Ask.DUE} if Ask.AHEAD in asks else asks


_OF_A_DEADLINE = frozenset((Ask.OPINION, Ask.DECISION, Ask.CAUSE, Ask.FIX, Ask.ABOUT, Ask.HAPPENED, Ask.TALK))
"""What a question asks for of something that is due, which is not by when it is."""
_HALF_A_YEAR = 183


def _days_due(found: When | None, said: Collection[Ask], text: str, *, today: date, alone: bool) -> When | None:
    """The days on which something is due: Friday is the next one, unless that was long ago for a question for a month
    or day of the year; "by Friday" is from today on. None for days without end, for more than are searched, and if the
    question asks for something else of what is due.

    Args:
        alone: whether it asks for nothing else: then what is ahead is of the next days, and overdue is of the last.
    """
    if not _OF_A_DEADLINE.isdisjoint(set(said) - ({Ask.HAPPENED} if Ask.AHEAD in said else set())):
        return None
    if found is None:
        if not alone or {Ask.AHEAD, Ask.OVERDUE}.isdisjoint(said):
            return None
        return _overdue(today) if Ask.OVERDUE in said else _coming_up(today)
    from commonplace.core.when.day_search import LONGEST  # here, because few questions ask what is due

    if found.span.end is not None and found.span.end < today:
        other = when.read_otherwise(text, found, today, due=True)
        first = other and (other.span.start or other.span.end)
        found = other if other and first and (first - today).days < _HALF_A_YEAR else found
    start, end = found.span
    if start is None and end is not None and end >= today:
        start, found = today, found._replace(span=Span(today, end))
    return found if start is not None and end is not None and (end - start).days < LONGEST else None


def _is_of_past_tasks(text: str, phrases: Iterable[tuple[str, Ask]], days: When | None, today: date) -> bool:
    """Whether a question for tasks asks for those that are done, or that were: by its days, or by a word that is no
    part of what asks for open ones ("not done")."""
    if days is not None and days.span.end is not None and days.span.end < today:
        return True
    words = padded(text)
    rests = [words.replace(phrase, " | ") for phrase, ask in phrases if ask is Ask.TASKS]
    return any(all(word in rest for rest in rests) for word in _past())


@cache
def _past() -> tuple[str, ...]:
    return tuple(
        f" {fold(word)} " if language not in UNSPACED else fold(word)
        for language, words in table("tasks")["past"].items()
        for word in words
    )


_PARTICLES = frozenset("はのがをも的")
"""Characters that may follow a phrase that asks, in a pair with its last: 期限は."""


def _only_asks(term: str, asking: Collection[str]) -> bool:
    """Whether a folded term is a word that asks; in scripts without spaces, a piece of one."""
    if term[:1] < FAR_EAST:
        return term in asking
    piece = term[:-1] if term[-1] in _PARTICLES and len(term) > 1 else term
    return any(piece in phrase for phrase in asking)


def _parted(text: str, names: list[str]) -> str:
    """The text with spaces around names in scripts without spaces, so that no term mixes a name and a word."""
    folded = fold(text)
    if len(folded) != len(text):
        return text
    for name in names:
        at = folded.find(name)
        if name[0] >= FAR_EAST and at >= 0:
            end = at + len(name)
            text, folded = (f"{each[:at]} {each[at:end]} {each[end:]}" for each in (text, folded))
    return text


def readable(query: str) -> str:
    """The question, its clauses parted, with spaces for a greeting; of a very long text its beginning and end, in whole
    words if possible."""
    query = _ungreeted(_CLAUSES.sub(" \u2014 ", query))
    if len(query) <= LONGEST:
        return query
    head, tail = query[: LONGEST - _END], query[-_END:]
    return f"{head.rpartition(' ')[0] or head}\n{tail.partition(' ')[2] or tail}"


_LONGEST_GREETING = 40


def _ungreeted(query: str) -> str:
    """The question with spaces for greetings before it, each up to a mark and a space: "hi, where …"."""
    if not fold(query[:_LONGEST_GREETING]).startswith(_greetings()):
        return query
    found = _greeting().match(query, 0, _LONGEST_GREETING)
    if found is None or not any(map(str.isalnum, query[found.end() :])):
        return query
    return " " * found.end() + query[found.end() :]


@cache
def _greetings() -> tuple[str, ...]:
    listed = (fold(each) for words in table("parts")["greetings"].values() for each in words)
    return tuple(sorted(listed, key=len, reverse=True))


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"(?:(?i:{'|'.join(_greetings())})(?:[,!.…]+\s+|[，、！。…]+\s*))+")


def _is_a_name(found: When, known: Callable[[list[str]], dict[str, tuple[str, ...]]]) -> bool:
    """Whether a date phrase is the name of an entity: one word, or "about" and one; "in April" is a month."""
    words = found.phrase.split()
    if len(words) > (2 if found.relation == "around" else 1) or not words[-1].isalpha():
        return False
    return bool(known([entity_key(words[-1])]))


def _unasking(text: str, names: list[str]) -> list[str]:
    """The names that are not also ordinary words of the question: those in lower case are, if others are capitalised.

    Danish *bo* is to live: "Does Bo like tea?" and "does bo like tea?" name Bo, but "Hvor kan Ulla bo?" does not.
    """
    words = [word.strip("?.,!:;\"'()") for word in text.split()]
    if not any(word[:1].isupper() and len(word) > 1 for word in words[1:]):
        return names
    return [name for name in names if name not in words or name[0] >= FAR]
