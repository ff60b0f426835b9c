"""Whether new words come from what their author was shown: numbers, names and most of the terms must.

A model words facts anew, and small ones invent. Of a fact in other words most terms are those of its line; a number or
a name that was nowhere in sight is made up.
"""

from __future__ import annotations

from commonplace.core.documents.fact_syntax import Head, read_bullet
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

MOST_CHARACTERS = 300
"""Of new words."""
_LEAST_SHOWN = 0.6
"""Share of the terms of new words that were shown, at least: a sentence in other words has most of them."""
_NUMBER = lazy_pattern(r"\d+(?:[.,:]\d+)*")
_PLACE = lazy_pattern(r"(?<!\w)[a-z]-[a-z0-9]{5}(?!\w)|#L\d+")
"""Ids and lines: of the question, not of what it is about."""
_NAME = lazy_pattern(r"(?<!\w)[A-ZÀ-ÞА-ЯЁ]\w+")
"""What is written as a name in a script with capitals; in the others the share of the terms tells."""


def not_shown(text: str, shown: str) -> str:
    """Return what new words have that was not shown; empty if nothing."""
    told = _PLACE.sub(" ", shown)
    there, head = fold(told), read_bullet(text)
    said = head.content if isinstance(head, Head) else text
    tags = head.entities if isinstance(head, Head) else ()
    if len(text) > MOST_CHARACTERS:
        return f"its words are more than {MOST_CHARACTERS} characters"
    if missing := [number for number in _NUMBER.findall(said) if number not in _NUMBER.findall(told)]:
        return f"{missing[0]} was not in the line"
    names = (*tags, *(found[0] for found in _NAME.finditer(said) if found.start()))  # a capital at the start is no name
    if strange := [name for name in names if fold(name.replace("-", " ")) not in there.replace("-", " ")]:
        return f"{strange[0]} was not in the line"
    terms, known = {*document_terms(fold(said)).split()}, {*document_terms(there).split()}
    if terms and len(terms & known) < _LEAST_SHOWN * len(terms):
        return "most of its words were not in the line"
    return ""
