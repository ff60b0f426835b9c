"""A stretch of a sentence that makes one statement, and the values in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.claims import phrase_roles, value_shapes
from commonplace.core.claims.claim_lexicon import ClaimLexicon, Frame, Phrase
from commonplace.core.claims.claim_words import COLON, GOES_ON, Word

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from commonplace.core.model import Span

_MOST_VALUE, _LONGEST_VALUE = 6, 16
"""Words, or characters, of a name."""

Item = tuple[int, int, "Phrase | str | None"]
"""First word, the word after the last, and what they are: a phrase, an entity's key, or just a word."""


class Hole(NamedTuple):
    """Where a value stands."""

    value: str
    start: int
    end: int
    unit: str = ""


class Stretch(NamedTuple):
    """One clause."""

    lexicon: ClaimLexicon
    words: Sequence[Word]
    """Of the whole fact."""
    items: Sequence[Item]
    does: int
    """The roles of its phrases, together; TIMED where there may be a time of day."""
    valid: Span | None
    """The days that the fact names."""
    first: bool
    """Whether it begins the sentence, so that what it is about stands in it."""
    known: Container[str]
    """Names, as their words stand in it, that nobody tagged."""

    @property
    def start(self) -> int:
        """Return the position of the first word."""
        return self.items[0][0]

    @property
    def end(self) -> int:
        """Return the position after the last word."""
        return self.items[-1][1]

    def phrases(self) -> Iterator[tuple[int, int, Phrase]]:
        """Yield the items that are phrases."""
        for start, end, what in self.items:
            if isinstance(what, Phrase):
                yield start, end, what

    # -- the value of a frame

    def hole(self, frame: Frame, item: Item) -> Hole | None:
        """Return where the value of a frame is; None if it has none here."""
        form = frame.form
        if not form:
            return self._state(frame, item)
        if form in ("amount", "version", "count"):
            return self._number(form, item)
        within = self._behind(frame, item)
        if within is None:
            return self._held_by(item) if form == "name" else None
        start, stop = within
        if form == "date":  # whose words may be none: 2025 年 3 月 1 日
            day = (self.valid.end or self.valid.start) if self.valid is not None else None
            return Hole(f"on={day}", start, start) if day else None
        if form == "token":
            start = self._said_from(start, stop)
            value, used = value_shapes.token(self.words[start:stop]) if start < stop else ("", 0)
            return Hole(value, start, start + used) if value else None
        return self._name(start, stop, worded=form == "words", before=self._is_before(frame))

    def _state(self, frame: Frame, item: Item) -> Hole | None:
        """Return where a frame without a value is; None if it holds only on certain days, or describes a noun beside
        it.
        """
        if self.does & phrase_roles.WEEKDAY or (frame.state and not self._predicates(item)):
            return None
        return Hole("", item[0], item[1])

    def _predicates(self, item: Item) -> bool:
        """Whether an adjective is said of something, rather than standing beside its noun."""
        at = self.items.index(item)
        if at + 1 == len(self.items) or self.words[item[1] - 1].ends > GOES_ON:
            return True
        after = role_of(self.items[at + 1])
        if not self.lexicon.spaced or self.lexicon.last:
            return bool(after) and not after & phrase_roles.OF
        before = [each for each in self.items[:at] if not role_of(each) & phrase_roles.PASSED]
        if not before:
            return bool(after)  # "blocked since May", not "the broken printer"
        return bool(after & phrase_roles.CUT or role_of(before[-1]) & (phrase_roles.LINK | phrase_roles.PAST))

    def _is_before(self, frame: Frame) -> bool:
        return not frame.noun and (self.lexicon.last or frame.before)

    def _behind(self, frame: Frame, item: Item) -> tuple[int, int] | None:
        """Return the words among which the value of a frame is searched; None if nothing links a noun to one."""
        if self._is_before(frame):
            return self.start, item[0]
        start = item[1]
        if frame.noun and not self.lexicon.last:
            linked = self._linked(start)
            if not linked and self.words[start - 1].ends != COLON:
                return None
            start = linked or start
        return start, self.end

    def _held_by(self, item: Item) -> Hole | None:
        """Return whose a role is, if it is said the other way round: Anna is the lead of atlas."""
        at = self.items.index(item)
        while (
            at > 0
            and role_of(self.items[at - 1]) & phrase_roles.PASSED
            and not role_of(self.items[at - 1]) & phrase_roles.LINK
        ):
            at -= 1
        if at == 0 or not role_of(self.items[at - 1]) & phrase_roles.LINK:
            return None
        return self._name(self.start, self.items[at - 1][0], worded=False, before=False)

    def _linked(self, start: int) -> int:
        """Return the end of the first link from a word on, or 0."""
        links = phrase_roles.LINK | phrase_roles.TURN | phrase_roles.PAST
        return next((end for first, end, phrase in self.phrases() if first >= start and phrase.roles & links), 0)

    def _said_from(self, start: int, stop: int) -> int:
        """Return the first word of a range that has content."""
        for first, end, phrase in self.phrases():
            if first == start and end <= stop and not phrase.frames:
                start = end
        return start

    def _number(self, form: str, item: Item) -> Hole | None:
        """Return the first number behind a frame or its link; the one before it if there is none behind."""
        linked = 0 if self.lexicon.last else self._linked(item[1])
        behind = (linked or item[1], self.end)
        between = (item[1], self.end if form != "version" else item[1])  # release 1.4.0 is blocked
        for first, stop in (behind, between, (self.start, item[0])):
            for at in range(first, stop):
                if self.is_date(at):
                    continue
                words = self.words[at:stop]
                if form == "version":
                    value, unit, used = value_shapes.version(words[0]), "", 1
                elif form == "count":
                    value, unit, used = value_shapes.count(words[0], self.lexicon.numbers), "", 1
                    value = value if value and self._is_amount(at) else ""
                else:
                    value, unit, used = value_shapes.amount(words)
                if value:
                    return Hole(value, at, at + used, unit)
        return None

    def _is_amount(self, at: int) -> bool:
        """Whether a number says how many, not which (key 3) or how old (a son of 4)."""
        place = next(place for place, item in enumerate(self.items) if item[0] <= at < item[1])
        if place + 1 == len(self.items) or self.words[at].ends > GOES_ON:
            return False
        after = self.items[place + 1][2]
        led = place == 0 or isinstance(self.items[place - 1][2], Phrase)
        return led and (not isinstance(after, Phrase) or bool(after.frames))

    def measure(self) -> Hole | None:
        """Return the amount, with its unit, that a link alone assigns: the bore is now 16 mm."""
        for start, end, phrase in self.phrases():
            if phrase.roles & (phrase_roles.LINK | phrase_roles.TURN) and not phrase.frames:
                hole = self._number("amount", (start, end, phrase))
                return hole if hole is not None and hole.unit else None
        return None

    def is_date(self, at: int) -> bool:
        """Whether a word is the year or the day in a date."""
        low = self.words[at].low
        if not low[0].isdigit() or self.valid is None:
            return False
        if len(low) == 4 and low.isdecimal() and low[:2] in ("19", "20"):
            return True
        if low.count("-") == 2 or low.count("/") == 2:
            return True
        months = self.lexicon.months
        return self.words[at - 1].low in months or (at + 1 < len(self.words) and self.words[at + 1].low in months)

    def _name(self, start: int, stop: int, *, worded: bool, before: bool) -> Hole | None:
        """Return a run of words that are in no phrase: of names if there are capitals, else of any."""
        lexicon = self.lexicon
        run = self._run(start, stop, before=before)
        if lexicon.spaced and not lexicon.last and not worded:
            small = [at for at, item in enumerate(run) if not self.words[item[0]].capital]
            run = run[: small[0]] if small else run
        if lexicon.spaced and before and len(run) > 1 and not self._after_a_name(run[0]):
            run = self._last_name(run)  # "प्रिया का भाई नागपुर": it is said of the brother
        if not run or (run[-1][1] < stop and not before and not worded and self._is_beside(run[-1])):
            return None
        first, last = run[0][0], run[-1][1]
        if last - first > (_MOST_VALUE if lexicon.spaced else _LONGEST_VALUE):
            return None
        lows = [word.low for word in self.words[first:last]]
        text = (" " if lexicon.spaced else "").join(map(lexicon.stem, lows) if lexicon.stem else lows)
        return None if text.isdecimal() else Hole(text, first, last)

    def _last_name(self, run: list[Item]) -> list[Item]:
        """Return the items at the end of a run that are a known name, else the last one."""
        lows = [self.words[item[0]].low for item in run]
        sizes = (at for at in range(len(run)) if " ".join(lows[at:]) in self.known)
        return run[next(sizes, -1) :]

    def _run(self, start: int, stop: int, *, before: bool) -> list[Item]:
        """Return the items at the end or beginning of a range that are adjacent and may be a name."""
        lexicon = self.lexicon
        inside = [item for item in self.items if start <= item[0] and item[1] <= stop]
        if before and not lexicon.spaced and not lexicon.last:  # 在华为工作: what stands between the two
            marks = [at for at, item in enumerate(inside) if role_of(item) & phrase_roles.OPENS]
            return inside[marks[-1] + 1 :] if marks else []
        run: list[Item] = []
        for item in reversed(inside) if before else inside:
            what = item[2]
            if before and isinstance(what, str):
                break
            if isinstance(what, Phrase) and not (what.frames and lexicon.spaced and not lexicon.last):
                inner = not lexicon.spaced and not before and not what.frames and not what.roles & ~phrase_roles.INNER
                if what.roles & phrase_roles.CUT or (run and not inner):
                    break
                if run:
                    run.append(item)
            else:
                run.append(item)
            if not before and self.words[item[1] - 1].ends:
                break
        while run and role_of(run[-1]) & phrase_roles.INNER:
            run.pop()
        return run[::-1] if before else run

    def _is_beside(self, item: Item) -> bool:
        """Whether a name only tells which: the Berlin office."""
        at, _, behind = self.items[self.items.index(item) + 1]
        noun = behind is None and self.words[at].low[0].isalpha()
        return self.lexicon.spaced and noun and not self.words[item[1] - 1].ends

    def _after_a_name(self, item: Item) -> bool:
        at = self.items.index(item)
        return at == 0 or isinstance(self.items[at - 1][2], str)

    # -- times of the day

    def clock(self) -> Hole | None:
        """Return the only time of day in the clause, with its weekday; None if there are two."""
        if not self.does & (phrase_roles.HOURS | phrase_roles.LED | phrase_roles.TIMED):
            return None
        parts = [phrase.number for _, _, phrase in self.phrases() if phrase.roles & phrase_roles.DAYPART]
        days = [phrase.number for _, _, phrase in self.phrases() if phrase.roles & phrase_roles.WEEKDAY]
        found: list[Hole] = []
        over = self.start
        for start, end, what in self.items:
            if isinstance(what, Phrase) and what.roles & phrase_roles.WEEKDAY:
                continue
            for at in range(max(start, over), end):
                value, used = self._time_at(at, parts[-1] if parts else 0)
                if value:
                    found.append(Hole(value, at, at + used))
                    over = at + used
                    break
        if len(found) != 1:
            return None
        return found[0]._replace(value=f"{found[0].value} d={days[0]}") if len(days) == 1 else found[0]

    def _time_at(self, at: int, pm: int) -> tuple[str, int]:
        """Return the time of day that begins at a word, and its length in words; empty if there is none."""
        lexicon, word = self.lexicon, self.words[at]
        before = lexicon.phrases.get(self.words[at - 1].low, ()) if at > self.start else ()
        led = any(phrase.roles & phrase_roles.LED for phrase in before)
        low = word.low.replace(".", ":") if led else word.low
        if not low[0].isdigit() and lexicon.spaced:
            return "", 0
        value, used = value_shapes.clock(
            (word._replace(low=low), *self.words[at + 1 : self.end]), pm=pm, hours=lexicon.hours
        )
        told = led or ":" in low or low.endswith("m")
        told = told or any(other.low in lexicon.hours for other in self.words[at : at + used])
        return (value, used) if told else ("", 0)

    def mentions(self, phrases: frozenset[str]) -> bool:
        """Whether the clause holds one of these words."""
        lows = [word.low for word in self.words[self.start : self.end]]
        if self.lexicon.spaced:
            return not phrases.isdisjoint(lows)
        text = "".join(lows)
        return any(phrase in text for phrase in phrases)


def role_of(item: Item) -> int:
    """Return the roles of an item; 0 for a word or a name."""
    return item[2].roles if isinstance(item[2], Phrase) else 0
