"""Whether a text may contain a date, and its scripts; answers in a few microseconds."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.when.words.date_lexicon import fold, plain, readings

LONGEST = 20_000
"""Characters of a line that are looked at: what is longer is data, and none of it is worth a second of time."""

BREAKS = "\t\n.,;:!?()[]{}<>\"'`*_|/\\-–—~=&+#@“”‘’…।"
"""What stands between words, besides spaces."""


@cache
def _spaces() -> bytes:
    """Latin-1 with marks as spaces and every digit as 0; a character beyond Latin-1 comes as `?`, so as a space."""
    marks = {ord(char) for char in BREAKS if ord(char) < 256} | set(range(32)) | {0xA0, 0xAB, 0xB7, 0xBB}
    return bytes(32 if code in marks else 48 if 48 <= code <= 57 else code for code in range(256))


@lru_cache(maxsize=8)
def latin_words(text: str) -> tuple[bytes, list[bytes]]:
    """Return the text in Latin-1 without marks, digits as 0, and its words. Kept, because the next step asks again."""
    simple = text.encode("latin-1", "replace").translate(_spaces())
    return simple, simple.split()


_CARRIERS = frozenset(
    {"month", "weekday", "lastweekday", "unit", "rel", "kal", "season", "festival", "bignum", "todate", "fromnow"}
    | {"fiscalrel", "yearmark", "monthmark", "daymark", "halfof", "edgeof", "edgeuntil", "era", "monthhalf"}
)
"""Classes one of which every expression without digits contains."""


@cache
def _triggers(language: str) -> frozenset[str]:
    """The words of those classes, in the spellings they usually have; of a phrase its last telling word."""
    weak = {fold(word) for word in table("when", language)["weak"]}
    shy = {*_listed(language, "shy"), *_listed(language, "clipped")}
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


@cache
def _digits() -> re.Pattern[str]:
    """Digits that can be a date's; every branch starts with a digit, which the search then skips to."""
    return re.compile(
        r"[0-9](?:[-/.‐‑‒–—―−－／．][0-9]|0(?:'?s|'?erne)|(?:st|nd|rd|th|[dwmy])\b|\. \w"
        r"|[JFMASONDjfmasond][AEPUCOKaepucok]"
        r"|(?<![0-9][0-9])(?:(?<=1)[0-9]|(?<=2)[01])[0-9][0-9](?![0-9])"
        r"|(?<![0-9][0-9])(?<=2)0[0-9]{6}(?![0-9])"
        r"|(?<=[QHWqhw][0-9])(?<!\w\w[0-9])\b|(?<=[Cc][Yy][0-9])[0-9])"
    )


@cache
def _shy_words() -> frozenset[str]:
    """Latin words that are date words only in company when they are written small."""
    return frozenset(word for language in ("en", "da") for key in ("shy", "clipped") for word in _listed(language, key))


def _listed(language: str, key: str) -> list[str]:
    words: list[str] = table("when", language)[key]
    return words


@cache
def _shy() -> re.Pattern[str]:
    """What can be such company; a number in front also stands without a space (`31dec`)."""
    words = "|".join(sorted(_shy_words(), key=len, reverse=True))
    return re.compile(
        r"(?:\b(?:in|since|of|by|until|till|last|this|next|early|mid|late|before|after|during|from|to|through|on"
        r"|around|between|and|i|på|den|siden|fra|til|før|efter|inden|indtil|omkring|mellem|og|sidste|forrige|næste|d)|\d|st|nd|rd|th)"
        rf"[ .,/-]{{1,2}}(?:{words})\b|\b(?:{words})[ .,/-]{{0,3}}(?:the |den |d\. ?)?\d"
        rf"|\b(?i:{'|'.join(_weak('en', 'da'))})\b",
    )


@cache
def _weak(*languages: str) -> dict[str, str]:
    """Expressions of which each word is weak, "from now on", and the one of them that may show a date."""
    found: dict[str, str] = {}
    for language in languages:
        known, weak = readings(language), {fold(word) for word in table("when", language)["weak"]}
        for phrase in map(fold, table("when", language)["words"]["fromnow"]):
            parts = phrase.split(" ")
            if weak.issuperset(parts):
                found[phrase] = next(part for part in parts if any(kind == "rel" for kind, _ in known[part]))
    return found


@cache
def _latin_triggers() -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Words one of which makes a date likely, and these with the shy ones."""
    sure = frozenset(word.encode("latin-1") for word in _triggers("en") | _triggers("da"))
    return sure, sure | {word.encode("latin-1") for word in _shy_words()} | {
        word.encode() for word in _weak("en", "da").values()
    }


_COUNTS = frozenset(
    "0123456789 零〇一二三四五六七八九十百千两兩廿几幾数數第上下本这這半个個今去明前后後过過同当當元ヶかカケヵ箇"
)
_HAN_MARKS = frozenset("年月日天周週季号號")
"""Units of one character: a date only behind a count."""


@cache
def _han_words() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Chinese and Japanese words of those classes by their first character, and a search for one of these."""
    found: dict[str, set[str]] = {}
    for language in ("zh", "ja"):
        weak = set(table("when", language)["weak"])
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
def _spelled_out() -> frozenset[str]:
    """The words that make a date likely in scripts that parted words are written in, besides Latin."""
    russian = (*_listed("ru", "clipped"), *(word for word in _triggers("ru") if word.islower()))
    return _triggers("hi").union(russian)


@cache
def _far_word() -> re.Pattern[str]:
    return re.compile(r"[\u0400-\u052f]+|[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")


@cache
def _far() -> re.Pattern[str]:
    """Cyrillic, Devanagari, Chinese, Japanese and full-width digits."""
    return re.compile(r"[\u0400-\u052f\u0901-\u096f\u3041-\u9fff\uff10-\uff19]")


@cache
def _wide_digit() -> re.Pattern[str]:
    return re.compile(r"[\u0966-\u096f\uff10-\uff19]")


@cache
def _parted() -> re.Pattern[str]:
    return re.compile(r"[\u0400-\u052f\u0904-\u0939]")


@cache
def _devanagari() -> re.Pattern[str]:
    return re.compile(r"[\u0904-\u0939]")


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(r"[\u3040-\u30ff]")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@cache
def _latin() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z]")


@cache
def _letters() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z\u0400-\u052f]")


def may_hold(text: str) -> bool:
    """Whether the text can hold a date expression: False is certain, True a guess."""
    return _may_hold(text[:LONGEST])


@lru_cache(maxsize=8)
def _may_hold(text: str) -> bool:
    """Kept, because whoever asks reads the dates next, which asks again."""
    if not text.isascii() and _far().search(text) is not None:
        if _wide_digit().search(text) is not None:
            text = plain(text)
        if _parted().search(text) is not None:
            folded = fold(text)
            words = _far_word().findall(folded)
            if not _spelled_out().isdisjoint(words) or any(phrase in folded for phrase in _weak("hi", "ru")):
                return True
        if _han().search(text) is not None and _han_may_hold(text):
            return True
        if _latin().search(text) is None:
            return _digits().search(text) is not None
    simple, words = latin_words(text)
    sure, known = _latin_triggers()
    if not known.isdisjoint(words) and (not sure.isdisjoint(words) or _shy().search(text) is not None):
        return True
    return b"0" in simple and _digits().search(text) is not None


class Scripts(NamedTuple):
    """Which scripts a text holds."""

    latin: bool
    """Letters of an alphabet: Latin or Cyrillic."""
    hindi: bool
    han: bool
    kana: bool


_ASCII = Scripts(True, False, False, False)


def scripts(text: str) -> Scripts:
    """Which scripts a text holds; a text in ASCII is not looked at."""
    if text.isascii():
        return _ASCII
    text = text[:LONGEST]
    return Scripts(
        _letters().search(text) is not None,
        _devanagari().search(text) is not None,
        _han().search(text) is not None,
        _kana().search(text) is not None,
    )
