"""Labels before a colon and headings above a line: what they announce (`Decision:`, `Next steps`).

The words are data: `labels` and `headings` of `data/infer.json`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.extract.salience import listed
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LABEL = 40
_LONGEST_HEADING = 40
_LETTERS = "[a-hа-дक-ङ一二三四五六七八九十甲乙丙丁]"
"""By which choices are told apart."""
_NAMES_KEPT = 4096
"""Headings and labels whose names are kept: each reader of a line asks for those above it again."""
_HEADING = lazy_pattern(r"(?:[\W_]|\d{1,2}[.)、])*(.*?)(?:(?![\u0900-\u0963])[\W_])*")
"""What a heading says, without the marks around it; the vowel signs of Hindi are none."""
_STEP = lazy_pattern(r"[A-Z]{1,4}-?\d{1,3}\b[\s:.–—-]+")
_ASIDE = lazy_pattern(r"(?:\*[^*]+\*|_[^_]+_)\W*")
_BESIDE = lazy_pattern(r"[(（\[【][^()（）\[\]【】]*[)）\]】]|\d+[\W_]*$")
"""What a heading says beside its words: in brackets, and a number at its end."""
_BOLD = lazy_pattern(r"\*\*([^*]{1,40})\*\*[:：]?")


def is_aside(text: str) -> bool:
    """Return whether a line is in italics from its first word to its last, as is what a file says of itself or of the
    list above: when it was renewed, what belongs there."""
    return _ASIDE.fullmatch(text.strip()) is not None


def shows_an_example(heading: str) -> bool:
    """Return whether what stands below a short heading or label is an example, and not so: `**Bad example:**`."""
    name = f" {heading_name(_BESIDE.sub(' ', heading))}"
    return len(heading) <= _LONGEST_HEADING and name.endswith(endings("examples"))


@cache
def endings(name: str) -> tuple[str, ...]:
    """Return the words of a list of `pages.json` as they may end a folded text with a space before it: whole words in
    languages with spaces, and those of one character."""
    listed = ((LANGUAGES[code].spaced, fold(word)) for code, words in table("pages")[name].items() for word in words)
    return tuple(f" {word}" if spaced or len(word) == 1 else word for spaced, word in listed)


def labelled(text: str) -> tuple[str, str]:
    """Return the sign of the label before a colon, and what follows; `plain` labels are only removed."""
    colons = text.find(":", 0, _LONGEST_LABEL), text.find("：", 0, _LONGEST_LABEL)
    at = max(colons) if min(colons) < 1 else min(colons)
    known = labels()
    if at > 0 and (sign := "void" if is_choice(text[:at]) and not is_taken(text) else known.get(name_of(text[:at]))):
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
    """Whether a heading above says that what follows is only planned or a choice, or is not the author's."""
    return any(
        is_choice(text) or (len(text) <= _LONGEST_HEADING and heading_name(text) in words("headings"))
        for text in context
    )


@lru_cache(_NAMES_KEPT)
def is_choice(text: str) -> bool:
    """Return whether a heading or label is that of one of several choices, and does not say that it was made: `Option
    B: sell it`."""
    return _choice().match(heading_name(text)) is not None and not is_taken(text)


def is_taken(text: str) -> bool:
    """Return whether a text says that a choice was made: `Option B, as we decided`."""
    return _taken().search(fold(text)) is not None


@cache
def _taken() -> re.Pattern[str]:
    """Return what finds the words by which one of several choices is the one that was made, in any language."""
    listed = (
        (word, LANGUAGES[code].spaced) for code in LANGUAGES for word in table("topics", code)["taken"].split(", ")
    )
    return re.compile(
        "|".join(rf"\b{re.escape(fold(word))}" if spaced else re.escape(fold(word)) for word, spaced in listed)
    )


@cache
def _choice() -> re.Pattern[str]:
    """Return what one of several choices begins with, in any language: `option b:`; a letter or number ends it."""
    listed = {fold(word) for code in LANGUAGES for word in table("topics", code)["choices"].split(", ")}
    words = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    return re.compile(rf"(?:{words}) ?#?(?:\d{{1,2}}|{_LETTERS})(?=\s*(?:[:：.)）—–-]|$))")


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
