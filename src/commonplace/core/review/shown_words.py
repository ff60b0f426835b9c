"""Whether new words come from the lines that their author was shown, and do not say the opposite.

A model words facts anew, and small ones invent. Of a fact in other words most terms are those of its lines; a number or
a name that was nowhere in sight is made up, and a `not` more or less turns it round. The check refuses more than it
must: a question that is left open costs nothing. What it does not notice is another verb of the same names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import Head, read_bullet
from commonplace.core.model import Stance
from commonplace.core.pages.page_sentence import clauses
from commonplace.core.stance import prepare, weigh
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_CHARACTERS = 300
"""Of new words."""
_LEAST_SHOWN, _LEAST_WITHOUT_CAPITALS = 0.6, 0.75
"""Share of the terms of new words that were shown, at least: a sentence in other words has most of them. In a script
without capitals no sign tells a name from a word.
"""
_MOST_CLAUSES = 5
_NUMBER = lazy_pattern(r"\d+(?:[.,:]\d+)*")
_PLACE = lazy_pattern(r"(?<!\w)[a-z]-[a-z0-9]{5}(?!\w)|#L\d+")
"""Ids and lines: of the question, not of what it is about."""
_WORD = lazy_pattern(r"\w{2,}")
_KANA = lazy_pattern(r"[ぁ-ゖァ-ヺ]")
_JAPANESE_NOUN = lazy_pattern(r"[㐀-鿿々]{2,}|[ァ-ヺー]{2,}")
"""Kanji in a row, or katakana: in a Japanese text a word."""


def not_shown(text: str, shown: str, names: Sequence[str] = ()) -> str:
    """Return what new words have that was not shown; empty if nothing.

    Args:
        names: of what they are about: everybody knows them, so they prove nothing.
    """
    told = _PLACE.sub(" ", shown)
    there, head = fold("\n".join((told, *names))), read_bullet(text)
    said = head.content if isinstance(head, Head) else text
    tags = head.entities if isinstance(head, Head) else ()
    if len(text) > MOST_CHARACTERS:
        return f"its words are more than {MOST_CHARACTERS} characters"
    numbers = {number.lstrip("0") for number in _NUMBER.findall(there)}  # 7 January is 2026-01-07
    if missing := [number for number in _NUMBER.findall(said) if number.lstrip("0") not in numbers]:
        return f"{missing[0]} was not in the line"
    own = {term for name in names for term in document_terms(fold(name)).split()}
    terms, known = {*document_terms(fold(said)).split()} - own, {*document_terms(there).split()}
    if strange := [name for name in (*tags, *_named(said, known)) if _plain(name) not in there.replace("-", " ")]:
        return f"{strange[0]} was not in the line"
    least = _LEAST_SHOWN if any(map(str.islower, said)) else _LEAST_WITHOUT_CAPITALS
    if terms and len(terms & known) < least * len(terms):
        return "most of its words were not in the line"
    return ""


def _plain(name: str) -> str:
    return fold(name.replace("-", " "))


def _named(said: str, known: set[str]) -> list[str]:
    """Return what may be names in a text: words with a capital, of the first one only if no form of it was shown; of
    Chinese and Japanese a sign with its title, and of Japanese each noun.
    """
    found = [
        each[0]
        for each in _WORD.finditer(said)
        if each[0][0].isupper()
        if each.start() or ((terms := {*document_terms(fold(each[0])).split()}) and not terms & known)
    ]
    found += [each[0] for each in _titled().finditer(said)]
    if _KANA.search(said):
        found += [each[0] for each in _JAPANESE_NOUN.finditer(said)]
    return found


@cache
def _titled() -> re.Pattern[str]:
    titles = {each for language in ("zh", "ja") for each in table("names")["titles"][language].split()}
    return re.compile(f"[㐀-鿿ァ-ヺ](?:{'|'.join(sorted(titles, key=len, reverse=True))})")


def opposite(text: str, lines: Sequence[str]) -> bool:
    """Whether new words deny what their lines say, or say what all of these deny."""
    head = read_bullet(text)
    said = head.content if isinstance(head, Head) else text
    stances = {weigh(said, line).stance for line in lines}
    if Stance.CONTRADICTS in stances or Stance.SUPPORTS in stances:
        return Stance.CONTRADICTS in stances
    denials = [_denials(line) for line in lines]
    if any(_denials(said)):
        return not any(map(any, denials))
    return bool(denials) and all(map(all, denials))


def _denials(text: str) -> list[bool]:
    """Return of each clause whether it denies something."""
    return [bool(clause.negations % 2) for clause in prepare(text).clauses] or [False]


def problem_of(text: str, told: Mapping[str, Sequence[str]], names: Sequence[str]) -> str:
    """Return why the sentence of a page cannot stand; empty if it can.

    Args:
        told: what the lines say by id, those that hold and were shown: the text, then the headings above it.
        names: of the entity.
    """
    said = clauses(text)
    if not said:
        return "each clause must end with the ids of its lines, in brackets"
    if len(said) > _MOST_CLAUSES:
        return f"it has more than {_MOST_CLAUSES} clauses"
    for clause in said:
        if missing := [id for id in clause.ids if id not in told]:
            return f"[{missing[0]}] is not among the lines, or no longer holds"
        lines = [told[id] for id in clause.ids]
        if wrong := not_shown(clause.text, "\n".join(part for line in lines for part in line), names):
            return f"“{clause.text[:60]}”: {wrong}"
        if opposite(clause.text, [line[0] for line in lines]):
            return f"“{clause.text[:60]}”: its line says the opposite"
    return ""
