"""Reads what a server with OpenAI's embeddings API answers: its vectors in the order of the texts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_TOO_LONG = lazy_pattern(r"too (large|long)|exceed|context (length|size|window)|less than \d+ tokens", re.IGNORECASE)


class WrongAnswer(Exception):
    """The answer is not what was asked for; the message continues "the server …"."""


def answered_rows(content: bytes, *, count: int) -> NDArray[numpy.float64]:
    """Return the vectors of an answer in the order of the texts, as they came: NaN for what is no number in JSON.

    Raises WrongAnswer unless there are `count` of them, one for each text, all of one dimension.
    """
    import numpy

    items = _items(content)
    if len(items) != count:
        raise WrongAnswer(f"returned {len(items)} vectors for {count} texts")
    places: list[Any] = [each.get("index") for each in items]
    if places != [None] * count:
        if not all(type(place) is int for place in places) or sorted(places) != [*range(count)]:
            raise WrongAnswer("does not say which vector belongs to which text")
        items.sort(key=lambda item: int(item["index"]))
    vectors: list[Any] = [each.get("embedding") for each in items]
    if not all(isinstance(each, list) for each in vectors):
        raise WrongAnswer("returned something else than lists of numbers")
    if len({len(each) for each in vectors}) != 1 or not vectors[0]:
        raise WrongAnswer("returned vectors of different dimensions, or without any")
    try:
        rows = numpy.array(vectors, dtype=numpy.float64)
    except (TypeError, ValueError, OverflowError):
        raise WrongAnswer("returned vectors with something else than numbers") from None
    if rows.ndim != 2:
        raise WrongAnswer("returned one vector for each word, not for each text")
    return rows


def _items(content: bytes) -> list[dict[str, Any]]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        what = "HTML" if content.lstrip()[:1] == b"<" else "something else than JSON"
        raise WrongAnswer(f"returned {what}") from None
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        raise WrongAnswer("returned JSON without embeddings")
    return data


def says_too_long(content: bytes) -> bool:
    """Whether the words of a refusal are about the length of a text: servers have no common code for it."""
    return bool(_TOO_LONG.search(content[:10_000].decode(errors="replace")))
