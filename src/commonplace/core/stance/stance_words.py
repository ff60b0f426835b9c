"""The stems of the words of a statement; irregular forms (bought) become their base form (buy) first."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.normalize import unify

if TYPE_CHECKING:
    from collections.abc import Iterable

_PARTICLE = 2
"""Letters of a Hindi word that is not cut."""


def stems(words: Iterable[str], language: str) -> list[str]:
    """The stems of words in a language that has an alphabet."""
    forms, kept = _forms(language), _kept(language)
    firsts = [forms.get(lower, lower) for lower in map(str.lower, words)]
    stemmed = _stemmer(language).stemWords(firsts)
    particle = _PARTICLE if language == "hi" else 0  # ने, ना and न differ by what a stemmer cuts
    return [
        first if first in kept or len(first) <= particle else stem for first, stem in zip(firsts, stemmed, strict=True)
    ]


@cache
def _kept(language: str) -> frozenset[str]:
    """Words whose stem is that of another word: hardly."""
    return frozenset(map(unify, table("stance", language).get("kept", "").split()))


@cache
def _forms(language: str) -> dict[str, str]:
    """Irregular forms, which a stemmer does not know, to their first form."""
    kinds = table("forms").get(language, {}).values()
    return {form: first for forms in kinds for first, others in forms.items() for form in others.split(", ")}


@cache
def _stemmer(language: str) -> Any:
    import Stemmer

    return Stemmer.Stemmer(LANGUAGES[language].stemmer)
