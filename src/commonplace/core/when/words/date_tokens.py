"""The tokens of a text that the lexer looks at: numbers, words, runs of a script, and single marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import re

_NUMBER = r"(\d(?:[\d.,:/-]*\d)?)"
_WORD = r"('(?:s|erne|ne)\b|(?<=\d)-[а-я]{1,3}\b|[A-Za-zÀ-ÖØ-öø-ʯ\u0400-\u052f]+(?:'[A-Za-z]+)*)"
_ASCII_TOKEN = lazy_pattern(r"([0-9](?:[0-9.,:/-]*[0-9])?)|('(?:s|erne|ne)\b|[A-Za-z]+(?:'[A-Za-z]+)*)|()()(\x00+|\S)")
_ALPHABETIC_TOKEN = lazy_pattern(rf"{_NUMBER}|{_WORD}|()()(\x00+|\S)")
_TOKEN = lazy_pattern(
    rf"{_NUMBER}|{_WORD}|([\u0900-\u0963\u0970-\u097f\u200c\u200d]+)"
    r"|([\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)|(\x00+|\S)"
)
"""A number, a word, a word in Devanagari, a run of Chinese or Japanese, anything else. The first two are the same for
texts without the other scripts: they compile in a tenth and in half of the time."""
_BEYOND_ALPHABETS = "\u0900"


def tokens_of(text: str) -> re.Pattern[str]:
    """Return the pattern of the tokens of a text: its groups are number, word, Devanagari, Han, other."""
    if text.isascii():
        return _ASCII_TOKEN
    return _ALPHABETIC_TOKEN if max(text) < _BEYOND_ALPHABETS else _TOKEN
