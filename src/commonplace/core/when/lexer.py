"""Text to the words of the grammar: numbers, month names, relation words of six languages, with their offsets.

The lexicon of a script is loaded when a text first needs it. A text is mapped character by character (full-width and
Devanagari digits, dashes, brackets), so offsets hold. What the grammar has no word for ends a run of items.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from commonplace.core.tables import table

Reading = tuple[str, Any]
Item = tuple[tuple[Reading, ...], int, int, bool]
"""Possible readings (class, value), where it stands, and whether it needs company to count (`May`, `Sun`)."""


class Lexicon(NamedTuple):
    """The words of one script."""

    words: dict[str, tuple[Reading, ...]]
    phrases: dict[str, list[tuple[str, tuple[Reading, ...]]]]
    """By first word, longest first: expressions of several words."""
    careful: frozenset[str]
    """Words that count only in company: `May`, `Sun`, `now`."""
    shy: frozenset[str]
    """Of these the ones that are ordinary words when written small."""
    numbered: frozenset[str]
    """Words before which a number is a name: `port 2019`, `RFC 2119`."""
    counted: frozenset[str]
    """Words after which a number is an amount: `2000 tokens`."""
    longest: int


_PLAIN: dict[int, str] = {
    **{0xFF10 + digit: str(digit) for digit in range(10)},
    **{0x0966 + digit: str(digit) for digit in range(10)},
    **{ord(char): "-" for char in "‐‑‒–—―−－"},
    **{ord(char): "~" for char in "～〜∼"},
    **{ord(char): " " for char in "\u3000\u00a0\u2009\u202f"},
    **{ord(char): "'" for char in "’‘＇"},
    **{ord(wide): thin for wide, thin in zip("／．：，（）＝", "/.:,()=", strict=True)},
}
FOLD: dict[int, str | None] = {
    0x93C: None,
    0x200C: None,
    0x200D: None,
    0x901: "\u0902",
    **{0x958 + place: letter for place, letter in enumerate("\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f")},
}
"""Hindi without nukta, with anusvara for chandrabindu."""


def plain(text: str) -> str:
    """The text with digits, dashes and brackets in their ASCII forms; every offset stays."""
    return text if text.isascii() else text.translate(_PLAIN)


def fold(word: str) -> str:
    """The form in which words are compared: lower case, Hindi without nukta and with anusvara."""
    return word.lower() if word.isascii() else word.lower().translate(FOLD)


@cache
def readings(language: str) -> dict[str, list[Reading]]:
    """Every word of a language's table with its readings."""
    words: dict[str, list[Reading]] = {}
    for kind, listed in table("when-" + language)["words"].items():
        pairs = listed.items() if isinstance(listed, dict) else ((word, None) for word in listed)
        for word, value in pairs:
            reading = (kind, tuple(value) if isinstance(value, list) else value)
            known = words.setdefault(fold(word), [])
            if reading not in known:
                known.append(reading)
    return words


@cache
def lexicon(*languages: str) -> Lexicon:
    """The merged words of the languages; of Chinese and Japanese the first one's reading of a word holds alone."""
    merged: dict[str, list[Reading]] = {}
    careful: set[str] = set()
    shy: set[str] = set()
    numbered: set[str] = set()
    counted: set[str] = set()
    alone = "zh" in languages
    for language in languages:
        data = table("when-" + language)
        careful.update(map(fold, data["careful"]))
        shy.update(data["shy"])
        numbered.update(map(fold, data["numbered"]))
        counted.update(map(fold, data["counted"]))
        for word, known in readings(language).items():
            if word not in merged:
                merged[word] = list(known)
            elif not alone:
                merged[word].extend(reading for reading in known if reading not in merged[word])
    words: dict[str, tuple[Reading, ...]] = {}
    phrases: dict[str, list[tuple[str, tuple[Reading, ...]]]] = {}
    for word, known in merged.items():
        if " " in word:
            phrases.setdefault(word.split(" ", 1)[0], []).append((word, tuple(known)))
        else:
            words[word] = tuple(known)
    for listed in phrases.values():
        listed.sort(key=lambda phrase: -len(phrase[0]))
    longest = max(map(len, words))
    return Lexicon(words, phrases, frozenset(careful), frozenset(shy), frozenset(numbered), frozenset(counted), longest)


@cache
def danish_marks() -> frozenset[str]:
    """Words that show a text to be Danish: those of its table that are no English word, and some of the commonest."""
    data = table("when-da")
    own = {word for word in readings("da") if " " not in word} - set(readings("en"))
    return frozenset((own - set(data["local"])) | set(data["marks"]))


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        r"(\d(?:[\d.,:/-]*\d)?)"
        r"|('(?:s|erne|ne)\b|[A-Za-zÀ-ÖØ-öø-ʯ]+(?:'[A-Za-z]+)*)"
        r"|([\u0900-\u0963\u0970-\u097f\u200c\u200d]+)"
        r"|([\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
        r"|(\S)"
    )


_MARKS: dict[str, tuple[Reading, ...]] = {
    "-": (("dash", None),),
    "~": (("dash", None),),
    "/": (("slash", None),),
    ",": (("comma", None),),
    "、": (("comma", None),),
    "(": (("lp", None),),
    ")": (("rp", None),),
    "<": (("below", None),),
    "=": (("equal", None),),
}
_MONTH_STEMS = frozenset({"jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"})
_GLUED = frozenset({"quarter", "halfletter", "weekletter", "cy"})
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_TENS = {"廿": 20, "卅": 30}
_NUMERALS = frozenset(_DIGITS) | frozenset(_POWERS) | frozenset(_TENS)
_UNSAFE_BEFORE = frozenset("_$€£¥#@+^.&%§:")
_UNSAFE_AFTER = frozenset("_$€£%°@")
_MONTH_FOLLOWS = frozenset(
    {"in", "since", "until", "before", "after", "of", "which", "edge", "from", "to", "between", "around"}
    | {"ord", "num", "dash", "slash", "year", "pair"}
)
_WEEKDAY_FOLLOWS = frozenset({"in", "since", "until", "before", "after", "which", "dash", "lp", "of"})


class Lexer:
    """One text on its way to items."""

    def __init__(self, text: str, *, year_first: bool, day_first: bool) -> None:
        self.text = text
        self.items: list[Item] = []
        self.year_first = year_first
        self.day_first = day_first
        self.low = text.lower()
        if len(self.low) != len(text):  # the dotted capital I grows: compare as it stands
            self.low = text

    def run(self, latin: Lexicon | None, hindi: Lexicon | None, han: Lexicon | None) -> list[Item]:
        """The items of the text; one without readings is no word of the grammar and ends a run."""
        add = self.items.append
        text, low, done = self.text, self.low, 0
        nothing: dict[str, Any] = {}
        known, first, counted = (latin.words, latin.phrases, latin.counted) if latin is not None else (nothing,) * 3
        for match in _token().finditer(self.text):
            start, end = match.span()
            if start < done:
                continue
            kind = match.lastindex
            if kind == 2 and latin is not None:
                word = low[start:end]
                if (
                    word in known
                    or word in first
                    or word in counted
                    or "'" in word
                    or (start and text[start - 1].isdigit())
                ):
                    done = self._latin(start, end, latin)
                else:
                    add(((), start, end, False))
            elif kind == 1:
                self._number(match.group(), start, end, latin)
            elif kind == 4 and han is not None:
                self._han(match.group(), start, han)
            elif kind == 3 and hindi is not None:
                done = self._hindi(start, end, hindi)
            elif kind == 5:
                self._mark(match.group(), start, end)
            else:
                add(((), start, end, False))
        return self.items

    def _mark(self, mark: str, start: int, end: int) -> None:
        items = self.items
        if mark in "._" and items and items[-1][2] == start and mark == ".":
            kinds = {reading[0] for reading in items[-1][0]}
            if "month" in kinds or ("weekday" in kinds and items[-1][2] - items[-1][1] < 5):
                return
            if "num" in kinds and self._ordinal_dot(end):
                value = next(value for kind, value in items[-1][0] if kind == "num")
                items[-1] = ((("ord", value),), items[-1][1], end, False)
                return
            if kinds & {"around", "number"}:
                return
        items.append((_MARKS.get(mark, ()), start, end, False))

    def _ordinal_dot(self, end: int) -> bool:
        """Whether a dot after a number makes it an ordinal, as in Danish `24. december` and `27.-30. november`."""
        rest = self.low[end : end + 6]
        if rest[:1] in {"-", "~"}:
            return self.day_first or rest[1:2].isdigit()
        return rest[:1] == " " and (rest[1:2].isalpha() if self.day_first else rest[1:4] in _MONTH_STEMS)

    def _break_last(self) -> None:
        if self.items:
            _, start, end, _ = self.items[-1]
            self.items[-1] = ((), start, end, False)

    # ------------------------------------------------------------------ words

    def _latin(self, start: int, end: int, lex: Lexicon) -> int:
        low, text, items = self.low, self.text, self.items
        word = low[start:end]
        glued = bool(items) and items[-1][2] == start and text[start - 1].isdigit()
        if glued:
            self._suffix(word, start, end, lex)
            return end
        if word in lex.phrases:
            for phrase, known in lex.phrases[word]:
                stop = start + len(phrase)
                if low.startswith(phrase, start) and not low[stop : stop + 1].isalnum():
                    items.append((known, start, stop, phrase in lex.careful))
                    return stop
        found = lex.words.get(word)
        if found is None:
            if word.endswith("'s") and word[:-2] in lex.words:
                items.append((lex.words[word[:-2]], start, end - 2, False))
                items.append(((("of", None),), end - 2, end, False))
                return end
            if word in lex.counted and items and any(kind in {"num", "year"} for kind, _ in items[-1][0]):
                self._break_last()
            items.append(((), start, end, False))
            return end
        if found[0][0] in _GLUED or (len(word) == 1 and any(kind in _GLUED for kind, _ in found)):
            following = text[end : end + 1].isdigit()
            if not following:
                found = tuple(reading for reading in found if reading[0] not in _GLUED)
        if text[end : end + 1] == "'" or text[start - 1 : start] in {"_", "@", "#", "$"}:
            found = ()
        careful = word in lex.careful
        if careful and word in lex.shy and text[start].islower() and not self._company(found, end):
            found = ()
        items.append((found, start, end, careful))
        return end

    def _company(self, found: tuple[Reading, ...], end: int) -> bool:
        """Whether a lower-case `may` or `sat` has a neighbour that makes it a date."""
        before = {kind for kind, _ in self.items[-1][0]} if self.items else set()
        rest = self.text[end : end + 6].lstrip(" ,.-")
        if any(kind == "month" for kind, _ in found):
            return bool(before & _MONTH_FOLLOWS) or rest[:1].isdigit()
        if any(kind == "weekday" for kind, _ in found):
            return bool(before & _WEEKDAY_FOLLOWS)
        return True

    def _suffix(self, word: str, start: int, end: int, lex: Lexicon) -> None:
        """Letters right behind a number: `15th`, `1990s`, `30d`, `31Dec`; anything else unmakes the number."""
        items = self.items
        last, from_, _, _ = items[-1]
        values = dict(last)
        kinds = {kind: value for kind, value in lex.words.get(word, ())}
        if "num" in values and "suffix" in kinds:
            items[-1] = ((("ord", values["num"]), ("day", values["num"])), from_, end, False)
        elif "decades" in kinds and (values.get("year", 1) % 10 == 0 or values.get("num", 1) % 10 == 0):
            items.append(((("decades", None),), start, end, False))
        elif "num" in values and "compact" in kinds:
            items.append(((("unit", kinds["compact"]),), start, end, False))
        elif "num" in values and "month" in kinds:
            items.append((lex.words[word], start, end, False))
        elif word[0] == "t" and "ymd" in values:
            items.append(((), start, end, False))
        else:
            self._break_last()
            items.append(((), start, end, False))

    def _hindi(self, start: int, end: int, lex: Lexicon) -> int:
        word = fold(self.text[start:end])
        if word in lex.phrases:
            ahead = self.text[start : start + 48].split(" ")
            folded = [fold(part).rstrip("।,.?!:;)") for part in ahead]
            for phrase, known in lex.phrases[word]:
                parts = phrase.split(" ")
                if folded[: len(parts)] == parts:
                    stop = start + len(" ".join(ahead[: len(parts)]).rstrip("।,.?!:;)"))
                    self.items.append((known, start, stop, phrase in lex.careful))
                    return stop
        found = lex.words.get(word, ())
        if not found and word in lex.counted and self.items:
            self._break_last()
        self.items.append((found, start, end, word in lex.careful))
        return end

    # ------------------------------------------------------------------ Chinese and Japanese

    def _han(self, run: str, offset: int, lex: Lexicon) -> None:
        at, size, longest = 0, len(run), lex.longest
        words, items = lex.words, self.items
        while at < size:
            first = run[at]
            best = 0
            for length in range(min(longest, size - at), 0, -1):
                if run[at : at + length] in words:
                    best = length
                    break
            numeral = 0
            if first in _NUMERALS:
                numeral = 1
                while at + numeral < size and run[at + numeral] in _NUMERALS:
                    numeral += 1
            found: tuple[Reading, ...] = ()
            if numeral and numeral >= best:
                found = numeral_readings(run[at : at + numeral])
                if numeral == best:
                    found += words[run[at : at + best]]
            elif best:
                found = words[run[at : at + best]]
            step = max(numeral, best, 1)
            word = run[at : at + step]
            items.append((found, offset + at, offset + at + step, word in lex.careful))
            at += step

    # ------------------------------------------------------------------ numbers

    def _number(self, blob: str, start: int, end: int, latin: Lexicon | None) -> None:
        text, items = self.text, self.items
        before, after = text[start - 1 : start], text[end : end + 1]
        found: tuple[Reading, ...] = ()
        safe = before not in _UNSAFE_BEFORE and after not in _UNSAFE_AFTER
        if start == 0:
            safe = after not in _UNSAFE_AFTER
        if before.isalpha() and before < "ʰ":
            kinds = {kind for kind, _ in items[-1][0]} if items else set()
            safe = safe and bool(kinds & (_GLUED | {"month"}))
            if not safe:
                self._break_last()
        if safe and latin is not None and items and not items[-1][0]:
            word = self.low[items[-1][1] : items[-1][2]]
            safe = word not in latin.numbered
        elif safe and latin is not None and items and len(blob) > 2:
            safe = self.low[items[-1][1] : items[-1][2]] not in latin.numbered
        if safe and before == "-" and text[start - 2 : start - 1].isalpha() and blob.isdigit() and len(blob) == 4:
            safe = any(kind == "month" for kind, _ in items[-2][0]) if len(items) > 1 else False
        if not safe:
            items.append(((), start, end, False))
        elif blob.isdigit():
            found = digit_readings(blob)
            items.append((found, start, end, False))
        else:
            self._compound(blob, start, end)

    def _compound(self, blob: str, start: int, end: int) -> None:
        """A number with separators inside: a date, a range of two, a pair of days, or none of ours."""
        items = self.items
        if ":" in blob or "," in blob:
            if ":" in blob and "-" in blob and len(blob) > 12:
                found = date_readings(blob[:10], year_first=self.year_first, day_first=self.day_first)
                items.append((found, start, start + 10, False))
            items.append(((), start, end, False))
            return
        cut = ""
        if "-" in blob and ("/" in blob or "." in blob):
            cut = "/" if blob.count("-") > 2 else "-"
        if cut:
            halves = blob.split(cut)
            if len(halves) == 2 and len(halves[1]) == 4 and halves[1].isdigit() and len(halves[0]) < 6:
                known = date_readings(
                    "/".join(re.split("[/.]", halves[0]) + halves[1:]), year_first=False, day_first=True
                )
                items.append((known, start, end, False))
                return
            if len(halves) == 2 and all(halves):
                middle = start + len(halves[0])
                for half, at in ((halves[0], start), (halves[1], middle + 1)):
                    if half[-1] == "." and half[:-1].isdigit() and len(half) < 4:
                        items.append(((("ord", int(half[:-1])),), at, at + len(half), False))
                    elif half.isdigit():
                        items.append((digit_readings(half), at, at + len(half), False))
                    else:
                        known = date_readings(half, year_first=self.year_first, day_first=self.day_first)
                        items.append((known, at, at + len(half), False))
                    if at == start:
                        items.append(((("dash", None),), middle, middle + 1, False))
                return
        known = date_readings(blob, year_first=self.year_first, day_first=self.day_first)
        items.append((known, start, end, False))


def digit_readings(digits: str) -> tuple[Reading, ...]:
    """What bare digits can be: a number, a year, a year of two digits, or a whole day (`20161016`)."""
    size = len(digits)
    if size <= 3:
        value = int(digits)
        if size == 2:
            return (("num", value), ("yy", value), ("zero" if digits[0] == "0" else "two", value))
        return (("num", value),)
    if size == 4:
        value = int(digits)
        return (("year", value),) if 1000 <= value <= 2999 else ()
    if size == 8 and digits[:2] in {"19", "20"}:
        return (("ymd", (int(digits[:4]), int(digits[4:6]), int(digits[6:]))),)
    return ()


def date_readings(blob: str, *, year_first: bool, day_first: bool) -> tuple[Reading, ...]:  # noqa: PLR0911 — a list of cases, one return each
    """What digits with one kind of separator can be; a version, an address or an amount is nothing."""
    separator = "-" if "-" in blob else "/" if "/" in blob else "."
    parts = blob.split(separator)
    if not all(part.isdigit() and len(part) <= 4 for part in parts) or len(parts) > 3:
        return ()
    one, two = parts[0], parts[1]
    if len(parts) == 2:
        return _pair_readings(one, two, separator, day_first=day_first)
    three = parts[2]
    if len(two) > 2:
        return ()
    if len(one) == 4 and len(three) <= 2:
        return (("ymd", (int(one), int(two), int(three))),)
    if len(three) == 4 and len(one) <= 2:
        first, second, year = int(one), int(two), int(three)
        if (day_first or separator == "." or first > 12) and second <= 12:
            return (("ymd", (year, second, first)),)
        return (("ymd", (year, first, second)),)
    if len(one) == len(two) == len(three) == 2 and separator != ".":
        if year_first or separator == "-":
            return (("shortymd", (2000 + int(one), int(two), int(three))),)
        month, day = (int(two), int(one)) if day_first or int(one) > 12 else (int(one), int(two))
        return (("shortymd", (2000 + int(three), month, day)),)
    if len(three) == 2 and separator == "/":
        month, day = (int(two), int(one)) if day_first or int(one) > 12 else (int(one), int(two))
        return (("shortymd", (2000 + int(three), month, day)),)
    return ()


def _pair_readings(one: str, two: str, separator: str, *, day_first: bool) -> tuple[Reading, ...]:  # noqa: PLR0911 — a list of cases, one return each
    first, second = int(one), int(two)
    if len(one) == 4 and len(two) == 4 and separator != ".":
        return (("years", (first, second)),) if 1000 <= first < second <= 2999 else ()
    if len(one) == 4 and len(two) <= 2 and separator != ".":
        if 1900 <= first <= 2100 and 1 <= second <= 12:
            return (("ym", (first, second)),)
        return (("yd", (first, second)),) if separator == "-" and 1 <= second <= 31 else ()
    if len(two) == 4 and len(one) <= 2 and separator == "-":
        return (("dy", (first, second)),)
    if len(two) == 4 and len(one) <= 2 and separator == "/":
        return (("ym", (second, first)),) if 1900 <= second <= 2100 and 1 <= first <= 12 else ()
    if len(one) > 2 or len(two) > 2:
        return ()
    if separator == "-":
        return (("pair", (first, second)),)
    if separator == "/":
        if {first, second} == {24, 7}:
            return ()
        month, day = (second, first) if (day_first or first > 12) and second <= 12 else (first, second)
        return (("slashday", (month, day)),)
    return (("dotpair", (first, second)),)


def numeral_readings(numeral: str) -> tuple[Reading, ...]:
    """Chinese numerals: 二〇一七 digit by digit, 三十一 by powers of ten."""
    if any(char in _POWERS or char in _TENS for char in numeral):
        total = current = 0
        for char in numeral:
            if char in _POWERS:
                total += (current or 1) * _POWERS[char]
                current = 0
            elif char in _TENS:
                total += _TENS[char]
            else:
                current = _DIGITS[char]
        value = total + current
        return (("num", value), ("year", value)) if 1000 <= value <= 2999 else (("num", value),)
    return digit_readings("".join(str(_DIGITS[char]) for char in numeral))
