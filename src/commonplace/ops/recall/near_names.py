"""The entities that a name means; if there are none, similar names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.store.sqlite import Index

_MOST = 5
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


def respellings(index: Index, question: str, unknown: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return words of a question that no line has -> the known names of which each may be a misspelling.

    A word without a capital is no name, unless the question has no capitals at all. Names that only outsiders made
    known are left out.
    """
    from commonplace.core.entities.misspelt_names import meant  # here, because most questions have no such word
    from commonplace.core.entities.name_uses import is_ordinary

    lower = question.islower()
    words = [word for word in unknown if word[0].isupper() or (lower and not is_ordinary(word))]
    names = {*index.known_names()} if words else set()
    if any(meant(word, names) for word in words):  # else who made them known does not matter, and takes long to ask
        names -= index.strangers()
    return {word: near_by for word in words if (near_by := meant(word, names))}


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
