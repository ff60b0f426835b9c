"""What a question asks for, and what a line tells, by the phrases of data/questions.json and data/answers.json."""

import re
from collections.abc import Callable, Collection, Iterable
from enum import StrEnum
from functools import cache, lru_cache

from commonplace.core.extract.value_kinds import Value, has_value
from commonplace.core.tables import table
from commonplace.core.text.known_languages import UNSPACED, identify, written_in
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold


class Ask(StrEnum):
    """What a question asks for, or a line tells, by the phrases of data/questions.json and data/answers.json."""

    OPINION = "opinion"
    DECISION = "decision"
    CAUSE = "cause"
    FIX = "fix"
    STILL = "still"
    """Whether something is still so: in use, valid, running; or why it is not used."""
    OFTEN = "often"
    """How often something is done."""
    LATEST = "latest"
    CURRENT = "current"
    ABOUT = "about"
    WHO = "who"
    HAPPENED = "happened"
    WHERE = "where"
    LIVES = "lives"
    CONTACT = "contact"
    """How somebody is reached: a telephone number, an address for mail."""
    MAIL = "mail"
    BORN = "born"
    """A birthday or an age."""
    FAMILY = "family"
    """Whether somebody is married, or has children."""
    DETAIL = "detail"
    """Something else that a note on somebody or something usually tells: what it is made with, whose it is."""
    HOW_TO = "how_to"
    """How something is started or built: a note tells it, a log only that it was done."""
    HOME = "home"
    """A label of a line says where somebody lives, if the line is about them."""
    THERE = "there"
    """A line says where somebody is."""
    WHEN = "when"
    TASKS = "tasks"
    """What is still to do; a title such as TODO says it of the lines below it."""
    DUE = "due"
    """What is to be done or paid by some days; of a question without days nothing."""
    AHEAD = "ahead"
    """What is due in the next days, if it asks for nothing else: "what's coming up?"."""
    OVERDUE = "overdue"
    """Which open tasks were due before today."""
    TALK = "talk"
    """That something was talked about: of the conversation, not of its subject."""
    HOW = "how"
    """Something else, though in the words of what comes after it: Danish *hvor* is where, *hvor gammel* how old."""


_LOOKS = {Ask.CONTACT: (Value.CONTACT,), Ask.MAIL: (Value.MAIL,), Ask.BORN: (Value.AGE, Value.BIRTHDAY)}
"""What is told by a value rather than by words."""
FAR = "\u0400"
"""First letter of the scripts that a text in Latin letters does not contain: Cyrillic."""

_ONESELF, _OWNER, _AGENT = "oneself", "owner", "agent"
"""Keys of the words by which who asks speaks of themselves or of the owner, and of the questions for the agent, beside
those of what is asked for."""
_OF_A_LONGER = frozenset((Ask.WHO, Ask.LIVES))
"""What phrases ask for that ask for nothing within a longer one: to do something *for a living*, *what is* next."""


OF_ONE = frozenset((Ask.LIVES, Ask.CONTACT, Ask.MAIL, Ask.BORN, Ask.FAMILY))
"""What is asked of somebody that a line tells by words or values of its own."""
OF_A_NOTE = OF_ONE - {Ask.LIVES} | {Ask.DETAIL, Ask.HOW_TO}
"""What is asked only where nothing else is: "where did I spend my birthday?" is no question for a day."""


def asks_who(asks: frozenset[Ask]) -> bool:
    """Return whether who or what somebody is is asked for, or all about them and nothing else of them."""
    return Ask.WHO in asks or asks == {Ask.ABOUT}


@cache
def phrases_of(name: str, *, far: bool) -> tuple[tuple[str, Ask], ...]:
    """Return (phrase, what it asks for or tells) of a table; in scripts with spaces it has one at both ends.

    Args:
        far: include scripts other than Latin, which cost a cold start 2 ms.
    """
    pairs = []
    for ask, languages in table(name).items():
        if ask in ("provenance", _ONESELF, _OWNER, _AGENT):
            continue
        for language, phrases in languages.items():
            if not far and language not in written_in("latin"):
                continue
            spaced = language not in UNSPACED
            folded = [fold(phrase).replace("'", " ") for phrase in phrases]  # as `padded` has them
            pairs += [(f" {phrase} " if spaced else phrase, Ask(ask)) for phrase in folded]
    return tuple(pairs)


_TITLE = lazy_pattern(r"[\W_]{0,8}([^:：(（|]{1,40}?)[\W_]*(?:[:：(（|—–]|\s-\s|$)")


def title_of(text: str) -> tuple[str, str]:
    """Return the short title or label in a text, and what follows it: `**TODO:** oil the gate`; both empty for none."""
    found = _TITLE.match(text)
    return (found[1], text[found.end() :]) if found else ("", "")


def answers(text: str, wanted: Collection[Ask]) -> frozenset[Ask]:
    """Return what of these a text tells: a decision, a cause, a fix, where somebody lives or is, how they are reached;
    what has a look of its own only by that: who was called by telephone has a number somewhere else."""
    by_words = _told_by(padded(text)) if any(ask not in _LOOKS for ask in wanted) else frozenset()
    looks = frozenset(ask for ask in wanted if any(has_value(text, value) for value in _LOOKS.get(ask, ())))
    return looks.union(by_words.difference(_LOOKS).intersection(wanted))


def titled(text: str) -> frozenset[Ask]:
    """Return what the title or label of a text says of what is below or behind it: a home, or what is to do."""
    title = title_of(text)[0]
    return _told_by(f" ^{padded(title)}^ ") if title else frozenset()


def _told_by(words: str) -> frozenset[Ask]:
    begun = _begun(far=max(words) >= FAR)
    pairs = [pair for first in begun.keys() & {"", *words.split()} for pair in begun[first]]
    return frozenset([ask for phrase, ask in pairs if phrase in words])


_NO_HOME = lazy_pattern(r"://|@|\b0x|\w\.\w|\blocalhost\b")
"""In what stands behind a label such as `Address`: it is none of somebody, but of a machine or an account."""


def says_home(text: str) -> bool:
    """Return whether a text that names nobody tells where somebody lives: `Location: Molde`, "Based in Molde"."""
    rest = title_of(text)[1]
    if Ask.HOME in titled(text):
        return any(map(str.isalpha, rest)) and not text.startswith("[") and _NO_HOME.search(rest) is None
    words = padded(text)
    begun = _begun(far=max(words) >= FAR)
    first = next(iter(words.split()), "")
    pairs = (pair for word in {"", first} & begun.keys() for pair in begun[word])
    return any(ask is Ask.LIVES and words.lstrip().startswith(phrase.lstrip()) for phrase, ask in pairs)


@cache
def _begun(*, far: bool) -> dict[str, list[tuple[str, Ask]]]:
    """Return first word -> the phrases of answers that begin with it; empty: those of scripts without spaces."""
    begun: dict[str, list[tuple[str, Ask]]] = {}
    for phrase, ask in phrases_of("answers", far=far):
        begun.setdefault(phrase.split()[0] if phrase[0] == " " else "", []).append((phrase, ask))
    return begun


def asked(text: str, *, names: Iterable[str] = (), perhaps: Iterable[str] = ()) -> tuple[tuple[str, Ask], ...]:
    """Return the phrases of a question that ask for something, each with what that is.

    Args:
        names: folded names, within which no phrase is searched.
        perhaps: what may be names; within them only those phrases are not searched that have the place of a name.
    """
    words = _with_names(f" ^{padded(text)}^ ", names)
    named = _with_names(words, perhaps)
    owned = _with_names(named, owner_words(text))  # whoever asks is named, too
    found = []
    for pair in phrases_of("questions", far=max(words) >= FAR):
        if pair[0] in named or pair[0] in owned if "|" in pair[0] else pair[0] in words:
            found.append(pair)
            if pair[1] is Ask.HOW:
                words, named, owned = (each.replace(pair[0], " | ") for each in (words, named, owned))
    return tuple(pair for pair in found if pair[1] not in _OF_A_LONGER or not _is_of_a_longer(pair, found))


def _with_names(words: str, names: Iterable[str]) -> str:
    """Return a text with a bar in place of each name."""
    for each in names:
        spaced = each[0] < FAR_EAST
        words = words.replace(f" {each} ", " | ") if spaced else " | ".join(map(str.strip, words.split(each)))
    return words


def _is_of_a_longer(pair: tuple[str, Ask], found: Iterable[tuple[str, Ask]]) -> bool:
    phrase, asked_for = pair
    return any(phrase in other and ask is not asked_for for other, ask in found)


def of_the_owner(text: str, language: str) -> Callable[[str], bool] | None:
    """Return a function: whether a term of a question in a language says no more than its owner; None if none does.

    A person speaks of themselves, "where do I live?", but not of MIT; an agent of the one it works for, "what does the
    user prefer?".

    Of a text without spaces a term may have a part of such a word: of 主人住在哪里 both 主人 and 人住.
    """
    words = padded(text)
    told = [each.span() for word in _speaking(language) for each in re.finditer(re.escape(word), words)]

    def speaks(term: str) -> bool:
        there = [each.span() for each in re.finditer(re.escape(padded(term).strip()), words)]
        return bool(there) and all(any(low < end and start < high for low, high in told) for start, end in there)

    return speaks if told else None


def owner_words(text: str) -> tuple[str, ...]:
    """Return the words by which a question in the language of this one speaks of its owner, folded."""
    return tuple(map(str.strip, _speaking(identify(text).code)))


def asks_for_the_agent(text: str) -> bool:
    """Return whether a question is who the agent is: "who are you?", and nothing more."""
    return padded(text) in _of_the_agent()


@cache
def _of_the_agent() -> frozenset[str]:
    return frozenset(padded(text) for listed in table("questions")[_AGENT].values() for text in listed)


@lru_cache(12)
def _speaking(language: str) -> tuple[str, ...]:
    """The words of a language by which a question speaks of its owner, longer ones first."""
    words = (*_padded_words(_OWNER, language), *_padded_words(_ONESELF, language))
    return tuple(sorted(words, key=len, reverse=True))


@lru_cache(12)
def _padded_words(kind: str, language: str) -> tuple[str, ...]:
    words = map(fold, table("questions")[kind].get(language, ()))
    return tuple(word if language in UNSPACED else f" {word} " for word in words)


def padded(text: str) -> str:
    """Return the words of a folded text with a space at both ends of each, without marks."""
    folded = fold(text[:2000])
    for mark in "?.,!;:\"'()？。、，！…*_：|।":
        folded = folded.replace(mark, " ")
    return f" {' '.join(folded.split())} "
