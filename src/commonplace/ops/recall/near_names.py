"""The entities that a name means; if there are none, similar names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, has_case
from commonplace.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from commonplace.store.sqlite import Index

_MOST = 5
_KATAKANA = lazy_pattern("[ァ-ヺー]{3,}")
_PAIR = 2
"""Characters of a term of Han or kana."""
_BEGINNING = 3
"""Characters at the start that make two names similar."""


def near(index: Index, name: str) -> tuple[str, ...]:
    """Return the names of entities that are similar to an unknown name, most similar first."""
    from difflib import get_close_matches

    key = entity_key(name)
    index.foresee(index.entities)
    spelled = {each.key: each.name for each in index.entities()}
    beginning = (each for each in spelled if key[:_BEGINNING] and each.startswith(key[:_BEGINNING]))
    keys = dict.fromkeys((*get_close_matches(key, spelled, n=_MOST), *beginning))
    return tuple(spelled[each] for each in keys)[:_MOST]


def respellings(
    index: Index, question: str, unknown: Iterable[str], *, ahead: Callable[[str], object]
) -> dict[str, tuple[str, ...]]:
    """Return words of a question that no line has -> the known names of which each may be a misspelling, or which sound
    so in another script.

    A word without a capital is no name, unless the question or its script has no capitals at all. Names that only
    outsiders made known are left out.

    Args:
        ahead: what is asked next of a question that is spelt otherwise, to be asked together with what is asked here.
    """
    from commonplace.core.entities.misspelt_names import meant  # here, because most questions have no such word
    from commonplace.core.entities.name_uses import is_ordinary

    unknown, lower = [*unknown], question.islower()
    # a foreign word in kana is several terms, of which a line may have some by chance
    unknown += [run for run in _KATAKANA.findall(question) if any(term in run for term in unknown)]
    words = [word for word in unknown if word[0].isupper() or (lower and has_case(word) and not is_ordinary(word))]
    names = {*index.known_names()} if words else set()
    if any(meant(word, names) for word in words):  # else who made them known does not matter, and takes long to ask
        names -= index.strangers()
    found = {word: near_by for word in words if (near_by := meant(word, names))}
    without_case = [word for word in unknown if not has_case(word) and len(word) > _PAIR]
    # the first word of a question has a capital, whatever it is
    named = {word: word[0].isupper() and not question.startswith(word) for word in words if word not in found}
    named |= {word: _KATAKANA.fullmatch(word) is not None for word in without_case}
    return found | _in_other_scripts(index, named, ahead=lambda heard: ahead(respelt(question, found | heard)))


def respelt(question: str, respelled: Mapping[str, Sequence[str]]) -> str:
    """Return a question with the one name that each of these words may be in its place."""
    for typed, names in respelled.items():
        # to `re` vowel signs of Devanagari are no letters
        letter = "ァ-ヺー" if _KATAKANA.fullmatch(typed) else "\\w\u0900-\u097f"
        if len(names) == 1:
            name = names[0].replace("\\", r"\\")
            question = re.sub(f"(?<![{letter}]){re.escape(typed)}(?![{letter}])", name, question)
    return question


def _in_other_scripts(
    index: Index, words: Mapping[str, bool], *, ahead: Callable[[dict[str, tuple[str, ...]]], object]
) -> dict[str, tuple[str, ...]]:
    """Words that no line has -> the names that sound so in another script and that a line has."""
    if not words:
        return {}
    from commonplace.core.entities.household_names import household_keys
    from commonplace.core.entities.sounding_names import sounding

    known = {part for name in index.known_names() for part in name.split()}
    near = sounding(words, known | household_keys())
    if not near:
        return {}
    # a known name is in a line, one that everybody knows may be in none
    ours = {name for found in near.values() for name in found if fold(name) in known}
    terms = {name: document_terms(name).split(" ", 1)[0] for found in near.values() for name in {*found} - ours}

    def look_up() -> None:
        index.strangers(map(fold, ours))
        index.frequencies(terms.values())
        ahead(near)

    index.foresee(look_up)
    strangers = index.strangers(map(fold, ours)) if ours else frozenset()
    said = index.frequencies(terms.values()) if terms else {}
    there = {name for name in ours if fold(name) not in strangers}.union(name for name in terms if said[terms[name]])
    return {word: heard for word, found in near.items() if (heard := tuple(name for name in found if name in there))}


def named_keys(index: Index, name: str, otherwise: str = "") -> tuple[str, ...]:
    """Return the keys of the entities that a name may mean. Raises NotFound, with similar names, if there are none.

    Args:
        otherwise: a hint for that case; by default to search for the words.
    """
    from shlex import quote

    key = entity_key(name)
    if keys := index.named([key]).get(key):
        return keys
    otherwise = otherwise or f"commonplace recall {quote(name)} looks for the words"
    found = near(index, name)
    hint = f"similar names: {', '.join(found)}; {otherwise}" if found else otherwise
    raise NotFound(f"there is no entity {name!r}", hint)
