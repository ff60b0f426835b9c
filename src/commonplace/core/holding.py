"""Opinions while facts are weighed: what is held so far, and which of it a fact may bear on.

A fact is compared only with opinions on its own entities that share a concept with it, so that weighing grows with the
facts and not with their square.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from commonplace.core.fold import fold, unify
from commonplace.core.model import Stance
from commonplace.core.stance import prepare, similarity_prepared, weigh_prepared

if TYPE_CHECKING:
    from commonplace.core.model import Fact
    from commonplace.core.opinions import Entry, Mark
    from commonplace.core.stance import Statement

_MOST_CANDIDATES = 24


class Held:
    """An opinion while facts are weighed."""

    __slots__ = (
        "bearing", "entities", "frozen", "hidden", "id", "keys", "marks", "opposite", "page", "spent", "start",
        "statement", "texts",
    )  # fmt: skip

    def __init__(self, id: str, statement: str, entities: tuple[str, ...], keys: frozenset[str]) -> None:
        self.id = id
        self.statement = statement
        self.entities = entities
        self.keys = keys
        self.texts: list[Statement] = [prepare(statement)]
        self.start: tuple[int, str, int] = (0, "", 0)
        """Facts before it were known when the opinion was first stated, and do not bear on it."""
        self.page: Entry | None = None
        self.frozen: list[Mark] = []
        """Up to the last value set by hand: spent."""
        self.spent: frozenset[str] = frozenset()
        self.marks: list[Mark] = []
        self.opposite: Held | None = None
        self.hidden = False
        self.bearing: dict[str, tuple[Stance, float]] = {}
        """By a fact's text: repeated texts are weighed once."""

    def know(self, text: str) -> Statement:
        """Take another wording of the opinion to weigh facts against; the wording as read."""
        read = prepare(text)
        if fold(text) != fold(self.statement):
            self.texts.append(read)
        return read

    def weigh(self, fact: Fact) -> tuple[Stance, float]:
        """What the rules say of a fact and an opinion in any of its wordings, and how alike they are."""
        known = self.bearing.get(fact.content)
        if known is not None:
            return known
        said = prepare(fact.content)
        if any(said.text == text.text for text in self.texts):
            known = (Stance.SUPPORTS, 1.0)
        else:
            known = (Stance.UNDECIDED, 0.0)
            for text in self.texts:
                stance, alike = weigh_prepared(text, said).stance, similarity_prepared(text, said)
                if stance is not Stance.UNDECIDED:
                    known = (stance, alike)
                    break
                known = (stance, max(alike, known[1]))
        self.bearing[fact.content] = known
        return known


class Candidates:
    """Opinions by entity and concept."""

    def __init__(self) -> None:
        self._same: dict[tuple[str, str], Held] = {}
        """By entity and folded text."""
        self._by_concept: dict[str, dict[str, list[Held]]] = {}
        self._marks: dict[str, set[str]] = {}
        """By entity: rough marks of the words of its opinions."""

    def add(self, held: Held, read: Statement) -> None:
        """Let an opinion be found by one of its wordings."""
        folded = fold(read.text)
        words: set[str] = set()
        for clause in read.clauses:
            for concept, written in clause.surface.items():
                if concept in read.content:
                    words |= _whole(written.lower()) | _whole(concept)
        for key in held.keys:
            self._same.setdefault((key, folded), held)
            concepts = self._by_concept.setdefault(key, {})
            for concept in sorted(read.content):
                found = concepts.setdefault(concept, [])
                if held not in found:
                    found.append(held)
            self._marks.setdefault(key, set()).update(words)

    def spoken_of_in(self, fact: Fact, keys: frozenset[str]) -> bool:
        """Whether a fact has a word of an opinion on the same entity; reading it would cost a hundred times this."""
        known = [key for key in keys if key in self._marks]
        if not known:
            return False
        text = fact.content if fact.content.isascii() else unify(fact.content)
        words = _beginnings(text.lower())
        return any(not words.isdisjoint(self._marks[key]) for key in known)

    def of(self, fact: Fact, keys: frozenset[str], place: tuple[int, str, int]) -> list[Held]:
        """Opinions on the same entity that share a concept with the fact, the likeliest first.

        Those that began before the fact did are not crowded out by those that began after it, which come behind them:
        a fact has the same candidates whether or not the page knows what came later.

        Args:
            place: where the fact stands in time, as `form.order` has it.
        """
        known = [key for key in keys if key in self._by_concept]
        if not known:
            return []
        folded = fold(fact.content)
        shared: dict[Held, int] = {}
        said = prepare(fact.content)
        for key in sorted(known):
            concepts = self._by_concept[key]
            for concept in sorted(said.content):
                for held in concepts.get(concept, ()):
                    shared[held] = shared.get(held, 0) + 1
            if (exact := self._same.get((key, folded))) is not None:
                shared[exact] = shared.get(exact, 0) + 1000
        ranked = sorted(shared, key=lambda held: (-shared[held], held.id))
        there = [held for held in ranked if held.start < place]
        later = [held for held in ranked if held.start > place]
        return there[:_MOST_CANDIDATES] + later[:_MOST_CANDIDATES]


def _beginnings(lower: str) -> set[str]:
    """Rough marks of the words of a text: their first four letters; pairs of characters of other scripts."""
    found = {word[:4] for word in lower.translate(_PARTING).split()}
    if not lower.isascii():
        found.update(lower)
        found.update(one + two for one, two in pairwise(lower) if one > "\u02ff" and two > "\u02ff")
    return found


def _whole(word: str) -> set[str]:
    """The marks of a word of which a text that has it has at least one; single characters only where it is one."""
    return {word} if len(word) == 1 else {mark for mark in _beginnings(word) if len(mark) > 1}


_PARTING = str.maketrans(dict.fromkeys("-,.;:!?()[]\"'/<>“”", " "))
