"""The sentence at the head of an entity's page: who or what that is, and where it stands now.

    Ida keeps the books of the mill (^k3f9q), and moved to Bergen in May (^x81kd, ^p02ma).

A model or a person words it; each clause names the facts and lines on which it rests, in round brackets with `^`, or in
square ones. It stands on the page for as long as all of them hold, with their days and links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id, line_id
from commonplace.core.markdown.page_links import link, quoted
from commonplace.core.model import Fact, Kind
from commonplace.core.pages.current_facts import definition, holds
from commonplace.core.pages.fact_rows import by_whom
from commonplace.core.quotes.page_quotes import EARLIER
from commonplace.core.quotes.quote_topics import WHO
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.core.model import AnyLine
    from commonplace.core.pages.current_facts import Known
    from commonplace.core.pages.entity_pages import Subject

SENTENCE = "sentence"
"""The key of its line on a page."""
MOST_TOLD = 10
"""Lines from which a sentence is made."""
FEWEST_TOLD = 3
"""Fewer need no summary."""
_SEVERAL = r"\^?[A-Za-z0-9][A-Za-z0-9-]{0,63}(?:[,;\s、，]{1,3}\^?[A-Za-z0-9][A-Za-z0-9-]{0,63}){0,9}"
_IDS = lazy_pattern(rf"\s{{0,3}}(?:\[({_SEVERAL})\]|[(（](\^{_SEVERAL.removeprefix(chr(92) + '^?')})[)）])")
_ID = lazy_pattern(r"[A-Za-z0-9-]+")
_AROUND = " \t,;:.!?–—-、，；。！？।"
"""What may stand between clauses."""


class CitedClause(NamedTuple):
    """A part of a sentence with what it rests on."""

    text: str
    ids: tuple[str, ...]


class PageSentence(NamedTuple):
    """A sentence that somebody accepted."""

    text: str
    """With its ids."""
    by: str = ""
    """The model that worded it, and the day; empty: a person."""


def sentence_id(key: str) -> str:
    """Return the id of the question for the sentence about an entity."""
    return "s-" + hash_id(f"sentence\x1f{key}", 5)


def clauses(text: str) -> tuple[CitedClause, ...]:
    """Return the clauses of a sentence; none if one of them names nothing on which it rests."""
    found, at = [], 0
    for ids in _IDS.finditer(text):
        said = text[at : ids.start()].strip(_AROUND)
        if not said:
            return ()
        found.append(CitedClause(said, tuple(_ID.findall(ids[0]))))
        at = ids.end()
    return tuple(found) if not text[at:].strip(_AROUND) else ()


def told_of(subject: Subject, known: Known) -> dict[str, AnyLine]:
    """Return, by id, the lines of an entity's page that hold, those that tell most first: no sentence may rest on
    another.
    """
    mine = [fact for fact in by_whom(subject.facts)[0] if fact.kind is not Kind.OPINION]
    ids = {fact.id for fact in mine}  # an outsider disputes nothing
    holding = [fact for fact in mine if known.disputed.get(fact.id) not in ids and holds(fact, known)]
    what = definition(subject.name, holding)
    facts = [*([what] if what else []), *(fact for fact in reversed(holding) if fact is not what)]
    quotes = [each for each in subject.quotes if each.newer is None and each.topic != EARLIER and not each.fault]
    quotes.sort(key=lambda each: each.topic != WHO)  # and of one topic the newest first, as they are
    told: dict[str, AnyLine] = {fact.id: fact for fact in facts}
    told.update((line_id(each.line.content, each.line.recorded), each.line) for each in quotes)
    return told


def with_carets(text: str) -> str:
    """Return a sentence with its ids as our pages write ids, so that whoever looks for one finds it."""
    return _IDS.sub(lambda found: f" ({', '.join(f'^{id}' for id in _ID.findall(found[0]))})", text)


def sentence_row(sentence: PageSentence, told: Mapping[str, AnyLine], page: str) -> str:
    """Return the line of a sentence on a page; empty if something on which it rests no longer holds."""
    said = clauses(sentence.text)
    if not said or any(id not in told for clause in said for id in clause.ids):
        return ""

    def place(id: str) -> str:
        line = told[id]
        day = str(line.recorded or quoted(line.source.path.rpartition("/")[2]))
        return link(day, page, line.source.path) + (f" ^{id}" if isinstance(line, Fact) else "")

    shown = _IDS.sub(lambda found: f" ({', '.join(map(place, _ID.findall(found[0])))})", quoted(sentence.text))
    return f"{shown} (by {sentence.by.partition(' ')[0]})" if sentence.by else shown
