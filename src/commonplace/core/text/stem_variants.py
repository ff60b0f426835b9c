"""Variants of a word that stemmers keep apart: cykel, cyklen; allergy, allergic; colour, color."""

from __future__ import annotations

from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.tokenizer import DANISH, english, latin_word

_SHORT = 5
"""Letters of a stem up to which another with the same beginning is as likely another word: party, part."""
_SHORT_NOUN = 3
_SWAPPED = lazy_pattern(r"(.{3,}[iy])([sz])(e|ed|es|ers?|ing|ations?|able)")
_SHORTEST = lazy_pattern(
    r"(\w+hed|[^\Waeiouyæøå]{0,3}[aeiouyæøå]|[aeiouyæøå]([^\Waeiouyæøå]))(?:\2?(?:e[nrt]|erne|ene))?"
)
_ENDINGS = ("", "en", "et", "er", "erne", "ene")
"""Of nouns too short for Snowball: sø, søen; æg, ægget; and of those of which it takes too much: lejlighed."""
_DEFINITE = ("en", "et", "erne", "ene")
_BEGINNING = 2
"""Letters by which spellings are found."""
_VOWELS = frozenset("aeiouy")
"""As `plain` leaves them."""


def kin(word: str, stem: str, *, stems: list[str], language: str) -> list[str]:
    """Return index terms of related forms of a word.

    Args:
        word: casefolded; `stem` its first index term.
        stems: its Danish stem, marked, where that is another.
        language: of the question; empty where it is not known.
    """
    if language == "da":
        return _danish(word, stems[0].removeprefix(DANISH) if stems else stem)
    if word.endswith(("ic", "ics", "ical")) and len(stem) >= _SHORT:
        return [stem + "i"]
    agent = stem.endswith("tori")  # directory, director: a place and a person
    return [stem[:-1]] if stem.endswith("i") and len(stem) > _SHORT and not agent else []


def definite(word: str) -> list[str]:
    """Return index terms of the definite forms of a word that may be a Danish noun: hund, hunden, hundene; bus, bussen.
    Not those that are English words (market), nor its other forms, which may be (corn, corner).

    Args:
        word: casefolded.
    """
    stem = word.removesuffix("e")
    single = stem[-1:] not in _VOWELS and stem[-2:-1] in _VOWELS and stem == word
    nouns = (stem, stem + stem[-1]) if single else (stem,)
    forms = [noun + ending for noun in nouns for ending in _DEFINITE if noun[-2:] + ending != "cket"]
    return [term for form in forms if _english().isdisjoint((form, term := latin_word(form)[0]))]


@cache
def _english() -> frozenset[str]:
    return frozenset(table("language", "da")["english"].split())


def other_spellings(word: str) -> list[str]:
    """Return index terms of an English word as spelled on the other side of the Atlantic, and of one of which either is
    short: colour, color; config, configuration.

    Args:
        word: folded.
    """
    stem = english(word)
    pairs = _spelled().get(word[:_BEGINNING], ())
    found = [*dict.fromkeys(term for one, other in pairs if english(one) == stem != (term := english(other)))]
    swapped = _SWAPPED.fullmatch(word)
    if swapped and stem not in _kept():
        found.append(english(f"{swapped[1]}{'z' if swapped[2] == 's' else 's'}{swapped[3]}"))
    return found


@cache
def _spelled() -> dict[str, list[tuple[str, str]]]:
    """Return the first letters of words -> the words that begin so, each with its other spelling; the stems of all of
    them would cost a cold recall five milliseconds."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind in ("pairs", "clipped", "clippings"):
        for pair in table("spellings")[kind].split(", "):
            one, other = pair.split()
            found.setdefault(one[:_BEGINNING], []).append((one, other))
            if kind != "clippings":
                found.setdefault(other[:_BEGINNING], []).append((other, one))
    return found


@cache
def _kept() -> frozenset[str]:
    return frozenset(map(english, table("spellings")["kept"].split(", ")))


def _danish(word: str, stem: str) -> list[str]:
    """Return terms for allergi, allergisk, nouns that drop or keep their last e, and short ones."""
    if not stem.isalpha():
        return []
    if short := _SHORTEST.fullmatch(word):
        double = (short[1] + short[2],) if short[2] else ()
        forms = (noun + ending for noun in (short[1], *double) for ending in _ENDINGS)
        return sorted({term for form in forms for term in (latin_word(form)[0], *latin_word(form)[1])})
    if len(stem) < _SHORT_NOUN:
        return []
    if stem.endswith("isk") and len(stem) > _SHORT:
        return [stem[:-2], DANISH + stem[:-2]]
    if stem.endswith("i") and len(stem) > _SHORT:
        return [stem + "sk", f"{DANISH}{stem}sk"]
    last, before = stem[-1], stem[-2]
    if last == "l" and before not in _VOWELS | {"l"}:
        long = {f"{stem[:-1]}el", f"{stem[:-1]}{before}el"}
    else:
        long = _contracted(word, stem)
    return [*sorted(long), *_marked(long)]


def _contracted(word: str, stem: str) -> set[str]:
    """Return the other stem of cykel, cyklen; aften, aftner; a double consonant becomes single: gaffel, gaflen."""
    last, before, third = stem[-1], stem[-2], stem[-3]
    if stem.endswith("el") and third not in _VOWELS:
        return {stem[:-2] + "l", stem[:-3] + "l"} if stem[-4:-3] == third else {stem[:-2] + "l"}
    if (last == "r" and before in "tdm" and third not in "nr") or (last == "n" and before in "tbkf"):
        return {stem[:-1]}
    if word.endswith(("er", "en")) and last not in _VOWELS and not stem.endswith(word[-2:]):  # søster: its stem is søst
        return {stem + word[-1], stem[:-1] + word[-1]} if last == before else {stem + word[-1]}
    return set()


def _marked(stems: set[str]) -> list[str]:
    return [DANISH + stem for stem in sorted(stems)]
