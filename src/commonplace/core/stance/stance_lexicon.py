"""The words of one language, as the rules need them: looked up by stem, longest phrase first.

A table `data/LANGUAGE/stance.json` lists words under a few keys; lists of opposites read "big, large | small, little",
lists of synonyms "film, movie", kinds "person: man, woman". Words are written as people write them and stemmed here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.stance.stance_words import stems
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, UNSPACED, tokens
from commonplace.core.text.normalize import unify

if TYPE_CHECKING:
    from collections.abc import Iterable

ROLES = (
    "function",  # small words: no content, but where opposites are looked for (on, off)
    "plain",  # no part at all: shields "not only" from "not"
    "breaks",  # parts clauses: but
    "negations",
    "past_negations",  # deny that something happened: 没, なかった
    "nobody",  # denies of everybody
    "without",  # denies the next word alone
    "again",  # says that it is as before: no content
    "hedges",  # doubt: maybe, not always
    "conditions",  # if
    "likes",
    "dislikes",  # a preference and a negation in one word
    "stops",  # denies what follows when that is a gerund: stopped eating
    "refuses",  # denies what follows: avoids
    "lapses",  # deny, and say that it was so before: no longer
    "forbids",  # denies that one may: must not
    "ends",  # denies that one still has it: lost, cancelled
    "relatives",  # begins a relative clause, whose denial is not the statement's
    "adds",  # too: what comes on top excludes nothing
    "past",  # tells an event
    "changes",  # what follows holds now: was moved to
    "relocates",  # what follows is where one lives now: moved to
    "succeeds",  # who does so holds a part that another had: took over
    "switches",  # turns what was parted by "from" into what was in use before
    "exchanges",  # as that, behind a word that drops something: dropped tea for coffee
    "from_next",  # what follows may be what was in use before: 从
    "from_before",  # what stands before may be what was in use before: から
    "left_before",  # what stands before was in use before: छोड़कर
    "only_next",  # what follows excludes the rest
    "only_before",  # what stands before excludes the rest: だけ
    "only_denied",  # as that, and takes a denial back: しか
    "asides",  # what follows tells since when or why
    "asides_before",  # what stands before tells that: 以后, ので
    "may",  # permits, or doubts
    "permits",  # small words of permission: can
    "copulas",
    "once",  # tells an event: this Friday
    "rather_than",  # what follows is rejected
    "rather_if_liked",  # as that, where something is preferred or chosen: A over B
    "marks",  # particles behind the topic: は, को
    "rather_than_before",  # what stands before is rejected: より
    "rather_from",  # what follows was in use before: switched from
    "rather_until",  # what follows is chosen: switched from … to
    "at_most",
    "at_least",
    "passive",  # by: the order of the words tells nothing
)
"""Keys of a table that give words a part to play; of a word under two keys, the later one counts."""


_ADJECTIVE = ("く", "くて", "かった")
"""Forms of a Japanese adjective in い that a denial or the past puts on."""


class StanceLexicon(NamedTuple):
    """The words of one language."""

    language: str
    phrases: dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]
    """By first stem: (stems, role, concept), longest first. The concept is empty for words that are no content."""
    longest: int
    """Characters of the longest entry, for scripts without spaces."""
    concepts: dict[str, str]
    """Stem or phrase to the first of its synonyms."""
    opposites: dict[str, frozenset[str]]
    """Concept to the concepts that exclude it."""
    kinds: dict[str, frozenset[str]]
    """Concept to what it is one of."""
    exclusive: dict[str, str]
    """Concept to the class of which only one member holds: weekdays, colours."""
    said_of: frozenset[str]
    """The exclusive classes that exclude only where both sides say what something is: is green, is red."""
    scenes: frozenset[str]
    """The exclusive classes that exclude only within one scene: food, sports."""
    unique: frozenset[str]
    """Concepts of predicates that hold of one thing at a time: lives in, is called."""
    habits: frozenset[str]
    """Concepts of what one does with a thing until switching to another: uses, drives."""
    chooses: frozenset[str]
    """Concepts of choosing one of two: picks, uses."""
    times: frozenset[str]
    """Concepts of times, where a word that may also mean `if` stands before them."""
    lasting: frozenset[str]
    """Concepts of what, done once, lasts: repaired, broke down."""
    acquires: frozenset[str]
    """Concepts of coming to have: bought, got."""
    praise: frozenset[str]
    """Concepts that speak well of what is liked: excellent."""
    blame: frozenset[str]
    planned: frozenset[str]
    """Concepts of what goes ahead until it is called off: is confirmed, takes place."""
    lapsing: frozenset[str]
    """Small words, as written, that make a denial say that it was so before: not … any more."""
    concord: frozenset[str]
    """Denials, as written, that go with another and deny once: 誰も…ない."""
    verb_last: bool
    """Whether what a verb says stands before it."""
    resides: frozenset[str]
    """Concepts of living somewhere."""
    carriers: frozenset[str]
    """Concepts of verbs that say little beside their object: takes the train."""
    lacks: frozenset[str]
    """Concepts that say that something is not there or does not work: empty, broken."""
    scopes: frozenset[str]
    """Small words that make another statement of the same content: some, must, until."""
    kin: frozenset[str]
    """Concepts of somebody by whom he stands to another: his brother. Two such are two people."""
    indefinite: frozenset[str]
    """Small words, as written, that speak of some instance, which may be another one: a man, two dogs."""
    numbers: dict[str, float]
    units: dict[str, tuple[str, float]]
    """Unit to its base unit and factor."""
    prefixes: tuple[str, ...]
    """What turns a word into its opposite: unencrypted, ustabil."""
    scheduled: frozenset[str]
    """The exclusive classes that exclude also among things wanted: a report each Monday, each Friday."""
    prefer_to: str
    """Beginning of the word of preference after which rather_until parts what is rejected: prefers trains to planes."""
    gerund: str
    over: tuple[str, ...]
    """Endings of what ended, where a gerund may tell what goes on."""
    """Ending of what must follow a word that stops something; empty where nothing must."""
    counters: frozenset[str]
    """What a number counts that is also a small word or a part of words: only before these is it read as one."""


_CONCEPT_SETS = (
    *("times", "lasting", "acquires", "praise", "blame", "chooses", "planned", "unique", "habits", "resides"),
    *("carriers", "lacks", "kin", "scopes"),
)
"""Keys of a table that list words whose concepts are the field of the same name."""
_LISTS = ("said_of", "scenes", "scheduled", "lapsing", "concord")
"""Keys that list words or classes as they are written."""


@cache
def lexicon(language: str) -> StanceLexicon:
    """The lexicon of a language code, read from its table `stance`."""
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
    """The entries of a lexicon while its table is read."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.entries: dict[tuple[str, ...], tuple[str, str]] = {}
        """Stems to role and concept."""
        self.names: dict[str, str] = {}
        """Stem or phrase to the first of its synonyms."""

    def joined(self, written: str) -> str:
        """The stems of an entry, joined by spaces."""
        return " ".join(_stems(written, self.language))

    def concept(self, written: str) -> str:
        """The concept of an entry, which becomes a word of the language when it was not one."""
        key = _stems(written, self.language)
        joined = " ".join(key)
        if key and (len(key) > 1 or self.language in UNSPACED):
            self.entries.setdefault(key, ("content", joined))
            if self.language == "ja" and len(joined) > 1 and joined.endswith("い") and joined[-2] > "\u30ff":
                for ending in _ADJECTIVE:
                    self.entries.setdefault((joined[:-1] + ending,), ("content", joined))
        return self.names.get(joined, joined)

    def concepts(self, listed: str) -> list[str]:
        """The concepts of entries with commas between them."""
        return [self.concept(word) for word in listed.split(", ") if word]

    def unite(self, synonyms: list[str]) -> None:
        """Give entries the concept of the first of them."""
        names = list(map(self.joined, synonyms))
        for word, name in zip(synonyms, names, strict=True):
            self.concept(word)
            self.names.setdefault(name, names[0])

    def take_roles(self, data: dict[str, Any]) -> None:
        """Give words the roles under whose keys they are."""
        for role in ROLES:
            for word in _listed(data.get(role, ())):
                if key := _stems(word, self.language):
                    self.entries[key] = (role, "")

    def take_as_written(self, words: list[str]) -> None:
        """Let numbers and units be found in a script without spaces."""
        if self.language in UNSPACED:
            for word in words:
                self.entries.setdefault((word,), ("content", word))


def _opposites(lines: list[list[list[str]]]) -> dict[str, frozenset[str]]:
    """Every word of one side with every word of the other, both ways."""
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
