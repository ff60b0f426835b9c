"""General words of a question, such as "pet", with their members: kitten, hamster.

A question asks for pets, and a log says that there is a kitten. It is one way only: who asks for a kitten does not ask
for pets. A word counts where a question asks for one of its kind: in "which stores?", not in "where do we store it?".
The words, and how such questions ask, are in `data/<language>/members.json`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term, noun_term
from commonplace.core.text.known_languages import HAN, LATIN, identify
from commonplace.core.text.normalize import fold, unify, variants

_BEGINNING = 3
"""Letters of a word by which it is looked up; all forms of a word begin with them."""


class GeneralWord(NamedTuple):
    """A general word of a question."""

    text: str
    """As typed; in scripts without spaces, as listed."""
    at: tuple[int, ...]
    """The positions of its terms among those of the question."""
    members: tuple[Term, ...]


def general_words(text: str, terms: Sequence[Term]) -> tuple[GeneralWord, ...]:
    """Return the general words of a question, without those within longer ones.

    Args:
        terms: those of the question. A member that is among them is left out.
    """
    asked = identify(text)
    sure = asked.lead or asked.code not in LATIN
    codes = ([asked.code] if asked.code else []) if sure else LATIN
    keys = frozenset(key for term in terms for key in term.keys)
    found: list[GeneralWord] = []
    for code in codes:
        for word, at in _places(text, terms, code=code):
            if any(set(at).issubset(other.at) for other in found) or not at:
                continue
            typed = word if code in HAN else " ".join(terms[each].text for each in at)
            if not _is_asked(typed, text, code=code):
                continue
            members = tuple(term for term in _members(word, code) if keys.isdisjoint(term.keys))
            found.append(GeneralWord(typed, at, members))
    return tuple(found)


def _places(text: str, terms: Sequence[Term], *, code: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the general words of a language in a question with the positions of their terms, longer words first."""
    if code in HAN:
        folded = variants(text)
        for word, same, grams in _unspaced(code):
            if same in folded:
                yield word, tuple(at for at, term in enumerate(terms) if not grams.isdisjoint(term.keys))
        return
    whole = [(place, term) for place, term in enumerate(terms) if term.kind != "part"]
    for first, (_, term) in enumerate(whole):
        for word in _begun(code).get(fold(term.text)[:_BEGINNING], ()):
            forms = word.split()
            asked = whole[first : first + len(forms)]
            pairs = zip(asked, forms, strict=False)
            if len(asked) == len(forms) and all(_is_form(each, form, code=code) for (_, each), form in pairs):
                yield word, tuple(place for place, _ in asked)


def _is_asked(typed: str, text: str, *, code: str) -> bool:
    """Whether a question asks for one of the kind of a word, in any of its places."""
    word, text = variants(typed).lower(), variants(text).lower()
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if any(before.search(text, 0, at) and after.match(text, end) for before, after in _asked(code)):
            return True
        at = text.find(word, end)
    return False


@cache
def _asked(code: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return what is before and after a word of which a question asks for one."""
    return [(re.compile(before), re.compile(after)) for before, after in table("members", code)["asked"]]


@cache
def _unspaced(code: str) -> list[tuple[str, str, frozenset[str]]]:
    """Return the general words of a language without spaces, each as listed, in its usual characters and as terms.

    These are its pairs of characters; of one character, that where it is alone.
    """
    words = [(word, unify(word)) for word in _listed(code)]
    return [
        (word, variants(word), frozenset(same[at : at + 2] for at in range(len(same) - 1)) or frozenset([f"{same}*"]))
        for word, same in words
    ]


def _is_form(term: Term, word: str, *, code: str) -> bool:
    """Whether a term of a question is a noun or a form of it."""
    typed, words = fold(term.text), table("members", code)
    if typed == fold(word):
        return True
    may_be = typed.endswith(words["ending"]) and typed not in words["apart"]
    return may_be and not _keys(word, code).isdisjoint(term.keys)


@cache
def _listed(code: str) -> dict[str, list[str]]:
    """Return general word -> its members, longer words first."""
    listed = table("members", code)["members"].items()
    words = {word: members.split(", ") for forms, members in listed for word in forms.split(", ")}
    return dict(sorted(words.items(), key=lambda pair: -len(pair[0])))


@cache
def _begun(code: str) -> dict[str, list[str]]:
    """Return the first letters of general words -> these, longer ones first."""
    begun: dict[str, list[str]] = {}
    for word in _listed(code):
        begun.setdefault(fold(word)[:_BEGINNING], []).append(word)
    return begun


@lru_cache(256)
def _keys(word: str, code: str) -> frozenset[str]:
    term = noun_term(word, code)
    return frozenset(term.keys if term else ())


@lru_cache(128)
def _members(word: str, code: str) -> tuple[Term, ...]:
    """Return the members of a general word, with those of members that are general words."""
    listed = _listed(code)
    members = [each for member in listed[word] for each in (member, *listed.get(member, ()))]
    found = {term.keys: term for member in members if (term := noun_term(member, code))}
    return tuple(found.values())
