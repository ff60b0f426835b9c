"""One statement read once: its clauses with their content, polarity, preference and quantities.

Reading costs some hundred microseconds; comparing two statements that were read costs a few. A statement is a
sentence or two: what stands beyond 2,000 characters or 12 clauses is not read.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from commonplace.core.stance.atoms import Atom, atoms
from commonplace.core.stance.lexicon import Lexicon, lexicon
from commonplace.core.stance.words import language_of

_MOST_CHARACTERS = 2_000
_MOST_CLAUSES = 12
_CACHED = 4_096
_LOCAL_NEGATION = "-"
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
    hedge: str
    quantities: tuple[Quantity, ...]
    rejected: frozenset[str]
    """Content that something was preferred to."""
    subject: frozenset[str]
    """Content and what was rejected: what the clause is about."""
    lead: str
    """The concept of a first word that may be a name."""
    passive: bool
    indefinite: bool
    """Whether it begins with some instance, which may not be the one that another clause speaks of."""
    moved: bool
    """Whether what was rejected was in use before: switched from."""
    adds: bool
    """Whether it says that something holds too."""
    event: bool
    """Whether it tells what happened once, which denies no habit: was, today."""
    surface: dict[str, str]
    """Concept to the word as written, for reasons."""


class Statement(NamedTuple):
    """A text as the rules see it."""

    text: str
    language: str
    sure: bool
    """Whether the text itself shows its language."""
    question: bool
    clauses: tuple[Clause, ...]
    content: frozenset[str]
    """Of all clauses, with what was rejected."""
    likes: bool
    """Whether some clause states a preference."""


@lru_cache(_CACHED)
def prepare(text: str, language: str = "") -> Statement:
    """The statement that a text makes. Any string will do; `language` overrides what the text shows."""
    text = unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS])
    found, sure = (language, True) if language else language_of(text)
    words = lexicon(found)
    groups: list[list[Atom]] = [[]]
    for atom in atoms(text, words):
        if atom.role == "breaks":
            groups.append([])
        else:
            groups[-1].append(atom)
    clauses = tuple(
        clause for group in groups if (clause := _clause(group, words)).content or clause.quantities or clause.cue
    )[:_MOST_CLAUSES]
    content = frozenset().union(*(clause.subject for clause in clauses))
    question = text.rstrip(" )\"'").endswith("?")
    return Statement(text, found, sure, question, clauses, content, any(clause.liking for clause in clauses))


def _clause(group: list[Atom], words: Lexicon) -> Clause:
    chosen: list[str] = []
    rejected: list[str] = []
    light: set[str] = set()
    surface: dict[str, str] = {}
    quantities: list[Quantity] = []
    negations, cue, liking, hedge, lead, bound = 0, "", "", "", "", "="
    passive = relative = moved = adds = event = False
    target, local = chosen, False
    for place, atom in enumerate(group):
        role = atom.role
        if role == "stops":
            role = "refuses" if _gerund_follows(group, place, words) else "word"
        if role in {"content", "word"} and place and group[place - 1].role == "number" and atom.concept in words.units:
            continue  # told by the quantity
        if role in {"content", "word"}:
            concept = _LOCAL_NEGATION + atom.concept if local else atom.concept
            target.append(concept)
            light.add(concept)
            surface.setdefault(concept, atom.surface)
            if not lead and len(chosen) == 1 and atom.surface[:1].isupper():
                lead = concept
            local = False
        elif role == "number":
            following = group[place + 1] if place + 1 < len(group) else None
            quantities.append(_quantity(atom, following, bound, words))
            bound = "="
        elif role in {"negations", "nobody", "refuses"}:
            negations, cue = negations + 1, cue or atom.surface
            if relative:
                hedge = hedge or atom.surface  # it denies the relative clause, not the statement
        elif role == "without":
            local = True
        elif role == "likes":
            liking = liking or atom.surface
        elif role == "dislikes":
            negations, cue, liking = negations + 1, cue or atom.surface, liking or atom.surface
        elif role in {"hedges", "conditions"}:
            hedge = hedge or atom.surface
        elif role in {"at_most", "at_least"}:
            bound = "<" if role == "at_most" else ">"
            if quantities and _follows_number(group, place, words):
                quantities[-1] = quantities[-1]._replace(bound=bound)
                bound = "="
        elif role == "rather_than":
            target = rejected
        elif role == "rather_than_before":
            rejected.extend(chosen)
            chosen.clear()
        elif role == "rather_from":
            target, moved = rejected, True
        elif role == "rather_until":
            parts = words.prefer_to and chosen and liking.lower().startswith(words.prefer_to)
            target = rejected if parts and target is chosen else chosen
        elif role == "passive":
            passive = True
        elif role == "adds":
            adds = True
        elif role in {"past", "once"}:
            event = True
        elif role == "relatives":
            relative = bool(chosen)
        elif role == "function":
            light.add(atom.concept)
            surface.setdefault(atom.concept, atom.surface)
    return Clause(
        words=tuple(chosen),
        content=frozenset(chosen),
        light=frozenset(light),
        negations=negations,
        cue=cue,
        liking=liking,
        hedge=hedge,
        quantities=tuple(quantities),
        rejected=frozenset(rejected),
        subject=frozenset(chosen).union(rejected),
        lead=lead,
        passive=passive,
        indefinite=bool(group) and group[0].surface.lower() in words.indefinite,
        moved=moved,
        adds=adds,
        event=event,
        surface=surface,
    )


def _gerund_follows(group: list[Atom], place: int, words: Lexicon) -> bool:
    return place + 1 < len(group) and group[place + 1].surface.endswith(words.gerund)


def _follows_number(group: list[Atom], place: int, words: Lexicon) -> bool:
    """Whether a word of comparison stands after its number: 1500文字以内."""
    before = group[place - 1] if place else None
    if before is not None and before.concept in words.units and place > 1:
        before = group[place - 2]
    return before is not None and before.role == "number"


def _quantity(atom: Atom, following: Atom | None, bound: str, words: Lexicon) -> Quantity:
    value = float(atom.concept)
    if following is None or following.role in {"number", "function"}:
        return Quantity(value, "", bound, atom.surface)
    base, factor = words.units.get(following.concept, (following.concept, 1.0))
    return Quantity(value * factor, base, bound, f"{atom.surface} {following.surface}".strip())
