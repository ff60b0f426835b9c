"""The words of slots (`data/slots.json`) for the languages of one script."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.known_languages import HAN, LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import variants

WITHIN = r"\w\u0900-\u0963-"
"""What a word goes on with, as a set of an expression; to `\\w` vowel signs of Devanagari are no letters."""


class SlotLexicon(NamedTuple):
    """What the languages of one script say of slots, for texts of `variants` in small letters."""

    cues: re.Pattern[str]
    """What each text has that says what is used or what something became."""
    spaced: bool
    verb_last: bool | None
    """Whether verbs end a clause; None: in some of the languages."""
    usually: tuple[str, ...]
    usual: re.Pattern[str]
    moves: tuple[str, ...]
    """Verbs of changes."""
    thing: dict[str, str]
    """A form of a thing -> its first form."""
    things: re.Pattern[str]
    chosen: frozenset[str]
    """Things of which a label gives what was chosen."""
    uses: re.Pattern[str]
    every: re.Pattern[str]
    told: re.Pattern[str]
    denied: re.Pattern[str]
    doubt: re.Pattern[str]
    holds: re.Pattern[str]
    of_holdings: re.Pattern[str]
    """What a heading of holdings says of them without naming whose they are."""
    takes: re.Pattern[str]
    money: frozenset[str]
    """Units of money and of large numbers: of gains and losses rather than of things, but in a balance."""
    ordering: tuple[str, ...]
    """The words of the next two, one of which each text has that has one of these."""
    keeps: re.Pattern[str]
    goes: re.Pattern[str]
    conditions: re.Pattern[str]
    empty: re.Pattern[str]
    """What names nothing."""
    before: re.Pattern[str]
    """What stands just before the new value of a change, at the end of the text there."""
    behind: re.Pattern[str] | None
    """What stands just behind it; None: nothing does."""


def slot_lexicon(text: str) -> SlotLexicon:
    """Return the lexicon for a text, by its script."""
    return _lexicon(_of_one_script(identify(text).code))


@cache
def may_hold() -> re.Pattern[str]:
    """Return what each text in small letters has that states a holding."""
    said = {word for code in LANGUAGES for word in _parts(table("slots")[code]["holds"])}
    return re.compile("|".join(map(re.escape, sorted(said, key=len, reverse=True))))


def _of_one_script(code: str) -> tuple[str, ...]:
    return LATIN if code in LATIN else HAN if code in HAN else (code,)


@cache
def _lexicon(languages: tuple[str, ...]) -> SlotLexicon:
    spaced = LANGUAGES[languages[0]].spaced
    known = [table("slots")[code] for code in languages]
    changes = [table("changes")[code] for code in languages]

    def words(*names: str) -> list[str]:
        return [word for each in known for name in names for word in _parts(each[name].replace("|", ", "))]

    def any_of(listed: list[str]) -> re.Pattern[str]:
        return lazy_pattern(_bounded(listed, spaced=spaced))

    moves = words("became")
    small = [word for each in changes for word in variants(each["small"]).lower().split()] if spaced else []
    thing = {
        form: forms.split("|")[0] for each in known for forms in _parts(each["things"]) for form in forms.split("|")
    }
    usual, told = words("usual"), [*words("told"), *moves]
    verb, to = _bounded(moves, spaced=spaced), words("to")
    if to:
        before = lazy_pattern(rf"{verb}(?: .*)? (?:{'|'.join(to)})(?: (?:{'|'.join(words('article'))}))?\W*$")
    else:
        before = lazy_pattern(rf"{verb}[\s:\"'`「“]*$")
    return SlotLexicon(
        any_of([*usual, *words("uses"), *moves]),
        spaced,
        None if len({LANGUAGES[code].verb_last for code in languages}) > 1 else LANGUAGES[languages[0]].verb_last,
        tuple(usual),
        any_of(usual),
        tuple(moves),
        thing,
        any_of([*thing]),
        frozenset(words("chosen")),
        any_of(words("uses")),
        any_of(words("all")),
        any_of(told),
        any_of(words("denied")),
        any_of([word for each in changes for word in _parts(each["doubt"])]),
        any_of(words("holds")),
        any_of(words("of a holding")),
        any_of(words("takes")),
        frozenset(words("money")),
        tuple(words("keeps", "goes")),
        any_of(words("keeps")),
        any_of(words("goes")),
        any_of(words("conditions")),
        any_of([*usual, *told, *thing, *words("uses", "all", "general", "be", "to"), *small]),
        before,
        lazy_pattern(rf"^[\s\"'`」”]*(?:に|へ)\s*{verb}") if "ja" in languages else None,
    )


def _parts(words: str) -> list[str]:
    return [each for each in variants(words).lower().split(", ") if each]


def _bounded(words: list[str], *, spaced: bool) -> str:
    """Return the expression for any of some words; where words are parted, for whole ones."""
    listed = "|".join(re.escape(each) for each in sorted({*words}, key=len, reverse=True))
    return rf"(?<![{WITHIN}])(?:{listed})(?![{WITHIN}])" if spaced else f"(?:{listed})"
