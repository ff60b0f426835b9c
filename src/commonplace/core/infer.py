"""Facts proposed from narrative: what a log says plainly, and nobody retained.

Conservative: a preference, a change in somebody's life, a decision, or something done in the first person, said by the
author or of a known entity. Questions, plans, greetings, hearsay and doubt are skipped. A proposal is no belief: it
waits in bank/review.md for a person. Phrases are data: `data/infer-LANGUAGE.json`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entity import entity_key
from commonplace.core.fact import encode, hash_id
from commonplace.core.fold import fold
from commonplace.core.model import Kind
from commonplace.core.stance import prepare, similarity_prepared
from commonplace.core.stance.words import language_of
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from commonplace.core.model import Citation, Fact

_SHORTEST, _LONGEST = 12, 320
"""Characters: shorter lines do not stand alone, longer ones say more than one thing."""
_KNOWN_FROM = 0.6
_MARKED = ("?", "？", "|", "http")
"""What questions, rows of tables and mere links have in them."""
_SPACED = frozenset(("en", "da", "hi"))
_MARKS = str.maketrans(dict.fromkeys('.,!;:"()[]*_`|。、，！；：「」『』（）【】।…', " "))


class Proposal(NamedTuple):
    """A fact that a line of a log may state."""

    id: str
    """`i-` and five signs, of what it says: a sentence is one question, on however many days it stands."""
    kind: Kind
    entities: tuple[str, ...]
    content: str
    source: Citation
    recorded: date | None
    also: tuple[date, ...] = ()
    """Other days on which a log says it, newest first."""

    @property
    def text(self) -> str:
        """In the grammar of facts, for the review page and for `retain`."""
        names = "".join(f" @{name}" for name in self.entities)
        return f"{self.kind.letter}{names}: {encode(self.content)}"


class _Phrases(NamedTuple):
    """The phrases of one language, folded; padded with blanks where the language has them."""

    skip: tuple[str, ...]
    skip_first: tuple[str, ...]
    decision: tuple[str, ...]
    undone: tuple[str, ...]
    """What, just before a decision, says that there is none yet."""
    opinion: tuple[str, ...]
    opinion_own: tuple[str, ...]
    world: tuple[str, ...]
    done: tuple[str, ...]


def infer(line: Fact, names: Callable[[str], tuple[str, ...]]) -> Proposal | None:
    """The fact that a line of a log states plainly; None when it states none, or not plainly.

    Args:
        line: a line that is no fact, with its context.
        names: the known entities that a text names, as their pages spell them, in order.
    """
    text = _bare(line.content)
    if (
        not text
        or not _SHORTEST <= len(text) + 6 * (not text.isascii()) <= _LONGEST
        or text[-1] in ":："
        or any(mark in text for mark in _MARKED)
    ):
        return None
    language, _ = language_of(text)
    phrases = _phrases(language)
    folded = f" {' '.join(fold(text).translate(_MARKS).split())} "
    trigger = _trigger(folded, phrases)
    if trigger is None or _skipped(folded, phrases) or _planned(line.context):
        return None
    kind, before = trigger
    if kind is Kind.EXPERIENCE and line.speaker:
        return None
    text = _unlabelled(text)
    found = names(text)
    if kind is Kind.OPINION or (kind is Kind.WORLD and before is not None):
        subjects = names(before or "") or ((line.speaker,) if line.speaker and _own(folded, phrases) else ())
        if not subjects:
            return None
        found = (*subjects[:1], *(name for name in found if name != subjects[0]))
    return Proposal(f"i-{hash_id(fold(text), 5)}", kind, found[:3], text, line.source, line.recorded)


def known_already(proposal: Proposal, facts: Sequence[Fact]) -> bool:
    """Whether one of these facts says it, or nearly."""
    said = prepare(proposal.content)
    names = {entity_key(name) for name in proposal.entities}
    for fact in facts:
        own = {entity_key(name) for name in (*fact.entities, *fact.mentions)}
        if (not names or not own or names & own) and similarity_prepared(said, prepare(fact.content)) >= _KNOWN_FROM:
            return True
    return False


@cache
def _phrases(language: str) -> _Phrases:
    words = table(f"infer-{language}")
    pad = " " if language in _SPACED else ""

    def folded(key: str) -> tuple[str, ...]:
        return tuple(f"{pad}{' '.join(fold(phrase).split())}{pad}" for phrase in words[key])

    return _Phrases(*(folded(field) for field in _Phrases._fields))


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(r"[^\w(\[\"'“「『*]*(?:\d{1,2}[:.]\d\d(?:\s?[ap]m)?\b[\s–—-]*)?", re.IGNORECASE)


@cache
def _label() -> re.Pattern[str]:
    return re.compile(r"\*\*[^*]{1,40}\*\*[:：]?\s*")


def _bare(text: str) -> str:
    """A line without its marks and time."""
    found = _opening().match(text)
    return (text[found.end() :] if found else text).strip()


def _unlabelled(text: str) -> str:
    """A line without a bold label such as `**Decision:**`, whose words have told the kind."""
    found = _label().match(text)
    return (text[found.end() :] if found else text).strip() or text


def _trigger(folded: str, phrases: _Phrases) -> tuple[Kind, str | None] | None:
    """The kind that the first phrase found names, and for statements about somebody what stands before the phrase."""
    for phrase in phrases.decision:
        if (at := folded.find(phrase)) >= 0 and not _undone(folded[:at], phrases):
            return Kind.WORLD, None
    for phrase in phrases.opinion:
        if (at := folded.find(phrase)) >= 0:
            return Kind.OPINION, folded[:at]
    if any(folded.startswith(phrase) for phrase in phrases.opinion_own):
        return Kind.OPINION, ""
    for phrase in phrases.world:
        if (at := folded.find(phrase)) >= 0:
            return Kind.WORLD, folded[:at]
    if any(phrase in folded for phrase in phrases.done):
        return Kind.EXPERIENCE, None
    return None


def _undone(before: str, phrases: _Phrases) -> bool:
    """Whether the last words before a phrase deny it."""
    last = " ".join(["", *before.split()[-2:], ""])
    return any(word in last if word[:1] == " " else last.rstrip().endswith(word) for word in phrases.undone)


def _own(folded: str, phrases: _Phrases) -> bool:
    return any(phrase in folded for phrase in phrases.opinion_own)


def _skipped(folded: str, phrases: _Phrases) -> bool:
    return any(phrase in folded for phrase in phrases.skip) or any(
        folded.lstrip().startswith(phrase.lstrip()) for phrase in phrases.skip_first
    )


def _planned(context: Sequence[str]) -> bool:
    """Whether a heading above says that what follows is not yet so, or is not the author's."""
    above = f" {' '.join(fold(' '.join(context)).translate(_MARKS).split())} "
    return any(phrase in above for phrase in _headings())


@cache
def _headings() -> tuple[str, ...]:
    known = table("infer")["headings"]
    return tuple(
        f" {fold(word)} " if language in _SPACED else fold(word) for language, words in known.items() for word in words
    )
