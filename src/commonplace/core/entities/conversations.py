"""Whether a document is a conversation: then its labels (`Anna: …`) name speakers, elsewhere fields (`Status: …`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.name_mentions import is_handle
from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.entities.unspaced_names import says_ordinary_words
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEAST_SHARE = 0.5
"""Share of the lines with content that have a label, at least: 1.0 in chats; in the logs, lists and reports of ten
workspaces .4 at most, except records (below)."""
_FEWEST_TURNS = 3
_TURNS = 2
"""Turns for each speaker, at least, on average; reports have as many labels as lines."""
_RECORD = 3
_SHEET = 6
"""Labels in Latin letters that are ordinary words and of most turns, from which they are fields, however often each
occurs: a play has fewer mothers and doctors."""
_OFTEN = 4
"""Labels that occur equally often, and how often: the fields of a record. Speakers are seldom so regular."""
_REGULAR = 0.8


_ASKING = 0.05
"""Share of the turns that ask something, at least, in a chat of handles: types of commits and names of metrics take
turns, too, but nobody asks anybody there."""


def speakers(turns: Mapping[str, int], lines: int, *, asking: int = 0) -> frozenset[str]:
    """Return the labels that name speakers with more than one turn; empty if the document is no conversation.

    Args:
        turns: label -> number of lines of the document that begin with it.
        lines: number of lines with content.
        asking: number of the turns that end with a question mark.
    """
    names = {label: count for label, count in turns.items() if not is_handle(label)}
    if len(names) < len(turns) and asking and asking >= _ASKING * sum(turns.values()):
        found = _speakers(turns, lines)
        handles = [label for label in found if is_handle(label)]
        fields = sum(is_ordinary(label) and not is_given(fold(label)) for label in handles)
        if len(found) > 1 and 2 * fields <= len(found):
            return found
    return _speakers(names, lines)


def _speakers(turns: Mapping[str, int], lines: int) -> frozenset[str]:
    said = sum(turns.values())
    if said < max(_FEWEST_TURNS, _LEAST_SHARE * lines) or len(turns) > max(2, said / _TURNS):
        return frozenset()
    for ascii, fewest in ((False, _RECORD), (True, _SHEET)):
        fields = [count for label, count in turns.items() if label.isascii() is ascii and _is_word(label)]
        if len(fields) >= fewest and 2 * sum(fields) > said:
            return frozenset()
    if _is_record(turns):
        return frozenset()
    return frozenset(label for label, count in turns.items() if count > 1)


def _is_word(label: str) -> bool:
    """Whether a label is made of ordinary words, as far as those of its script are listed."""
    return all(is_ordinary(part) if part.isascii() else says_ordinary_words(part) for part in label.split())


def _is_record(turns: Mapping[str, int]) -> bool:
    """Whether the labels that occur about equally often are fields: ordinary words, or in a script whose ordinary words
    are not listed, many of them.
    """
    most = max(turns.values())
    regular = [label for label, count in turns.items() if count >= _REGULAR * most]
    if 2 * sum(turns[label] for label in regular) <= sum(turns.values()):
        return False
    words = sum(map(_is_word, regular))
    unknown = [label for label in regular if not (label.isascii() or _is_word(label))]
    many = len(regular) >= _RECORD and most >= _OFTEN
    return 2 * (words + many * len(unknown)) > len(regular)
