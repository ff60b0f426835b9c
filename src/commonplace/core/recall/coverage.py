"""Coverage: which terms of a question a line contains, itself or in its surroundings.

A term counts by its rarity, with BM25's saturation and length (Robertson & Zaragoza 2009), and a little more beside the
one that is asked before it (Metzler & Croft 2005); what only headings, parents and neighbours say counts at a discount.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import searchable
from commonplace.core.documents.name_mentions import introduced, said_by
from commonplace.core.entities.entity_names import stands
from commonplace.core.model import Fact
from commonplace.core.recall.query_analysis import listed, strangers
from commonplace.core.recall.term_match import Sought
from commonplace.core.recall.term_stats import idf
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms, query_terms
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import AnyLine
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.core.text.analyzer import Term

ASKING = 0.35
"""Weight up to which a term only asks ("happened", "decide") and names nothing to look for."""
WEAK = 0.45
"""Weight up to which a term, a pair of kana for one, is too weak to be what a question is after."""
UNKNOWN = 0.25
"""Share of its worth at which a term counts that stands nowhere: covering the rest is not covering all."""


class Scale(NamedTuple):
    """What the terms of a question are worth in this workspace."""

    terms: tuple[tuple[Term, float], ...]
    """Each with weight × inverse document frequency."""
    dates: tuple[tuple[Term, float], ...]
    total: float
    """What covering the whole question would give."""
    beside_names: float
    """What its terms beside names are worth, those that stand nowhere in full."""
    year: bool
    """Whether the date phrase names a year."""
    unknown: tuple[str, ...]
    """The words that it asks for and that stand nowhere, as typed."""
    strangers: bool
    """Whether one of them is a name."""
    average: float
    """Mean length of a line, in terms."""


def names(reading: Reading) -> frozenset[str]:
    """The terms of the names of the entities that a question names."""
    return frozenset(term for name, _ in reading.entities for term in document_terms(name).split())


def named_in(reading: Reading, text: str) -> tuple[str, ...]:
    """The entities of a question that a text names, as it writes them."""
    folded = fold(text)
    places = {name: folded.find(name) for name, _ in reading.entities if stands(name, text)}
    same = len(folded) == len(text)
    return tuple(text[at : at + len(name)] if same and at >= 0 else name for name, at in places.items())


def names_year(reading: Reading) -> bool:
    """Whether the date phrase of a question names a year in digits."""
    return any(len(term.text) == 4 and term.text.isdecimal() for term in reading.date_terms)


def scale(reading: Reading, frequencies: dict[str, int], lines: int, length: int) -> Scale:
    """The worth of each term in a workspace of so many lines with so many terms in all."""
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
        tuple(dict.fromkeys(term.text for term in unknown if term.weight > WEAK and named.isdisjoint(term.keys))),
        bool(unknown and strangers(reading, unknown)),
        length / lines if lines else 1.0,
    )


def untold(reading: Reading, lines: Iterable[AnyLine]) -> tuple[str, ...]:
    """Of the things that a question lists those that no line has a word of, as typed; empty where that is all."""
    things = listed(reading)
    if not things:
        return ()
    named = names(reading)
    said: set[str] = set()
    for line in lines:
        said.update(
            *(document_terms(text).split() for text in (searchable(line.content, line.entities), *line.context))
        )

    def told(thing: str) -> bool:
        asked = [term for term in query_terms(thing) if term.weight > WEAK and named.isdisjoint(term.keys)]
        return not asked or any(said & {key.rstrip("*") for key in term.keys} for term in asked)

    missing = tuple(thing for thing in things if not told(thing))
    return missing if len(missing) < len(things) else ()


class Covered(NamedTuple):
    """What of the question a line covers."""

    share: float
    words: list[str]
    """Found in the line itself, those of a date phrase with a year only when all of it is."""
    around: list[str]
    """Found in what stands around it."""
    asked: bool
    """Whether that is more than names."""
    named: bool
    """Whether a name is among it."""
    told: float
    """Share of what the question says beside names, in [0, 1]; what stands nowhere counts in full."""
    dated: float
    """What the words of the question's date phrase that stand in the line would add to its share."""
    hinted: bool
    """Whether it has a part of an identifier or a word that begins alike, which alone is no reason."""
    is_exact: bool
    """Whether a quoted phrase of the question stands in it word for word."""
    is_dated: bool
    """Whether the question's date phrase stands in it with its year."""


class _Asked(NamedTuple):
    """A term of the question."""

    term: Term
    worth: float
    keys: frozenset[str]
    name: bool
    """Whether it is of a name."""
    telling: bool
    """Whether it is strong enough to be what the question is after."""


class _Standing(dict[str, frozenset[str]]):
    """From a text to those of its terms that a question asks for; headings come again and again."""

    def __init__(self, keys: frozenset[str]) -> None:
        self._keys = keys

    def __missing__(self, text: str) -> frozenset[str]:
        found = self[text] = self._keys.intersection(document_terms(text).split())
        return found


class _Above(dict[tuple[str, ...], frozenset[str]]):
    """The same of headings and parents together, which many lines share."""

    def __init__(self, standing: _Standing) -> None:
        self._standing = standing

    def __missing__(self, context: tuple[str, ...]) -> frozenset[str]:
        found = self[context] = frozenset[str]().union(*map(self._standing.__getitem__, context))
        return found


def wants_more_than_names(reading: Reading) -> bool:
    """Whether a question asks for something of whom it names, or names nobody."""
    named = names(reading)
    return any(term.weight > WEAK and named.isdisjoint(term.keys) for term in reading.terms)


class Coverage:
    """Tells what lines cover of one question."""

    def __init__(self, scale: Scale, reading: Reading) -> None:
        self._called = tuple(name for name, _ in reading.entities)
        self._others = reading.others
        called = names(reading)
        weights = self._weights = table("rank")
        self._k1: float = weights["k1"]
        self._b: float = weights["b"]
        self._near: float = weights["near"]
        self._paragraph: float = weights["paragraph"]
        self._scale = scale
        self._terms = [
            _Asked(term, worth, frozenset(term.keys), not called.isdisjoint(term.keys), term.weight > WEAK)
            for term, worth in scale.terms
        ]
        self._tells = any(asked.telling for asked in self._terms)
        self._naming = any(asked.name for asked in self._terms)
        self._sought = Sought([term for term, _ in (*scale.terms, *scale.dates)])
        lesser = [min(one.worth, other.worth) for one, other in pairwise(self._terms)]
        self._together = [0.0, *(weights["together"] * worth for worth in lesser), *(0.0 for _ in scale.dates)]
        """What each term adds beside the one asked before it; those of dates nothing."""
        self._standing = _Standing(frozenset(key for asked in self._terms for key in asked.keys))
        self._above = _Above(self._standing)

    def introduces(self, line: AnyLine) -> str:
        """Whom a line of no day introduces, where the question names them and asks for nothing else; else empty."""
        name = introduced(line.content) if line.recorded is None else ""
        said = self._standing[name] if name else frozenset()
        return "" if any(asked.keys.isdisjoint(said) for asked in self._terms if asked.telling) else name

    def promise(self, worth: float, length: int, near: float) -> float:
        """What a line of so many terms may cover, before its text is read: by the worth of those that stand in it.

        Args:
            near: share of the question that stands within a few lines.
        """
        covered = worth / self._scale.total * (self._k1 + 1) / (1 + self._norm(length))
        return covered + self.leaning(length) * self._near * near

    def leaning(self, length: int) -> float:
        """How far a line of so many terms leans on those around it, in (0, 1].

        A few words lean wholly, a paragraph stands for itself.
        """
        few = self._paragraph / length if length > self._paragraph else 1.0
        return few * few

    def of(self, line: AnyLine, length: int, before: str, after: str, name: frozenset[str]) -> Covered:
        """What a line with its context covers of the question.

        Args:
            length: terms in it.
            before: the line before it, of the same file and day; `after` the one after it.
            name: terms that are covered by being about the entity, under whichever of its names.
        """
        weights, lean, asks_back = self._weights, self.leaning(length), _asks_back(before)
        text = searchable(line.content, line.entities if isinstance(line, Fact) else ())
        counts, together = self._sought.hits(text)
        beside = lean * weights["neighbour"]
        above, said_before, said_after = self._above[line.context], self._standing[before], self._standing[after]
        around_it = (
            (above, weights["context"]),
            (said_before, lean * weights["answers"] if asks_back else beside),
            (said_after, beside),
        )
        around_keys = above | said_before | said_after
        spoken = weights["addressed"] if line.speaker and not name else 1.0
        gain, norm = self._k1 + 1, self._norm(length)
        got, told, parts = sum([self._together[at] for at in together]), 0.0, 0
        words: list[str] = []
        around: list[str] = []
        telling, more, called, exact = not self._tells, False, False, False
        sure = self._sure(text, counts) if self._naming and not name else 1.0
        for asked, count in zip(self._terms, counts, strict=False):
            known = asked.name and not name.isdisjoint(asked.keys)
            if not (count or known) and asked.keys.isdisjoint(around_keys):
                continue
            worth = asked.worth * (spoken * (sure or weights["misnamed"]) if asked.name else 1.0)
            if count or known:
                called = called or (asked.name and sure > 0)
                got += asked.worth if known else worth * count * gain / (count + norm)
            else:
                nearest = max(share for keys, share in around_it if not keys.isdisjoint(asked.keys))
                got += worth * nearest
                # standing beside a word is a reason in talk, after a question and below a heading, not in a list
                belongs = nearest > beside or line.speaker or said_by(before)
                if belongs and (asked.term.weight > ASKING or not self._tells):
                    around.append(asked.term.text)
            if count:
                words.append(asked.term.text)
                parts += asked.term.kind == "part"
                telling = telling or asked.telling
                exact = exact or asked.term.kind == "phrase"
            if not asked.name:
                more = more or asked.telling
                told += asked.worth
        if parts == len(words) == 1 or not telling:
            words = []  # a part of an identifier, a like beginning, or a word that only asks, alone is no reason
        dates = self._scale.dates
        of_dates = dates and [date for date, count in zip(dates, counts[len(self._terms) :], strict=True) if count]
        if asks_back and said_before:
            answered = [asked for asked in self._terms if not asked.keys.isdisjoint(said_before)]
            worth = sum(asked.worth * (spoken if asked.name else 1.0) for asked in answered)
            got += lean * weights["answering"] * worth
        total = self._scale.total
        dated = sum(worth for _, worth in of_dates) / total
        is_dated = self._scale.year and len(of_dates) == len(dates)
        if is_dated:
            words += [term.text for term, _ in of_dates]
        beside_names = told / self._scale.beside_names
        return Covered(got / total, words, around, more, called, beside_names, dated, parts > 0, exact, is_dated)

    def _sure(self, text: str, counts: list[int]) -> float:
        """How far a line that holds a word of a name names whom the question does.

        1, but less where it stands only in a longer word or an address, and 0 where it is somebody else's name.
        """
        if not any(count and asked.name for asked, count in zip(self._terms, counts, strict=False)):
            return 1.0
        if any(stands(name, text) for name in self._called):
            return 1.0
        if any(stands(name, text) for name in self._others):
            return 0.0
        there = [stands(word, text) for name in self._called for word in name.split()]
        return float(self._weights["misnamed"]) if False in there and True not in there else 1.0

    def _norm(self, length: int) -> float:
        """BM25's discount for lines of so many terms."""
        return self._k1 * (1 - self._b + self._b * length / self._scale.average)


def _asks_back(text: str) -> bool:
    """Whether a line is a question, which the next line may answer."""
    return "?" in text or "？" in text
