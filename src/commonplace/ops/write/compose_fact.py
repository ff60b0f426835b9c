"""Composes the fact that a text states: parsed by the grammar, else with a guessed kind and entities."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import (
    LONGEST,
    Defect,
    decode,
    is_name,
    read_bullet,
    render,
    split_tail,
    too_long,
    trailed,
)
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.documents.parse import parse
from commonplace.core.documents.spaced_names import Understood, with_hyphens
from commonplace.core.entities.entity_names import candidates, choose, entity_key
from commonplace.core.extract.kind_guess import guess_kind
from commonplace.core.markdown import text_edits
from commonplace.core.model import RELATIONS, Citation, Fact, Kind, Trailer
from commonplace.core.provenance import OWN_KEYS, given_source, strictest
from commonplace.core.secrets.guard import in_name, quotable
from commonplace.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.store.sqlite import Index

_NO_TEXT = re.compile(r"(?:[WBOS]\b(?:\([^()]*\))?)?(?:\s*@[^\s@]*)*[\s:：.,;!?…–—_*#-]*", re.IGNORECASE)
"""A kind, names and punctuation without text."""
_NAMED = re.compile(r"((?:@[^\s@:：,，、]+[\s,，、]*)+)[:：]\s*(?=\S)")
"""Names before a text without a kind: `@Peter @Ida: Live in Vienna.`"""
_NAME = re.compile(r"@([^\s@:：,，、]+)")


def compose(
    index: Index,
    text: str,
    *,
    kind: Kind | None,
    entities: Sequence[str],
    confidence: float | None,
    trailer: Trailer,
) -> Fact:
    """Return the fact that a text states: parsed by the grammar, else with a guessed kind and entities.

    Its content keeps the line breaks of the text, if each line can continue a bullet. The trailer may name facts by
    citation. Raises UsageError for an empty text or an invalid confidence, NotFound for a citation of no fact.

    Args:
        kind: overrides the kind of the text.
        entities: override the entities of the text.
        confidence: overrides the confidence of the text.
        trailer: what is given beside the text. Somebody else's text loses its block id; of the trailer in a host's
            capture of a session only `src` is kept: a summary of whatever was said there names no facts.
    """
    body = text = understood(index, text).text
    if named := _NAMED.match(body):
        entities = tuple(entities) or tuple(_NAME.findall(named[1]))
        text = body = body[named.end() :]
    head = read_bullet(body)
    plain, tail, _ = split_tail(body) if trailed(body) else (body, Trailer(), "")
    written = _as_given(tail)
    written = Trailer(src=written.src) if trailer.session else written
    joined = _joined(index, written, given=trailer)
    block = "" if isinstance(head, Defect) or trailer.session or joined.outsider else head.block
    if isinstance(head, Defect):
        content = _plain_content(body, decode(plain), defect=head)
        stated, found, own = kind or guess_kind(content), tuple(entities) or _proposed(index, content), confidence
    else:
        content, stated = head.content, kind or head.kind
        own = head.confidence if confidence is None else confidence
        found = tuple(entities) or head.entities
    if own is not None and not 0 <= own <= 1:
        raise UsageError(f"invalid confidence: {own}", "give a number from 0 to 1")
    return Fact(
        block,
        stated,
        _on_lines(content, text),
        _names(found),
        Citation("", 0),
        confidence=own,
        trailer=joined,
        mentions=mentions(content),
    )


def understood(index: Index, text: str) -> Understood:
    """Return a fact's text without list marker, with hyphens for the spaces in the names at its head. Raises
    UsageError for an empty text, or where it is not clear what the names are.
    """
    body = _bare(text)
    return Understood(body) if _NO_TEXT.fullmatch(body) else with_hyphens(body, lambda name: _is_known(index, name))


def _is_known(index: Index, name: str) -> bool:
    key = entity_key(name)
    return key in index.named([key])


def taken_back(fact: Fact, reason: str) -> Fact:
    """Return the fact that retracts one, in words for readers of the log."""
    why = f" ({given.rstrip('.')})" if (given := " ".join(reason.split())) else ""
    said = text_edits.without_controls(fact.content)
    return Fact(
        "",
        Kind.OBSERVATION,
        f"Retracted{why}: {quotable(said)}",
        tuple(name for name in fact.entities if not in_name(name)),
        Citation("", 0),
        trailer=Trailer(retracts=(fact.id,)),
    )


def fact_id(index: Index, named: str) -> str:
    """Return the id of the fact at a citation; any other text is returned as an id."""
    cited = Citation.read(named)
    if cited is None:
        return named
    row = index.row_at(*cited)
    fact = None if row is None else index.facts_at((row,)).get(row)
    if fact is None:
        raise no_fact(index, named)
    return fact.id


def no_fact(index: Index, named: str) -> NotFound:
    """Return the error for an id or citation of no fact, with a hint; also for a line that is not a fact."""
    cited = Citation.read(named)
    if cited is None:
        return NotFound(f"there is no fact ^{named}", "recall it first: each hit shows its id")
    hint = "recall it first: each hit shows its id and citation"
    if index.row_at(*cited) is not None:
        hint = "it is a line, not a fact: edit it, or retain a newer fact"
    return NotFound(f"there is no fact at {named}", hint)


def _plain_content(body: str, content: str, *, defect: Defect) -> str:
    """Return the content of a text without our grammar. Raises UsageError if it is a bad bullet or has no content."""
    if defect.code == "no-kind" and len(body) > LONGEST:
        defect = too_long(body)
    if defect.code != "no-kind":
        raise UsageError(defect.message, defect.hint)
    if not content:
        raise UsageError("there is nothing to retain", 'try: commonplace retain "W @Peter: Lives in Vienna."')
    if _NO_TEXT.fullmatch(content):
        hint = 'write the statement after it, for example: commonplace retain "W @Peter: Lives in Vienna."'
        raise UsageError(f"a fact without text: {content[:60]}", hint)
    return content


def _names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names of entities without duplicates. Raises UsageError for an invalid name."""
    names = tuple(dict.fromkeys(name.lstrip("@").replace(" ", "-") for name in given if name.strip("@ ")))
    for name in names:
        if not is_name(name):
            raise UsageError(f"invalid entity name {name!r}", "names have letters, digits, hyphens and dots")
    return names


def _bare(text: str) -> str:
    """Return the non-empty lines of a text without its list marker. Raises UsageError if there are none."""
    body = squeezed(text)
    for marker in ("- ", "* ", "+ ", "• "):
        body = body.removeprefix(marker)
    if not body or body in "-*+•":
        raise UsageError("there is nothing to retain", 'try: commonplace retain "W @Peter: Lives in Vienna."')
    return body


def squeezed(text: str) -> str:
    """Return the non-empty lines of a text, each with its white space collapsed."""
    return "\n".join(line for each in text.split("\n") if (line := " ".join(each.split())))


def _on_lines(content: str, text: str) -> str:
    """Return the content with the line breaks of the text; on one line if it would not be parsed as one bullet."""
    if "\n" not in text.strip():
        return content
    counts = [len(decode(line).split()) for line in text.split("\n")]
    words = content.split(" ")
    behind = sum(counts) - len(decode(split_tail(squeezed(text))[0]).split())  # trailer and block id
    breaks = (len(words) + behind - below for below in accumulate(reversed(counts[1:])))
    places = [0, *sorted({at for at in breaks if 0 < at < len(words)}), len(words)]
    lines = "\n".join(" ".join(words[start:end]) for start, end in pairwise(places))
    probe = Fact("", Kind.WORLD, lines, (), Citation("", 0))
    read = parse("", f"## Retain\n- {render(probe)}").lines[1:]
    return lines if [line.fact and line.fact.content for line in read] == [content] else content


def _proposed(index: Index, content: str) -> tuple[str, ...]:
    """Return the entities of a plain text: those it links to, else known names in it."""
    if linked := mentions(content):
        return linked
    names = candidates(content)
    strangers = index.strangers(named.name for named in names) if names else ()
    chosen = choose(names, index.named([named.name for named in names if named.name not in strangers]))
    spelled = index.names(keys[0] for _, keys in chosen)
    return tuple(dict.fromkeys(spelled.get(keys[0], name) for name, keys in chosen))[:4]


def _joined(index: Index, written: Trailer, *, given: Trailer) -> Trailer:
    """Return both trailers in one, with ids in place of citations."""
    named = {
        key: tuple(dict.fromkeys(fact_id(index, each) for each in (*getattr(written, key), *getattr(given, key))))
        for key in RELATIONS
    }
    src = strictest(given.src, written.src)
    return Trailer(**named, src=src, other=(*given.other, *written.other))


def _as_given(trailer: Trailer) -> Trailer:
    """Return the trailer of a caller's text without the keys that only we write. Raises UsageError for its source."""
    other = tuple((key, value) for key, value in trailer.other if key not in OWN_KEYS)
    return trailer._replace(src=given_source(trailer.src), other=other)
