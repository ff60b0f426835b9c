"""Coverage: which terms of a question a line contains, itself or in its surroundings.

A term counts by its rarity, with BM25's saturation and length (Robertson & Zaragoza 2009), and a little more beside the
one that is asked before it (Metzler & Croft 2005); what only headings, parents and neighbours say counts at a discount.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from commonplace.core import when
from commonplace.core.documents.fact_syntax import searchable
from commonplace.core.documents.name_mentions import (
    introduced,
    named_alone,
    named_behind_label,
    named_in_brackets,
    said_by,
)
from commonplace.core.entities.entity_names import entity_key, stands
from commonplace.core.model import AnyLine, Fact, Span
from commonplace.core.questions.query_analysis import Reading
from commonplace.core.questions.question_parts import listed
from commonplace.core.recall.term_match import Occurrences, Sought, SoughtMembers
from commonplace.core.recall.term_stats import ASKING, WEAK, Members, Scale, names
from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term, document_terms, query_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

_SHOWN = lazy_pattern(r"\||\*\*[^*]*[^*:：]\*\*(?!\s?[:：])")
"""How a dated line begins that may introduce somebody: a row, or a name in bold that is no label."""


def named_in(reading: Reading, text: str) -> tuple[str, ...]:
    """Return the names of a question's entities that a text contains, as it writes them."""
    folded = fold(text)
    places = {name: folded.find(name) for name, _ in reading.entities if stands(name, text)}
    same = len(folded) == len(text)
    return tuple(text[at : at + len(name)] if same and at >= 0 else name for name, at in places.items())


def said_in(line: AnyLine) -> frozenset[str]:
    """Return the terms of a line and of the headings and bullets above it."""
    texts = (searchable(line.content, line.entities), *line.context)
    return frozenset(term for text in texts for term in document_terms(text).split())


def untold(reading: Reading, lines: Iterable[AnyLine]) -> tuple[str, ...]:
    """Return the things in a question's list that no line has a term of, as typed; empty if that is all of them."""
    things = listed(reading)
    if not things:
        return ()
    named = names(reading)
    said = frozenset[str]().union(*map(said_in, lines))

    def told(thing: str) -> bool:
        asked = [term for term in query_terms(thing) if term.weight > WEAK and named.isdisjoint(term.keys)]
        return not asked or any(said & {key.rstrip("*") for key in term.keys} for term in asked)

    missing = tuple(thing for thing in things if not told(thing))
    return missing if len(missing) < len(things) else ()


class Covered(NamedTuple):
    """What a line covers of a question."""

    share: float
    words: list[str]
    """Found in the line itself, those of a date phrase with a year only when all of it is."""
    around: list[str]
    """Found in its context and the lines beside it."""
    asked: bool
    """Whether that is more than names."""
    named: bool
    """Whether a name is among it."""
    told: float
    """Share of the question without names, in [0, 1]; unknown terms count in full."""
    dated: float
    """What the words of the question's date phrase would add to its share."""
    hinted: bool
    """Whether it has a part of an identifier, which alone is no reason."""
    is_exact: bool
    """Whether it has a quoted phrase of the question word for word."""
    is_dated: bool
    """Whether it has the question's date phrase with its year."""
    titled: float
    """Share of the question that it and what stands above it have, in [0, 1]."""


_NO_DATES: tuple[float, bool, list[str]] = (0.0, False, [])


class _Asked(NamedTuple):
    term: Term
    worth: float
    keys: frozenset[str]
    name: bool
    """Whether it is part of a name."""
    telling: bool
    """Whether it is strong enough to be what the question is about."""


class _Standing(dict[str, frozenset[str]]):
    """Cache: text -> its terms that are in the question; the same headings come again and again."""

    def __init__(self, keys: frozenset[str], known: Occurrences) -> None:
        self._keys = keys
        self._known = known

    def __missing__(self, text: str) -> frozenset[str]:
        found = self[text] = self._keys.intersection(self._known[text])
        return found


class _Above(dict[tuple[str, ...], frozenset[str]]):
    """Cache: context -> its terms that are in the question."""

    def __init__(self, standing: _Standing) -> None:
        self._standing = standing

    def __missing__(self, context: tuple[str, ...]) -> frozenset[str]:
        found = self[context] = frozenset[str]().union(*map(self._standing.__getitem__, context))
        return found


def wants_more_than_names(reading: Reading) -> bool:
    """Return whether a question has strong terms beside names."""
    named = names(reading)
    return any(term.weight > WEAK and named.isdisjoint(term.keys) for term in reading.terms)


_NAMED = 80
"""Characters behind a label within which stands whom it introduces."""


class Coverage:
    """Computes what lines cover of one question."""

    def __init__(self, scale: Scale, reading: Reading) -> None:
        self._called = tuple(name for name, _ in reading.entities)
        self._others = reading.others
        self._keys, self._is_of_one = frozenset(reading.keys), not wants_more_than_names(reading)
        called = names(reading)
        weights = self._weights = table("rank")
        self._k1: float = weights["k1"]
        self._b: float = weights["b"]
        self._b_paragraph: float = weights["b_paragraph"]
        self._near: float = weights["near"]
        self._paragraph: float = weights["paragraph"]
        self._message: float = weights["message"]
        self._scale = scale
        self._text = fold(reading.query)
        span = reading.when.span if reading.when else None
        self._day = span.start if span is not None and span.start == span.end else None
        self._terms = [
            _Asked(term, worth, frozenset(term.keys), not called.isdisjoint(term.keys), term.weight > WEAK)
            for term, worth in scale.terms
        ]
        self._tells = any(asked.telling for asked in self._terms)
        self._naming = any(asked.name for asked in self._terms)
        known = Occurrences()
        self._sought = Sought([term for term, _ in (*scale.terms, *scale.dates)], known=known)
        lesser = [min(one.worth, other.worth) for one, other in pairwise(self._terms)]
        self._together = [0.0, *(weights["together"] * worth for worth in lesser), *(0.0 for _ in scale.dates)]
        """What each term adds next to the one before it in the question; 0 for terms of dates."""
        self._standing = _Standing(frozenset(key for asked in self._terms for key in asked.keys), known)
        self._above = _Above(self._standing)
        self._members = [(each, SoughtMembers(each.each, known=known)) for each in scale.members]

    def introduces(self, line: AnyLine) -> str:
        """Return the name that an undated line introduces, or a dated one that is a row or has the name in bold without
        a colon, as who speaks has it, if the question asks for nothing else; else empty. Behind a label for somebody
        close or in brackets an undated line introduces that one: `Wife: Ann Lee, a nurse`, `Acme (Ann Lee, sales)`."""
        shown = line.recorded is None or _SHOWN.match(line.content)
        name, told = introduced(line.content) if shown else ("", "")
        if name and self._names(name):
            return name
        if line.recorded is not None:
            return ""
        if (one := named_in_brackets(line.content)) and self._names(one):
            return one
        if not (name and self._is_asked_in(told[:_NAMED])) or told[:1].islower():
            return ""
        from commonplace.core.entities.introductions import speaks_of_a_relative  # here, because few lines need it

        return name if speaks_of_a_relative(name) else ""

    def names_alone(self, line: AnyLine, *, below: bool) -> tuple[str, str]:
        """Return the name of the one asked about that is all of an undated line, or the title of its section, or stands
        behind its label, and the name of the weight for that; both empty if there is none.

        Args:
            below: the title may also be that of the file, or stand above that of its section.
        """
        if line.recorded is not None or not self._tells:
            return "", ""
        for text in (line.content, *(line.context if below else line.context[1:][-1:])):
            if (name := named_alone(text)) and self._names(name):
                return name, "names_alone"
        name = named_behind_label(line.content)
        return (name, "names_behind_label") if name and self._names(name) else ("", "")

    def has_what_asks(self, line: AnyLine) -> bool:
        """Return whether a line or its title has a word by which the question asks, and which alone is no reason."""
        said = self._standing[line.content].union(*map(self._standing.__getitem__, line.context[-1:]))
        return any(asked.term.weight <= ASKING and not asked.keys.isdisjoint(said) for asked in self._terms)

    def _names(self, name: str) -> bool:
        """Whether a name has all that the question asks about, and beside it at most one word that may be a name's:
        `Marek Lind`, but not `Mareks DNS-server`. Without spaces it stands in the question: a command may have its
        signs, too."""
        if self._is_of_one and entity_key(name) in self._keys:
            return True
        if not self._is_asked_in(name):
            return False
        if max(name) >= FAR_EAST and " " not in name:
            return fold(name) in self._text
        others = [each for each in name.split(" ") if not self._standing[each]]
        return len(others) <= 1 and not any("-" in each for each in others)

    def _is_asked_in(self, text: str) -> bool:
        """Whether a text has all that the question asks about, if it names anything."""
        said = self._standing[text]
        return self._tells and not any(asked.keys.isdisjoint(said) for asked in self._terms if asked.telling)

    def promise(self, worth: float, *, length: int, near: float) -> float:
        """Return an estimate of what a line of so many terms covers, by their worth, before its text is read.

        Args:
            near: share of the question within a few lines.
        """
        covered = worth / self._scale.total * (self._k1 + 1) / (1 + self._norm(length))
        return covered + self.beside(length, near)

    def leaning(self, length: int) -> float:
        """Return the weight of the lines around a line of so many terms, in (0, 1].

        It is 1 for a few words and less for a paragraph.
        """
        return _less_above(self._paragraph, length)

    def beside(self, length: int, near: float) -> float:
        """Return what a line of so many terms scores by what is near it: where much of a question stands, it is told.

        Args:
            near: share of the question within a few lines. It is squared, since a common word or two is everywhere.
        """
        return _less_above(self._message, length) * self._near * near * near

    def of(self, line: AnyLine, *, length: int, before: str, after: str, name: frozenset[str]) -> Covered:
        """Return what a line with its context covers of the question.

        Args:
            length: terms in it.
            before: the line before it, of the same file and day; `after` the one after it.
            name: terms that are covered by being about the entity, under whichever of its names.
        """
        weights, lean = self._weights, self.leaning(length)
        beside = lean * weights["neighbour"]
        text = searchable(line.content, line.entities if isinstance(line, Fact) else ())
        counts, together = self._sought.hits(text)
        asks_back = _asks_back(before)
        above, said_before, said_after = self._above[line.context], self._standing[before], self._standing[after]
        around_it = (
            (above, weights["context"]),
            (said_before, lean * weights["answers"] if asks_back else beside),
            (said_after, beside),
        )
        around_keys = above | said_before | said_after
        spoken = weights["addressed"] if line.speaker and not name else 1.0
        gain, norm = self._k1 + 1, self._norm(length)
        got, told, titled, parts = sum([self._together[at] for at in together]), 0.0, 0.0, 0
        words: list[str] = []
        around: list[str] = []
        strong, more, called, exact = not self._tells, False, False, False
        sure = self._sure(text, counts) if self._naming and not name else 1.0
        for asked, count in zip(self._terms, counts, strict=False):
            known = asked.name and not name.isdisjoint(asked.keys)
            if not (count or known) and asked.keys.isdisjoint(around_keys):
                continue
            titled += asked.worth * (bool(count) or known or not asked.keys.isdisjoint(above))
            worth = asked.worth * (spoken * (sure or weights["misnamed"]) if asked.name else 1.0)
            if count or known:
                called = called or (asked.name and sure > 0)
                got += asked.worth if known else worth * count * gain / (count + norm)
            else:
                nearest = max([share for keys, share in around_it if not keys.isdisjoint(asked.keys)])
                got += worth * nearest
                # being beside a term is a reason in talk, after a question and below a heading, not in a list
                belongs = nearest > beside or line.speaker or said_by(before)
                if belongs and (asked.term.weight > ASKING or not self._tells):
                    around.append(asked.term.text)
            if count:
                words.append(asked.term.text)
                parts += asked.term.kind == "part"
                strong = strong or asked.telling
                exact = exact or asked.term.kind == "phrase"
            if not asked.name:
                more = more or asked.telling
                told += asked.worth
        for member, members in self._members_in(text, counts):  # a paragraph has any of them sooner than a line
            got += lean * members.worth * gain / (1 + norm)
            told += members.told if called or not (self._naming or self._scale.strangers) else 0.0
            words.append(f"{member} ({members.word})")
            strong = more = True
        if parts == len(words) == 1 or not strong:
            words = []  # a part of an identifier, a like beginning, or a word that only asks, alone is no reason
        if asks_back and said_before:
            got += self._answering(said_before, spoken=spoken, lean=lean)
        dated, is_dated, date_words = (
            self._dates(line, counts[len(self._terms) :], alone=not got) if self._scale.dates else _NO_DATES
        )
        share, above_too, beside_names = (
            got / self._scale.total,
            titled / self._scale.total,
            told / self._scale.beside_names,
        )
        words += date_words
        more = more or is_dated
        return Covered(share, words, around, more, called, beside_names, dated, parts > 0, exact, is_dated, above_too)

    def _members_in(self, text: str, counts: list[int]) -> Iterator[tuple[str, Members]]:
        """Yield a member in a text of each general word that is not in it itself."""
        if self._members:
            own = {asked.term for asked, count in zip(self._terms, counts, strict=False) if count}
            for members, sought in self._members:
                if own.isdisjoint(members.own) and (member := sought.first(text)):
                    yield member, members

    def _answering(self, said: frozenset[str], *, spoken: float, lean: float) -> float:
        """What a line adds by following a question with these terms."""
        answered = [asked for asked in self._terms if not asked.keys.isdisjoint(said)]
        worth = sum(asked.worth * (spoken if asked.name else 1.0) for asked in answered)
        return float(lean * self._weights["answering"] * worth)

    def _dates(self, line: AnyLine, counts: list[int], *, alone: bool) -> tuple[float, bool, list[str]]:
        """What the words of the date phrase add; whether all of it is there, and then its words.

        Args:
            alone: whether nothing else of the question is there: then only a phrase with its year counts.
        """
        dates = self._scale.dates
        found = [date for date, count in zip(dates, counts, strict=True) if count]
        whole = len(found) == len(dates)
        if found and not whole and not self._may_mean_the_day(line, [term.text for term, _ in found]):
            return _NO_DATES
        is_dated = whole and (self._scale.year or (self._scale.fixed and not alone))
        return (
            sum(worth for _, worth in found) / self._scale.total,
            is_dated,
            [term.text for term, _ in found if is_dated],
        )

    def _may_mean_the_day(self, line: AnyLine, words: list[str]) -> bool:
        """Whether a line with only these words of the date phrase may mean the day asked for, if that is one: beside
        “27 March”, March 7 is another day, and “stop at 27” none."""
        day = self._day
        if day is None:
            return True
        if named := when.find(line.content, line.recorded or day):
            return any(each.span.overlaps(Span(day, day)) for each in named)
        return not all(map(str.isdecimal, words))

    def _sure(self, text: str, counts: list[int]) -> float:
        """How surely a line with a word of a name means the question's entity, in [0, 1].

        Less than 1 if it is only in a longer word or an address, 0 if it is somebody else's name.
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
        """BM25's discount for lines of so many terms, more of it for a paragraph, which has any word sooner."""
        b = self._b + (self._b_paragraph - self._b) * (1 - self.leaning(length))
        return self._k1 * (1 - b + b * length / self._scale.average)


def _less_above(few: float, length: int) -> float:
    """1 up to so many terms, and less for more."""
    return 1.0 if length <= few else (few / length) ** 2


def _asks_back(text: str) -> bool:
    return "?" in text or "？" in text
