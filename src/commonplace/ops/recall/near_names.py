"""The message for a name that no entity has, with the names that are close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.errors import NotFound

if TYPE_CHECKING:
    from commonplace.store.sqlite import Index

_MOST = 5
_BEGINNING = 3
"""Characters that two names share at their start, to be told as near."""


def near(index: Index, name: str) -> tuple[str, ...]:
    """Entities that may be meant by a name that none has, the likeliest first."""
    from difflib import get_close_matches

    key = entity_key(name)
    spelled = {each.key: each.name for each in index.entities()}
    beginning = (each for each in spelled if key[:_BEGINNING] and each.startswith(key[:_BEGINNING]))
    keys = dict.fromkeys((*get_close_matches(key, spelled, n=_MOST), *beginning))
    return tuple(spelled[each] for each in keys)[:_MOST]


def nobody(index: Index, name: str, otherwise: str = "") -> NotFound:
    """The error for a name that no entity has.

    Args:
        otherwise: what else may be done; to look for the words when not given.
    """
    from shlex import quote

    otherwise = otherwise or f"commonplace recall {quote(name)} looks for the words"
    found = near(index, name)
    hint = f"near it: {', '.join(found)}; {otherwise}" if found else otherwise
    return NotFound(f"there is no entity {name!r}", hint)
