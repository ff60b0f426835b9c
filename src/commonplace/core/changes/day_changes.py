"""What a plain line says of the day of a thing: `Dentist moved from Tuesday to the 14th`, `the call is cancelled`.

Laws: a line in doubt changes no day, and one that names another old day changes none of this one; a series goes on if
one of its days is moved; a thing is the same only if the older line has all words and numbers by which the newer
one names it.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import chain, zip_longest
from typing import NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP, denials, lexicon
from commonplace.core.changes.day_change_lexicon import CANCELLED, MOVED, POSTPONED, DayWords, day_words
from commonplace.core.model import Span, When
from commonplace.core.text.analyzer import document_terms, in_order
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold
from commonplace.core.when.grammar.calendar import day_of

_LONGEST = 500
_YEAR, _MONTH, _WEEK = 366, timedelta(31), timedelta(7)
_MOST_LOOSE = 3
"""Days in loose shapes that are read of a text."""
_BESIDE = 2
"""Clauses behind that of the verb which may say the days."""
_FIRST = 0xE000
"""The first of the private characters that stand for the dates of a text."""
_MARK = lazy_pattern("[\ue000-\uf8ff]")
_SENTENCE = lazy_pattern(r"(?<=[。!?！？])|(?<=\w{3})[.।](?=\s|$)|(?<=[\ue000-\uf8ff])\.(?=\s|$)")
_CLAUSE = lazy_pattern(r"[;,()、।]|:(?!\d)|\s[-–—]\s")
_BOUND = lazy_pattern(r"[;,:()、।，；：。！？]|(?<=\w{3})\.\s|\s[-–—]\s")
_COLON = lazy_pattern(r"[^:：]*[:：](?!\d)")
_SIGN = lazy_pattern(r"[\u3400-\u9fff\u30a0-\u30ffa-z]")
_AN_HOUR = r"[\d一二三四五六七八九十两]+(?:点|时)(?:半|[\d一二三四五六七八九十]+分?)?"
_CLOCK = lazy_pattern(_AN_HOUR)
_AT_AN_HOUR = lazy_pattern(rf"^\s?の?\s?{_AN_HOUR}")
_HOUR = lazy_pattern(r"\d[:.]\d\d(?!\d)")
_DIGITS = lazy_pattern(r"\d+")
_NUMBERED = lazy_pattern(
    r"(?<![\w\u0900-\u0963])([^\W\d_][\w\u0900-\u0963]*)[ -]#?"
    r"(\d+(?:\.\d+)*[^\W\d_]?|[^\W\d_])(?![\w\u0900-\u0963:/%]|[.,]\d)"
)
"""A word with the number or letter behind it that tells it apart."""
_LONE_NUMBER = lazy_pattern(r"(?<!\S)(?:(?:19|20)\d\d|v\d+(?:\.\d+)*|\d+\.\d+\.\d+|\d+\.(?=\s[^\W\d_]))(?!\S)")
"""A year, a version, and what stands before a word: 2. time."""
_NUMBER = lazy_pattern(r"\d+(?![\d:分])|(?<![a-z])[a-z](?![a-z])")
_DONE = lazy_pattern(r"^(?:[-*+] )?\[[xX]\]")
_WORD = lazy_pattern(r"[^\W\d_]+(?:['’]s\b)?")
_LETTERS = lazy_pattern(r"(?<![\w\u0900-\u0963])[^\W\d_][\w\u0900-\u0963]*")
_ENDING = 3
"""Letters that one form of a word has more than another at most, and that both share at least."""


class ToldDay(NamedTuple):
    """The only day to come that a line tells."""

    day: Span
    text: str
    terms: frozenset[str]
    near: tuple[tuple[str, bool], ...]
    """The words in the clause of the day, or before a colon, each with whether the next one belongs to it, as in `gym
    party`; without spaces all of them as one."""
    numbers: frozenset[str]

    def has(self, word: str) -> bool:
        """Return whether the line has a word of a thing, in some form; without spaces anywhere."""
        if word >= FAR_EAST:
            return word in fold(self.text)
        return word in self.terms or any(_one_word(word, term) for term in self.terms)

    def is_of(self, thing: Sequence[str], *, is_object: bool) -> bool:
        """Return whether the day is that of a thing.

        It is not if the line tells of an invoice of the dentist, a party of the gym or lunch with Anna, where the thing
        is the dentist, the gym or Anna.
        """
        found = [{belongs for each, belongs in self.near if _names(word, each)} for word in thing]
        if not all(found) or len(thing) > 1:
            return all(found)
        return False in found[0] and (is_object or self._is_common(thing[0]))

    def _is_common(self, word: str) -> bool:
        """Return whether a word is not only a name within the line."""
        said = enumerate(_WORD.findall(self.text))
        found = [(at, each) for at, each in said if _one_word(word, fold(each))]
        return word >= FAR_EAST or any(each[0].islower() or at == 0 for at, each in found)


class DayChange(NamedTuple):
    """What a clause says of the day of a thing."""

    thing: tuple[str, ...]
    numbers: frozenset[str]
    """What stands beside its words and tells it from others: sprint 12, team B."""
    is_object: bool
    """Whether somebody moved or cancelled it: `Bea cancelled Lisbon`."""
    old: tuple[Span, ...]
    """The days that it says are no longer those of the thing; empty: the one to come."""
    new: tuple[Span, ...]

    def is_of(self, told: ToldDay, recorded: date) -> bool:
        """Return whether the day that an older line tells is no longer that of its thing.

        Args:
            recorded: the day of this change.
        """
        end = told.day.end
        if end is None or told.day in self.new or not self.names(told):
            return False
        if self.old:
            return end >= recorded - _WEEK and any(map(told.day.overlaps, self.old))
        return end >= recorded and told.is_of(self.thing, is_object=self.is_object)

    def names(self, told: ToldDay) -> bool:
        """Return whether an older line has all words and numbers by which this one names its thing."""
        return self.numbers <= told.numbers and all(map(told.has, self.thing))


@lru_cache(2048)
def telling_terms(text: str) -> frozenset[str]:
    """Return the terms of a text that may name a thing, in their forms."""
    named = " ".join(_named(fold(_plain(text)), day_words(text)))
    return frozenset(term.lstrip("~") for term in document_terms(named).split() if term[0] != "^")


def changing_terms(text: str) -> frozenset[str]:
    """Return the same of its sentences with a word for a day that changed; it is fast, and says rather too much."""
    words = day_words(text)
    if words.verb(fold(text)) is None:
        return frozenset()
    changing = (each for each in _SENTENCE.split(text) if words.verb(fold(each)) is not None)
    return frozenset(chain.from_iterable(map(telling_terms, changing)))


def _tells_a_change(text: str) -> bool:
    return day_words(text).verb(fold(text)) is not None


@lru_cache(2048)
def day_changes(text: str, recorded: date) -> tuple[DayChange, ...]:
    """Return what a line says of changed days."""
    plain, words = _plain(text), day_words(text)
    if not _tells_a_change(plain) or words.of["series"].search(fold(plain)):
        return ()
    told = _dates(plain, recorded)
    marked = fold(_marked(plain, told, words))
    known = lexicon(text)
    sure = (each for each in _SENTENCE.split(marked) if "?" not in each and known.narrowed(each).doubt is None)
    return tuple(chain.from_iterable(_of_sentence(each, told, words, recorded) for each in sure))


@lru_cache(2048)
def told_day(text: str, recorded: date) -> ToldDay | None:
    """Return the only day to come that a line tells; None if it tells none, several, or one of a series."""
    plain, words = _plain(text), day_words(text)
    if _DONE.match(plain) or words.of["series"].search(fold(plain)):
        return None
    at: dict[Span, int | None] = {}
    if _tells_a_change(plain) and (changes := day_changes(text, recorded)):
        at = {day: None for change in changes for day in change.new}
    else:
        told = _dates(plain, recorded)
        spans = {_whole(each.span): each.start for each in told}
        at |= {day: at for day, at in spans.items() if day.end is not None and day.end >= recorded and _is_short(day)}
        if not at and words.of["loose"].search(fold(plain)) is not None:
            at = dict.fromkeys(_loose(plain, recorded, told))
    if len(at) != 1:
        return None
    ((day, start),) = at.items()
    said = fold(plain)
    return ToldDay(day, plain, frozenset(in_order(said)), tuple(_near(plain, start, words)), _numbers(said, words))


def _near(text: str, at: int | None, words: DayWords) -> Iterator[tuple[str, bool]]:
    """Yield the words in the clause at a place, which is longer if it names nothing, and before a colon."""
    low, high = 0, len(text)
    if at is not None:
        bounds = [0, *(found.end() for found in _BOUND.finditer(text)), len(text)]
        high = next(bound for bound in bounds if bound > at)
        before = [bound for bound in bounds if bound <= at]
        low = next((each for each in reversed(before) if _named(fold(text[each:high]), words)), 0)
    colon = _COLON.match(text[:low])
    said = fold(f"{colon[0] if colon else ''} {text[low:high]}")
    if not words.spaced:
        yield said, False
        return
    found = [*_LETTERS.finditer(said)]
    for one, other in zip_longest(found, found[1:]):
        belongs = other is not None and other[0] not in words.empty and said[one.end() : other.start()] == " "
        belongs = belongs and words.of["verb"].match(said, other.start()) is None
        yield from ((form, belongs) for form in dict.fromkeys((one[0], *in_order(one[0]))))


def _plain(text: str) -> str:
    return _MARK.sub(" ", MARKUP.sub("", text[:_LONGEST]))


def _dates(text: str, recorded: date) -> list[When]:
    from commonplace.core.when.validity import dates  # here, because few lines are asked for their days

    return dates(text, recorded)


def _loose(text: str, recorded: date, told: Sequence[When]) -> Iterator[Span]:
    """Yield the first days that a text names loosely."""
    from commonplace.core.when.loose_days import loosely_named

    days = [recorded + timedelta(step) for step in range(1, _YEAR)]
    for _ in range(_MOST_LOOSE):
        if (found := loosely_named(text, recorded, days, told, today=recorded)) is None:
            return
        days.remove(found)
        yield Span(found, found)


def _whole(span: Span) -> Span:
    return Span(span.start or span.end, span.end or span.start)


def _is_short(span: Span) -> bool:
    return span.start is not None and span.end is not None and span.end - span.start < _MONTH


def _marked(text: str, told: Sequence[When], words: DayWords) -> str:
    """Return a text with a mark in place of each date; what stands before a day, as in `到周五`, stays."""
    parts, at = list[str](), 0
    for number, when in enumerate(told):
        lead = words.of["lead"].match(when.phrase)
        parts += [text[at : when.start], f"{lead[0]} " if lead else " ", chr(_FIRST + number), " "]
        at = when.end
    return "".join((*parts, text[at:]))


def _of_sentence(sentence: str, told: Sequence[When], words: DayWords, recorded: date) -> Iterator[DayChange]:
    clauses = [each.strip() for each in _CLAUSE.split(sentence)]
    for at, clause in enumerate(clauses):
        found = words.verb(clause)
        if found is None:
            continue
        before, behind = clause[: found.start()], clause[found.end() :]
        if denials()[0].search(before) or denials()[1].match(behind) or words.of["unsure"].search(before):
            continue
        days = _ChangedDays(found.lastgroup or "", words, told, recorded)
        days.read(before, behind)
        for beside in clauses[at + 1 : at + 1 + _BESIDE]:
            if not days.new or not days.old:
                days.read_beside(beside)
        if not days.are_of_a_change():
            continue
        thing = _object(behind, words, is_cancelled=days.kind == CANCELLED)
        others = (before, *_beside(clauses, at, before, words))
        said = next((each for each in (thing, *others) if _terms(each, words)), "")
        if said:
            if said not in (thing, before):
                days.read_named(said)
            numbers = _numbers(said, words) - {str(recorded.year)}
            yield DayChange(_terms(said, words), numbers, said == thing, tuple(days.old), tuple(days.new))


def _beside(clauses: Sequence[str], at: int, before: str, words: DayWords) -> Iterator[str]:
    """Yield the clauses that may name the thing of a verb before which nothing does; `it` is named before."""
    if not (_named(before, words) if words.spaced else _SIGN.search(_bare(before, words))):
        yield from clauses[max(at - 1, 0) : at]
        if not any(map(str.isalpha, before)):
            yield from clauses[at + 1 : at + 2]


class _ChangedDays:
    """Reads which days are old and which are new.

    Args:
        kind: of the verb, a list of `data/day_changes.json`.
    """

    def __init__(self, kind: str, words: DayWords, told: Sequence[When], recorded: date) -> None:
        self.kind, self._words, self._told, self._recorded = kind, words, told, recorded
        self.old, self.new = list[Span](), list[Span]()
        self._goes_on = False
        """Whether something is cancelled from a day on: that is a state, and of no day alone."""
        self._is_later = False
        """Whether something is put off by some hours, or to an hour."""

    def are_of_a_change(self) -> bool:
        """Return whether a day changed; what is moved has another day, which is to come."""
        ahead = any(day.end is not None and day.end > self._recorded for day in self.new)
        return not self._goes_on and (ahead or not (self.kind == MOVED or self._is_later))

    def read(self, before: str, behind: str) -> None:
        """Read the days before and behind the verb of a clause."""
        for mark in _MARK.finditer(before):
            self._place(mark, before, is_new=False)
        unsure = []
        for mark in _MARK.finditer(behind):
            if self._place(mark, behind, is_new=None):
                unsure.append(mark)
        if unsure:
            self._place_unsure(unsure, behind)
        self._is_later = self.kind == POSTPONED and self._tells_an_hour(before, behind)
        self.old += self._loose(before)
        if self.kind != CANCELLED and not self.new:
            self.new += self._loose(behind)

    def read_beside(self, clause: str) -> None:
        """Read what one of the next clauses says to be the old or the new day: `new deadline 1 June`."""
        if self.kind == CANCELLED:
            return
        for mark in _MARK.finditer(clause):
            before = clause[: mark.start()]
            if self._words.of["from"].search(before):
                self._add(mark, self.old)
            elif not self.new and self._words.of["anew"].search(before):
                self._add(mark, self.new)

    def read_named(self, clause: str) -> None:
        """Read the day of the thing in the clause beside that names it: `regatta on 16 May: cancelled`."""
        if not self.old:
            for mark in _MARK.finditer(clause):
                self._add(mark, self.old)

    def _tells_an_hour(self, before: str, behind: str) -> bool:
        of = self._words.of
        if _HOUR.search(behind) or of["hour"].search(_DIGITS.sub(" ", behind)) or of["hour before"].search(before):
            return True
        return not self._words.spaced and _CLOCK.search(f"{before} {behind}") is not None

    def _add(self, mark: re.Match[str], days: list[Span]) -> None:
        when = self._told[ord(mark[0]) - _FIRST]
        days += self._meant(when, _whole(when.span))

    def _loose(self, text: str) -> Iterator[Span]:
        if self._words.of["loose"].search(text) is not None and _MARK.search(text) is None:
            yield from _loose(text, self._recorded, ())

    def _place_unsure(self, unsure: Sequence[re.Match[str]], text: str) -> None:
        """Place days behind a verb that nothing marks as old."""
        new = None
        if self.kind != CANCELLED:
            new = next((mark for mark in unsure if self._words.of["to"].search(text[: mark.start()])), None)
        before, of = text[: unsure[-1].start()], self._words.of
        if self.kind == MOVED and new is None and (of["next"].search(before) or of["anew"].search(before)):
            new = unsure[-1]
        for mark in unsure:
            self._add(mark, self.new if mark is new else self.old)

    def _place(self, mark: re.Match[str], text: str, *, is_new: bool | None) -> bool:
        """Place a day by what stands around it; return whether nothing tells."""
        when = self._told[ord(mark[0]) - _FIRST]
        start, end = when.span
        moved = self.kind != CANCELLED
        if when.relation == "between" and moved and start is not None and end is not None:
            self.old += self._meant(when, Span(start, start))
            self.new.append(Span(end, end))
            return False
        of, behind = self._words.of, _AT_AN_HOUR.sub("", text[mark.end() :])
        if of["from"].search(text[: mark.start()]) or of["from behind"].match(behind):
            is_new = False
        elif moved and (of["to behind"].match(behind) or when.relation == "until"):
            is_new = True
        elif when.relation == "since":
            self._goes_on = self._goes_on or not moved
            is_new = False
        if is_new is None:
            return True
        self._add(mark, self.new if is_new else self.old)
        return False

    def _meant(self, when: When, day: Span) -> Iterator[Span]:
        """Yield a day, and the next one of its name if the date reader took the last one, where that may be meant."""
        yield day
        if day.start is None or day.start != day.end or day.start > self._recorded:
            return
        after: date | None = None
        if self._words.of["weekday"].search(fold(when.phrase)) is not None:
            after = day.start + _WEEK
        elif when.relation == "since" and str(day.start.year) not in when.phrase:
            after = day_of(day.start.year + 1, day.start.month, day.start.day)
        if after is not None and after > self._recorded:
            yield Span(after, after)


def _object(behind: str, words: DayWords, *, is_cancelled: bool) -> str:
    """Return what stands between a verb and the first day; of what is cancelled what follows the day, if nothing."""
    behind = words.of["because"].split(behind, maxsplit=1)[0]
    first, *rest = _MARK.split(behind)
    return first if _terms(first, words) or not is_cancelled else " ".join(rest)


def _terms(text: str, words: DayWords) -> tuple[str, ...]:
    """Return the terms of a part of a folded text that name a thing; without spaces the words themselves."""
    named = _named(text, words)
    terms = in_order(" ".join(named)) if words.spaced else named
    return tuple(dict.fromkeys(term for term in terms if len(term) > 1))


def _named(text: str, words: DayWords) -> list[str]:
    """Return the words of a folded text that are not empty."""
    if words.spaced:
        return [word for word in _LETTERS.findall(text) if word not in words.empty]
    return words.of["run"].findall(_bare(text, words))


def _bare(text: str, words: DayWords) -> str:
    """Return a folded text without days, hours and words that name no thing."""
    return words.of["empty"].sub(" ", _CLOCK.sub(" ", _MARK.sub(" ", text)))


def _numbers(text: str, words: DayWords) -> frozenset[str]:
    """Return the numbers and letters that tell things of one name apart in a folded text."""
    if not words.spaced:
        return frozenset(_NUMBER.findall(_CLOCK.sub(" ", _MARK.sub(" ", text))))
    found = (number for word, number in _NUMBERED.findall(text) if not {word, number} & words.empty)
    return frozenset(chain(found, _LONE_NUMBER.findall(text)))


def _names(word: str, said: str) -> bool:
    return word in said if word >= FAR_EAST else _one_word(word, said)


def _one_word(one: str, other: str) -> bool:
    """Whether one of two words may be a form of the other: Danish *tid* and *tiden*."""
    short, long = sorted((one, other), key=len)
    more = len(long) - len(short)
    return one == other or (len(short) >= _ENDING >= more and more < len(short) and long.startswith(short))
