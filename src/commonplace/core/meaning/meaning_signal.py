"""What nearness in meaning adds to the score of a line.

Nearness is given in standard deviations above the mean of all passages, which makes models comparable; little of it
says nothing. The weights are in data/rank.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.recall.scored_lines import Signal
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_WORDS = 6


def share_near(nearness: float) -> float:
    """Return how near a line is, from 0 for one that is no nearer than others; 1 is near, and little is above it."""
    weights = table("rank")
    least, much = weights["near_least"], weights["near_much"]
    return float(max(0.0, min(weights["near_most"], (nearness - least) / (much - least))))


def worth_of(nearness: float) -> float:
    """Return the first estimate of the score that nearness alone is worth, as a share of the best line's by words."""
    return float(table("rank")["near_worth"] * share_near(nearness))


def trust_in_words(known: float) -> float:
    """Return how much it counts, in [0, 1], that a document has words of a question, if nearness counts too.

    Of a question in other words a document has the one or two that stand anywhere, mostly by chance: as the best of all
    documents it would lift each of its lines above the line that answers.

    Args:
        known: share of the words of the question that any line has.
    """
    return float(min(1.0, known / table("rank")["document_known"]))


def signal(nearness: float, lacking: Sequence[str], *, covered: float) -> Signal:
    """Return what nearness adds to a line's score, with the reason if it is one by itself.

    Args:
        lacking: the words of the question that the line does not have, as typed.
        covered: share of the words of the question that the line with most of them has. Where words find little,
            nearness counts for more.
    """
    weights = table("rank")
    words = ", ".join(lacking[:_MOST_WORDS]) or "the question"
    why = f'meaning: close to "{words}"' if nearness >= weights["near_reason"] else ""
    weight = weights["meaning"] * (1 + weights["meaning_alone"] * (1 - covered))
    return Signal(why, weight * share_near(nearness))
