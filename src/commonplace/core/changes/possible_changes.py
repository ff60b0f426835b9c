"""Pairs of plain lines of which the newer perhaps replaces the older: another value of one label, and no rule tells.

    2026-02-18  Body fonts: Sora and Inter          2026-02-26  Body fonts: Sora and Karla

A label that many lines have is a field of each day, and another number of the same is a measure: neither is asked
about. Precision comes first, because a person reads the questions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP, generic_terms, small_terms
from commonplace.core.changes.stated_states import BRACKET, label_and_value, subject_of
from commonplace.core.model import Role, Stance
from commonplace.core.stance import weigh
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from commonplace.core.model import Line

_LONGEST = 240
"""Characters of a line that states one thing."""
_MOST_LINES = 3
"""Lines with one label, of more than which it is a field of each day."""
_LABEL_WORDS, _LABEL_SIGNS = 2, 3
"""Terms of a label that says what it is about, at least; in Chinese and Japanese, signs."""
_MOST_TERMS = 16
"""Terms of a value."""
_PATH = lazy_pattern(r"[^\W\d]\.[^\W\d]|/.*/|://")
"""A word with a dot inside it, or slashes: a file, a path, an address."""
_ALIKE = 0.75
"""Share of common terms from which two values are one."""


class _Stated(NamedTuple):
    line: Line
    value: str


def possible_changes(lines: Iterable[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield (newer, older) of each label whose last two days give it different values.

    Args:
        lines: of logs, of the author alone.
    """
    for those in _by_label(lines).values():
        if 1 < len(those) <= _MOST_LINES:
            *_, older, newer = sorted(those, key=lambda each: (each.line.recorded, each.line.source))
            if newer.line.recorded != older.line.recorded and _differ(older, newer):
                yield newer.line, older.line


def _by_label(lines: Iterable[Line]) -> dict[tuple[str, str], list[_Stated]]:
    """Return the lines with a value by their label, with the heading or bullet above it if it does not say itself what
    it is about."""
    found: dict[tuple[str, str], list[_Stated]] = {}
    alone: dict[str, bool] = {}
    for line in lines:
        text = line.content
        if line.recorded is None or len(text) > _LONGEST or text[:1] in "|>" or not (":" in text or "：" in text):
            continue
        label, value = label_and_value(fold(MARKUP.sub("", text)), Role.BULLET)
        label = label.strip()
        if not (label and value) or any(map(str.isdigit, BRACKET.sub("", label))):  # one of a series
            continue
        if label not in alone:
            alone[label] = _says_what(label)
        above = "" if alone[label] else fold(line.context[-1]) if line.context else None
        if above is not None:
            found.setdefault((label, above), []).append(_Stated(line, value))
    return found


def _says_what(label: str) -> bool:
    """Whether a label says by itself what it is about: it has several words."""
    bare = BRACKET.sub("", label)
    terms = subject_of(bare) - generic_terms()
    needed = _LABEL_SIGNS if any(sign >= FAR_EAST for sign in bare) else _LABEL_WORDS
    return len(terms) >= needed


def _differ(older: _Stated, newer: _Stated) -> bool:
    """Whether two values are of one kind and differ: each has words of its own, and they share some."""
    before, after = _words(older.value), _words(newer.value)
    if max(len(before), len(after)) > _MOST_TERMS or _is_no_statement(older.value) or _is_no_statement(newer.value):
        return False
    shared, only_before, only_after = before & after, before - after, after - before
    if not (shared and only_before and only_after) or len(shared) >= _ALIKE * len(before | after):
        return False
    return weigh(older.line.content, newer.line.content).stance is not Stance.SUPPORTS


def _words(value: str) -> set[str]:
    small = small_terms()
    return {term for term in in_order(value) if term not in small and not term.isdecimal() and len(term) > 1}


def _is_no_statement(value: str) -> bool:
    """Whether a value begins with a figure, or is mostly paths and addresses."""
    if value.lstrip(" ~≈<>+-−±约約$€£¥").startswith(tuple("0123456789")):
        return True
    words = value.split()
    return 2 * sum(_PATH.search(word) is not None for word in words) > len(words)
