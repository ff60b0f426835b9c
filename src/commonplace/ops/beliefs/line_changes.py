"""Which lines of logs a newer one perhaps replaces, where no rule can tell: asked under *Replaced?*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.changes.possible_changes import possible_changes
from commonplace.core.extract.line_labels import labelled
from commonplace.core.extract.line_worth import worth_alone, worth_apart
from commonplace.core.review.line_changes import LineChange
from commonplace.ops.beliefs.outdated_lines import NewerLines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Line
    from commonplace.store.sqlite import Index

_LEAST_WORTH = -1.5
"""Minimum worth of both lines: below it are the states of a day."""


def line_changes(index: Index, lines: Iterable[Line]) -> list[LineChange]:
    """Return the questions, first those whose lines are worth most; none about a line that is outdated anyway.

    Args:
        lines: of logs, of the author alone.
    """
    ranked = []
    for newer, older in possible_changes(lines):
        worths = [_worth(line) for line in (newer, older)]
        if min(worths) >= _LEAST_WORTH:
            ranked.append((-sum(worths), LineChange(newer, older)))
    known = NewerLines(index, accepted=()).of([each.older for _, each in ranked])
    found = [(rank, each.id, each) for rank, each in ranked if each.older.source not in known]
    return [each for *_, each in sorted(found, key=lambda asked: asked[:2])]


def _worth(line: Line) -> float:
    """What a line is worth; nothing if it states nothing by itself, or its label says only what kind of thing it is."""
    alone = worth_alone(line)
    return worth_apart(alone, line.content) if alone.states and not labelled(line.content)[0] else float("-inf")
