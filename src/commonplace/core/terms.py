"""Text to search terms: one analysis for what is indexed and for what is asked, in every script.

A line becomes one string of terms, parted by spaces, in two parts. First the words in their order, which is what
phrases match; then, after the last word, the other views of the same line: Danish stems, whole identifiers and their
parts, trigrams of scripts without spaces. FTS5 is told that every printable ASCII character belongs to a token, so
that a term is a token whatever stands in it (`connection.update`, `c++`).

Laws: no text raises; every word of a line is among its terms; a term holds no space, quote, star or control character.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.fold import fold, plain, unify
from commonplace.core.runs import DANISH, LONGEST, analyse, latin_run, run_terms, runs
from commonplace.core.tables import table

TOKENIZER = "ascii tokenchars '!#$%&()+,-./:;<=>?@[]^_`{|}~'"
"""FTS5's `tokenize=`; terms never hold the characters that are left out: `"`, `'`, `*`, the backslash."""

MOST_TERMS = 64
"""Distinct terms of one question; of more, those that look rarest."""

_MOST_QUESTION = 16_384
_CACHED_CHUNK = 40
_CACHED_CHUNKS = 120_000


class Term(NamedTuple):
    """One thing that a question looks for."""

    text: str
    """As typed, or the gram."""
    match: str
    """A complete FTS5 expression, quoted."""
    weight: float
    """What it counts beside its rarity; 1 for a plain word."""
    kind: str
    """`word`, `phrase`, `prefix` or `identifier`."""
    keys: tuple[str, ...]
    """Index terms, any of which is a match; one that ends in `*` stands for all that begin so. Of a phrase: all, in order."""


class _Cache(dict[str, str]):
    """From a chunk to its words; the other views, which most chunks lack, stand beside it."""

    def __init__(self) -> None:
        self.views: dict[str, str] = {}
        self.passing: list[str] = []
        """Chunks too long to be kept beyond their line."""

    def __missing__(self, chunk: str) -> str:
        words, views = analyse(chunk)
        if len(chunk) <= _CACHED_CHUNK:
            self[chunk] = words
        else:
            self.passing.append(chunk)
        if views:
            self.views[chunk] = views
        return words

    def settle(self) -> None:
        """Forget what need not be kept. Only between lines: a line takes its words and its views in two passes."""
        for chunk in self.passing:
            self.views.pop(chunk, None)
        self.passing.clear()
        if len(self) > _CACHED_CHUNKS:
            self.clear()
            self.views.clear()


_cache = _Cache()


def document_terms(text: str) -> str:
    """The terms of one line for the index, parted by spaces: its words in order, then the other views."""
    chunks = text.split()
    known, views = _cache, _cache.views
    line = " ".join([known[chunk] for chunk in chunks])
    others = [views[chunk] for chunk in chunks if chunk in views]
    if known.passing or len(known) > _CACHED_CHUNKS:
        known.settle()
    return f"{line} {' '.join(others)}" if others else line


def occurrences(text: str) -> list[str]:
    """The terms of a text as a list: what `Term.keys` are compared with. Words first and in order, then other views."""
    return document_terms(text).split()


def _quoted(key: str) -> str:
    return f'"{key[:-1]}"*' if key.endswith("*") else f'"{key}"'


def _term(text: str, keys: list[str], weight: float, kind: str = "word") -> Term:
    keys = list(dict.fromkeys(keys))
    match = " OR ".join(map(_quoted, keys))
    return Term(text, f"({match})" if len(keys) > 1 else match, weight, kind, tuple(keys))


@cache
def _stops(language: str) -> frozenset[str]:
    return frozenset(map(fold, table("stopwords")["words"][language].split()))


@cache
def _boilerplate() -> re.Pattern[str]:
    lists = table("stopwords")["boilerplate"].values()
    words = sorted({fold(word) for words in lists for word in words.split()}, key=len, reverse=True)
    return re.compile("|".join(words))


@cache
def _quotes() -> re.Pattern[str]:
    return re.compile('"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』|«([^»]+)»|„([^“”]+)[“”]')


def _words_of(text: str) -> list[str]:
    return " ".join([analyse(chunk)[0] for chunk in text.split()]).split()


@cache
def _gram() -> re.Pattern[str]:
    return re.compile(
        "[\u3005-\u30ff\u3105-\u318e\u31f0-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]"
    )


def _phrase(text: str) -> Term | None:
    """A quoted phrase: its words must follow each other; the last gram may go on beyond it."""
    keys = _words_of(text)
    if not keys:
        return None
    open_end = ""
    if _gram().match(keys[-1]) and fold(text)[-1:] == keys[-1]:
        if len(keys) > 1 and _gram().match(keys[-2]) and keys[-2][-1] == keys[-1] and len(keys[-2]) > 1:
            keys.pop()
        else:
            open_end = "*"
    match = '"' + " ".join(keys) + '"' + open_end
    keys[-1] += open_end
    return Term(text, match, 1.0, "phrase", tuple(keys))


def _prefix(text: str) -> Term | None:
    """`deploy*`: the index holds stems, so that a stem shorter than the prefix is a candidate too."""
    typed = plain(unify(text).casefold())
    words = _words_of(typed)
    if not words:
        return None
    keys = [f"{typed[:LONGEST]}*"]
    if len(words) == 1 and words[0] != typed and typed.startswith(words[0]):
        keys.append(words[0])
    if typed.endswith("y"):
        keys.append(f"{typed[:-1]}i*")
    return _term(text + "*", keys, 1.0, "prefix")


BIGRAM, TRIGRAM = 1.0, 0.6
WHOLE, INNER, PART = 1.0, 0.6, 0.5


def _latin_terms(text: str, weight: float) -> list[Term]:
    words, whole, views = latin_run(text)
    if not whole and len(words) == 1:
        keys = words + [view for view in views if view.startswith(DANISH)]
        keys += [view[1:] for view in keys if view.startswith(DANISH)]
        rest = [view for view in views if not view.startswith(DANISH)]
        found = [_term(text, keys, weight)]
        return found + [_term(view, [view], weight * PART) for view in rest]
    found = [_term(text, whole, weight * WHOLE, "identifier")] if whole else []
    found += [
        _term(view, [view], weight * INNER, "identifier")
        for view in views
        if not view.startswith(DANISH) and not view.isalnum()
    ]
    found += [_term(word, [word], weight * PART) for word in words]
    return found


def _terms_of(script: str, text: str, weight: float) -> list[Term]:
    if script == "latin":
        return _latin_terms(text, weight)
    if script == "cjk":
        words, _, views = run_terms(script, text)
        if len(words) == 1:
            return [_term(text, [text + "*"], weight * 0.5)]
        return [_term(gram, [gram], weight * BIGRAM) for gram in words[:-1]] + [
            _term(gram, [gram], weight * TRIGRAM) for gram in views
        ]
    words, _, _ = run_terms(script, text)
    if script == "unspaced":
        if len(text) < 3:
            return [_term(text, [text + "*"], weight)]
        words = words[:-2]
    return [_term(word, [word], weight) for word in words]


def _language(pieces: list[tuple[str, str]]) -> str:
    """Whose function words are dropped: Danish where more of them, or a Danish letter, are found."""
    latin = [piece.casefold() for script, piece in pieces if script == "latin"]
    if any(letter in piece for piece in latin for letter in "æøå"):
        return "da"
    flat = list(map(plain, latin))
    return "da" if sum(word in _stops("da") for word in flat) > sum(word in _stops("en") for word in flat) else "en"


def query_terms(text: str) -> tuple[Term, ...]:
    """What a question looks for, in its order, each thing once."""
    text = text[:_MOST_QUESTION]
    found: list[Term] = []
    for groups in _quotes().findall(text):
        if phrase := _phrase("".join(groups)):
            found.append(phrase)
    chunks = []
    for chunk in text.split():
        stem = chunk.rstrip("*")
        if stem[-1:].isalnum() and len(chunk) == len(stem) + 1 and (prefix := _prefix(stem.strip("\"'([{*"))):
            found.append(prefix)
        else:
            chunks.append(chunk)
    rest = unify(" ".join(chunks))
    pieces = [(m.lastgroup or "", m.group()) for m in runs().finditer(rest)]
    language = _language(pieces)
    kept: list[Term] = []
    dropped: list[Term] = []
    for script, piece in pieces:
        if script == "cjk":
            for part in _boilerplate().sub(" ", piece).split():
                kept += _terms_of(script, part, 1.0)
            dropped += _terms_of(script, piece, 0.1)
        elif _is_stop(script, piece, language):
            dropped += _terms_of(script, piece, 0.1)
        else:
            kept += _terms_of(script, piece, 1.0)
    found += kept
    if not found:
        found = dropped
    once: dict[tuple[str, ...], Term] = {}
    for term in found:
        once.setdefault((term.kind if term.kind == "phrase" else "", *term.keys), term)
    terms = list(once.values())
    if len(terms) > MOST_TERMS:
        order = sorted(range(len(terms)), key=lambda at: (-_rarity(terms[at]), at))[:MOST_TERMS]
        terms = [terms[at] for at in sorted(order)]
    return tuple(terms)


def _rarity(term: Term) -> float:
    """How rare a term looks without counting: identifiers and digits first, then long words."""
    first = term.keys[0]
    return term.weight * (
        3.0 * (term.kind != "word") + any(map(str.isdigit, first)) + min(len(first.encode()), 12) / 12
    )


def _is_stop(script: str, piece: str, language: str) -> bool:
    if script == "latin":
        return plain(piece.casefold()).replace("'", "") in _stops(language)
    if script == "hindi":
        return piece in _stops("hi")
    return script == "russian" and piece.casefold() in _stops("ru")


def hits(text: str, terms: tuple[Term, ...]) -> list[int]:
    """How often each term stands in a text, by the analysis of the index; phrases and prefixes by the text itself."""
    from collections import Counter

    counts = Counter(occurrences(text))
    found = []
    for term in terms:
        if term.kind == "phrase":
            found.append(fold(text).count(fold(term.text)))
        elif term.kind == "prefix":
            start = term.keys[0][:-1]
            found.append(sum(word.startswith(start) for word in _surface(text)))
        else:
            found.append(
                max(
                    sum(n for word, n in counts.items() if word.startswith(key[:-1]))
                    if key.endswith("*")
                    else counts[key]
                    for key in term.keys
                )
            )
    return found


def _surface(text: str) -> list[str]:
    return fold(text).split()
