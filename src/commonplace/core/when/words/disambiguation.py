"""Whether the neighbours of an ambiguous word make it a date: `12 sep`, `Sat 14 Feb`, 月曜の朝."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.known_languages import ALPHABETIC, HAN, LATIN, SPELLED
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST
from commonplace.core.when.words.date_lexicon import GLUED, MONTHS, DateLexicon, Word, kinds, listed, word_of
from commonplace.core.when.words.decades import is_anybodys

_MONTH_FOLLOWS = frozenset(
    {"in", "since", "until", "upto", "before", "after", "of", "which", "edge", "from", "to", "between", "around"}
    | {"ord", "num", "dash", "slash", "year", "pair"}
)
_WEEKDAY_FOLLOWS = frozenset({"in", "since", "until", "upto", "before", "after", "which", "dash", "lp", "of"})
_NUMBER_BEFORE = lazy_pattern(r"(?<!\d)(?:\d{1,2}|\d{4})(?:st|nd|rd|th)?[ .,/-]{1,2}(?:of )?$")
_NUMBER_BEHIND = lazy_pattern(r"[ .,'/-]{0,3}(?:the )?\d")


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
    if _NUMBER_BEHIND.match(low, end, end + 10) is not None:
        return True
    return _NUMBER_BEFORE.search(low[max(0, start - 11) : start]) is not None


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
    return stands_first(text, start) and text[end : end + 1] == " " and text[end + 1 : end + 2].islower()


def stands_first(text: str, start: int) -> bool:
    """Whether a word opens a sentence."""
    before = text[max(0, start - 4) : start].rstrip()
    return not before or before[-1] in ".!?"


@cache
def _before_shy() -> tuple[str, ...]:
    return tuple(f"{word} " for language in ALPHABETIC for word in table("when", language)["before_shy"])


def is_verb_of_a_statement(low: str, start: int) -> bool:
    """Whether a shy word in small letters follows its subject: "this may not be so"."""
    return low.endswith(_before_shy(), 0, start)


@cache
def _behind_shy() -> dict[str, frozenset[str]]:
    found = (table("when", language)["behind_shy"] for language in ALPHABETIC)
    return {shy: frozenset(words) for each in found for shy, words in each.items()}


def is_verb_of_a_question(text: str, start: int, *, end: int, lex: DateLexicon) -> bool:
    """Whether a capitalised May opens a sentence before its subject: "May the crew sail?", but "May the fourth"."""
    subjects, behind = _behind_shy().get(text[start:end].lower()), text[end : end + 32].lower()
    if subjects is None or behind[:1] != " " or not stands_first(text, start):
        return False
    said, rest, *_ = [*(each.strip("?.,!") for each in behind.split()), "", ""]
    return said in subjects and not rest[:1].isdigit() and "ord" not in kinds(lex.words.get(rest, ("", ()))[0])


_BEFORE_VERSION = 60
"""Characters before a number in which a word of an update is searched."""


def is_version(low: str, start: int, *, blob: str) -> bool:
    """Whether a number behind these words is a version rather than a date: `upgraded OpenClaw to 2026.4.12`, but not
    `2026.04.12` or `12.4.2026`."""
    year, *rest = blob.split(".")
    if len(rest) != 2 or len(year) != 4 or any(each[:1] == "0" for each in rest):
        return False
    return _version_behind().search(low, max(0, start - _BEFORE_VERSION), start) is not None


@cache
def _version_behind() -> re.Pattern[str]:
    known = (table("when", language).get("version_behind", ()) for language in (*SPELLED, *HAN))
    return re.compile("|".join(each for patterns in known for each in patterns))


def is_ordinal_dot(low: str, end: int, *, day_first: bool) -> bool:
    """Whether a dot after a number makes it an ordinal, as in Danish `24. december` and `27. - 30. november`."""
    rest = low[end : end + 6]
    if rest[:3] in {" - ", " ~ "}:
        return day_first and rest[3:4].isdigit()
    if rest[:1] in {"-", "~"}:
        return day_first or rest[1:2].isdigit()
    return rest[:1] == " " and (rest[1:2].isalpha() if day_first else rest[1:4] in MONTHS)


def is_labelled(text: str, start: int, *, blob: str) -> bool:
    """Whether a label is right before a number: `期限:4月20日`, `due:2026-04-20`; but `db:2019`, `app:2024.5.1`."""
    label = text[start - 2 : start - 1]
    is_full = len(blob) - sum(map(str.isdigit, blob)) == 2 and blob[4:5] != "."
    return text[start - 1] == ":" and (label >= FAR_EAST or (label.isalpha() and is_full))


def unglued(word: Word, behind: str) -> Word:
    """Return a letter without the readings that need a digit (`Q3`) or a Japanese year (`R7年`) right behind."""
    off = frozenset[str]() if behind[:1].isdigit() else GLUED
    if "年" not in behind[1:]:
        off |= {"eraletter"}
    return word_of([pair for pair in zip(kinds(word[0]), word[1], strict=True) if pair[0] not in off])


_HYPHEN = lazy_pattern(r"-([^\W\d_]{1,20})")


def hyphened(low: str, end: int) -> str:
    """Return the word that a hyphen joins to what ends here, or empty."""
    found = _HYPHEN.match(low, end)
    return found[1] if found is not None else ""


_FOLLOWING = lazy_pattern(r"(?: \d+\b)* ([^\W\d_]+(?:'[^\W\d_]+)?)")


def noun_behind(low: str, end: int) -> str:
    """Return the word behind, numbers aside, that may be what is counted: "first failure", or empty."""
    found = _FOLLOWING.match(low, end, end + 40)
    word = found[1] if found is not None else ""
    nouns_not = (listed(key, *ALPHABETIC) for key in ("neutral", "told", "present"))
    return "" if any(word in known for known in nouns_not) else word


def is_the_end(phrase: str, before: str, *, grain: str, asked: bool) -> bool:
    """Whether "last day" is the end of something, as in "his last day is April 30", not the day before today.

    "In the last day" is yesterday; "his last week" may be either, which only a question may mean.

    Args:
        phrase: the expression, whose unit is a `grain`.
        before: what stands before it.
    """
    words = phrase.lower().split()
    if grain in {"day", "workday"}:
        return not _final(plain=phrase.isascii()).isdisjoint(words[:3]) and words[0] not in listed("within", *LATIN)
    return not asked and not _final(plain=phrase.isascii()).isdisjoint(words[:1]) and is_anybodys(before.lower())


def _final(*, plain: bool) -> frozenset[str]:
    """Return words for the end of something; only Latin ones for a plain text, to load no other table."""
    return listed("final_day", *(LATIN if plain else SPELLED))


_KANA = lazy_pattern("[\u3041-\u309f]")


def qualifies(text: str, start: int, *, end: int) -> bool:
    """Whether a date word may only qualify the word behind it: "Friday deploys", "the year view", 年末調整."""
    behind = text[end : end + 1]
    if text[start] >= "\u2e80":  # Chinese sets its verb right behind: 年底做了什么
        return "\u30a1" <= behind <= "\u9fff" and behind not in "何誰" and _KANA.search(text) is not None
    if text[start] >= "\u0250" or behind not in {" ", "'", "-"}:
        return False
    following = text[end + 1 : end + 24].split(" ", 1)[0].strip(".,;:!?()").lower()
    if behind == " " and not following[:1].isalpha():
        return False
    return behind != " " or following not in listed("neutral", *ALPHABETIC)
