"""Which names the logs use too little to tell whether they are names: asked of a person under *Who or what?*."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_kinds import kind_of
from commonplace.core.entities.entity_names import without_case
from commonplace.core.entities.household_names import is_household
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.quotes.quote_subject import only_within
from commonplace.core.review.possible_names import PossibleName
from commonplace.core.text.analyzer import occurrences
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index

_DAYS = 2
"""Days from which a name is asked about."""
_ITEM = lazy_pattern(r"[A-Z]{2,}-[A-Z]{0,2}\d[\d.]*")
"""A numbered item of a list: `TASK-B2.1`."""
_MOST_READ = 50
"""Lines with the word of a name, in which it may stand without a capital."""


def possible_names(index: Index, got: Gathered) -> list[PossibleName]:
    """Return the possible names of several days, first what most days use; ordinary words are left out, as are numbered
    items, what everybody knows, what is only a part of known names, and Russian cases of them."""
    found = []
    longer = _longer_names(index)
    for key, uses in index.possible_names().items():
        days = len({each.day for each in uses})
        name = Counter(sorted(each.name for each in uses)).most_common(1)[0][0]
        if days < _DAYS or got.withheld.named(name) or _ITEM.fullmatch(name) or is_household(name):
            continue
        if any(form in got.entities for form in without_case(key)):
            continue
        among = [each for each in longer.get(key.partition(" ")[0], ()) if f" {key} " in f" {each} "]
        is_part = bool(among) and all(only_within(each.text, key, among) for each in uses)
        if not (is_part or _ordinary(index, name)):
            kind = kind_of([name], [each.text for each in uses])
            found.append(PossibleName(key, name, kind, days, uses[0].path, uses[0].day))
    return sorted(found, key=lambda each: (-each.days, each.name))


def _longer_names(index: Index) -> dict[str, list[str]]:
    """Return word -> the known names of several words that have it."""
    found: dict[str, list[str]] = {}
    for name in index.known_names():
        words = name.split()
        for word in words if len(words) > 1 else ():
            found.setdefault(word, []).append(name)
    return found


def _ordinary(index: Index, name: str) -> bool:
    """Whether a name is of ordinary words, or also stands without a capital: one word at the start of a title."""
    if all(map(is_ordinary, name.split())):
        return True
    small = name.lower()
    if small == name or not name.isalpha() or not (terms := occurrences(name)):
        return False
    quoted = '"' + terms[0].replace('"', '""') + '"'
    rows = index.match(quoted, limit=_MOST_READ)
    alone = re.compile(rf"(?<![\w./@#`-]){re.escape(small)}(?![\w/@`-]|\.\w)")
    return any(alone.search(each.line.content) for each in index.lines(rows).values())
