"""Whether the neighbours of an ambiguous word make it a date: `12 sep`, `Sat 14 Feb`, 月曜の朝."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.known_languages import ALPHABETIC, SPELLED, written_in
from commonplace.core.when.words.date_lexicon import MONTHS
from commonplace.core.when.words.decades import is_anybodys

_MONTH_FOLLOWS = frozenset(
    {"in", "since", "until", "upto", "before", "after", "of", "which", "edge", "from", "to", "between", "around"}
    | {"ord", "num", "dash", "slash", "year", "pair"}
)
_WEEKDAY_FOLLOWS = frozenset({"in", "since", "until", "upto", "before", "after", "which", "dash", "lp", "of"})


@cache
def _number_before() -> re.Pattern[str]:
    return re.compile(r"(?<!\d)(?:\d{1,2}|\d{4})(?:st|nd|rd|th)?[ .,/-]{1,2}(?:of )?$")


@cache
def _number_behind() -> re.Pattern[str]:
    return re.compile(r"[ .,'/-]{0,3}(?:the )?\d")


@cache
def _day_behind() -> re.Pattern[str]:
    months = "|".join((*MONTHS, "may", "oct"))
    return re.compile(
        rf"[ .,]{{0,3}}(?:d\. ?|den )?(?:\d{{4}}-|\d{{1,2}}(?:(?:st|nd|rd|th)\b|[/-]\d|\.? ?(?:of )?(?:{months})))"
    )


def beside_number(low: str, start: int, *, end: int, weekday: bool) -> bool:
    """Whether a day or year in digits stands beside a short month, or a day of a month behind a short weekday."""
    if weekday:
        return _day_behind().match(low, end, end + 20) is not None
    if _number_behind().match(low, end, end + 10) is not None:
        return True
    return _number_before().search(low[max(0, start - 11) : start]) is not None


def accompanied(text: str, end: int, *, known: tuple[str, ...], before: tuple[str, ...]) -> bool:
    """Whether a lower-case `may` or `sat` that ends at `end` has a neighbour that makes it a date.

    Args:
        known: the classes of the word.
        before: those of the date word before it.
    """
    rest = text[end : end + 6].lstrip(" ,.-")
    if "month" in known:
        return not _MONTH_FOLLOWS.isdisjoint(before) or rest[:1].isdigit()
    if "weekday" in known:
        return not _WEEKDAY_FOLLOWS.isdisjoint(before)
    return False


def leads(text: str, start: int, *, end: int) -> bool:
    """Whether a word has its capital from standing first, before a word in small letters, or `the` before it."""
    before = text[max(0, start - 4) : start]
    if before.lower() == "the ":
        return True
    return (
        (not before.strip() or before.rstrip()[-1:] in ".!?")
        and text[end : end + 1] == " "
        and (text[end + 1 : end + 2].islower())
    )


@cache
def _hyphen() -> re.Pattern[str]:
    return re.compile(r"-([^\W\d_]{1,20})")


def hyphened(low: str, end: int) -> str:
    """The word that a hyphen joins to what ends there, or empty."""
    found = _hyphen().match(low, end)
    return found[1] if found is not None else ""


def in_a_compound(run: str, at: int, *, beside: tuple[str, ...]) -> bool:
    """Whether a weekday without 日 that ends at `at` is part of a longer word: 月曜会, 火曜サスペンス, but 月曜の朝."""
    following = run[at : at + 1]
    if not following or "ぁ" <= following <= "ゟ":
        return False
    return not run.startswith(beside, at)


@cache
def _following() -> re.Pattern[str]:
    return re.compile(r"(?: \d+\b)* ([^\W\d_]+(?:'[^\W\d_]+)?)")


def noun_behind(low: str, end: int) -> str:
    """The word behind what ends here, numbers aside, that may be what it counts: "first failure", or empty."""
    found = _following().match(low, end, end + 40)
    word = found[1] if found is not None else ""
    return "" if word in _neutral() or word in _verbs() else word


def is_the_end(phrase: str, before: str, *, grain: str, asked: bool) -> bool:
    """Whether "last day" is the end of something, as in "his last day is April 30", not the day before today.

    "In the last day" is yesterday; "his last week" may be either, which only a question may mean.

    Args:
        phrase: the expression, whose unit is a `grain`.
        before: what stands before it.
    """
    words = phrase.lower().split()
    if grain in {"day", "workday"}:
        return not _final(plain=phrase.isascii()).isdisjoint(words[:3]) and words[0] not in _within()
    return not asked and not _final(plain=phrase.isascii()).isdisjoint(words[:1]) and is_anybodys(before.lower())


@cache
def _final(*, plain: bool) -> frozenset[str]:
    """Words of the end of something; of Latin script alone for a plain text, which spares a cold start the others."""
    codes = written_in("latin") if plain else SPELLED
    return frozenset(word for language in codes for word in table("when", language)["final_day"])


@cache
def _within() -> frozenset[str]:
    return frozenset(word for language in written_in("latin") for word in table("when", language)["within"])


@cache
def _verbs() -> frozenset[str]:
    return frozenset(
        word for language in ALPHABETIC for key in ("told", "present") for word in table("when", language)[key]
    )


@cache
def _neutral() -> frozenset[str]:
    return frozenset(word for language in ALPHABETIC for word in table("when", language)["neutral"])


@cache
def _kana() -> re.Pattern[str]:
    return re.compile("[\u3041-\u309f]")


def qualifies(text: str, start: int, *, end: int) -> bool:
    """Whether a date word may only qualify the word behind it: "Friday deploys", "the year view", 年末調整."""
    behind = text[end : end + 1]
    if text[start] >= "\u2e80":  # Chinese sets its verb right behind: 年底做了什么
        return "\u30a1" <= behind <= "\u9fff" and behind not in "何誰" and _kana().search(text) is not None
    if text[start] >= "\u0250" or behind not in {" ", "'", "-"}:
        return False
    following = text[end + 1 : end + 24].split(" ", 1)[0].strip(".,;:!?()").lower()
    if behind == " " and not following[:1].isalpha():
        return False
    return behind != " " or following not in _neutral()
