"""Analyzes a question: its days, its entities, what it asks for, and the terms to look up."""

from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from commonplace.core import when
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.entities.entity_names import candidates, choose, entity_key, within
from commonplace.core.extract.value_kinds import Value, values_asked
from commonplace.core.model import Kind, Span, When
from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term, query_terms
from commonplace.core.text.general_words import GeneralWord, general_words
from commonplace.core.text.known_languages import ALPHABETIC, UNSPACED, written_in
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

LONGEST = 2_400
"""Characters of a question that are read, about 400 words; a longer text is a document with a question at an end."""
_END = 800
"""Characters read at the end of a longer text."""


_CLAUSES = lazy_pattern(r"(?<=[^\W\d_])\u2014(?=[^\W\d_])")
"""A dash that parts clauses, where a hyphen would join words: "a raise and a bonus—how much?"."""


class Ask(StrEnum):
    """What a question asks for, or a line tells, by the phrases of data/questions.json and data/answers.json."""

    OPINION = "opinion"
    DECISION = "decision"
    CAUSE = "cause"
    FIX = "fix"
    LATEST = "latest"
    CURRENT = "current"
    ABOUT = "about"
    WHO = "who"
    HAPPENED = "happened"
    WHERE = "where"
    LIVES = "lives"
    HOME = "home"
    """A label of a line says where somebody lives, if the line is about them."""
    THERE = "there"
    """A line says where somebody is."""
    WHEN = "when"
    TASKS = "tasks"
    """What is still to do; a title such as TODO says it of the lines below it."""
    TALK = "talk"
    """That something was talked about: of the conversation, not of its subject."""
    HOW = "how"
    """Something else, though in the words of what comes after it: Danish *hvor* is where, *hvor gammel* how old."""


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


def read(query: str, today: date, known: Callable[[list[str]], dict[str, tuple[str, ...]]] | None = None) -> Reading:
    """Analyze a question.

    Args:
        known: returns, of folded names, those that entities have, with the entities' keys; without it only `@X` and
            `[[X]]` are entities.
    """
    text = _readable(query)
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
    phrases = _said(rest, "questions", names=_unasking(rest, [name for name, _ in entities]))
    if any(ask is Ask.TASKS for _, ask in phrases) and _is_of_past_tasks(rest, phrases, found, today):
        phrases = tuple(pair for pair in phrases if pair[1] is not Ask.TASKS)
    found_asks = frozenset(ask for _, ask in phrases)
    kinds = (Kind.OPINION,) if Ask.OPINION in found_asks else ()
    asking = [phrase for phrase, ask in phrases if ask is not Ask.HOW]
    if Ask.TASKS in found_asks:  # by any of these words
        asking += [phrase for phrase, ask in _phrases("questions", far=max(rest) >= FAR) if ask is Ask.TASKS]
    words = {phrase.strip() for phrase in asking} | {word for phrase in asking for word in phrase.split()}
    lighter = table("rank")["asking"]
    terms = tuple(
        term._replace(weight=term.weight * lighter) if _only_asks(fold(term.text), words) else term
        for term in query_terms(rest)
    )
    return Reading(
        query,
        found,
        entities,
        kinds,
        found_asks,
        terms,
        query_terms(dated) if dated else (),
        others,
        values_asked(rest),
        general_words(rest, terms),
        found is not None and bool(dated) and _is_fixed(dated, today),
    )


_ELSEWHEN = timedelta(45)
"""Longer than a month, and no number of weeks: what is said of today is of other days then."""


def _is_fixed(phrase: str, today: date) -> bool:
    """Whether a date phrase is of the same days of a year if it is said on another day."""
    there, then = when.read(phrase, today), when.read(phrase, today + _ELSEWHEN)
    if there is None or then is None:
        return False
    edges = ([day and (day.month, day.day) for day in (each.span.start, each.span.end)] for each in (there, then))
    return next(edges) == next(edges)


def _is_of_past_tasks(text: str, phrases: Iterable[tuple[str, Ask]], days: When | None, today: date) -> bool:
    """Whether a question for tasks asks for those that are done, or that were: by its days, or by a word that is no
    part of what asks for open ones ("not done")."""
    if days is not None and days.span.end is not None and days.span.end < today:
        return True
    padded = _padded(text)
    rests = [padded.replace(phrase, " | ") for phrase, ask in phrases if ask is Ask.TASKS]
    return any(all(word in rest for rest in rests) for word in _past())


@cache
def _past() -> tuple[str, ...]:
    return tuple(
        f" {fold(word)} " if language not in UNSPACED else fold(word)
        for language, words in table("tasks")["past"].items()
        for word in words
    )


def _only_asks(term: str, asking: Collection[str]) -> bool:
    """Whether a folded term is a word that asks; in scripts without spaces, a piece of one."""
    return term in asking or (term[:1] >= FAR_EAST and any(term in phrase for phrase in asking))


MOST_PARTS = 4
WHOLE_TERM = 0.5
"""Minimum weight of a search term."""


@lru_cache(maxsize=16)
def parts(query: str) -> tuple[str, ...]:
    """Return the questions in a text, each with a question word and a search term; the text itself if there is one.

    "Where does Inger live, and who is the apprentice?" is two; "Which part broke, and why?" is one.
    """
    text = _readable(query)
    low = text.casefold()
    if len(low) != len(text):
        return (query,)
    ends = (at + 1 for at, sign in enumerate(low) if sign in "?？")
    cuts = sorted({0, len(text), *ends, *(at for join, after in _joins() for at in _parts_at(low, join, after=after))})
    found = [text[start:end] for start, end in pairwise(cuts)]
    whole = 1 < len(found) <= MOST_PARTS and all(map(_asks_something, found))
    return tuple(part.strip(" ,，、") for part in found) if whole else (query,)


def listed(reading: Reading) -> tuple[str, ...]:
    """Return the things that a question lists, as typed: "Nora's bicycle and the boat's engine" is two; empty for one.

    A question with a question word lists things only if it is several questions, or each thing is an entity's.
    """
    asked = parts(reading.query)
    low = reading.query.casefold()
    if len(asked) > 1:
        return tuple(_without_join(part) for part in asked)
    if len(low) != len(reading.query) or len(low) > _LONGEST_LIST:
        return ()
    words = [word for words in table("parts")["lists"].values() for word in words]
    cuts = sorted(
        (at, at + len(word)) for word in words for at in _places(low, word) if _joins_things(low, at, word=word)
    )
    if not 0 < len(cuts) < MOST_PARTS:
        return ()
    edges = [0, *(edge for cut in cuts for edge in cut), len(low)]
    found = [reading.query[start:end].strip(_AROUND) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if _asks(low) and not all(any(name in fold(part) for name, _ in reading.entities) for part in found):
        return ()
    return tuple(found) if all(found) else ()


def _without_join(part: str) -> str:
    joins = (join for words in table("parts")["joins"].values() for join in words)
    first = next((join for join in joins if _places(part.casefold(), join)[:1] == [0]), "")
    return part[len(first) :].strip(_AROUND)


_LONGEST_LIST = 160
"""Maximum characters of a list of things to search for."""
_AROUND = " ,，、。.?？!！"


def _joins_things(low: str, at: int, *, word: str) -> bool:
    """Whether "and" is between two things: in kana or Han it may be part of another word."""
    if word[0] < FAR_EAST or not word[0].isalpha():
        return True
    before, after = low[at - 1 : at], low[at + len(word) : at + len(word) + 1]
    return all(each >= FAR_EAST and not "ぁ" <= each <= "ゖ" for each in (before, after) if each.strip())


def _asks(low: str) -> bool:
    return any(_places(low, word) for words in table("parts")["asking"].values() for word in words)


def _asks_something(part: str) -> bool:
    asking = _asks(part.casefold())
    return asking and any(term.weight >= WHOLE_TERM for term in query_terms(part))


@cache
def _joins() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(word that separates questions, the question words of which one must follow it; empty: anything may follow)."""
    joins, asking = table("parts")["joins"], table("parts")["asking"]
    return tuple(
        (join, tuple(asking[language]) if language in ALPHABETIC else ())
        for language, words in joins.items()
        for join in words
    )


def _parts_at(low: str, join: str, *, after: tuple[str, ...]) -> list[int]:
    """Positions where a question may be split before this word."""
    places = _places(low, join)
    if not after:
        return places
    return [at for at in places if low[at + len(join) :].lstrip().startswith(after)]


def _places(low: str, word: str) -> list[int]:
    """Positions of a word in a text; only whole words in scripts with spaces."""
    found, at = [], low.find(word)
    whole = word[0].isalpha() and word[0] < FAR_EAST
    while at >= 0:
        end = at + len(word)
        if not whole or not (low[at - 1 : at].isalnum() or low[end : end + 1].isalnum()):
            found.append(at)
        at = low.find(word, end)
    return found


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


_TITLED = lazy_pattern(r"[\u3005\u4e00-\u9fff]{1,4}(?=さん|さま|ちゃん|くん|(?<![仕多同模異])様|(?<![華摂])氏)")
"""A name before its title, in Japanese; 仕様 and 華氏 have none."""


def strangers(reading: Reading, unknown: Iterable[Term]) -> tuple[str, ...]:
    """Return the unknown terms that the question writes as names: "Which cluster did Vantongeren rent?"

    A name is a capitalised word that does not begin a sentence, in a question that does not capitalise most words; an
    identifier with a digit, if no line has a part of it with a digit; or, in Japanese, what stands before a title
    (鈴木さん), if no known pair of characters has one of its own.
    """
    unknown = tuple(unknown)
    found = [term.text for term in unknown if _is_a_code(term, reading.terms, unknown=unknown)]
    pairs = [term.text for term in unknown if term.text[0] >= FAR_EAST]
    if pairs:
        found += [name[0] for name in _TITLED.finditer(reading.query) if _is_strange(name[0], pairs)]
    words = [word for word in reading.query.split() if word[:1].isalpha()]
    if 2 * sum(word[:1].isupper() for word in words) > len(words) + 1:
        return tuple(found)
    for term in unknown:
        at = reading.query.find(term.text)
        before = reading.query[: max(at, 0)].rstrip()
        begins = not any(map(str.isalnum, before)) or before[-1] in ".!?:"
        if at >= 0 and len(term.text) > 2 and term.text.isalpha() and term.text[0].isupper() and not begins:
            found.append(term.text)
    return tuple(found)


def _is_strange(name: str, unknown: Collection[str]) -> bool:
    """Whether a name has a character that is in no pair with one beside it that any line has."""
    pairs = [True, *(name[at : at + 2] in unknown for at in range(len(name) - 1)), True]
    return len(name) > 1 and any(map(all, pairwise(pairs)))


def _is_a_code(term: Term, terms: Iterable[Term], *, unknown: Collection[Term]) -> bool:
    """Whether a term is an identifier with a digit (QX-9931, E217) of which no line has a part with a digit."""
    text = term.text
    if not any(map(str.isdigit, text)) or not any(map(str.isalpha, text)):
        return False
    if term.kind != "identifier" and not (term.kind == "word" and text[0].isupper()):
        return False
    return not any(
        each.kind == "part" and each not in unknown and each.text in text and any(map(str.isdigit, each.text))
        for each in terms
    )


def _readable(query: str) -> str:
    """The question, its clauses parted; of a very long text its beginning and end, in whole words if possible."""
    query = _CLAUSES.sub(" \u2014 ", query)
    if len(query) <= LONGEST:
        return query
    head, tail = query[: LONGEST - _END], query[-_END:]
    return f"{head.rpartition(' ')[0] or head}\n{tail.partition(' ')[2] or tail}"


def _is_a_name(found: When, known: Callable[[list[str]], dict[str, tuple[str, ...]]]) -> bool:
    """Whether a date phrase is the name of an entity: one word, or "about" and one; "in April" is a month."""
    words = found.phrase.split()
    if len(words) > (2 if found.relation == "around" else 1) or not words[-1].isalpha():
        return False
    return bool(known([entity_key(words[-1])]))


FAR = "\u0400"
"""First letter of the scripts that a text in Latin letters does not contain: Cyrillic."""


@cache
def _phrases(name: str, *, far: bool) -> tuple[tuple[str, Ask], ...]:
    """(phrase, what it asks or answers); a phrase of scripts with spaces has a space at both ends.

    Args:
        far: include scripts other than Latin, which cost a cold start 2 ms.
    """
    pairs = []
    for ask, languages in table(name).items():
        if ask == "provenance":
            continue
        for language, phrases in languages.items():
            if not far and language not in written_in("latin"):
                continue
            spaced = language not in UNSPACED
            folded = [fold(phrase).replace("'", " ") for phrase in phrases]  # as `_padded` has them
            pairs += [(f" {phrase} " if spaced else phrase, Ask(ask)) for phrase in folded]
    return tuple(pairs)


_TITLE = lazy_pattern(r"[\W_]{0,8}([^:：(（|]{1,40}?)[\W_]*(?:[:：(（|—–]|\s-\s|$)")


def title_of(text: str) -> tuple[str, str]:
    """Return the short title or label in a text, and what follows it: `**TODO:** oil the gate`; both empty for none."""
    found = _TITLE.match(text)
    return (found[1], text[found.end() :]) if found else ("", "")


def answers(text: str) -> frozenset[Ask]:
    """Return what a text tells: a decision, a cause, a fix, where somebody lives or is."""
    return _told_by(_padded(text))


def titled(text: str) -> frozenset[Ask]:
    """Return what the title or label of a text says of what is below or behind it: a home, or what is to do."""
    title = title_of(text)[0]
    return _told_by(f" ^{_padded(title)}^ ") if title else frozenset()


def _told_by(padded: str) -> frozenset[Ask]:
    begun = _begun("answers", far=max(padded) >= FAR)
    pairs = [pair for first in begun.keys() & {"", *padded.split()} for pair in begun[first]]
    return frozenset([ask for phrase, ask in pairs if phrase in padded])


_NO_HOME = lazy_pattern(r"://|@|\b0x|\w\.\w|\blocalhost\b")
"""In what stands behind a label such as `Address`: it is none of somebody, but of a machine or an account."""


def says_home(text: str) -> bool:
    """Return whether a text that names nobody tells where somebody lives: `Location: Molde`, "Based in Molde"."""
    rest = title_of(text)[1]
    if Ask.HOME in titled(text):
        return any(map(str.isalpha, rest)) and not text.startswith("[") and _NO_HOME.search(rest) is None
    padded = _padded(text)
    begun = _begun("answers", far=max(padded) >= FAR)
    first = next(iter(padded.split()), "")
    pairs = (pair for word in {"", first} & begun.keys() for pair in begun[word])
    return any(ask is Ask.LIVES and padded.lstrip().startswith(phrase.lstrip()) for phrase, ask in pairs)


@cache
def _begun(name: str, *, far: bool) -> dict[str, list[tuple[str, Ask]]]:
    """Return first word -> the phrases of `_phrases` that begin with it; empty: those of scripts without spaces."""
    begun: dict[str, list[tuple[str, Ask]]] = {}
    for phrase, ask in _phrases(name, far=far):
        begun.setdefault(phrase.split()[0] if phrase[0] == " " else "", []).append((phrase, ask))
    return begun


def _unasking(text: str, names: list[str]) -> list[str]:
    """The names that are not also ordinary words of the question: those in lower case are, if others are capitalised.

    Danish *bo* is to live: "Does Bo like tea?" and "does bo like tea?" name Bo, but "Hvor kan Ulla bo?" does not.
    """
    words = [word.strip("?.,!:;\"'()") for word in text.split()]
    if not any(word[:1].isupper() and len(word) > 1 for word in words[1:]):
        return names
    return [name for name in names if name not in words or name[0] >= FAR]


def _said(text: str, name: str, *, names: Iterable[str] = ()) -> tuple[tuple[str, Ask], ...]:
    """The phrases of a table in a text, each with what it asks for or answers.

    Args:
        names: folded names, within which no phrase is searched.
    """
    padded = _padded(text)
    for each in names:
        spaced = each[0] < FAR_EAST
        padded = padded.replace(f" {each} " if spaced else each, " | ")
    found = []
    for pair in _phrases(name, far=max(padded) >= FAR):
        if pair[0] in padded:
            found.append(pair)
            if pair[1] is Ask.HOW:
                padded = padded.replace(pair[0], " | ")
    return tuple(found)


def _padded(text: str) -> str:
    """The words of a folded text with a space at both ends of each, without marks."""
    folded = fold(text[:2000])
    for mark in "?.,!;:\"'()？。、，！…*_：|।":
        folded = folded.replace(mark, " ")
    return f" {' '.join(folded.split())} "
