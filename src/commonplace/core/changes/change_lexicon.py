"""The words of changes (`data/changes.json`) as patterns, for the languages of one script."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.known_languages import HAN, LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

_VALUE = '(?P<{}>"[^"]{{1,80}}"|[^,;。、!?()|]{{1,60}}?)'
_SLOTS = lazy_pattern("OLD|NEW|V")
_WORD = lazy_pattern(r"\w+")
_BETWEEN = r"(?: [^,;.()|]{0,40}?)?"
"""What may be between a verb and its values: "moved the server from A to B"."""


class Phrases(NamedTuple):
    """Any of some phrases."""

    pattern: re.Pattern[str]
    words: frozenset[str]
    """Those of one word, in languages with spaces."""
    others: dict[str, tuple[str, ...]]
    """First word -> the other phrases that begin with it; empty: those without spaces, or that begin with a sign."""

    def is_in(self, plain: str, words: frozenset[str]) -> bool:
        """Return whether a folded text with these words has one; to look for parts first is ten times faster."""
        if self.words.isdisjoint(words):
            begun = ("", *self.others.keys() & words)
            if not any([phrase in plain for first in begun for phrase in self.others.get(first, ())]):
                return False
        return self.pattern.search(plain) is not None


class Sentence(NamedTuple):
    """A sentence of a change, with the groups `old` and perhaps `new`."""

    pattern: re.Pattern[str]
    literals: tuple[str, ...]
    """What every text with this sentence has, the longest first."""


class ChangeLexicon(NamedTuple):
    """What the languages of one script say of changes."""

    states: dict[str, Phrases]
    """Group of states -> its words."""
    replaced: tuple[Sentence, ...]
    contrast: tuple[Sentence, ...]
    """Sentences that only deny `old`, which count where it is an identifier."""
    doubt: Phrases
    """Words of plans, questions and conditions."""


def places(wordings: Iterable[Sentence], plain: str) -> Iterator[re.Match[str]]:
    """Yield where one of these sentences is in a folded text."""
    for sentence in [each for each in wordings if each.literals[0] in plain]:  # most texts have none
        if all(literal in plain for literal in sentence.literals):
            yield from sentence.pattern.finditer(plain)


def may_tell_of_a_change(text: str) -> bool:
    """Return whether a text has a word or sign with which a line may outdate another: fast, for most have none."""
    plain = fold(text)
    words, phrases, foreign = _cues()
    said = _WORD.findall(plain)
    if not words.isdisjoint(said) or any(phrase in plain for word in said for phrase in phrases.get(word, ())):
        return True
    if any(phrase in plain for phrase in phrases[""]):
        return True
    return not plain.isascii() and any(
        phrase in plain for sign in foreign.keys() & set(plain) for phrase in foreign[sign]
    )


@cache
def _cues() -> tuple[frozenset[str], dict[str, list[str]], dict[str, list[str]]]:
    """Return the words, first word -> phrases in ASCII (empty: they begin with a sign), and the other phrases by their
    first character."""
    newer, arrows = {"moved", *(pair[1] for pair in conflicts())}, ("→", "->", "=>", "⇒")
    words, phrases = set[str](), {*arrows}
    for code, language in LANGUAGES.items():
        known = table("changes")[code]
        listed = ", ".join((*(known["states"][state] for state in newer), known["moves"]))
        plain = (said for said in (*known["replaced"], *known["contrast"]) if "V" not in said)
        told = (max(_SLOTS.split(said), key=len).strip() for said in plain)
        for phrase in filter(None, map(fold, (*listed.split(", "), *told))):
            (words if language.spaced and _WORD.fullmatch(phrase) else phrases).add(phrase)
    by_word: dict[str, list[str]] = {"": []}
    for phrase in filter(str.isascii, phrases):
        first = _WORD.match(phrase)
        by_word.setdefault(first[0] if first else "", []).append(phrase)
    by_sign: dict[str, list[str]] = {}
    for phrase in phrases:
        if not phrase.isascii():
            by_sign.setdefault(phrase[0], []).append(phrase)
    return frozenset(words), by_word, by_sign


def words_of(plain: str) -> frozenset[str]:
    """Return the words of a folded text."""
    return frozenset(_WORD.findall(plain))


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


def _any_of(lists: list[tuple[str, str]]) -> Phrases:
    bounded, anywhere, words = list[str](), list[str](), set[str]()
    others: dict[str, tuple[str, ...]] = {}
    for code, listed in lists:
        spaced = LANGUAGES[code].spaced
        for phrase in filter(None, map(fold, listed.split(", "))):
            (bounded if spaced else anywhere).append(re.escape(phrase))
            if spaced and _WORD.fullmatch(phrase):
                words.add(phrase)
            else:
                first = _WORD.match(phrase) if spaced else None
                begin = first[0] if first else ""
                others[begin] = (*others.get(begin, ()), phrase)
    # the bounds stand once: a branch that begins with a letter is ten times faster than one that looks behind itself
    parts = [rf"(?<![\w-])(?:{_longest_first(bounded)})(?![\w-])"] if bounded else []
    parts += [_longest_first(anywhere)] if anywhere else []
    return Phrases(lazy_pattern("|".join(parts)), frozenset(words), others)


def _longest_first(phrases: list[str]) -> str:
    return "|".join(sorted(phrases, key=len, reverse=True))


def _sentence(code: str, said: str) -> Sentence:
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
    parts = (fold(part).strip() for part in _SLOTS.split(said))
    return Sentence(lazy_pattern(found), tuple(sorted(filter(None, parts), key=len, reverse=True)))
