"""One statement read once: its clauses, and the language they are in.

Reading costs some hundred microseconds; comparing two statements that were read costs a few. A statement is a
sentence or two: what stands beyond 2,000 characters or 12 clauses is not read.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.stance.atoms import Atom, atoms
from commonplace.core.stance.clause_reader import clause_of
from commonplace.core.stance.stance_lexicon import StanceLexicon, lexicon
from commonplace.core.text.known_languages import identify

if TYPE_CHECKING:
    from commonplace.core.stance.stance_clause import Clause

_MOST_CHARACTERS = 2_000
_MOST_CLAUSES = 12
_CACHED = 4_096
_DOUBTS = ("conditions", "hedges")
_FOR_ALL = frozenset((*_DOUBTS, "once", "relatives"))
_PARTS = frozenset((",", "、", "--", "–", "—", "(", ")", ":"))
"""What parts a clause, where the whole of it says nothing: a word of explanation behind a comma."""
_COMMAS = (",", "，", "、")
"""A Chinese comma parts clauses, but what it doubts goes on to the end of the sentence."""


class Statement(NamedTuple):
    """A text as the rules see it."""

    text: str
    language: str
    sure: bool
    """Whether the text itself shows its language."""
    question: bool
    clauses: tuple[Clause, ...]
    parts: tuple[Clause, ...]
    """What stands between the commas of a clause, each as a clause of its own."""
    content: frozenset[str]
    """Of all clauses, with what was rejected."""
    likes: bool
    """Whether some clause states a preference."""


@lru_cache(_CACHED)
def prepare(text: str, language: str = "") -> Statement:
    """The statement that a text makes. Any string will do; `language` overrides what the text shows."""
    text = unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).replace(" - ", " — ")
    found, sure = (language, True) if language else identify(text)
    words = lexicon(found)
    groups: list[list[Atom]] = [[]]
    for atom in atoms(text, words):
        if atom.role == "breaks":
            doubts = [doubt for doubt in groups[-1] if doubt.role in _DOUBTS] if atom.surface in _COMMAS else []
            groups.append(doubts[:1])
        else:
            groups[-1].append(atom)
    clauses = tuple(
        clause
        for group in groups
        if group and ((clause := clause_of(group, words)).content or clause.quantities or clause.cue)
    )[:_MOST_CLAUSES]
    parts = tuple(part for group in groups if len(group) > 1 for part in _parts_of(group, words))[:_MOST_CLAUSES]
    content = frozenset().union(*(clause.subject for clause in clauses))
    question = text.rstrip(" )\"'").endswith("?")
    return Statement(text, found, sure, question, clauses, parts, content, any(clause.liking for clause in clauses))


def _parts_of(group: list[Atom], words: StanceLexicon) -> list[Clause]:
    """The clauses between the commas of a clause; none where a doubt, a day or another person goes for all of it."""
    commas = [place for place, atom in enumerate(group) if atom.role == "plain" and atom.surface in _PARTS]
    if not commas or any(
        atom.role in _FOR_ALL or (atom.role in {"content", "word"} and atom.concept in words.kin) for atom in group
    ):
        return []
    bounds = [-1, *commas, len(group)]
    parts = [clause_of(group[start + 1 : end], words) for start, end in pairwise(bounds) if end - start > 1]
    return [part for part in parts if part.content or part.quantities]
