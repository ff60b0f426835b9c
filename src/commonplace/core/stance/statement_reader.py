"""One statement read once: its clauses, and the language they are in.

Parsing costs some hundred microseconds; comparing two parsed statements costs a few. A statement is a sentence or two:
text beyond 2,000 characters or 12 clauses is ignored.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.stance.atoms import Atom, atoms
from commonplace.core.stance.clause_reader import clause_of
from commonplace.core.stance.stance_lexicon import StanceLexicon, lexicon
from commonplace.core.text.known_languages import SURE, Identified, identify

if TYPE_CHECKING:
    from commonplace.core.stance.stance_clause import Clause

_MOST_CHARACTERS = 2_000
_MOST_CLAUSES = 12
_CACHED = 4_096
_DOUBTS = ("conditions", "hedges")
_FOR_ALL = frozenset((*_DOUBTS, "once", "relatives"))
_PARTS = frozenset((",", "、", "--", "–", "—", "(", ")", ":"))
"""Signs that separate parts of a clause, used if the whole clause decides nothing: an explanation after a comma."""
_COMMAS = (",", "，", "、")
"""A Chinese comma separates clauses, but a doubt before it applies up to the end of the sentence."""


class Statement(NamedTuple):
    """A parsed text."""

    text: str
    language: str
    sure: bool
    """Whether the text itself shows its language."""
    question: bool
    clauses: tuple[Clause, ...]
    parts: tuple[Clause, ...]
    """The parts between the commas of a clause, each as a clause of its own."""
    content: frozenset[str]
    """Content of all clauses, with what was rejected."""
    likes: bool
    """Whether any clause states a preference."""


@lru_cache(_CACHED)
def prepare(text: str, language: str = "") -> Statement:
    """Parse a text as a statement. Any string is accepted; `language` overrides the detected one."""
    text = unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).replace(" - ", " — ")
    found = Identified(language, SURE) if language else identify(text)
    words = lexicon(found.code)
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
    likes = any(clause.liking for clause in clauses)
    return Statement(text, found.code, found.sure, question, clauses, parts, content, likes)


def _parts_of(group: list[Atom], words: StanceLexicon) -> list[Clause]:
    """Return the clauses between the commas of a clause; none if a doubt, a day or another person applies to it all."""
    commas = [place for place, atom in enumerate(group) if atom.role == "plain" and atom.surface in _PARTS]
    if not commas or any(
        atom.role in _FOR_ALL or (atom.role in {"content", "word"} and atom.concept in words.kin) for atom in group
    ):
        return []
    bounds = [-1, *commas, len(group)]
    parts = [clause_of(group[start + 1 : end], words) for start, end in pairwise(bounds) if end - start > 1]
    return [part for part in parts if part.content or part.quantities]
