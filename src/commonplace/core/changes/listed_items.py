"""What a list says in figures of a named item on its day, which the list of a newer day says anew.

    2026-03-02  ## Boats in the yard            - Kestrel: debt 900 kr, berth 4
    2026-03-09  ## Boats in the yard (evening)  - Kestrel: debt 400 kr, berth 4

An item is a row of a table, or a line that begins with its name and a colon or dash.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP, small_terms, unnumbered
from commonplace.core.changes.slot_lexicon import slot_lexicon
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold, variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST = 300
"""Characters of a line that are read."""
_SHARED = 2
"""Columns beside the first that two tables share at least."""
_BRACKETED = lazy_pattern(r"\([^()]*\)?")
_LETTER = r"(?:[^\W\d_]|[\u0900-\u0963])"
"""To `\\w` vowel signs of Devanagari are no letters."""
_NO_WORD = lazy_pattern(rf"(?:(?!{_LETTER}).)+")
_ITEM = lazy_pattern(r"\W*(?P<name>[^:|]{1,60}?)\s*(?:\([^()]*\)\s*)?(?::(?!//)|\s[-–—]+\s|[–—]+)\s*(?P<rest>\S.*)")
_MEASURE = lazy_pattern(
    rf"(?:(?P<before>{_LETTER}+)[\s:=~≈约]*)?(?<!\d)(?<!\d[.,/:-])(?P<number>[+-]?\d+(?:,\d{{3}})*(?:\.\d+)?)(?![.,/:-]?\d)"
    rf"\s?(?P<unit>%|{_LETTER}{{1,10}})?"
)
"""A number that is no part of a day, an hour or a version, with the word before it and its unit."""
_FIGURE = lazy_pattern(r"[+-]?\d[\d.,/:]*")


class ListedItem(NamedTuple):
    """An item of a list."""

    name: str
    """Folded, without what stands in brackets."""
    of: str
    """What the list is called: the heading above it, without days, numbers and what stands in brackets."""
    columns: tuple[str, ...]
    """Of a row; else none."""
    measures: dict[str, str]
    """Column, or word before a number, or its unit -> that number."""
    words: dict[str, str]
    """Column -> what a cell without figures says."""
    is_deed: bool
    """Whether it says what somebody bought, sold or paid, which remains so."""

    def is_of(self, other: ListedItem) -> bool:
        """Return whether two lines tell of one thing: the same list has both, perhaps by a longer name or with more
        columns, a figure of both is of the same, and what both say in a cell without figures is the same."""
        if self.name != other.name or self.columns[:1] != other.columns[:1] or not _alike(self.of, other.of):
            return False
        if any(self.words[each] != other.words[each] for each in self.words.keys() & other.words.keys()):
            return False
        fewest, shared = min(len(self.columns), len(other.columns)), {*self.columns[1:]} & {*other.columns[1:]}
        known = not self.columns or (len(shared) >= _SHARED and 2 * len(shared) >= fewest - 1)
        return known and not self.measures.keys().isdisjoint(other.measures)

    def differs(self, other: ListedItem) -> bool:
        """Return whether a figure of both is another."""
        shared = self.measures.keys() & other.measures.keys()
        return any(self.measures[each] != other.measures[each] for each in shared)


@lru_cache(2048)
def listed_item(text: str, above: tuple[str, ...]) -> ListedItem | None:
    """Return what a line says of an item; None if it is no item of a list or has no figures.

    Args:
        above: the headings and bullets above the line, for a row with the columns.
    """
    said, *headings = [variants(MARKUP.sub("", each[:_LONGEST])).strip() for each in (text, *above)]
    if "?" in said:
        return None
    of = next((_title(each) for each in reversed(headings) if each[:1] != "|"), "")
    match = _ITEM.match(said)
    columns: tuple[str, ...] = ()
    words: dict[str, str] = {}
    if said[:1] != "|" and match is not None:
        named, measures = match["name"], _single(_measures(match["rest"].lower()))
    elif said[:1] == "|" and headings and headings[-1][:1] == "|":
        columns, (named, *cells) = _cells(headings[-1]), _cells(said)
        told = {what: cell for what, cell in zip(columns[1:], cells, strict=False) if any(map(str.isalnum, cell))}
        measures = {what: _number(found[0]) for what, cell in told.items() if (found := _FIGURE.search(cell))}
        words = {what: cell for what, cell in told.items() if what not in measures}
    else:
        return None
    name = fold(_BRACKETED.sub("", named).strip(" *_`"))
    if not measures or not any(map(str.isalpha, name)):
        return None
    takes = slot_lexicon(text).takes.search(f"{of} {said.lower()}")
    return ListedItem(name, of, columns, measures, words, takes is not None)


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip().lower() for cell in row.strip("| ").split("|"))


def _measures(text: str) -> Iterator[tuple[str, str]]:
    """Yield the word before each figure, and its unit, each with the number."""
    left = small_terms() | unnumbered()
    for found in _MEASURE.finditer(text):
        for what in (found["before"], found["unit"]):
            if what and what not in left:
                yield what, _number(found["number"])


def _single(measures: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return those of which there is one number."""
    found: dict[str, set[str]] = {}
    for what, number in measures:
        found.setdefault(what, set()).add(number)
    return {what: numbers.pop() for what, numbers in found.items() if len(numbers) == 1}


def _number(text: str) -> str:
    plain = text.replace(",", "").rstrip(".:/")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _title(heading: str) -> str:
    return " ".join(_NO_WORD.sub(" ", _BRACKETED.sub("", heading)).lower().split())


def _alike(one: str, other: str) -> bool:
    """Whether two lists have one name, or the name of one is within that of the other."""
    short, long = sorted((one, other), key=len)
    if short == long:
        return bool(short)
    if short[-1:] >= FAR_EAST:
        return len(short) > 1 and short in long
    return bool(short) and f" {short} " in f" {long} "
