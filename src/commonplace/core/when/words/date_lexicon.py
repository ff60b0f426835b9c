"""Loads the date words of each language from `data/LANGUAGE/when.json`, with their possible meanings.

A language is loaded when a text first needs it.
"""

from functools import cache
from typing import Any, NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.known_languages import BREAKS, LATIN
from commonplace.core.text.lazy_pattern import lazy_pattern

Reading = tuple[str, Any]
"""A word class of the grammar and the word's value in it; None where the class says it all."""

Word = tuple[str, tuple[Any, ...]]
"""A word's shape and its values, one for each class."""


def word_of(known: list[Reading] | tuple[Reading, ...], *, careful: bool = False) -> Word:
    """Return readings as a shape, `num yy two`, and their values; ` !` ends a word that needs a neighbour (`May`)."""
    return " ".join(kind for kind, _ in known) + (" !" if careful else ""), tuple(value for _, value in known)


@cache
def kinds(shape: str) -> tuple[str, ...]:
    """Return the word classes of a shape, in the order of its values."""
    return tuple(shape.removesuffix(" !").split())


MONTHS = ("jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec")
"""As Danish cuts them short, which a text does that shows no language."""


class DateLexicon(NamedTuple):
    """The words of one script."""

    words: dict[str, Word]
    phrases: dict[str, list[tuple[str, Word]]]
    """By first word, longest first: expressions of several words."""
    spelled: dict[str, tuple[str, ...]]
    """The same expressions' text alone."""
    shy: frozenset[str]
    """Words that need company and are ordinary words when written small: `may`."""
    clipped: frozenset[str]
    """Names cut short, which need company and are mostly something else: `sep`, `sat`, Danish `man`, Hindi `रवि`."""
    beside: tuple[str, ...]
    """What may stand behind a weekday without 日 that is one: 月曜朝."""
    numbered: frozenset[str]
    """Words before which a number is a name: `port 2019`, `RFC 2119`."""
    counted: frozenset[str]
    """Words after which a number is an amount: `2000 tokens`, `1500 文字`."""
    counters: tuple[str, ...]
    """The same as they begin a run of Chinese or Japanese."""
    longer: tuple[str, ...]
    """Those of them that begin with a date word: 号室, 日元."""
    plain: dict[str, Word]
    """The words that mean the same wherever they stand."""
    known: frozenset[str]
    """Every word that may mean something: of `words`, `phrases`, `counted` and `HALVES`."""
    longest: int


_PLAIN: dict[int, str] = {
    **{0xFF10 + digit: str(digit) for digit in range(10)},
    **{0x0966 + digit: str(digit) for digit in range(10)},
    **{ord(char): "-" for char in "‐‑‒–—―−－"},
    **{ord(char): "~" for char in "～〜∼"},
    **{ord(char): " " for char in "\u3000\u00a0\u2009\u202f"},
    **{ord(char): plainer for char, plainer in zip("ёЁ", "еЕ", strict=True)},
    **{ord(char): "'" for char in "’‘＇"},
    **{ord(wide): thin for wide, thin in zip("／．：，（）＝＜", "/.:,()=<", strict=True)},
}
_DOTTED = {0x958 + place: letter for place, letter in enumerate("\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f")}
"""Hindi letters with their nukta in one character."""
_NUKTA_LETTER = lazy_pattern("[\u0958-\u095f]")


_WORD_BREAKS = {ord(char): " " for char in BREAKS if char != "'"}


def plain(text: str) -> str:
    """Return the text with digits, dashes and brackets in ASCII; offsets stay."""
    if text.isascii():
        return text
    text = text.replace("–", "-").replace("—", "-").replace("’", "'")
    return text if text.isascii() else text.translate(_PLAIN)


def fold(word: str) -> str:
    """Return a word as it is compared: lower case, ё as е, Hindi without nukta, anusvara for chandrabindu."""
    word = word.lower()
    if word.isascii():
        return word
    word = (
        word.replace("\u093c", "")
        .replace("\u0901", "\u0902")
        .replace("\u200d", "")
        .replace("\u200c", "")
        .replace("ё", "е")
    )
    return word if _NUKTA_LETTER.search(word) is None else word.translate(_DOTTED)


@cache
def listed(key: str, *languages: str) -> frozenset[str]:
    """Return the words of a list of these languages' tables `when`, folded; a table may lack the list."""
    return frozenset(fold(word) for language in languages for word in table("when", language).get(key, ()))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text, without marks except the apostrophe."""
    return fold(text).translate(_WORD_BREAKS).split()


@cache
def readings(language: str) -> dict[str, list[Reading]]:
    """Return every word of a language's table with its readings."""
    words: dict[str, list[Reading]] = {}
    for kind, listed in table("when", language)["words"].items():
        pairs = listed.items() if isinstance(listed, dict) else ((word, None) for word in listed)
        for word, value in pairs:
            reading = (kind, tuple(value) if isinstance(value, list) else value)
            known = words.setdefault(fold(word), [])
            if reading not in known:
                known.append(reading)
    return words


HALVES = frozenset({"am", "pm"})
"""Of a day: `Saturday, 9 PM` is no ninth."""

GLUED = frozenset({"quarter", "halfletter", "weekletter", "cy", "eraletter"})
"""Classes of letters that count only right before a digit: `Q3`, `H2`."""


@cache
def lexicon(*languages: str) -> DateLexicon:
    """Return the merged words of the languages; between Chinese and Japanese the first one's reading wins."""
    merged = _merged(languages)
    careful: set[str] = set()
    shy: set[str] = set()
    clipped: set[str] = set()
    numbered: set[str] = set()
    counted: set[str] = set()
    for language in languages:
        data = table("when", language)
        careful.update(map(fold, data["careful"]))
        shy.update(data["shy"])
        clipped.update(map(fold, data["clipped"]))
        numbered.update(map(fold, data["numbered"]))
    clipped -= shy
    careful |= clipped
    shy &= careful
    for language in languages if set(LATIN).isdisjoint(languages) else {*languages, *LATIN}:
        # a short text shows late in which language of a script it is
        counted.update(map(fold, table("when", language)["counted"]))
    words: dict[str, Word] = {}
    phrases: dict[str, list[tuple[str, Word]]] = {}
    odd = shy | clipped
    for word, known in merged.items():
        entry = word_of(known, careful=word in careful)
        if " " in word:
            phrases.setdefault(word.split(" ", 1)[0], []).append((word, entry))
        else:
            words[word] = entry
            if any(kind in GLUED or kind == "ord" for kind, _ in known):
                odd.add(word)
    for listed in phrases.values():
        listed.sort(key=lambda phrase: -len(phrase[0]))
    plain_words = {word: entry for word, entry in words.items() if word not in odd and word not in phrases}
    return DateLexicon(
        words,
        phrases,
        {word: tuple(phrase for phrase, _ in listed) for word, listed in phrases.items()},
        frozenset(shy),
        frozenset(clipped),
        tuple(word for language in languages for word in table("when", language).get("beside", ())),
        frozenset(numbered),
        frozenset(counted),
        tuple(counted),
        tuple(word for word in counted if len(word) > 1 and word[0] in words),
        plain_words,
        frozenset((*words, *phrases, *counted, *HALVES)),
        max(map(len, words)),
    )


def _merged(languages: tuple[str, ...]) -> dict[str, list[Reading]]:
    """Return the readings of each word in any of the languages; with Chinese, in the first that has it."""
    merged: dict[str, list[Reading]] = {}
    for language in languages:
        for word, known in readings(language).items():
            if word not in merged:
                merged[word] = list(known)
            elif "zh" not in languages:
                merged[word].extend(reading for reading in known if reading not in merged[word])
    return merged
