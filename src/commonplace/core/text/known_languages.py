"""The languages that are read, one record each, and the detector that identifies the language of a text.

A language is a record here and a folder `data/CODE/` with its tables (`when`, `claims`, `stance`, `infer`, `language`).
Most modules ask a record (`spaced`, `verb_last`, `stemmer`); docs/contributing.md lists those that name a script or a
code, and `tests/core/text/test_known_languages.py` lists what a language lacks.
"""

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern


class Language(NamedTuple):
    """How one language is written."""

    code: str
    """ISO 639-1; also its folder of data."""
    name: str
    script: str
    """`latin`, `cyrillic`, `devanagari` or `han`."""
    stemmer: str = ""
    """The algorithm of Snowball for its words; empty where no spaces separate words."""
    spaced: bool = True
    """Whether spaces separate its words."""
    verb_last: bool = False
    """Whether the verb is at the end of a sentence."""
    cases: bool = False
    """Whether names change their endings with their part in a sentence, so that they are compared by their stems."""

    def words(self, of: str) -> list[str]:
        """Return a list of its table `language`: `function` words, which have no meaning alone, or `small` ones."""
        listed: str = table("language", self.code)[of]
        return listed.split()


LANGUAGES = {
    each.code: each
    for each in (
        Language("en", "English", "latin", "english"),
        Language("da", "Danish", "latin", "danish"),
        Language("zh", "Chinese", "han", spaced=False),
        Language("ja", "Japanese", "han", spaced=False, verb_last=True),
        Language("hi", "Hindi", "devanagari", "hindi", verb_last=True),
        Language("ru", "Russian", "cyrillic", "russian", cases=True),
    )
}
"""By code. English, which is assumed where a text shows nothing, stands first."""


@cache
def written_in(*scripts: str) -> tuple[str, ...]:
    """Return the codes of the languages of these scripts, in the order of `LANGUAGES`."""
    return tuple(each.code for each in LANGUAGES.values() if each.script in scripts)


LATIN = written_in("latin")
CYRILLIC = written_in("cyrillic")
DEVANAGARI = written_in("devanagari")
HAN = written_in("han")
ALPHABETIC = written_in("latin", "cyrillic")
"""Codes of the languages in alphabets: one reader cuts them into words, and words of two scripts never meet."""
SPELLED = written_in("latin", "cyrillic", "devanagari")
"""Codes of the languages whose words are made of letters."""
UNSPACED = frozenset(code for code, each in LANGUAGES.items() if not each.spaced)
"""Codes of languages without spaces between words."""


class Identified(NamedTuple):
    """The language of a text."""

    code: str
    sure: bool
    """Whether the text shows it by its script or by enough small words."""


_FARTHEST = 2_000
"""Characters in which a language is looked for."""
_SURE = 2
"""Small words more of one language than of the other."""
_MOST_HAN = 8
"""Chinese characters for each kana up to which a text is Japanese."""


_FIRST_LETTER = "\u0400"
"""The first of the scripts that are told apart."""
_NOT_RUSSIAN = frozenset("іїєґўІЇЄҐЎјљњћђџЈЉЊЋЂЏѓќѕЃЌЅ")
"""Letters of other languages in Cyrillic."""
_SCRIPTS = lazy_pattern(
    "([\u3041-\u30fa\u30fc-\u30ff])|([\u3400-\u4dbf\u4e00-\u9fff])|([\u0900-\u097f])|([\u0400-\u04ff])"
)
_CYRILLIC = lazy_pattern("[\u0400-\u04ff]")


def cyrillic(text: str) -> bool:
    """Whether a text holds a Cyrillic letter."""
    return not text.isascii() and _CYRILLIC.search(text) is not None


@cache
def _only(language: str, other: str) -> frozenset[str]:
    return frozenset(LANGUAGES[language].words("small")) - frozenset(LANGUAGES[other].words("small"))


def by_script(text: str) -> str:
    """Return the language code that a script shows; empty for Latin script."""
    if text.isascii() or max(text[:_FARTHEST]) < _FIRST_LETTER:
        return ""
    text = text[:_FARTHEST]
    kana = han = hindi = russian = 0
    for a, b, c, d in _SCRIPTS.findall(text):
        kana, han, hindi, russian = kana + bool(a), han + bool(b), hindi + bool(c), russian + bool(d)
    if kana and kana * _MOST_HAN >= han:
        return "ja"
    if han:
        return "zh"
    if hindi:
        return "hi"
    if russian and _NOT_RUSSIAN.isdisjoint(text) and 2 * russian >= sum(map(str.isalpha, text)):
        return "ru"
    return ""


def identify(text: str) -> Identified:
    """Return the language of a text, by its script; for Latin script by its small words."""
    if code := by_script(text):
        return Identified(code, True)
    text = text[:_FARTHEST]
    words = {word.lower() for word in tokens(text)}
    danish, english = len(words & _only("da", "en")), len(words & _only("en", "da"))
    if any(letter in text for letter in "æøåÆØÅ"):
        danish += 1
    return Identified("da" if danish > english else "en", abs(danish - english) >= _SURE)


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
