"""Splits a text into runs of date words (numbers, units, months, relations) with their offsets.

A text is mapped character by character before (`date_lexicon.plain`), so offsets hold. What the grammar has no word for
ends a run, and of a run without a word that dates are made of nothing is kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from commonplace.core.when.words.date_lexicon import GLUED, HALVES, DateLexicon, Word, fold, kinds
from commonplace.core.when.words.date_tokens import tokens_of
from commonplace.core.when.words.decades import is_anybodys, is_decade, is_decade_of_years
from commonplace.core.when.words.disambiguation import (
    accompanied,
    beside_number,
    hyphened,
    is_labelled,
    is_ordinal_dot,
    is_verb_of_a_question,
    is_verb_of_a_statement,
    is_version,
    leads,
    noun_behind,
    unglued,
)
from commonplace.core.when.words.han_words import han_words
from commonplace.core.when.words.numerals import NOTHING, Item, compound_readings, digit_readings

_ANCHORS = frozenset(
    {"ymd", "shortymd", "ym", "yd", "dy", "years", "slashday", "year", "pair", "slash", "ord", "bignum", "decades"}
    | {"month", "monthmark", "daymark", "yearmark", "weekday", "lastweekday", "unit", "quarter", "halfletter", "cy"}
    | {"rel", "kal", "season", "festival", "halfof", "edgeof", "edgeuntil", "era", "todate", "fiscalrel", "monthhalf"}
    | {"fromnow"}
)
"""Classes one of which every expression contains."""

_MARKS: dict[str, Word] = {
    "-": ("dash", (None,)),
    "~": ("dash", (None,)),
    "/": ("slash", (None,)),
    ",": ("comma", (None,)),
    "、": ("comma", (None,)),
    "(": ("lp", (None,)),
    ")": ("rp", (None,)),
}
_COMPARISONS: dict[str, Word] = {"<": ("below", (None,)), "=": ("equal", (None,))}
_UNSAFE_BEFORE = frozenset("_$€£¥#@+^.&%§:")
_UNSAFE_AFTER = frozenset("_$€£%°@")
_OPENING = frozenset(' (-/,\n\t["*:;.')
_COMPARED = frozenset("<>=≤≥")
_CLEAR = frozenset({"", " ", "("})
_NAMES = frozenset("_@#$")
_AMOUNTS = frozenset({"num", "year"})
_RANGING = frozenset({"to", "until", "upto", "dash", "and", "or", "from", "since_post"})
_SHORT_OR_LONG = frozenset({"around", "number"})
_NO_KINDS: tuple[str, ...] = ()
_MINUTES = frozenset({"m"})
"""In prose minutes, as an argument (`--since 3m`) months."""


@cache
def _anchored(shape: str) -> bool:
    return not _ANCHORS.isdisjoint(kinds(shape))


class Lexer:
    """One text on its way to runs of items."""

    __slots__ = (
        "_before",
        "_marks",
        "asked",
        "day_first",
        "hindi",
        "latin",
        "low",
        "run",
        "runs",
        "text",
        "year_first",
    )

    def __init__(self, text: str, *, year_first: bool, day_first: bool, asked: bool) -> None:
        self.text = text
        self.run: list[Item] = []
        self.runs: list[list[Item]] = []
        self.year_first = year_first
        self.day_first = day_first
        self.low = text.lower()
        if len(self.low) != len(text):  # the dotted capital I grows: compare as it stands
            self.low = text
        self.latin: DateLexicon | None = None
        self.hindi: DateLexicon | None = None
        self._before = (0, 0)
        self.asked = asked
        self._marks = {**_MARKS, **_COMPARISONS} if asked else _MARKS

    def read(  # noqa: PLR0912 — one branch a kind of token
        self, latin: DateLexicon | None, hindi: DateLexicon | None, han: DateLexicon | None
    ) -> list[list[Item]]:
        """Return the runs that may contain a time; in a question (`asked`) `<` and `=` before a year are words too."""
        text, low, done, digits = self.text, self.low, 0, -1
        self.latin, self.hindi = latin, hindi
        known = latin.plain if latin is not None else {}
        for match in tokens_of(text).finditer(text):
            start, end = match.span()
            if start < done:
                continue
            kind = match.lastindex
            if kind == 2 and latin is not None:
                word = low[start:end]
                if digits == start:
                    self._suffix(word, start, end=end, lex=latin)
                elif word in known and (
                    (text[start - 1] in _OPENING and text[end : end + 1] != "'") if start else self._alone(start, end)
                ):
                    shape, values = known[word]
                    self.run.append((shape, values, start, end))
                elif word in latin.known or "'" in word:
                    done = self._latin(start, end, lex=latin)
                elif self.run:
                    self._end(start, end)
                else:
                    self._before = (start, end)
            elif kind == 1:
                self._number(match.group(), start, end)
                digits = end
            elif kind == 5:
                self._mark(match.group(), start, end)
            elif kind == 4 and han is not None:
                self._han(match.group(), start, lex=han)
            elif kind == 3 and hindi is not None:
                done = self._hindi(start, end, lex=hindi)
            else:
                self._end(start, end)
        self._end(0, 0)
        return self.runs

    def _end(self, start: int, end: int) -> None:
        """End the run at a word that the grammar does not know."""
        run = self.run
        if run:
            for item in run:
                if _anchored(item[0]):
                    self.runs.append(run)
                    break
            self.run = []
        self._before = (start, end)

    def _add(self, word: Word, start: int, end: int) -> None:
        if word[0]:
            self.run.append((word[0], word[1], start, end))
        else:
            self._end(start, end)

    def _last(self) -> tuple[str, ...]:
        """Return the classes of the last word read."""
        return kinds(self.run[-1][0]) if self.run else _NO_KINDS

    def _last_but_one(self) -> tuple[str, ...]:
        return kinds(self.run[-2][0]) if len(self.run) > 1 else _NO_KINDS

    def _break_last(self) -> None:
        if self.run:
            _, _, start, end = self.run.pop()
            self._end(start, end)

    def _unmake_amount(self) -> None:
        """Drop a number before a counter: `1500 to 2000 people` has no year."""
        run = self.run
        if _AMOUNTS.isdisjoint(self._last()):
            return
        if len(run) > 2 and run[-3][0] == run[-1][0] and not _RANGING.isdisjoint(kinds(run[-2][0])):
            _, _, start, end = run.pop()
            del run[-2:]
            self._end(start, end)
        else:
            self._break_last()

    def _mark(self, mark: str, start: int, end: int) -> None:
        run = self.run
        if mark == "'" and run and self._cuts_a_year(end):
            run.append(("cut", (None,), start, end))
            return
        if mark == "." and run and run[-1][3] == start:
            shape, values, first, _ = run[-1]
            known = kinds(shape)
            if "month" in known or ("weekday" in known and start - first < 5):
                return
            if "num" in known and is_ordinal_dot(self.low, end, day_first=self.day_first):
                run[-1] = ("ord", (values[known.index("num")],), first, end)
                return
            is_pair = "pair" in known and self.text[end + 1 : end + 2].islower()
            if is_pair and is_ordinal_dot(self.low, end, day_first=self.day_first):
                return
            if not _SHORT_OR_LONG.isdisjoint(known) or ("the" in known and start - first == 1):
                return
        word = self._marks.get(mark)
        if word is not None:
            run.append((word[0], word[1], start, end))
        else:
            self._end(start, end)

    def _cuts_a_year(self, end: int) -> bool:
        """Whether an apostrophe stands for the century: `March '25`, `summer of '69`, but `Mon '25'` quotes."""
        behind = self.text[end : end + 3]
        if not behind[:2].isdecimal() or (behind[2:] == "'" or behind[2:].isalnum()):
            return False
        return any(_anchored(item[0]) for item in self.run)

    def _alone(self, start: int, end: int) -> bool:
        """Whether neither `@` and the like stand before a word nor an apostrophe or a power (`m²`) beside it."""
        text = self.text
        if start:
            before = text[start - 1]
            if before != " " and (before in _NAMES or before.isdigit()):
                return False
        return text[end : end + 1] != "'"

    def _latin(self, start: int, end: int, *, lex: DateLexicon) -> int:
        low = self.low
        word = low[start:end]
        if word in lex.phrases and low.startswith(lex.spelled[word], start):
            for phrase, known in lex.phrases[word]:
                stop = start + len(phrase)
                if low.startswith(phrase, start) and not low[stop : stop + 1].isalnum():
                    self._add(known, start, stop)
                    return stop
        found = lex.words.get(word)
        if found is None:
            if word.endswith("'s") and word[:-2] in lex.words and word[:-2] not in lex.clipped:
                shape, values = lex.words[word[:-2]]
                self._add((shape.removesuffix(" !"), values), start, end - 2)
                self._add(("of", (None,)), end - 2, end)
                return end
            if word in lex.counted or (word in HALVES and "month" not in self._last_but_one()):
                self._unmake_amount()
            self._end(start, end)
            return end
        known_kinds = kinds(found[0])
        if known_kinds[0] in GLUED or (len(word) == 1 and not GLUED.isdisjoint(known_kinds)):
            found = unglued(found, self.text[end : end + 4])
        if not self._alone(start, end) or not self._is_meant(word, known_kinds, start=start, end=end, lex=lex):
            found = NOTHING
        self._add(found, start, end)
        return end

    def _is_meant(self, word: str, known: tuple[str, ...], *, start: int, end: int, lex: DateLexicon) -> bool:
        """Whether a word that has other meanings is a date word here; most words have none."""
        if word not in lex.clipped and word not in lex.shy:
            return not ("ord" in known and self._counts_a_thing(end, lex))
        if (tail := hyphened(self.low, end)) and tail not in lex.words:
            return False  # "Jul-appen", but "Mon-Fri"
        if word in lex.clipped:
            return self._clipped(known, start, end=end)
        if word not in lex.shy or not self.text[start].islower():
            return not is_verb_of_a_question(self.text, start, end=end, lex=lex)
        if not self.asked and is_verb_of_a_statement(self.low, start):
            return False
        return accompanied(self.text, end, known=known, before=self._last())

    def _counts_a_thing(self, end: int, lex: DateLexicon) -> bool:
        """Whether a noun follows an ordinal, which then is no day: "after first failure", "on the 10th floor"."""
        if "month" in self._last():
            return False
        noun = noun_behind(self.low, end)
        return bool(noun) and noun not in lex.words and noun not in lex.phrases

    def _clipped(self, known: tuple[str, ...], start: int, *, end: int) -> bool:
        """Whether `sep`, `Sat` or `man` is a date: beside a number; else as a person types it, sooner in a question."""
        if beside_number(self.low, start, end=end, weekday="weekday" in known):
            return True
        typed = self.text[start:end]
        if typed.istitle():
            return (self.asked or not self.day_first) and not leads(self.text, start, end=end)
        return self.asked and accompanied(self.text, end, known=known, before=self._last())

    def _suffix(self, word: str, start: int, *, end: int, lex: DateLexicon) -> None:
        """Read letters right behind a number: `15th`, `1990s`, `30d`, `31Dec`; others make it no number."""
        run = self.run
        shape, numbers, first, _ = run[-1] if run else ("", (), 0, 0)
        values = dict(zip(kinds(shape), numbers, strict=True))
        entry = lex.words.get(word, NOTHING)
        known = dict(zip(kinds(entry[0]), entry[1], strict=True))
        if "num" in values and "suffix" in known:
            number = run.pop()
            if self._counts_a_thing(end, lex):
                self._end(number[2], end)
            else:
                run.append(("ord day", (values["num"], values["num"]), first, end))
        elif "decades" in known and self._is_decade(values, word, start=first, end=end):
            run.append(("decades", (None,), start, end))
        elif "num" in values and "compact" in known and (word not in _MINUTES):
            run.append(("unit", (known["compact"],), start, end))
        elif "year" in values and "yearmark" in known:
            run.append(("yearmark", (None,), start, end))
        elif "num" in values and "month" in known:
            run.append((entry[0].removesuffix(" !"), entry[1], start, end))
        else:
            if word[0] != "t" or "ymd" not in values:
                self._break_last()
            self._end(start, end)

    def _is_decade(self, values: dict[str, Any], word: str, *, start: int, end: int) -> bool:
        """Whether `s` behind a number makes it a decade: `1990s`, Danish `80erne`, and in company `80s`."""
        if values.get("year", 1) % 10 == 0:
            return "s" not in word or is_decade_of_years(self.low, start, end=end)
        if "yy" not in values or values["yy"] % 10:
            return False  # all 500s, a backoff of 120s
        if "s" not in word:
            return not is_anybodys(self.low[max(0, start - 40) : start])
        listed = len(self.run) > 2 and "decades" in kinds(self.run[-3][0])
        return is_decade(self.low, start, end=end, value=values["yy"], listed=listed)

    def _hindi(self, start: int, end: int, *, lex: DateLexicon) -> int:
        word = fold(self.text[start:end])
        if word in lex.phrases:
            ahead = self.text[start : start + 48].split(" ")
            folded = [fold(part).rstrip("।,.?!:;)") for part in ahead]
            for phrase, known in lex.phrases[word]:
                parts = phrase.split(" ")
                if folded[: len(parts)] == parts:
                    stop = start + len(" ".join(ahead[: len(parts)]).rstrip("।,.?!:;)"))
                    self._add(known, start, stop)
                    return stop
        found = lex.words.get(word, NOTHING)
        if not found[0] and word in lex.counted:
            self._unmake_amount()
        if word in lex.clipped and not beside_number(self.low, start, end=end, weekday=False):
            found = NOTHING
        self._add(found, start, end)
        return end

    def _han(self, run: str, offset: int, *, lex: DateLexicon) -> None:
        for word, start, end, counters in han_words(run, lex):
            if self.run and run.startswith(counters, start):
                self._unmake_amount()
            self._add(word, offset + start, offset + end)

    def _number(self, blob: str, start: int, end: int) -> None:
        text = self.text
        before, after = text[start - 1] if start else "", text[end : end + 1]
        if not self.asked and len(blob) < 5 and (text[start - 2] if before == " " else before) in _COMPARED:
            safe = False  # `<1500`, `> 2000`, `x=1999`: an amount
        elif before in _CLEAR and after not in _UNSAFE_AFTER:
            safe = not self._named(blob, start)
        else:
            safe = self._safe(blob, start, before=before, after=after)
        if not safe:
            self._end(start, end)
            return
        if blob.isdigit():
            self._add(digit_readings(blob), start, end)
            return
        for word, first, last in compound_readings(blob, year_first=self.year_first, day_first=self.day_first):
            self._add(word, start + first, start + last)

    def _safe(self, blob: str, start: int, *, before: str, after: str) -> bool:
        """Whether a number is one by itself: no part of a name, an amount or a version."""
        run = self.run
        safe = (before not in _UNSAFE_BEFORE or is_labelled(self.text, start, blob=blob)) and after not in _UNSAFE_AFTER
        if before.isalpha() and (before < "ʰ" or "\u0400" <= before < "\u0530"):
            last = self._last()
            safe = safe and ("month" in last or not GLUED.isdisjoint(last))
            if not safe:
                self._break_last()
        if not safe or self._named(blob, start):
            return False
        if before == "-" and len(blob) == 4 and blob.isdigit() and self.text[start - 2 : start - 1].isalpha():
            return len(run) > 1 and "month" in kinds(run[-2][0])
        return True

    def _named(self, blob: str, at: int) -> bool:
        """Whether the words before make a number a name: `port 2019`, `upgraded to 2026.4.12`."""
        if is_version(self.low, at, blob=blob):
            return True
        if self.run:
            if len(blob) <= 2:
                return False
            _, _, start, end = self.run[-1]
        else:
            start, end = self._before
        word = self.low[start:end]
        if self.latin is not None and word in self.latin.numbered:
            return True
        return self.hindi is not None and fold(word) in self.hindi.numbered
