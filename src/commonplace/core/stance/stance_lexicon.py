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


@cache
def lexicon(language: str) -> StanceLexicon:
    """The lexicon of a language code: en, da, zh, ja, hi."""
    data = table("stance", language)
    entries: dict[tuple[str, ...], tuple[str, str]] = {}
    concepts: dict[str, str] = {}

    def known(written: str) -> tuple[str, ...]:
        return _stems(written, language)

    def concept(written: str) -> str:
        """The concept of an entry, which becomes a word of the language when it was not one."""
        key = known(written)
        joined = " ".join(key)
        if key and (len(key) > 1 or language in UNSPACED):
            entries.setdefault(key, ("content", joined))
            if language == "ja" and len(joined) > 1 and joined.endswith("い") and joined[-2] > "\u30ff":
                for ending in _ADJECTIVE:
                    entries.setdefault((joined[:-1] + ending,), ("content", joined))
        return concepts.get(joined, joined)

    for line in data.get("synonyms", ()):
        names = [" ".join(known(word)) for word in line.split(", ")]
        for word, name in zip(line.split(", "), names, strict=True):
            concept(word)
            concepts.setdefault(name, names[0])
    sides = [
        [[concept(word) for word in side.split(", ")] for side in line.split(" | ")]
        for line in data.get("opposites", ())
    ]
    kinds: dict[str, set[str]] = {}
    for line in data.get("kinds", ()):
        general, members = line.split(": ")
        for word in members.split(", "):
            kinds.setdefault(concept(word), set()).add(concept(general))
    exclusive = {concept(word): name for name, words in data.get("exclusive", {}).items() for word in words.split(", ")}
    times, lasting, acquires, praise, blame, chooses, planned, unique, habits, resides, carriers, lacks, kin, scopes = (
        frozenset(concept(word) for word in data.get(key, "").split(", ") if word)
        for key in (
            "times",
            "lasting",
            "acquires",
            "praise",
            "blame",
            "chooses",
            "planned",
            "unique",
            "habits",
            "resides",
            "carriers",
            "lacks",
            "kin",
            "scopes",
        )
    )
    indefinite = frozenset(data.get("indefinite", "").split(", "))
    numbers = {" ".join(known(word)): value for word, value in data.get("numbers", {}).items()}
    units = {
        " ".join(known(word)): (base, factor)
        for base, scale in data.get("units", {}).items()
        for names, factor in scale.items()
        for word in names.split(", ")
    }
    for word in data.get("words", "").split():
        concept(word)
    for role in ROLES:
        for word in _listed(data.get(role, ())):
            if key := known(word):
                entries[key] = (role, "")
    if language in UNSPACED:
        for word in [*numbers, *units]:
            entries.setdefault((word,), ("content", word))
    return StanceLexicon(
        language=language,
        phrases=_by_first(entries),
        longest=max((len(key[0]) for key in entries), default=1),
        concepts=concepts,
        opposites=_opposites(sides),
        kinds={key: frozenset(value) for key, value in kinds.items()},
        exclusive=exclusive,
        said_of=frozenset(data.get("said_of", ())),
        scenes=frozenset(data.get("scenes", ())),
        unique=unique,
        habits=habits,
        chooses=chooses,
        times=times,
        lasting=lasting,
        acquires=acquires,
        praise=praise,
        blame=blame,
        planned=planned,
        verb_last=LANGUAGES[language].verb_last,
        lapsing=frozenset(_listed(data.get("lapsing", ()))),
        concord=frozenset(_listed(data.get("concord", ()))),
        resides=resides,
        carriers=carriers,
        lacks=lacks,
        scopes=scopes,
        kin=kin,
        indefinite=indefinite,
        numbers=numbers,
        units=units,
        prefixes=tuple(data.get("prefixes", ())),
        scheduled=frozenset(data.get("scheduled", ())),
        prefer_to=data.get("prefer_to", ""),
        gerund=data.get("gerund", ""),
        over=tuple(data.get("over", "").split()),
        counters=frozenset(unify(data.get("counters", "")).split()),
    )


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
