"""Whether `80s` is a decade: mostly it is eighty seconds, an age or a temperature."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table

_BEFORE = 60
"""Characters before a number that are looked at."""
_LIKELY = 50
"""The fifties and later are spoken of so: "the 80s scene"; below, `the 30s default` is rather seconds."""


@cache
def _led() -> re.Pattern[str]:
    return re.compile(r"\b(?:the|early|late|mid)(?:[ -]to[ -](?:early|late|mid))?[ -]+$")


@cache
def _somebodys() -> re.Pattern[str]:
    edge = r"(?: (?:early|late|mid|low|lower|high|upper))?(?:[ -]to[ -](?:late|mid))?[ -]+$"
    part = r"(?: starten af| slutningen af| midten af)? $"
    return re.compile(
        rf"(?:\b(?:his|her|their|my|our|your|its|hans|hendes|deres|min|mit|vores|din|dit)|'s){edge}"
        rf"|\b(?:er|var|bliver|blev|mænd|kvinder|folk) (?:først |sidst |midt )?i{part}"
    )


def is_anybodys(before: str) -> bool:
    """Whether what stands before says whose it is: "his last week", "in her 30s", Danish "er i 30'erne"."""
    return _somebodys().search(f"{before[-40:].rstrip(' -')} ") is not None


def is_decade(low: str, start: int, end: int, value: int, *, listed: bool) -> bool:
    """Whether `80s` is a decade, not seconds, degrees or an age: only the company of a decade makes it one.

    That is an apostrophe (`'80s`), "the", "early" and the like, or a decade before it in a list; and none of the words
    that measure: "the 30s timeout", "temperatures in the 80s".
    """
    before, behind = low[max(0, start - _BEFORE) : start], low[end : end + 24]
    if before.endswith("'") and not before[-2:-1].isalnum() and behind[:1] != "'":
        return True
    led = _led().search(before)
    if led is None:
        return listed
    if value < _LIKELY and "the" not in before.split()[-4:]:
        return False  # early 20s is an age
    joined = behind[:1] == "-" and not behind[1:2].isdigit()
    return not joined and not is_anybodys(before) and not _measures(before) and _ends(behind, value)


def _measures(before: str) -> bool:
    """Whether a word of the clause before measures: "temperatures in the 80s"."""
    clause = re.split(r"[.;!?] ", before)[-1]
    return "°" in clause or not set(re.findall("[a-z]+", clause)).isdisjoint(table("when-en")["measured"])


def _ends(behind: str, value: int) -> bool:
    """Whether a decade may end before this: no noun follows that takes seconds, as in "the 30s timeout"."""
    following = behind[1:].split(" ", 1)[0].strip(".,;:!?()*_\"'") if behind[:1] == " " else ""
    words = table("when-en")
    if not following[:1].isalpha() or following in words["neutral"] or following in words["told"]:
        return True
    return value >= _LIKELY and following not in words["timed"]
