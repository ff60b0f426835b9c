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
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST = 300
"""Characters of a line that are read."""
_SHARED = 2
"""Columns with figures or words, beside the first, that two tables share at least."""
_BRACKETED = lazy_pattern(r"\([^()]*\)?")
_NO_WORD = lazy_pattern(r"[\W\d_]+")
_ITEM = lazy_pattern(r"\W*(?P<name>[^:|]{1,60}?)\s*(?:\([^()]*\)\s*)?(?::(?!//)|\s[-–—]+\s|[–—]+)\s*(?P<rest>\S.*)")
_MEASURE = lazy_pattern(
    r"(?:(?P<before>[^\W\d_]+)[\s:=~≈约]*)?(?P<number>(?<![\w.,/:-])[+-]?|(?<=[^\W\d_])[+-]?)"
    r"(?P<figure>\d+(?:,\d{3})*(?:\.\d+)?)(?![.,/:-]?\d)\s?(?P<unit>%|[^\W\d_]{1,10})?"
)
_FIGURE = lazy_pattern(r"[+-]?\d[\d.,/:]*")


class ListedItem(NamedTuple):
    """An item of a list."""

    name: str
    """As of `entity_key`, without what stands in brackets."""
    of: str
    """What the list is called: the heading above it, without days, numbers and what stands in brackets."""
    columns: tuple[str, ...]
    """Of a row; else none."""
    measures: dict[str, str]
    """Column, word or unit -> number."""
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
    said = variants(MARKUP.sub("", text[:_LONGEST])).strip()
    headings = [variants(MARKUP.sub("", each)).strip() for each in above]
    if "?" in said:
        return None
    of = next((_title(each) for each in reversed(headings) if each[:1] != "|"), "")
    measures: dict[str, str]
    if said[:1] == "|":
        if not headings or headings[-1][:1] != "|":
            return None
        columns, cells = (
            [cell.strip().lower() for cell in each.strip("| ").split("|")] for each in (headings[-1], said)
        )
        told = {
            column: cell for column, cell in zip(columns[1:], cells[1:], strict=False) if any(map(str.isalnum, cell))
        }
        measures = {column: _number(found[0]) for column, cell in told.items() if (found := _FIGURE.search(cell))}
        words = {column: cell for column, cell in told.items() if column not in measures}
        named = cells[0]
    else:
        match = _ITEM.match(said)
        if match is None:
            return None
        columns, words, named = [], {}, match["name"]
        measures = _single(_measures(match["rest"].lower()))
    name = entity_key(_BRACKETED.sub("", named).strip(" *_`"))
    if not measures or not name:
        return None
    takes = slot_lexicon(text).takes
    return ListedItem(name, of, tuple(columns), measures, words, takes.search(f"{of} {said.lower()}") is not None)


def _measures(text: str) -> Iterator[tuple[str, str]]:
    """Yield the word before each figure, and its unit, each with the number."""
    left = small_terms() | unnumbered()
    for found in _MEASURE.finditer(text):
        for what in (found["before"], found["unit"]):
            if what and what not in left:
                yield what, _number(found["number"] + found["figure"])


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
