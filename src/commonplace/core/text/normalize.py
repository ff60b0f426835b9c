"""Folds spellings that mean the same: width, case, accents, dashes, kana, Chinese variants, nukta.

Two steps, each one pass of `str.translate` over a table that fills itself: `unify` settles scripts and keeps the
letters of Latin with their case and accents (stemmers and camel case need them), `plain` takes those off. Chinese
variants come from a table of single characters, made from OpenCC's dictionaries by bench/han.py: it is read in half a
millisecond, where the library takes 25, and no character depends on its neighbours. Accents are taken off Latin and
Greek letters only: elsewhere marks are letters (ピ is not ヒ, ी is a vowel).
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable

FAR_EAST = "\u2e80"
"""From here on stand the scripts that do not part words, and whose colon is wide: Han, kana and their like."""
_LARGEST_CACHED = 0x20000
_FIRST_HAN = 0x3400
_MINUS = 0x2212


class CharacterTable(dict[int, str | int]):
    """A table for `str.translate` that computes a character once; without it each miss costs a KeyError."""

    def __init__(self, of: Callable[[int], str | int], known: dict[int, str]) -> None:
        super().__init__(known)
        self.of = of

    def __missing__(self, code: int) -> str | int:
        value = self.of(code)
        if code < _LARGEST_CACHED:
            self[code] = value
        return value


def has_case(text: str) -> bool:
    """Return whether a text has letters that may be capitals: in Devanagari, Han and kana no sign of a name is one."""
    return text.lower() != text.upper()


def columns(text: str) -> int:
    """Return how many columns a text takes: Han, kana and their like take two."""
    return len(text) if text.isascii() else len(text) + sum(character >= FAR_EAST for character in text)


def _variant(code: int) -> str | int:
    """Return the character of `variants` for one that NFKC leaves."""
    if code >= _FIRST_HAN and (variant := _han().get(code)):
        return variant
    character = chr(code)
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Pd" or code == _MINUS:
        return "-"
    if category == "Cf":
        return ""
    # Lone surrogates have no UTF-8, control characters no meaning.
    return " " if category in ("Zs", "Zl", "Zp", "Cc", "Cs") else code


def _unified(code: int) -> str | int:
    """Do as `_variant`, and turn katakana into hiragana."""
    return code - 0x60 if 0x30A1 <= code <= 0x30F6 or code in (0x30FD, 0x30FE) else _variant(code)


def _letter(code: int) -> str | int:
    """Return the character of `plain` for one lower-case character."""
    if 0x300 <= code <= 0x36F:
        return ""
    base = unicodedata.normalize("NFD", chr(code))
    return base[0] if len(base) > 1 and (base[0].isascii() or 0x370 <= ord(base[0]) <= 0x3FF) else code


_SINGLE = {
    "\u200b": " ",  # zero-width space parts words in Thai and Khmer
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʼ": "'", "′": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "″": '"',
    "〜": "~", "⁄": "/", "・": " ", "·": " ",
    "ё": "е", "Ё": "Е",
    "\u093c": "", "ऩ": "न", "ऱ": "र", "ऴ": "ळ", "ँ": "ं",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك",
    "ة": "ه", "ۀ": "ه", "ؤ": "و", "ئ": "ي", "ـ": "",
    "״": '"', "׳": "'",
}  # fmt: skip
_LATIN = {
    "å": "aa", "æ": "ae", "ø": "o", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n",
}  # fmt: skip
_POINTS = ((0x300, 0x36F), (0x64B, 0x65F), (0x670, 0x670), (0x5B0, 0x5BD), (0x5BF, 0x5C7), (0xFE00, 0xFE0F))
"""Marks that no letter took up, vowel points of Arabic and Hebrew, variation selectors: first and last."""
_DIGRAPHS = {"å": "a", "ø": "oe", "ö": "oe", "ü": "ue", "ä": "ae"}


@cache
def _signs() -> tuple[tuple[str, str], ...]:
    """Return signs of ordinary English prose that join with no other character, and what `unify` makes of each."""
    return tuple((sign, unicodedata.normalize("NFKC", sign).translate(_scripts(_unified))) for sign in "–—’‘“”…")


@cache
def _han() -> dict[int, str]:
    han = table("han")
    return dict(zip(map(ord, han["from"]), han["to"], strict=True))


@cache
def _scripts(of: Callable[[int], str | int]) -> CharacterTable:
    points = {code: "" for first, last in _POINTS for code in range(first, last + 1)}
    return CharacterTable(of, points | {ord(a): b for a, b in _SINGLE.items()})


@cache
def _letters() -> CharacterTable:
    return CharacterTable(_letter, {ord(a): b for a, b in _LATIN.items()})


@cache
def _folded() -> CharacterTable:
    """Return the table of all that `fold` does to a character: each step depends on that character alone."""
    return CharacterTable(lambda code: plain(chr(code).translate(_scripts(_unified)).casefold()), {})


@cache
def _digraphs() -> CharacterTable:
    return CharacterTable(_letter, {ord(a): b for a, b in {**_LATIN, **_DIGRAPHS}.items()})


def variants(text: str) -> str:
    """Do as `unify`, but keep katakana apart from hiragana."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_scripts(_variant))


def unify(text: str) -> str:
    """Return text in one width, kana, variant, dash, quote and digit; Latin keeps case and accents. Never raises."""
    text = _keyboard(text)
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_scripts(_unified))


def _keyboard(text: str) -> str:
    """Return a text with the signs of English prose unified: most lines in English are ASCII then."""
    if not text.isascii():
        for sign, unified in _signs():
            if sign in text:
                text = text.replace(sign, unified)
    return text


def plain(lower: str) -> str:
    """Return case-folded text without accents: `aarhus` for `århus`, `bjorn` for `bjørn`."""
    return lower if lower.isascii() else lower.translate(_letters())


def digraphs(lower: str) -> str:
    """Return the other spelling without accents: `arhus` for `århus`, `bjoern` for `bjørn`, `mueller` for `müller`."""
    return lower if lower.isascii() else lower.translate(_digraphs())


def fold(text: str) -> str:
    """Return the canonical form in which names and contents are compared; white space is collapsed.

    >>> fold("ＰＥＴＥＲ\u2011Ærø") == fold("peter-aero")
    True
    """
    return " ".join(text.lower().split()) if text.isascii() else _fold(text)


@lru_cache(maxsize=2048)
def _fold(text: str) -> str:
    """Return the same of a text with other letters. Kept, because each reader of a line folds it again."""
    return " ".join(level(text).split())


def level(text: str) -> str:
    """Return the same as `fold`, but with all white space."""
    text = _keyboard(text)
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).translate(_folded())
