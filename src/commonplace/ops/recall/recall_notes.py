"""Notes beside the hits of a recall: terms without a match, or why there is no hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.recall.coverage import names, untold
from commonplace.core.recall.scoring import is_far
from commonplace.core.recall.term_match import Sought

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import Hit, Query
    from commonplace.core.recall.diagnostics import Diagnostics
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.store.sqlite import Index


def note_on(index: Index, query: Query, *, hits: Sequence[Hit], known: Diagnostics) -> str:
    """The note beside these hits; empty where there is nothing to say.

    Args:
        query: as it was asked.
    """
    reading = known.question.reading
    if lacking := untold(reading, (hit.line for hit in hits)):
        return f"none of these says anything of {' or '.join(f'“{thing}”' for thing in lacking)}"
    if not hits:
        return _nothing(index, reading, query=query)
    if phrases := _inexact(reading, hits):
        said = " or ".join(f"“{phrase}”" for phrase in phrases)
        return f"no line has {said}" + ("" if known.exact else ": these have words of it")
    if known.more is None and is_far(known, hits):
        unknown = known.question.scale.unknown
        lacking_words = _listed(unknown, reading) if unknown else "much of what is asked"
        return f"no line has {lacking_words}: these come nearest"
    return ""


def _inexact(reading: Reading, hits: Sequence[Hit]) -> list[str]:
    """The phrases of the question, in quotation marks, that none of the hits has word for word.

    Not of the corner brackets of Japanese, which stand around any title.
    """
    phrases = [term for term in reading.terms if term.kind == "phrase" and f"「{term.text}" not in reading.query]
    if not phrases:
        return []
    sought = Sought(phrases)
    held = [any(counts) for counts in zip(*(sought.hits(hit.line.content)[0] for hit in hits), strict=True)]
    return [term.text for term, there in zip(phrases, held, strict=True) if not there]


def _nothing(index: Index, reading: Reading, *, query: Query) -> str:
    """Why the bundle is empty, in words."""
    called = names(reading)
    asked = dict.fromkeys(term.text for term in reading.terms if called.isdisjoint(term.keys) or not reading.keys)
    known = index.named([entity_key(name) for name in query.entities])
    strangers = [name for name in query.entities if entity_key(name) not in known]
    if strangers:
        from commonplace.ops.recall.near_names import near

        like = ", ".join(dict.fromkeys(found for name in strangers for found in near(index, name)))
        return f"no entity is known as {' or '.join(strangers)}" + (f"; near it: {like}" if like else "")
    parts = []
    whom = f" about {', '.join(name for name, _ in reading.entities)}" if reading.entities else ""
    if asked or whom:
        parts.append(f"nothing{whom} says anything{' of ' * bool(asked)}{_listed([*asked], reading)}")
    if reading.when is not None:
        parts.append(f"nothing was recorded or holds for {reading.when.span}")
    if query.kinds and not parts:
        parts.append(f"nothing is told of the kind {' or '.join(kind.value for kind in query.kinds)}")
    if query.range is not None:
        parts.append(f"only {query.range} was asked for")
    return "; ".join(parts) or "the question names nothing to look for"


def _listed(words: Sequence[str], reading: Reading) -> str:
    """The first of these words of a question; stretches that overlap, as of text without spaces, as one."""
    found: list[str] = []
    for word in words:
        if found and (joined := found[-1] + word[1:]) in reading.query and found[-1][-1] == word[0] >= "\u2e80":
            found[-1] = joined
        else:
            found.append(word)
    return ", ".join(found[:8])
