"""The message for an unknown entity, with similar names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.errors import NotFound

if TYPE_CHECKING:
    from commonplace.store.sqlite import Index

_MOST = 5
_BEGINNING = 3
"""Characters at the start that make two names similar."""


def near(index: Index, name: str) -> tuple[str, ...]:
    """Return the names of entities that are similar to an unknown name, most similar first."""
    from difflib import get_close_matches

    key = entity_key(name)
    spelled = {each.key: each.name for each in index.entities()}
    beginning = (each for each in spelled if key[:_BEGINNING] and each.startswith(key[:_BEGINNING]))
    keys = dict.fromkeys((*get_close_matches(key, spelled, n=_MOST), *beginning))
    return tuple(spelled[each] for each in keys)[:_MOST]


def nobody(index: Index, name: str, otherwise: str = "") -> NotFound:
    """Return the error for the name of an unknown entity.

    Args:
        otherwise: what else to do; if empty, to search for the words.
    """
    from shlex import quote

    otherwise = otherwise or f"commonplace recall {quote(name)} looks for the words"
    found = near(index, name)
    hint = f"similar names: {', '.join(found)}; {otherwise}" if found else otherwise
    return NotFound(f"there is no entity {name!r}", hint)
