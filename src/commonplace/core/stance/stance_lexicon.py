"""The words of one language, as the rules need them: looked up by stem, longest phrase first.

A table `data/LANGUAGE/stance.json` lists words under a few keys. The format of opposites is "big, large | small,
little", of synonyms "film, movie", of kinds "person: man, woman". Words are written as people write them and stemmed
here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.stance.stance_words import stems, tokens
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, UNSPACED
from commonplace.core.text.normalize import unify

if TYPE_CHECKING:
    from collections.abc import Iterable

ROLES = (
    "function",  # no content, but searched for opposites (on, off)
    "plain",  # no role: shields "not only" from "not"
    "breaks",  # separates clauses: but
    "negations",
    "past_negations",  # deny that something happened: 没, なかった
    "nobody",  # denies for everybody
    "without",  # denies only the next word
    "again",  # says that it is as before: no content
    "hedges",  # doubt: maybe, not always
    "conditions",  # if
    "likes",
    "dislikes",  # a preference and a negation in one word
    "stops",  # denies what follows if that is a gerund: stopped eating
    "refuses",  # denies what follows: avoids
    "lapses",  # denies, and implies that it was so before: no longer
    "forbids",  # denies that one may: must not
    "ends",  # denies that one still has it: lost, cancelled
    "relatives",  # begins a relative clause, whose denial is not the statement's
    "adds",  # too: an addition excludes nothing
    "past",  # marks an event
    "changes",  # what follows is so now: was moved to
    "relocates",  # what follows is the new residence: moved to
    "succeeds",  # the subject has a role that another had: took over
    "switches",  # makes what follows "from" what was in use before
    "exchanges",  # the same, after a word that drops something: dropped tea for coffee
    "from_next",  # what follows may be what was in use before: 从
    "from_before",  # what precedes may be what was in use before: から
    "left_before",  # what precedes was in use before: छोड़कर
    "only_next",  # what follows excludes the rest
    "only_before",  # what precedes excludes the rest: だけ
    "only_denied",  # the same, and cancels a denial: しか
    "asides",  # what follows says since when or why
    "asides_before",  # what precedes says that: 以后, ので
    "may",  # permits, or doubts
    "permits",  # function words of permission: can
    "copulas",
    "once",  # marks an event: this Friday
    "rather_than",  # what follows is rejected
    "rather_if_liked",  # the same, if something is preferred or chosen: A over B
    "marks",  # particles after the topic: は, को
    "rather_than_before",  # what precedes is rejected: より
    "rather_from",  # what follows was in use before: switched from
    "rather_until",  # what follows is chosen: switched from … to
    "at_most",
    "at_least",
    "passive",  # by: the order of the words has no meaning
)
"""Keys of a table that give words a role; of a word under two keys, the later one counts."""


_ADJECTIVE = ("く", "くて", "かった")
"""Endings of a Japanese adjective in い in the negative and the past."""


class StanceLexicon(NamedTuple):
    """The words of one language."""

    language: str
    phrases: dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]
    """First stem -> (stems, role, concept), longest first. The concept is empty for words without content."""
    longest: int
    """Length of the longest entry in characters, for scripts without spaces."""
    concepts: dict[str, str]
    """Stem or phrase -> the first of its synonyms."""
    opposites: dict[str, frozenset[str]]
    """Concept -> the concepts that exclude it."""
    kinds: dict[str, frozenset[str]]
    """Concept -> its more general concepts."""
    exclusive: dict[str, str]
    """Concept -> its exclusive class, of which only one member is true at a time: weekdays, colours."""
    said_of: frozenset[str]
    """The exclusive classes that exclude only if both sides have a copula: is green, is red."""
    scenes: frozenset[str]
    """The exclusive classes that exclude only within one scene: food, sports."""
    unique: frozenset[str]
    """Concepts of predicates that are true of one thing at a time: lives in, is called."""
    habits: frozenset[str]
    """Concepts of what one does with a thing until switching to another: uses, drives."""
    chooses: frozenset[str]
    """Concepts of choosing one of two: picks, uses."""
    times: frozenset[str]
    """Concepts of times: a word that may mean `if` does not mean it before one of these."""
    lasting: frozenset[str]
    """Concepts of events with a lasting result: repaired, broke down."""
    acquires: frozenset[str]
    """Concepts of acquiring: bought, got."""
    praise: frozenset[str]
    """Concepts of praise: excellent."""
    blame: frozenset[str]
    planned: frozenset[str]
    """Concepts of what is on until it is cancelled: is confirmed, takes place."""
    lapsing: frozenset[str]
    """Function words, as written, with which a denial implies that it was so before: not … any more."""
    concord: frozenset[str]
    """Denials, as written, that accompany another and deny once with it: 誰も…ない."""
    verb_last: bool
    """Whether the verb comes last, after its objects."""
    resides: frozenset[str]
    """Concepts of living somewhere."""
    carriers: frozenset[str]
    """Concepts of light verbs: takes the train."""
    lacks: frozenset[str]
    """Concepts of absence or failure: empty, broken."""
    scopes: frozenset[str]
    """Function words that make another statement of the same content: some, must, until."""
    kin: frozenset[str]
    """Concepts of people by their relation to another: his brother. Two of them are two people."""
    indefinite: frozenset[str]
    """Function words, as written, for an indefinite instance, which may be another one: a man, two dogs."""
    numbers: dict[str, float]
    units: dict[str, tuple[str, float]]
    """Unit -> (base unit, factor)."""
    prefixes: tuple[str, ...]
    """Prefixes that turn a word into its opposite: unencrypted, ustabil."""
    scheduled: frozenset[str]
    """The exclusive classes that also exclude among things wanted: a report each Monday, each Friday."""
    prefer_to: str
    """Prefix of the word of preference after which `rather_until` precedes the rejected: prefers trains to planes."""
    gerund: str
    """Ending of the word that must follow a word that stops something; empty if none must."""
    over: tuple[str, ...]
    """Endings of words for what is over, in languages where a gerund may describe what goes on."""
    counters: frozenset[str]
    """Counters: a number that is also a function word or part of a word is read as a number only before one of these.
    """


_CONCEPT_SETS = (
    *("times", "lasting", "acquires", "praise", "blame", "chooses", "planned", "unique", "habits", "resides"),
    *("carriers", "lacks", "kin", "scopes"),
)
"""Keys of a table that list words; the field of the same name contains their concepts."""
_LISTS = ("said_of", "scenes", "scheduled", "lapsing", "concord")
"""Keys that list words or classes as written, without stemming."""


@cache
def lexicon(language: str) -> StanceLexicon:
    """Return the lexicon of a language code, read from its table `stance`."""
    data = table("stance", language)
    words = _Vocabulary(language)
    for line in data.get("synonyms", ()):
        words.unite(line.split(", "))
    sides = [[words.concepts(side) for side in line.split(" | ")] for line in data.get("opposites", ())]
    kinds: dict[str, set[str]] = {}
    for line in data.get("kinds", ()):
        general, members = line.split(": ")
        for member in members.split(", "):
            kinds.setdefault(words.concept(member), set()).add(words.concept(general))
    exclusive = {word: name for name, those in data.get("exclusive", {}).items() for word in words.concepts(those)}
    fields: dict[str, Any] = {name: frozenset(words.concepts(data.get(name, ""))) for name in _CONCEPT_SETS}
    fields |= {name: frozenset(_listed(data.get(name, ()))) for name in _LISTS}
    numbers = {words.joined(word): value for word, value in data.get("numbers", {}).items()}
    units = {
        words.joined(word): (base, factor)
        for base, scale in data.get("units", {}).items()
        for names, factor in scale.items()
        for word in names.split(", ")
    }
    for word in data.get("words", "").split():
        words.concept(word)
    words.take_roles(data)
    words.take_as_written([*numbers, *units])
    return StanceLexicon(
        language=language,
        phrases=_by_first(words.entries),
        longest=max((len(key[0]) for key in words.entries), default=1),
        concepts=words.names,
        opposites=_opposites(sides),
        kinds={key: frozenset(value) for key, value in kinds.items()},
        exclusive=exclusive,
        verb_last=LANGUAGES[language].verb_last,
        indefinite=frozenset(data.get("indefinite", "").split(", ")),
        numbers=numbers,
        units=units,
        prefixes=tuple(data.get("prefixes", ())),
        prefer_to=data.get("prefer_to", ""),
        gerund=data.get("gerund", ""),
        over=tuple(data.get("over", "").split()),
        counters=frozenset(unify(data.get("counters", "")).split()),
        **fields,
    )


class _Vocabulary:
    """Collects the entries of a lexicon while its table is read."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.entries: dict[tuple[str, ...], tuple[str, str]] = {}
        """Stems -> (role, concept)."""
        self.names: dict[str, str] = {}
        """Stem or phrase -> the first of its synonyms."""

    def joined(self, written: str) -> str:
        """Return the stems of an entry, joined by spaces."""
        return " ".join(_stems(written, self.language))

    def concept(self, written: str) -> str:
        """Return the concept of an entry, which is added to the words of the language if it is new."""
        key = _stems(written, self.language)
        joined = " ".join(key)
        if key and (len(key) > 1 or self.language in UNSPACED):
            self.entries.setdefault(key, ("content", joined))
            if self.language == "ja" and len(joined) > 1 and joined.endswith("い") and joined[-2] > "\u30ff":
                for ending in _ADJECTIVE:
                    self.entries.setdefault((joined[:-1] + ending,), ("content", joined))
        return self.names.get(joined, joined)

    def concepts(self, listed: str) -> list[str]:
        """Return the concepts of comma-separated entries."""
        return [self.concept(word) for word in listed.split(", ") if word]

    def unite(self, synonyms: list[str]) -> None:
        """Map each synonym to the concept of the first one."""
        names = list(map(self.joined, synonyms))
        for word, name in zip(synonyms, names, strict=True):
            self.concept(word)
            self.names.setdefault(name, names[0])

    def take_roles(self, data: dict[str, Any]) -> None:
        """Assign each word the role of the key that lists it."""
        for role in ROLES:
            for word in _listed(data.get(role, ())):
                if key := _stems(word, self.language):
                    self.entries[key] = (role, "")

    def take_as_written(self, words: list[str]) -> None:
        """Add numbers and units as entries, for scripts without spaces."""
        if self.language in UNSPACED:
            for word in words:
                self.entries.setdefault((word,), ("content", word))


def _opposites(lines: list[list[list[str]]]) -> dict[str, frozenset[str]]:
    """Return every word of one side with every word of the other, in both directions."""
    opposites: dict[str, set[str]] = {}
    for left, right in lines:
        for one in left:
            for other in right:
                if one != other:
                    opposites.setdefault(one, set()).add(other)
                    opposites.setdefault(other, set()).add(one)
    return {key: frozenset(value) for key, value in opposites.items()}


def _listed(value: Any) -> Iterable[str]:
    return value.split(", ") if isinstance(value, str) else value


def _stems(written: str, language: str) -> tuple[str, ...]:
    written = unify(written).strip()
    if language in UNSPACED:
        return (written.casefold(),) if written else ()
    return tuple(stems(tokens(written), language))


def _by_first(
    entries: dict[tuple[str, ...], tuple[str, str]],
) -> dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]:
    grouped: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for key, (role, name) in entries.items():
        grouped.setdefault(key[0], []).append((key, role, name))
    return {first: tuple(sorted(group, key=lambda entry: -len(entry[0]))) for first, group in grouped.items()}
