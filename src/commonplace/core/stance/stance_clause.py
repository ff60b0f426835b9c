"""One clause of a statement: what it speaks of, whether it denies it, what it counts, what it prefers to what."""

from __future__ import annotations

from typing import NamedTuple

LOCAL_NEGATION = "-"
"""Prefix of a concept that `without` denies: the denial applies to that word only."""


class Quantity(NamedTuple):
    """A number with what it counts."""

    value: float
    """In the base unit."""
    unit: str
    """Base unit, else the concept of the next word, else empty."""
    bound: str
    """`<`, `>` or `=`."""
    text: str


class Clause(NamedTuple):
    """The part of a statement between two breaks."""

    words: tuple[str, ...]
    """Concepts of the content words in order, without what was rejected."""
    content: frozenset[str]
    light: frozenset[str]
    """Content and function words (on, off): searched for opposites."""
    negations: int
    cue: str
    """The first denying word, as written."""
    liking: str
    """The word of preference, as written: prefers, dislikes (which also counts as a negation)."""
    denied: str
    """Concept of the first word after the denial; empty if none follows."""
    lapsed: bool
    """Whether the denial implies that it was so before: no longer, gave up."""
    hedge: str
    quantities: tuple[Quantity, ...]
    rejected: frozenset[str]
    """Content that something else was preferred to."""
    subject: frozenset[str]
    """Content and rejected content: what the clause is about."""
    lead: str
    """Concept of a first word that may be a name."""
    name: frozenset[str]
    """Concepts of the capitalised words at the start: `lead` and those that follow it."""
    passive: bool
    indefinite: bool
    """Whether it begins with an indefinite instance, which may not be that of another clause."""
    moved: bool
    """Whether the rejected was in use before: switched from."""
    adds: bool
    """Whether it says that something is so, too."""
    event: bool
    """Whether it describes a single event, which denies no habit: was, today."""
    once: bool
    """Whether it is about one time: today, this week."""
    copula: bool
    """Whether it says what something is."""
    change: str
    """The word of change, as written: was moved to, took over, lost."""
    changing: str
    """Role of the word in `change`: changes, relocates, succeeds, ends …; empty if there is none."""
    only: frozenset[str]
    """Concepts marked as exclusive: only Ida."""
    kin: frozenset[str]
    """Concepts of people named by their relation to another: his brother."""
    nobody: bool
    """Whether it denies for everybody."""
    may: str
    """The word that permits or doubts, as written."""
    permits: bool
    """Whether it is about what one may do."""
    aside: frozenset[str]
    """Content that says since when or why."""
    surface: dict[str, str]
    """Concept -> word as written, for reasons."""
