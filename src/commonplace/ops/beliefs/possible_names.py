"""Which names the logs use too little to tell whether they are names: asked of a person under *Who or what?*."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_kinds import kind_of
from commonplace.core.review.possible_names import PossibleName
from commonplace.core.text.analyzer import occurrences

if TYPE_CHECKING:
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index

_DAYS = 2
"""Days from which a name is asked about."""
_MOST_READ = 50
"""Lines with the word of a name, in which it may stand without a capital."""


def possible_names(index: Index, got: Gathered) -> list[PossibleName]:
    """Return the possible names of several days, first what most days use; ordinary words are left out."""
    found = []
    for key, uses in index.possible_names().items():
        days = len({each.day for each in uses})
        name = Counter(sorted(each.name for each in uses)).most_common(1)[0][0]
        if days >= _DAYS and not got.withheld.named(name) and not _ordinary(index, name):
            kind = kind_of([name], [each.text for each in uses])
            found.append(PossibleName(key, name, kind, days, uses[0].path, uses[0].day))
    return sorted(found, key=lambda each: (-each.days, each.name))


def _ordinary(index: Index, name: str) -> bool:
    """Whether a name of one word also stands without a capital: then it is a word at the start of a title."""
    small = name.lower()
    if small == name or not name.isalpha() or not (terms := occurrences(name)):
        return False
    quoted = '"' + terms[0].replace('"', '""') + '"'
    rows = index.match(quoted, limit=_MOST_READ)
    alone = re.compile(rf"(?<![\w./@#`-]){re.escape(small)}(?![\w/@`-]|\.\w)")
    return any(alone.search(each.line.content) for each in index.lines(rows).values())
