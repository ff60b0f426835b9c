"""The words of one language that make a claim, and the role of each.

A table `data/LANGUAGE/claims.json` becomes phrases, found by their first word, or character where words are not parted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.claims import phrase_roles
from commonplace.core.claims.claim_words import decorated, signs
from commonplace.core.claims.succession import ENDS, TURNS
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, UNSPACED
from commonplace.core.text.normalize import fold, variants
from commonplace.core.text.tokenizer import stemmer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

NUMERIC = frozenset(("amount", "version", "count", "clock"))
"""The forms of values that no text has without a digit or numeral."""

_LISTS = ("drop", "turn", "end", "doubt", "join", "cut", "aside", "past", "link", "from", "opens", "of", "led")
"""Lists of phrases, each with the role of its name."""
_NUMBERS = {"weekdays": phrase_roles.WEEKDAY, "dayparts": phrase_roles.DAYPART, "hours": phrase_roles.HOURS}


class Frame(NamedTuple):
    """What a verb or noun says that something has."""

    slot: str
    form: str
    """The form of the value, in `value_shapes`; empty if the phrase is the value."""
    manner: str = ""
    value: str = ""
    """What the phrase itself says of it: `married`."""
    who: bool = False
    """Whether it is of a person."""
    noun: bool = False
    """Whether it names what the value is of, rather than saying it."""
    before: bool = False
    """Whether its value stands before it."""
    state: bool = False
    """Whether it is an adjective, which also stands beside nouns: a broken printer."""


class Phrase(NamedTuple):
    """An entry of the lexicon."""

    rest: tuple[str, ...]
    """The words after the first."""
    roles: int
    frames: tuple[Frame, ...]
    number: int


class Roles(NamedTuple):
    """Words for people by what they are to somebody."""

    many: frozenset[str]
    """Of whom there may be many, as stems: the client."""
    one: frozenset[str]
    """Of whom the author has one: mother."""
    others: frozenset[str]
    """Words before them that say that they are somebody else's: his mother."""
    stem: Callable[[str], str]

    def may_be_many(self, words: Sequence[str], *, spaced: bool) -> bool:
        """Return whether folded words name somebody of whom there may be many."""
        if spaced:
            return not self.many.isdisjoint(map(self.stem, words))
        said, many = "".join(words), tuple(self.many)
        return said.startswith(many) or said.endswith(many)


class ClaimLexicon(NamedTuple):
    """The words of one language."""

    language: str
    spaced: bool
    last: bool
    """Whether the verb comes last, its value before it."""
    phrases: dict[str, tuple[Phrase, ...]]
    """By first word, longest first."""
    triggers: frozenset[str]
    """Every text that claims something contains a word of this set or of the next two. Also as they are
    written, and with marks beside them, so that texts need not be cut up to look for them."""
    turning: frozenset[str]
    """Words that tell what was done, or that something is over."""
    nouns: frozenset[str]
    """Words that also need a link to a value: one of `links`, or a colon."""
    links: frozenset[str]
    numeric: frozenset[str]
    """Words that also need a number."""
    doubts: frozenset[str]
    """Words that alone put a sentence in doubt."""
    regions: frozenset[str]
    """Countries and regions, which contain towns."""
    no_places: frozenset[str]
    """Names that one moves to without changing residence."""
    numbers: dict[str, int]
    months: frozenset[str]
    hours: frozenset[str]
    """Words that make a number before them a time of day."""
    uncounted: frozenset[str]
    """Things that are counted anew on each occasion."""
    recurring: frozenset[str]
    """Words of what recurs at its time."""
    transport: frozenset[str]
    """Words of what has a different time on another day."""
    moves: frozenset[str]
    """Words after which "from … to …" tells of a change."""
    bounds: tuple[str, str]
    """Those two words."""
    stem: Callable[[str], str] | None
    """Maps the cases of a name to one form; None in languages without cases."""
    towns: frozenset[str]
    """Names of places to work in that are no employer; only in languages with one word for both."""
    near: frozenset[str]
    """Slots that mean another occasion a month later: the gate, the seat."""
    roles: Roles


@cache
def lexicon(language: str) -> ClaimLexicon:
    """Return the lexicon of a language code, read from its table `claims`."""
    return _Builder(table("claims", language), language).built()


class _Builder:
    """A lexicon in the making."""

    def __init__(self, data: dict[str, Any], language: str) -> None:
        self.data = data
        self.language = language
        self.spaced = language not in UNSPACED
        self.last = LANGUAGES[language].verb_last
        self.stem = stemmer(LANGUAGES[language].stemmer) if LANGUAGES[language].cases else None
        self.does: dict[tuple[str, ...], int] = {}
        self.numbers: dict[tuple[str, ...], int] = {}
        self.frames: dict[tuple[str, ...], list[Frame]] = {}
        self.written: dict[str, set[str]] = {}
        """Folded words to the ways in which they are written."""
        self._read()
        self.small = {key[0] for key, role in self.does.items() if role & phrase_roles.SMALL and len(key) == 1}
        self.small |= self.set_of(data["auxiliary"])

    def words_of(self, text: str) -> tuple[str, ...]:
        """Return a folded phrase as words."""
        return tuple(text.split()) if self.spaced else tuple(signs(text))

    def each(self, words: str) -> list[tuple[str, ...]]:
        """Return the phrases of a comma-separated list, folded, as words."""
        return [self.words_of(text) for text in _parts(self._folded(words))]

    def set_of(self, words: str) -> frozenset[str]:
        """Return a comma-separated list of words as a set."""
        return frozenset(map("".join, self.each(words)))

    def _folded(self, words: str) -> str:
        """Fold a list in one go, which is faster than one by one."""
        return fold(words) if self.spaced else variants(words).lower()

    def _read(self) -> None:
        """Collect the roles and frames of each phrase."""
        data, does = self.data, self.does
        for name in _LISTS:
            for key in self.each(data[name]) if name != "from" or not data["to"] else ():
                does[key] = does.get(key, 0) | getattr(phrase_roles, name.upper())
        for key in self.each(data["months"]):
            does[key] = phrase_roles.MONTH
        for name, role in _NUMBERS.items():
            for texts, number in data["clock"][name].items():
                for key in self.each(texts):
                    does[key], self.numbers[key] = does.get(key, 0) | role, number
        for texts, frame in _frames(data):
            for first, others in zip(_parts(texts), _parts(self._folded(texts)), strict=True):
                self._frame(frame, first.split("|"), folded=others.split("|"))

    def _frame(self, frame: Frame, written: list[str], *, folded: list[str]) -> None:
        """Add a frame under each of its phrases."""
        own = frame._replace(slot=frame.slot + folded[0]) if frame.slot[-1] == ":" else frame  # a slot for each noun
        for text, low in zip(written, folded, strict=True):
            key = self.words_of(low.lstrip("."))  # to which "…" is folded
            self.frames.setdefault(key, []).append(own._replace(before=True) if text[0] == "…" else own)
            for one, other in zip(key, text.lower().split(), strict=False):
                self.written.setdefault(one, set()).add(other)

    def _telling(self, key: tuple[str, ...]) -> str:
        """Return the longest word of a phrase that is not common."""
        return max((word for word in reversed(key) if word not in self.small), key=len, default=key[0])

    def _as_written(self, lows: Iterable[str]) -> frozenset[str]:
        if not self.spaced:
            return frozenset(lows)
        return decorated({word for low in lows for word in (low, *self.written.get(low, ()))})

    def _names(self, words: str) -> frozenset[str]:
        """Return names as a hole contains them."""
        parts = self.each(words)
        joined = (map(self.stem, part) if self.stem else part for part in parts)
        return frozenset(map((" " if self.spaced else "").join, joined))

    def _links(self) -> set[str]:
        """Return words one of which links a noun to its value."""
        links = {key[0] for key, role in self.does.items() if role & phrase_roles.LINK}
        turns = [key for key, role in self.does.items() if role & phrase_roles.TURN]
        return links | (
            {self._telling(key) for key in turns if len(key) > 1} - {key[0] for key in turns if len(key) == 1}
        )

    def built(self) -> ClaimLexicon:
        """Return the finished lexicon."""
        data, does, frames = self.data, self.does, self.frames
        clock = data["clock"]
        triggers: set[str] = set()
        nouns: set[str] = set()
        numeric = set(self.set_of(clock["triggers"]))
        numeric |= {self._telling(key) for key, role in does.items() if role & (phrase_roles.LINK | phrase_roles.TURN)}
        for key, those in frames.items():
            if all(frame.form in NUMERIC for frame in those):
                numeric.add(self._telling(key))
            else:
                (nouns if all(frame.noun for frame in those) else triggers).add(self._telling(key))
        turning = {self._telling(key) for key, those in frames.items() if any(f.manner and not f.form for f in those)}
        turning |= {self._telling(key) for key, role in does.items() if role & phrase_roles.END}
        phrases: dict[str, list[Phrase]] = {}
        for key in sorted({*does, *frames}, key=len, reverse=True):
            phrase = Phrase(key[1:], does.get(key, 0), tuple(frames.get(key, ())), self.numbers.get(key, 0))
            phrases.setdefault(key[0], []).append(phrase)
        return ClaimLexicon(
            self.language,
            self.spaced,
            self.last,
            {first: tuple(those) for first, those in phrases.items()},
            self._as_written(triggers),
            self._as_written(turning),
            self._as_written(nouns),
            self._as_written(nouns if self.last else self._links()),
            self._as_written(numeric),
            frozenset(key[0] for key, role in does.items() if role & phrase_roles.DOUBT and len(key) == 1),
            self._names(data["regions"]),
            self._names(data["no_places"]),
            {self.each(word)[0][0]: value for word, value in data["numbers"].items()},
            frozenset("".join(key) for key, role in does.items() if role & phrase_roles.MONTH),
            frozenset("".join(key) for key, role in does.items() if role & phrase_roles.HOURS),
            self.set_of(data["uncounted"]),
            self.set_of(clock["recurring"]),
            self.set_of(clock["transport"]),
            self.set_of(data["moves"]),
            (data["from"], data["to"]),
            self.stem,
            self._names(data.get("towns", "")) | (self._names(data["regions"]) if "towns" in data else frozenset()),
            frozenset(_parts(data["near"])),
            self._roles(),
        )

    def _roles(self) -> Roles:
        """Return who may be of many, and who is one."""
        data = self.data
        stem = stemmer(LANGUAGES[self.language].stemmer) if self.spaced else str
        many = frozenset(map(stem, self.set_of(data["many"])))
        return Roles(many, self.set_of(data["one"]), self.set_of(data["others"]), stem)


def _frames(data: dict[str, Any]) -> Iterator[tuple[str, Frame]]:
    """Yield lists of phrases, each with its frame."""
    for section in ("who", "what", "nouns"):
        for key, says in data[section].items():
            slot, _, value = key.partition("=")
            for name, manner in (("says", ""), ("turns", TURNS), ("ends", ENDS)):
                yield says.get(name, ""), Frame(slot, says["form"], manner, value, section == "who", section == "nouns")
    for section, manner in (("status", ""), ("acting", ""), ("turning", TURNS)):
        for key, texts in data[section].items():
            slot, _, value = key.partition("=")
            who = slot in data["personal"].split(", ")
            yield texts, Frame(slot, "", manner, value, who, state=section == "status")


def _parts(words: str) -> list[str]:
    return words.split(", ") if words else []
