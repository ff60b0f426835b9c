"""Whether `80s` or `1990s` is a decade: mostly the first is eighty seconds, an age or a temperature."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.when.words.date_lexicon import listed

_BEFORE = 60
"""Characters before a number that are looked at."""
_BEHIND = 40
_LIKELY = 50
"""The fifties and later are spoken of so: "the 80s scene"; below, `the 30s default` is rather seconds."""


@cache
def _led() -> re.Pattern[str]:
    edges = _any_of("decade_edges", "en")
    return re.compile(rf"\b(?:the|{edges})(?:[ -]to[ -](?:{edges}))?[ -]+$")


@cache
def _somebodys() -> re.Pattern[str]:
    edges = f"{_any_of('decade_edges', 'en')}|{_any_of('age_edges', 'en')}"
    edge = rf"(?: (?:{edges}))?(?:[ -]to[ -](?:{edges}))?[ -]+$"
    part = rf"(?: (?:{_any_of('decade_edges', 'da')}))? $"
    return re.compile(
        rf"(?:\b(?:{_any_of('whose', 'en', 'da')})|'s){edge}"
        rf"|\b(?:{_any_of('aged', 'da')})(?: (?:{_any_of('age_edges', 'da')}))? i{part}"
    )


def _any_of(key: str, *languages: str) -> str:
    return "|".join(re.escape(word) for language in languages for word in table("when", language)[key])


def is_anybodys(before: str) -> bool:
    """Whether what stands before says whose it is: "his last week", "in her 30s", Danish "er i 30'erne"."""
    return _somebodys().search(f"{before[-40:].rstrip(' -')} ") is not None


def is_decade(low: str, start: int, *, end: int, value: int, listed: bool) -> bool:
    """Whether `80s` is a decade, not seconds, degrees or an age: only the company of a decade makes it one.

    That is an apostrophe (`'80s`), "the", "early" and the like, or a decade before it in a list; and none of the words
    that measure: "the 30s timeout", "temperatures in the 80s".
    """
    before, behind = low[max(0, start - _BEFORE) : start], low[end : end + _BEHIND]
    if before.endswith("'") and not before[-2:-1].isalnum() and behind[:1] != "'":
        return True
    led = _led().search(before)
    if led is None:
        return listed
    if value < _LIKELY and "the" not in before.split()[-4:]:
        return False  # early 20s is an age
    joined = behind[:1] == "-" and not behind[1:2].isdigit()
    if joined or is_anybodys(before) or _measures(before, "measured") or _is_set(before):
        return False
    return _ends(behind, value)


def is_decade_of_years(low: str, start: int, *, end: int) -> bool:
    """Whether `1990s` is a decade: as a rule, but not before or behind what takes seconds: "a TTL of 1800s"."""
    before, behind = low[max(0, start - _BEFORE) : start], _past_lists(low[end : end + _BEHIND])
    following = _following(behind)
    if following[:1] and following[0] in listed("timed", "en"):
        return False
    if _led().search(before) is not None:
        return True
    last = before.split()[-1:]
    if last and last[0].strip("(`*_'\"") in listed("takes_seconds", "en"):
        return False
    return not (_measures(before, "measured") or _measures(before, "timed"))


def _clause(before: str) -> str:
    return re.split(r"[.;!?] ", before)[-1]


def _measures(before: str, key: str) -> bool:
    """Whether a word of the clause before measures: "temperatures in the 80s"."""
    clause = _clause(before)
    return "°" in clause or not set(re.findall("[a-z]+", clause)).isdisjoint(listed(key, "en"))


def _is_set(before: str) -> bool:
    """Whether a value is set to it: "raised to the 60s we agreed"."""
    clause = _clause(before)
    if re.search(r"\b(?:to|from|at|by)(?: the)?[ -]+$", clause) is None:
        return False
    return not set(re.findall("[a-z]+", clause)).isdisjoint(listed("adjusted", "en"))


def _past_lists(behind: str) -> str:
    """Return what follows the last number of a list: `30s and 60s timers`."""
    return re.sub(r"^(?:(?:,| and| or| to|/|,? and|,? or)(?: the)? ?'?\d{2,4}'?s\b)+", "", behind)


def _following(behind: str) -> list[str]:
    """Return the first two words behind, if no mark ends the phrase before them."""
    if behind[:1] != " ":
        return []
    return [word.strip(".,;:!?()*_\"'") for word in behind[1:].split(" ")[:2]]


def _ends(behind: str, value: int) -> bool:
    """Whether a decade may end before this: no noun follows that takes seconds, as in "the 30s timeout"."""
    words = table("when", "en")
    first, second = (*_following(_past_lists(behind)), "", "")[:2]
    if not first[:1].isalpha():
        return True
    if first in words["span_after"]:  # "in the 30s after boot"
        return value >= _LIKELY and second not in words["timed"] and second not in words["events"]
    if first in words["neutral"] or first in words["told"]:
        return True
    return value >= _LIKELY and first not in words["timed"]
