"""One clause of a statement: what it speaks of, whether it denies it, what it counts, what it prefers to what."""

from __future__ import annotations

from typing import NamedTuple

LOCAL_NEGATION = "-"
"""Before the concept that `without` denies: it concerns that word alone."""


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
    """What stands between two breaks of a statement."""

    words: tuple[str, ...]
    """Concepts of the content words in their order; what was rejected is not among them."""
    content: frozenset[str]
    light: frozenset[str]
    """Content and small words (on, off): where opposites are looked for."""
    negations: int
    cue: str
    """The word that denies, as written."""
    liking: str
    """The word of preference, as written: prefers, dislikes (which counts as a negation too)."""
    denied: str
    """The concept of the first word after the denial, empty where nothing follows it."""
    lapsed: bool
    """Whether the denial itself says that it was so before: no longer, gave up."""
    hedge: str
    quantities: tuple[Quantity, ...]
    rejected: frozenset[str]
    """Content that something was preferred to."""
    subject: frozenset[str]
    """Content and what was rejected: what the clause is about."""
    lead: str
    """The concept of a first word that may be a name."""
    name: frozenset[str]
    """Concepts of the words with capitals that the clause begins with, `lead` and what follows it."""
    passive: bool
    indefinite: bool
    """Whether it begins with some instance, which may not be the one that another clause speaks of."""
    moved: bool
    """Whether what was rejected was in use before: switched from."""
    adds: bool
    """Whether it says that something holds too."""
    event: bool
    """Whether it tells what happened once, which denies no habit: was, today."""
    once: bool
    """Whether it speaks of one time: today, this week."""
    copula: bool
    """Whether it says what something is."""
    before: tuple[str, ...]
    """Concepts before that word."""
    change: str
    """The word by which something holds now that did not: was moved to, took over, lost; as written."""
    changing: str
    """What part that word plays: changes, relocates, succeeds, ends; empty without one."""
    only: frozenset[str]
    """Concepts that exclude the rest: only Ida."""
    kin: frozenset[str]
    """Concepts of people named by whom they stand to: his brother."""
    nobody: bool
    """Whether it denies of everybody."""
    may: str
    """A word that permits or doubts, as written."""
    permits: bool
    """Whether it speaks of what one may do."""
    aside: frozenset[str]
    """Content that tells since when or why."""
    surface: dict[str, str]
    """Concept to the word as written, for reasons."""
