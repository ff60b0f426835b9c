"""Splits a run of one script into tokens: words, identifiers, n-grams.

What a run gives comes in three lists: its *words* in their order (what phrases match), its *wholes* (an identifier
in one piece) and other *views* (Danish stems, parts of camel case, sub-paths). `analyzer` joins them for a line
and for a question. What pays in which script was measured with bench/terms.py: pairs of characters for Chinese,
Japanese and Korean (trigrams beside them cost twice the terms and lost .01 of R@1), trigrams for Thai and its like.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import add
from typing import TYPE_CHECKING

from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import CharacterTable, digraphs, plain, unify

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 64
"""Characters of a term; a longer one (a key, a blob) is cut there, in documents and questions alike."""

_LONGEST_IDENTIFIER = 1024
_MOST_PARTS = 1 << 17
_MOST_INNER = 24
"""Of one identifier: characters that are looked at as a whole, parts that become words, whole terms within it."""

_KEPT_WORDS = 16_384
"""Words whose terms are kept, of at most `LONGEST` characters and one."""

DANISH = "~"
"""Before a Danish stem, so that it never meets an English one."""

BEGINNING = "^"
"""Before the first four letters of a Russian or Hindi stem: what brings together words that Snowball leaves apart
(производство, производитель); R@1 rose by .01 to .02 in both."""

FUNCTION = "="
"""Before a Russian or Hindi function word, so that it never meets a name with its stem: или and Илья, над and Надя."""

_MARKS = frozenset("-._/:@\\'&+~=%?#,")
_BETWEEN_PARTS = str.maketrans(dict.fromkeys(_MARKS, " "))
_BINDING = frozenset("/@:?=&#.")
_BETWEEN_NAMES = str.maketrans(dict.fromkeys("/@:?=&#", " "))
"""What stands within identifiers; what binds names that have a sense of their own: a host, a file in a path."""

_HYPHENS = frozenset("-_'")
_DOT = frozenset(".")

_SCRIPTS = (
    ("latin", "\u00aa\u00aa\u00ba\u00ba\u00c0\u00d6\u00d8\u00f6\u00f8\u024f\u1e00\u1eff"),
    ("cjk", "\u3005\u3007\u303b\u303b\u3041\u309f\u30a1\u30fa\u30fc\u30ff\u3105\u312f\u3131\u318e\u31f0\u31ff"),
    ("cjk", "\u3400\u4dbf\u4e00\u9fff\uac00\ud7a3\uf900\ufaff\U00020000\U0003ffff"),
    ("unspaced", "\u0e01\u0e3a\u0e40\u0e4e\u0e80\u0eff\u1000\u1049\u1050\u109f\u1780\u17d3\u17d7\u17dd"),
    ("hindi", "\u0900\u0963\u0971\u097f"),
    ("russian", "\u0400\u052f"),
    ("arabic", "\u0620\u064a\u066e\u06d3\u06d5\u06ff\u0750\u077f"),
    ("", "\u0080\u009f\u2000\u206f\u3000\u3004\u3008\u3020\u30fb\u30fb"),
)
"""Script, and the first and last characters of its ranges; "" is skipped."""

_SIGNS = {
    "latin": "a",
    "": " ",
    "cjk": "\x81",
    "unspaced": "\x82",
    "hindi": "\x83",
    "russian": "\x84",
    "arabic": "\x85",
}
_REST = "\x86"
_NAMES = ("latin", "cjk", "unspaced", "hindi", "russian", "arabic", "rest")


def _sign_of(code: int) -> str | int:
    """Return the sign of the script of a character, or the code of one in ASCII."""
    character = chr(code)
    for script, ranges in _SCRIPTS:
        if any(first <= character <= last for first, last in zip(ranges[::2], ranges[1::2], strict=True)):
            return _SIGNS[script]
    return code if character.isascii() else _REST


_signs = CharacterTable(_sign_of, {})
"""A regular expression over signs needs no classes of thousands of characters, which take `re` 4 ms to compile."""
_IDENTIFIER = "(?:(?<!\\.)\\.)?[0-9A-Za-z]+(?:(?:[-._/:@\\\\'&+~=%?#]+|(?<=[0-9]),(?=[0-9]))[0-9A-Za-z]+)*(?:\\+\\+|#)?"
"""A word, or an identifier with its inner punctuation. Linear: the classes are disjoint."""


@cache
def _ascii_runs() -> re.Pattern[str]:
    return re.compile(_IDENTIFIER)


@cache
def _runs() -> re.Pattern[str]:
    return re.compile("|".join([_IDENTIFIER, *(f"({sign}+)" for sign in "\x81\x82\x83\x84\x85\x86")]))


def runs(text: str) -> list[tuple[str, str]]:
    """Return the runs of one script as (script, run), of a text after `unify` or `variants`."""
    if text.isascii():
        return [("latin", run) for run in _ascii_runs().findall(text)]
    return [(_NAMES[m.lastindex or 0], text[m.start() : m.end()]) for m in _runs().finditer(text.translate(_signs))]


_THOUSANDS = lazy_pattern("[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}")
_HUMPS = lazy_pattern("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return the function that stems one word by Snowball."""
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(language).stemWord
    return stem


def english(word: str) -> str:
    """Return the English stem of letters; any other word unchanged."""
    return stemmer("english")(word) if len(word) > 2 and word.isalpha() else word[:LONGEST]


@cache
def _whole() -> frozenset[str]:
    """Return the Danish words whose end is no ending: billet has nothing to do with bil."""
    return frozenset(table("language", "da")["whole"].split())


@lru_cache(maxsize=_KEPT_WORDS)
def latin_word(word: str) -> tuple[str, tuple[str, ...]]:
    """Return the term of a word without punctuation, and its other views. Five of six words of a log are cached."""
    if word.isdigit() and word.isascii():
        return word[:LONGEST], ()
    views: list[str] = []
    lower = flat = word[:LONGEST].lower()
    if not word.isascii():
        lower = word[:LONGEST].casefold()
        flat = plain(lower)[:LONGEST]
        if (other := digraphs(lower)[:LONGEST]) != flat:
            views.append(english(other))
    first = flat
    if len(flat) > 2 and flat.isalpha():
        first = stemmer("english")(flat)
        danish = plain(lower if lower in _whole() else stemmer("danish")(lower))[:LONGEST]
        if danish != first:
            views.append(DANISH + danish)
    if lower[1:] != word[1:] and len(word) <= LONGEST and not word.isupper():
        humps = _HUMPS.findall(word)
        if len(word) > 2.5 * len(humps):
            views.extend(english(hump.lower()) for hump in humps_of(word))
    return first, tuple(views)


def parts(compound: str) -> list[str]:
    """Return the words of an identifier as they are written."""
    return compound.translate(_BETWEEN_PARTS).split(maxsplit=_MOST_PARTS)[:_MOST_PARTS]


def humps_of(word: str) -> list[str]:
    """Return the parts of camel case that are longer than a letter."""
    return [hump for hump in _HUMPS.findall(word) if len(hump) > 1]


def whole(compound: str) -> list[str]:
    """Return the terms that stand for an identifier as a whole; `foo-bar`, `foo_bar` and `fooBar` share theirs."""
    parts = compound.translate(_BETWEEN_PARTS).split()
    marks = _MARKS.intersection(compound)
    if len(parts) < 2 and marks.isdisjoint("+#."):
        return []
    joined = "".join(parts)
    if marks <= _HYPHENS and not joined.isdigit():
        return [english(joined[:LONGEST])]
    verbatim = compound.replace("'", "")[:LONGEST]
    if marks == _DOT and 2 <= len(parts) <= 3 and joined.isalpha():
        return [verbatim, english(joined[:LONGEST])]
    return [verbatim]


def inner(compound: str) -> list[str]:
    """Return the whole terms of what an identifier holds: sub-paths, a file's name, a host, a date in a path."""
    found: list[str] = []
    segments = [segment for segment in compound.split("/") if segment]
    if len(segments) > 1:
        found += ["/".join(segments[at:])[:LONGEST] for at in range(max(1, len(segments) - 4), len(segments) - 1)]
    pieces = compound.translate(_BETWEEN_NAMES).split()[:_MOST_INNER]
    if len(pieces) > 1:
        for piece in pieces:
            found += whole(piece)
    name, dot, extension = pieces[-1].rpartition(".") if pieces else ("", "", "")
    if dot and len(extension) <= 5 and extension[:1].isalpha():
        found += whole(name)
    return found


def latin_run(token: str) -> tuple[list[str], list[str], list[str]]:
    """Return words, whole terms and other views of a word or an identifier."""
    words: list[str] = []
    views: list[str] = []
    if "'" in token:
        head, _, tail = token.rpartition("'")
        if tail.lower() in ("s", "re", "ve", "ll", "d", "m"):
            token = head
        elif tail.lower() == "t" and head[-1:] in "nN":
            token = head + tail
    if token.isalnum():
        word, others = latin_word(token[: LONGEST + 1])
        return [word], [], [*others]
    if "," in token and _THOUSANDS.fullmatch(token):
        return [token.replace(",", "")[:LONGEST]], [], []
    for part in parts(token):
        word, others = latin_word(part[: LONGEST + 1])
        words.append(word)
        views += others
    flat = plain(token[:_LONGEST_IDENTIFIER].casefold()).replace("\\", "/")
    wholes = whole(flat)
    if not _BINDING.isdisjoint(flat):
        views.extend(term for term in dict.fromkeys(inner(flat.replace("'", ""))) if term not in wholes)
    return words, wholes, views


@cache
def _function_words(language: str) -> frozenset[str]:
    """Return the words of a language that never have a meaning alone, as runs have them."""
    words = set(LANGUAGES[language].function_words).difference(table("language", language)["homographs"].split())
    return frozenset(_NASALS.sub("ं", unify(word).casefold()) for word in words)


_NASALS = lazy_pattern("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
"""A nasal consonant before one of its own class, which is written as a dot as often: हिन्दी, हिंदी."""


def rest_places(run: str) -> list[tuple[int, int]]:
    """Return where words are in scripts without rules here, and every sign (an emoji, a currency) by itself."""
    import unicodedata

    places: list[tuple[int, int]] = []
    start = -1
    for at, character in enumerate(run + " "):
        category = unicodedata.category(character)
        if category[0] in "LMN":
            start = at if start < 0 else start
            continue
        if start >= 0 and plain(run[start:at].casefold()):
            places.append((start, at))
        start = -1
        if (category[0] == "S" and category != "Sk") or category in ("Co", "Cn"):  # Cn: emoji younger than our Unicode
            places.append((at, at + 1))
    return places


def _rest(run: str) -> list[str]:
    """Return the terms of `rest_places`; a sign keeps its case."""
    return [
        plain(run[start:end].casefold())[:LONGEST] if end - start > 1 or run[start].isalnum() else run[start]
        for start, end in rest_places(run)
    ]


def run_terms(script: str, run: str) -> tuple[list[str], list[str], list[str]]:
    """Return words, whole terms and other views of a run of one script."""
    words: list[str]
    if script == "latin":
        return latin_run(run)
    if script == "cjk":
        words = [*map(add, run, run[1:]), run[-1]]
    elif script == "unspaced":
        words = [run[at : at + 3] for at in range(len(run))]
    elif script == "arabic":
        words = [stemmer("arabic")(run[:LONGEST])]
    elif script in ("hindi", "russian"):
        run = _NASALS.sub("ं", run) if script == "hindi" else run.casefold()
        if run in _function_words(script[:2]):
            return [FUNCTION + run], [], []
        words = [stemmer(script)(run[:LONGEST])]
        return words, [], [BEGINNING + words[0][:4]] if len(words[0]) > 4 else []
    else:
        words = _rest(run)
    return words, [], []


def _sign(chunk: str) -> list[str]:
    """Return an operator or emoticon that is alone (`->`, `&&`, `:)`), unless it is Markdown syntax."""
    if not 2 <= len(chunk) <= 4 or not chunk.isascii() or not chunk.strip("-*_#.~`"):
        return []
    sign = "".join(character for character in chunk if "!" <= character <= "~" and character not in "\"'*\\")
    return [sign] if len(sign) > 1 else []


_EDGES = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def analyse(chunk: str) -> tuple[str, str]:
    """Return the words and the other views of a run without white space, each separated by spaces."""
    words: list[str] = []
    views: list[str] = []
    if chunk.isascii():
        core = chunk.strip(_EDGES)
        if core.isalnum():
            at = chunk.find(core)
            if chunk[at - 1 : at] != "." and chunk[at + len(core) : at + len(core) + 1] not in ("+", "#"):
                word, others = latin_word(core[: LONGEST + 1])
                return word, " ".join(others)
        for token in _ascii_runs().findall(chunk):
            first, wholes, other = latin_run(token)
            words += first
            views += wholes
            views += other
    else:
        for script, run in runs(unify(chunk)[: 4 * len(chunk) + LONGEST]):  # one character may stand for eighteen
            first, wholes, other = run_terms(script, run)
            words += first
            views += wholes
            views += other
    if not words:
        views = _sign(chunk)  # beside the words: a phrase goes on across an operator
    return " ".join(words), " ".join(views)
