"""The words of changes (`data/changes.json`) as patterns, for the languages of one script."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.known_languages import HAN, LANGUAGES, LATIN, identify
from commonplace.core.text.normalize import fold

_VALUE = '(?P<{}>"[^"]{{1,80}}"|[^,;。、!?()|]{{1,60}}?)'
_BETWEEN = r"(?: [^,;.()|]{0,40}?)?"
"""What may be between a verb and its values: "moved the server from A to B"."""


class ChangeLexicon(NamedTuple):
    """What the languages of one script say of changes."""

    states: dict[str, re.Pattern[str]]
    """Group of states -> its words."""
    replaced: tuple[re.Pattern[str], ...]
    """Sentences with the groups `old` and perhaps `new`."""
    contrast: tuple[re.Pattern[str], ...]
    """The same for sentences that only deny `old`, which count where it is an identifier."""
    doubt: re.Pattern[str]
    """Words of plans, questions and conditions."""


def lexicon(text: str) -> ChangeLexicon:
    """Return the lexicon for a text, by its script."""
    code = identify(text).code
    if code in LATIN:
        return _lexicon(LATIN)
    # a few words with hardly any kana are taken for Chinese and may be Japanese
    return _lexicon(("en", *HAN) if code == "zh" else ("en", code))


@cache
def small_terms() -> frozenset[str]:
    """Return terms that say nothing about a subject."""
    return _terms("small") | frozenset(["→", "->", "=>", "-", "—", "–", "|", ":", "(", ")", ".", ",", "✅", "❌", "⚠️"])


@cache
def generic_terms() -> frozenset[str]:
    """Return terms of labels that name no subject, such as Status."""
    return _terms("generic")


@cache
def conflicts() -> frozenset[tuple[str, ...]]:
    """Return pairs of states, older and newer, that one subject cannot have at once."""
    return frozenset(tuple(pair.split()) for pair in table("changes")["conflicts"].split(", "))


@cache
def partly() -> tuple[str, ...]:
    """Return words that say that something ended in part only."""
    return tuple(map(fold, table("changes")["partly"].split(", ")))


def _terms(of: str) -> frozenset[str]:
    return frozenset(term for code in LANGUAGES for term in in_order(fold(table("changes")[code][of])))


@cache
def _lexicon(languages: tuple[str, ...]) -> ChangeLexicon:
    groups = table("changes")["en"]["states"]
    states = {
        group: _any_of([(each, table("changes")[each]["states"][group]) for each in languages]) for group in groups
    }
    replaced = tuple(_sentence(each, said) for each in languages for said in table("changes")[each]["replaced"])
    contrast = tuple(_sentence(each, said) for each in languages for said in table("changes")[each]["contrast"])
    return ChangeLexicon(
        states, replaced, contrast, _any_of([(each, table("changes")[each]["doubt"]) for each in languages])
    )


def _any_of(lists: list[tuple[str, str]]) -> re.Pattern[str]:
    words = []
    for code, listed in lists:
        for word in filter(None, map(fold, listed.split(", "))):
            words.append(rf"(?<![\w-]){re.escape(word)}(?![\w-])" if LANGUAGES[code].spaced else re.escape(word))
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


def _sentence(code: str, said: str) -> re.Pattern[str]:
    """Return the pattern of one sentence, in which OLD, NEW and V stand for values and verbs."""
    spaced = LANGUAGES[code].spaced
    moves = "|".join(
        sorted((re.escape(fold(each)) for each in table("changes")[code]["moves"].split(", ")), reverse=True)
    )
    found = r"(?<![\w-])" if spaced and said[0].isalpha() and not said.startswith("OLD") else ""
    for part in re.split("(OLD|NEW|V)", said):
        if part in ("OLD", "NEW"):
            found += _VALUE.format(part.lower())
        elif part == "V":
            found += f"(?:{moves})" + (_BETWEEN if spaced and said.startswith("V") else "")
        else:
            before, behind = part[:1] == " ", part[-1:] == " " and len(part) > 1
            found += " " * before + re.escape(fold(part)) + " " * behind
    if not said.endswith(")") and not said.endswith("V"):
        found += (
            r"(?=$|[,;。、)(|]|\.\s|\.$|\s[-—]\s| in | on | for | because )"
            if spaced
            else "(?=$|[,;。、)(|にでのへを了])"
        )
    return re.compile(found)
