"""The shapes of a claim's value: an amount, a time of day, a place, a name.

A value is words, or sides `name=thing`: `t=570 d=2` is 9:30 on Tuesdays, `n=900` is the number alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.claims.claim_words import Word

_NUMERALS = dict(zip("零一二三四五六七八九两", (*range(10), 2), strict=True))
_SCALES = {"万": 10_000, "千": 1_000, "百": 100, "हजार": 1_000, "लाख": 100_000, "thousand": 1_000, "million": 1_000_000}
_UNITS = {
    "€": "eur", "euro": "eur", "euros": "eur", "$": "usd", "dollar": "usd", "dollars": "usd", "£": "gbp", "₹": "रुपये",
    "kroner": "kr", "dkk": "kr", **dict.fromkeys(("рубль", "рубля", "рублей", "₽"), "руб"), "块": "元", "圆": "円",
}  # fmt: skip


_THOUSANDS = 4
"""A mark and the three digits behind it."""
_LONG_UNITS = frozenset(
    ["毫米", "厘米", "公里", "千米", "公斤", "千克", "毫升", "小时", "分钟", "美元", "欧元", "日元", "万元"]
)
"""Units of two characters, where words are not parted."""
_AMOUNT = lazy_pattern(r"([^\w.,+-]{0,3}|[a-z]{2,3})(\d[\d.,]{0,20})([^\W\d]{0,6}|[^\w.,+-]{0,2})$")
_CLOCK = lazy_pattern(r"(\d{1,2})(?:[:h](\d\d))?(am|pm|h)?$")
_VERSION = lazy_pattern(r"v?\d+(?:\.\d+)*(?:[-+][\w.]+)?$")
_PHONE = lazy_pattern(r"[+(]?\d[\d/()-]*$")


def number(text: str) -> str:
    """Return a number in digits, without separators of thousands and without a fraction of zeros."""
    whole, rest = text.rstrip(".,"), ""
    last = max(whole.rfind(","), whole.rfind("."))
    if last >= 0 and len(whole) - last != _THOUSANDS:
        whole, rest = whole[:last], whole[last + 1 :].rstrip("0")
    whole = whole.replace(",", "").replace(".", "").lstrip("0") or "0"
    return f"{whole}.{rest}" if rest else whole


def amount(words: Sequence[Word]) -> tuple[str, str, int]:
    """Return the number that the words begin with, its unit, and the words used; empty if there is none."""
    low = words[0].low
    found = _AMOUNT.match(low)
    before, used = "", 1
    if found is None and len(words) > 1 and 1 < len(low) <= 3 and words[0].capital:  # EUR 900
        found, before, used = _AMOUNT.match(words[1].low), low, 2
    if found is None:
        return "", "", 0
    value, unit = number(found[2]), before or found[1] or found[3]
    while not unit and used < len(words) and not words[used - 1].ends:
        after = words[used].low
        if after in _SCALES:
            value = number(str(round(float(value) * _SCALES[after])))
        elif after[0].isdigit():
            break
        else:
            unit = after
            if used + 1 < len(words) and after + words[used + 1].low in _LONG_UNITS:
                used += 1
                unit += words[used].low
        used += 1
    return f"n={value}", _UNITS.get(unit, unit), used


def clock(words: Sequence[Word], *, pm: int, hours: frozenset[str]) -> tuple[str, int]:
    """Return the time of day that the words begin with, `t=570` in minutes, and the words used; empty if there is none.

    Args:
        pm: hours to add below twelve.
        hours: words that make a number before them a time: o'clock, 点, बजे.
    """
    low = words[0].low
    found = _CLOCK.match(low)
    if found is None:
        hour, used = _numeral(words)
        if not used or used >= len(words) or words[used].low not in hours:
            return "", 0
        minute = 0
    else:
        hour, minute, used = int(found[1]), int(found[2] or 0), 1
        half = found[3] or ""
        if not half and len(words) > 1 and words[1].low in ("am", "pm", "a.m", "p.m"):
            half, used = words[1].low, 2
        pm = 12 if half.startswith("p") else pm
    rest = [word.low for word in words[used : used + 4]]
    if rest and rest[0] in hours:
        used += 1
        if rest[1:2] == ["半"]:
            minute, used = 30, used + 1
        elif len(rest) > 1 and rest[1].isascii() and rest[1].isdecimal():
            minute, used = int(rest[1]), used + 1 + (rest[2:3] == ["分"])
    if hour > 24 or minute > 59:
        return "", 0
    return f"t={(hour + pm if hour < 12 else hour) * 60 + minute}", used


def _numeral(words: Sequence[Word]) -> tuple[int, int]:
    """Return the number below a hundred in these characters, and how many were used."""
    value = used = 0
    for word in words[:3]:
        if word.low == "十":
            value = (value or 1) * 10
        elif word.low in _NUMERALS and not value % 10:
            value += _NUMERALS[word.low]
        else:
            break
        used += 1
    return value, used


def count(word: Word, numbers: dict[str, int]) -> str:
    """Return the whole number that a word is, as `n=2`, or empty."""
    if word.low.isascii() and word.low.isdecimal() and len(word.low) < 6:
        return f"n={int(word.low)}"
    return f"n={numbers[word.low]}" if word.low in numbers else ""


def version(word: Word) -> str:
    """Return the version that a word is, or empty."""
    return word.low.removeprefix("v") if _VERSION.match(word.low) else ""


def token(words: Sequence[Word]) -> tuple[str, int]:
    """Return an identifier: a number in parts, a word with a digit or a sign in it, or a lone word."""
    parts: list[str] = []
    for word in words:
        if not _PHONE.match(word.low):
            break
        parts.append(word.low)
        if word.ends:
            break
    if parts:
        return "".join(sign for sign in "".join(parts) if sign.isdigit()), len(parts)
    first = words[0]
    telling = any(sign.isdigit() or sign in "@/_#.:" for sign in first.low)
    return (first.low, 1) if telling or first.ends or len(words) == 1 else ("", 0)
