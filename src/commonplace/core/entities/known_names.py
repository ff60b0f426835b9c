"""Which possible names are names: told by all uses of each in a workspace, by how often and how they stand.

Law: a name's uses alone decide, so that the order in which files are indexed does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Iterable

_DAYS = 2
_USES = 3
"""Days with a use within a sentence, or uses if they are of one day, from which a possible name is one."""
_PARTLY = 0.5
"""What a use at the start of a sentence, alone or in a title, counts beside one within a sentence."""
_MOSTLY = 0.7
"""The same in Han and kana, where what can be cut into ordinary words is no possible name (`unspaced_names`)."""
_LABELS = 2
"""Uses before a colon for each other use, at most: more often it is a label (`Status: done`).
Twice as many in Han and kana, and four times of a name that often stands within sentences: who reports every
day does so before a colon."""
_OFTEN = 6
"""Lines within whose sentences a name often stands."""
_ENDING, _ROOT, _SHORT = 2, 3, 5
"""Letters that the other forms of a word lack or have more; letters that they share at least; and letters of an English
word that has none here, as `same` is no form of Sam."""
_HAN = lazy_pattern("[\u3005\u4e00-\u9fff]+")
_BY_ITSELF = lazy_pattern(r"(?<![\w`/\\.@#:=_~-])[^\W\d_]+(?![\w`/\\@=_]|[-.:][\w/])")
"""A word of a sentence; no part of a path, an address or code."""


class NameTotals(NamedTuple):
    """The uses of one possible name, in numbers of lines by `Place`."""

    days: int
    """Days with a use that is neither a label nor a `WHOLE`, of which more than two count as two; undated files are one
    day together."""
    inside: int
    start: int
    label: int
    head: int
    title: int


def is_known(name: str, uses: NameTotals) -> bool:
    """Return whether a possible name with these uses is the name of somebody or something.

    A name of several words, or with capitals or digits inside, is never only the first word of a sentence: its uses
    there and in titles count, too. What only titles have is one (`Evening Report`), but in two scripts or in katakana.
    """
    marked = not name.isalpha() or not name[1:].islower()
    unspaced = name[0] >= FAR_EAST
    partly = _MOSTLY if unspaced else _PARTLY if marked else 0
    apart = uses.start + uses.head
    beside = uses.inside or (not (unspaced and _HAN.fullmatch(name)) and (apart or unspaced))
    titles = uses.title if beside else 0
    sure = uses.inside + partly * (apart + titles)
    most = _LABELS * (4 if uses.inside >= _OFTEN else 2 if unspaced else 1)
    if uses.label > most * max(sure, uses.inside):
        return False
    return sure >= _USES or (uses.days >= _DAYS and sure >= _DAYS)


def usual_spelling(first: str, last: str) -> str:
    """Return how a name is spelled that is spelled in several ways, of which these are the first and last in order: the
    one with the most capitals, but for one that is shouted (NEVER, beside Never).
    """
    return last if first.isupper() else first


def share_in_small(name: str, texts: Iterable[str]) -> float:
    """Return in which share of its lines a word stands within a sentence in small letters, in any of its forms; 0 if
    that is seldom beside how often it stands in paths and code.

    Args:
        name: one word with a capital.
        texts: of lines with the word, in any form and spelling.
    """
    spare = _ENDING if len(name) > _SHORT or not name.isascii() else 0
    root, longest = name[: max(_ROOT, len(name) - spare)].lower(), len(name) + spare
    lines = small = apart = 0
    for text in texts:
        lines += 1
        if any(word.startswith(root) and len(word) <= longest for word in _BY_ITSELF.findall(text)):
            small += 1
        elif name not in text:
            apart += 1
    return small / lines if 2 * small > apart else 0.0
