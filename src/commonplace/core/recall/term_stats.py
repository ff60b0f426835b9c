"""Term statistics: how rare a term is, what those of a question are worth, and what a document adds to its lines.

A question and its answer are often on two lines, and a day with all terms of a question answers it more likely than a
day with one of them. A document is what one file says of one day.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import log
from typing import NamedTuple

from commonplace.core.questions.query_analysis import Reading
from commonplace.core.questions.unknown_names import strangers
from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term, document_terms

NEAR = 4
"""Lines before and after a line that count as near it."""
ASKING = 0.35
"""Weight up to which a term only asks ("happened", "decide") and is not searched for."""
WEAK = 0.45
"""Weight up to which a term, such as a pair of kana, is too weak to be what a question is about."""
MEMBER = "member"
"""The kind of the term of all members of a general word."""
MOST_MEMBERS = 800
"""Number of lines with members of a general word above which the most common members are left out."""
UNKNOWN = 0.25
"""Share of its worth that an unknown term adds to the total: covering the rest is not covering all."""


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency, never negative (the `+1` form of BM25)."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


class Members(NamedTuple):
    """The members of a general word of a question that lines have."""

    word: str
    """The general word, as typed."""
    own: tuple[Term, ...]
    """Its own terms."""
    each: tuple[Term, ...]
    """The members."""
    term: Term
    """All of them as one term."""
    worth: float
    """What a line covers by one of them."""
    told: float
    """The worth of the general word in full."""


class Scale(NamedTuple):
    """The worth of the terms of a question in this workspace."""

    terms: tuple[tuple[Term, float], ...]
    """Each with weight × inverse document frequency."""
    dates: tuple[tuple[Term, float], ...]
    total: float
    """The worth of the whole question."""
    beside_names: float
    """The worth of its terms without names; unknown terms count in full."""
    year: bool
    """Whether the date phrase names a year."""
    fixed: bool
    """Whether it is of the same days of a year on any day."""
    strangers: bool
    """Whether a search term that no line has is a name."""
    average: float
    """Mean length of a line, in terms, at most that of a paragraph: beside an assistant's long ones a message is short.
    By the length of a message chats gain more, but passages lose .03 of R@1."""
    members: tuple[Members, ...] = ()
    """Of its general words."""

    @property
    def with_members(self) -> tuple[tuple[Term, float], ...]:
        """The terms and the members of general words, each with its worth."""
        return (*self.terms, *((term, members.worth) for members in self.members for term in members.each))


def names(reading: Reading) -> frozenset[str]:
    """Return the terms of the names of a question's entities."""
    return frozenset(term for name, _ in reading.entities for term in document_terms(name).split())


def names_year(reading: Reading) -> bool:
    """Return whether the date phrase of a question has a year in digits."""
    return any(len(term.text) == 4 and term.text.isdecimal() for term in reading.date_terms)


def scale(reading: Reading, frequencies: dict[str, int], lines: int, length: int) -> Scale:
    """Return the worth of each term.

    Args:
        frequencies: key of a term -> number of lines that have it.
        lines: in the workspace.
        length: terms in all of them.
    """
    weights, named = table("rank"), names(reading)
    unknown = [term for term in reading.terms if not any(map(frequencies.get, term.keys))]

    def in_full(term: Term) -> float:
        return term.weight * idf(lines, max((frequencies.get(key, 0) for key in term.keys), default=0))

    def worth(term: Term) -> float:
        return in_full(term) * (UNKNOWN if term in unknown else 1.0)

    terms = tuple((term, worth(term)) for term in reading.terms)
    dates = tuple((term, worth(term) * weights["date_terms"]) for term in reading.date_terms)
    return Scale(
        terms,
        dates,
        sum(value for _, value in terms) or 1.0,
        sum(in_full(term) for term in reading.terms if named.isdisjoint(term.keys)) or 1.0,
        names_year(reading),
        reading.fixed,
        bool(unknown and strangers(reading, unknown)),
        min(length / lines, weights["longest_average"]) if lines else 1.0,
        tuple(_members(reading, frequencies, lines)),
    )


def _members(reading: Reading, frequencies: dict[str, int], lines: int) -> Iterator[Members]:
    """Yield the members of the question's general words that lines have, the rarest ones; no name of the question."""
    share, named = table("rank")["member"], names(reading)
    for general in reading.general:
        own = tuple(reading.terms[at] for at in general.at)
        rare = sorted((count, at) for at, term in enumerate(general.members) if (count := _lines(term, frequencies)))
        totals = [*accumulate(count for count, _ in rare)]
        kept = bisect_right(totals, MOST_MEMBERS)
        each = tuple(general.members[at] for _, at in rare[:kept] if named.isdisjoint(general.members[at].keys))
        if each and all(named.isdisjoint(term.keys) for term in own):
            match = " OR ".join(term.match for term in each)
            keys = tuple(key for term in each for key in term.keys)
            together = Term("", match, share * max(term.weight for term in own), MEMBER, keys)
            seen = [(term.weight, _lines(term, frequencies)) for term in own]
            worth = sum(weight * idf(lines, max(totals[kept - 1], count)) for weight, count in seen)
            told = sum(weight * idf(lines, count) for weight, count in seen)
            yield Members(general.text, own, each, together, share * worth, told)


def _lines(term: Term, frequencies: dict[str, int]) -> int:
    """The number of lines with a term, at most."""
    counts = [frequencies.get(key, 0) for key in term.keys]
    return min(counts) if term.kind == "phrase" else max(counts)


class Spread:
    """How well documents match the terms of one question.

    Args:
        lines: the number of lines in the workspace.
        documents: the number of documents.
        terms: the weight of each term of the question, and the number of days with lines that have it.
    """

    def __init__(self, lines: int, documents: int, terms: Iterable[tuple[float, int]]) -> None:
        documents = max(1, documents)
        self._average = lines / documents or 1.0
        self._terms = [weight * idf(documents, min(documents, days)) for weight, days in terms]
        self._k1: float = table("rank")["document_k1"]
        self._b: float = table("rank")["document_b"]

    def document(self, lines: int, counts: Iterable[tuple[int, int]]) -> float:
        """Return how well a document matches: BM25 (Robertson & Zaragoza 2009) with lines for words.

        Args:
            lines: the number of its lines.
            counts: (position of a term, number of lines with it).
        """
        k1, b = self._k1, self._b
        norm = k1 * (1 - b + b * lines / self._average)
        found = 0.0
        for term, count in counts:
            found += self._terms[term] * count * (k1 + 1) / (count + norm)
        return found
