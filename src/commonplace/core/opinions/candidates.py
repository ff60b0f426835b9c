"""Candidate opinions for a fact: those about the same entities that share a concept with it.

A fact is compared only with opinions on its own entities that share a concept with it, so that weighing grows with the
facts and not with their square. The result is cached by a digest of the fact's text and of all opinions on its
entities, in the order in which they began. So the next pass applies the rules to new facts only.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from commonplace.core.memo import DIGEST_SIZE
from commonplace.core.model import Stance
from commonplace.core.stance import prepare, similarity_prepared, weigh_prepared
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, unify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Fact
    from commonplace.core.opinions.opinion_entry import Entry, Mark
    from commonplace.core.stance import Statement

    Bearing = tuple[tuple[str, str, float], ...] | None
    """How a fact relates to the opinions that it was compared with: (opinion id, stance, similarity in [0, 1]), the
    most similar first; None if it has no word of any of them."""

JUDGED_FROM = 0.6
"""Minimum similarity of evidence that no rule decides for a person to be asked."""
MOST_CANDIDATES = 24


class Held:
    """An opinion while facts are weighed."""

    __slots__ = (
        "_bearing", "_texts", "entities", "frozen", "hidden", "id", "keys", "marks", "opposite", "page", "spent",
        "start", "statement", "wordings",
    )  # fmt: skip

    def __init__(self, id: str, statement: str, entities: tuple[str, ...], keys: frozenset[str]) -> None:
        self.id = id
        self.statement = statement
        self.entities = entities
        self.keys = keys
        self.wordings = [statement]
        """The statement, and the wording of a fact that a person changed on the page."""
        self.start: tuple[int, str, int] = (0, "", 0)
        """Order of its first statement: earlier facts are no evidence, since they were known then."""
        self.page: Entry | None = None
        self.frozen: list[Mark] = []
        """Marks up to the last value set by hand; they no longer count."""
        self.spent: frozenset[str] = frozenset()
        self.marks: list[Mark] = []
        self.opposite: Held | None = None
        self.hidden = False
        self._texts: list[Statement] = []
        self._bearing: dict[str, tuple[Stance, float]] = {}
        """By a fact's text: repeated texts are weighed once."""

    @property
    def texts(self) -> list[Statement]:
        """The parsed wordings."""
        if len(self._texts) < len(self.wordings):
            self._texts = [prepare(text) for text in self.wordings]
        return self._texts

    def know(self, text: str) -> None:
        """Add another wording of the opinion for facts to be compared with."""
        if text != self.statement and fold(text) != fold(self.statement):
            self.wordings.append(text)
            self._bearing.clear()

    def weigh(self, fact: Fact) -> tuple[Stance, float]:
        """Return the stance of a fact by the rules, to any of the wordings, and their similarity in [0, 1]."""
        known = self._bearing.get(fact.content)
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
        self._bearing[fact.content] = known
        return known


class Candidates:
    """Opinions by entity and concept. They are parsed when the first fact is compared with them."""

    def __init__(self) -> None:
        self._unread: dict[str, list[Held]] = {}
        """By entity: opinions in the order in which they were added."""
        self._states: dict[str, bytes] = {}
        """By entity: a digest of all that was added."""
        self._same: dict[tuple[str, str], Held] = {}
        """By entity and folded text."""
        self._by_concept: dict[str, dict[str, list[Held]]] = {}
        self._marks: dict[str, set[str]] = {}
        """By entity: beginnings of the words of its opinions (`_beginnings`)."""
        self._ends: dict[frozenset[str], bytes] = {}
        """By entities: end of the digest of all opinions on them; empty if there are none."""

    def add(self, held: Held) -> None:
        """Add an opinion, to be found by its wordings."""
        told = "\x1f".join((held.id, *held.wordings)).encode("utf-8", "surrogatepass")
        for key in held.keys:
            self._unread.setdefault(key, []).append(held)
            self._states[key] = blake2b(self._states.get(key, b"") + told, digest_size=DIGEST_SIZE).digest()
        self._ends.clear()

    def digest(self, fact: Fact, keys: frozenset[str], *, of_opinion: bool) -> bytes | None:
        """Return a digest of the arguments and of all opinions on the fact's entities; None if there are none."""
        end = self._ends.get(keys)
        if end is None:
            known = sorted(key for key in keys if key in self._states)
            names = "".join(f"\x1f{key}" for key in known).encode("utf-8", "surrogatepass")
            self._ends[keys] = end = b"".join((names, *(self._states[key] for key in known)))
        if not end:
            return None
        told = f"{'O' if of_opinion else ''}\x1f{fact.content}".encode("utf-8", "surrogatepass")
        return blake2b(told + end, digest_size=DIGEST_SIZE).digest()

    def bearing(self, fact: Fact, keys: frozenset[str], *, of_opinion: bool) -> Bearing:
        """Return how a fact relates to the most similar candidates, without those that the rules say nothing about.

        Args:
            of_opinion: whether the fact states an opinion; any other must share a word with one to be compared.
        """
        if not of_opinion and not self.spoken_of_in(fact, keys):
            return None
        found = []
        for held in islice(self.of(fact, keys), MOST_CANDIDATES):
            stance, alike = held.weigh(fact)
            if stance is not Stance.UNDECIDED or alike >= JUDGED_FROM:
                found.append((held.id, stance.value, alike))
        return tuple(found)

    def spoken_of_in(self, fact: Fact, keys: frozenset[str]) -> bool:
        """Whether a fact has a word of an opinion on the same entity; parsing it would cost a hundred times as much."""
        self._read(keys)
        known = [key for key in keys if key in self._marks]
        text = fact.content if fact.content.isascii() else unify(fact.content)
        words = _beginnings(text.lower())
        return any(not words.isdisjoint(self._marks[key]) for key in known)

    def of(self, fact: Fact, keys: frozenset[str]) -> list[Held]:
        """Return the opinions on the same entity that share a concept with the fact, the most similar first."""
        self._read(keys)
        known = [key for key in keys if key in self._by_concept]
        if not known:
            return []
        folded = fold(fact.content)
        shared: dict[Held, int] = {}
        said = prepare(fact.content)
        for key in known:
            concepts = self._by_concept[key]
            for concept in said.content & concepts.keys():
                for held in concepts[concept]:
                    shared[held] = shared.get(held, 0) + 1
            if (exact := self._same.get((key, folded))) is not None:
                shared[exact] = shared.get(exact, 0) + 1000
        return sorted(shared, key=lambda held: (-shared[held], held.id))

    def _read(self, keys: Iterable[str]) -> None:
        for key in keys:
            for held in self._unread.pop(key, ()):
                for read in held.texts:
                    self._index(key, held, read)

    def _index(self, key: str, held: Held, read: Statement) -> None:
        """Index one wording of an opinion on an entity."""
        self._same.setdefault((key, fold(read.text)), held)
        concepts = self._by_concept.setdefault(key, {})
        for concept in read.content:
            found = concepts.setdefault(concept, [])
            if not found or found[-1] is not held:
                found.append(held)
        words = self._marks.setdefault(key, set())
        for clause in read.clauses:
            for concept, written in clause.surface.items():
                if concept in read.content:
                    words |= _whole(written.lower()) | _whole(concept)


def _beginnings(lower: str) -> set[str]:
    """Return the first four letters of each word of a text; of other scripts pairs of characters."""
    found = {word[:4] for word in _PARTING.sub(" ", lower).split()}
    if not lower.isascii():
        found.update(lower)
        found.update(one + two for one, two in pairwise(lower) if one > "\u02ff" and two > "\u02ff")
    return found


def _whole(word: str) -> set[str]:
    """Return beginnings of which a text with this word has at least one; single characters only if it is one."""
    return {word} if len(word) == 1 else {mark for mark in _beginnings(word) if len(mark) > 1}


_PARTING = lazy_pattern("[-,.;:!?()\\[\\]\"'/<>“”]")
