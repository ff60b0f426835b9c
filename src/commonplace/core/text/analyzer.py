"""Text to search terms, the same for the index and for questions, in every script.

A line becomes one string of terms, parted by spaces, in two parts. First the words in their order, which is what
phrases match; then, after the last word, the other views of the same line: Danish stems, whole identifiers and their
parts, trigrams of scripts without spaces. FTS5 is told that every printable ASCII character belongs to a token, so
that a term is a token whatever stands in it (`connection.update`, `c++`).

Laws: no text raises; every word of a line is among its terms; a term holds no space, quote, star or control character.
"""

import re
from functools import cache
from operator import add
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.alignment import Typed
from commonplace.core.text.known_languages import LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import digraphs, fold, plain, unify, variants
from commonplace.core.text.stem_variants import definite, kin, other_spellings
from commonplace.core.text.tokenizer import (
    DANISH,
    LONGEST,
    analyse,
    english,
    humps_of,
    latin_run,
    parts,
    rest_places,
    run_terms,
    runs,
)

TOKENIZER = "ascii tokenchars '!#$%&()+,-./:;<=>?@[]^_`{|}~'"
"""FTS5's `tokenize=`; terms never hold the characters that are left out: `"`, `'`, `*`, the backslash."""

MOST_TERMS = 64
"""Distinct terms of one question; of more, those that look rarest."""

_MOST_QUESTION = 16_384
_MOST_PHRASE = 48
_BINDING = frozenset("._/:@\\&+~=%?#")
"""What makes an identifier of words; a hyphen alone makes a compound, whose parts say more."""
PATH, HYPHENATED, PART, LONE, LIKE, DROPPED = 0.6, 0.8, 0.5, 0.5, 0.4, 0.1
"""Weights beside a plain word's 1: a sub-path, the parts of a hyphenated word and of another identifier, a single
character, a word that begins alike, a function word when there is nothing else. Fitted by bench/terms.py."""

_CACHED_CHUNK = 40
_CACHED_CHUNKS = 120_000


class Term(NamedTuple):
    """One thing that a question looks for."""

    text: str
    """As typed: of a run without spaces the stretch that its gram stands for."""
    match: str
    """A complete FTS5 expression, quoted."""
    weight: float
    """What it counts beside its rarity; 1 for a plain word."""
    kind: str
    """`word`, `phrase`, `prefix`, `identifier`, or `part`: of an identifier, or a word that begins alike; weak."""
    keys: tuple[str, ...]
    """Index terms, any of which is a match; `上*` stands for all that begin so. Of a phrase: all of them, in order."""


class _Chunks(dict[str, str]):
    """From a chunk to its words and, between two line breaks, its other views, if it has any.

    Threads may share it: an entry never changes, and one that is gone is computed again.
    """

    def __missing__(self, chunk: str) -> str:
        words, views = analyse(chunk)
        terms = f"{words}\n{views}\n" if views else words
        if len(chunk) <= _CACHED_CHUNK:
            if len(self) >= _CACHED_CHUNKS:
                self.clear()
            self[chunk] = terms
        return terms


_terms_of = _Chunks().__getitem__


OPEN_BOX = "[_]"
"""The term of a line that begins with an open box, `[ ]`."""


def document_terms(text: str) -> str:
    """Return the terms of one line for the index, parted by spaces: its words in order, then the other views."""
    if text.startswith("[ ] "):
        text = OPEN_BOX + text[3:]
    line = " ".join(map(_terms_of, text.split()))
    if "\n" not in line:
        return line
    parts = line.split("\n")  # words and views in turn
    return f"{''.join(parts[::2])} {' '.join(parts[1::2])}"


def occurrences(text: str) -> list[str]:
    """Return the terms of a text: what `Term.keys` are compared with. Words first and in order, then other views."""
    return document_terms(text).split()


def in_order(text: str) -> list[str]:
    """Return only the words of a text, in order: which of them are side by side."""
    return "".join(" ".join(map(_terms_of, text.split())).split("\n")[::2]).split()


def _quoted(key: str) -> str:
    return f'"{key[:-1]}"*' if key.endswith("*") else f'"{key}"'


def _term(text: str, keys: list[str], *, weight: float, kind: str = "word") -> Term:
    keys = list(dict.fromkeys(keys))
    match = " OR ".join(map(_quoted, keys))
    return Term(text, f"({match})" if len(keys) > 1 else match, weight, kind, tuple(keys))


@cache
def _stops(language: str) -> frozenset[str]:
    return frozenset(map(fold, LANGUAGES[language].function_words))


@cache
def _letters() -> frozenset[str]:
    """Return the letters that only one of the languages in Latin script has: æøå."""
    return frozenset("".join(table("language", code).get("letters", "") for code in LATIN))


@cache
def _irregular(language: str, part: str) -> dict[str, frozenset[str]]:
    """Map each form of an irregular verb or noun to all of them: eat, ate, eaten."""
    known = table("forms")[language].get(part, {}).items()
    groups = [frozenset(map(fold, (first, *others.split(", ")))) for first, others in known]
    return {form: group for group in groups for form in group}


def _other_forms(word: str, language: str, parts_of_speech: tuple[str, ...] = ("verbs", "nouns")) -> list[str]:
    """Return index terms of other forms of a word that no stemmer joins. Danish only where it is sure: `bar`."""
    found: list[str] = []
    language = language or "en"
    known = [_irregular(language, part) for part in parts_of_speech]
    forms = {form for each in known for form in each.get(word) or each.get(english(word), frozenset())}
    for form in sorted(forms - _stops(language)):
        words, _, views = latin_run(form)
        found += [*words, *views]
    return found


@cache
def _boilerplate() -> tuple[str, ...]:
    """Return it longest first. Replacing two hundred strings takes 20 µs; compiling their alternation takes 2 ms."""
    words = {variants(word) for words in table("stopwords")["boilerplate"].values() for word in words.split()}
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


_CUT = "0"
"""In place of what is cut out of a question, until the particles are."""


@cache
def _particles() -> re.Pattern[str]:
    """Match particles and honorifics (さん) after what is no hiragana, elsewhere they are syllables of a word; and what
    stands between something cut out and a word: 誰を採用."""
    stops = table("stopwords")
    called, particle = stops["honorifics"].replace(" ", "|"), f"[{stops['particles']}]"
    other = f"[^\\s{_CUT}ぁ-ゖ]"
    return re.compile(f"(?<={other})(?:(?:{called}){particle}?|{particle})|(?<={_CUT}){particle}(?={other})")


_OPENING = '"“「『«„'
_QUOTES = lazy_pattern('"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』|«([^»]+)»|„([^“”]+)[“”]')


def _phrase(text: str) -> Term | None:
    """Return the term of a quoted phrase: its words must be adjacent; the last gram may continue."""
    found = runs(variants(text))
    keys = [key for script, run in found for key in run_terms(script, unify(run))[0]][:_MOST_PHRASE]
    if not keys:
        return None
    end = ""
    if found[-1][0] in ("cjk", "unspaced"):
        # In a line the last grams of a run are cut short, in a phrase they may go on: 上海市 also stands in 上海市民.
        tail = {"cjk": 2, "unspaced": 3}[found[-1][0]]
        length = len(unify(found[-1][1]))
        drop = min(tail - 1, length - 1)
        keys = keys[: len(keys) - drop]
        end = "*" if length < tail else ""
    match = '"' + " ".join(keys) + '"' + end
    return Term(text, match, 1.0, "phrase", (*keys[:-1], keys[-1] + end))


def _prefix(typed: str) -> Term | None:
    """Return the term of `deploy*`. The index has stems, so shorter ones are candidates too; `hits` checks the text."""
    found = runs(variants(typed))
    if len(found) != 1 or found[0][0] in ("cjk", "unspaced"):
        return None
    flat = plain(unify(found[0][1]).casefold())[:LONGEST]
    joined = flat.replace("-", "").replace("_", "")
    keys = [flat + "*", joined + "*"]
    if flat.endswith("y"):
        keys.append(flat[:-1] + "i*")
    keys += [flat[:end] for end in range(len(flat) - 1, max(3, len(flat) - 4), -1)]
    return _term(typed + "*", keys, weight=1.0, kind="prefix")


def _parts_of(words: list[tuple[str, str]], weight: float) -> list[Term]:
    """Return the parts of an identifier, each as typed and as a term, without function words."""
    telling = [(typed, word) for typed, word in words if word not in _stops("en")]
    return [_term(typed, [word], weight=weight, kind="part") for typed, word in telling or words]


def _latin_terms(typed: str, text: str, *, weight: float, language: str) -> list[Term]:
    words, wholes, views = latin_run(text)
    if wholes or len(words) != 1:
        paths = [view for view in views if not view.startswith(DANISH) and not view.isalnum()]
        found = [_term(typed, wholes, weight=weight, kind="identifier")] if wholes else []
        low = typed.casefold()
        for path in paths:
            at = low.find(path) if len(low) == len(typed) else -1
            found.append(
                _term(typed[at : at + len(path)] if at >= 0 else path, [path], weight=weight * PATH, kind="identifier")
            )
        hyphens_only = _BINDING.isdisjoint(text)
        pieces = parts(typed)
        named = list(zip(pieces if len(pieces) == len(words) else words, words, strict=True))
        return found + _parts_of(named, weight * (HYPHENATED if hyphens_only else PART))
    stems = [view for view in views if view.startswith(DANISH)]
    other = english(digraphs(text.casefold())[:LONGEST])
    spellings = [view for view in views if view == other]
    humps = [view for view in views if view not in stems and view not in spellings]
    # A line has the Danish stem without its mark where the English one is the same (hus; but huset: ~hus).
    bare = [stem.removeprefix(DANISH) for stem in stems if language != "en"]
    bare = [*bare, *map(english, bare)]
    keys = [*words, *stems, *spellings, *(stem for stem in bare if stem not in _stops("en") | _stops("da"))]
    if language == "da" and words[0].isalpha():
        keys += [DANISH + stem for stem in (words[0], plain(text.casefold())[:LONGEST])]
    elif not language and words[0].isalpha():
        keys += definite(text.casefold()[:LONGEST])
    if humps:
        pieces = humps_of(typed)
        named = list(zip(pieces if len(pieces) == len(humps) else humps, humps, strict=True))
        return [_term(typed, keys, weight=weight, kind="identifier"), *_parts_of(named, weight * PART)]
    keys += kin(text.casefold(), words[0], stems=stems, language=language)
    if language in ("", "en"):
        keys += other_spellings(fold(text))
    return [_term(typed, [*keys, *_other_forms(fold(text), language)], weight=weight)]


def _gram_weight(gram: str) -> float:
    """Return a lower weight for kana, which are grammar, than for kanji and katakana; measured on questions."""
    if any(character in table("stopwords")["weak"] for character in gram):
        return 0.4
    return (1.0, 0.6, 0.4)[sum("ぁ" <= character <= "ゖ" for character in gram)]


def _cjk_terms(typed: Typed, start: int, *, end: int) -> list[Term]:
    """Return pairs of adjacent characters; katakana, still apart from hiragana here, weighs more."""
    text = typed.folded[start:end]
    folded = unify(text)
    if len(folded) == 1:
        alone = DROPPED if folded in table("stopwords")["weak"] + table("stopwords")["particles"] else LONE
        return [_term(typed[start:end], [folded + "*"], weight=alone)]
    if len(folded) != len(text):
        return [_term(gram, [gram], weight=_gram_weight(gram)) for gram in map(add, folded, folded[1:])]
    return [
        _term(typed[start + at : start + at + 2], [folded[at : at + 2]], weight=_gram_weight(text[at : at + 2]))
        for at in range(len(folded) - 1)
    ]


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _cjk_run(typed: Typed, start: int, *, end: int) -> list[Term]:
    """Return the terms of a run without boilerplate, unless only stray kana would remain."""
    rest = typed.folded[start:end]
    for phrase in _boilerplate():
        if phrase in rest:
            rest = rest.replace(phrase, _CUT * len(phrase))
    places, at = [], 0
    before = typed.folded[max(0, start - 2) : start].rstrip()  # of SR-71 の整備, and of a name that was set apart
    rest = _particles().sub(_blank, f"x{rest}")[1:] if before[-1:].isalnum() else _particles().sub(_blank, rest)
    rest = rest.replace(_CUT, " ")
    for part in rest.split():
        at = rest.index(part, at)
        places.append((start + at, start + at + len(part)))
        at += len(part)
    if places and all(stop - first == 1 and "ぁ" <= typed.folded[first] <= "ゖ" for first, stop in places):
        places = [(start, end)]
    return [term for first, stop in places for term in _cjk_terms(typed, first, end=stop)]


def _spoken_terms(script: str, typed: Typed, *, start: int, end: int, weight: float) -> list[Term]:
    text, whole = unify(typed.folded[start:end]), typed[start:end]
    if script == "unspaced" and len(text) < 3:
        return [_term(whole, [text + "*"], weight=weight)]
    words, _, views = run_terms(script, text)
    if len(words) == 1:
        pieces = [whole]
    elif script == "unspaced":
        words = words[:-2]
        pieces = [typed[at : min(at + 3, end)] for at in range(start, start + len(words))]
    elif len(text) == end - start:
        pieces = [typed[start + first : start + stop] for first, stop in rest_places(text)]
    else:
        pieces = words
    found = [_term(piece, [word], weight=weight) for piece, word in zip(pieces, words, strict=True)]
    return found + [_term(whole, [view], weight=weight * LIKE, kind="part") for view in views]


def _is_stop(script: str, piece: str, *, language: str) -> bool:
    if script == "latin":
        low = piece.casefold()
        languages = [language] if language else LATIN
        if not _letters().isdisjoint(low):  # nøgle is no nogle, and sø no so
            return any(low in LANGUAGES[one].function_words for one in languages)
        word = plain(low)
        spellings = {word, word.replace("'", "")}  # dont, but an id is no "I'd"
        return any(not spellings.isdisjoint(_stops(one)) for one in languages)
    if script in ("hindi", "russian"):
        return fold(piece) in _stops(script[:2])
    return False


def _elsewhere(pieces: list[str]) -> frozenset[str]:
    """Return the function words of a question in Latin script whose language is none of ours: at least two of its
    words are such of one, one of which means nothing in ours, and fewer are of one of ours. A later word with a capital
    is a name."""
    ours = max(len(_stops(one).intersection(map(fold, pieces))) for one in LATIN)
    small = {piece: fold(piece) for at, piece in enumerate(pieces) if not (at and piece[0].isupper())}
    most = max((each.intersection(small.values()) for each in _others()), key=len)
    if len(most) <= max(ours, 1) or most <= _meant_otherwise():
        return frozenset()
    return frozenset(piece for piece, word in small.items() if word in most)


@cache
def _meant_otherwise() -> frozenset[str]:
    return frozenset(table("stopwords")["meant_otherwise"].split()).union(*map(_stops, LATIN))


@cache
def _others() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(fold, words.split())) for words in table("stopwords")["elsewhere"].values())


def _special(text: str) -> tuple[list[Term], str]:
    """Return phrases and prefixes, and the text without the prefixes."""
    quoted = _QUOTES.findall(text) if any(mark in text for mark in _OPENING) else []
    found = [phrase for groups in quoted if (phrase := _phrase("".join(groups)))]
    if "*" not in text:
        return found, text
    chunks = []
    for chunk in text.split():
        typed = chunk.lstrip("\"'([{*").removesuffix("*")
        if chunk.endswith("*") and typed[-1:].isalnum() and (prefix := _prefix(typed)):
            found.append(prefix)
        else:
            chunks.append(chunk)
    return found, " ".join(chunks)


def query_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a question, in its order, each once.

    Function words and the boilerplate of questions are left out; when nothing else is there they are all that is
    looked for, at a tenth of the weight. A quoted phrase comes beside its words: whether it must be there is the
    caller's to say (in Japanese, quotation marks stand around any title).
    """
    found, rest = _special(text[:_MOST_QUESTION])
    typed = Typed(rest, variants)
    pieces = runs(typed.folded)
    asked = identify(typed.folded, "latin")
    language = asked.code if asked.lead else ""
    elsewhere = _elsewhere([piece for script, piece in pieces if script == "latin"])
    dropped: list[Term] = []
    end = 0
    for script, piece in pieces:
        start = typed.folded.index(piece, end)
        end = start + len(piece)
        if script == "cjk":
            found += _cjk_run(typed, start, end=end)
            dropped += [term._replace(weight=DROPPED) for term in _cjk_terms(typed, start, end=end)]
            continue
        run = unify(piece)
        is_stop = piece in elsewhere or _is_stop(script, run, language=language)
        weight, into = (DROPPED, dropped) if is_stop else (1.0, found)
        if script == "latin":
            into += _latin_terms(typed[start:end], run, weight=weight, language=language)
        else:
            into += _spoken_terms(script, typed, start=start, end=end, weight=weight)
    if not pieces:
        found += [_term(sign, [sign], weight=1.0) for sign in occurrences(rest)]
    once: dict[tuple[str, ...], Term] = {}
    for term in found or dropped:
        same = ("phrase" if term.kind == "phrase" else "", *term.keys)
        if same not in once or once[same].weight < term.weight:
            once[same] = term
    return _rarest(list(once.values()))


def noun_term(noun: str, language: str) -> Term | None:
    """Return the term of a noun of a language, perhaps of several adjacent words; None if it has nothing to look for.

    It has no parts, nothing that begins alike, and no forms of a verb: *rose* is no form of *rise* here.
    """
    found = runs(variants(noun))
    if len(found) != 1 or found[0][0] == "cjk":
        return _phrase(noun)
    script, run = found[0][0], unify(found[0][1])
    if script != "latin":
        return _spoken_terms(script, Typed(noun, variants), start=0, end=len(noun), weight=1.0)[0]
    language = language if language in LATIN else ""
    term = _latin_terms(noun, run, weight=1.0, language=language)[0]
    verbs = _other_forms(fold(noun), language, ("verbs",))
    first, *others = term.keys
    return _term(noun, [first, *(key for key in others if key not in verbs)], weight=1.0, kind=term.kind)


def _rarest(terms: list[Term]) -> tuple[Term, ...]:
    """Return at most `MOST_TERMS`, in their order: likely rare ones, identifiers and digits first, then long words."""

    def rarity(at: int) -> float:
        term = terms[at]
        first = term.keys[0]
        special = term.kind not in ("word", "part")
        return term.weight * (3 * special + any(map(str.isdigit, first)) + min(len(first.encode()), 12) / 12)

    if len(terms) <= MOST_TERMS:
        return tuple(terms)
    chosen = sorted(range(len(terms)), key=lambda at: (-rarity(at), at))[:MOST_TERMS]
    return tuple(terms[at] for at in sorted(chosen))
