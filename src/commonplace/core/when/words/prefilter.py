"""Whether a text may contain a date, and its scripts; answers in a few microseconds."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.known_languages import CYRILLIC, DEVANAGARI, HAN, LATIN, latin_words
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.words.date_lexicon import fold, listed, plain, readings

LONGEST = 20_000
"""Characters of a line that are looked at: what is longer is data, and none of it is worth a second of time."""


_CARRIERS = frozenset(
    {"month", "weekday", "lastweekday", "unit", "rel", "kal", "season", "festival", "bignum", "todate", "fromnow"}
    | {"fiscalrel", "yearmark", "monthmark", "daymark", "halfof", "edgeof", "edgeuntil", "era", "monthhalf"}
)
"""Classes one of which every expression without digits contains."""


def _triggers_of(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_triggers, languages))


@cache
def _triggers(language: str) -> frozenset[str]:
    """Return the words of those classes in their usual spellings; of a phrase its last distinctive word."""
    weak, shy = listed("weak", language), listed("shy", language) | listed("clipped", language)
    words: set[str] = set()
    for word, known in readings(language).items():
        if not any(kind in _CARRIERS for kind, _ in known):
            continue
        parts = word.split(" ")
        telling = [part.split("'")[0] for part in parts if part not in weak]
        if not telling:
            continue
        last = telling[-1]
        words.update((last.title(), last.upper()))
        if last not in shy:
            words.add(last)
    return frozenset(words)


_DIGITS = lazy_pattern(
    r"[0-9](?:[-/.‐‑‒–—―−－／．][0-9]|0(?:'?s|'?erne)|(?:st|nd|rd|th|[dwmy])\b|\. \w"
    r"|[JFMASONDjfmasond][AEPUCOKaepucok]"
    r"|(?<![0-9][0-9])(?:(?<=1)[0-9]|(?<=2)[01])[0-9][0-9](?![0-9])"
    r"|(?<![0-9][0-9])(?<=2)0[0-9]{6}(?![0-9])"
    r"|(?<=[QHWqhw][0-9])(?<!\w\w[0-9])\b|(?<=[Cc][Yy][0-9])[0-9])"
)
"""Digits that can be a date's; every branch starts with a digit, which the search then skips to."""


@cache
def _shy_words() -> frozenset[str]:
    """Return Latin words that, written small, are date words only beside another."""
    return listed("shy", *LATIN) | listed("clipped", *LATIN)


@cache
def _shy() -> re.Pattern[str]:
    """Match such neighbours; a number in front may have no space (`31dec`)."""
    words = "|".join(sorted(_shy_words(), key=len, reverse=True))
    return re.compile(
        r"(?:\b(?:in|since|of|by|until|till|last|this|next|early|mid|late|before|after|during|from|to|through|on"
        r"|around|between|and|i|på|den|siden|fra|til|før|efter|inden|indtil|omkring|mellem|og|sidste|forrige|næste|d)|\d|st|nd|rd|th)"
        rf"[ .,/-]{{1,2}}(?:{words})\b|\b(?:{words})[ .,/-]{{0,3}}(?:the |den |d\. ?)?\d"
        rf"|\b(?i:{'|'.join(_weak(*LATIN))})\b",
    )


@cache
def _weak(*languages: str) -> dict[str, str]:
    """Map each expression of weak words only ("from now on") to the one of them that may show a date."""
    found: dict[str, str] = {}
    for language in languages:
        known, weak = readings(language), listed("weak", language)
        for phrase in map(fold, table("when", language)["words"]["fromnow"]):
            parts = phrase.split(" ")
            if weak.issuperset(parts):
                found[phrase] = next(part for part in parts if any(kind == "rel" for kind, _ in known[part]))
    return found


@cache
def _latin_triggers() -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the words one of which makes a date likely, and these with the shy ones."""
    sure = frozenset(word.encode("latin-1") for word in _triggers_of(LATIN))
    return sure, sure | {word.encode("latin-1") for word in _shy_words()} | {
        word.encode() for word in _weak(*LATIN).values()
    }


_COUNTS = frozenset(
    "0123456789 零〇一二三四五六七八九十百千两兩廿几幾数數第上下本这這半个個今去明前后後过過同当當元ヶかカケヵ箇"
)
_HAN_MARKS = frozenset("年月日天周週季号號")
"""Units of one character: a date only behind a count."""


@cache
def _han_words() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Return a pattern of first characters, and the Chinese and Japanese words of those classes by first character."""
    found: dict[str, set[str]] = {}
    for language in HAN:
        weak = listed("weak", language)
        for word, known in readings(language).items():
            if any(kind in _CARRIERS for kind, _ in known) and word not in weak and word not in _HAN_MARKS:
                found.setdefault(word[0], set()).add(word)
    firsts = "".join(sorted({*found, *_HAN_MARKS}))
    return re.compile(f"[{re.escape(firsts)}]"), {first: tuple(words) for first, words in found.items()}


def _han_may_hold(text: str) -> bool:
    search, words = _han_words()
    for match in search.finditer(text):
        at = match.start()
        char = text[at]
        if char in words and text.startswith(words[char], at):
            return True
        if at and char in _HAN_MARKS and text[at - 1] in _COUNTS:
            return True
    return False


@cache
def _spelled_out(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words that make a date likely in the languages of one script other than Latin."""
    small = (word for word in _triggers_of(languages) if word == word.lower())
    return listed("clipped", *languages).union(small)


def _names_a_day(text: str, languages: tuple[str, ...], *, words: list[str]) -> bool:
    """Whether a folded text in one of these languages, cut into words, may name a day."""
    return not _spelled_out(languages).isdisjoint(words) or any(phrase in text for phrase in _weak(*languages))


_CYRILLIC_WORD = lazy_pattern(r"[\u0400-\u052f]+")
_HINDI_WORD = lazy_pattern(r"[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")
_FAR = lazy_pattern(r"[^\x00-\u03ff\u2000-\u3040]")
"""Cyrillic and every script and digit beyond, without punctuation. As a complement: `re` takes 1 ms to compile a range
of thousands of characters."""
_WIDE_DIGIT = lazy_pattern(r"[\u0966-\u096f\uff10-\uff19]")
_DEVANAGARI = lazy_pattern(r"[\u0904-\u0939]")
_KANA = lazy_pattern(r"[\u3040-\u30ff]")
_HAN = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff]")
_FIRST_KANA = "\u3040"
_LATIN = lazy_pattern(r"[A-Za-z]")
_CYRILLIC = lazy_pattern(r"[\u0400-\u04ff]")
_LETTERS = lazy_pattern(r"[A-Za-z\u0400-\u052f]")


def may_hold(text: str) -> bool:
    """Whether the text can hold a date expression: False is certain, True a guess."""
    return _may_hold(text[:LONGEST])


@lru_cache(maxsize=8)
def _may_hold(text: str) -> bool:
    """Decide as `may_hold`; cached, because reading the dates asks again."""
    if not text.isascii() and _FAR.search(text) is not None:
        if _WIDE_DIGIT.search(text) is not None:
            text = plain(text)
        folded = fold(text)
        for word, languages in ((_CYRILLIC_WORD, CYRILLIC), (_HINDI_WORD, DEVANAGARI)):
            if (words := word.findall(folded)) and _names_a_day(folded, languages, words=words):
                return True
        if max(text) >= _FIRST_KANA and _han_may_hold(text):
            return True
        if _LATIN.search(text) is None:
            return _DIGITS.search(text) is not None
    simple, words = latin_words(text)
    sure, known = _latin_triggers()
    if not known.isdisjoint(words) and (not sure.isdisjoint(words) or _shy().search(text) is not None):
        return True
    return b"0" in simple and _DIGITS.search(text) is not None


class Scripts(NamedTuple):
    """Which scripts a text holds."""

    latin: bool
    """Letters of an alphabet: Latin or Cyrillic."""
    cyrillic: bool
    hindi: bool
    han: bool
    kana: bool


_ASCII = Scripts(True, False, False, False, False)


def scripts(text: str) -> Scripts:
    """Return which scripts a text contains; a text in ASCII is not searched."""
    if text.isascii():
        return _ASCII
    text = text[:LONGEST]
    east = max(text) >= _FIRST_KANA
    return Scripts(
        _LETTERS.search(text) is not None,
        _CYRILLIC.search(text) is not None,
        _DEVANAGARI.search(text) is not None,
        east and _HAN.search(text) is not None,
        east and _KANA.search(text) is not None,
    )
