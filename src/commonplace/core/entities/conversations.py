"""Whether a document is a conversation: then its labels (`Anna: …`) name speakers, elsewhere fields (`Status: …`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEAST_SHARE = 0.5
"""Share of the lines with content that have a label, at least: 1.0 in chats; in the logs, lists and reports of ten
workspaces .4 at most, except records (below)."""
_FEWEST_TURNS = 3
_MOST_SPEAKERS = 3
"""Turns for each speaker, at least, on average; reports have as many labels as lines."""
_RECORD = 3
"""Labels that occur equally often, from four times on: the fields of a record. Speakers are not so regular."""
_REGULAR = 0.8


def speakers(turns: Mapping[str, int], lines: int) -> frozenset[str]:
    """Return the labels that name speakers with more than one turn; empty if the document is no conversation.

    Args:
        turns: label -> number of lines of the document that begin with it.
        lines: number of lines with content.
    """
    said = sum(turns.values())
    if said < max(_FEWEST_TURNS, _LEAST_SHARE * lines) or len(turns) > max(2, said / _MOST_SPEAKERS):
        return frozenset()
    most = max(turns.values())
    regular = [count for count in turns.values() if count >= _REGULAR * most]
    if len(regular) >= _RECORD and most > _RECORD and 2 * sum(regular) > said:
        return frozenset()
    return frozenset(label for label, count in turns.items() if count > 1)
