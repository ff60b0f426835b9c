"""Labels before a colon and headings above a line: what they announce (`Decision:`, `Next steps`).

The words are data: `labels` and `headings` of `data/infer.json`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.extract.salience import listed
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LABEL = 40
_LONGEST_HEADING = 40
_NAMES_KEPT = 4096
"""Headings and labels whose names are kept: each reader of a line asks for those above it again."""
_HEADING = lazy_pattern(r"(?:[\W_]|\d{1,2}[.)、])*(.*?)(?:(?![\u0900-\u0963])[\W_])*")
"""What a heading says, without the marks around it; the vowel signs of Hindi are none."""
_STEP = lazy_pattern(r"[A-Z]{1,4}-?\d{1,3}\b[\s:.–—-]+")
_BOLD = lazy_pattern(r"\*\*([^*]{1,40})\*\*[:：]?")


def labelled(text: str) -> tuple[str, str]:
    """Return the sign of the label before a colon, and what follows; `plain` labels are only removed."""
    colons = text.find(":", 0, _LONGEST_LABEL), text.find("：", 0, _LONGEST_LABEL)
    at = max(colons) if min(colons) < 1 else min(colons)
    known = labels()
    if at > 0 and (sign := known.get(name_of(text[:at]))):
        rest = text[at + 1 :].lstrip(" *")
        return sign, rest.replace("**", "", 1) if rest.count("**") % 2 else rest
    bold = _BOLD.match(text)
    if bold and (sign := known.get(name_of(bold[1]))):
        return sign, text[bold.end() :].lstrip(" :：")
    return "", text


def name_of(label: str) -> str:
    """Return a label folded, without the number of a step: `CP3 **decision**`."""
    step = _STEP.match(label)
    return fold((label[step.end() :] if step else label).strip(" *_`"))


def planned(context: Sequence[str]) -> bool:
    """Whether a heading above says that what follows is only planned, or is not the author's."""
    return any(len(text) <= _LONGEST_HEADING and heading_name(text) in words("headings") for text in context)


@lru_cache(_NAMES_KEPT)
def heading_name(text: str) -> str:
    """Return a heading folded, without marks, emoji and number at its ends: `## 3. 🎯 Next steps:`."""
    found = _HEADING.fullmatch(text)
    return fold(found[1]) if found else ""


@cache
def labels() -> dict[str, str]:
    """Return label, folded -> the sign that it is."""
    return {word: sign for sign, words in table("infer")["labels"].items() for word in listed(words)}


@cache
def words(name: str) -> frozenset[str]:
    """Return a list of the table, folded."""
    return frozenset(listed(table("infer")[name]))
