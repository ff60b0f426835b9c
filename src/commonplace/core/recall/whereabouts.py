"""Facts that say where somebody is for a while: "In Lisbon from April 8 to April 15, 2026"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.model import Kind
from commonplace.core.questions.ask_phrases import Ask, answers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Fact, Span


def is_stay(fact: Fact, asked: Span, *, claimed: Iterable[str]) -> bool:
    """Return whether a world fact states where somebody is on all the days asked about.

    A home is no stay, nor a job that ends: a stay claims nothing but days and a place.

    Args:
        claimed: the slots that the fact claims something of.
    """
    stay = fact.valid
    if fact.kind is not Kind.WORLD or stay is None or not _covers(stay, asked):
        return False
    if any(not slot.startswith("whereabouts") for slot in claimed):
        return False
    text = fact.content
    if fact.recorded is not None:
        for said in reversed(when.find(text, fact.recorded)):
            text = f"{text[: said.start]} {text[said.end :]}"
    return bool(answers(f"^ {text} ^", (Ask.THERE,)))


def _covers(stay: Span, asked: Span) -> bool:
    if stay.start is None or stay.end is None or asked.start is None or asked.end is None:
        return False
    return stay.start <= asked.start and asked.end <= stay.end
