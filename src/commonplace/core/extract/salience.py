"""Salience: signs that a line is worth remembering, and signs of small talk.

A line is read once, whatever the number of phrases: each word (each character, in scripts without spaces) is looked up
as the first of a phrase. The phrases are data (`data/LANGUAGE/infer.json`), and so are the weights of the signs
(`data/infer.json`).
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.known_languages import UNSPACED, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.text.phrase_finder import PhraseFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    Index = dict[str, list[tuple[str, str]]]
    """First word or characters -> phrases that begin with them, each with its sign."""

_MARKS = lazy_pattern(r'[.,!;:"()\[\]*_`|/。、，！；：「」『』（）【】《》।…]')
"""Read as spaces; `str.translate` would take four times as long beyond Latin script."""
_LASTS = frozenset(
    ("decided", "prefers", "life", "cause", "tried", "bond", "lasting", "why", "fact", "result", "row", "done")
)
"""Without one of these a line is only talk, however many figures and names it contains."""
_STATED = frozenset(("decided", "prefers"))
"""These count even if a line speaks of the future, or of lunch."""
_NOBODY = frozenset(("nobody", "dummy"))
"""First words that leave the subject of a line open; a dummy may open a decision: "It was agreed that …"."""
_OPENING = _NOBODY | {"first", "undone", "safe"}
_ONLY_FIRST = _NOBODY | {"first"}
"""Signs that count only as the first words of a line."""
_MOST_LASTING = 2
_LONG = 60
"""Columns from which a line is more than a remark; a character of Chinese or Japanese counts two and a half."""
_WIDE = 2.5
_UNDONE_WITHIN = 2
_STEM = 3
"""Letters by which a phrase with `*` is looked up."""
_FIGURE = lazy_pattern(
    "[0-9]+(?:[.,:/-][0-9]+)*|[一二三四五六七八九十百两半几]{1,4}(?=[年月日号天周岁个块元人点时次组阶层楼级折成片])"
)
CODE = lazy_pattern(r"`[^`]{0,200}`|https?://[^\s)>\]]{1,500}")
_LOUD = lazy_pattern("[\U0001f300-\U0001faff\u2600-\u26ff]|!!|\\.\\.\\.$|…$")
_MARKS_KEPT = str.maketrans({mark: " " for mark in "./"})


class LineSigns(NamedTuple):
    """The signs found in a line."""

    language: str
    signs: frozenset[str]
    score: int
    """The score of the signs alone; the caller adds names and place."""

    @property
    def lasts(self) -> bool:
        """Whether it will probably still be true, or of use, in some months."""
        return not self.signs.isdisjoint(_LASTS)

    @property
    def open(self) -> bool:
        """Whether its first words leave its subject open."""
        return "nobody" in self.signs

    def known_subject(self) -> LineSigns:
        """Return the reading if text before the line names the subject of a pronoun at its start."""
        weights = table("infer")["weights"]
        open_left = self.signs & _NOBODY
        return self._replace(score=self.score - sum(weights[sign] for sign in open_left)) if open_left else self


def read(text: str, label: str = "") -> LineSigns | None:
    """Return the signs of a line without its marks, one of them that of the label before it, if any; None for hearsay,
    doubt, a question or a request.
    """
    if "`" in text or "://" in text:  # code and links state nothing by themselves
        whole, text = len(text), CODE.sub(" ", text).strip()
        if len(text) * 2 < whole:
            return None
    language = identify(text).code
    folded = _folded(text)
    signs = {label} if label else set()
    lasting: set[str] = set()
    for at, sign, phrase in _found(folded, language):
        if sign == "veto" or (sign == "first" and not at):
            return None
        if sign == "lasting":
            lasting.add(phrase)
        elif sign not in _OPENING or (sign in _NOBODY and not at):
            if sign == "decided" and _denied(folded[: at + 1], language):
                return None
            signs.add(sign)
    if lasting:
        signs.add("lasting")
    if "act" in signs and ("own" in signs or language == "ja"):
        signs.add("done")
    if signs.isdisjoint(_LASTS):
        return LineSigns(language, frozenset(signs & _NOBODY), 0)
    signs.update(_looks(text, folded, language=language))
    weights = table("infer")["weights"]
    if not signs.isdisjoint(_STATED):
        signs -= {"doubt", "idle"}
    if "decided" in signs:
        signs.discard("dummy")
    more = min(len(lasting), _MOST_LASTING) - 1
    score = sum(weights.get(sign, 0) for sign in signs) + weights["lasting"] * max(0, more)
    return LineSigns(language, frozenset(signs), score)


def signs_in(text: str, language: str) -> frozenset[str]:
    """Return all signs of a text by its words, those of hearsay, doubt and commands (`veto`, `first`) among them."""
    if language in UNSPACED:
        found = _found(_folded(text), language)
        return frozenset(sign for at, sign, _ in found if sign not in _ONLY_FIRST or not at)
    return frozenset(_finder(language).signs(_words(text)))


def _words(text: str) -> list[str]:
    folded = text.lower() if text.isascii() else fold(text)
    return _MARKS.sub(" ", folded).split()


def _folded(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _looks(text: str, folded: str, *, language: str) -> Iterator[str]:
    """Yield the signs that need no words of a language."""
    figures = _FIGURE.findall(folded)
    if figures:
        yield "figure"
    if len(figures) > 1 and any(len(figure) > 1 for figure in figures):
        yield "date"
    wide = len(folded) if language not in UNSPACED else len(folded) * _WIDE
    if wide >= _LONG:
        yield "long"
    if text[-1] in "!！~～" or _LOUD.search(text):
        yield "loud"


def _denied(before: str, language: str) -> bool:
    """Whether the last words before a phrase negate it."""
    words = _phrases(language)["undone"]
    if language in UNSPACED:
        return before.rstrip().endswith(words)
    return not set(words).isdisjoint(before.split()[-_UNDONE_WITHIN:])


def _found(folded: str, language: str) -> Iterator[tuple[int, str, str]]:
    """Yield offset, sign and text of each phrase, in order; the offset counts from the first word."""
    index = _index(language)
    if language in UNSPACED:
        safe = 0
        for at, _, _, phrase, sign in sorted(_anywhere(folded, index)):
            if at >= safe:
                if sign == "safe":
                    safe = at + len(phrase)
                yield at - 1, sign, phrase
        return
    at = 1
    for word in folded.split():
        for key in (word, word[:_STEM]):
            for phrase, sign in index.get(key, ()):
                if folded.startswith(phrase, at - 1):
                    yield at - 1, sign, phrase
            if len(word) <= _STEM:
                break
        at += len(word) + 1


def _anywhere(folded: str, index: Index) -> Iterator[tuple[int, bool, int, str, str]]:
    """Yield offset, text and sign of each phrase, in a script without spaces; before the text by what they are sorted:
    safe ones first, then as they are listed."""
    for key in index.keys() & {*folded, *map(add, folded, folded[1:])}:
        for number, (phrase, sign) in enumerate(index[key]):
            at = folded.find(phrase)
            while at >= 0:
                yield at, sign != "safe", number, phrase, sign
                at = folded.find(phrase, at + 1)


@cache
def _finder(language: str) -> PhraseFinder:
    return PhraseFinder((each for phrases in _index(language).values() for each in phrases), opening=_ONLY_FIRST)


@cache
def _index(language: str) -> Index:
    """Return phrases by their first word; with `*`, by its first three letters; in scripts without spaces by their
    first two characters."""
    index: Index = {}
    spaced = language not in UNSPACED
    known = _phrases(language)
    for sign, phrases in sorted(known.items(), key=lambda each: each[0] != "safe"):
        for phrase in phrases:
            if not spaced:
                key, whole = phrase[:2], phrase
            elif phrase.endswith("*"):
                key, whole = phrase.split()[0][:_STEM], f" {phrase[:-1]}"
            else:
                key, whole = phrase.split()[0], f" {phrase} "
            index.setdefault(key, []).append((whole, sign))
    return index


@cache
def _phrases(language: str) -> dict[str, tuple[str, ...]]:
    known = table("infer", language)
    return {sign: listed(words) for sign, words in known.items() if sign != "provenance"}


def listed(words: str) -> tuple[str, ...]:
    """Return the folded phrases of a list of the tables."""
    return tuple(fold(word).translate(_MARKS_KEPT).replace("_", " ") for word in words.split(", "))
