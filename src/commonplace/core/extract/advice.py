"""Advice to the author of a fact that will not be understood alone later; it never blocks the write."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.text_edits import starts_of
from commonplace.core.model import KIND_OF_LETTER
from commonplace.core.tables import table
from commonplace.core.text.alignment import Typed
from commonplace.core.text.known_languages import UNSPACED
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import level

if TYPE_CHECKING:
    from commonplace.core.model import When

_DAYS = (date(2024, 5, 15), date(2025, 6, 19))
"""Two days that share no week, month or year: what a text means on both is no relative date."""
_START = 40
"""Characters of a text that are read for its first word."""
_SEVERAL = lazy_pattern(r"(?:\n[ \t]{0,40}(?:[-*+•] )?|\s[-*+•] )[WBOS](?:\(c=|:| @)")
"""A second fact below the first, or after it with a list mark."""


def nudges(content: str) -> tuple[str, ...]:
    """Return advice on a fact's text, quoting words as typed; empty if it will be understood months from now."""
    typed = Typed(content, level)
    first = next((at for at, character in enumerate(typed.folded) if _in_a_word(character)), 0)
    known = _dates(content)
    opening = known[0] if known and not any(map(_in_a_word, content[: known[0].when.start])) else None
    found = []
    if not opening and (word := _at(typed, first, name="pronouns")):
        found.append(f"starts with {word!r}: name the person or thing, so that it is clear without context")
    if word := opening.when.phrase if opening and opening.moves else "" if opening else _at(typed, first, name="days"):
        found.append(f"starts with {word!r}: write the date, so that it is clear later")
    if word := next(
        (each.when.phrase for each in known if each.weekly and each != opening and _is_next(each.when)), ""
    ):
        found.append(f"{word!r} can mean two different days: write the date")
    if word := _elsewhere(typed):
        found.append(f"{word!r} refers to another text: state here what it says, so that it is clear later")
    if word := _unread_kind(content):
        found.append(f"starts with {word!r}, which was not read as a kind: write '{word} @Name: …'")
    if _SEVERAL.search(content):
        found.append("contains several facts: retain each one separately")
    if len(content) < 12 and len(content.split()) < 3 and content.isascii():
        found.append("very short: a whole sentence is easier to understand later")
    return tuple(found)


def begins_with_pronoun(content: str) -> bool:
    """Return whether a text begins with a word for a person or thing named elsewhere: `They sold it`."""
    return _opening_pronoun().match(level(content[:_START])) is not None


@cache
def _opening_pronoun() -> re.Pattern[str]:
    """Return what matches a text, folded, that begins with a pronoun; reading every line of a memory with `_at` takes
    a second."""
    spaced = "|".join(re.escape(word) for word, spaced in _listed("pronouns") if spaced)
    others = "|".join(re.escape(word) for word, spaced in _listed("pronouns") if not spaced)
    return re.compile(rf"[\W_]*(?:(?:{spaced})(?![\w'\u0900-\u0963])|{others})")


def _unread_kind(content: str) -> str:
    """Return the letter of a kind before a capital, or before at most two words and a colon: `W Peter: …`; or empty."""
    head, colon, _ = content[:60].partition(":")
    letter, *words = head.split() or [""]
    unread = words and (words[0][0].isupper() or (colon and len(words) < 3))
    return letter if unread and letter in KIND_OF_LETTER else ""


class _Dated(NamedTuple):
    """A date in a text."""

    when: When
    moves: bool
    """Whether it depends on the day of writing: "next Friday", 三天前; but not "March 3"."""
    weekly: bool
    """Whether it does and is a weekday."""


@cache
def _listed(name: str) -> tuple[tuple[str, bool], ...]:
    """Return the folded words of a list, longest first, and whether their script separates words."""
    words = [
        (level(word), language not in UNSPACED) for language, words in table("nudges")[name].items() for word in words
    ]
    return tuple(sorted(words, key=lambda word: -len(word[0])))


def _in_a_word(character: str) -> bool:
    """Whether a character is part of a word; for Python, Hindi vowel signs are no letters."""
    return character.isalnum() or character == "'" or "\u0900" <= character <= "\u0963"


def _at(typed: Typed, start: int, *, name: str) -> str:
    """Return the word of that list at a position, as typed, or empty."""
    for word, spaced in _listed(name):
        end = start + len(word)
        if typed.folded.startswith(word, start) and not (spaced and _in_a_word(typed.folded[end : end + 1])):
            return typed[start:end]
    return ""


def _elsewhere(typed: Typed) -> str:
    """Return words that refer the reader to another text, as typed, or empty."""
    folded = typed.folded
    for name in ("elsewhere", "closing"):
        for word, spaced in _listed(name):
            for start in starts_of(folded, word):
                end = start + len(word)
                if spaced and (_in_a_word(folded[start - 1 : start]) or _in_a_word(folded[end : end + 1])):
                    continue
                if name == "elsewhere" or not _in_a_word(folded[end : end + 1]):
                    return typed[start:end]
    return ""


def _dates(content: str) -> list[_Dated]:
    from commonplace.core.when import may_hold

    if not may_hold(content):
        return []
    from commonplace.core.when.validity import dates

    there = {(when.start, when.end): when for when in dates(content, _DAYS[1])}
    found = []
    for when in dates(content, _DAYS[0]):
        other = there.get((when.start, when.end))
        moves = other is not None and _moves(when, other)
        found.append(_Dated(when, moves, moves and other is not None and _is_weekday(when, other)))
    return found


def _moves(one: When, other: When) -> bool:
    if one.span == other.span:
        return False
    yearly = all(
        (a is None and b is None) or (a is not None and b is not None and (a.month, a.day) == (b.month, b.day))
        for a, b in zip(one.span, other.span, strict=True)
    )
    return not (yearly and any(map(str.isdigit, one.phrase)))


def _is_weekday(one: When, other: When) -> bool:
    days = {*one.span, *other.span}
    return len(days) == 2 and None not in days and len({day.weekday() for day in days if day is not None}) == 1


def _is_next(when: When) -> bool:
    """Whether it says "next Friday", which means this week's to some people and the coming week's to others."""
    folded = level(when.phrase)
    return any(folded.startswith(word) for word, _ in _listed("next"))
