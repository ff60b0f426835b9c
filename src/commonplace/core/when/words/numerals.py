"""The possible meanings of digits and numerals: numbers, years, whole days, pairs; number words joined into one."""

from __future__ import annotations

from functools import cache
from typing import Any

from commonplace.core.when.words.date_lexicon import Word, kinds

Item = tuple[str, tuple[Any, ...], int, int]
"""A word of the grammar in a text: its shape and values (see `date_lexicon.word_of`), and where it stands."""

NOTHING: Word = ("", ())
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_TENS = {"廿": 20, "卅": 30}
NUMERALS = frozenset(_DIGITS) | frozenset(_POWERS) | frozenset(_TENS)


def digit_readings(digits: str) -> Word:
    """Return the readings of bare digits: a number, a year, a year of two digits, or a whole day (`20161016`)."""
    size = len(digits)
    if size == 2:
        value = int(digits)
        return ("num yy zero" if digits[0] == "0" else "num yy two"), (value, value, value)
    if size == 4:
        value = int(digits)
        return ("year", (value,)) if 1000 <= value <= 2999 else NOTHING
    if size <= 3:
        return "num", (int(digits),)
    if size == 8 and digits[:2] in {"19", "20"}:
        return "ymd", ((int(digits[:4]), int(digits[4:6]), int(digits[6:])),)
    return NOTHING


def date_readings(blob: str, *, year_first: bool, day_first: bool) -> Word:  # noqa: PLR0911 — a list of cases, one return each
    """Return the readings of digits with one kind of separator; none for a version, an address or an amount."""
    separator = "-" if "-" in blob else "/" if "/" in blob else "."
    parts = blob.split(separator)
    if len(parts) > 3:
        return NOTHING
    for part in parts:
        if len(part) > 4 or not part.isdigit():
            return NOTHING
    one, two = parts[0], parts[1]
    if len(parts) == 2:
        return _pair_readings(one, two, separator=separator, day_first=day_first)
    three = parts[2]
    if len(two) > 2:
        return NOTHING
    if len(one) == 4 and len(three) <= 2:
        return "ymd", ((int(one), int(two), int(three)),)
    if len(three) == 4 and len(one) <= 2:
        first, second, year = int(one), int(two), int(three)
        if (day_first or separator == "." or first > 12) and second <= 12:
            return "ymd", ((year, second, first),)
        return "ymd", ((year, first, second),)
    if len(one) == len(two) == len(three) == 2 and separator != ".":
        if year_first or separator == "-":
            return "shortymd", ((2000 + int(one), int(two), int(three)),)
        month, day = (int(two), int(one)) if day_first or int(one) > 12 else (int(one), int(two))
        return "shortymd", ((2000 + int(three), month, day),)
    if len(three) == 2 and separator == "/":
        month, day = (int(two), int(one)) if day_first or int(one) > 12 else (int(one), int(two))
        return "shortymd", ((2000 + int(three), month, day),)
    return NOTHING


def _pair_readings(one: str, two: str, *, separator: str, day_first: bool) -> Word:  # noqa: PLR0911 — a list of cases, one return each
    first, second = int(one), int(two)
    if len(one) == 4 and len(two) == 4 and separator != ".":
        return ("years", ((first, second),)) if 1000 <= first < second <= 2999 else NOTHING
    if len(one) == 4 and len(two) <= 2 and separator != ".":
        if 1900 <= first <= 2100 and 1 <= second <= 12:
            return "ym", ((first, second),)
        return ("yd", ((first, second),)) if separator == "-" and 1 <= second <= 31 else NOTHING
    if len(two) == 4 and len(one) <= 2 and separator == "-":
        return "dy", ((first, second),)
    if len(two) == 4 and len(one) <= 2 and separator == "/":
        return ("ym", ((second, first),)) if 1900 <= second <= 2100 and 1 <= first <= 12 else NOTHING
    if len(one) > 2 or len(two) > 2:
        return NOTHING
    if separator == "-":
        return "pair", ((first, second),)
    if separator == "/":
        if {first, second} == {24, 7}:
            return NOTHING
        month, day = (second, first) if (day_first or first > 12) and second <= 12 else (first, second)
        return "slashday", ((month, day),)
    return "dotpair", ((first, second),)


def compound_readings(blob: str, *, year_first: bool, day_first: bool) -> list[tuple[Word, int, int]]:
    """Return the readings of a number with separators: a date, a range, a pair of days, each with its offsets.

    What is none of ours is `NOTHING`.
    """
    end = len(blob)
    if ":" in blob or "," in blob:
        whole = [(NOTHING, 0, end)]
        if ":" in blob and "-" in blob and end > 12:
            return [(date_readings(blob[:10], year_first=year_first, day_first=day_first), 0, 10), *whole]
        return whole
    cut = ""
    if "-" in blob and ("/" in blob or "." in blob):
        cut = "/" if blob.count("-") > 2 else "-"
    if cut:
        halves = blob.split(cut)
        if len(halves) == 2 and len(halves[1]) == 4 and halves[1].isdigit() and len(halves[0]) < 6:
            day = "/".join(halves[0].replace(".", "/").split("/") + halves[1:])
            return [(date_readings(day, year_first=False, day_first=True), 0, end)]
        if len(halves) == 2 and all(halves):
            first, last = (_half_readings(half, year_first=year_first, day_first=day_first) for half in halves)
            middle = len(halves[0])
            return [(first, 0, middle), (("dash", (None,)), middle, middle + 1), (last, middle + 1, end)]
    return [(date_readings(blob, year_first=year_first, day_first=day_first), 0, end)]


def _half_readings(half: str, *, year_first: bool, day_first: bool) -> Word:
    if half[-1] == "." and half[:-1].isdigit() and len(half) < 4:
        return "ord", (int(half[:-1]),)
    if half.isdigit():
        return digit_readings(half)
    return date_readings(half, year_first=year_first, day_first=day_first)


def numeral_readings(numeral: str) -> Word:
    """Return the readings of Chinese numerals: 二〇一七 digit by digit, 三十一 by powers of ten."""
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
        return ("num year", (value, value)) if 1000 <= value <= 2999 else ("num", (value,))
    return digit_readings("".join(str(_DIGITS[char]) for char in numeral))


# ---------------------------------------------------------------------- number words


def joined(run: list[Item]) -> list[Item]:
    """Return the run with number words joined: `two thousand and thirty two`, `दो हजार बत्तीस`."""
    if not _holds_number(run):
        return run
    out: list[Item] = []
    at = 0
    while at < len(run):
        value = _word_number(run[at])
        if value is None:
            out.append(run[at])
            at += 1
            continue
        stop, total, last = at + 1, 0, value
        current = value
        ordinal = False
        while stop < len(run) and not ordinal:
            step = stop
            between = kinds(run[step][0])
            if ("and" in between or "dash" in between) and step + 1 < len(run):
                joins = "dash" in between
                if (joins and current % 10 == 0 and 20 <= current < 100) or (not joins and (total or current >= 100)):
                    step += 1
            following = _word_number(run[step])
            below = 10 if 20 <= current < 100 and current % 10 == 0 else 100 if total >= 1000 and not current else 0
            if following is None and below:  # twenty-fifth; две тысячи двадцатом
                following = next((v for v in _values(run[step], "ord") if v < below), None)
                ordinal = following is not None
            if following is None:
                break
            sums = _sums(total, current, following=following)
            if sums is None:
                ordinal = False
                break
            total, current = sums
            last, stop = following, step + 1
        total += current
        if stop == at + 1 and last == total:
            out.append(run[at])
        else:
            kind = "year" if 1000 <= total <= 2999 else "ord" if ordinal else "num"
            out.append((kind, (total,), run[at][2], run[stop - 1][3]))
        at = stop
    return out


def _holds_number(run: list[Item]) -> bool:
    for shape, _, start, end in run:  # noqa: SIM110 — a generator takes three times as long
        if end - start > 1 and _is_number(shape):
            return True
    return False


def _values(item: Item, kind: str) -> list[Any]:
    return [value for known, value in zip(kinds(item[0]), item[1], strict=True) if known == kind]


_NO_WORD_NUMBER = frozenset({"yy", "zero", "ord", "wdchar"})


@cache
def _is_number(shape: str) -> bool:
    """Whether a word of this shape is a number word."""
    known = kinds(shape)
    if "num" not in known:
        return False
    return _NO_WORD_NUMBER.isdisjoint(known)


def _word_number(item: Item) -> int | None:
    if not _is_number(item[0]) or item[3] - item[2] < 2:
        return None
    value: int = _values(item, "num")[-1]
    return value


def _sums(total: int, current: int, *, following: int) -> tuple[int, int] | None:
    if following == 1000:
        return total + max(current, 1) * 1000, 0
    if following == 100:
        return (total, current * 100) if 0 < current < 100 else None
    if current % 100 == 0 and following < 100:
        return total, current + following
    if current % 10 == 0 and current % 100 >= 20 and 0 < following < 10:
        return total, current + following
    if not total and 13 <= current <= 29 and 10 <= following <= 99:
        return total, current * 100 + following
    return None
