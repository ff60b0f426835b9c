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
from commonplace.core.changes.day_change_lexicon import CANCELLED, MOVED, DayWords, day_words
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
_CLAUSE = lazy_pattern(r"[;,()、।，；。！？]|[:：](?!\d)|(?<=\w{3})\.\s|\s[-–—]\s")
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
_LETTERS = lazy_pattern(r"(?<![\w\u0900-\u0963])[^\W\d_][\w\u0900-\u0963]*")
_ENDING = 3
"""Letters that one form of a word has more than another at most, and that both share at least."""


class ToldDay(NamedTuple):
    """The only day to come that a line tells."""

    day: Span
    said: str
    """The line, folded."""
    terms: frozenset[str]
    near: tuple[tuple[str, bool], ...]
    """The words in the clause of the day, or before a colon, each with whether it names something by itself: none
    belongs to it behind, as in `gym party`, and it is no name within the line; without spaces all of them as one."""
    numbers: frozenset[str]

    def has(self, word: str) -> bool:
        """Return whether the line has a word of a thing, in some form; without spaces anywhere."""
        return word in self.said if word >= FAR_EAST else any(_names(word, term) for term in self.terms)

    def is_of(self, thing: Sequence[str]) -> bool:
        """Return whether the day is that of a thing.

        It is not if the line tells of an invoice of the dentist, a party of the gym or lunch with Anna, where the thing
        is the dentist, the gym or Anna.
        """
        return all(any(alone or len(thing) > 1 for each, alone in self.near if _names(word, each)) for word in thing)


class DayChange(NamedTuple):
    """What a clause says of the day of a thing."""

    thing: tuple[str, ...]
    numbers: frozenset[str]
    """What stands beside its words and tells it from others: sprint 12, team B."""
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
        return end >= recorded and told.is_of(self.thing)

    def names(self, told: ToldDay) -> bool:
        """Return whether an older line has all words and numbers by which this one names its thing."""
        return self.numbers <= told.numbers and all(map(told.has, self.thing))


@lru_cache(2048)
def telling_terms(text: str) -> frozenset[str]:
    """Return the terms of a text that may name a thing, in their forms."""
    named = " ".join(_named(fold(_plain(text)), day_words(text)))
    return frozenset(term.lstrip("~") for term in document_terms(named).split() if term[0] != "^")


def changing_terms(text: str) -> frozenset[str]:
    """Return the same of its sentences with a word for a day that changed: rather too much."""
    return frozenset(chain.from_iterable(map(telling_terms, filter(_tells_a_change, _SENTENCE.split(text)))))


def _tells_a_change(text: str) -> bool:
    return day_words(text).of["verb"].search(fold(text)) is not None


@lru_cache(2048)
def day_changes(text: str, recorded: date) -> tuple[DayChange, ...]:
    """Return what a line says of changed days."""
    plain, words = _plain(text), day_words(text)
    if not _tells_a_change(plain) or words.of["series"].search(fold(plain)):
        return ()
    days, known = _Days(_told(plain, recorded), words, recorded), lexicon(text)
    sure = (each for each in _SENTENCE.split(days.marked(plain)) if "?" not in each)
    return tuple(chain.from_iterable(_changes(each, days) for each in sure if known.narrowed(each).doubt is None))


@lru_cache(2048)
def told_day(text: str, recorded: date) -> ToldDay | None:
    """Return the only day to come that a line tells; None if it tells none, several, or one of a series."""
    plain, words = _plain(text), day_words(text)
    said = fold(plain)
    if _DONE.match(plain) or words.of["series"].search(said):
        return None
    at: dict[Span, int | None] = {day: None for each in day_changes(text, recorded) for day in each.new}
    if not at:
        told = _told(plain, recorded)
        at |= {day: each.start for each in told if (day := _whole(each.span)) and _is_ahead(day, recorded)}
        if not at and words.of["loose"].search(said) is not None:
            at = dict.fromkeys(_loose(plain, recorded, told))
    if len(at) != 1:
        return None
    ((day, start),) = at.items()
    return ToldDay(day, said, frozenset(in_order(said)), tuple(_near(plain, start, words)), _numbers(said, words))


def _near(text: str, at: int | None, words: DayWords) -> Iterator[tuple[str, bool]]:
    """Yield the words in the clause at a place, which is longer if it names nothing, and before a colon, each with
    whether it names something by itself."""
    bounds = [0, *(found.end() for found in _CLAUSE.finditer(text) if at is not None), len(text)]
    high = next(bound for bound in bounds if bound > (at or 0))
    before = (bound for bound in reversed(bounds) if bound <= (at or 0))
    low = next((bound for bound in before if _named(fold(text[bound:high]), words)), 0)
    colon = _COLON.match(text[:low])
    clause = f"{colon[0] if colon else ''} {text[low:high]}"
    if not words.spaced:
        yield fold(clause), True
        return
    found, first = [*_LETTERS.finditer(clause)], _LETTERS.search(text)
    for one, other in zip_longest(found, found[1:]):
        belongs = other is not None and clause[one.end() : other.start()] == " " and fold(other[0]) not in words.empty
        belongs = belongs and words.of["verb"].match(fold(clause[one.end() :])) is None
        alone = not belongs and (one[0][0].islower() or (first is not None and one[0] == first[0]))
        yield from ((form, alone) for form in dict.fromkeys((fold(one[0]), *in_order(fold(one[0])))))


def _plain(text: str) -> str:
    return _MARK.sub(" ", MARKUP.sub("", text[:_LONGEST]))


def _told(text: str, recorded: date) -> list[When]:
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


def _is_ahead(day: Span, recorded: date) -> bool:
    """Whether a day, or a few, are not over."""
    return day.start is not None and day.end is not None and day.end >= recorded and day.end - day.start < _MONTH


class _Days(NamedTuple):
    """The days of a line whose dates are replaced by marks."""

    told: Sequence[When]
    words: DayWords
    recorded: date

    def marked(self, text: str) -> str:
        """Return a text, folded, with a mark in place of each date; what stands before a day stays, as in `到周五`."""
        parts, at = list[str](), 0
        for number, when in enumerate(self.told):
            lead = self.words.of["lead"].match(when.phrase)
            parts += [text[at : when.start], f"{lead[0]} " if lead else " ", chr(_FIRST + number), " "]
            at = when.end
        return fold("".join((*parts, text[at:])))

    def meant(self, when: When, day: Span | None = None) -> Iterator[Span]:
        """Yield a day, and the next one of its name if the date reader took the last one, where that may be meant."""
        day = day or _whole(when.span)
        yield day
        if day.start is None or day.start != day.end or day.start > self.recorded:
            return
        after: date | None = None
        if self.words.of["weekday"].search(fold(when.phrase)) is not None:
            after = day.start + _WEEK
        elif when.relation == "since" and str(day.start.year) not in when.phrase:
            after = day_of(day.start.year + 1, day.start.month, day.start.day)
        if after is not None and after > self.recorded:
            yield Span(after, after)

    def all_in(self, text: str) -> Iterator[Span]:
        """Yield the days of the marks in a part of the text."""
        for mark in _MARK.finditer(text):
            yield from self.meant(self.told[ord(mark[0]) - _FIRST])

    def loose(self, text: str) -> Iterator[Span]:
        """Yield the days that a part without marks names loosely."""
        if self.words.of["loose"].search(text) is not None and _MARK.search(text) is None:
            yield from _loose(text, self.recorded, ())


def _changes(sentence: str, days: _Days) -> Iterator[DayChange]:
    """Yield the changes that a folded sentence tells."""
    words, clauses = days.words, [each.strip() for each in _CLAUSE.split(sentence)]
    for at, clause in enumerate(clauses):
        verb = words.of["verb"].search(clause)
        if verb is None:
            continue
        before, behind = clause[: verb.start()], clause[verb.end() :]
        if denials()[0].search(before) or denials()[1].match(behind) or words.of["unsure"].search(before):
            continue
        changed = _ChangedDays(verb.lastgroup or "", days)
        if not changed.read(before, behind, clauses[at + 1 : at + 1 + _BESIDE]):
            continue
        thing = _object(behind, words, is_cancelled=verb.lastgroup == CANCELLED)
        others = _beside(clauses, at, before, words)
        if said := next((each for each in (thing, before, *others) if _terms(each, words)), ""):
            if said not in (thing, before):
                changed.old = changed.old or [*days.all_in(said)]
            numbers = _numbers(said, words) - {str(days.recorded.year)}
            yield DayChange(_terms(said, words), numbers, tuple(changed.old), tuple(changed.new))


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

    def __init__(self, kind: str, days: _Days) -> None:
        self._kind, self._days, self._of = kind, days, days.words.of
        self.old, self.new = list[Span](), list[Span]()

    def read(self, before: str, behind: str, beside: Sequence[str]) -> bool:
        """Read the days before and behind a verb, and in the next clauses: `new deadline 1 June`. Return whether a day
        changed: what is moved, or put off by hours, has another day that is to come; what is cancelled from a day on
        is a state, and of no day alone."""
        goes_on = [self._place(mark, before, is_behind=False) for mark in _MARK.finditer(before)]
        goes_on += [self._place(mark, behind, is_behind=True) for mark in _MARK.finditer(behind)]
        self.old += self._days.loose(before)
        if self._kind == CANCELLED:
            return not any(goes_on)
        if not self.new:
            self.new += self._days.loose(behind)
        for clause in beside:
            for mark in _MARK.finditer(clause) if not (self.old and self.new) else ():
                lead, days = clause[: mark.start()], self._days.all_in(mark[0])
                if self._of["from"].search(lead):
                    self.old += days
                elif not self.new and self._of["anew"].search(lead):
                    self.new += days
        ahead = any(day.end is not None and day.end > self._days.recorded for day in self.new)
        return ahead or not (self._kind == MOVED or self._tells_an_hour(before, behind))

    def _place(self, mark: re.Match[str], part: str, *, is_behind: bool) -> bool:
        """Place a day by what stands around it; return whether something goes on from it."""
        when, lead = self._days.told[ord(mark[0]) - _FIRST], part[: mark.start()]
        after, of, (start, end) = _AT_AN_HOUR.sub("", part[mark.end() :]), self._of, when.span
        if self._kind != CANCELLED and when.relation == "between" and start is not None and end is not None:
            self.old += self._days.meant(when, Span(start, start))
            self.new.append(Span(end, end))
            return False
        is_old = of["from"].search(lead) or of["from behind"].match(after)
        if self._kind == CANCELLED:
            self.old += self._days.meant(when)
            return when.relation == "since" and not is_old
        is_new = when.relation == "until" or of["to behind"].match(after) is not None
        if is_behind and not self.new and when.relation != "since":
            kinds = ("to", "anew") if self._kind == MOVED else ("to",)
            is_new |= any(of[kind].search(lead) for kind in kinds)
        days = self.new if is_new and not is_old else self.old
        days += self._days.meant(when)
        return False

    def _tells_an_hour(self, before: str, behind: str) -> bool:
        """Whether something is put off by some hours, or to an hour."""
        of = self._of
        if _HOUR.search(behind) or of["hour"].search(_DIGITS.sub(" ", behind)) or of["hour before"].search(before):
            return True
        return not self._days.words.spaced and _CLOCK.search(f"{before} {behind}") is not None


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
    """Whether what is said has a word; with spaces it may be a form of it: Danish *tid* and *tiden*."""
    if word >= FAR_EAST:
        return word in said
    short, long = sorted((word, said), key=len)
    more = len(long) - len(short)
    return word == said or (len(short) >= _ENDING >= more and more < len(short) and long.startswith(short))
