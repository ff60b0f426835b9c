"""The words of a statement, and their stems; irregular forms (bought) become their base form (buy) first."""

from __future__ import annotations

import re
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


@cache
def _token() -> re.Pattern[str]:
    letters = "A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u03ff\u0400-\u052f"
    letters += "\u0900-\u0963\u0971-\u097f"
    return re.compile(
        f"[{letters}]+(?:[0-9]+[{letters}]+)*[0-9]*(?:'[{letters}]+)?|[0-9]+(?:[.,:][0-9]+)*"
        "|[<>≤≥=]+|[.;!?:,()।%$€£¥\\n]|--?|[–—]|[^\\W\\d_]+"
    )


def tokens(text: str) -> list[str]:
    """Return words, numbers, comparisons and breaks of an alphabetic text in order; `isn't` is `is not`."""
    found: list[str] = []
    for token in _token().findall(text):
        if "'" in token:
            found.extend(_apart(token))
        else:
            found.append(token)
    return found


_CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}


def _apart(token: str) -> list[str]:
    lower = token.lower()
    if lower.endswith("n't"):
        return [_CONTRACTED.get(lower, token[:-3]) or "is", "not"]
    head, _, tail = token.partition("'")
    if tail.lower() in {"s", "re", "ve", "ll", "d", "m"}:
        return [head]  # the possessive, or an auxiliary that says nothing
    return [head, tail]
